// Read-your-own-writes: other formulas see the record that is being written as it will be, and not at all when it is deleted.

import { recordValue, type Wanted } from '../formulas/evaluate/facts.ts';
import { itemsWithin } from '../formulas/evaluate/record-items.ts';
import { isList, type Known, type RecordValue } from '../formulas/language/value.ts';
import type { WriteContext } from './context.ts';
import type { RecordSource } from './sources.ts';

/** Items of a list by the text of a value of theirs, in their order. */
type Index = ReadonlyMap<string, readonly RecordValue[]>;

const none: readonly RecordValue[] = [];

export class OwnRecord {
  readonly #write: Pick<WriteContext, 'values' | 'resource' | 'operation' | 'gaps'>;
  readonly group: string;
  readonly id: string;
  /** Whether items have been looked for by a value. */
  isIndexed = false;
  /** By the key that is looked for, and by the list and how far out of it the key is. */
  readonly #indexes = new Map<string, Map<string, Index>>();

  constructor(write: Pick<WriteContext, 'values' | 'resource' | 'operation' | 'gaps'>) {
    this.#write = write;
    this.group = write.resource.name;
    this.id = String(write.values['id']);
  }

  /** Null where it goes. */
  get value(): RecordValue | null {
    const { operation, values, gaps } = this.#write;
    if (operation === 'delete') return null;
    return gaps === undefined ? recordValue(values) : { ...recordValue(values), gaps };
  }

  /** The record, or the items of its lists, where they have all these values. */
  itemsIn({ group, lists }: RecordSource, wanted: readonly Wanted[]): readonly RecordValue[] {
    if (this.group !== group) return none;
    const { value } = this;
    if (value === null) return [];
    const [first] = wanted;
    const items =
      first === undefined || lists.length === 0 ? itemsWithin(value, lists) : this.#found(value, lists, first);
    return items.filter((item) => wanted.every((one) => hasValue(item, one)));
  }

  /** To be called when a value has changed; without a key, when any may have. */
  forget(key?: string): void {
    if (key !== undefined) this.#indexes.delete(key);
    else {
      this.#indexes.clear();
      this.isIndexed = false;
    }
  }

  /** Each item of a long list may ask for others: the list is gone through once, not once an item. */
  #found(value: RecordValue, lists: readonly string[], { key, up, value: sought }: Wanted): readonly RecordValue[] {
    this.isIndexed = true;
    const ofKey = this.#indexes.get(key) ?? new Map<string, Index>();
    this.#indexes.set(key, ofKey);
    const place = `${lists.join('.')}^${up}`;
    const index = ofKey.get(place) ?? indexOf(itemsWithin(value, lists), key, up);
    ofKey.set(place, index);
    return index.get(String(sought)) ?? [];
  }

  /** What is stored, with these instead of what is stored of this record; in the order of making. */
  among(found: readonly RecordValue[], { group }: RecordSource, own: readonly RecordValue[]): readonly RecordValue[] {
    if (this.group !== group) return found;
    const { id } = this;
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

function indexOf(items: readonly RecordValue[], key: string, up: number): Index {
  const index = new Map<string, RecordValue[]>();
  for (const item of items) {
    const found = valueAt(item, key, up);
    for (const text of new Set(isList(found) ? found.map(String) : [String(found)])) {
      const alike = index.get(text);
      if (alike === undefined) index.set(text, [item]);
      else alike.push(item);
    }
  }
  return index;
}

function valueAt(item: RecordValue, key: string, up: number): Known {
  let holder: RecordValue | undefined = item;
  for (let step = 0; step < up; step += 1) holder = holder?.owner;
  return (holder?.values[key] as Known | undefined) ?? null;
}

function hasValue(item: RecordValue, { key, up, isAmong, value }: Wanted): boolean {
  const found = valueAt(item, key, up);
  if (found === null) return false;
  return isAmong ? isList(found) && found.includes(value) : String(found) === String(value);
}
