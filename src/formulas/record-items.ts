// The items of a record's lists, as formulas go through them.
import type { RecordValue } from './facts.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of a list of a record, each knowing what it stands in. */
function itemsOf(record: RecordValue, key: string): readonly RecordValue[] {
  const list = record.values[key];
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).filter(isObject).map((values, place) => ({
    values,
    id: typeof values['id'] === 'string' ? values['id'] : undefined,
    owner: record,
    place,
  }));
}

/** The items of lists inside lists; the record itself without any. @param lists Keys, from outside inwards. */
export const itemsWithin = (record: RecordValue, [key, ...deeper]: readonly string[]): readonly RecordValue[] =>
  key === undefined ? [record] : itemsOf(record, key).flatMap((item) => itemsWithin(item, deeper));
