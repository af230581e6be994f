// The facts of a write in which records go: to formulas they are gone already, though their rows are there until the end.
import type { Limit, RecordValue, Wanted } from '../formulas/facts.ts';
import type { Collection } from '../formulas/tree.ts';
import { notKnown, type Unknown } from '../formulas/value.ts';
import { ReadFacts } from './read-facts.ts';
import type { Moment } from './rule.ts';

/** A write, with the records that go with it. */
type Going = Omit<Moment, 'use' | 'key' | 'conflict'>;

class WithoutGoing extends ReadFacts {
  readonly #isLeaving: Moment['isLeaving'];

  constructor(write: Going) {
    super({ records: write.records, write, memo: write.memo });
    this.#isLeaving = (group, id) => write.isLeaving(group, id);
  }

  override record(group: string, id: string): RecordValue | null | Unknown {
    return this.#isLeaving(group, id) ? null : super.record(group, id);
  }

  override collection(
    collection: Collection,
    wanted: readonly Wanted[],
    limits: readonly Limit[],
  ): readonly RecordValue[] | Unknown {
    const found = super.collection(collection, wanted, limits);
    if (found === notKnown) return found;
    return found.filter((one) => !this.#isLeaving(collection.group, ownerOf(one).id ?? ''));
  }
}

/** The record in whose lists an item stands. */
const ownerOf = (value: RecordValue): RecordValue => (value.owner === undefined ? value : ownerOf(value.owner));

/** What formulas of rules and effects look at in a write. */
export const factsOf = (moment: Going): ReadFacts => new WithoutGoing(moment);
