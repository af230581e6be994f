// Registry → the console's model of the groups.

import { filtersOf, sortsOf } from '../endpoints/routes/endpoint.ts';
import { graphOf } from '../registry/guide/graph.ts';
import type { Field, Registry, Resource, ShownPart } from '../registry/model/model.ts';
import { pluralTitle } from '../registry/model/naming.ts';
import { hasConditions, isFilledOnCreate } from './conditions.ts';
import type { ConsoleModel, FieldModel, FilterModel, GroupModel, ShownPartModel } from './model.ts';

/** All groups, in the order of their creation. @param hasLog Whether there is a log of changes. */
export function consoleModel(registry: Registry, hasLog: boolean): Omit<ConsoleModel, 'hasPages' | 'signIn'> {
  const groups = [...registry.resources.values()].map((resource) => ({
    ...groupModel(registry, resource),
    ...(hasLog && resource.isLogged && { isLogged: true as const }),
  }));
  return { base: '/api', groups };
}

function groupModel(registry: Registry, resource: Resource): GroupModel {
  const { name, title, path, area, description, operations, singleton, computed, feature, isWorkspace } = resource;
  const isExplained = explainedIn(registry, resource);
  return {
    name,
    title,
    plural: pluralTitle(path),
    path,
    area,
    description,
    operations: [...operations],
    isSingle: singleton,
    isComputed: computed !== undefined,
    isWorkspace,
    ...(feature === undefined ? {} : { feature: { name: feature.name, switch: feature.switch } }),
    shownAs: resource.shownAs.map(shownPart),
    ...(resource.shows === undefined ? {} : { shows: [...resource.shows] }),
    ...(resource.views && { views: resource.views }),
    fields: resource.fields.filter(isTold).map((field) => ({
      ...fieldModel(field, '', isExplained),
      ...(isAddedUp(resource, field) && { isAddedUp: true as const }),
    })),
    filters: operations.has('list') ? filtersOf(resource).map(filterModel) : [],
    ranges: resource.rules.flatMap(({ use, arguments: { from, to } }) =>
      use === 'range' ? [{ from: String(from), to: String(to) }] : [],
    ),
    sorts: operations.has('list') ? sortsOf(resource).map((order) => order.name) : [],
    hasConditions: hasConditions(resource),
    ...(registry.files === resource && { holdsFiles: true as const }),
  };
}

/** Records in the console carry the names of others, so paths of the descriptor are enough. */
const shownPart = (part: ShownPart): ShownPartModel =>
  part.kind === 'literal' ? part : { kind: part.kind, paths: part.written, otherwise: part.otherwise };

/** Whether figures of the record are made of what is in a list of it: it says more than most of its fields. */
const isAddedUp = ({ fields }: Resource, { kind, key }: Field): boolean =>
  kind === 'objects' && fields.some(({ figure }) => figure?.keys.includes(key) === true);

/** Fields that nobody sees or sends are no matter of people. */
const isTold = ({ shown, onCreate, onUpdate, isParameter }: Field): boolean =>
  shown || onCreate || onUpdate || isParameter;

/** Whether there is more to tell of a field's value than that it was written. */
function explainedIn(registry: Registry, resource: Resource): (path: string) => boolean {
  const graph = graphOf(registry);
  return (name) =>
    resource.computed === undefined &&
    graph
      .about({ group: resource.name, name })
      .some(({ role, formulas }) => (role === 'figure' || role === 'state') && formulas.length > 0);
}

/** Of a kind, what a control or a cell goes by; taken over where a field has it, so that new kinds bring theirs along. */
const ofKinds = [
  'format',
  'maxLength',
  'minLength',
  'pattern',
  'values',
  'transitions',
  'initialStates',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'precision',
  'scale',
  'target',
  'as',
  'include',
  'by',
  'minItems',
  'maxItems',
  'currency',
] as const;

function fieldModel(field: Field, above: string, isExplained: (path: string) => boolean): FieldModel {
  const { name, key, kind, description, unset, shown, onCreate, onUpdate, required } = field;
  const path = `${above}${name}`;
  return {
    name,
    key,
    kind,
    description,
    unset,
    shown,
    onCreate,
    onUpdate,
    required,
    ...picked(field, ofKinds),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...picked(field, ['label', 'section', 'shownIn']),
    ...marks({
      hasDefault: field.defaultFrom.length > 0,
      isFilledOnCreate: isFilledOnCreate(field),
      deprecated: field.deprecated,
      isMade: field.derived !== undefined || field.from !== undefined || field.becomes.length > 0,
      isParameter: field.isParameter,
      isExplained: isExplained(path),
    }),
    ...(field.figure === undefined ? {} : { figure: field.figure.taken }),
    ...('item' in field ? { item: { kind: field.item.kind, ...picked(field.item, ofKinds) } } : {}),
    ...('fields' in field
      ? { fields: field.fields.filter(isTold).map((inner: Field) => fieldModel(inner, `${path}.`, isExplained)) }
      : {}),
    ...(field.kind === 'choice'
      ? { branches: Object.fromEntries(field.branches.map(({ value, reference }) => [value, reference.target])) }
      : {}),
    ...viaOf(field),
  };
}

function viaOf(field: Field): { readonly via?: string } {
  if (field.kind === 'objects' && field.via !== undefined) return { via: `${field.via.target}.${field.via.field}` };
  if (field.kind === 'references' && field.via !== undefined) return { via: `${field.target}.${field.via}` };
  return {};
}

function picked(from: object, names: readonly string[]): Record<string, unknown> {
  const values = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
      return isEmpty ? [] : [[name, value]];
    }),
  );
}

/** Those that hold. */
const marks = (given: Readonly<Record<string, boolean>>): Record<string, true> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, holds]) => (holds ? [[name, true as const]] : [])));

function filterModel({ name, comparison, field, list, accepts }: ReturnType<typeof filtersOf>[number]): FilterModel {
  return {
    name,
    path: list === undefined ? field.name : `${list.name}[].${field.name}`,
    comparison,
    kind: accepts.kind,
    ...picked(accepts, ['format', 'values']),
    ...('target' in field ? { target: field.target } : {}),
  };
}
