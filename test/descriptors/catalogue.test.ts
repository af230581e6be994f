// What rules declare: what descriptors may write of each, what pages say of it, when it takes part. A change is seen in a
// review, line by line.
import { expect, test } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';

test('the rules of the catalogue declare what they declared', async () => {
  const lines = Object.entries(rules).flatMap(([name, rule]) =>
    Object.entries(rule)
      // What a rule does is no declaration.
      .filter(([, value]) => typeof value !== 'function')
      .map(([part, value]) => `${name} ${part} ${JSON.stringify(value)}\n`),
  );
  await expect(lines.join('')).toMatchFileSnapshot('catalogue.txt');
});
