// Registry → how the records of a group are read: the record itself, and each of its lists by a statement of its own.
import type { Field, ObjectsField, OtherSide, ReferencesField, Registry, Resource } from '../registry/model.ts';
import { type ListTable, listTablesOf, tableName } from './tables.ts';
import {
  Builder,
  fieldExpr,
  fieldNode,
  idType,
  type ListView,
  type Member,
  type Node,
  ownNode,
  referenceNode,
  stepField,
  type View,
} from './view.ts';

/** How records of a group are read. */
export function viewOf(registry: Registry, resource: Resource): View {
  const builder = new Builder(registry);
  const alias = 't';
  // The id first: lists are found by it.
  builder.cell({ kind: 'column', alias, column: 'id' }, idType);
  const { members, lists } = membersOf(builder, { resource, alias, depth: 1, tables: listTablesOf(resource) });
  const filtered = resource.fields.filter(
    (field) => field.filter !== undefined && (field.inherits.length > 0 || field.from !== undefined),
  );
  return {
    resource,
    table: tableName(resource.name),
    alias,
    shownElsewhere: new Map(filtered.map((field) => [field, fieldExpr(builder, resource, alias, field)])),
    joins: builder.joins,
    cells: builder.cells,
    node: { kind: 'object', present: undefined, members },
    lists,
  };
}

/** A record, or an item that stands for a record: the paths of its fields begin there. */
interface Holder {
  readonly resource: Resource;
  readonly alias: string;
  /** How many cells tell its rows apart, as far as lists go by them. */
  readonly depth: number;
  /** Tables of its lists. */
  readonly tables: readonly ListTable[];
}

/** The shown fields, and the lists that statements of their own read. */
function membersOf(builder: Builder, holder: Holder): { members: Member[]; lists: ListView[] } {
  const { resource, alias, depth, tables } = holder;
  const lists: ListView[] = [];
  const members = resource.fields
    .filter((field) => field.shown)
    .map((field): Member => {
      const list = listView(
        builder.registry,
        field,
        tables.find((table) => table.field === field),
        resource,
      );
      if (list === undefined) return { name: field.name, node: fieldNode(builder, resource, alias, field) };
      return { name: field.name, node: { kind: 'list', list: lists.push(list) - 1, depth } };
    });
  return { members, lists };
}

/** How a field is read that has a table of its own, or shows records of another group. */
function listView(
  registry: Registry,
  field: Field,
  table: ListTable | undefined,
  resource: Resource,
): ListView | undefined {
  if (field.kind === 'references')
    return field.via === undefined
      ? table && linksView(registry, field, table)
      : linkedView(registry, field, field.via);
  if (field.kind !== 'objects') return undefined;
  return field.via === undefined
    ? table && itemsView(registry, field, table, resource)
    : otherSideView(registry, field, field.via);
}

/** Links to records of another group. */
function linksView(registry: Registry, field: ReferencesField, table: ListTable): ListView {
  const builder = new Builder(registry);
  builder.cell({ kind: 'column', alias: 'l', column: 'owner_id' }, idType);
  const node = referenceNode(
    builder,
    builder.resource(field.target),
    { kind: 'column', alias: 'l', column: 'target_id' },
    [],
  );
  return { ...viewed(builder, field, node), table: table.name, ownerColumn: 'owner_id', order: table.places };
}

/** Records of another group that name this one, by id and name. */
function linkedView(registry: Registry, field: ReferencesField, via: string): ListView {
  const builder = new Builder(registry);
  const target = builder.resource(field.target);
  const ownerColumn = stepField(target, via).column;
  builder.cell({ kind: 'column', alias: 'l', column: ownerColumn }, idType);
  const node = ownNode(builder, target, 'l');
  return { ...viewed(builder, field, node), table: tableName(target.name), ownerColumn, order: ['created_at', 'id'] };
}

/** Records of another group that name this one, with fields of theirs. */
function otherSideView(
  registry: Registry,
  field: ObjectsField,
  { target: name, field: via, sortedBy }: OtherSide,
): ListView {
  const builder = new Builder(registry);
  const target = builder.resource(name);
  const ownerColumn = stepField(target, via).column;
  builder.cell({ kind: 'column', alias: 'l', column: ownerColumn }, idType);
  const members = field.fields.map((item): Member => {
    return { name: item.name, node: fieldNode(builder, target, 'l', stepField(target, item.name)) };
  });
  const node: Node = { kind: 'object', present: undefined, members };
  const first = sortedBy === undefined ? [] : [stepField(target, sortedBy).column];
  const order = [...first, 'created_at', 'id'];
  return { ...viewed(builder, field, node), table: tableName(name), ownerColumn, order };
}

/** Items of the record's own, or of such an item's. */
function itemsView(registry: Registry, field: ObjectsField, table: ListTable, resource: Resource): ListView {
  const builder = new Builder(registry);
  const alias = 'l';
  builder.cell({ kind: 'column', alias, column: 'owner_id' }, idType);
  // Whose item it is; and which it is, where it has lists of its own.
  for (const column of table.inner.length === 0 ? table.places.slice(0, -1) : table.places)
    builder.cell({ kind: 'column', alias, column }, { kind: 'integer' });
  // Paths of items begin at the item, so it stands for a resource with its fields.
  const item: Resource = {
    ...resource,
    fields: field.fields,
    byName: new Map(field.fields.map((inside) => [inside.name, inside])),
    byKey: new Map(field.fields.map((inside) => [inside.key, inside])),
  };
  const depth = table.places.length;
  const { members, lists } = membersOf(builder, { resource: item, alias, depth: depth + 1, tables: table.inner });
  const node: Node = { kind: 'object', present: undefined, members };
  return {
    ...viewed(builder, field, node),
    depth,
    lists,
    table: table.name,
    ownerColumn: 'owner_id',
    order: table.places,
  };
}

const viewed = ({ joins, cells }: Builder, field: Field, node: Node) => ({
  ...{ field, alias: 'l', depth: 1, lists: [], joins, cells, node },
});
