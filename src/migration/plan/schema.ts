// The schema that descriptors require: tables and constraints as plain data, which migrations store as they are, so that
// schemas can be compared, and replayed from files.
import { createHash } from 'node:crypto';
import { figureSource, statesSource } from '../../registry/formulas/figure-source.ts';
import type { Field, Registry, Scalar } from '../../registry/model/model.ts';
import { columnTypeOf } from '../../storage/schema/columns.ts';
import {
  type Column,
  type ForeignKey,
  foreignKeyName,
  type Index,
  type Table,
  tablesOf,
} from '../../storage/schema/tables.ts';
import { typeOf, typeToText } from './column-type.ts';

/** A value's type, and what a descriptor says of it beyond the type. Absent: anything. */
export interface Domain {
  /** See `column-type.ts`. */
  readonly type: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  /** A text that is never empty. */
  readonly filled?: true;
  readonly format?: string;
  /** A regular expression over the whole of a text. */
  readonly pattern?: string;
}

export interface SchemaColumn extends Domain {
  readonly name: string;
  readonly nullable?: true;
  /** Table whose `id` the column holds. */
  readonly references?: string;
  /** The column of a text that this one is made from. */
  readonly madeFrom?: string;
  /** Of a list of plain values. */
  readonly items?: Domain;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The formula that all rows satisfy: of a figure that is always true. */
  readonly formula?: string;
  /** Of a figure that is taken at times: the rows that were there before the column have not got it yet. */
  readonly unfilled?: true;
  /** The conditions of a computed state, by which the values of all rows were last decided. */
  readonly becomes?: string;
}

export interface SchemaIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique?: true;
}

export interface Limits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly SchemaIndex[];
  /** How many rows an owner has, in the table of a list. */
  readonly limits?: Limits;
  /** The formula that the table of a list equals, as a whole. */
  readonly formula?: string;
}

/** In the place of a column: the rows of a list. */
export const allRows = '*';

/** What is known of the values of a column, or of the rows of a list. */
export const formulaIn = (table: SchemaTable | undefined, name: string): Pick<SchemaColumn, 'formula' | 'unfilled'> =>
  (name === allRows
    ? table && { ...(table.formula !== undefined && { formula: table.formula }) }
    : findColumn(table, name)) ?? {};

export interface Schema {
  readonly tables: readonly SchemaTable[];
  /** Whether `becomes` is stored for each computed state. Schemas of earlier versions do not store it. */
  readonly hasStates?: true;
}

export const emptySchema: Schema = Object.freeze({ tables: [], hasStates: true });

/** What the descriptors ask of a database. */
export function schemaOf(registry: Registry): Schema {
  return { tables: tablesOf(registry).map((table) => schemaTable(table, registry)), hasStates: true };
}

/** Returns a schema as earlier versions stored it: without the conditions of computed states. */
export function withoutStates({ tables }: Schema): Schema {
  return {
    tables: tables.map((table) => ({
      ...table,
      columns: table.columns.map(({ becomes: _condition, ...column }) => column),
    })),
  };
}

function schemaTable(table: Table, registry: Registry): SchemaTable {
  const targets = new Map(table.foreignKeys.map(({ column, target }) => [column, target]));
  const limits = table.list === undefined ? {} : limitsOf(table.list);
  return {
    name: table.name,
    columns: table.columns.map((column) => ({
      ...schemaColumn(column, targets.get(column.name)),
      ...(column.madeFrom === undefined && {
        ...formulaOf(column.field, registry),
        ...findBecomes(column.field, registry),
      }),
    })),
    primaryKey: table.primaryKey,
    indexes: table.indexes.map(({ name, columns, unique }) => ({ name, columns, ...(unique && { unique }) })),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...formulaOf(table.list, registry),
  };
}

function schemaColumn({ name, type, nullable, field, madeFrom }: Column, references: string | undefined): SchemaColumn {
  const isOwn = field !== undefined && madeFrom === undefined;
  return {
    name,
    type: typeToText(type),
    ...(nullable && { nullable }),
    ...(references !== undefined && { references }),
    ...(madeFrom !== undefined && { madeFrom }),
    ...(isOwn && rulesOf(field)),
  };
}

/** What a figure that is always true equals. */
function formulaOf(field: Field | undefined, registry: Registry): Pick<SchemaColumn, 'formula'> {
  const figure = field?.figure;
  if (field === undefined || figure?.taken !== 'always') return {};
  const standard = field.default === undefined ? '' : ` ?? ${canonical(field.default)}`;
  return { formula: `${figureSource(figure, registry)}${standard}` };
}

/** The conditions of a computed state. */
function findBecomes(field: Field | undefined, registry: Registry): Pick<SchemaColumn, 'becomes'> {
  if (field === undefined || field.becomes.length === 0) return {};
  return { becomes: statesSource(field.becomes, registry) };
}

/** What rows must satisfy beyond the type of the column. */
function rulesOf(field: Field): Omit<SchemaColumn, 'name' | 'type'> {
  switch (field.kind) {
    case 'reference':
    case 'references':
    case 'choice':
    case 'object':
    case 'objects':
      return {};
    case 'list':
      return { items: { type: typeToText(columnTypeOf(field.item)), ...domainOf(field.item) }, ...limitsOf(field) };
    case 'text':
      // Codes of a fixed form have no empty form that could be sent.
      return { ...domainOf(field), ...(field.unset !== 'empty' && { filled: true }) };
    default:
      return domainOf(field);
  }
}

function domainOf(scalar: Scalar): Omit<Domain, 'type'> {
  switch (scalar.kind) {
    case 'text':
      return {
        ...(scalar.format !== undefined && { format: scalar.format }),
        ...(scalar.pattern !== undefined && { pattern: scalar.pattern }),
      };
    case 'enum':
      return { values: scalar.values };
    case 'integer': {
      const { minimum, maximum } = scalar;
      return {
        ...(minimum > Number.MIN_SAFE_INTEGER && { minimum }),
        ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }),
      };
    }
    case 'decimal': {
      const { minimum, maximum, exclusiveMinimum } = scalar;
      return {
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
        ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
      };
    }
    case 'json':
      // Lists are kept in such columns too.
      return { format: 'json' };
    case 'uuid':
    case 'date':
    case 'dateTime':
    case 'boolean':
      return {};
  }
}

function limitsOf(field: Field): Limits {
  if (!('maxItems' in field)) return {};
  const minItems = 'minItems' in field ? field.minItems : 0;
  return { ...(minItems > 0 && { minItems }), maxItems: field.maxItems };
}

/** A table as the storage makes it. */
export function storageTable(table: SchemaTable): Table {
  return {
    name: table.name,
    group: '',
    columns: table.columns.map(storageColumn),
    primaryKey: table.primaryKey,
    indexes: table.indexes.map(storageIndex),
    foreignKeys: table.columns.flatMap((column) => foreignKeyOf(table.name, column) ?? []),
  };
}

export const storageColumn = (column: SchemaColumn): Column => ({
  name: column.name,
  type: typeOf(column),
  nullable: column.nullable === true,
});

export const storageIndex = ({ name, columns, unique }: SchemaIndex): Index => ({
  name,
  columns,
  unique: unique === true,
});

export const foreignKeyOf = (table: string, { name, references }: SchemaColumn): ForeignKey | undefined =>
  references === undefined ? undefined : { name: foreignKeyName(table, name), column: name, target: references };

export const findTable = (schema: Schema, name: string): SchemaTable | undefined =>
  schema.tables.find((table) => table.name === name);
export const findColumn = (table: SchemaTable | undefined, name: string): SchemaColumn | undefined =>
  table?.columns.find((column) => column.name === name);
/** The column that a step is about, as it is before. */
export const columnIn = (
  before: Schema,
  step: { readonly table: string; readonly column: string | SchemaColumn },
): SchemaColumn | undefined =>
  findColumn(findTable(before, step.table), typeof step.column === 'string' ? step.column : step.column.name);
export const findIndex = (table: SchemaTable | undefined, name: string): SchemaIndex | undefined =>
  table?.indexes.find((index) => index.name === name);

/** Reports whether the rows of a table are links to records of another group, and not the items of an owned list. */
export const isLinkTable = ({ indexes }: SchemaTable): boolean => indexes.some(({ name }) => name.endsWith('__target'));

/** JSON with the keys of every object in order: equal texts for equal values. Written out here: a replacer is slower. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).filter(([, inside]) => inside !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, inside]) => `${JSON.stringify(name)}:${canonical(inside)}`).join(',')}}`;
}

export const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** A schema is never changed, and a start asks some ten times. */
const hashes = new WeakMap<Schema, string>();

/** Reports whether a schema, or one of which only the hash is known, fits another. One without states is compared without them. */
export function isSameSchema(known: Schema | string, wanted: Schema): boolean {
  const hash = typeof known === 'string' ? known : schemaHash(known);
  return hash === schemaHash(wanted) || (wanted.hasStates === true && hash === schemaHash(bare(wanted)));
}

/** `withoutStates` of a schema, computed once. */
function bare(schema: Schema): Schema {
  const stateless = bareSchemas.get(schema) ?? withoutStates(schema);
  bareSchemas.set(schema, stateless);
  return stateless;
}
const bareSchemas = new WeakMap<Schema, Schema>();

/** The same for schemas that differ in nothing but the order of tables, columns and indexes. */
export function schemaHash(schema: Schema): string {
  const known = hashes.get(schema);
  if (known !== undefined) return known;
  const made = hashOf(schema);
  hashes.set(schema, made);
  return made;
}

function hashOf(schema: Schema): string {
  const byName = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const tables = byName(schema.tables).map((table) => ({
    ...table,
    columns: byName(table.columns),
    indexes: byName(table.indexes),
  }));
  const mark = schema.hasStates === true ? 'states ' : '';
  return createHash('sha256')
    .update(`${mark}${canonical(tables)}`)
    .digest('hex');
}
