// Who stands behind whom in orders of records, as far as a transaction has looked: running values are computed one behind the other
// without asking for the one before each.
import type { Order } from '../formulas/language/tree.ts';
import type { RecordValue } from '../formulas/language/value.ts';

/** What is known of one order. */
interface Line {
  readonly order: Order;
  /** By the id of each record: what gave it its place, and the ids of those next to it; null where there is none. */
  readonly places: Map<string, { readonly by: string; before?: string | null; behind?: string | null }>;
}

interface Ends {
  /** Whether nobody stands before the first of them. */
  readonly isBegin?: boolean;
  /** Whether nobody stands behind the last one. */
  readonly isEnd?: boolean;
}

export class Lines {
  /** By the labels of their orders. */
  readonly #lines = new Map<string, Line>();

  /** Notes records that stand one behind the other, with nobody between two of them. */
  note(order: Order, records: readonly RecordValue[], { isBegin = false, isEnd = false }: Ends): void {
    const line = this.#lines.get(order.label) ?? { order, places: new Map() };
    this.#lines.set(order.label, line);
    for (const [index, record] of records.entries()) {
      const place = { ...line.places.get(record.id ?? ''), by: placeBy(order, record) };
      const [before, behind] = [records[index - 1]?.id, records[index + 1]?.id];
      if (before !== undefined || (isBegin && index === 0)) place.before = before ?? null;
      if (behind !== undefined || isEnd) place.behind = behind ?? null;
      line.places.set(record.id ?? '', place);
    }
  }

  /** Whether anything is known of the place of a record. */
  has({ label }: Order, id: string): boolean {
    return this.#lines.get(label)?.places.has(id) === true;
  }

  /**
   * The id of the record before one, where it is known and that one still has the place in which it was found; null for the first,
   * undefined where it is not known.
   */
  before(order: Order, record: RecordValue): string | null | undefined {
    const place = this.#lines.get(order.label)?.places.get(record.id ?? '');
    return place?.before !== undefined && place.by === placeBy(order, record) ? place.before : undefined;
  }

  /** The id of the record behind one; null where there is none, undefined where it is not known. */
  behind({ label }: Order, id: string): string | null | undefined {
    return this.#lines.get(label)?.places.get(id)?.behind;
  }

  /** To be called when a record of a group has changed. @param keys What has changed in it; of one that comes or goes, nothing */
  forget(group: string, keys?: readonly string[]): void {
    for (const [label, { order }] of this.#lines)
      if (order.group === group && (keys === undefined || order.keys.some((key) => keys.includes(key))))
        this.#lines.delete(label);
  }
}

/** What gives a record its place, as a text. */
const placeBy = ({ keys }: Order, { values }: RecordValue): string => JSON.stringify(keys.map((key) => values[key]));
