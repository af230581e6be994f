// Iterates over the items of a record's lists.
import { isObject } from '../../values/json.ts';
import type { RecordValue } from '../language/value.ts';

/** The items of a list of a record, each knowing what it stands in. */
export function itemsIn(record: RecordValue, list: readonly unknown[]): readonly RecordValue[] {
  return list.filter(isObject).map((values, place) => ({
    values,
    id: typeof values['id'] === 'string' ? values['id'] : undefined,
    owner: record,
    place,
    // What is still to be filled in of it is known no sooner in the list than by itself.
    ...(record.gaps && { gaps: record.gaps }),
  }));
}

/** The items of lists inside lists; the record itself without any. @param lists Keys, from outside inwards. */
export function itemsWithin(record: RecordValue, [key, ...deeper]: readonly string[]): readonly RecordValue[] {
  if (key === undefined) return [record];
  const list = record.values[key];
  return itemsIn(record, Array.isArray(list) ? list : []).flatMap((item) => itemsWithin(item, deeper));
}
