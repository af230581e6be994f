// The record that a write makes or changes, as formulas find it among the others: as it will be. One that goes is gone.
import { type RecordValue, recordValue, type Wanted } from '../formulas/facts.ts';
import { itemsWithin } from '../formulas/record-items.ts';
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
    return itemsWithin(value, lists).filter((item) => wanted.every((one) => hasValue(item, one)));
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

function hasValue(item: RecordValue, { key, up, isAmong, value }: Wanted): boolean {
  let holder: RecordValue | undefined = item;
  for (let step = 0; step < up; step += 1) holder = holder?.owner;
  const found = holder?.values[key] as Known | undefined;
  if (found === undefined || found === null) return false;
  return isAmong ? isList(found) && found.includes(value) : String(found) === String(value);
}
