// Iterates over the items of a record's lists.
import { isObject } from '../../values/json.ts';
import type { RecordValue } from '../language/value.ts';

const none: readonly RecordValue[] = Object.freeze([]);

/** The items of a list of a record, each knowing what it stands in. */
export function itemsIn(record: RecordValue, list: readonly unknown[]): readonly RecordValue[] {
  if (list.length === 0) return none;
  const items: RecordValue[] = [];
  for (const values of list)
    if (isObject(values))
      items.push({
        values,
        id: typeof values['id'] === 'string' ? values['id'] : undefined,
        owner: record,
        place: items.length,
        // What is still to be filled in of it is known no sooner in the list than by itself.
        ...(record.gaps && { gaps: record.gaps }),
      });
  return items;
}

/** The items of lists inside lists; the record itself without any. @param lists Keys, from outside inwards. */
export const itemsWithin = (record: RecordValue, lists: readonly string[]): readonly RecordValue[] =>
  lists.reduce<readonly RecordValue[]>((around, key) => around.flatMap((item) => itemsUnder(item, key)), [record]);

function itemsUnder(record: RecordValue, key: string): readonly RecordValue[] {
  const list = record.values[key];
  return Array.isArray(list) ? itemsIn(record, list) : none;
}
