// The dialects of MySQL, MariaDB and TiDB: types with lengths and collations, row locks, an optimizer that has to be led.
import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely';
import { trimDecimal } from '../../values/decimal.ts';
import type { ColumnFormats } from '../schema/column-types.ts';
import type { Dialect } from '../schema/dialect.ts';
import { bit, digest, moment, number, pointed, text, utf8 } from '../schema/encodings.ts';
import type { AnyDatabase } from '../schema/sql.ts';
import { mysqlFormulasIn } from './formulas.ts';

const ascii = 'character set ascii collate ascii_bin';

const columnsIn = (collation: string): ColumnFormats => {
  const unicode = `character set utf8mb4 collate ${collation}`;
  return {
    id: { sqlType: () => `char(36) ${ascii}`, ...text },
    text: {
      sqlType({ length }) {
        if (length <= 255) return `varchar(${length}) ${unicode}`;
        return length <= 16_383 ? `text ${unicode}` : `mediumtext ${unicode}`;
      },
      ...text,
    },
    word: { sqlType: ({ length }) => `varchar(${length}) ${ascii}`, ...text },
    // Bytes of UTF-8: folding may triple the characters of a text, but never needs more bytes than 4 a character.
    folded: { sqlType: ({ length }) => `varbinary(${length * 4})`, ...utf8 },
    key: { sqlType: () => 'binary(32)', ...digest },
    integer: { sqlType: () => 'bigint', ...number },
    boolean: { sqlType: () => 'tinyint(1)', ...bit },
    decimal: { sqlType: ({ precision, scale }) => `decimal(${precision}, ${scale})`, ...pointed },
    date: { sqlType: () => 'date', ...text },
    dateTime: { sqlType: () => 'datetime(3)', ...moment },
    // Not JSON: MySQL's own type reformats what it is given, and both databases must answer the same bytes.
    json: { sqlType: () => `mediumtext ${unicode}`, ...text },
    bytes: { sqlType: () => 'mediumblob', ...digest },
  };
};

const builder = new Kysely<AnyDatabase>({
  dialect: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
});

interface Own {
  /** The binary collation of the server: exact, without padding. */
  readonly collation: string;
  readonly longTextsTakeLiterals: boolean;
}

const dialectIn = ({ collation, longTextsTakeLiterals }: Own): Dialect => ({
  name: 'mysql',
  label: 'MySQL',
  isEmbedded: false,
  hasOneWriter: false,
  hasTransactionalDdl: false,
  columns: columnsIn(collation),
  builder,
  quote: (name) => `\`${name}\``,
  quoteText: (words) => `'${words.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  characterCount: 'char_length',
  nowMs: 'cast(unix_timestamp(now(3)) * 1000 as signed)',
  tableOptions: `engine=InnoDB row_format=dynamic default character set utf8mb4 collate ${collation}`,
  longTextsTakeLiterals,
  risingKey: 'bigint unsigned not null auto_increment primary key',
  indexesWithTable: true,
  keysNeedTarget: true,
  tablesAmong: (names) =>
    `select table_name from information_schema.tables where table_schema = database() and table_name in (${names.map((name) => `'${name}'`).join(', ')})`,
  insertIgnore: 'insert ignore',
  onConflict: () => 'on duplicate key update',
  readsUpdatedTable: false,
  nullSafeEqual: '<=>',
  forUpdate: 'for update',
  forUpdateNow: 'for update nowait',
  forShare: 'lock in share mode',
  serverMs: 'round(unix_timestamp(current_timestamp(3)) * 1000)',
  selectInOrder: 'select straight_join',
  joinInOrder: 'straight_join',
  useIndex: (index) => `force index (${index})`,
  keepsInnerOrder: false,
  ordersUnionParts: true,
  seeksRowValues: false,
  within: (column, { conditions }) => conditions(column),
  // Its sums of whole numbers and of decimals are decimals, with 65 digits.
  sums: { cells: 1, sql: (column) => [sql`cast(sum(${column}) as char)`], read: ([sum = '0']) => trimDecimal(sum) },
  contains: (whole, part) => sql`locate(${part}, ${whole})`,
  formulas: mysqlFormulasIn(collation),
  entriesAtOnce: 10_000,
});

export const mysqlDialect = dialectIn({ collation: 'utf8mb4_0900_bin', longTextsTakeLiterals: false });
/** MariaDB, whose collation has another name. */
export const mariaDbDialect = dialectIn({ collation: 'utf8mb4_nopad_bin', longTextsTakeLiterals: true });
