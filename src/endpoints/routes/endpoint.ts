// One list of endpoints feeds the router, the OpenAPI document and the conformance tests, so that they cannot disagree.

import { endsOf, type filterEnds, parameterName } from '../../registry/check/groups/parameter-names.ts';
import type { Kind } from '../../registry/model/kind-name.ts';
import { isScalar, kinds } from '../../registry/model/kinds.ts';
import type {
  Field,
  ObjectsField,
  Operation,
  Registry,
  Resource,
  Scalar,
  ScalarKind,
} from '../../registry/model/model.ts';
import { uuid } from '../values/kinds.ts';
import type { GroupsByName } from './expandable.ts';
import { pascalCase } from './names.ts';
import { hasPut, keysOf } from './unique-keys.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What an endpoint does: an operation of its group, or `put`, which makes or changes the record with a unique key. */
export type EndpointOperation = Operation | 'put';

/** How a filter compares: a whole value, a part of a folded text, or a bound of a day, a moment or a number. */
export type Comparison =
  | 'equals'
  | 'holds'
  | 'foldedEquals'
  | 'foldedContains'
  | 'foldedStartsWith'
  | 'foldedEndsWith'
  | 'after'
  | 'onAfter'
  | 'before'
  | 'onBefore'
  /** None of a caller's: what the caller may see at all. */
  | 'sees';

/** A query parameter that gives a field of a computed record its value, or says a part of a unique key. */
export interface ValueParameter {
  readonly name: string;
  readonly field: Field;
  /** What the parameter's text must be. */
  readonly accepts: Scalar;
}

/** A query parameter that narrows a list. */
export interface FilterParameter extends ValueParameter {
  readonly comparison: Comparison;
  /** The owned list whose item field is compared, for filters such as "the project of any line". */
  readonly list: ObjectsField | undefined;
  /** Of what callers may see: names of the fields that records must show besides. */
  readonly shows?: readonly string[];
  /** The same: how many ids that were read first lead to it, rounded up; undefined where none were, or too many. */
  readonly first?: number | undefined;
}

/** In which order a list is shown. */
export interface Order {
  /** The value of `sort`: `name`, `-name`. */
  readonly name: string;
  readonly field: Field;
  readonly isDescending: boolean;
}

export interface Endpoint {
  readonly resource: Resource;
  readonly operation: EndpointOperation;
  readonly method: Method;
  /** Template below the base: `/clients/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly hasId: boolean;
  readonly hasBody: boolean;
  /** By parameter name; empty for all but lists. */
  readonly filters: ReadonlyMap<string, FilterParameter>;
  /** By the value of the parameter `sort`; empty where the list has one order alone. */
  readonly sorts: ReadonlyMap<string, Order>;
  /** Whether `expand` and `fields` say what of a kept record is shown. */
  readonly isShaped: boolean;
  /** All groups, to which references lead. */
  readonly groups: GroupsByName;
  /** By parameter name: those of computed records, and the fields of unique keys by which records are put. */
  readonly parameters: ReadonlyMap<string, ValueParameter>;
}

const methods: Record<EndpointOperation, Method> = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  update: 'PATCH',
  put: 'PUT',
  delete: 'DELETE',
};

/** Every endpoint of the registry, in the order of the groups and of `operations`. */
export function endpointsOf(registry: Registry): readonly Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (const resource of registry.resources.values()) {
    for (const operation of resource.operations) endpoints.push(endpointOf(resource, operation, registry.resources));
    if (hasPut(resource)) endpoints.push(endpointOf(resource, 'put', registry.resources));
  }
  return Object.freeze(endpoints);
}

function endpointOf(resource: Resource, operation: EndpointOperation, groups: GroupsByName): Endpoint {
  const hasId = !resource.singleton && operation !== 'list' && operation !== 'create' && operation !== 'put';
  return Object.freeze({
    resource,
    operation,
    method: methods[operation],
    path: hasId ? `${resource.path}/{id}` : resource.path,
    operationId: operationIdOf(resource, operation),
    hasId,
    hasBody: operation === 'create' || operation === 'update' || operation === 'put',
    filters: new Map(operation === 'list' ? filtersOf(resource).map((filter) => [filter.name, filter]) : []),
    sorts: new Map(operation === 'list' ? sortsOf(resource).map((order) => [order.name, order]) : []),
    isShaped: resource.computed === undefined && (operation === 'list' || operation === 'get'),
    groups,
    parameters: new Map(
      (operation === 'put' ? keyParameters(resource) : parametersOf(resource)).map((parameter) => [
        parameter.name,
        parameter,
      ]),
    ),
  });
}

/** `listClients`, `createContact`: the ecosystem's habit. */
function operationIdOf(resource: Resource, operation: EndpointOperation): string {
  return operation === 'list' ? `list${pascalCase(resource.path)}` : `${operation}${pascalCase(resource.name)}`;
}

/** The fields of a computed record that callers choose; the checks let only plain values and records be such. */
const parametersOf = (resource: Resource): ValueParameter[] =>
  resource.fields.flatMap((field) => {
    const accepts = isScalar(field) ? field : acceptedOf[field.kind];
    return field.isParameter && accepts !== undefined ? [{ name: field.key, field, accepts }] : [];
  });

/** The fields of the keys by which records can be put. */
function keyParameters(resource: Resource): ValueParameter[] {
  const fields = new Set(keysOf(resource).flatMap((key) => key.fields));
  return [...fields].flatMap((field) => {
    const accepts = isScalar(field) ? field : acceptedOf[field.kind];
    return accepts === undefined ? [] : [{ name: field.key, field, accepts }];
  });
}

/** The query parameters by which a list can be narrowed, in the order of the fields. */
export function filtersOf(resource: Resource): FilterParameter[] {
  return resource.fields.flatMap((field) => {
    if (field.kind !== 'objects')
      return fieldFilters(field, field.kind === 'references' ? singularId(field.key) : field.key, undefined);
    return field.fields.flatMap((item) => fieldFilters(item, itemParameter(item), field));
  });
}

/** The orders in which a list can be asked for: by its sorted fields and, where it has one, by the time of making. */
export function sortsOf({ fields }: Resource): Order[] {
  const sorted = fields.filter(({ sort }) => sort);
  const all = sorted.length === 0 ? [] : [...sorted, ...fields.filter(isTimeOfMaking)];
  return all.flatMap((field) =>
    [false, true].map((isDescending) => ({ name: `${isDescending ? '-' : ''}${field.name}`, field, isDescending })),
  );
}

/** Whether a field is the one by which lists are sorted where nothing is said: newest first. */
export const isTimeOfMaking = ({ name }: Pick<Field, 'name'>): boolean => name === 'createdAt';

/** `tagIds` → `tagId`. */
const singularId = (key: string): string => key.replace(/s$/, '');

/** An item's own `id` is named after the group it refers to: `payment.invoices[].id` → `invoiceId`. */
function itemParameter(item: Field): string {
  if (item.kind !== 'reference' || item.key !== 'id') return item.key;
  const camel = pascalCase(item.target);
  return `${camel[0]?.toLowerCase()}${camel.slice(1)}Id`;
}

/** What the filters of fields that are no plain values take: the id of a record, or there are none. */
const acceptedOf: Readonly<Record<Exclude<Kind, ScalarKind>, Scalar | undefined>> = {
  reference: uuid,
  references: uuid,
  list: undefined,
  choice: undefined,
  object: undefined,
  objects: undefined,
};

type Ways = keyof typeof filterEnds;
type Ends<W extends Ways> = (typeof filterEnds)[W][number];
/** End of the parameter's name → how it compares. */
const comparisons: { readonly [W in Ways]: Readonly<Record<Ends<W>, Comparison>> } = {
  exact: { '': 'equals' },
  text: { '': 'foldedEquals', Contains: 'foldedContains', StartsWith: 'foldedStartsWith', EndsWith: 'foldedEndsWith' },
  range: { '': 'equals', After: 'after', OnAfter: 'onAfter', Before: 'before', OnBefore: 'onBefore' },
  numbers: { '': 'equals', Above: 'after', AtLeast: 'onAfter', Below: 'before', AtMost: 'onBefore' },
};

function fieldFilters(field: Field, name: string, list: ObjectsField | undefined): FilterParameter[] {
  const accepts = isScalar(field) ? field : acceptedOf[field.kind];
  if (field.filter === undefined || accepts === undefined) return [];
  const isHeld = list !== undefined || kinds[field.kind].isMany;
  return Object.entries(comparisons[endsOf(field.filter, field.kind)]).map(([end, comparison]) => ({
    name: parameterName(name, end, field.kind),
    comparison: isHeld ? 'holds' : comparison,
    field,
    list,
    accepts: comparison === 'equals' ? accepts : boundless(accepts),
  }));
}

/** A bound need not be a value of the field: above 0 are all amounts that must be greater than 0. */
function boundless(scalar: Scalar): Scalar {
  if (scalar.kind === 'integer')
    return { ...scalar, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  if (scalar.kind !== 'decimal') return scalar;
  const precision = 18;
  return { ...scalar, precision, minimum: undefined, maximum: undefined, exclusiveMinimum: undefined };
}
