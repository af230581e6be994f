// Reads values out of records, for rules.
import { isDeepStrictEqual } from 'node:util';
import type { Value, Values } from '../registry/model/model.ts';

/** Whether a value stands for "nothing here": null, the empty text, the empty list. */
export const isUnset = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a write gives a field another value than the stored one. */
export function isChanged(before: Readonly<Values> | undefined, values: Readonly<Values>, key: string): boolean {
  const [old, now] = [before?.[key] ?? null, values[key] ?? null];
  return old !== now && !isDeepStrictEqual(old, now);
}

/** Texts of a list: the ids of a list of references. */
export function textsOf(values: Readonly<Values>, key: string): readonly string[] {
  const list = values[key];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Whether a value is an object: an item of a list, the arguments of a rule. */
export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
