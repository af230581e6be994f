// What a body would say of a record that is kept: without what follows from the rest of it.
import { isRecord } from '../../facts/record-values.ts';
import type { Field, Value, Values } from '../../registry/model/model.ts';

/** Whether a field is one that bodies bring, and not what follows from others. */
export const isSent = ({ stored, figure, derived, key }: Field): boolean =>
  stored && figure === undefined && derived?.use !== 'modified' && key !== 'id' && key !== 'createdAt';

/** What a body would say of a value: without what is computed in it. */
export function sentOf(field: Field, value: Value): Value {
  if (field.kind === 'object') return isRecord(value) ? partsOf(field.fields, value) : value;
  if (field.kind !== 'objects' || !Array.isArray(value)) return value;
  return (value as Value[]).map((item) => (isRecord(item) ? partsOf(field.fields, item) : item));
}

const partsOf = (fields: readonly Field[], holder: Readonly<Values>): Values =>
  Object.fromEntries(
    fields
      .filter((field) => field.stored && field.figure === undefined && holder[field.key] !== undefined)
      .map((field) => [field.key, sentOf(field, holder[field.key] ?? null)]),
  );
