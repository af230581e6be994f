// What one write works with: its transaction, who asks, the records as it sees them, and what it wants to change.
import type { Effects, Guarded } from '../behaviours/rule.ts';
import type { Values } from '../registry/model.ts';
import type { Session } from '../storage/session.ts';
import { today } from '../values/date.ts';
import { now } from '../values/id.ts';
import { type Change, nameInFull, type RecordName } from './change.ts';
import { Attempt } from './constraints.ts';
import type { Draft } from './draft.ts';
import type { Groups } from './groups.ts';
import type { Locks } from './locks.ts';
import { Pending } from './pending.ts';
import { Recollection } from './recollection.ts';
import { SeenRecords } from './seen-records.ts';
import { zoneIn } from './workspace.ts';

/** How rules change records; the write stages hand themselves in, so that no import goes round. */
export type EffectsOf = (scope: Scope, cause: { readonly rule: string; readonly of: RecordName }) => Effects;

interface ScopeOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly effectsOf: EffectsOf;
  /** What the transaction has read already, where several writes share one. */
  readonly known?: Recollection;
  /** Where to note what is stored, for when a key stops it. */
  readonly attempt?: Attempt;
}

/** A record whose body has sent a state that may follow. */
interface Standing {
  readonly name: RecordName;
  readonly old: Readonly<Values> | undefined;
}

export class Scope {
  /** Records about which something is judged only when the whole write is done. */
  readonly unjudged: Draft[] = [];
  /** How deep in the effects of effects this is. */
  depth = 0;
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly records: SeenRecords;
  readonly effectsOf: EffectsOf;
  /** Records whose delete is under way, by `nameInFull`: to formulas they are gone. */
  readonly leaving = new Set<string>();
  readonly #known: Recollection;
  readonly #pending: Pending;
  readonly #locks: Locks;
  #today: string | undefined;
  readonly #standing: Standing[] = [];
  /** How many of the changes those who look at the records have been asked about. */
  #regarded = 0;
  /** Records that this write has made, or made another version of, by `nameInFull`. */
  readonly #versions = new Set<string>();
  /** After how many changes a figure was computed from the records, by group, id and path. */
  readonly #taken = new Map<string, number>();

  constructor({ groups, session, actingMember, effectsOf, known, attempt = new Attempt() }: ScopeOptions) {
    this.groups = groups;
    this.session = session;
    this.actingMember = actingMember;
    this.effectsOf = effectsOf;
    this.#known = known ?? new Recollection();
    this.#pending = new Pending((changes) => groups.writer.carryOut(session, changes, attempt));
    attempt.begin();
    this.#locks = attempt.locks;
    this.#locks.begin(() => this.changes);
    const { locks } = attempt;
    this.records = new SeenRecords({ groups, session, known: this.#known, pending: this.#pending, locks });
  }

  /** All that this write has wanted to change so far, in order. */
  get changes(): readonly Change[] {
    return this.#pending.all;
  }

  /** Wants a change. What was read before is forgotten where it may have changed. */
  collect(change: Change): void {
    this.#pending.add(this.#versioned(change));
    this.#known.forget(change.group, change.id);
  }

  /** However often a write changes a record, its version rises once; for figures, which nobody can overwrite, it does not. */
  #versioned(change: Change): Change {
    if (change.kind === 'delete' || change.cause.kind === 'figure') return change;
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
  holdStates(name: RecordName, old: Readonly<Values> | undefined): void {
    this.#standing.push({ name, old });
  }

  takeStanding(): readonly Standing[] {
    return this.#standing.splice(0);
  }

  /** The last change of a record that this write wants, unless the record goes. */
  wantedOf({ group, id }: RecordName): Exclude<Change, { kind: 'delete' }> | undefined {
    const change = this.#pending.lastOf(group, id);
    return change === undefined || change.kind === 'delete' ? undefined : change;
  }

  /** Notes that a figure was computed with all that has changed so far. */
  noteTaken(group: string, id: string, path: string): void {
    this.#taken.set(`${group}/${id}/${path}`, this.#pending.all.length);
  }

  /** How many changes were there when a figure was last computed. */
  takenAt(group: string, id: string, path: string): number {
    return this.#taken.get(`${group}/${id}/${path}`) ?? 0;
  }

  /** Whether a record goes with this write. */
  isGone(group: string, id: string): boolean {
    return this.#pending.lastOf(group, id)?.kind === 'delete';
  }

  /** Carries out what is wanted so far. */
  flush(): Promise<void> {
    return this.#pending.flush();
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

  /**
   * Guards rows from here on: what is read next counts. Whether it was done, `done` tells.
   * @returns whether any of them was not guarded before
   */
  guard(...guarded: readonly Guarded[]): boolean {
    const open = this.#openGuards(guarded);
    if (open.size === 0) return false;
    // In one order, of groups and of ids, so that two writes never wait for each other.
    for (const name of [...open.keys()].sort()) {
      const ids = [...(open.get(name) ?? [])].sort();
      this.#locks.note(name, ids);
      this.#pending.follow(this.groups.writer.guard(this.session, name, ids));
      for (const id of ids) this.#known.guarded.add(`${name}/${id}`);
    }
    // Others who held them have ended, and what they wrote counts; from here on nobody else writes what they guard.
    // Where there is one writer, nobody else has written since the transaction began.
    if (!this.groups.dialect.hasOneWriter) this.#known.forget();
    return true;
  }

  /**
   * Keeps rows as they are from here on, as others may at the same time: what is read of them next counts.
   * @returns whether any of them was not kept before
   */
  hold(...held: readonly Guarded[]): boolean {
    // Where there is one writer, nobody changes anything meanwhile.
    if (held.length === 0 || this.groups.dialect.hasOneWriter) return false;
    const open = this.#openGuards(held, this.#known.held);
    for (const name of [...open.keys()].sort()) {
      const ids = [...(open.get(name) ?? [])].sort();
      this.#locks.note(name, ids);
      this.#pending.follow(this.groups.get(name).rows.lock(this.session, ids, 'shared'));
      for (const id of ids) {
        this.#known.held.add(`${name}/${id}`);
        this.#known.forget(name, id);
      }
    }
    return open.size > 0;
  }

  /** Ids by group that are not guarded yet; the empty one for the single record of the workspace's settings. */
  #openGuards(guarded: readonly Guarded[], held?: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
    const { workspace } = this.groups.registry;
    const open = new Map<string, Set<string>>();
    const isOpen = (name: string, id: string): boolean =>
      open.get(name)?.has(id) !== true &&
      ![this.#known.guarded, held].some((known) => known?.has(`${name}/${id}`) === true);
    for (const { group, ids, unless } of guarded) {
      const name = group ?? workspace?.name;
      if (name === undefined) continue;
      const missing = (group === undefined ? [''] : ids).filter((id) => isOpen(name, id));
      if (missing.length > 0 && unless?.() !== true) open.set(name, new Set([...(open.get(name) ?? []), ...missing]));
    }
    return open;
  }
}
