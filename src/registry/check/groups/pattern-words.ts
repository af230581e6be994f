// The patterns of the meta-schema in words, with an example: a message should not show a regular expression.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../../../text/nearest.ts';
import { wordsIn } from '../../../text/words-in.ts';

interface Form {
  readonly words: string;
  /** The word as it should be, out of one that is not. */
  readonly mend: (word: string) => string;
}

const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
const kebab = (word: string): string => wordsIn(word).join('-').toLowerCase();
const camel = (word: string): string => {
  const [first = '', ...rest] = wordsIn(word);
  return first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capital).join('');
};

/** By the pattern as the meta-schema has it; a test sees that none is left out. */
export const forms: Readonly<Record<string, Form>> = {
  '^[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*$': {
    words: 'must be a name for people, singular, that begins with a capital ("Sales Order")',
    mend: (word) => capital(wordsIn(word).join(' ')),
  },
  '^[a-z][a-z0-9]*(-[a-z0-9]+)*$': {
    words: 'must be the name of a group: its file without ".json" ("sales-order")',
    mend: kebab,
  },
  '^[a-z][A-Za-z0-9]*$': {
    words: 'must be the name of a field: letters and digits, the first a small letter ("startsOn")',
    mend: camel,
  },
  '^[a-z][A-Za-z0-9]*([.][a-z][A-Za-z0-9]*)*$': {
    words: 'must be a path: names of fields, joined by "." ("buyer.currency")',
    mend: (word) =>
      word
        .split(/[./]+/)
        .filter((step) => step !== '')
        .map(camel)
        .join('.'),
  },
  '^[a-z]+/([a-z0-9][a-z0-9.+-]*|[*])$': {
    words: 'must be a media type, or all of a kind ("application/pdf", "image/*")',
    mend: (word) => word.trim().toLowerCase(),
  },
  '^[!#-[\\]-~]([ !#-[\\]-~]*[!#-[\\]-~])?$': {
    words:
      'must be letters, digits and signs of ASCII, without quotation marks, backslashes and blanks at its ends ("in_progress")',
    mend: (word) =>
      word
        .normalize('NFD')
        .replaceAll(/[^ !#-[\]-~]/g, '')
        .trim(),
  },
  '^([a-z][a-z0-9]*(-[a-z0-9]+)*[.])?[a-z][A-Za-z0-9]*$': {
    words:
      'must be a field of the other group ("buyer"), with its name before it for a list of objects ("sales-order.buyer")',
    mend: (word) =>
      word
        .split(/[./]+/)
        .filter((step) => step !== '')
        .map((step, index, all) => (index < all.length - 1 ? kebab(step) : camel(step)))
        .join('.'),
  },
  '^/[a-z][a-z0-9]*(-[a-z0-9]+)*$': {
    words: 'must be an address: "/", then small letters, digits and "-" ("/sales-orders")',
    mend: (word) => `/${kebab(word)}`,
  },
};

/** What a word must be and is not, and the nearest right one. @param groups The names of all groups. */
export function patternWords({ params, data }: ErrorObject, groups: readonly string[]): string {
  const pattern = String((params as { readonly pattern?: unknown }).pattern);
  const form = forms[pattern];
  if (form === undefined) return `must match ${pattern}`;
  const mended = form.mend(String(data));
  const isGroup = form.mend === kebab;
  // An address or a title stands for the group that it is that of: "/customers" for "customer".
  const meant = isGroup ? (groups.find((name) => name === mended) ?? nearest(mended, groups) ?? mended) : mended;
  return new RegExp(pattern, 'u').test(meant) ? `${form.words}; did you mean "${meant}"?` : form.words;
}
