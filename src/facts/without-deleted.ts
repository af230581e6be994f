// Facts of a write: records are locked before they are read, and records that the write deletes are invisible to formulas.

import type { Limit, Tallied, TallyAsk, Wanted } from '../formulas/evaluate/facts.ts';
import type { Collection, Order } from '../formulas/language/tree.ts';
import { notKnown, type RecordValue, type Unknown } from '../formulas/language/value.ts';
import type { WriteContext } from './context.ts';
import { ReadFacts } from './read-facts.ts';

const nothing: ReadonlySet<string> = new Set();

/** What a write looks at stays as it is until it ends; what goes with it is gone, but for what was before it. */
class JudgingFacts extends ReadFacts {
  protected override readonly way = 'judging';
  readonly #write: WriteContext;
  readonly #gone: ReadonlySet<string>;

  constructor(
    write: WriteContext,
    about: Omit<ConstructorParameters<typeof ReadFacts>[0], 'records'>,
    gone: ReadonlySet<string>,
  ) {
    super({ records: write.records, ...about });
    this.#write = write;
    this.#gone = gone;
  }

  protected override pastFacts(): ReadFacts {
    const { today, actingMember } = this.#write;
    return new JudgingFacts(this.#write, { today, actor: actingMember }, nothing);
  }

  override record(group: string, id: string): RecordValue | null | Unknown {
    if (this.#gone.size > 0 && this.#gone.has(`${group}/${id}`)) return null;
    const { keeping } = this.#write;
    if (keeping !== undefined && keeping.kept.get(group)?.has(id) !== true) keeping.record(group, id);
    return super.record(group, id);
  }

  override collection(
    collection: Collection,
    wanted: readonly Wanted[],
    limits: readonly Limit[],
  ): readonly RecordValue[] | Unknown {
    this.#write.keeping?.collection(collection, wanted);
    const found = super.collection(collection, wanted, limits);
    if (found === notKnown || this.#gone.size === 0) return found;
    return found.filter((one) => !this.#gone.has(`${collection.group}/${ownerOf(one).id ?? ''}`));
  }

  override anyOf(collection: Collection): readonly RecordValue[] | Unknown {
    this.#write.keeping?.collection(collection, []);
    const records = super.anyOf(collection);
    if (records === notKnown || this.#gone.size === 0) return records;
    return records.filter((one) => !this.#gone.has(`${collection.group}/${ownerOf(one).id ?? ''}`));
  }

  /** The one before may be among those that go. */
  override previous(order: Order, self: RecordValue): RecordValue | null | Unknown | undefined {
    return this.#gone.size > 0 ? undefined : super.previous(order, self);
  }

  override tally(ask: TallyAsk): Tallied | Unknown | undefined {
    this.#write.keeping?.collection(ask.tally.collection, ask.wanted);
    return super.tally(ask);
  }

  override workspace(): RecordValue | Unknown {
    this.#write.keeping?.record(this.#write.records.workspaceGroup() ?? '', '');
    return super.workspace();
  }

  protected override absentIn(group: string): readonly string[] | undefined {
    const own = super.absentIn(group) ?? [];
    if (this.#gone.size === 0) return own;
    const start = `${group}/`;
    const going = [...this.#gone]
      .flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []))
      .filter((id) => !own.includes(id));
    if (going.length === 0) return own;
    return going.length > mostGoing ? undefined : [...own, ...going.sort()];
  }
}

/** So many records that go are told to the database; beyond, those that stay are read. */
const mostGoing = 50;

/** The record in whose lists an item stands. */
const ownerOf = (value: RecordValue): RecordValue => (value.owner === undefined ? value : ownerOf(value.owner));

/**
 * What formulas of rules and effects look at in a write.
 * @param isNew Whether the record is being made, so that no other can name it yet.
 */
export const factsOf = (write: WriteContext, isNew = false): ReadFacts =>
  new JudgingFacts(write, { write, memo: write.memo, isNew }, write.beingDeleted);
