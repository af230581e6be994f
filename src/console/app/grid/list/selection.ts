// The rows of a list that somebody has chosen.
import { signal } from '@preact/signals';
import { list, type Shown } from '../../service/api.ts';
import type { RecordWindow } from './record-window.ts';

/** So many are chosen at most: what one looks through before all of them are changed. */
export const mostChosen = 1000;
const page = 100;

export class Selection {
  readonly #chosen = signal<ReadonlyMap<string, Shown>>(new Map());
  /** Where a range begins. */
  #anchor = 0;

  get count(): number {
    return this.#chosen.value.size;
  }

  get records(): readonly Shown[] {
    return [...this.#chosen.value.values()];
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#chosen.value.has(id);
  }

  /** Chooses a row, or leaves it. */
  toggle(records: RecordWindow, index: number): void {
    this.#anchor = index;
    const record = records.at(index);
    if (record?.id === undefined) return;
    const next = new Map(this.#chosen.value);
    if (!next.delete(record.id) && next.size < mostChosen) next.set(record.id, record);
    this.#chosen.value = next;
  }

  /** Chooses all rows from the last one that was chosen to this one, as far as they are read. */
  reach(records: RecordWindow, index: number): void {
    const next = new Map(this.#chosen.value);
    const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
    for (let place = from; place <= to && next.size < mostChosen; place += 1) {
      const record = records.at(place);
      if (record?.id !== undefined) next.set(record.id, record);
    }
    this.#chosen.value = next;
  }

  choose(records: readonly Shown[]): void {
    this.#chosen.value = new Map(
      records.slice(0, mostChosen).flatMap((record) => (record.id === undefined ? [] : [[record.id, record] as const])),
    );
  }

  clear(): void {
    this.#chosen.value = new Map();
  }
}

/** All records that a list has, up to what can be chosen. @param query With the fields that are shown. */
export async function allMatching(path: string, query: URLSearchParams): Promise<readonly Shown[]> {
  const found: Shown[] = [];
  const asked = new URLSearchParams(query);
  asked.set('limit', String(page));
  for (let hasMore = true; hasMore && found.length < mostChosen; ) {
    const read = await list(path, asked);
    found.push(...read.results);
    ({ hasMore } = read);
    asked.set('startingAfter', String(found.at(-1)?.id));
  }
  return found;
}
