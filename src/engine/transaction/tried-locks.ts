// Locks over the retries of a write. The first try takes locks as it comes to them, the shortest way. After a deadlock, the next
// try takes all of these first, in one order: writes that cross each other come one after the other.
import type { Session } from '../../storage/schema/session.ts';
import type { Change } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';
import type { ReadLock } from '../plan/lock-kinds.ts';
import { lockRows } from './common-row.ts';
import { inOrder } from './in-order.ts';
import { namesIn } from './references.ts';

/** The locks of one write, over all of its tries. */
export class TriedLocks {
  readonly #ids = new Map<string, Map<string, ReadLock>>();
  /** What the parts of the last try have wanted. */
  #tried: (() => readonly Change[])[] = [];

  /** Notes rows of a group that the write locks; '' is a single record, or the common row. */
  note(group: string, ids: readonly string[], lock: ReadLock = 'own'): void {
    const known = this.#ids.get(group) ?? new Map<string, ReadLock>();
    this.#ids.set(group, known);
    for (const id of ids) if (known.get(id) !== 'own') known.set(id, lock);
  }

  /** @param changes What a write that begins now will have wanted when it ends. */
  begin(changes: () => readonly Change[]): void {
    this.#tried.push(changes);
  }

  /** Takes what the last try has come to; nothing on the first. */
  async takeAgain(session: Session, groups: Groups): Promise<void> {
    const tried = this.#tried.splice(0);
    if (tried.length === 0) return;
    for (const change of tried.flatMap((changes) => changes())) {
      if (change.kind !== 'create') this.note(change.group, [change.id]);
      if (change.kind === 'delete') continue;
      const { fields } = groups.get(change.group).resource;
      // Keys of the database lock the records that a row refers to.
      for (const { target, id } of namesIn(fields, change.after)) this.note(target, [id], 'shared');
    }
    for (const group of [...this.#ids.keys()].sort())
      for (const run of inOrder(this.#ids.get(group) ?? new Map())) await lockRows(groups, session, { group, ...run });
  }
}
