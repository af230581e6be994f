// The one writer: carries changes out, and is the only code that touches the rows of records.
import { isDeepStrictEqual } from 'node:util';
import type { Value } from '../registry/model.ts';
import type { Statement } from '../storage/compiler.ts';
import type { Dialect } from '../storage/dialect.ts';
import type { Kept } from '../storage/kept.ts';
import { RowWriter } from '../storage/row-writer.ts';
import type { Session } from '../storage/session.ts';
import type { Change, Creation, Update } from './change.ts';
import type { Attempt } from './constraints.ts';
import type { Group } from './groups.ts';
import { sameValue } from './same-value.ts';

interface WriterOptions {
  readonly groupOf: (name: string) => Group;
  readonly dialect: Dialect;
  readonly statements: Kept<Statement>;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #rows = new Map<string, RowWriter>();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  #rowsOf(group: string): RowWriter {
    const known = this.#rows.get(group);
    if (known !== undefined) return known;
    const { groupOf, dialect, statements } = this.#options;
    const rows = new RowWriter(groupOf(group).resource, dialect, statements);
    this.#rows.set(group, rows);
    return rows;
  }

  /**
   * Carries out changes in their order, those of neighbours that are alike together. All is asked for at once: what comes behind
   * one that fails is undone with it.
   * @param attempt Learns what a key of the database has stopped.
   * @returns how many of the records to update there were.
   */
  async carryOut(session: Session, changes: readonly Change[], attempt: Attempt): Promise<number> {
    const carried: Promise<number>[] = [];
    let start = 0;
    for (let first = changes[0]; first !== undefined; first = changes[start]) {
      const end = this.#endOfRun(changes, start);
      const change = first;
      const done = this.#carryOutRun(session, change, idsOf(changes, start, end));
      carried.push(
        done.catch((error: unknown) => {
          if (change.kind !== 'delete') attempt.noteStopped(change);
          throw error;
        }),
      );
      start = end;
    }
    return (await Promise.all(carried)).reduce((sum, count) => sum + count, 0);
  }

  /** Makes records that nothing stands between, and whose lists are empty: those of a group together. */
  async make(session: Session, creations: readonly Creation[]): Promise<void> {
    const groups = Map.groupBy(creations, ({ group }) => group);
    await Promise.all(
      [...groups].map(([group, made]) =>
        this.#rowsOf(group).insertMany(
          session,
          made.map(({ after }) => after),
        ),
      ),
    );
  }

  async #carryOutRun(session: Session, change: Change, ids: readonly string[]): Promise<number> {
    if (change.kind === 'update') return this.#update(session, change, ids);
    const rows = this.#rowsOf(change.group);
    if (change.kind === 'create') await rows.insert(session, change.after);
    else await rows.remove(session, change.id);
    return 0;
  }

  /** Where changes end that are like the one at `start`. */
  #endOfRun(changes: readonly Change[], start: number): number {
    const first = changes[start];
    let end = start + 1;
    for (let next = changes[end]; first !== undefined && next !== undefined; next = changes[end]) {
      if (first.kind !== 'update' || next.kind !== 'update' || !this.#areAlike(first, next)) break;
      end += 1;
    }
    return end;
  }

  /** Whether two records get the same values in columns of their own, or lose the same items of the same list. */
  #areAlike(one: Update, other: Update): boolean {
    if (one.group !== other.group || one.keys.join() !== other.keys.join() || one.before === undefined) return false;
    if (one.isNewVersion !== other.isNewVersion) return false;
    if (one.lost !== undefined || other.lost !== undefined) return isDeepStrictEqual(one.lost, other.lost);
    const rows = this.#rowsOf(one.group);
    return one.keys.every((key) => rows.listOf(key) === undefined && sameValue(one.after[key], other.after[key]));
  }

  /** @param ids The records that change alike, that of the change first. */
  async #update(session: Session, change: Update, ids: readonly string[]): Promise<number> {
    const { group, id, before, after, keys, lost, isNewVersion = false } = change;
    const rows = this.#rowsOf(group);
    if (lost !== undefined) {
      const removed = rows.listOf(...lost.list)?.removeTarget(session, lost, ids);
      await Promise.all([
        removed,
        isNewVersion ? rows.updateMany(session, ids, { values: {}, isNewVersion }) : undefined,
      ]);
      return ids.length;
    }
    if (ids.length > 1) {
      const values = Object.fromEntries(keys.map((key) => [key, after[key] ?? null]));
      await rows.updateMany(session, ids, { values, isNewVersion });
      return ids.length;
    }
    const modified = before === undefined ? this.#options.groupOf(group).modified : undefined;
    const isUnseen = before === undefined;
    const updated = rows.update(session, { id, values: after, keys, modified, isUnseen, isNewVersion });
    const lists: Promise<void>[] = [];
    for (const key of keys) {
      const list = rows.listOf(key);
      if (list === undefined) continue;
      if (!isEmpty(before?.[key])) lists.push(list.removeAll(session, id));
      lists.push(list.insert(session, { id, createdAt: String(before?.['createdAt']) }, after[key]));
    }
    return (await Promise.all([updated, ...lists]))[0];
  }

  /** Raises the counters of these records, so that others that guard them wait, or conflict. */
  guard(session: Session, group: string, ids: readonly string[]): Promise<void> {
    return this.#rowsOf(group).guard(session, ids);
  }
}

const idsOf = (changes: readonly Change[], start: number, end: number): string[] =>
  changes.slice(start, end).map(({ id }) => id);

const isEmpty = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;
