// What rules declare: what descriptors may write of each, what pages say of it, when it takes part. A change is seen in a
// review, line by line.
import { expect, test } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';
import { ruleOf } from '../../src/rules/support/rule.ts';
import { registryOf } from '../support/service/praxis.ts';

test('the rules of the catalogue declare what they declared', async () => {
  const lines = Object.entries(rules).flatMap(([name, rule]) =>
    Object.entries(rule)
      // What a rule does is no declaration.
      .filter(([, value]) => typeof value !== 'function')
      .map(([part, value]) => `${name} ${part} ${JSON.stringify(value)}\n`),
  );
  await expect(lines.join('')).toMatchFileSnapshot('catalogue.txt');
});

test('on update they are called for where a field changes that they look at', async () => {
  const lines = (['product', 'rules'] as const).flatMap((folder) =>
    [...registryOf(folder).resources.values()].flatMap((resource) =>
      [...resource.rules, ...resource.fields.flatMap(({ derived }) => derived ?? [])].flatMap((use) => {
        const keys = ruleOf(rules, use).looksAt?.(use, resource);
        return keys === undefined ? [] : [`${resource.name} ${use.use}: ${keys.join(' ')}\n`];
      }),
    ),
  );
  await expect(lines.join('')).toMatchFileSnapshot('looks-at.txt');
});
