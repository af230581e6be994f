// What callers may not do, in the OpenAPI document: the texts of 403.
import { type Problem, problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import type { Endpoint } from '../routes/endpoint.ts';

type Operation = Endpoint['operation'];

/** The text names the first field that a body can have. */
const someField = ({ fields }: Resource, isCreate: boolean): readonly string[] =>
  fields
    .filter(({ onCreate, onUpdate }) => (isCreate ? onCreate : onUpdate))
    .slice(0, 1)
    .map(({ key }) => key);

/** Every refusal of an operation that hangs on who asks, or on a feature. Limits of tokens need no roles. */
export function denialsOf({ resource, operation }: Endpoint, hasRoles: boolean): readonly Problem[] {
  const { feature } = resource;
  const acts: readonly Operation[] = operation === 'put' ? ['create', 'update'] : [operation];
  return [
    ...(feature === undefined ? [] : [problems.featureDisabled(feature.name)]),
    ...acts.flatMap((act) => groupDenials(resource, act, hasRoles)),
    ...(hasRoles ? acts.flatMap((act) => recordDenials(resource, act)) : []),
  ];
}

/** Where a group is closed to a caller altogether. */
export function groupDenials({ title }: Resource, act: Operation | 'history', hasRoles: boolean): readonly Problem[] {
  return [problems.beyondLimits(act, title), ...(hasRoles ? [problems.accessDenied.group(act, title, null)] : [])];
}

/** Where a record is: one that may not be read is not found. */
function recordDenials(resource: Resource, act: Operation): readonly Problem[] {
  const { record, fields, newState } = problems.accessDenied;
  const { title } = resource;
  if (act === 'list' || act === 'get') return [];
  if (act === 'delete') return [record(act, title, null)];
  const names = someField(resource, act === 'create');
  return [
    record(act, title, null),
    ...(names.length === 0 ? [] : [fields(act, title, names)]),
    newState(act, title, null),
  ];
}
