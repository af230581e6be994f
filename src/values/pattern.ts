// Patterns of texts, matched in a time that grows with the length of the text alone: by re2js, a port of RE2, for the engine
// of JavaScript tries again and again what a caller has chosen. Loaded by whoever first needs it: most services have none.
import type * as Re2 from 're2js';

type Matcher = Pick<Re2.RE2JS, 'test'>;

const known = new Map<string, Matcher>();

/** Of as many as descriptors and migrations name. @throws an error of re2js for what is no pattern, or too large a one */
export function matcherOf(pattern: string): Matcher {
  let matcher = known.get(pattern);
  if (matcher === undefined) {
    matcher = compile(pattern);
    known.set(pattern, matcher);
  }
  return matcher;
}

/** In a browser, where nobody else waits for it, its own engine does: patterns are such that it means the same there. */
function compile(pattern: string): Matcher {
  const modules = globalThis.process?.getBuiltinModule?.('node:module');
  if (modules === undefined) return new RegExp(pattern, 'u');
  const { RE2JS } = modules.createRequire(import.meta.url)('re2js') as typeof Re2;
  return RE2JS.compile(pattern);
}

/** Whether a text has the form of a pattern. */
export const matches = (pattern: string, text: string): boolean => matcherOf(pattern).test(text);
