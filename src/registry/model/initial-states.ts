// `initialStates`: the values of an enum that a create may send.
import type { Field } from './model.ts';

/** Returns the field as a create may send it: an enum with `initialStates` has these values only. */
export const fieldOfCreate = <F extends Field>(field: F): F =>
  field.kind === 'enum' && field.initialStates !== undefined ? { ...field, values: field.initialStates } : field;

const fieldsOfCreateByFields = new WeakMap<readonly Field[], readonly Field[]>();

/** Returns the fields as a create may send them: the same list if none differs, so that it has one validator. */
export function fieldsOfCreate(fields: readonly Field[]): readonly Field[] {
  const cached = fieldsOfCreateByFields.get(fields);
  if (cached !== undefined) return cached;
  const narrowed = fields.map((field) => fieldOfCreate(field));
  const created = narrowed.some((field, index) => field !== fields[index]) ? narrowed : fields;
  fieldsOfCreateByFields.set(fields, created);
  return created;
}
