// What a write locks. The first try takes locks as it comes to them, which is the shortest way. Where that has met others so
// that each waited for the other, the next try takes all that the last one came to, in one order, before anything else: so
// writes that cross each other come one after the other, and none is told to come again.
import type { Registry } from '../registry/model.ts';
import type { Session } from '../storage/session.ts';
import type { Change } from './change.ts';
import type { Group } from './groups.ts';
import { namesIn } from './references.ts';

/** The locks of one write, over all of its tries. */
export class Locks {
  readonly #ids = new Map<string, Set<string>>();
  /** What the parts of the last try have wanted. */
  #tried: (() => readonly Change[])[] = [];

  /** Notes rows of a group that the write locks; '' is the single record of the workspace's settings. */
  note(group: string, ids: readonly string[]): void {
    const known = this.#ids.get(group) ?? new Set();
    this.#ids.set(group, known);
    for (const id of ids) known.add(id);
  }

  /** @param changes What a write that begins now will have wanted when it ends. */
  begin(changes: () => readonly Change[]): void {
    this.#tried.push(changes);
  }

  /** Takes what the last try has come to; nothing on the first. */
  async takeAgain(session: Session, { registry, groupOf }: Known): Promise<void> {
    const tried = this.#tried.splice(0);
    if (tried.length === 0) return;
    for (const change of tried.flatMap((changes) => changes())) {
      if (change.kind !== 'create') this.note(change.group, [change.id]);
      if (change.kind === 'delete') continue;
      const { fields } = groupOf(change.group).resource;
      // Keys of the database lock the records that a row refers to.
      for (const { target, id } of namesIn(fields, change.after)) this.note(target, [id]);
    }
    for (const name of [...this.#ids.keys()].sort()) {
      if (!registry.resources.has(name)) continue;
      const { rows } = groupOf(name);
      const ids = [...(this.#ids.get(name) ?? [])].sort();
      if (ids.includes('')) await rows.find(session, '', { lock: true, lists: false });
      await rows.lock(
        session,
        ids.filter((id) => id !== ''),
      );
    }
  }
}

interface Known {
  readonly registry: Registry;
  readonly groupOf: (name: string) => Group;
}
