// The one writer: carries changes out, and is the only code that touches the rows of records.
import { isDeepStrictEqual } from 'node:util';
import type { Value } from '../registry/model.ts';
import type { Statement } from '../storage/compiler.ts';
import type { Dialect } from '../storage/dialect.ts';
import type { Kept } from '../storage/kept.ts';
import { RowWriter } from '../storage/row-writer.ts';
import type { Session } from '../storage/session.ts';
import type { Change, Update } from './change.ts';
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
   * Carries out changes in their order, those of neighbours that are alike together.
   * @param attempt Learns what is stored last, for when a key of the database stops it.
   * @returns how many of the records to update there were.
   */
  async carryOut(session: Session, changes: readonly Change[], attempt: Attempt): Promise<number> {
    let updated = 0;
    let start = 0;
    for (let first = changes[0]; first !== undefined; first = changes[start]) {
      const end = this.#endOfRun(changes, start);
      if (first.kind !== 'delete') attempt.note(first);
      if (first.kind === 'create') await this.#rowsOf(first.group).insert(session, first.after);
      else if (first.kind === 'delete') await this.#rowsOf(first.group).remove(session, first.id);
      else updated += await this.#update(session, first, idsOf(changes, start, end));
      start = end;
    }
    return updated;
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
    if ((one.cause.kind === 'figure') !== (other.cause.kind === 'figure')) return false;
    if (one.lost !== undefined || other.lost !== undefined) return isDeepStrictEqual(one.lost, other.lost);
    const rows = this.#rowsOf(one.group);
    return one.keys.every((key) => rows.listOf(key) === undefined && sameValue(one.after[key], other.after[key]));
  }

  /** @param ids The records that change alike, that of the change first. */
  async #update(session: Session, change: Update, ids: readonly string[]): Promise<number> {
    const { group, id, before, after, keys, lost, cause } = change;
    const rows = this.#rowsOf(group);
    const isFigure = cause.kind === 'figure';
    if (lost !== undefined) {
      await rows.listOf(...lost.list)?.removeTarget(session, lost, ids);
      return ids.length;
    }
    if (ids.length > 1) {
      const values = Object.fromEntries(keys.map((key) => [key, after[key] ?? null]));
      await rows.updateMany(session, ids, { values, isFigure });
      return ids.length;
    }
    const modified = before === undefined ? this.#options.groupOf(group).modified : undefined;
    const updated = await rows.update(session, { id, values: after, keys, modified, isFigure });
    for (const key of keys) {
      const list = rows.listOf(key);
      if (list === undefined) continue;
      if (!isEmpty(before?.[key])) await list.removeAll(session, id);
      await list.insert(session, { id, createdAt: String(before?.['createdAt']) }, after[key]);
    }
    return updated;
  }

  /** Raises the counters of these records, so that others that guard them wait, or conflict. */
  guard(session: Session, group: string, ids: readonly string[]): Promise<void> {
    return this.#rowsOf(group).guard(session, ids);
  }
}

const idsOf = (changes: readonly Change[], start: number, end: number): string[] =>
  changes.slice(start, end).map(({ id }) => id);

const isEmpty = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;
