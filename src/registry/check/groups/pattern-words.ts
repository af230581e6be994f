// The patterns of the meta-schema in words, with an example: a message should not show a regular expression. And the form of a field
// that many look for.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../../../text/nearest.ts';
import { inAscii, wordsIn } from '../../../text/words-in.ts';

interface Form {
  readonly words: string;
  /** The word as it should be, out of one that is not. */
  readonly mend: (word: string) => string;
}

const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
const asciiWords = (word: string): string[] => wordsIn(inAscii(word));
const kebab = (word: string): string => asciiWords(word).join('-').toLowerCase();
const camel = (word: string): string => {
  const [first = '', ...rest] = asciiWords(word);
  return first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capital).join('');
};

/** By the pattern as the meta-schema has it; a test sees that none is left out. */
export const forms: Readonly<Record<string, Form>> = {
  '^[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*$': {
    words: 'must be a name for people, singular, that begins with a capital ("Sales Order")',
    mend: (word) => capital(asciiWords(word).join(' ')),
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
      inAscii(word)
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

/** How the time of the last change is declared, for whoever looks for its word beside "createdAt". */
export const lastChange =
  '{"type": "string", "format": "date-time", "readOnly": true, "computedBy": {"use": "modified"}}';

interface Names {
  /** Of all groups. */
  readonly groups: readonly string[];
  /** Of the fields of the record, where one of them is meant. */
  readonly fields: readonly string[] | undefined;
}

/** What a word must be and is not, and the nearest right one. */
export function patternWords({ params, data }: ErrorObject, { groups, fields }: Names): string {
  const pattern = String((params as { readonly pattern?: unknown }).pattern);
  const form = forms[pattern];
  if (form === undefined) return `must match ${pattern}`;
  const mended = form.mend(String(data));
  const known = form.mend === kebab ? groups : form.mend === camel ? fields?.map(camel) : undefined;
  const found = known?.find((name) => name === mended) ?? nearest(mended, known ?? []);
  // An address or a title stands for the group that it is that of: "/customers" for "customer". A group may be yet to come.
  const meant = found ?? (known === undefined || known === groups ? mended : undefined);
  return meant !== undefined && new RegExp(pattern, 'u').test(meant)
    ? `${form.words}; did you mean "${meant}"?`
    : form.words;
}
