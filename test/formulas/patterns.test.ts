// Patterns mean the same to the engine of JavaScript, by which clients check, and to the one that checks here; and here none
// of them takes long, whatever the text is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternFault } from '../../src/text/pattern.ts';
import { matches } from '../../src/values/pattern.ts';
import { nastyText } from '../support/data/nasty.ts';

const sound = [
  '^[A-Z]{2,4}-[0-9]+(/[a-z0-9]+)*$',
  '^#(\\d|[a-f]){6}$',
  '^(a|bc|d{2})?x*$',
  '^[^,]+(,[^,]+)*$',
  '^[\\w.-]+$',
  '^\\(\\d{3}\\) [\\d-]{3,8}$',
  '^(?:\\+[1-9]{1,3} )?[0-9 ]{4,12}$',
  '^[ä-ö€-]+$',
  '^\u{1F600}{2}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^[\\]\\[\\^\\-]?$',
  '^$',
];
/** Made of parts, so that many of them are patterns; most others are not. */
const made = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '-',
      '[a-c]',
      '[^a]',
      '(',
      ')',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '\\d',
      '\\.',
      '.',
      '\\1',
      '(?:',
      ' ',
    ),
    { maxLength: 9 },
  )
  .map((parts) => `^${parts.join('')}$`);
const text = fc.oneof(
  nastyText,
  fc.stringMatching(/^[ab0-9.,/ -]{0,12}$/),
  fc.constantFrom('AB-1', 'AB-1\n', '\u{1F600}\u{1F600}', '', '#00ff7f', '1.2.3.4'),
);

test('what passes the check means the same to JavaScript', () => {
  let count = 0;
  const agree = (pattern: string, one: string): void => {
    if (patternFault(pattern) !== undefined) return;
    count += 1;
    expect(matches(pattern, one), JSON.stringify([pattern, one])).toBe(new RegExp(pattern, 'u').test(one));
  };
  for (const pattern of sound) expect(patternFault(pattern), pattern).toBeUndefined();
  fc.assert(fc.property(fc.constantFrom(...sound), text, agree), { numRuns: 3000 });
  fc.assert(
    fc.property(made, fc.array(text, { minLength: 4, maxLength: 4 }), (pattern, some) => {
      for (const one of some) agree(pattern, one);
    }),
    { numRuns: 3000 },
  );
  expect(count).toBeGreaterThan(3500);
});

test('no check throws', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'ab^$\\.*+?()[]{}|/-,0123dw: <=!'), maxLength: 30 });
  fc.assert(
    fc.property(signs, (pattern) => void patternFault(pattern)),
    { numRuns: 3000 },
  );
});

test('a text takes a time that grows with its length alone', () => {
  for (const [pattern, isMatch] of [
    ['^\\d*\\d*\\d*\\d*x$', false],
    ['^(-[a-z]*)*$', false],
    ['^[^,]+(,[^,]+)*$', true],
    ['^([a-z]{0,20}){20}!$', false],
  ] as const) {
    const long = `${'1'.repeat(20_000)}${'-a'.repeat(20_000)}${'a'.repeat(20_000)}`;
    // Where the engine of JavaScript goes back and tries again it takes longer than any test may.
    expect(matches(pattern, long), pattern).toBe(isMatch);
  }
});
