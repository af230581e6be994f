// The state of one write: its session, who asks, records as it sees them, changes that it wants, locks that it holds.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { ReadCache } from '../../facts/read-cache.ts';
import type { FieldCode } from '../../problems/codes.ts';
import type { Problem } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import type { FaultLog } from '../../request/faults.ts';
import type { BodyInput } from '../../request/intent.ts';
import type { Effects, Guarded } from '../../rules/support/rule.ts';
import type { Watching } from '../../rules/support/watching.ts';
import type { Session } from '../../storage/schema/session.ts';
import { keptDay } from '../../storage/workspace-day.ts';
import { today } from '../../values/date.ts';
import { isHistory, now } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { type Change, nameInFull, type RecordName } from '../changes/change.ts';
import { PendingChanges } from '../changes/pending.ts';
import { WriteBound } from '../changes/write-bound.ts';
import type { WriteLog } from '../log/write-log.ts';
import type { FigureField } from '../plan/figures.ts';
import type { Group, Groups } from '../plan/groups.ts';
import type { LockKind } from '../plan/lock-kinds.ts';
import { Attempt } from './constraints.ts';
import { type KeptRecord, Locks } from './locks.ts';
import { TransactionRecords } from './records.ts';
import { zoneIn } from './workspace.ts';

/** How rules change records; the write stages hand themselves in, so that no import goes round. */
export type EffectsOf = (scope: Scope, cause: { readonly rule: string; readonly of: RecordName }) => Effects;

/** A record on its way, as those see it who judge whether its caller may write it. */
export interface JudgedDraft {
  readonly name: RecordName;
  readonly group: Group;
  readonly values: Readonly<Values>;
  readonly partial: Readonly<Values>;
  readonly sent: ReadonlySet<string>;
  refuse(place: string, text: string, code: FieldCode): void;
}

/** A record that is locked, to be changed or deleted. */
export interface Judging {
  readonly before: Readonly<Values>;
  /** The id as the caller wrote it, for the message. */
  readonly idAsSent: string;
  /** What the caller sends. */
  readonly inputOf: () => BodyInput;
  /** Values of the body, if they do not depend on the record. */
  readonly newValues?: Readonly<Values> | undefined;
}

/** Judges whether a caller may do what is wanted. All of it throws a Problem: 403, or 404 for what is not seen. */
export interface Judge {
  creates(group: Group, input: BodyInput): void;
  /** Refuses a record that is not seen, before it is locked: it takes no more than one that there is not. */
  meets(scope: Scope, group: Group, named: { readonly id: string; readonly idAsSent: string }): Promise<void>;
  updates(scope: Scope, group: Group, judging: Judging): Promise<void>;
  deletes(scope: Scope, group: Group, judging: Omit<Judging, 'inputOf'>): Promise<void>;
  /** Refuses references to what is not seen. */
  references(scope: Scope, draft: JudgedDraft): Promise<void>;
  /** Judges what the write leaves, when all of it is known. */
  conclude(scope: Scope): Promise<void>;
  /** What is to be told instead of what has stopped a write: that its caller may not leave the record so. */
  insteadOf(scope: Scope, error: unknown): Promise<Problem | undefined>;
  /** Whether the caller does not see what is stored in a field of the record that is judged. @param key The field's. */
  hides(key: string): boolean;
  /** Whether a record is the one that the caller wants to write. */
  isAbout(draft: Pick<JudgedDraft, 'group' | 'name'>): boolean;
  /** Whether the caller may list all records of a group. */
  lists(group: string): boolean;
}

interface ScopeOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly effectsOf: EffectsOf;
  /** What the transaction has read already, where several writes share one. */
  readonly known?: ReadCache;
  /** How many other records it may change. */
  readonly recordsPerWrite?: number | undefined;
  /** Where to note what is stored, for when a key stops it. */
  readonly attempt?: Attempt;
  /** The day that counts as today, and as reached, of who passes days. */
  readonly day?: string | undefined;
  /** The log of changes of the transaction, where there is one. */
  readonly log?: WriteLog | undefined;
  /** Whether the caller may do it; undefined: everything is allowed. */
  readonly judge?: Judge | undefined;
}

/** What is judged of a record when the whole write is done. Each throws a Problem. */
export interface DeferredChecks {
  readonly check: () => Soon<void>;
  /** What is told once nothing else is wrong with any record. */
  readonly conflicts: () => Soon<void>;
}

/** What is wrong with figures of a record so far. */
export interface OutOfBounds {
  readonly record: RecordName;
  readonly faults: FaultLog;
  readonly figures: readonly FigureField[];
}

/** A record whose body has sent a state that may follow. */
interface DeferredStates {
  readonly name: RecordName;
  readonly old: Readonly<Values> | undefined;
}

/** A record whose states wait until all figures are right. */
interface Waiting {
  readonly name: RecordName;
  /** What has changed first of all that it looks at. */
  readonly of: RecordName;
  /** The record before that. */
  readonly old: Readonly<Values> | undefined;
}

/** How a figure was computed from the records. */
interface Taking {
  /** How many changes of the write it has seen. */
  readonly place: number;
  /** The record itself as it was counted among the others, before its own change was wanted; undefined where it was as wanted. */
  readonly own: Readonly<Values> | undefined;
}

export class Scope {
  /** Deferred constraints: what is judged only when the whole write is done. */
  readonly deferred: DeferredChecks[] = [];
  /** Records with figures that their fields cannot hold, unless something moves them yet; by `nameInFull`. */
  readonly outOfBounds = new Map<string, OutOfBounds>();
  /** The groups whose effects are under way, each within that of the one before. */
  readonly trail: string[] = [];
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly records: TransactionRecords;
  readonly effectsOf: EffectsOf;
  /** Records whose delete is under way, by `nameInFull`: to formulas they are gone. */
  readonly beingDeleted = new Set<string>();
  readonly bound: WriteBound;
  readonly log: WriteLog | undefined;
  readonly judge: Judge | undefined;
  /** Who looks on, of a trial. */
  watching: Watching | undefined;
  /** The record that the caller makes or changes. */
  subject: RecordName | undefined;
  /** Told before that record goes, as an effect of its own write. */
  parting: ((name: RecordName) => Promise<void>) | undefined;
  readonly #known: ReadCache;
  readonly #pending: PendingChanges;
  readonly #holdings: Locks;
  #today: string | undefined;
  #reached: Promise<string> | undefined;
  readonly #standing: DeferredStates[] = [];
  /** By `nameInFull`. */
  readonly #waiting = new Map<string, Waiting>();
  /** How many of the changes those who look at the records have been asked about. */
  #regarded = 0;
  /** Records that this write has made, or made another version of, by `nameInFull`. */
  readonly #versions = new Set<string>();
  /** How figures were computed from the records, by group, id and path. */
  readonly #taken = new Map<string, Taking>();

  constructor({
    groups,
    session,
    actingMember,
    effectsOf,
    known,
    attempt = new Attempt(),
    recordsPerWrite,
    day,
    log,
    judge,
  }: ScopeOptions) {
    this.#today = day;
    this.#reached = day === undefined ? undefined : Promise.resolve(day);
    this.judge = judge;
    this.groups = groups;
    this.session = session;
    this.actingMember = actingMember;
    this.effectsOf = effectsOf;
    this.bound = new WriteBound(recordsPerWrite);
    this.log = log;
    this.#known = known ?? new ReadCache();
    this.#pending = new PendingChanges((changes) => groups.writer.carryOut(session, changes, attempt));
    attempt.begin();
    const { locks: tried } = attempt;
    tried.begin(() => this.changes);
    const shared = { groups, session, known: this.#known, pending: this.#pending, tried };
    this.#holdings = new Locks(shared);
    this.records = new TransactionRecords({ ...shared, holdings: this.#holdings });
  }

  /** All that this write has wanted to change so far, in order. */
  get changes(): readonly Change[] {
    return this.#pending.all;
  }

  /** Wants a change. What was read before is forgotten where it may have changed. */
  collect(change: Change): void {
    this.#pending.add(this.#versioned(change));
    this.#known.forget(change.group, change.id);
    this.#known.facts.lines.forget(change.group, change.kind === 'update' ? change.keys : undefined);
  }

  /** However often a write changes a record, its version rises once; for figures, which nobody can overwrite, it does not. */
  #versioned(change: Change): Change {
    const { cause } = change;
    const isUpkeep = cause.kind === 'figure' || (cause.kind === 'day' && !cause.isState);
    if (change.kind === 'delete' || isUpkeep) return change;
    const name = nameInFull(change);
    const isNewVersion = !this.#versions.has(name);
    this.#versions.add(name);
    return change.kind === 'update' ? { ...change, isNewVersion } : change;
  }

  /** The changes since this was last asked, each with its place among all. */
  unregarded(): readonly { readonly change: Change; readonly place: number }[] {
    const { all } = this.#pending;
    const start = this.#regarded;
    this.#regarded = all.length;
    return all.slice(start).map((change, index) => ({ change, place: start + index }));
  }

  hasUnregarded(): boolean {
    return this.#pending.all.length > this.#regarded;
  }

  /** Holds the states of a record back until all effects of the write have run. @param old The record before the write. */
  deferStates(name: RecordName, old: Readonly<Values> | undefined): void {
    this.#standing.push({ name, old });
  }

  takeDeferredStates(): readonly DeferredStates[] {
    return this.#standing.splice(0);
  }

  /** Lets the states of a record wait until all figures are right; of one that waits already, what was first counts. */
  awaitFigures(waiting: Waiting): void {
    const name = nameInFull(waiting.name);
    if (!this.#waiting.has(name)) this.#waiting.set(name, waiting);
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  takeWaiting(): readonly Waiting[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    return waiting;
  }

  /** The last change of a record that this write wants, unless the record goes. */
  wantedOf({ group, id }: RecordName): Exclude<Change, { kind: 'delete' }> | undefined {
    const change = this.#pending.lastOf(group, id);
    return change === undefined || change.kind === 'delete' ? undefined : change;
  }

  /** Notes that a figure was computed with all that has changed so far. @param own The record itself as it was counted then. */
  noteTaken({ group, id }: RecordName, path: string, own?: Readonly<Values>): void {
    this.#taken.set(`${group}/${id}/${path}`, { place: this.#pending.all.length, own });
  }

  /** Whether a figure was computed with a change, by its place among all. */
  hasSeen({ group, id }: RecordName, path: string, place: number): boolean {
    return (this.#taken.get(`${group}/${id}/${path}`)?.place ?? 0) > place;
  }

  /** From here on the record itself counts as the write has wanted it. */
  countOwn({ group, id }: RecordName, path: string): void {
    const name = `${group}/${id}/${path}`;
    const taking = this.#taken.get(name);
    if (taking !== undefined) this.#taken.set(name, { ...taking, own: undefined });
  }

  /** How a figure was last computed. */
  takingOf({ group, id }: RecordName, path: string): Taking {
    return this.#taken.get(`${group}/${id}/${path}`) ?? { place: 0, own: undefined };
  }

  /** To be called before records of a group go, of which a log keeps what they were. */
  noteGoing(group: string, ids: readonly string[]): void {
    if (this.log?.isOf(group) !== true) return;
    this.settle(group);
    this.log.noteGoing(group, this.groups.get(group).rows.versions(this.session, ids));
  }

  /** The write is judged, and all that it changes is known. Of a batch the log is kept when its last operation is done. */
  keepLog(): Soon<void> {
    const { log, session } = this;
    return soon(log?.add(this.changes), () => {
      if (log?.step === null) this.#pending.follow(log.keep(session));
    });
  }

  /** Whether a record goes with this write. */
  isGone(group: string, id: string): boolean {
    return this.#pending.lastOf(group, id)?.kind === 'delete';
  }

  /** To be called before records of a group go. */
  async tellParting(group: string, ids: readonly string[]): Promise<void> {
    const { subject, parting } = this;
    if (subject === undefined || parting === undefined || subject.group !== group || !ids.includes(subject.id)) return;
    await this.flush();
    await parting(subject);
  }

  /** Carries out what is wanted so far. */
  flush(): Promise<void> {
    return this.#pending.flush();
  }

  /** Carries out what is wanted so far, between portions of what is too much for one go. */
  async carryOn(): Promise<void> {
    await this.flush();
    await yieldIfDue();
  }

  /** Asks for what is wanted so far to be carried out; `done` tells whether it was. */
  launch(): void {
    this.#pending.launch();
  }

  /** What was asked for is done. @throws what has stopped it, the first of several */
  done(): Promise<void> {
    return this.#pending.done();
  }

  /** To be called before rows of a group are asked for in another way than by `records`. */
  settle(group: string): void {
    this.#pending.settle(group);
  }

  /** The date in the workspace's time zone. */
  async today(): Promise<string> {
    const { workspace } = this.groups.registry;
    this.#today ??= today(zoneIn(workspace, await this.records.workspace()), now());
    return this.#today;
  }

  /** The workspace's day that was reached, which stays so until the transaction ends: for all that is kept as of the day. */
  reached(): Promise<string> {
    const { hasDays, dialect } = this.groups;
    const dateNow = () => this.today();
    this.#reached ??= hasDays && !isHistory() ? keptDay(this.session, { dialect, dateNow }) : dateNow();
    return this.#reached;
  }

  /**
   * Wants locks, which are taken before anything is read next.
   * @returns whether any of them is neither held nor wanted yet
   */
  want(kind: LockKind, rows: readonly Guarded[]): boolean {
    return this.#holdings.want(kind, rows);
  }

  /** Takes what is wanted. Whether it was done, `done` tells. */
  takeLocks(): void {
    this.#holdings.take();
  }

  /** What is read of a record from here on is read under lock. */
  keep(name: RecordName, kept: KeptRecord): void {
    this.#holdings.keep(name, kept);
  }

  /** What is read of the workspace's settings from here on is read under lock. */
  keepSettings(): void {
    const { workspace } = this.groups.registry;
    if (workspace !== undefined) this.keep({ group: workspace.name, id: '' }, { lock: 'shared', isAsked: false });
  }

  /** What was found among the records of a group, before what they have in common was locked, counts no more. */
  forgetFound(group: string): void {
    this.#known.forgetFound(group);
  }

  /**
   * Raises the counters of rows: what is read next counts.
   * @returns whether any of them was not raised before
   */
  guard(...guarded: readonly Guarded[]): boolean {
    const isNew = this.#holdings.want('counter', guarded);
    // Others who held them have ended, and what they wrote counts; from here on nobody else writes what they guard.
    if (isNew) this.#known.forget();
    return isNew;
  }
}
