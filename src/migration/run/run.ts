// Runs steps on a database. Where DDL is transactional, a step and its record in the history are one transaction. Elsewhere
// each step first compares with what is there, so that an interrupted one is resumed. What needs consent is refused before the
// first step.
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { faultOf } from '../../storage/errors.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { unreachable } from '../../unreachable.ts';
import { classOf, classWords, mayBreakKeys } from '../editors/changes.ts';
import { editorOf } from '../editors/editors.ts';
import { freeKeyName, isLiveDone, type Live, readLive } from '../editors/live.ts';
import type { Statement } from '../editors/schema-editor.ts';
import { checksumOf, type Migration } from '../files/folder.ts';
import { adaptStep } from '../plan/adapt.ts';
import type { Schema } from '../plan/schema.ts';
import { applyStep, type Step, tableOfStep } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';
import { dataConflictOf } from '../preflight/data-conflicts.ts';
import { findLostColumns } from '../preflight/lost-columns.ts';
import { refuseDataConflicts } from '../preflight/preflight.ts';
import { computeStep } from './compute.ts';
import { askConsent, type Consent, needsRebuild } from './consent.ts';
import { type FigureFiller, type FillFigures, laterStep, listColumns, openFigures } from './figures.ts';
import { type DoneStep, forgetGroup, noteDone, noteFingerprint, noteSchema, readDone, renameGroup } from './history.ts';
import { type Lock, patiently, repeatWithPauses } from './lock.ts';
import { type LogNotes, logNotesOf, noteInLog } from './log-notes.ts';
import { OlderProcesses, settleRevision } from './older-processes.ts';
import type { OnProgress } from './progress.ts';

/** A step to be run, and where it comes from. */
export interface PlannedStep {
  readonly step: Step;
  /** In the history; undefined for steps of no file. */
  readonly place: DoneStep | undefined;
}

export interface RunOptions {
  readonly database: Database;
  readonly lock: Lock;
  readonly consent: Consent;
  /** Who computes figures; asked for only where any are new, or have another formula. */
  readonly figures?: FigureFiller | undefined;
  /** Told of each step before it begins. */
  readonly onStep?: (words: string) => void;
  /** Called after each chunk of a step that reads a table in chunks. */
  readonly onProgress?: OnProgress | undefined;
  /** Told of a step of a file that finds nothing to do, because a start has done it. */
  readonly onIdle?: () => void;
  /** How long older processes take to notice that they are refused, in ms: 3 s by default. */
  readonly noticeMs?: number | undefined;
  /** Called after each statement that has changed something: where a process may die. */
  readonly onStatement?: () => void | Promise<void>;
}

/** The steps of migrations that a database has not seen. */
export function pendingSteps(migrations: readonly Migration[], done: readonly DoneStep[]): readonly PlannedStep[] {
  const seen = new Set(done.map(({ name, step }) => `${name}/${step}`));
  return migrations
    .filter(({ name }) => !seen.has(`${name}/0`))
    .flatMap(({ name, steps }) =>
      steps.flatMap((step, index) =>
        seen.has(`${name}/${index + 1}`)
          ? []
          : [{ step, place: { name, step: index + 1, checksum: checksumOf(step) } }],
      ),
    );
}

/**
 * Runs steps in their order.
 * @param recorded the schema that the database has.
 * @returns the schema that it has then.
 * @throws ConfigurationFault for what needs consent and for rows in the way, before anything is done.
 */
export async function runSteps(steps: readonly PlannedStep[], recorded: Schema, options: RunOptions): Promise<Schema> {
  const { database } = options;
  await askConsent(steps, recorded, options);
  const lostColumns = findLostColumns(steps);
  const allowLoss = options.consent.allowLoss === true;
  await refuseDataConflicts(
    steps.map(({ step }) => step),
    recorded,
    { session: database, dialect: database.dialect, lostColumns, allowLoss },
  );
  const fill = fillerOf(steps, recorded, options);
  const notes = await logNotesOf(database, steps, recorded);
  const older = new OlderProcesses({ database, lock: options.lock, steps, recorded, noticeMs: options.noticeMs });
  try {
    const guardedColumns = allowLoss ? new Map<Step, ReadonlySet<string>>() : lostColumns;
    return await runInOrder(steps, recorded, { ...options, fill, notes, older, guardedColumns });
  } catch (error) {
    await older.reopen().catch(() => {}); // the next run finds them refused, and goes on
    throw error;
  }
}

/** Runs steps whose consent and rows have been checked. */
async function runInOrder(steps: readonly PlannedStep[], recorded: Schema, options: FiguresRun): Promise<Schema> {
  const { older } = options;
  let now = recorded;
  let waiting: Waiting[] = [];
  for (const planned of steps) {
    const { step } = planned;
    if (step.do === 'computeFigures') {
      waiting.push({ planned, step });
      continue;
    }
    if (!older.mayWriteDuring(step, now)) await older.close();
    now = await runStep(planned, now, options);
    waiting = waiting.map((each) => ({ ...each, step: each.step && laterStep(each.step, step) }));
  }
  return waiting.length === 0 ? now : computeFigures(waiting, now, options);
}

/** A step that is done when all others are; none is left of one about what these have ended. */
interface Waiting {
  readonly planned: PlannedStep;
  readonly step: Extract<Step, { readonly do: 'computeFigures' }> | undefined;
}

/** Who computes the figures of some steps, where there is anything to compute. */
function fillerOf(steps: readonly PlannedStep[], recorded: Schema, { figures }: RunOptions): FillFigures | undefined {
  let now = recorded;
  let isNeeded = false;
  for (const { step } of steps) {
    const parts = adaptStep(step, now);
    if (parts.some((part) => part.do === 'computeFigures')) isNeeded = true;
    for (const part of parts) now = applyStep(now, part);
  }
  if (!isNeeded) return undefined;
  if (figures === undefined) unreachable('computed fields without a function that computes them');
  return figures(now);
}

interface StepRun extends RunOptions {
  readonly notes: LogNotes;
  readonly older: OlderProcesses;
  /** Columns whose values a fill must not lose. */
  readonly guardedColumns: ReadonlyMap<Step, ReadonlySet<string>>;
}

interface FiguresRun extends StepRun {
  readonly fill: FillFigures | undefined;
}

/** Computes figures, then notes that all of these steps are done. */
async function computeFigures(
  waiting: readonly Waiting[],
  recorded: Schema,
  { database, lock, fill, notes, older, onStep, onIdle, onStatement, onProgress }: FiguresRun,
): Promise<Schema> {
  const { dialect } = database;
  const { steps, after } = openFigures(
    waiting.flatMap(({ step }) => step ?? []),
    recorded,
  );
  for (const step of steps) onStep?.(`${stepWords(step)} (${classWords[classOf(step, recorded, dialect)]})`);
  for (let idle = waiting.length; idle > steps.length; idle--) onIdle?.();
  if (steps.length > 0) {
    const columns = new Map(steps.map((step) => [step.table, listColumns(step)]));
    const portion = async (session: Session): Promise<void> => {
      await lock.renew(session);
      await onStatement?.();
    };
    if (!steps.every((step) => older.mayWriteDuring(step, recorded))) await older.close();
    await older.closeBetween(async () => fill?.(columns, { portion, onProgress }));
  }
  await patiently(() =>
    database.transact(async (session) => {
      await lock.renew(session);
      await noteSchema(session, after);
      for (const { planned } of waiting) {
        await noteInLog(session, database, { planned, parts: [], notes });
        if (planned.place !== undefined) await noteDone(session, dialect, planned.place);
      }
    }),
  );
  return after;
}

async function runStep(planned: PlannedStep, recorded: Schema, options: StepRun): Promise<Schema> {
  const { step, place } = planned;
  const { database, lock, older, onStep, onIdle, onStatement } = options;
  const { dialect } = database;
  const parts = adaptStep(step, recorded);
  const note = async (session: Session, schema: Schema): Promise<void> => {
    await lock.renew(session);
    await noteSchema(session, schema);
    await noteInLog(session, database, { planned, parts, notes: options.notes });
    if (place !== undefined) await noteDone(session, dialect, place);
  };
  if (parts.length === 0) onIdle?.();
  for (const part of parts) onStep?.(`${stepWords(part)} (${classWords[classOf(part, recorded, dialect)]})`);
  // A chunk at a time, so that others write meanwhile: done again after a crash, it finds what is left.
  if (isInChunks(step)) {
    await older.closeBetween(async () => {
      for (const part of parts) await computeRows(part, recorded, options);
    });
    await patiently(() => database.transact((session) => note(session, recorded)));
    return recorded;
  }
  const perform = async (session: Session): Promise<Schema> => {
    await lock.renew(session);
    let now = recorded;
    for (const part of parts) {
      await new PartRun(part, { before: now, session }, options).perform();
      now = applyStep(now, part);
    }
    if (dialect.hasTransactionalDdl) await note(session, now);
    return now;
  };
  const after = await patiently(() =>
    database.restructure(perform, { mayBreakKeys: mayBreakKeys(parts, recorded, dialect) }),
  );
  older.noteChange();
  await onStatement?.();
  if (!dialect.hasTransactionalDdl) await patiently(() => database.transact((session) => note(session, after)));
  return after;
}

/** Reports whether a step only changes rows, and not the schema. */
const isInChunks = ({ do: kind }: Step): boolean => kind === 'fillColumn' || kind === 'computeColumn';

/** Changes the rows of a step in chunks, each a transaction. An embedded database is left to other processes in between. */
async function computeRows(
  step: Step,
  before: Schema,
  { database, onProgress, guardedColumns }: StepRun,
): Promise<void> {
  const { dialect } = database;
  const portion = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await patiently(() => database.transact(work));
    if (dialect.hasOneWriter) await delay(performance.now() - start);
    return result;
  };
  const lostColumns = guardedColumns.get(step);
  await computeStep(step, { dialect, before, session: database, portion, onProgress, lostColumns });
}

/** One part of a step, done on a database whose schema is known. */
class PartRun {
  readonly #step: Step;
  readonly #before: Schema;
  readonly #session: Session;
  readonly #options: StepRun;

  constructor(step: Step, { before, session }: { before: Schema; session: Session }, options: StepRun) {
    this.#step = step;
    this.#before = before;
    this.#session = session;
    this.#options = options;
  }

  async perform(): Promise<void> {
    const { dialect } = this.#options.database;
    await this.#renameInHistory();
    const isWatched = !dialect.hasOneWriter && watched.has(this.#step.do);
    const live = dialect.hasTransactionalDdl ? undefined : await readLive(this.#session, dialect);
    if (live !== undefined && isLiveDone(this.#step, live, dialect)) {
      if (isWatched) await this.#refuseDataConflict();
      return;
    }
    await this.#refuseDataConflict();
    await this.#change(this.#statements(live));
    const portion = <T>(work: (inside: Session) => Promise<T>): Promise<T> =>
      dialect.hasTransactionalDdl ? work(this.#session) : patiently(() => this.#options.database.transact(work));
    const { onProgress } = this.#options;
    await computeStep(this.#step, { dialect, before: this.#before, session: this.#session, portion, onProgress });
    if (isWatched) await this.#refuseDataConflict();
  }

  /** Before it is known whether the table has been renamed already: this may be what is left to do. */
  async #renameInHistory(): Promise<void> {
    const step = this.#step;
    if (step.do === 'renameTable' && step.group !== undefined)
      await renameGroup(this.#session, step.group.from, step.group.to);
    if (step.do === 'dropTable' && step.group !== undefined) await forgetGroup(this.#session, step.group);
  }

  /** @throws ConfigurationFault that names rows in the way */
  async #refuseDataConflict(): Promise<void> {
    const { dialect } = this.#options.database;
    const conflict = await dataConflictOf(this.#step, { session: this.#session, dialect, before: this.#before });
    if (conflict !== undefined)
      throw new ConfigurationFault(
        `The step that ${stepWords(this.#step)} failed: ${conflict}. Correct this, then run "praxis migrate apply" again.`,
      );
  }

  #statements(live: Live | undefined): readonly Statement[] {
    const { dialect } = this.#options.database;
    const keyName = live && ((table: string, column: string): string => freeKeyName(live, table, column));
    return editorOf(dialect).statements(this.#step, this.#before, { dialect, ...(keyName && { keyName }) });
  }

  /** Changes the table. Nulls that come while they are filled are filled with the next try. */
  async #change(statements: readonly Statement[]): Promise<void> {
    const { dialect } = this.#options.database;
    const step = this.#step;
    const fillsNulls = !dialect.hasOneWriter && step.do === 'changeColumn' && step.fill !== undefined;
    for (let tries = fillsNulls ? fillTries : 1; tries > 0; tries--) {
      try {
        return await this.#runAll(statements);
      } catch (error) {
        if (await this.#isDoneByNow(error)) return;
        // Rows that came after they were looked for are named too; a null that came after all were filled is filled next.
        if (isMisfit(error)) await this.#refuseDataConflict();
        if (!isMisfit(error) || tries === 1) throw error;
      }
    }
  }

  async #runAll(statements: readonly Statement[]): Promise<void> {
    const { database, onStatement } = this.#options;
    const isEmpty = () => this.#isEmpty();
    for (const statement of statements) {
      await runStatement(statement, this.#session, { ...this.#options, isEmpty, words: stepWords(this.#step) });
      this.#noteChange();
      if (!database.dialect.hasTransactionalDdl) await onStatement?.();
    }
  }

  /** In a transaction, nothing is changed before its end. */
  #noteChange(): void {
    const { database, older } = this.#options;
    if (!database.dialect.hasTransactionalDdl) older.noteChange();
  }

  async #isEmpty(): Promise<boolean> {
    const name = this.#options.database.dialect.quote(tableOfStep(this.#step));
    return (await this.#session.all(`select 1 from ${name} limit 1`, [])).length === 0;
  }

  /** The server may have gone on with what a process that was killed had begun, and has just come to its end. */
  async #isDoneByNow(error: unknown): Promise<boolean> {
    const { dialect } = this.#options.database;
    return (
      editorOf(dialect).isRepetition(error) && isLiveDone(this.#step, await readLive(this.#session, dialect), dialect)
    );
  }
}

const fillTries = 5;

/**
 * Steps whose rows a server does not hold to what they ask: it is looked again whether an older process that goes on
 * serving has written such rows meanwhile, before the step is noted as done.
 */
const watched: ReadonlySet<Step['do']> = new Set(['changeColumn', 'addForeignKey', 'changeLimits'] as const);

/** A row does not fit what a table has become: null, too long, out of range, doubled. */
function isMisfit(error: unknown): boolean {
  const { kind } = faultOf(error);
  return kind === 'range' || kind === 'unique';
}

interface StatementOptions extends RunOptions {
  readonly words: string;
  isEmpty(): Promise<boolean>;
}

async function runStatement(
  { sql, forms, lastForm, repeats }: Statement,
  session: Session,
  options: StatementOptions,
): Promise<void> {
  const { consent, words } = options;
  if (forms.length === 0) {
    while ((await repeatWithPauses(words, () => session.run(sql, []))) > 0 && repeats);
    return;
  }
  const tried = new Set(lastForm === undefined ? forms : [...forms, lastForm]);
  for (const [place, form] of [...tried].entries()) {
    if (form.isRebuild && !consent.allowRebuild && !(await options.isEmpty())) throw needsRebuild([words]);
    try {
      await repeatWithPauses(words, () => session.run(form.of(sql), []));
      return;
    } catch (error) {
      if (!form.isRefused(error) || place === tried.size - 1) throw error;
    }
  }
}

/** Notes the files whose steps are all done, what the catalogue looks like after them, and that no step is under way. */
export async function noteFiles(database: Database, migrations: readonly Migration[]): Promise<void> {
  const done = await readDone(database);
  const seen = new Set(done.map(({ name, step }) => `${name}/${step}`));
  await patiently(() =>
    database.transact(async (session) => {
      for (const { name, checksum, steps } of migrations) {
        const isWhole = steps.every((_step, index) => seen.has(`${name}/${index + 1}`));
        if (isWhole && !seen.has(`${name}/0`)) await noteDone(session, database.dialect, { name, step: 0, checksum });
      }
      await noteFingerprint(session, database.dialect);
      await settleRevision(session);
    }),
  );
}
