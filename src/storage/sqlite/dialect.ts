// The dialect of SQLite: strict tables, one writer, indexes that must be named to be used.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { scaledToText } from '../../values/scaled.ts';
import type { ColumnFormats, ColumnType, Encoding } from '../schema/column-types.ts';
import type { Dialect } from '../schema/dialect.ts';
import { bit, digest, number, scaled, text } from '../schema/encodings.ts';
import { type AnyDatabase, LimitParam } from '../schema/sql.ts';
import { sqliteFormulas } from './formulas.ts';

const format = <T extends ColumnType>(sqlType: string, encoding: Encoding<T>) => ({
  sqlType: () => sqlType,
  ...encoding,
});

const columns: ColumnFormats = {
  id: format('text', text),
  text: format('text', text),
  word: format('text', text),
  folded: format('text', text),
  key: format('blob', digest),
  integer: format('integer', number),
  boolean: format('integer', bit),
  decimal: format('integer', scaled),
  date: format('text', text),
  dateTime: format('text', text),
  json: format('text', text),
  bytes: format('blob', digest),
};

/**
 * SQLite plans by the value of a parameter that is the whole limit, and so prepares such a statement anew each time that it is
 * bound, which takes longer than most of them run. An expression is left alone.
 */
class Compiler extends SqliteQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    if (parameter instanceof LimitParam) this.append('+');
    super.appendValue(parameter);
  }
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  label: 'SQLite',
  isEmbedded: true,
  hasOneWriter: true,
  hasTransactionalDdl: true,
  columns,
  builder: new Kysely<AnyDatabase>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new Compiler(),
    },
  }),
  quote: (name) => `"${name}"`,
  quoteText: (words) => `'${words.replaceAll("'", "''")}'`,
  characterCount: 'length',
  nowMs: "cast(unixepoch('subsec') * 1000 as integer)",
  tableOptions: 'strict',
  longTextsTakeLiterals: true,
  risingKey: 'integer primary key autoincrement',
  indexesWithTable: false,
  // A table is asked for only when its key is used.
  keysNeedTarget: false,
  tablesAmong: (names) =>
    `select name from sqlite_schema where type = 'table' and name in (${names.map((name) => `'${name}'`).join(', ')})`,
  insertIgnore: 'insert or ignore',
  onConflict: (key) => `on conflict (${key}) do update set`,
  readsUpdatedTable: true,
  nullSafeEqual: 'is',
  forUpdate: '',
  forUpdateNow: '',
  forShare: '',
  serverMs: 'null',
  selectInOrder: 'select',
  joinInOrder: 'cross join',
  useIndex: (index) => `indexed by ${index}`,
  // Rows are handed on as the index gives them, and it stops when there are enough.
  keepsInnerOrder: true,
  ordersUnionParts: false,
  seeksRowValues: true,
  // Of two bounds only the one is sought that it looks at first: it is given the tightest beforehand. The plus keeps it
  // from looking at the others.
  within(column, { side, values, conditions }) {
    if (values.length < 2) return conditions(column);
    const given = sql.join([...values]);
    const tightest = side === 'lower' ? sql`${column} >= max(${given})` : sql`${column} <= min(${given})`;
    return [tightest, ...conditions(sql`(+${column})`)];
  },
  // Its integers have 64 bits, and a sum that has more fails: the last nine digits are added up by themselves.
  sums: {
    cells: 2,
    sql: (column) => [sql`cast(sum(${column} / 1000000000) as text)`, sql`cast(sum(${column} % 1000000000) as text)`],
    read: ([high = '0', low = '0'], scale) => scaledToText(String(BigInt(high) * 1_000_000_000n + BigInt(low)), scale),
  },
  contains: (whole, part) => sql`instr(${whole}, ${part})`,
  formulas: sqliteFormulas,
  // Nothing else is done meanwhile.
  entriesAtOnce: 2000,
};
