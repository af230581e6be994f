// What reading a group selects: the record itself, and each of its lists by a statement of its own.
import { sql } from 'kysely';
import type {
  Field,
  ObjectsField,
  OtherSide,
  ReferenceField,
  ReferencesField,
  Registry,
  Resource,
} from '../../registry/model/model.ts';
import { nameOfOwn } from '../../registry/model/naming.ts';
import { and, testSql, words } from '../schema/sql.ts';
import { columnsOf, type ListTable, listTablesOf, tableName } from '../schema/tables.ts';
import { allOf, type ReadOperation, type Seen, type Sight, seenSql } from '../sight/sight.ts';
import {
  type AliasedGroup,
  Builder,
  type Expr,
  type FigureView,
  fieldExpr,
  fieldNode,
  idType,
  type ListView,
  type Member,
  type Node,
  nameNode,
  ownNode,
  referenceNode,
  stepField,
  type View,
  type ViewSight,
} from './view.ts';

/** How records are read. */
export interface ViewOptions {
  /** Whether they are to have a `name` as references show it, where they have no such field. */
  readonly isNamed?: boolean;
  /** Whether they are to have what they keep of their own, too, where they show what they inherit. */
  readonly isKept?: boolean;
  /** What is seen of them, and by which operation; undefined: everything. */
  readonly seeing?: { readonly sight: Sight; readonly operation: ReadOperation } | undefined;
}

/** How records of a group are read. */
export function viewOf(
  registry: Registry,
  resource: Resource,
  { isNamed = false, isKept = false, seeing }: ViewOptions = {},
): View {
  const sight = seeing?.sight;
  const builder = new Builder(registry, { sight });
  const alias = 't';
  const source = { resource, alias };
  const seen = (name: string): Seen => seeing?.sight.shows(seeing.operation, source, name) ?? true;
  // The id first: lists are found by it.
  builder.cell({ kind: 'column', alias, column: 'id' }, idType);
  const { members, lists } = membersOf(builder, { ...source, depth: 1, tables: listTablesOf(resource), seen });
  const hasName = resource.fields.some(({ name, shown }) => name === 'name' && shown);
  const figures = builder.figures.map((each) => ({ ...each, records: recordViews(builder, each.field) }));
  const filtered = resource.fields.filter(
    (field) => field.filter !== undefined && (field.inherits.length > 0 || field.from !== undefined),
  );
  const own = figures.length === 0 ? new Map() : ownCells(builder, source);
  // Its cells come last, so that those of the record stand where they always do.
  const name = () => builder.member('name', sight?.named(source) ?? true, () => nameNode(builder, source));
  const named = isNamed && !hasName ? withName(members, name()) : members;
  const all = isKept ? [...named, ...ownMembers(builder, source)] : named;
  const table = tableName(resource.name);
  const by = seeing === undefined ? '' : ` #${seeing.sight.rights.number} ${seeing.operation}`;
  return {
    resource,
    key: `${table}${isNamed ? ' named' : ''}${isKept ? ' kept' : ''}${by}`,
    sight: seeing && sightOf(source, seeing),
    table,
    alias,
    shownElsewhere: new Map(filtered.map((field) => [field, fieldExpr(builder, source, field)])),
    joins: builder.joins,
    cells: builder.cells,
    node: { kind: 'object', present: undefined, members: all },
    lists,
    figures,
    own,
  };
}

function sightOf(source: AliasedGroup, { sight, operation }: NonNullable<ViewOptions['seeing']>): ViewSight {
  const allowed = sight.allows(operation, source);
  return {
    ...{ sight, operation },
    records: seenSql(allowed),
    ways: operation === 'list' && typeof allowed !== 'boolean' ? sight.ways(source.resource) : undefined,
    showing: (names) => {
      const seen = allOf([allowed, ...names.map((name) => sight.showsPath(operation, source, name.split('.')))]);
      return seenSql(seen) ?? and([]);
    },
  };
}

/** Behind the id, as in a reference. */
function withName(members: readonly Member[], name: readonly Member[]): readonly Member[] {
  const place = members.findIndex((member) => member.name === 'id') + 1;
  return members.toSpliced(place, 0, ...name);
}

/** What the record keeps of its own, while it shows what it inherits. */
const ownMembers = (builder: Builder, source: AliasedGroup): readonly Member[] =>
  source.resource.fields
    .filter(({ shown, inherits }) => shown && inherits.length > 0)
    .flatMap((field) => {
      const own: Field = field.kind === 'reference' ? { ...field, inherits: [], as: 'id' } : { ...field, inherits: [] };
      return builder.member(nameOfOwn(field.name), inheritsNow(source, field), () => fieldNode(builder, source, own));
    });

function inheritsNow({ resource, alias }: AliasedGroup, { name, inherits }: Field): Seen {
  const tests = inherits.map(({ when: { key, operator, literal } }) =>
    testSql({ alias, column: resource.byKey.get(key)?.column ?? '', operator, literal }),
  );
  return { key: `${name} is inherited`, sql: sql.join(tests, words(' or ')) };
}

/** All that the record keeps in its own row: what is taken when it is read may look at any of it. */
const ownCells = (builder: Builder, { resource, alias }: AliasedGroup): ReadonlyMap<string, number> =>
  new Map(
    resource.fields
      .flatMap((field) => columnsOf(field))
      .map(({ name, type }) => [name, builder.cell({ kind: 'column', alias, column: name }, type)]),
  );

/** How the records are shown that a field refers to, or the items of a list that a formula gives. */
function recordViews({ registry, sight }: Builder, field: Field): FigureView['records'] {
  const fields = field.kind === 'objects' ? field.fields : [field];
  return new Map(
    fields.flatMap((each): (readonly [Field, ListView])[] => {
      if (each.kind === 'references') return [[each, recordView(registry, each, { sight })]];
      return each.kind === 'reference' && each.as === 'object'
        ? [[each, recordView(registry, each, { include: each.include, sight })]]
        : [];
    }),
  );
}

/** Records of another group by their ids. */
export function recordView(
  registry: Registry,
  field: ReferenceField | ReferencesField,
  { include = [], sight }: { readonly include?: readonly string[]; readonly sight?: Sight | undefined } = {},
): ListView {
  const builder = new Builder(registry, { sight });
  const target = builder.resource(field.target);
  builder.cell({ kind: 'column', alias: 'l', column: 'id' }, idType);
  const node = ownNode(builder, { resource: target, alias: 'l' }, include);
  return { ...viewed(builder, field, node), table: tableName(target.name), ownerColumn: 'id', order: [] };
}

/** A record, or an item that stands for a record: the paths of its fields begin there. */
interface Holder extends AliasedGroup {
  /** How many cells tell its rows apart, as far as lists go by them. */
  readonly depth: number;
  /** Tables of its lists. */
  readonly tables: readonly ListTable[];
  /** Which of its fields are seen; all of those of items, which are parts of a field. */
  readonly seen?: (name: string) => Seen;
}

/** The shown fields, and the lists that statements of their own read. */
function membersOf(builder: Builder, holder: Holder): { members: Member[]; lists: ListView[] } {
  const lists: ListView[] = [];
  const nodeOf = (field: Field): Node => {
    const list = field.figure?.taken === 'atRead' ? undefined : listView(builder, holder, field);
    if (list === undefined) return fieldNode(builder, holder, field);
    return { kind: 'list', list: lists.push(list) - 1, depth: holder.depth };
  };
  const members = holder.resource.fields
    .filter((field) => field.shown)
    .flatMap((field) => builder.member(field.name, holder.seen?.(field.name) ?? true, () => nodeOf(field)));
  return { members: [...members], lists };
}

/** How a field is read that has a table of its own, or shows records of another group. */
function listView(around: Builder, { resource, tables }: Holder, field: Field): ListView | undefined {
  const table = tables.find((list) => list.field === field);
  if (field.kind === 'references')
    return field.via === undefined ? table && linksView(around, field, table) : linkedView(around, field, field.via);
  if (field.kind !== 'objects') return undefined;
  return field.via === undefined
    ? table && itemsView(around, itemOf(resource, field), table)
    : otherSideView(around, field, field.via);
}

/** Links to records of another group. */
function linksView({ registry, sight }: Builder, field: ReferencesField, table: ListTable): ListView {
  const builder = new Builder(registry, { sight });
  builder.cell({ kind: 'column', alias: 'l', column: 'owner_id' }, idType);
  const id: Expr = { kind: 'column', alias: 'l', column: 'target_id' };
  const node = referenceNode(builder, { target: field.target, id });
  return { ...viewed(builder, field, node), table: table.name, ownerColumn: 'owner_id', order: table.places };
}

/** Records of another group that name this one, by id and name. */
function linkedView({ registry, sight }: Builder, field: ReferencesField, via: string): ListView {
  const builder = new Builder(registry, { sight });
  const target = builder.resource(field.target);
  const ownerColumn = stepField(target, via).column;
  builder.cell({ kind: 'column', alias: 'l', column: ownerColumn }, idType);
  const source = { resource: target, alias: 'l' };
  const node = ownNode(builder, source);
  const seen = sight && seenSql(sight.visible(source));
  const order = ['created_at', 'id'];
  return { ...viewed(builder, field, node), table: tableName(target.name), ownerColumn, order, seen };
}

/** Records of another group that name this one, with fields of theirs. */
function otherSideView(
  { registry, sight }: Builder,
  field: ObjectsField,
  { target: name, field: via, sortedBy }: OtherSide,
): ListView {
  const builder = new Builder(registry, { sight });
  const target = builder.resource(name);
  const source = { resource: target, alias: 'l' };
  const ownerColumn = stepField(target, via).column;
  builder.cell({ kind: 'column', alias: 'l', column: ownerColumn }, idType);
  const members = field.fields.flatMap((item) => {
    const own = stepField(target, item.name);
    const seen = sight?.visibleField(source, own.name) ?? true;
    return builder.member(item.name, seen, () => fieldNode(builder, source, own));
  });
  const node: Node = { kind: 'object', present: undefined, members };
  const first = sortedBy === undefined ? [] : [stepField(target, sortedBy).column];
  const order = [...first, 'created_at', 'id'];
  const seen = sight && seenSql(sight.visible(source));
  return { ...viewed(builder, field, node), table: tableName(name), ownerColumn, order, seen };
}

/** Items of the record's own, or of such an item's. */
function itemsView({ registry, sight }: Builder, item: Resource, table: ListTable): ListView {
  const builder = new Builder(registry, { sight });
  const alias = 'l';
  builder.cell({ kind: 'column', alias, column: 'owner_id' }, idType);
  // Whose item it is; and which it is, where it has lists of its own.
  for (const column of table.inner.length === 0 ? table.places.slice(0, -1) : table.places)
    builder.cell({ kind: 'column', alias, column }, { kind: 'integer' });
  const depth = table.places.length;
  const { members, lists } = membersOf(builder, { resource: item, alias, depth: depth + 1, tables: table.inner });
  const node: Node = { kind: 'object', present: undefined, members };
  return {
    ...viewed(builder, table.field, node),
    depth,
    lists,
    table: table.name,
    ownerColumn: 'owner_id',
    order: table.places,
  };
}

/** Paths of items begin at the item, so it stands for a resource with its fields. */
const itemOf = (resource: Resource, { fields }: ObjectsField): Resource => ({
  ...resource,
  fields,
  byName: new Map(fields.map((field) => [field.name, field])),
  byKey: new Map(fields.map((field) => [field.key, field])),
});

const viewed = ({ joins, cells }: Builder, field: Field, node: Node) => ({
  ...{ field, alias: 'l', depth: 1, lists: [], joins, cells, node },
});
