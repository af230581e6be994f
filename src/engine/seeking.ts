// What formulas ask of the records of the workspace, inside one transaction: all that one round asks of a group together, and
// nothing twice.
import type { Found, PlacedLists, Records, Source } from '../behaviours/rule.ts';
import type { Ask } from '../formulas/facts.ts';
import type { Session } from '../storage/session.ts';
import type { Groups } from './groups.ts';
import type { Recollection } from './recollection.ts';

interface SeekingOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly known: Recollection;
  readonly many: Records['many'];
}

/** The groups' changes have been carried out before any of this is asked. */
export class Seeking {
  readonly #groups: Groups;
  readonly #session: Session;
  readonly #known: Recollection;
  readonly #many: Records['many'];

  constructor({ groups, session, known, many }: SeekingOptions) {
    this.#groups = groups;
    this.#session = session;
    this.#known = known;
    this.#many = many;
  }

  async seek(source: Source, asks: readonly Ask[]): Promise<readonly (readonly Found[])[]> {
    const { group } = source;
    const { found } = this.#known;
    const questions = asks.map((ask) => JSON.stringify([source.lists, ask]));
    const open = new Map<string, Ask>();
    for (const [index, question] of questions.entries()) {
      const ask = asks[index];
      if (ask !== undefined && !found.of(group).has(question)) open.set(question, ask);
    }
    if (open.size > 0) {
      const read = this.#read(source, [...open.values()]);
      // Whoever asks the same meanwhile waits for the same answer.
      for (const [index, question] of [...open.keys()].entries())
        found.put(
          group,
          question,
          read.then((all) => all[index] ?? []),
        );
    }
    return Promise.all(questions.map(async (question) => (await found.of(group).get(question)) ?? []));
  }

  async #read({ group, lists }: Source, asks: readonly Ask[]): Promise<readonly (readonly Found[])[]> {
    const { rows } = this.#groups.get(group);
    const read = await rows.seeker(lists).seek(this.#session, asks);
    const { records } = this.#known;
    for (const { id, record } of read.flat()) if (record !== undefined) records.put(group, id, Promise.resolve(record));
    const owners = new Set(
      read.flatMap((found) => found.flatMap(({ id, record }) => (record === undefined ? [id] : []))),
    );
    const owned = owners.size === 0 ? undefined : await this.#many(group, [...owners]);
    return read.map((found) =>
      found
        .flatMap(({ id, record = owned?.get(id), items }): Found[] => (record === undefined ? [] : [{ record, items }]))
        .sort(byMaking),
    );
  }

  hasAny({ group, lists }: Source, except: string): Promise<boolean> {
    return this.#known.existences.recall(group, JSON.stringify([lists, 'but', except]), () =>
      this.#groups.get(group).rows.seeker(lists).hasAny(this.#session, except),
    );
  }

  async listsOf({ group, lists }: Source, ids: readonly string[]): Promise<ReadonlyMap<string, PlacedLists>> {
    const { inside } = this.#known;
    const questionOf = (id: string): string => `${lists.join('.')} ${id}`;
    const open = ids.filter((id) => !inside.of(group).has(questionOf(id)));
    if (open.length > 0) {
      const read = await this.#groups.get(group).rows.listAt(lists).readInside(this.#session, open);
      for (const id of open) inside.put(group, questionOf(id), Promise.resolve(read.get(id) ?? new Map()));
    }
    const found = new Map<string, PlacedLists>();
    for (const id of ids) found.set(id, (await inside.of(group).get(questionOf(id))) ?? new Map());
    return found;
  }
}

/** Older records first, and the items of one in their order. */
function byMaking(a: Found, b: Found): number {
  const order = compare(a.record['createdAt'], b.record['createdAt']) || compare(a.record['id'], b.record['id']);
  if (order !== 0) return order;
  for (const [depth, { place }] of a.items.entries()) {
    const other = b.items[depth]?.place ?? 0;
    if (place !== other) return place - other;
  }
  return 0;
}

function compare(a: unknown, b: unknown): number {
  const [one, other] = [String(a), String(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}
