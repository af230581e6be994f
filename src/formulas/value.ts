// Values while a formula is evaluated. Numbers are exact decimals as text, as the engine keeps them.
import type { RecordValue } from './facts.ts';

/** What is not known yet: it has been asked for, or the body that is judged says something that means nothing. */
export const notKnown: unique symbol = Symbol('unknown');
export type Unknown = typeof notKnown;

/** A value that is known. */
export type Known =
  | null
  | boolean
  | string
  | RecordValue
  | readonly Known[]
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Known>> };

export const isList = (value: Known): value is readonly Known[] => Array.isArray(value);

export const isRecord = (value: Known): value is RecordValue =>
  typeof value === 'object' && value !== null && 'values' in value;

/** Equality of values of one type: two nulls are equal, and so are records with one id. */
export function isEqual(a: Known, b: Known): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null));
  if (isRecord(a) && isRecord(b)) return a.id !== undefined && a.id === b.id;
  return false;
}
