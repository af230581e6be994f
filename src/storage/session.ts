// The waist between statements and the two databases: rows come back as arrays, in the order of the selected columns.

export type DialectName = 'sqlite' | 'mysql';

/** What may be bound to a statement. Nothing else reaches a driver, so that no object can turn into SQL or into NULL. */
export type Bound = string | number | bigint | null | Uint8Array;
/** A cell as the driver gives it: text, number, null or bytes. */
export type Cell = string | number | null | Uint8Array;
export type Row = readonly Cell[];

/** One connection, inside a transaction or outside. */
export interface Session {
  /** Runs a statement that returns rows. */
  all(sql: string, values: readonly Bound[]): Promise<Row[]>;
  /** Runs a statement that returns none. @returns the number of rows that its condition matched, changed or not. */
  run(sql: string, values: readonly Bound[]): Promise<number>;
}

/** A database that is open. Errors of its drivers arrive as they are; `run.ts` says what they mean. */
export interface Database extends Session {
  readonly dialect: DialectName;
  /** `sqlite 3.53.4`, `mariadb 10.11.19`, `mysql 8.4.0`. */
  readonly server: string;
  /** True for MariaDB, whose collations and hints differ from MySQL's. */
  readonly isMariaDb: boolean;
  /** One attempt of a transaction: begin, work, commit; rolled back when `work` throws. Retries live in `run.ts`. */
  transact<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Work that changes tables, on a connection without a limit of time and with foreign keys off, so that a table can be
   * rebuilt. On SQLite one transaction, whose foreign keys are checked before it commits; on MySQL, where each change of a
   * table commits by itself, none.
   */
  restructure<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Statements of that kind, one after the other. */
  script(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Runs statements without values, one after the other. */
export async function runAll(session: Session, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await session.run(sql, []);
}
