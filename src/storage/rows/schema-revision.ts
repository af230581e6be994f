// Schema revision: whether the database is still the one that this process was built for. A migration that is not additive raises
// the revision before its first such step. Every write reads it in its own transaction or statement.
import { sql } from 'kysely';
import { problems } from '../../problems.ts';
import type { Row } from '../schema/cells.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Database, Session } from '../schema/session.ts';
import type { Sql } from '../schema/sql.ts';

/** Names of the rows of `praxis_migration` that name a renamed or dropped table; `step` is the revision that did it. */
export const movedTablePrefix = '0000_moved/';

const selectRevision = "select revision from praxis_state where name = 'schema'";
const selectMovedTables = `select name from praxis_migration where name like '${movedTablePrefix}%' and step > ?`;

/**
 * Returns a number as SQL that is null if the database has another revision than the one bound to `revision`. In place of a
 * number that is never null, it fails the statement that it is part of, and it waits for a migration that is about to begin.
 */
export const numberAtRevision = (number: number, revision: Sql, { forShare }: Pick<Dialect, 'forShare'>): Sql =>
  sql`(select ${sql.raw(String(number))} from praxis_state where name = 'schema' and revision = ${revision} ${sql.raw(forShare)})`;

/** Reads the revision of a database. @param lock Words of the dialect. @throws if it has no table for it */
export async function readRevision(session: Pick<Session, 'all'>, lock = ''): Promise<number> {
  return revisionIn(await session.all(`${selectRevision} ${lock}`, []));
}

const revisionIn = (rows: readonly Row[]): number => Number(rows[0]?.[0] ?? Number.NaN);

/** Reports whether a migration that is not additive has begun and is not finished. */
export const isMigrating = (revision: number): boolean => revision % 2 === 1;

/** The revision that a process works with. */
export class SchemaRevision {
  readonly #session: Pick<Session, 'all'>;
  readonly #dialect: Dialect;
  #own: number | undefined;
  #isOutdated = false;
  /** Matches statements that read a renamed or dropped table; undefined if no table is. */
  #movedReads: RegExp | undefined;

  constructor({ all, dialect, deadlineMs }: Pick<Database, 'all' | 'dialect' | 'deadlineMs'>) {
    this.#session = { all: (statement, values) => all(statement, values, { deadlineMs }) };
    this.#dialect = dialect;
  }

  /** The revision that this process works with; undefined until it has a database that fits its descriptors. */
  get own(): number | undefined {
    return this.#own;
  }

  /** Whether the database is ahead of this process, by the last read. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** From here on, writes of records are refused at any other revision. */
  adopt(revision: number): void {
    this.#own = revision;
  }

  /** Reports whether a statement reads a table that the migration has renamed or dropped, or a column of it. */
  isMoved(statement: string): boolean {
    return this.#isOutdated && this.#movedReads?.test(statement) === true;
  }

  /** Reads the revision again. Never throws. @returns whether the database is ahead of this process */
  async look(): Promise<boolean> {
    const own = this.#own;
    if (own === undefined) return false;
    try {
      this.#isOutdated = (await readRevision(this.#session)) !== own;
      if (this.#isOutdated) await this.#readMovedTables(own);
    } catch {
      // Without an answer, the last result stays.
    }
    return this.#isOutdated;
  }

  async #readMovedTables(own: number): Promise<void> {
    const rows = await this.#session.all(selectMovedTables, [own]);
    const names = rows.map(([name]) => this.#dialect.quote(String(name).slice(movedTablePrefix.length)));
    this.#movedReads = names.length === 0 ? undefined : new RegExp(`\\b(?:from|join)\\s+(?:${names.join('|')})`);
  }

  /**
   * Does work in a transaction that writes records. It reads the revision together with the first statement of the work, and
   * a migration waits until the transaction is over.
   * @throws Problem 503 "service-outdated" if the database is ahead
   */
  async guard<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    const own = this.#own;
    if (own === undefined) return work(session);
    let isOutdated = false;
    let readError: unknown;
    // Never rejects, because the work may still run when the read fails.
    const reading = readRevision(session, this.#dialect.forShare).then(
      (revision) => {
        isOutdated = revision !== own;
        if (isOutdated) this.#isOutdated = true;
      },
      (error: unknown) => {
        readError = error;
      },
    );
    try {
      const result = await work({
        all: (text, values) => (isOutdated ? outdated() : session.all(text, values)),
        run: (text, values) => (isOutdated ? outdated() : session.run(text, values)),
      });
      await reading;
      if (readError !== undefined) throw readError;
      return isOutdated ? await outdated() : result;
    } catch (error) {
      await reading;
      throw isOutdated ? problems.serviceOutdated() : error;
    }
  }
}

const outdated = (): Promise<never> => Promise.reject(problems.serviceOutdated());
