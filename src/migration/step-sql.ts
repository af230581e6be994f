// A step → the statements that do it, for each database. What no SQL can say (folded text, enums inside lists) is done by
// `compute.ts`.
import { columnSql, encode } from '../storage/columns.ts';
import { columnLine, createIndex, createTable, foreignKeySql, indexLine, quoted, type Target } from '../storage/ddl.ts';
import type { Bound, DialectName } from '../storage/session.ts';
import { foreignKeyName } from '../storage/tables.ts';
import { columnIn, columnWork, isOfNewColumn } from './changes.ts';
import { typeOf } from './column-type.ts';
import { conversionOf } from './conversions.ts';
import {
  findColumn,
  findIndex,
  findTable,
  foreignKeyOf,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
  storageColumn,
  storageIndex,
  storageTable,
} from './schema.ts';
import { applyStep, type FillValue, type Step } from './steps.ts';

/** How MySQL may do an `alter table`: as asked for, or not at all. */
export type Form = 'instant' | 'inplace' | 'copy';

export interface Statement {
  readonly sql: string;
  /** The forms to ask for, best first; none for statements that know no forms. */
  readonly forms: readonly Form[];
  /** To be run until it changes no row any more: MySQL changes rows in portions. */
  readonly repeats: boolean;
}

export interface SqlTarget extends Target {
  /** Name of the foreign key of a column, as the database has it. */
  readonly keyName?: (table: string, column: string) => string;
}

const portion = 5000;
const rebuildName = 'praxis_rebuild';

const formWords = {
  instant: 'algorithm=instant',
  inplace: 'algorithm=inplace, lock=none',
  copy: 'algorithm=copy, lock=shared',
} as const satisfies Record<Form, string>;

/** A statement that asks for a form. */
export const withForm = (sql: string, form: Form): string => `${sql}, ${formWords[form]}`;

const plain = (sql: string): Statement => ({ sql, forms: [], repeats: false });
const alter = (sql: string, ...forms: Form[]): Statement => ({ sql, forms, repeats: false });

/** The statements of a step. @param before the schema that it is applied to */
export function stepSql(step: Step, before: Schema, target: SqlTarget): readonly Statement[] {
  return target.dialect === 'sqlite' ? sqliteSteps(step, before, target) : mysqlSteps(step, before, target);
}

function mysqlSteps(step: Step, before: Schema, target: SqlTarget): readonly Statement[] {
  const q = (name: string): string => quoted(name, 'mysql');
  const table = q(typeof step.table === 'string' ? step.table : step.table.name);
  switch (step.do) {
    case 'createTable': {
      const made = storageTable(step.table);
      const isThere = (name: string): boolean => name === made.name || findTable(before, name) !== undefined;
      const foreignKeys = made.foreignKeys
        .filter((key) => isThere(key.target))
        .map((key) => ({ ...key, name: target.keyName?.(made.name, key.column) ?? key.name }));
      return createTable({ ...made, foreignKeys }, target).map(plain);
    }
    case 'dropTable':
      return [plain(`drop table if exists ${table}`)];
    case 'renameTable':
      return [plain(`rename table ${table} to ${q(step.to)}`)];
    case 'addColumn': {
      const line = columnLine(storageColumn(step.column), target);
      const missing = defaultSql(step.column, step.fill, 'mysql');
      return [
        alter(`alter table ${table} add column ${line}${missing && ` default (${missing})`}`, 'instant', 'inplace'),
      ];
    }
    case 'dropColumn':
      return [alter(`alter table ${table} drop column ${q(step.column)}`, 'instant', 'inplace')];
    case 'renameColumn':
      return [alter(`alter table ${table} rename column ${q(step.column)} to ${q(step.to)}`, 'instant', 'inplace')];
    case 'changeColumn': {
      const from = columnIn(before, step) ?? step.column;
      const work = columnWork(from, step.column, 'mysql');
      const modify = `alter table ${table} modify column ${columnLine(storageColumn(step.column), target)}`;
      const toNull = emptyToNull(from, step.column, table, 'mysql');
      // Empty texts become null only where null is allowed; nulls are filled before it no longer is.
      const change =
        work === 'none' ? [] : [alter(modify, 'instant', 'inplace', ...(work === 'rebuild' ? ['copy' as const] : []))];
      return [...fillNulls(step, from, table, 'mysql'), ...change, ...toNull];
    }
    case 'renameValues':
      return renameWords(step, before, table, 'mysql');
    case 'computeColumn':
      return [];
    case 'addIndex':
      return [alter(`alter table ${table} add ${indexLine(storageIndex(step.index), 'mysql')}`, 'inplace')];
    case 'dropIndex':
      return [alter(`alter table ${table} drop key ${q(step.index)}`, 'inplace')];
    case 'renameIndex':
      return [alter(`alter table ${table} rename key ${q(step.index)} to ${q(step.to)}`, 'instant', 'inplace')];
    case 'addForeignKey': {
      const column = { ...(columnIn(before, step) ?? { name: step.column, type: 'id' }), references: step.references };
      const key = foreignKeyOf(step.table, column);
      const name = target.keyName?.(step.table, step.column);
      return key === undefined
        ? []
        : [alter(`alter table ${table} add ${foreignKeySql({ ...key, name: name ?? key.name }, 'mysql')}`, 'inplace')];
    }
    case 'dropForeignKey': {
      const name = target.keyName?.(step.table, step.column) ?? foreignKeyName(step.table, step.column);
      return [alter(`alter table ${table} drop foreign key ${q(name)}`, 'instant', 'inplace')];
    }
    case 'changeLimits':
      return [];
  }
}

function sqliteSteps(step: Step, before: Schema, target: SqlTarget): readonly Statement[] {
  const q = (name: string): string => quoted(name, 'sqlite');
  const name = typeof step.table === 'string' ? step.table : step.table.name;
  const table = q(name);
  switch (step.do) {
    case 'createTable':
      return createTable(storageTable(step.table), target).map(plain);
    case 'dropTable':
      return [plain(`drop table if exists ${table}`)];
    case 'renameTable':
      return [plain(`alter table ${table} rename to ${q(step.to)}`)];
    case 'addColumn': {
      const line = columnLine(storageColumn(step.column), target);
      const missing = defaultSql(step.column, step.fill, 'sqlite');
      const { references } = step.column;
      const key = references === undefined ? '' : ` references ${q(references)} (${q('id')})`;
      return [plain(`alter table ${table} add column ${line}${missing && ` default ${missing}`}${key}`)];
    }
    case 'dropColumn':
      return [plain(`alter table ${table} drop column ${q(step.column)}`)];
    case 'renameColumn':
      return [plain(`alter table ${table} rename column ${q(step.column)} to ${q(step.to)}`)];
    case 'changeColumn': {
      const from = columnIn(before, step) ?? step.column;
      const isRebuilt = columnWork(from, step.column, 'sqlite') === 'rebuild';
      return [
        ...fillNulls(step, from, table, 'sqlite'),
        ...(isRebuilt ? rebuild(name, before, step, target) : []),
        ...emptyToNull(from, step.column, table, 'sqlite'),
      ];
    }
    case 'renameValues':
      return renameWords(step, before, table, 'sqlite');
    case 'computeColumn':
    case 'changeLimits':
      return [];
    case 'addIndex':
      return [plain(createIndex(name, storageIndex(step.index)))];
    case 'dropIndex':
      return [plain(`drop index if exists ${q(step.index)}`)];
    case 'renameIndex': {
      const index = findIndex(findTable(before, name), step.index);
      const made = index === undefined ? [] : [plain(createIndex(name, { ...storageIndex(index), name: step.to }))];
      return [plain(`drop index if exists ${q(step.index)}`), ...made];
    }
    case 'addForeignKey':
      return isOfNewColumn(step, before) ? [] : rebuild(name, before, step, target);
    case 'dropForeignKey':
      return rebuild(name, before, step, target);
  }
}

/** The table anew with its rows, as https://sqlite.org/lang_altertable.html#otheralter has it; foreign keys are off meanwhile. */
function rebuild(name: string, before: Schema, step: Step, target: SqlTarget): Statement[] {
  const from = findTable(before, name);
  const to = findTable(applyStep(before, step), name);
  if (from === undefined || to === undefined) return [];
  const q = (word: string): string => quoted(word, 'sqlite');
  const columns = to.columns.map((column) => q(column.name)).join(', ');
  const values = to.columns.map((column) => converted(from, column)).join(', ');
  const [create = '', ...indexes] = createTable(storageTable(to), target);
  return [
    `drop table if exists ${q(rebuildName)}`,
    create.replace(`create table if not exists ${q(name)}`, `create table ${q(rebuildName)}`),
    `insert into ${q(rebuildName)} (${columns}) select ${values} from ${q(name)}`,
    `drop table ${q(name)}`,
    `alter table ${q(rebuildName)} rename to ${q(name)}`,
    ...indexes,
  ].map(plain);
}

function converted(from: SchemaTable, to: SchemaColumn): string {
  const column = quoted(to.name, 'sqlite');
  const conversion = conversionOf(findColumn(from, to.name)?.type ?? to.type, to.type);
  return typeof conversion === 'function' ? conversion(column) : column;
}

function fillNulls(
  step: Extract<Step, { readonly do: 'changeColumn' }>,
  from: SchemaColumn,
  table: string,
  dialect: DialectName,
): Statement[] {
  if (step.fill === undefined) return [];
  const column = quoted(step.column.name, dialect);
  // A text that is never empty has no place for what was unset as the empty one either.
  const isFilled = step.column.filled === true && from.filled !== true && from.values === undefined;
  const unset = `${column} is null${isFilled ? ` or ${column} = ''` : ''}`;
  const value = fillSql(from, step.fill, dialect);
  return [portions(`update ${table} set ${column} = ${value} where ${unset}`, dialect)];
}

/** A text that was unset as the empty one is unset as null from now on. */
function emptyToNull(from: SchemaColumn, to: SchemaColumn, table: string, dialect: DialectName): Statement[] {
  if (to.nullable !== true || to.filled !== true || from.filled === true || from.values !== undefined) return [];
  const column = quoted(to.name, dialect);
  return [portions(`update ${table} set ${column} = null where ${column} = ''`, dialect)];
}

function renameWords(
  step: Extract<Step, { readonly do: 'renameValues' }>,
  before: Schema,
  table: string,
  dialect: DialectName,
): Statement[] {
  if (columnIn(before, step)?.values === undefined) return [];
  const column = quoted(step.column, dialect);
  const pairs = Object.entries(step.values);
  const cases = pairs.map(([now, old]) => `when ${literal(old, dialect)} then ${literal(now, dialect)}`).join(' ');
  const olds = pairs.map(([, old]) => literal(old, dialect)).join(', ');
  return [
    portions(`update ${table} set ${column} = case ${column} ${cases} end where ${column} in (${olds})`, dialect),
  ];
}

/** In portions on a server, so that no transaction grows with the table; SQLite has one writer anyway. */
const portions = (sql: string, dialect: DialectName): Statement =>
  dialect === 'sqlite' ? plain(sql) : { sql: `${sql} limit ${portion}`, forms: [], repeats: true };

/** What the rows that exist get in a new column, '' for null. It stays as the default, for a service that does not know the column yet. */
function defaultSql(column: SchemaColumn, fill: FillValue | undefined, dialect: DialectName): string {
  if (column.madeFrom !== undefined && column.nullable !== true) return "''";
  return fill === undefined ? '' : fillSql(column, fill, dialect);
}

/** A value for a column as SQL has it. */
const fillSql = (column: SchemaColumn, fill: FillValue, dialect: DialectName): string =>
  literal(encode(fill, typeOf(column), dialect), dialect);

/** A value as SQL has it; texts of descriptors and of the command line are among them. */
export function literal(value: Bound, dialect: DialectName): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return `x'${Buffer.from(value).toString('hex')}'`;
  const text = dialect === 'mysql' ? value.replaceAll('\\', '\\\\') : value;
  return `'${text.replaceAll("'", "''")}'`;
}

/** The type of a column as each database has it, for the eye: `text`, `varchar(255)`. */
export const typeWords = (column: SchemaColumn, dialect: DialectName): string =>
  columnSql(typeOf(column), dialect, '').replace(/ (character set|collate).*$/, '');
