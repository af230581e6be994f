// Names that nobody can tell apart by looking at them.
import { describe, expect, test } from 'vitest';
import { hasInvisible } from '../../src/values/format.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';

/** With the places of what nobody sees. */
const hidden: readonly [string, string][] = [
  ['a space without width', '\u200b'],
  ['a space without width inside', 'Acme\u200b Ltd'],
  ['joiners with nothing to join', 'Ac\u200dme'],
  ['a non-joiner between Latin letters', 'Ac\u200cme'],
  ['a mark of direction', 'Acme\u200e'],
  ['an embedding', '\u202aAcme\u202c'],
  ['an override', '\u202eemcA\u202c'],
  ['an isolate', '\u2066Acme\u2069'],
  ['a word joiner', 'Acme\u2060'],
  ['an invisible times', 'Acme\u2062'],
  ['a byte order mark', '\ufeffAcme'],
  ['a soft hyphen', 'Ac\u00adme'],
  ['a Hangul filler', 'Acme\u3164'],
  ['a tag', 'Acme\u{e0041}'],
  ['a variation selector behind a letter', 'Acme\ufe0f'],
  ['a joiner at the end of an emoji', '\u{1f469}\u200d'],
  ['a non-joiner at the end of a word', '\u0645\u06cc\u200c'],
];
const seen = [
  ...['Acme', 'Acme Ltd', 'Acme\u00a0Ltd', 'Ömer Şahin', '株式会社', 'e\u0301', '\u0301'],
  // A technician, a family, a heart on fire, a key, Scotland, and a flag.
  ...['\u{1f469}\u{1f3fd}\u200d\u{1f4bb}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u2764\ufe0f\u200d\u{1f525}'],
  ...['1\ufe0f\u20e3', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '\u{1f1eb}\u{1f1f7}'],
  // Words of Persian and Marathi, and a name in Han with its variant.
  ...['\u0646\u0631\u0645\u200c\u0627\u0641\u0632\u0627\u0631', '\u0930\u094d\u200d\u092f', '\u8fbb\u{e0100}'],
];

describe('what nobody sees', () => {
  test.each(hidden)('is found: %s', (_case, text) => expect(hasInvisible(text)).toBe(true));
  test.each(seen)('is not found in %j', (text) => expect(hasInvisible(text)).toBe(false));
});

onEveryDatabase('unique names', (context) => {
  test('hold nothing that nobody sees', async () => {
    for (const [words, name] of hidden)
      expect((await context.call('POST', '/genres', { name })).body, words).toEqual({
        status: 400,
        message: 'There was a problem processing your request. See errors for more details.',
        errors: ["'name' must be without invisible characters"],
      });
    for (const name of seen) {
      const { status, body } = await context.call('POST', '/genres', { name });
      expect([status, (body as { name: string }).name]).toEqual([200, name]);
    }
  });
});

onEveryDatabase(
  'texts',
  (context) => {
    test('that are no keys hold what they were given', async () => {
      const description = 'a\u200bb \u202ec\u202c \ufeff';
      const contact = await context.make('contact', { description });
      expect(contact['description']).toBe(description);
    });
  },
  'product',
);
