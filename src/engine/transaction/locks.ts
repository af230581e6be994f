// The locks of one write, held until its transaction ends. They are collected first, and taken together in one order, by group and
// id, before anything is read: so that two writes seldom deadlock.

import type { ReadCache } from '../../facts/read-cache.ts';
import type { Guarded } from '../../rules/support/rule.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { RecordName } from '../changes/change.ts';
import type { PendingChanges } from '../changes/pending.ts';
import type { Groups } from '../plan/groups.ts';
import type { LockKind, ReadLock } from '../plan/lock-kinds.ts';
import { commonRowsOf } from '../plan/lock-kinds.ts';
import { lockRows, raiseRows } from './common-row.ts';
import { inOrder } from './in-order.ts';
import type { TriedLocks } from './tried-locks.ts';

/** How a record is kept as it is. */
export interface KeptRecord {
  readonly lock: ReadLock;
  /** Whether it is read next. */
  readonly isAsked: boolean;
}

interface LocksOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly known: ReadCache;
  readonly pending: PendingChanges;
  readonly tried: TriedLocks;
}

export class Locks {
  readonly #options: LocksOptions;
  /** What is to be taken next, by group and id. */
  readonly #wanted = new Map<string, Map<string, LockKind>>();
  /** With which lock records are to be read. */
  readonly #kept = new Map<string, KeptRecord>();

  constructor(options: LocksOptions) {
    this.#options = options;
  }

  /** Wants locks; without a group that of the common row. @returns whether any of them is neither held nor wanted yet */
  want(kind: LockKind, rows: readonly Guarded[]): boolean {
    // Where there is one writer, nobody changes anything meanwhile.
    if (this.#hasOneWriter) return false;
    let isNew = false;
    for (const { group, id } of rows.flatMap((each) => this.#namesOf(each))) {
      const wanted = this.#wanted.get(group) ?? new Map<string, LockKind>();
      // What this write makes nobody else knows yet.
      if (this.#options.pending.lastOf(group, id)?.kind === 'create') continue;
      if (this.#isHeld(`${group}/${id}`, kind) || wanted.get(id) === 'counter' || wanted.get(id) === kind) continue;
      this.#wanted.set(group, wanted.set(id, kind));
      isNew = true;
    }
    return isNew;
  }

  #namesOf({ group, ids }: Guarded): readonly RecordName[] {
    return group === undefined
      ? commonRowsOf(this.#options.groups.registry).map((name) => ({ group: name, id: '' }))
      : ids.map((id) => ({ group, id }));
  }

  /** Takes what is wanted. Whether it was done, `done` of the write tells. */
  take(): void {
    for (const group of [...this.#wanted.keys()].sort())
      for (const { lock, ids } of inOrder(this.#wanted.get(group) ?? new Map())) this.#take(group, ids, lock);
    this.#wanted.clear();
  }

  #take(group: string, ids: readonly string[], kind: LockKind): void {
    if (kind === 'counter') this.#raise(group, ids);
    // Those that are about to be read are locked by that, before others are looked for.
    else
      this.#share(
        group,
        ids.filter((id) => this.#kept.get(`${group}/${id}`)?.isAsked !== true),
      );
  }

  #raise(group: string, ids: readonly string[]): void {
    const { groups, session, known, pending, tried } = this.#options;
    tried.note(group, ids);
    pending.follow(raiseRows(groups, session, { group, ids }));
    for (const id of ids) known.guarded.add(`${group}/${id}`);
  }

  #share(group: string, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const { groups, session, known, pending, tried } = this.#options;
    tried.note(group, ids, 'shared');
    pending.follow(lockRows(groups, session, { group, ids, lock: 'shared' }));
    for (const id of ids) known.held.add(`${group}/${id}`);
  }

  /**
   * What is read of a record from here on, it is read under lock: what was read before counts no more. Nothing is locked that
   * nobody reads.
   */
  keep({ group, id }: RecordName, { lock, isAsked }: KeptRecord): void {
    const name = `${group}/${id}`;
    const kept = this.#kept.get(name);
    if (this.#hasOneWriter || kept?.lock === 'own' || (kept?.lock === lock && (kept.isAsked || !isAsked))) return;
    const { known, pending } = this.#options;
    if (this.#isHeld(name, lock) || pending.lastOf(group, id) !== undefined) return;
    this.#kept.set(name, { lock, isAsked });
    known.forgetRecord(group, id);
  }

  /** The lock with which a record is to be read now, which counts as taken then. */
  lockToRead(group: string, id: string): ReadLock | undefined {
    const name = `${group}/${id}`;
    const lock = this.#kept.get(name)?.lock;
    if (lock === undefined) return undefined;
    this.#kept.delete(name);
    if (this.#isHeld(name, lock)) return undefined;
    const { known, tried } = this.#options;
    tried.note(group, [id], lock);
    (lock === 'own' ? known.locked : known.held).add(name);
    return lock;
  }

  get #hasOneWriter(): boolean {
    return this.#options.groups.dialect.hasOneWriter;
  }

  #isHeld(name: string, lock: LockKind | ReadLock): boolean {
    const { guarded, locked, held } = this.#options.known;
    if (guarded.has(name)) return true;
    return lock !== 'counter' && (locked.has(name) || (lock === 'shared' && held.has(name)));
  }
}
