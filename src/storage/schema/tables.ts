// Descriptors to tables: columns, keys and indexes as plain data that can be printed, compared and turned into DDL.

import { isScalar, kinds } from '../../registry/model/kinds.ts';
import type {
  Field,
  ObjectsField,
  ReferenceField,
  ReferencesField,
  Registry,
  Resource,
  ScalarField,
} from '../../registry/model/model.ts';
import { snakeCase } from '../../registry/model/naming.ts';
import { unreachable } from '../../unreachable.ts';
import type { ColumnType } from './column-types.ts';
import { columnTypeOf } from './columns.ts';

/** Table of the numbers that are given out once, a row a sequence. */
export const sequenceTable = 'praxis_sequence';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The field whose values it keeps. */
  readonly field?: Field;
  /** The column of a text that its values are made from: folded for searches, hashed for unique keys. */
  readonly madeFrom?: string;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  /** Table whose `id` the column holds. */
  readonly target: string;
}

export interface Table {
  readonly name: string;
  /** The group that the table belongs to. */
  readonly group: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The field whose list it keeps. */
  readonly list?: Field;
}

export const tableName = (group: string): string => snakeCase(group);
/** Table of a list: of an owned list's rows, or of the links to another group. */
export const listTableName = (resource: Resource, field: ObjectsField | ReferencesField): string =>
  `${snakeCase(resource.name)}_${snakeCase(field.name)}`;
export const foldedColumn = (column: string): string => `${column}_folded`;
export const keyColumn = (column: string): string => `${column}_key`;
/** The column of a list of links that holds the id of the other record. */
export const targetColumn = 'target_id';

const id: ColumnType = { kind: 'id' };
const integer: ColumnType = { kind: 'integer' };
const dateTime: ColumnType = { kind: 'dateTime' };

/** The columns that keep a field in its own table; lists of records have none here. */
export const columnsOf = (field: Field): readonly Column[] =>
  bareColumnsOf(field).map((column) => ({ field, ...column }));

function bareColumnsOf(field: Field): readonly Column[] {
  if (!field.stored) return [];
  const nullable = field.unset === 'null' || isConditional(field);
  switch (field.kind) {
    case 'references':
      return [];
    case 'objects':
      return field.isEmbedded ? [{ name: field.column, type: { kind: 'json' }, nullable: false }] : [];
    case 'reference':
      // A new figure is null until it has been computed: there is no id that stands for none.
      return [{ name: field.column, type: id, nullable: nullable || isAlwaysTrue(field) }];
    case 'choice':
      return field.branches.flatMap(({ reference }) => columnsOf(reference));
    case 'list':
      return [{ name: field.column, type: { kind: 'json' }, nullable: false }];
    case 'object':
      // Whether there is an object at all: its own fields may all be null.
      return [
        { name: field.column, type: { kind: 'boolean' }, nullable: false },
        ...field.fields.flatMap((inside) => columnsOf(inside).map(asNullable)),
      ];
    default:
      return [{ name: field.column, type: columnTypeOf(field), nullable }];
  }
}

const isAlwaysTrue = ({ figure }: Field): boolean => figure?.taken === 'always';

const asNullable = (column: Column): Column => ({ ...column, nullable: true });

/** Fields that hold null while a condition, another record or nobody says otherwise. */
const isConditional = (field: Field): boolean => field.onlyWhen !== undefined || field.inherits.length > 0;

/** Fields that a unique key compares by a hash of their folded text. */
export function hashedFields(resource: Resource): ReadonlySet<Field> {
  return new Set(resource.unique.flatMap((key) => key.fields.filter(({ kind }) => kinds[kind].isFolded)));
}

/** Texts that are a unique key by themselves: an exact filter finds the one record by their hash. */
export function keyTexts(resource: Resource): ReadonlySet<Field> {
  const alone = resource.unique.filter(({ fields }) => fields.length === 1);
  return new Set(alone.flatMap(({ fields }) => fields).filter(({ kind }) => kinds[kind].isFolded));
}

/** Whether there is a column beside a text that searches read, and by which lists are sorted. */
export const isFolded = (field: Field): field is ScalarField =>
  isScalar(field) && kinds[field.kind].isFolded && (field.filter === 'text' || field.sort);

/** That column: as long as the text's own. */
export function foldedType(field: ScalarField): ColumnType {
  const own = columnTypeOf(field);
  if (!('length' in own)) unreachable(`${field.name} is searched, and its column is no text`);
  return { kind: 'folded', length: own.length };
}

/** The column by which values of a field follow each other: of texts that are searched or sorted, without case. */
export function comparedColumn(field: Field): Pick<Column, 'name' | 'type'> {
  if (!isScalar(field)) unreachable(`${field.name} has no order`);
  const own = { name: field.column, type: columnTypeOf(field) };
  return isFolded(field) ? { name: foldedColumn(field.column), type: foldedType(field) } : own;
}

/**
 * Two underscores keep a table's name apart from what follows it: index names are shared by all tables. Names have at most
 * 64 characters; long ones are cut and told apart by a number made from what is cut.
 */
function shortName(name: string): string {
  if (name.length <= 64) return name;
  let sum = 0;
  for (const letter of name) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0;
  return `${name.slice(0, 56)}_${sum.toString(36)}`;
}

/** Name of the foreign key of a column. */
export const foreignKeyName = (table: string, column: string): string => shortName(`${table}__${column}_fk`);
/** Name of the index that finds pages of a table. */
export const orderIndex = (table: string): string => shortName(`${table}__order`);
/** Name of the index that holds what a search in a text needs to read, in the order of the list. */
export const searchIndex = (table: string, column: string): string => shortName(`${table}__${column}_search`);

/** Name of the index that holds the records of each value of a column in the order of the list. */
export const listIndex = (table: string, column: string): string => shortName(`${table}__${column}_list`);
/** Name of the index that finds the records of each date, for the begin of a day. */
const dayIndex = (table: string, column: string): string => shortName(`${table}__${column}_day`);
/** Name of the index of a unique key. */
export const uniqueIndex = (table: string, columns: readonly string[]): string =>
  shortName(`${table}__${columns.join('_')}_unique`);
/** Name of the index that finds the owners of links by what these lead to, in the order of the owners' list. */
export const linksIndex = (table: string): string => shortName(`${table}__target`);
/** Name of the index that finds the owners of items by what these refer to, in the order of the owners' list. */
export const itemsIndex = (table: string, column: string): string => shortName(`${table}__${column}_ref`);

/** All tables of a registry, in the order of creation. */
export function tablesOf(registry: Registry): readonly Table[] {
  return [...registry.resources.values()]
    .filter((resource) => isStored(resource))
    .flatMap((resource) => resourceTables(resource));
}

/** Whether a group keeps records: all but those that are only computed. */
export const isStored = (resource: Resource): boolean => resource.computed === undefined;

function resourceTables(resource: Resource): Table[] {
  const name = tableName(resource.name);
  const hashed = hashedFields(resource);
  const keys = keyTexts(resource);
  const columns: Column[] = [{ name: 'id', type: id, nullable: false }];
  const indexes: Index[] = [{ name: orderIndex(name), columns: ['created_at', 'id'], unique: false }];
  const foreignKeys: ForeignKey[] = [];
  for (const field of resource.fields) {
    if (field.name === 'id') continue;
    columns.push(...columnsOf(field));
    if (isFolded(field)) {
      columns.push({
        name: foldedColumn(field.column),
        type: foldedType(field),
        nullable: field.unset === 'null',
        madeFrom: field.column,
      });
    }
    if (hashed.has(field))
      columns.push({ name: keyColumn(field.column), type: { kind: 'key' }, nullable: true, madeFrom: field.column });
    if (field.kind === 'reference' && field.stored) {
      foreignKeys.push({
        name: foreignKeyName(name, field.column),
        column: field.column,
        target: tableName(field.target),
      });
    }
    indexes.push(...fieldIndexes(field, name, keys));
  }
  columns.push({ name: 'version', type: integer, nullable: false }, { name: 'guard', type: integer, nullable: false });
  for (const key of resource.unique) {
    const found = key.fields.map((field) => (hashed.has(field) ? keyColumn(field.column) : field.column));
    const keyed = inSafeOrder(found, columns, foreignKeys);
    indexes.push({ name: uniqueIndex(name, keyed), columns: keyed, unique: true });
  }
  for (const fields of resource.indexes) {
    const found = fields.map(({ column }) => column);
    indexes.push({ name: shortName(`${name}__${found.join('_')}_find`), columns: found, unique: false });
  }
  for (const column of daysColumns(resource))
    if (!indexes.some(({ columns: [first, second] }) => first === column && second === 'id'))
      indexes.push({ name: dayIndex(name, column), columns: [column, 'id'], unique: false });
  const main: Table = { name, group: resource.name, columns, primaryKey: ['id'], indexes, foreignKeys };
  return [main, ...listTablesOf(resource).flatMap((list) => tablesOfList(resource.name, list))];
}

/** Columns of the dates by which days are passed. */
const daysColumns = ({ days, byKey }: Resource): ReadonlySet<string> =>
  new Set(days.flatMap(({ key }) => byKey.get(key)?.column ?? []));

/**
 * Columns of a unique key, so that references are checked everywhere: MySQL looks for the first index that begins with one,
 * unique ones before all others, and takes a reference that leads nowhere where another column of it is null (9.7, unless
 * `innodb_native_foreign_keys` is on). So what may be null goes first, and of that what is no reference.
 */
function inSafeOrder(
  names: readonly string[],
  columns: readonly Column[],
  foreignKeys: readonly ForeignKey[],
): readonly string[] {
  const isReference = (name: string): boolean => foreignKeys.some(({ column }) => column === name);
  const isNullable = (name: string): boolean => columns.find((column) => column.name === name)?.nullable === true;
  const [first, ...others] = names;
  if (first === undefined || !isReference(first) || !others.some(isNullable)) return names;
  const rank = (name: string): number => (isNullable(name) ? 0 : 2) + (isReference(name) ? 1 : 0);
  return names.toSorted((one, other) => rank(one) - rank(other));
}

/** The index of a field whose entries stand in the order of the list, each value by itself; undefined where there is none. */
export function listIndexOf(resource: Resource, field: Field): string | undefined {
  const table = tableName(resource.name);
  const name = listIndex(table, field.column);
  return fieldIndexes(field, table, keyTexts(resource)).some((index) => index.name === name) ? name : undefined;
}

/** Indexes for each way a list can be narrowed; a reference has one in any case, or deletes would scan. */
function fieldIndexes(field: Field, table: string, keys: ReadonlySet<Field>): Index[] {
  if (!field.stored || !kinds[field.kind].isOneColumn) return [];
  const inOrder = (column: string): Index => ({
    name: listIndex(table, column),
    columns: [column, 'created_at', 'id'],
    unique: false,
  });
  if (field.kind === 'reference') {
    if (field.filter !== undefined) return [inOrder(field.column)];
    return [{ name: shortName(`${table}__${field.column}_ref`), columns: [field.column], unique: false }];
  }
  const { filter, sort } = field;
  const folded = foldedColumn(field.column);
  const search: Index = { name: searchIndex(table, folded), columns: ['created_at', 'id', folded], unique: false };
  if (filter === 'text') return [inOrder(folded), search];
  const sorted = sort && isFolded(field) ? [inOrder(folded)] : [];
  // An exact text that is a unique key is looked up there.
  const isFound = filter !== undefined && !keys.has(field);
  return isFound || (sort && !isFolded(field)) ? [inOrder(field.column), ...sorted] : sorted;
}

/** A list that has a table of its own: a record's list, or a list of the items of such a one. */
export interface ListTable {
  readonly name: string;
  readonly field: ObjectsField | ReferencesField;
  /** Columns that tell a row's place in its record, from outside inwards: `position` alone, or that of the item before it. */
  readonly places: readonly string[];
  readonly inner: readonly ListTable[];
}

/** Whether a field is kept in a table of its own. */
export const isList = (field: Field): field is ObjectsField | ReferencesField =>
  ((field.kind === 'objects' && !field.isEmbedded) || field.kind === 'references') && field.stored;

/** The lists of a record that have tables. */
export const listTablesOf = (resource: Resource): readonly ListTable[] =>
  listTables(tableName(resource.name), resource.fields, []);

function listTables(owner: string, fields: readonly Field[], outer: readonly string[]): ListTable[] {
  // The place of an item is "position" in its own table, and "item" in those of its lists.
  const places = [...outer.map(() => 'item'), 'position'];
  return fields.filter(isList).map((field) => {
    const name = `${owner}_${snakeCase(field.name)}`;
    return { name, field, places, inner: field.kind === 'objects' ? listTables(name, field.fields, places) : [] };
  });
}

/** The references that a field keeps, each in a column. */
const keptReferences = (field: Field): readonly ReferenceField[] => {
  if (field.kind === 'choice') return field.branches.map(({ reference }) => reference);
  return field.kind === 'reference' && field.stored ? [field] : [];
};

/** Tables of a list, and of the lists of its items. */
function tablesOfList(group: string, { name, field, places, inner }: ListTable): Table[] {
  const isLinks = field.kind === 'references';
  const columns: Column[] = isLinks
    ? [{ name: targetColumn, type: id, nullable: false }]
    : field.fields.flatMap((item) => columnsOf(item));
  const references = isLinks
    ? [{ column: targetColumn, target: field.target, index: linksIndex(name), word: 'target' }]
    : field.fields
        .flatMap(keptReferences)
        .map(({ column, target }) => ({ column, target, index: itemsIndex(name, column), word: column }));
  const table: Table = {
    name,
    group,
    columns: [
      { name: 'owner_id', type: id, nullable: false },
      ...places.map((place): Column => ({ name: place, type: integer, nullable: false })),
      ...columns,
      // The owner's createdAt stands here too, so that a page of "all with this tag" is read along one index.
      { name: 'created_at', type: dateTime, nullable: false },
    ],
    primaryKey: ['owner_id', ...places],
    list: field,
    indexes: references.map(({ column, index }) => ({
      name: index,
      columns: [column, 'created_at', 'owner_id'],
      unique: false,
    })),
    foreignKeys: [
      { name: foreignKeyName(name, 'owner'), column: 'owner_id', target: tableName(group) },
      ...references.map(({ column, target, word }) => ({
        name: foreignKeyName(name, word),
        column,
        target: tableName(target),
      })),
    ],
  };
  return [table, ...inner.flatMap((list) => tablesOfList(group, list))];
}
