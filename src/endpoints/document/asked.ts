// What operations that are asked of any group have in common in the document: which group is meant, and its filters.
import type { Resource } from '../../registry/model/model.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import type { Schema } from '../values/schema.ts';

/** The groups that have lists. */
export const listedGroups = (endpoints: readonly Endpoint[]): readonly Resource[] =>
  endpoints.filter(({ operation }) => operation === 'list').map(({ resource }) => resource);

/** The group, by its path. */
export const groupParameter = (groups: readonly Pick<Resource, 'path'>[]): Schema => ({
  ...{ name: 'group', in: 'path', required: true, description: 'Path of the group, without its slash' },
  schema: { type: 'string', enum: groups.map(({ path }) => path.slice(1)) },
});

/** A record, by its id. */
export const idParameter: Schema = {
  ...{ name: 'id', in: 'path', required: true, description: 'Identifier of the record' },
  schema: { type: 'string', format: 'uuid' },
};

/** The filters of the list of a group. */
export const filtersParameter = (description: string): Schema => ({
  ...{ name: 'filters', in: 'query', style: 'form', explode: true, description },
  schema: { type: 'object', additionalProperties: { type: 'string' } },
});
