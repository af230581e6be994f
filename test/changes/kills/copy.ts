// A copy of the records of test/domains/log, as a client keeps it from lists and feed. It takes nothing for granted: each entry comes
// once, whole writes follow each other, and the versions of a record never fall.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { endOf, entriesAfter, type ShownEntry } from '../../support/data/changes.ts';
import { send } from '../../support/service/send.ts';

export type Records = Map<string, Record<string, unknown>>;

const groups = { author: '/authors', piece: '/pieces', tag: '/tags', note: '/notes' } as const;
/** Of these neither entries nor lists tell what they are. */
const untold = ['notes', 'pin'];

/** The records of all lists, by `group/id`, by the keys of bodies. */
export async function listsOf(address: string): Promise<Records> {
  const lists: Records = new Map();
  for (const [group, path] of Object.entries(groups))
    for (let after = ''; ; ) {
      const body = await pageOf(address, `${path}?limit=100${after}`);
      for (const { id, ...record } of body.results) lists.set(`${group}/${id}`, asSent(record));
      if (body.hasMore !== true) break;
      after = `&startingAfter=${body.results.at(-1).id}`;
    }
  return lists;
}

/** A page of a list; asked for again where the service is overloaded, as a client does. */
async function pageOf(address: string, path: string) {
  for (;;) {
    const { status, body, text } = await send({ address }, `GET ${path}`);
    if (status === 200) return body;
    if (status !== 503) throw new Error(`${path} answers ${text}`);
    await delay(100);
  }
}

/** A record of a list by the keys of bodies. */
function asSent(record: Record<string, unknown>): Record<string, unknown> {
  const idOf = (value: unknown): unknown => (value === null ? null : (value as { id: string }).id);
  const sent: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (key === 'author' || key === 'piece' || key === 'tag') sent[`${key}Id`] = idOf(value);
    else if (key === 'tags') sent['tagIds'] = (value as unknown[]).map(idOf);
    else if (key === 'lines') sent[key] = (value as Record<string, unknown>[]).map(asSent);
    else sent[key] = value;
  }
  return sent;
}

/** What is to be the same of a copy and of the lists: `tagIds` are a set. */
export const comparable = (records: Records): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...records].map(([name, record]) => {
      const kept = Object.entries(record).filter(([key]) => !untold.includes(key));
      return [name, Object.fromEntries(kept.map(([key, value]) => [key, key === 'tagIds' ? sorted(value) : value]))];
    }),
  );

const sorted = (ids: unknown): readonly string[] => (ids as string[]).toSorted();

/** Takes an entry into a copy: what it has already changes nothing. */
function take(copy: Records, { operation, group, id, changes }: ShownEntry): void {
  const name = `${group}/${id}`;
  if (operation === 'delete') {
    copy.delete(name);
    return;
  }
  const record = copy.get(name) ?? {};
  for (const [key, change] of Object.entries(changes)) {
    if ('to' in change) record[key] = change.to;
    else if (Array.isArray(change.removed))
      record[key] = ((record[key] ?? []) as string[]).filter((each) => !change.removed.includes(each));
    else if (change.removed !== undefined)
      record[key] = ((record[key] ?? []) as Record<string, unknown>[]).filter(
        (item) => item[change.removed.field] !== change.removed.id,
      );
  }
  copy.set(name, record);
}

/** A write of which some entries have come, and how many it has. */
interface Begun {
  readonly write: string;
  readonly parts: number;
  readonly seen: number;
}

export class Copy {
  readonly records: Records;
  /** How many entries it has taken in. */
  count = 0;
  /** Ids of records whose making it was told of. */
  readonly made = new Set<string>();
  /** Writes of callers, the last ones. */
  readonly recent: string[] = [];
  #cursor: string;
  readonly #versions = new Map<string, number>();
  #begun: Begun | undefined;

  private constructor(cursor: string, records: Records) {
    this.#cursor = cursor;
    this.records = records;
  }

  /** Begins as the guide says: the cursor first, then the lists. */
  static async begin(address: string): Promise<Copy> {
    const cursor = await endOf({ address });
    return new Copy(cursor, await listsOf(address));
  }

  /**
   * Follows the feed until something is over, and takes in what was written before that.
   * @param addressOf Where each page is asked for: any process is to know where the last page ended.
   */
  async follow(addressOf: () => string, isOver: () => boolean): Promise<void> {
    for (;;) {
      const isLast = isOver();
      const { entries, cursor } = await entriesAfter({ address: addressOf() }, this.#cursor);
      for (const entry of entries) this.#take(entry);
      this.#cursor = cursor;
      if (isLast) {
        expect(this.#begun?.seen).toBe(this.#begun?.parts);
        return;
      }
      await delay(20);
    }
  }

  #take(entry: ShownEntry): void {
    const { position, group, id, version, write, part, parts, operation, cause } = entry;
    const name = `${group}/${id}`;
    const last = this.#begun;
    if (last !== undefined) {
      // A write is whole, and its entries follow each other.
      const isSame = last.write === write;
      expect([part, last.seen], `${name} at ${position}`).toEqual(isSame ? [last.seen + 1, part - 1] : [1, last.parts]);
    }
    this.#begun = { write, parts, seen: part };
    const least = this.#versions.get(name) ?? 0;
    if (!(version >= least) || version === null) expect.fail(`${JSON.stringify(entry)} comes behind version ${least}`);
    this.#versions.set(name, version);
    if (operation === 'create') this.made.add(id);
    if (cause.kind === 'caller' && part === 1) this.recent.push(write);
    if (this.recent.length > 100) this.recent.shift();
    this.count += 1;
    take(this.records, entry);
  }

  /** Where it is in the log. */
  get position(): number {
    return Number(this.#cursor.split('.')[1]);
  }
}
