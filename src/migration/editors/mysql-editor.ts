// Changes tables in MySQL and MariaDB: each change commits by itself, in the cheapest form that the server supports.

import { mysqlDialect } from '../../storage/mysql/dialect.ts';
import { columnSql } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { foreignKeyName } from '../../storage/schema/tables.ts';
import { columnLine, createTable, foreignKeySql, indexLine } from '../../storage/statements/ddl.ts';
import { typeOf } from '../plan/column-type.ts';
import {
  columnIn,
  findTable,
  foreignKeyOf,
  type Schema,
  type SchemaColumn,
  storageColumn,
  storageIndex,
  storageTable,
} from '../plan/schema.ts';
import { type Step, tableOfStep } from '../plan/steps.ts';
import { defaultSql, emptyToNull, fillUnset, renameWords } from '../rows/row-updates.ts';
import { type Form, plain, type SchemaEditor, type Statement, type Target } from './schema-editor.ts';

const isNumbered = (error: unknown, numbers: ReadonlySet<unknown>): boolean =>
  error instanceof Error && 'errno' in error && numbers.has(error.errno);

/** Not supported in this form; the reason may follow. */
const refusals: ReadonlySet<unknown> = new Set([1845, 1846, 1221, 8200]);

const formOf = (name: string, clause: string): Form => ({
  name,
  isRebuild: name === 'copy',
  of: (sql) => `${sql}, ${clause}`,
  isRefused: (error) => isNumbered(error, refusals),
});
const instant = formOf('instant', 'algorithm=instant');
const inplace = formOf('inplace', 'algorithm=inplace, lock=none');
const copy = formOf('copy', 'algorithm=copy, lock=shared');

const alter = (sql: string, ...forms: Form[]): Statement => ({ sql, forms, lastForm: copy, repeats: false });

const rowsAPortion = 5000;
/** So that no transaction grows with the table. */
const inPortions = (sql: string): Statement => ({ sql: `${sql} limit ${rowsAPortion}`, forms: [], repeats: true });

/** Column, key or table that is there already, or is there no more. */
const repetitions: ReadonlySet<unknown> = new Set([1050, 1051, 1054, 1060, 1061, 1091, 1146, 1826, 1005]);

export const mysqlEditor: SchemaEditor = {
  catalogue: {
    columns: `select table_name, column_name, column_type, collation_name, is_nullable = 'YES', column_default is not null, 0
      from information_schema.columns where table_schema = database()`,
    indexes: `select table_name, index_name, non_unique = 0, column_name, index_name = 'PRIMARY'
      from information_schema.statistics where table_schema = database() order by seq_in_index`,
    foreignKeys: `select table_name, column_name, referenced_table_name, constraint_name
      from information_schema.key_column_usage where table_schema = database() and referenced_table_name is not null`,
    fingerprint: `select concat(count(*), '-', coalesce(sum(crc32(concat_ws(',', table_name, column_name, column_type, is_nullable, column_key))), 0))
    from information_schema.columns where table_schema = database()`,
  },
  // MariaDB gives integers a width; blanks and case tell nothing, and a collation tells its character set.
  plainType: (type) =>
    type
      .toLowerCase()
      .replaceAll(', ', ',')
      .replace(/ character set \w+ collate /, ' ')
      .replace(/^(bigint|int)\(\d+\)$/, '$1'),
  statements: statementsOf,
  columnWork(from, to) {
    const isNullSame = (from.nullable === true) === (to.nullable === true);
    const [one, other] = [from, to].map((column) => columnSql(typeOf(column), mysqlDialect));
    if (one === other) return isNullSame ? 'none' : 'online';
    return isGrowth(from, to) ? 'online' : 'rebuild';
  },
  classOf: (step) => (step.do === 'addForeignKey' ? 'online' : 'metadata'),
  isRepetition: (error) => isNumbered(error, repetitions),
};

function statementsOf(step: Step, before: Schema, { dialect, keyName }: Target): readonly Statement[] {
  const { quote } = dialect;
  const table = quote(tableOfStep(step));
  switch (step.do) {
    case 'createTable': {
      const made = storageTable(step.table);
      const isThere = (name: string): boolean => name === made.name || findTable(before, name) !== undefined;
      const foreignKeys = made.foreignKeys
        .filter((key) => isThere(key.target))
        .map((key) => ({ ...key, name: keyName?.(made.name, key.column) ?? key.name }));
      return createTable({ ...made, foreignKeys }, dialect).map(plain);
    }
    case 'dropTable':
      return [plain(`drop table if exists ${table}`)];
    case 'renameTable':
      return [plain(`rename table ${table} to ${quote(step.to)}`)];
    case 'addColumn':
      return addColumn(step, table, dialect);
    case 'dropColumn':
      return [alter(`alter table ${table} drop column ${quote(step.column)}`, instant, inplace)];
    case 'renameColumn':
      return [alter(`alter table ${table} rename column ${quote(step.column)} to ${quote(step.to)}`, instant, inplace)];
    case 'changeColumn': {
      const from = columnIn(before, step) ?? step.column;
      const work = mysqlEditor.columnWork(from, step.column);
      const modify = `alter table ${table} modify column ${columnLine(storageColumn(step.column), dialect)}`;
      // Empty texts become null only where null is allowed; nulls are filled before it no longer is.
      return [
        ...fillUnset(step, from, dialect).map(inPortions),
        ...(work === 'none' ? [] : [alter(modify, instant, inplace, ...(work === 'rebuild' ? [copy] : []))]),
        ...emptyToNull(step, from, dialect).map(inPortions),
      ];
    }
    case 'renameValues':
      return renameWords(step, before, dialect).map(inPortions);
    case 'fillColumn':
    case 'computeColumn':
    case 'computeFigures':
    case 'noteStates':
    case 'changeLimits':
      return [];
    case 'addIndex':
      return [alter(`alter table ${table} add ${indexLine(storageIndex(step.index), dialect)}`, inplace)];
    case 'dropIndex':
      return [alter(`alter table ${table} drop key ${quote(step.index)}`, inplace)];
    case 'renameIndex':
      return [alter(`alter table ${table} rename key ${quote(step.index)} to ${quote(step.to)}`, instant, inplace)];
    case 'addForeignKey': {
      const column = { ...(columnIn(before, step) ?? { name: step.column, type: 'id' }), references: step.references };
      const key = foreignKeyOf(step.table, column);
      if (key === undefined) return [];
      const name = keyName?.(step.table, step.column) ?? key.name;
      return [alter(`alter table ${table} add ${foreignKeySql({ ...key, name }, dialect)}`, inplace)];
    }
    case 'dropForeignKey': {
      const name = keyName?.(step.table, step.column) ?? foreignKeyName(step.table, step.column);
      return [alter(`alter table ${table} drop foreign key ${quote(name)}`, instant, inplace)];
    }
  }
}

/**
 * A new column with a literal as its default takes no look at a row. A long text on MySQL can have an expression alone: a
 * new column with one copies the table, one that is there takes it at once, and rows are filled behind that.
 */
function addColumn(step: Extract<Step, { readonly do: 'addColumn' }>, table: string, dialect: Dialect): Statement[] {
  const column = storageColumn(step.column);
  const line = columnLine(column, dialect);
  const add = `alter table ${table} add column ${line}`;
  const missing = defaultSql(step, dialect);
  if (missing === '') return [alter(add, instant, inplace)];
  const isLongText = /^(medium)?text /.test(columnSql(column.type, dialect));
  if (!isLongText || dialect.longTextsTakeLiterals) return [alter(`${add} default ${missing}`, instant, inplace)];
  const name = dialect.quote(column.name);
  const isEmpty = column.nullable ? `${name} is null` : `${name} = ''`;
  return [
    alter(add, instant, inplace),
    alter(`alter table ${table} modify column ${line} default (${missing})`, instant, inplace),
    ...(missing === "''" ? [] : [inPortions(`update ${table} set ${name} = ${missing} where ${isEmpty}`)]),
  ];
}

/** Bytes that a text of varying length takes at most; undefined for other columns. */
function bytesOf(column: SchemaColumn): { readonly family: string; readonly bytes: number } | undefined {
  const type = typeOf(column);
  if (type.kind === 'text') return type.length <= 255 ? { family: 'text', bytes: type.length * 4 } : undefined;
  if (type.kind === 'word') return { family: 'word', bytes: type.length };
  return type.kind === 'folded' ? { family: 'folded', bytes: type.length * 4 } : undefined;
}

/** A longer text whose length is still kept in as many bytes: one up to 255, two above. */
function isGrowth(from: SchemaColumn, to: SchemaColumn): boolean {
  const [before, after] = [bytesOf(from), bytesOf(to)];
  if (before === undefined || after === undefined || before.family !== after.family) return false;
  return before.bytes <= after.bytes && before.bytes > 255 === after.bytes > 255;
}
