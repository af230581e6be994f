// Fields that hold JSON of any form, by their names: limits of the form of a body do not apply inside of them.
import type { Field } from '../../registry/model/model.ts';
import type { Endpoint } from './endpoint.ts';

/** Returns the keys of all fields that hold free JSON, at any depth. */
export const freeJsonNames = (endpoints: readonly Endpoint[]): ReadonlySet<string> =>
  new Set(endpoints.flatMap(({ resource }) => resource.fields.flatMap(namesIn)));

const namesIn = (field: Field): readonly string[] => {
  if (field.kind === 'json') return [field.key];
  return 'fields' in field ? field.fields.flatMap(namesIn) : [];
};
