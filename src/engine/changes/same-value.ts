// Whether a value is the same as the stored one.
import { isRecord } from '../../facts/record-values.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import type { Field, Figure, Value, Values } from '../../registry/model/model.ts';

/** Whether a body leaves a field as it is stored: of the items of a list by what callers can send of them. */
export function isAsStored(field: Field, stored: Value | undefined, sent: Value | undefined): boolean {
  if (field.kind !== 'objects' || !Array.isArray(stored) || !Array.isArray(sent)) return sameValue(stored, sent);
  const parts = field.fields.filter(({ onCreate, onUpdate }) => onCreate || onUpdate);
  const isSame = (item: Value, other: Value): boolean =>
    isRecord(item) && isRecord(other) && parts.every((part) => isPartAsStored(part, item, other));
  return stored.length === sent.length && stored.every((item, index) => isSame(item, sent[index]));
}

/** Items are sent whole: what is left out takes its default, or is computed, or does not apply. */
function isPartAsStored(part: Field, item: Values, sent: Values): boolean {
  const { key, figure, onlyWhen } = part;
  const isSent = Object.hasOwn(sent, key);
  if (!isSent && onlyWhen?.test(item) === false) return true;
  const value = isSent ? sent[key] : part.default;
  // A figure that is sent as its default counts as left out.
  if (figure !== undefined && sameValue(value, part.default) && isComputedIn(figure, item)) return true;
  return isAsStored(part, item[key], value);
}

/** Whether a figure is computed in an item. Where that hangs on more than the item, it counts as one that callers send. */
const isComputedIn = ({ when }: Figure, item: Values): boolean =>
  when === undefined || (dependenciesOf(when.tree).beyond.length === 0 && when.test(item));

/** Values are compared as the engine holds them: decimals without trailing zeros, keys of objects in the order of fields. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: Value, index) => sameValue(item, b[index] as Value));
  const [left, right] = [a as Values, b as Values];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => sameValue(left[key], right[key]));
}
