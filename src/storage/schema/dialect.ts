// What differs between database engines, as one value per engine: `sqlite/dialect.ts` and `mysql/dialect.ts`. All other code asks
// it how to spell something or whether the engine can do it, and never for the engine's name.

import type { Kysely } from 'kysely';
import type { ColumnFormats } from './column-types.ts';
import type { FormulaSpelling } from './formula-spelling.ts';
import type { AnyDatabase, Sql } from './sql.ts';

export type DialectName = 'sqlite' | 'mysql';

/** How one engine keeps values and spells statements, and what it can do. */
export interface Dialect {
  /** For tables of what belongs to an engine elsewhere: a `Record` of all names does not compile without one of them. */
  readonly name: DialectName;
  /** As people call it. */
  readonly label: string;

  /** Whether it runs within this process, on a file of its own. */
  readonly isEmbedded: boolean;
  /** Whether nobody else writes while a transaction does: it has nothing to lock, and nobody to keep waiting. */
  readonly hasOneWriter: boolean;
  /** Whether changes of tables are part of a transaction; else each commits by itself. */
  readonly hasTransactionalDdl: boolean;

  readonly columns: ColumnFormats;
  /** Compiles what is built with Kysely. */
  readonly builder: Kysely<AnyDatabase>;

  /** A name of a table, a column or an index. Names come from descriptors, whose checks leave letters, digits and underscores. */
  quote(name: string): string;
  /** A text as a literal. */
  quoteText(text: string): string;
  /** Characters of a text, as the name of the function. */
  readonly characterCount: string;
  /** Milliseconds since 1970 by the clock of the database, which all its clients share. */
  readonly nowMs: string;

  /** What `create table` ends with. */
  readonly tableOptions: string;
  /** Whether a text of any length takes a literal as its default; else an expression, which only a column that is there takes at once. */
  readonly longTextsTakeLiterals: boolean;
  /** The type of a primary key that the engine gives: each is greater than all before it, those of rows that are gone among them. */
  readonly risingKey: string;
  /** Whether `create table` takes the indexes; else each is a statement of its own. */
  readonly indexesWithTable: boolean;
  /** Whether a foreign key can be made only when the table that it leads to is there. */
  readonly keysNeedTarget: boolean;
  /** Asks which tables there are of these names. */
  tablesAmong(names: readonly string[]): string;

  /** An insert that leaves rows alone whose key is there already. */
  readonly insertIgnore: string;
  /** Between an insert and the assignments that take its place where the key is there already. */
  onConflict(key: string): string;
  /** Whether the condition of an update may read other rows of the table that it changes. */
  readonly readsUpdatedTable: boolean;
  /** Equality that holds for two nulls. */
  readonly nullSafeEqual: string;
  /** Behind a select: keeps others from changing its rows until the transaction ends. Empty where nobody could. */
  readonly forUpdate: string;
  /** The same as `forUpdate`, but fails where somebody else has one of them. */
  readonly forUpdateNow: string;
  /** The same, but several may do so at once. */
  readonly forShare: string;
  /** The time of the database server in milliseconds since 1970; `null` for an embedded database. */
  readonly serverMs: string;

  /** A select that reads its tables in the order in which it names them. */
  readonly selectInOrder: string;
  /** A join to a table that is read after those before it. */
  readonly joinInOrder: string;
  /** Behind a table: the index along which it is read. */
  useIndex(index: string): string;
  /** Whether rows of a select within a select come in its order by themselves. To sort them, all would be read first. */
  readonly keepsInnerOrder: boolean;
  /** Whether a part of a union may be in order, in parentheses; else only as a table of its own. */
  readonly ordersUnionParts: boolean;
  /** Whether an index is sought for `(a, b) > (x, y)`; else that is spelt with `or`. */
  readonly seeksRowValues: boolean;
  /** The conditions of several bounds on one side of a column, spelt so that its index is sought by the tightest. */
  within(column: Sql, bounds: Bounds): readonly Sql[];
  readonly sums: ExactSums;
  /** Whether a text has another one in it. */
  contains(text: Sql, part: Sql): Sql;
  /** How it says formulas. */
  readonly formulas: FormulaSpelling;
  /** Entries of an index that one statement may read while others wait: a few milliseconds. */
  readonly entriesAtOnce: number;
}

/** Sums of numbers that lose no digit, however many there are. */
interface ExactSums {
  /** How many cells a sum takes. */
  readonly cells: number;
  sql(column: Sql): readonly Sql[];
  /** Plain notation. @param scale Decimals of the column. */
  read(cells: readonly string[], scale: number): string;
}

/** Bounds on one side of a column. */
interface Bounds {
  readonly side: 'lower' | 'upper';
  readonly values: readonly Sql[];
  /** Their conditions on the column, or on an expression that stands for it. */
  conditions(column: Sql): readonly Sql[];
}
