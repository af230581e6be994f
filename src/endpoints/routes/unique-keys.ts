// The unique keys by which records can be put.
import type { Resource, UniqueKey } from '../../registry/model/model.ts';

/** Keys whose fields a create takes: of others nobody can say which value a new record is to have. */
export const keysOf = ({ unique }: Pick<Resource, 'unique'>): readonly UniqueKey[] =>
  unique.filter(({ fields }) => fields.every(({ onCreate }) => onCreate));

/** The keys as callers name them: `'name', or 'memberId' and 'start'`. */
export const keyWords = (resource: Pick<Resource, 'unique'>): string =>
  keysOf(resource)
    .map(({ fields }) => fields.map(({ key }) => `'${key}'`).join(' and '))
    .join(', or ');

/** Whether records of a group can be made or changed by a unique key. */
export const hasPut = (resource: Resource): boolean =>
  !resource.singleton &&
  resource.computed === undefined &&
  resource.operations.has('create') &&
  resource.operations.has('update') &&
  keysOf(resource).length > 0;
