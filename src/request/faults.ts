// Faults of a body. A response shows the first ones in the record's order, and a body of a megabyte can hold a hundred
// thousand: only those that can be shown are kept, and checking stops where no earlier one can follow.
import type { BodyFault, BodyFaults } from './intent.ts';
import { comparePlaces } from './place.ts';

/** How many texts an answer shows. */
export const mostFaults = 50;

/** Collects the first faults in the order of the record, and of all of them which fields they concern. */
export class FaultLog {
  /** In the order of the record; those of one place in the order of their coming. */
  readonly first: readonly BodyFault[];
  /** Keys of the record's fields that are wrong, or hold something wrong. */
  readonly keys: ReadonlySet<string>;
  /** Where faults stand, in the caller's words: `lines[0].amount`. */
  readonly places: ReadonlySet<string>;
  readonly #first: BodyFault[];
  readonly #texts: Set<string>;
  readonly #keys: Set<string>;
  readonly #places: Set<string>;

  /** @param known What is already known to be wrong; left as it is. */
  constructor(known?: BodyFaults) {
    this.#first = [...(known?.first ?? [])];
    this.#texts = new Set(this.#first.map(({ text }) => text));
    this.#keys = new Set(known?.keys);
    this.#places = new Set(known?.places);
    [this.first, this.keys, this.places] = [this.#first, this.#keys, this.#places];
  }

  /** Adds a fault, unless its text is known. */
  add(fault: BodyFault): void {
    this.#keys.add(fault.key);
    this.#places.add(fault.at);
    if (this.isPast(fault) || this.#texts.has(fault.text)) return;
    let index = this.#first.length;
    while (index > 0 && comparePlaces(this.#first[index - 1] ?? fault, fault) > 0) index -= 1;
    this.#first.splice(index, 0, fault);
    this.#texts.add(fault.text);
    const last = this.#first.length > mostFaults ? this.#first.pop() : undefined;
    if (last !== undefined) this.#texts.delete(last.text);
  }

  /** Notes that something is wrong with a field, in a place past all that an answer shows. */
  taint(key: string): void {
    this.#keys.add(key);
  }

  /** Whether the answer shows no fault of this place any more, nor one that comes after it in the record. */
  isPast(place: Pick<BodyFault, 'place'>): boolean {
    const last = this.#first[mostFaults - 1];
    return last !== undefined && comparePlaces(place, last) >= 0;
  }

  /** Whether what stands in a field from this place on can be left alone: it adds nothing to the answer. */
  isDone(key: string, place: Pick<BodyFault, 'place'>): boolean {
    return this.#keys.has(key) && this.isPast(place);
  }
}
