// Writes changes to the database, neighbours that are alike in one statement. The only code that touches rows of records.
import { isDeepStrictEqual } from 'node:util';
import type { Resource, Value, Values } from '../../registry/model/model.ts';
import { fewestEach, mostEach, RowWriter } from '../../storage/rows/row-writer.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import type { Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { LruCache } from '../../storage/schema/lru-cache.ts';
import type { BoundStatement, Session } from '../../storage/schema/session.ts';
import type { RowGrant } from '../../storage/sight/update-grant.ts';
import type { Change, Creation, Update } from './change.ts';
import { sameValue } from './same-value.ts';

/** What the writer must know of a group. */
interface WrittenGroup {
  readonly resource: Resource;
  /** Key of the field that holds the time of the last change. */
  readonly modified: string | undefined;
}

/** Learns what a key of the database has stopped. */
interface StoppedChanges {
  noteStopped(change: Creation | Update): void;
}

/** Options of an update of a record that is not read before. */
export interface BlindUpdateOptions {
  /** See `Session.schemaRevision`; undefined within a transaction. */
  readonly revision?: number | undefined;
  /** Condition on the row. */
  readonly grant?: RowGrant | undefined;
}

interface WriterOptions {
  readonly groupOf: (name: string) => WrittenGroup;
  readonly dialect: Dialect;
  readonly statements: LruCache<Statement>;
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
  async carryOut(session: Session, changes: readonly Change[], attempt: StoppedChanges): Promise<number> {
    const carried: Promise<number>[] = [];
    let start = 0;
    for (let first = changes[0]; first !== undefined; first = changes[start]) {
      const change = first;
      const run = this.#runAt(changes, start);
      const done = this.#carryOutRun(session, change, run);
      carried.push(
        done.catch((error: unknown) => {
          if (change.kind !== 'delete') attempt.noteStopped(change);
          throw error;
        }),
      );
      start += run.length;
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

  async #carryOutRun(session: Session, change: Change, run: readonly Change[]): Promise<number> {
    const ids = run.map(({ id }) => id);
    if (change.kind === 'update') {
      const isAlike = run.every(
        (other) => other === change || (other.kind === 'update' && this.#areAlike(change, other)),
      );
      return isAlike ? this.#update(session, change, ids) : this.#updateEach(session, change, run);
    }
    const rows = this.#rowsOf(change.group);
    if (change.kind === 'create') {
      const { after, id, version } = change;
      const made = rows.insert(session, after);
      await (version === undefined ? made : Promise.all([made, rows.setVersion(session, id, version)]));
    } else await rows.remove(session, ids);
    return 0;
  }

  /** The changes from `start` on that are carried out together. */
  #runAt(changes: readonly Change[], start: number): readonly Change[] {
    const first = changes[start];
    if (first === undefined || first.kind === 'create') return changes.slice(start, start + 1);
    if (first.kind === 'delete')
      return runOf(changes, start, (next) => next.kind === 'delete' && next.together === first.together);
    const alike = runOf(changes, start, (next) => next.kind === 'update' && this.#areAlike(first, next));
    if (!this.#isOfColumns(first) || alike.length >= mostEach) return alike;
    const ids = new Set([first.id]);
    const each = runOf(changes, start, (next) => {
      const isNext =
        next.kind === 'update' && ids.size < mostEach && this.#haveSameKeys(first, next) && !ids.has(next.id);
      ids.add(next.id);
      return isNext;
    });
    return each.length >= fewestEach ? each : alike;
  }

  /** Whether an update changes nothing but columns of the record's own, of which none is in a key that others may take. */
  #isOfColumns({ group, keys, lost }: Update): boolean {
    const rows = this.#rowsOf(group);
    const { unique } = this.#options.groupOf(group).resource;
    const isTakeable = (key: string): boolean => unique.some(({ fields }) => fields.some((field) => field.key === key));
    return lost === undefined && keys.every((key) => rows.listOf(key) === undefined && !isTakeable(key));
  }

  #haveSameKeys(one: Update, other: Update): boolean {
    if (one.group !== other.group || one.keys.join() !== other.keys.join()) return false;
    const areRead = one.before !== undefined && other.before !== undefined;
    return areRead && one.isNewVersion === other.isNewVersion && other.lost === undefined;
  }

  /** Whether two records get the same values in columns of their own, or lose the same items of the same list. */
  #areAlike(one: Update, other: Update): boolean {
    if (one.lost !== undefined || other.lost !== undefined)
      return (
        one.group === other.group && one.isNewVersion === other.isNewVersion && isDeepStrictEqual(one.lost, other.lost)
      );
    if (!this.#haveSameKeys(one, other)) return false;
    const rows = this.#rowsOf(one.group);
    return one.keys.every((key) => rows.listOf(key) === undefined && sameValue(one.after[key], other.after[key]));
  }

  /** @param ids The records that change alike, that of the change first. */
  async #update(session: Session, change: Update, ids: readonly string[]): Promise<number> {
    const { group, id, before, after, keys, lost, isNewVersion = false } = change;
    const rows = this.#rowsOf(group);
    if (lost !== undefined) {
      const removed = rows
        .listOf(...lost.list)
        ?.removeTarget(session, { key: lost.reference, target: lost.target }, ids);
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
      if (!isEmpty(before?.[key])) lists.push(list.removeAll(session, [id]));
      lists.push(list.insert(session, { id, createdAt: String(before?.['createdAt']) }, after[key]));
    }
    return (await Promise.all([updated, ...lists]))[0];
  }

  /** Records that change in the same columns, each to values of its own. */
  async #updateEach(
    session: Session,
    { group, keys, isNewVersion = false }: Update,
    run: readonly Change[],
  ): Promise<number> {
    const records = run.flatMap((change) => (change.kind === 'update' ? [{ ...change.after, id: change.id }] : []));
    await this.#rowsOf(group).updateEach(session, records, { keys, isNewVersion });
    return run.length;
  }

  /** The columns of the rows of a group, in the order of the values of an insertion. */
  columnsOf(group: string): readonly string[] {
    return this.#rowsOf(group).columns;
  }

  /** What is bound for these. */
  rowOf(group: string, values: Readonly<Values>): readonly Bound[] {
    return this.#rowsOf(group).rowOf(values);
  }

  /** What makes a record of one row, as a statement. @param revision See `Session.schemaRevision` */
  insertion({ group, after }: Creation, revision: number | undefined): BoundStatement {
    return this.#rowsOf(group).insertion(after, revision);
  }

  /** What changes columns of a record that nobody has read, as a statement. */
  blindUpdate({ group, id, after, keys }: Update, { revision, grant }: BlindUpdateOptions): BoundStatement | undefined {
    const { modified } = this.#options.groupOf(group);
    const change = { id, values: after, keys, modified, isUnseen: true, isNewVersion: true, grant };
    return this.#rowsOf(group).updateOf(change, revision);
  }

  /** Returns a select of one row if the record fulfils a condition. */
  grantCheck(group: string, check: { readonly id: string; readonly grant: RowGrant }): BoundStatement {
    return this.#rowsOf(group).grantCheck(check);
  }

  /** Raises the counters of these records, so that others that guard them wait, or conflict. */
  guard(session: Session, group: string, ids: readonly string[]): Promise<void> {
    return this.#rowsOf(group).guard(session, ids);
  }
}

/** The changes from `start` on, as long as they go with the one there. */
function runOf(changes: readonly Change[], start: number, goes: (next: Change) => boolean): readonly Change[] {
  let end = start + 1;
  for (let next = changes[end]; next !== undefined && goes(next); next = changes[end]) end += 1;
  return changes.slice(start, end);
}

const isEmpty = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;
