// What answers have shown: ids to ask for and records to copy, a bounded number of each group.
import type { Random } from '../../../src/demo/plan/random.ts';
import { unknownId } from '../../http/corpus/row.ts';
import { isNode, type Json } from './document.ts';

interface Pool {
  readonly ids: string[];
  /** Those that the run has made itself: what it deletes. */
  readonly made: string[];
  readonly records: Json[];
  readonly gone: string[];
}

const mostIds = 200;
const mostRecords = 40;
const mostGone = 8;
const mostAccepted = 12;

export class Harvest {
  readonly #random: Random;
  readonly #accepted = new Map<string, string[]>();
  readonly #pools = new Map<string, Pool>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** A record that an answer has shown. */
  learn(group: string, record: Json, isMade: boolean): void {
    const { id } = record;
    if (typeof id !== 'string') return;
    const pool = this.#pool(group);
    if (!pool.ids.includes(id)) this.#put(pool.ids, id, mostIds);
    if (isMade) this.#put(pool.made, id, mostIds);
    const place = pool.records.findIndex((each) => each['id'] === id);
    if (place >= 0) pool.records[place] = record;
    else this.#put(pool.records, record, mostRecords);
  }

  /** A record that is no longer there. */
  forget(group: string, id: string): void {
    const pool = this.#pool(group);
    for (const list of [pool.ids, pool.made]) remove(list, (each) => each === id);
    remove(pool.records, (each) => each['id'] === id);
    this.#put(pool.gone, id, mostGone);
  }

  /** An id of a group; one that no record has where none is known. */
  idOf(group: string): string {
    return this.#any(this.#pool(group).ids) ?? unknownId;
  }

  /** One that can be deleted without much harm. */
  idToDelete(group: string): string {
    const { made } = this.#pool(group);
    if (this.#random.chance(0.1)) return this.idOf(group);
    return this.#any(made) ?? this.goneIdOf(group);
  }

  goneIdOf(group: string): string {
    return this.#any(this.#pool(group).gone) ?? unknownId;
  }

  /** One that shows most of these ids: of the same project, the same client. */
  relativeOf(group: string, ids: readonly string[]): string | undefined {
    const near = this.#pool(group).records.map((record) => {
      const text = JSON.stringify(record);
      return { id: record['id'], shared: ids.filter((id) => text.includes(id)).length };
    });
    const most = Math.max(1, ...near.map(({ shared }) => shared));
    const found = this.#any(near.filter(({ shared }) => shared === most));
    return typeof found?.id === 'string' ? found.id : undefined;
  }

  recordOf(group: string): Json | undefined {
    return this.#any(this.#pool(group).records);
  }

  /** The record of an id, while it is kept. */
  record(group: string, id: string): Json | undefined {
    return this.#pool(group).records.find((each) => each['id'] === id);
  }

  /** An id that a create took for a field of a group. */
  accept(group: string, key: string, id: string): void {
    const place = `${group}.${key}`;
    const ids = this.#accepted.get(place) ?? [];
    this.#accepted.set(place, ids);
    if (!ids.includes(id)) this.#put(ids, id, mostAccepted);
  }

  acceptedOf(group: string, key: string): string | undefined {
    return this.#any(this.#accepted.get(`${group}.${key}`) ?? []);
  }

  has(group: string): boolean {
    return this.#pools.has(group);
  }

  groups(): string[] {
    return [...this.#pools.keys()];
  }

  #pool(group: string): Pool {
    const found = this.#pools.get(group) ?? { ids: [], made: [], records: [], gone: [] };
    this.#pools.set(group, found);
    return found;
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.#random.pick(list);
  }

  /** In a place by chance once the list is full: old and new ones stay. */
  #put<T>(list: T[], item: T, most: number): void {
    if (list.length < most) list.push(item);
    else list[this.#random.between(0, most - 1)] = item;
  }
}

function remove<T>(list: T[], isMeant: (item: T) => boolean): void {
  const place = list.findIndex(isMeant);
  if (place >= 0) list.splice(place, 1);
}

/** The records of an answer: those of a page, or the one. */
export function recordsIn(body: unknown): Json[] {
  if (!isNode(body)) return [];
  const { results } = body;
  return Array.isArray(results) ? results.filter(isNode) : [body];
}
