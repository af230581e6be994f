// Queries that formulas ask inside one transaction: all that one round asks of a group is one statement, and answers are cached.

import { inTurns } from '../../admission/event-loop.ts';
import type { ReadCache } from '../../facts/read-cache.ts';
import type { Records } from '../../facts/records.ts';
import type { Found, PlacedLists, RecordSource } from '../../facts/sources.ts';
import { type Ask, askText } from '../../formulas/evaluate/facts.ts';
import type { Values } from '../../registry/model/model.ts';
import type { FoundRow } from '../../storage/rows/levels.ts';
import type { Session } from '../../storage/schema/session.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Groups } from '../plan/groups.ts';

/** Undefined where there are too many. */
type FoundOrNot = readonly Found[] | undefined;

/** So many of one ask are read at once where that spares questions about them. */
const fewItems = 50;

interface RecordQueriesOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly known: ReadCache;
  readonly many: Records['many'];
}

/** The groups' changes have been carried out before any of this is asked. */
export class RecordQueries {
  readonly #groups: Groups;
  readonly #session: Session;
  readonly #known: ReadCache;
  readonly #many: Records['many'];

  constructor({ groups, session, known, many }: RecordQueriesOptions) {
    this.#groups = groups;
    this.#session = session;
    this.#known = known;
    this.#many = many;
  }

  query(source: RecordSource, asks: readonly Ask[]): Soon<readonly (readonly Found[])[]> {
    const { group } = source;
    const { found } = this.#known;
    const questions = asks.map((ask) => questionOf(source, askText(ask)));
    const open = new Map<string, Ask>();
    for (const [index, question] of questions.entries()) {
      const ask = asks[index];
      if (ask !== undefined && !found.has(group, question)) open.set(question, ask);
    }
    // What is forgotten meanwhile was asked for before.
    const known = questions.map((question) => {
      const answer = found.get(group, question);
      return answer instanceof Promise ? answer : answer?.value;
    });
    if (open.size === 0) return soonAll(known.map((rows) => rows ?? []));
    const sought = [...open.keys()];
    const read = this.#read(source, [...open.values()]).then(
      (all) => new Map(sought.map((question, place) => [question, all[place] ?? []])),
    );
    const next = (all: ReadonlyMap<string, readonly Found[]>) =>
      soonAll(questions.map((question, index) => known[index] ?? all.get(question) ?? []));
    return found.awaitAll(group, { questions: sought, next }, read);
  }

  async few(source: RecordSource, asks: readonly Ask[], most = fewItems): Promise<readonly boolean[]> {
    const { found } = this.#known;
    const read = await this.#read(source, asks, most);
    for (const [index, ask] of asks.entries()) {
      const rows = read[index];
      if (rows !== undefined) found.put(source.group, questionOf(source, askText(ask)), rows);
    }
    return read.map((rows) => rows !== undefined);
  }

  /** @param ask The ask as a text. */
  foundAtHand(source: RecordSource, ask: string): readonly Found[] | undefined {
    return this.#known.found.atHand(source.group, questionOf(source, ask))?.value;
  }

  listsAtHand({ group, lists }: RecordSource, id: string): PlacedLists | undefined {
    return this.#known.inside.atHand(group, listQuestion(lists, id))?.value;
  }

  /** @param most Where more than so many are found for each, none are given. */
  #read({ group, lists }: RecordSource, asks: readonly Ask[], most?: number): Promise<readonly FoundOrNot[]> {
    const { rows } = this.#groups.get(group);
    return Promise.resolve(rows.finder(lists).find(this.#session, asks, most)).then((read) => {
      const { records } = this.#known;
      const owners = new Set<string>();
      const note = ({ id, record }: FoundRow): void => {
        if (record === undefined) owners.add(id);
        else records.put(group, id, record);
      };
      const noted = inTurns(
        read.flatMap((found) => found ?? []),
        note,
      );
      const owned = soon(noted, () => (owners.size === 0 ? undefined : this.#many(group, [...owners])));
      return soon(owned, (known) => read.map((found) => found && withOwners(found, known)));
    });
  }

  hasAny({ group, lists }: RecordSource, except: string): Soon<boolean> {
    return this.#known.existences.recall(group, JSON.stringify([lists, 'but', except]), () =>
      this.#groups.get(group).rows.finder(lists).hasAny(this.#session, except),
    );
  }

  listsOf({ group, lists }: RecordSource, ids: readonly string[]): Soon<ReadonlyMap<string, PlacedLists>> {
    const { inside } = this.#known;
    const found = new Map<string, PlacedLists>();
    const open: string[] = [];
    for (const id of ids) {
      const known = inside.atHand(group, listQuestion(lists, id));
      if (known === undefined) open.push(id);
      else found.set(id, known.value);
    }
    if (open.length === 0) return found;
    return soon(this.#groups.get(group).rows.listAt(lists).readInside(this.#session, open), (read) => {
      for (const id of open) {
        const placed = read.get(id) ?? new Map();
        inside.put(group, listQuestion(lists, id), placed);
        found.set(id, placed);
      }
      return found;
    });
  }
}

/** What an ask has found, in the order of making. */
const withOwners = (
  found: readonly FoundRow[],
  owned: ReadonlyMap<string, Readonly<Values>> | undefined,
): readonly Found[] =>
  found
    .flatMap(({ id, record = owned?.get(id), items }): Found[] => (record === undefined ? [] : [{ record, items }]))
    .sort(byMaking);

/** @param ask The ask as a text. */
const questionOf = ({ lists }: RecordSource, ask: string): string => `${lists.join('.')} ${ask}`;
const listQuestion = (lists: readonly string[], id: string): string => `${lists.join('.')} ${id}`;

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
