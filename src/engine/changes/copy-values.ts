// Deep copies of values that the stages of a write change in place.
import type { Value, Values } from '../../registry/model/model.ts';

/** The same values in lists and objects of their own. */
export function copyOf(values: Readonly<Values>): Values {
  const copy: Values = {};
  for (const key of Object.keys(values)) copy[key] = copyValue(values[key]);
  return copy;
}

/** The same value; a list or an object is one of its own. */
export function copyValue(value: Value | undefined): Value | undefined {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? (value as Values[]).map((item) => copyValue(item) ?? null) : copyOf(value as Values);
}
