// The actual schema of a database, in one form for all engines, and how it differs from the expected one. The order of columns,
// defaults left by migrations and names of foreign keys are ignored.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Row } from '../../storage/schema/cells.ts';
import { columnSql } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { foreignKeyName } from '../../storage/schema/tables.ts';
import { typeOf } from '../plan/column-type.ts';
import { isSame, type Schema, type SchemaColumn, type SchemaIndex, type SchemaTable } from '../plan/schema.ts';
import { type Step, tableOfStep } from '../plan/steps.ts';
import { editorOf } from './editors.ts';

interface LiveColumn {
  /** `varchar(255) utf8mb4_nopad_bin`, `integer` */
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

interface LiveTable {
  readonly columns: ReadonlyMap<string, LiveColumn>;
  readonly primaryKey: readonly string[];
  readonly indexes: ReadonlyMap<string, SchemaIndex>;
  /** By column. */
  readonly foreignKeys: ReadonlyMap<string, { readonly name: string; readonly target: string }>;
}

export type Live = ReadonlyMap<string, LiveTable>;

interface GrowingTable {
  readonly columns: Map<string, LiveColumn>;
  readonly primaryKey: string[];
  readonly indexes: Map<string, SchemaIndex>;
  readonly foreignKeys: Map<string, { name: string; target: string }>;
}

type Reader = Pick<Session, 'all'>;

/** Reads the tables of a database; about 10 ms for a hundred of them. */
export async function readLive(session: Reader, dialect: Dialect): Promise<Live> {
  const { catalogue, plainType } = editorOf(dialect);
  const tables = new Map<string, GrowingTable>();
  const tableOf = (row: Row): GrowingTable => {
    const name = String(row[0]);
    const known = tables.get(name) ?? {
      columns: new Map(),
      primaryKey: [],
      indexes: new Map(),
      foreignKeys: new Map(),
    };
    tables.set(name, known);
    return known;
  };
  for (const row of await session.all(catalogue.columns, [])) {
    const [, name, type, collation, isNullable, hasDefault, place] = row;
    const table = tableOf(row);
    table.columns.set(String(name), {
      type: plainType(collation === null ? String(type) : `${String(type)} ${String(collation)}`),
      isNullable: Number(isNullable) === 1,
      hasDefault: Number(hasDefault) === 1,
    });
    if (Number(place) > 0) table.primaryKey.push(String(name));
  }
  for (const row of await session.all(catalogue.indexes, [])) {
    const [, name, unique, column, isPrimary] = row;
    const table = tableOf(row);
    if (Number(isPrimary) === 1) {
      table.primaryKey.push(String(column));
      continue;
    }
    const known = table.indexes.get(String(name));
    table.indexes.set(String(name), {
      name: String(name),
      columns: [...(known?.columns ?? []), String(column)],
      ...(Number(unique) === 1 && { unique: true }),
    });
  }
  for (const row of await session.all(catalogue.foreignKeys, [])) {
    const [, column, target, name] = row;
    tableOf(row).foreignKeys.set(String(column), { name: String(name), target: String(target) });
  }
  return tables;
}

/** The type of a column as a schema wants it, in the form in which `readLive` gives it. */
const wantedType = (column: SchemaColumn, dialect: Dialect): string =>
  editorOf(dialect).plainType(columnSql(typeOf(column), dialect));

/** Whether a column is in the database as it shall be. */
const isLiveColumn = (table: LiveTable | undefined, column: SchemaColumn, dialect: Dialect): boolean => {
  const live = table?.columns.get(column.name);
  return live?.type === wantedType(column, dialect) && live.isNullable === (column.nullable === true);
};

const driftCodes = [
  'table-missing',
  'column-missing',
  'column-type',
  'column-null',
  'column-unknown',
  'primary-key',
  'index-missing',
  'index-differs',
  'foreign-key-missing',
] as const;
type DriftCode = (typeof driftCodes)[number];

/** One way in which a database differs from a schema. */
export interface Drift {
  readonly code: DriftCode;
  readonly table: string;
  /** The column or index, where it is about one. */
  readonly name?: string;
  /** A clause: `table "note" lacks "mood"` */
  readonly text: string;
}

/** Where a database does not fit a schema. Tables and nullable columns that the schema does not know are none of its business. */
export function compareLive(schema: Schema, live: Live, dialect: Dialect): readonly Drift[] {
  return schema.tables.flatMap((table) => compareTable(table, live.get(table.name), dialect));
}

function compareTable(table: SchemaTable, live: LiveTable | undefined, dialect: Dialect): readonly Drift[] {
  const { name } = table;
  if (live === undefined) return [{ code: 'table-missing', table: name, text: `table "${name}" is missing` }];
  const drift: Drift[] = [];
  const note = (code: DriftCode, part: string, text: string): void =>
    void drift.push({ code, table: name, name: part, text: `table "${name}" ${text}` });
  for (const column of table.columns) {
    const found = live.columns.get(column.name);
    if (found === undefined) {
      note('column-missing', column.name, `has no column "${column.name}"`);
      continue;
    }
    const wanted = wantedType(column, dialect);
    if (found.type !== wanted) note('column-type', column.name, `has "${column.name}" as ${found.type}, not ${wanted}`);
    if (found.isNullable !== (column.nullable === true))
      note('column-null', column.name, `has "${column.name}" ${found.isNullable ? 'with' : 'without'} nulls`);
    if (column.references !== undefined && live.foreignKeys.get(column.name)?.target !== column.references)
      note('foreign-key-missing', column.name, `has no foreign key from "${column.name}" to "${column.references}"`);
  }
  const known = new Set(table.columns.map((column) => column.name));
  for (const [column, { isNullable, hasDefault }] of live.columns)
    if (!known.has(column) && !isNullable && !hasDefault)
      note('column-unknown', column, `requires a value for "${column}", which no field provides`);
  if (!isSame(table.primaryKey, live.primaryKey))
    note('primary-key', '', `has a different primary key: ${live.primaryKey.join(', ')}`);
  for (const index of table.indexes) {
    const found = live.indexes.get(index.name);
    if (found === undefined) note('index-missing', index.name, `has no index "${index.name}"`);
    else if (!isSame(found, index)) note('index-differs', index.name, `has a different index "${index.name}"`);
  }
  return drift;
}

/** Whether a database has what a step makes: it was done before, and the process died before it could note that. */
export function isLiveDone(step: Step, live: Live, dialect: Dialect): boolean {
  const table = live.get(tableOfStep(step));
  switch (step.do) {
    case 'createTable': {
      if (table === undefined) return false;
      const [drift] = compareTable(step.table, table, dialect).filter(({ code }) => code !== 'foreign-key-missing');
      if (drift !== undefined)
        throw new ConfigurationFault(
          `The table already exists, but ${drift.text}; rename or drop it, then run the migration again.`,
        );
      return true;
    }
    case 'dropTable':
      return table === undefined;
    case 'renameTable':
      return table === undefined && live.has(step.to);
    case 'addColumn':
      if (table?.columns.has(step.column.name) === true && !isLiveColumn(table, step.column, dialect))
        throw new ConfigurationFault(
          `The column "${step.column.name}" of "${step.table}" already exists with a different type; rename or drop it, then run the migration again.`,
        );
      return isLiveColumn(table, step.column, dialect);
    case 'dropColumn':
      return table?.columns.has(step.column) !== true;
    case 'renameColumn':
      return table?.columns.has(step.column) !== true && table?.columns.has(step.to) === true;
    case 'addIndex':
      return isSame(table?.indexes.get(step.index.name), step.index);
    case 'dropIndex':
      return table?.indexes.has(step.index) !== true;
    case 'renameIndex':
      return table?.indexes.has(step.index) !== true && table?.indexes.has(step.to) === true;
    case 'addForeignKey':
      return table?.foreignKeys.get(step.column)?.target === step.references;
    case 'dropForeignKey':
      return table?.foreignKeys.has(step.column) !== true;
    // These look at the rows, and find nothing left to do.
    case 'changeColumn':
    case 'renameValues':
    case 'fillColumn':
    case 'computeColumn':
    case 'computeFigures':
    case 'noteStates':
    case 'changeLimits':
      return false;
  }
}

/** The name of a column's foreign key; of one that is to be made, a name that no other key of the database has. */
export function freeKeyName(live: Live, table: string, column: string): string {
  const own = live.get(table)?.foreignKeys.get(column)?.name;
  if (own !== undefined) return own;
  const taken = new Set(
    [...live.values()].flatMap(({ foreignKeys }) => [...foreignKeys.values()].map(({ name }) => name)),
  );
  const name = foreignKeyName(table, column);
  for (let number = 1; ; number++) {
    // A table that was renamed keeps the names of its keys.
    const candidate = number === 1 ? name : `${name.slice(0, 60)}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
