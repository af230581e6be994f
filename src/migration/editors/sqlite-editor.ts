// Changes tables in SQLite: in a transaction, and by rebuilding a table where it has no statement for a change.
import { columnSql } from '../../storage/schema/columns.ts';
import { sqliteDialect } from '../../storage/sqlite/dialect.ts';
import { columnLine, createIndex, createTable } from '../../storage/statements/ddl.ts';
import { typeOf } from '../plan/column-type.ts';
import { pointShift } from '../plan/conversions.ts';
import {
  columnIn,
  findColumn,
  findIndex,
  findTable,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
  storageColumn,
  storageIndex,
  storageTable,
} from '../plan/schema.ts';
import { applyStep, isOfNewColumn, type Step, tableOfStep } from '../plan/steps.ts';
import { defaultSql, emptyToNull, fillUnset, renameWords } from '../rows/row-updates.ts';
import { plain, type SchemaEditor } from './schema-editor.ts';

const { quote } = sqliteDialect;
const rebuildName = 'praxis_rebuild';

export const sqliteEditor: SchemaEditor = {
  catalogue: {
    columns: `select m.name, c.name, c.type, null, c."notnull" = 0, c.dflt_value is not null, c.pk
      from sqlite_schema as m join pragma_table_info(m.name) as c where m.type = 'table' order by c.pk`,
    indexes: `select m.name, i.name, i."unique", c.name, 0 from sqlite_schema as m join pragma_index_list(m.name) as i
      join pragma_index_info(i.name) as c where m.type = 'table' and i.origin = 'c' order by c.seqno`,
    foreignKeys: `select m.name, k."from", k."table", '' from sqlite_schema as m join pragma_foreign_key_list(m.name) as k
      where m.type = 'table'`,
    // Counted up by each change of the schema.
    fingerprint: 'select schema_version from pragma_schema_version',
    losableColumns: 'select name from pragma_table_info(?)',
  },
  plainType: (type) => type.toLowerCase(),
  // Rows are changed all at once: nobody else writes in any case.
  statements: (step, before) => statementsOf(step, before).map(plain),
  columnWork(from, to) {
    const isNullSame = (from.nullable === true) === (to.nullable === true);
    const [one, other] = [from, to].map((column) => columnSql(typeOf(column), sqliteDialect));
    return isNullSame && one === other && pointShift(from.type, to.type) === 0 ? 'none' : 'rebuild';
  },
  classOf(step, before) {
    switch (step.do) {
      case 'renameIndex':
        return 'online';
      case 'addForeignKey':
        return isOfNewColumn(step, before) ? 'metadata' : 'rebuild';
      case 'dropForeignKey':
        return 'rebuild';
    }
  },
  // What was interrupted has left nothing behind.
  isRepetition: () => false,
};

function statementsOf(step: Step, before: Schema): string[] {
  const name = tableOfStep(step);
  const table = quote(name);
  switch (step.do) {
    case 'createTable':
      return createTable(storageTable(step.table), sqliteDialect);
    case 'dropTable':
      return [`drop table if exists ${table}`];
    case 'renameTable':
      return [`alter table ${table} rename to ${quote(step.to)}`];
    case 'addColumn': {
      const line = columnLine(storageColumn(step.column), sqliteDialect);
      const missing = defaultSql(step, sqliteDialect);
      const { references } = step.column;
      const key = references === undefined ? '' : ` references ${quote(references)} (${quote('id')})`;
      return [`alter table ${table} add column ${line}${missing && ` default ${missing}`}${key}`];
    }
    case 'dropColumn':
      return [`alter table ${table} drop column ${quote(step.column)}`];
    case 'renameColumn':
      return [`alter table ${table} rename column ${quote(step.column)} to ${quote(step.to)}`];
    case 'changeColumn': {
      const from = columnIn(before, step) ?? step.column;
      const isRebuilt = sqliteEditor.columnWork(from, step.column) === 'rebuild';
      return [
        ...fillUnset(step, from, sqliteDialect),
        ...(isRebuilt ? rebuild(name, before, step) : []),
        ...emptyToNull(step, from, sqliteDialect),
      ];
    }
    case 'renameValues':
      return renameWords(step, before, sqliteDialect);
    case 'fillColumn':
    case 'computeColumn':
    case 'computeFigures':
    case 'noteStates':
    case 'changeLimits':
      return [];
    case 'addIndex':
      return [createIndex(name, storageIndex(step.index), sqliteDialect)];
    case 'dropIndex':
      return [`drop index if exists ${quote(step.index)}`];
    case 'renameIndex': {
      const index = findIndex(findTable(before, name), step.index);
      const renamed = index && { ...storageIndex(index), name: step.to };
      return [
        `drop index if exists ${quote(step.index)}`,
        ...(renamed === undefined ? [] : [createIndex(name, renamed, sqliteDialect)]),
      ];
    }
    case 'addForeignKey':
      // A new column was added with its key.
      return isOfNewColumn(step, before) ? [] : rebuild(name, before, step);
    case 'dropForeignKey':
      return rebuild(name, before, step);
  }
}

/** The table anew with its rows, as https://sqlite.org/lang_altertable.html#otheralter has it; foreign keys are off meanwhile. */
function rebuild(name: string, before: Schema, step: Step): string[] {
  const from = findTable(before, name);
  const to = findTable(applyStep(before, step), name);
  if (from === undefined || to === undefined) return [];
  const columns = to.columns.map((column) => quote(column.name)).join(', ');
  const values = to.columns.map((column) => converted(from, column)).join(', ');
  const [create = '', ...indexes] = createTable(storageTable(to), sqliteDialect);
  return [
    `drop table if exists ${quote(rebuildName)}`,
    create.replace(`create table if not exists ${quote(name)}`, `create table ${quote(rebuildName)}`),
    `insert into ${quote(rebuildName)} (${columns}) select ${values} from ${quote(name)}`,
    `drop table ${quote(name)}`,
    `alter table ${quote(rebuildName)} rename to ${quote(name)}`,
    ...indexes,
  ];
}

/** Decimals are kept without their point: more digits behind it multiply, fewer divide; nothing is cut off, as the rows were checked. */
function converted(from: SchemaTable, to: SchemaColumn): string {
  const column = quote(to.name);
  const shift = pointShift(findColumn(from, to.name)?.type ?? to.type, to.type) ?? 0;
  if (shift === 0) return column;
  return `${column} ${shift > 0 ? '*' : '/'} 1${'0'.repeat(Math.abs(shift))}`;
}
