// Keeps processes of an older version from writing during and after a migration. It raises the revision of the schema before the
// first step that is not additive, in a transaction that waits for all writes that have begun.
import { setTimeout as delay } from 'node:timers/promises';
import { isMigrating, movedTablePrefix, readRevision } from '../../storage/rows/schema-revision.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { adaptStep } from '../plan/adapt.ts';
import { isAdditive, isComputedLater, type MovedTables, movedTables } from '../plan/additive.ts';
import type { Schema } from '../plan/schema.ts';
import { applyStep, type Step } from '../plan/steps.ts';
import { type DoneStep, noteDone } from './history.ts';
import { type Lock, repeatWithPauses } from './lock.ts';

/** Longer than a process takes to read the revision again (2 s). */
const usualNoticeMs = 3000;

/** Names of the rows of `praxis_migration` that name a migration that has begun and is not finished. */
const begunPrefix = '0000_begun/';
/** Stands for the name of a migration if a start runs the steps. */
export const startName = 'start';

/** Lists the migrations that have begun and are not finished. */
export const begunMigrations = (done: readonly DoneStep[]): readonly string[] =>
  done.flatMap(({ name }) => (name.startsWith(begunPrefix) ? [name.slice(begunPrefix.length)] : []));

interface MigrationRun {
  readonly database: Database;
  readonly lock: Lock;
  readonly steps: readonly { readonly step: Step; readonly place: DoneStep | undefined }[];
  /** The schema before the first of them. */
  readonly recorded: Schema;
  /** How long older processes take to notice that they are refused, in ms. */
  readonly noticeMs: number | undefined;
}

/** Older processes during one run of migrations. */
export class OlderProcesses {
  readonly #run: MigrationRun;
  /** Names of the migrations. */
  readonly #names: readonly string[];
  readonly #movedTables: MovedTables;
  /** Columns that a step computes at the end, as `table.column`. */
  readonly #computedColumns: ReadonlySet<string>;
  /** The revision before; undefined if a run that did not finish has raised it. */
  #before: number | undefined;
  #isClosed = false;
  #isChanged = false;

  constructor(run: MigrationRun) {
    this.#run = run;
    this.#names = [...new Set(run.steps.map(({ place }) => place?.name ?? startName))];
    const parts: [Step, Schema][] = [];
    let now = run.recorded;
    for (const { step } of run.steps)
      for (const part of adaptStep(step, now)) {
        parts.push([part, now]);
        now = applyStep(now, part);
      }
    this.#movedTables = movedTables(parts);
    this.#computedColumns = new Set(parts.flatMap(([part]) => listComputedColumns(part)));
  }

  /** Reports whether they may write during a step. @param now the schema before it */
  mayWriteDuring(step: Step, now: Schema): boolean {
    const parts = adaptStep(step, now);
    // A start has made the table already, so that older processes may write it.
    if (step.do === 'createTable' && parts.some((part) => part.do !== 'createTable')) return false;
    const { recorded } = this.#run;
    return parts.every(
      (part) => isAdditive(part, recorded) || isComputedLater(part, recorded) || this.#isComputedColumn(part),
    );
  }

  /** Reports whether a step adds a column in which rows of older processes have a default until it is computed. */
  #isComputedColumn(part: Step): boolean {
    if (part.do !== 'addColumn' || !this.#computedColumns.has(`${part.table}.${part.column.name}`)) return false;
    // The default of a reference that must not be empty names no record.
    return part.column.nullable === true || part.column.references === undefined;
  }

  /** Whether they are refused already. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Refuses their writes from here on, and waits for those that have begun. @throws ConfigurationFault if one does not end */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const { database, noticeMs = usualNoticeMs } = this.#run;
    await repeatWithPauses('keeps older processes from writing', () =>
      database.transact((session) => this.#raise(session)),
    );
    this.#isClosed = true;
    // A renamed column is an error for an older process. A name or value with a new meaning is not: wait until it is noticed.
    if (this.#movedTables.isSilent) await delay(noticeMs);
  }

  /**
   * Computes values of rows. The first pass runs while older processes write. The second, without them, computes the rows that
   * they have written since.
   */
  async closeBetween(compute: () => Promise<void>): Promise<void> {
    if (!this.#isClosed) await compute();
    await this.close();
    this.noteChange();
    await compute();
  }

  async #raise(session: Session): Promise<void> {
    const { database, lock } = this.#run;
    const { dialect } = database;
    await lock.renew(session);
    // Waits for transactions and statements with a shared lock on it.
    const oldRevision = await readRevision(session, dialect.forUpdate);
    const isRaised = isMigrating(oldRevision);
    const revision = isRaised ? oldRevision : oldRevision + 1;
    this.#before = isRaised ? undefined : oldRevision;
    if (!isRaised) await session.run("update praxis_state set revision = ? where name = 'schema'", [revision]);
    for (const name of this.#names)
      await noteDone(session, dialect, { name: `${begunPrefix}${name}`, step: 0, checksum: 'begun' });
    for (const table of this.#movedTables.tables)
      await noteDone(session, dialect, { name: `${movedTablePrefix}${table}`, step: revision, checksum: 'moved' });
  }

  /** Notes that a step has changed the database. */
  noteChange(): void {
    if (this.#isClosed) this.#isChanged = true;
  }

  /** After a failure: lets them write again if nothing was changed. */
  async reopen(): Promise<void> {
    const { database } = this.#run;
    const before = this.#before;
    if (!this.#isClosed || this.#isChanged || before === undefined) return;
    await database.transact(async (session) => {
      await session.run("update praxis_state set revision = ? where name = 'schema' and revision = ?", [
        before,
        before + 1,
      ]);
      for (const name of this.#names) await forgetBegun(session, name);
    });
  }
}

/** Lists the columns that a step computes for all rows. Those that are taken at times are not among them. */
function listComputedColumns(step: Step): readonly string[] {
  if (step.do !== 'computeFigures') return [];
  const fields = Object.entries(step.formulas).flatMap(([name, formula]) => (formula === null ? [] : [name]));
  return [...fields, ...Object.keys(step.states ?? {})].map((name) => `${step.table}.${name}`);
}

const forgetBegun = (session: Session, name: string): Promise<number> =>
  session.run('delete from praxis_migration where name = ?', [`${begunPrefix}${name}`]);

/** Notes that no migration is under way any more: processes that start now work at this revision. */
export async function settleRevision(session: Session): Promise<void> {
  await session.run("update praxis_state set revision = revision + 1 where name = 'schema' and revision % 2 = 1", []);
  await session.run(`delete from praxis_migration where name like '${begunPrefix}%'`, []);
}
