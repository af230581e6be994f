// The items of a record's lists, as formulas go through them.
import { isObject } from '../values/json.ts';
import type { RecordValue } from './facts.ts';

/** The items of a list of a record, each knowing what it stands in. @param isMeant Of which items. */
export function itemsIn(
  record: RecordValue,
  list: readonly unknown[],
  isMeant: (values: RecordValue['values']) => boolean = () => true,
): readonly RecordValue[] {
  const items: RecordValue[] = [];
  for (const [place, values] of list.filter(isObject).entries())
    if (isMeant(values))
      items.push({ values, id: typeof values['id'] === 'string' ? values['id'] : undefined, owner: record, place });
  return items;
}

/** The items of the list that a record keeps under a key. @param isMeant Of which items. */
export function itemsOf(
  record: RecordValue,
  key: string,
  isMeant?: (values: RecordValue['values']) => boolean,
): readonly RecordValue[] {
  const list = record.values[key];
  return itemsIn(record, Array.isArray(list) ? list : [], isMeant);
}

/** The items of lists inside lists; the record itself without any. @param lists Keys, from outside inwards. */
export function itemsWithin(record: RecordValue, [key, ...deeper]: readonly string[]): readonly RecordValue[] {
  if (key === undefined) return [record];
  return itemsOf(record, key).flatMap((item) => itemsWithin(item, deeper));
}
