// Runtime values of formulas. Numbers are exact decimals as text, as the engine keeps them.

/** What is not known yet: it has been asked for, or the body that is judged says something that means nothing. */
export const notKnown: unique symbol = Symbol('unknown');
export type Unknown = typeof notKnown;

/** A record, or an item or object of one, with its values as the engine keeps them (numbers as text or as numbers). */
export interface RecordValue {
  readonly values: Readonly<Record<string, unknown>>;
  /** Of a record. */
  readonly id: string | undefined;
  /** Of an item: the record, or the item, in whose list it stands, and its place there, from 0. */
  readonly owner: RecordValue | undefined;
  readonly place: number;
  /** Keys whose values mean nothing: nothing that hangs on them can be told. */
  readonly unsound?: ReadonlySet<string>;
  /** Of a record that is still to be filled in: what it does not hold is not known, and counted here when it is asked for. */
  readonly gaps?: { unknown: number } | undefined;
  /** Of what was read by itself, without its lists: where these are. */
  readonly stored?: Stored;
}

/** Where a record stands among those that are kept, or an item of one of its lists. */
export interface Stored {
  readonly group: string;
  /** That of the record. */
  readonly id: string;
  /** Keys of the lists that lead to an item, from outside inwards, and its place in each: only their order counts. */
  readonly lists: readonly string[];
  readonly places: readonly number[];
}

/** A value that is known. */
export type Known =
  | null
  | boolean
  | string
  | RecordValue
  | readonly Known[]
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Known>> };

export const isList = (value: Known): value is readonly Known[] => Array.isArray(value);

/** Whether a value is an object that a formula has made. */
export const isMade = (value: Known): value is Extract<Known, { readonly kind: 'map' }> =>
  typeof value === 'object' && value !== null && 'entries' in value && 'kind' in value;

export const isRecord = (value: Known): value is RecordValue =>
  // A list has a method of that name.
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'values' in value;

/** A whole number, as far as one can count with it; undefined for a number with decimals, which is never cut. */
export function wholeNumber(text: string): number | undefined {
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** Equality of values of one type: two nulls are equal, and so are records with one id. */
export function isEqual(a: Known, b: Known): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null));
  if (isRecord(a) && isRecord(b)) return a.id === undefined ? a.values === b.values : a.id === b.id;
  if (!isMade(a) || !isMade(b)) return false;
  const [left, right] = [a.entries, b.entries];
  return Object.keys(left).every((key) => isEqual(left[key] ?? null, right[key] ?? null));
}

/** A value that its type says is a text; empty for null. */
export const asText = (value: Known): string => (typeof value === 'string' ? value : '');
/** A value that its type says is a list; empty for null. */
export const asList = (value: Known): readonly Known[] => (Array.isArray(value) ? value : []);

// Limits of length: a dozen products of products would fill the memory.
const mostLetters = 65_536;
const mostDigits = 60;
/** A product of quotients has all decimals of both; several of those are still exact. */
const mostDecimals = 240;

/** What a field must not come from, in words; undefined where the text is short enough. */
export const overlongText = (text: string): string | undefined =>
  text.length > mostLetters ? 'must not come from a text of more than 65,536 characters' : undefined;

/** The same of a number in plain notation, as those of formulas are. */
export function overlongNumber(n: string): string | undefined {
  if (n.length <= mostDigits) return undefined;
  const [whole = '', decimals = ''] = n.replace('-', '').split('.');
  if (whole.length > mostDigits) return 'must not come from a number of more than 60 digits';
  return decimals.length > mostDecimals ? 'must not come from a number of more than 240 decimals' : undefined;
}
