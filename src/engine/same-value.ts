// When a write leaves a field as it is.
import type { Value, Values } from '../registry/model.ts';

/** Values are compared as the engine holds them: decimals without trailing zeros, keys of objects in the order of fields. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: Value, index) => sameValue(item, b[index] as Value));
  const [left, right] = [a as Values, b as Values];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => sameValue(left[key], right[key]));
}
