// The record that a write makes or changes, as formulas find it among the others: as it will be. One that goes is gone.
import { type RecordValue, recordValue, type Wanted } from '../formulas/facts.ts';
import { itemsOf, itemsWithin } from '../formulas/record-items.ts';
import { isList, type Known } from '../formulas/value.ts';
import type { Moment, Source } from './rule.ts';

export class OwnRecord {
  readonly #write: Pick<Moment, 'values' | 'resource' | 'operation'>;

  constructor(write: Pick<Moment, 'values' | 'resource' | 'operation'>) {
    this.#write = write;
  }

  /** Null where it goes. */
  get value(): RecordValue | null {
    return this.#write.operation === 'delete' ? null : recordValue(this.#write.values);
  }

  get id(): string {
    return String(this.#write.values['id']);
  }

  /** Its id, where it is of a group. */
  idIn(group: string): string | undefined {
    return this.#write.resource.name === group ? this.id : undefined;
  }

  is(group: string, id: string): boolean {
    return this.idIn(group) === id;
  }

  /** The record, or the items of its lists, where they have all these values. */
  itemsIn({ group, lists }: Source, wanted: readonly Wanted[]): readonly RecordValue[] {
    if (this.idIn(group) === undefined) return [];
    const { value } = this;
    if (value === null) return [];
    const [last] = lists.slice(-1);
    if (last === undefined) return wanted.every((one) => hasValue(value, one)) ? [value] : [];
    const around = itemsWithin(value, lists.slice(0, -1));
    // Most items of a long list are others: they are looked at as they are.
    return around.flatMap((owner) =>
      itemsOf(owner, last, (values) => wanted.every((one) => hasValue({ values, owner }, one))),
    );
  }

  /** What is stored, with these instead of what is stored of this record; in the order of making. */
  among(found: readonly RecordValue[], { group }: Source, own: readonly RecordValue[]): readonly RecordValue[] {
    const id = this.idIn(group);
    if (id === undefined) return found;
    const others = found.filter((each) => rootOf(each).id !== id);
    if (own.length === 0) return others;
    const madeAt = madeOf(this.#write.values);
    const place = others.findIndex((each) => madeOf(rootOf(each).values) > madeAt);
    return others.toSpliced(place < 0 ? others.length : place, 0, ...own);
  }
}

/** Ids rise with the time of their making; the time goes first. */
const madeOf = (values: RecordValue['values']): string => `${String(values['createdAt'])} ${String(values['id'])}`;

const rootOf = (value: RecordValue): RecordValue => (value.owner === undefined ? value : rootOf(value.owner));

type Holder = Pick<RecordValue, 'values' | 'owner'>;

function hasValue(item: Holder, { key, up, isAmong, value }: Wanted): boolean {
  let holder: Holder | undefined = item;
  for (let step = 0; step < up; step += 1) holder = holder?.owner;
  const found = holder?.values[key] as Known | undefined;
  if (found === undefined || found === null) return false;
  return isAmong ? isList(found) && found.includes(value) : String(found) === String(value);
}
