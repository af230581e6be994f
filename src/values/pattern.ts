// Patterns of texts, matched in a time that grows with the length of the text alone: by re2js, a port of RE2, for the engine
// of JavaScript tries again and again what a caller has chosen. Loaded by whoever first needs it: most services have none.
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';

type Matcher = Pick<Re2.RE2JS, 'test'>;

const load = createRequire(import.meta.url);
const known = new Map<string, Matcher>();

/** Of as many as descriptors and migrations name. @throws an error of re2js for what is no pattern, or too large a one */
export function matcherOf(pattern: string): Matcher {
  let matcher = known.get(pattern);
  if (matcher === undefined) {
    const { RE2JS } = load('re2js') as typeof Re2;
    matcher = RE2JS.compile(pattern);
    known.set(pattern, matcher);
  }
  return matcher;
}

/** Whether a text has the form of a pattern. */
export const matches = (pattern: string, text: string): boolean => matcherOf(pattern).test(text);
