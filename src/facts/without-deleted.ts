// Facts of a write: records are locked before they are read, and records that the write deletes are invisible to formulas.

import type { Limit, Tallied, TallyAsk, Wanted } from '../formulas/evaluate/facts.ts';
import type { Collection } from '../formulas/language/tree.ts';
import { notKnown, type RecordValue, type Unknown } from '../formulas/language/value.ts';
import type { WriteContext } from './context.ts';
import { ReadFacts } from './read-facts.ts';

/** What a write looks at stays as it is until it ends. */
class KeepingFacts extends ReadFacts {
  readonly #write: Pick<WriteContext, 'keeping' | 'records'>;

  constructor(write: WriteContext, about: Omit<ConstructorParameters<typeof ReadFacts>[0], 'records'>) {
    super({ records: write.records, ...about });
    this.#write = write;
  }

  override record(group: string, id: string): RecordValue | null | Unknown {
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
    return super.collection(collection, wanted, limits);
  }

  override tally(ask: TallyAsk): Tallied | Unknown | undefined {
    this.#write.keeping?.collection(ask.tally.collection, ask.wanted);
    return super.tally(ask);
  }

  override workspace(): RecordValue | Unknown {
    this.#write.keeping?.record(this.#write.records.workspaceGroup() ?? '', '');
    return super.workspace();
  }
}

class JudgingFacts extends KeepingFacts {
  readonly #write: WriteContext;

  constructor(write: WriteContext, isNew: boolean) {
    super(write, { write, memo: write.memo, isNew });
    this.#write = write;
  }

  protected override get way(): 'judging' {
    return 'judging';
  }

  protected override pastFacts(): ReadFacts {
    return new KeepingFacts(this.#write, { today: this.#write.today, actor: this.#write.actingMember });
  }

  override record(group: string, id: string): RecordValue | null | Unknown {
    const { beingDeleted } = this.#write;
    return beingDeleted.size > 0 && beingDeleted.has(`${group}/${id}`) ? null : super.record(group, id);
  }

  override collection(
    collection: Collection,
    wanted: readonly Wanted[],
    limits: readonly Limit[],
  ): readonly RecordValue[] | Unknown {
    const found = super.collection(collection, wanted, limits);
    const { beingDeleted } = this.#write;
    if (found === notKnown || beingDeleted.size === 0) return found;
    return found.filter((one) => !beingDeleted.has(`${collection.group}/${ownerOf(one).id ?? ''}`));
  }

  protected override absentIn(group: string): readonly string[] | undefined {
    const own = super.absentIn(group) ?? [];
    const { beingDeleted } = this.#write;
    if (beingDeleted.size === 0) return own;
    const start = `${group}/`;
    const going = [...beingDeleted]
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
export const factsOf = (write: WriteContext, isNew = false): ReadFacts => new JudgingFacts(write, isNew);
