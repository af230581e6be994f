// The plain idea of a filter: rows as they are shown, compared in JavaScript.
import type { FilterParameter, Order } from '../../../src/endpoints/routes/endpoint.ts';
import { fold } from '../../../src/values/fold.ts';
import { isObject, type Json } from '../service/client.ts';

/** What a record shows for a filter: one value, or those of its list. */
export function shownValues(record: Json, { field, list }: FilterParameter): unknown[] {
  const plain = (value: unknown): unknown => (isObject(value) ? value['id'] : value);
  if (list === undefined) {
    const value = record[field.name];
    return Array.isArray(value) ? value.map(plain) : [plain(value)];
  }
  const items = record[list.name];
  return Array.isArray(items) ? items.map((item: Json) => plain(item[field.name])) : [];
}

/** Whether a record passes a filter. Null passes none. */
export function passes(record: Json, filter: FilterParameter, wanted: string): boolean {
  return shownValues(record, filter).some(
    (value) => value !== null && value !== undefined && matches(value, filter, wanted),
  );
}

/** Test values have so few digits that doubles tell them apart. */
function compares(value: number, comparison: FilterParameter['comparison'], wanted: string): boolean {
  const bound = Number(wanted);
  if (comparison === 'after') return value > bound;
  if (comparison === 'onAfter') return value >= bound;
  if (comparison === 'before') return value < bound;
  return comparison === 'onBefore' ? value <= bound : value === bound;
}

function matches(value: unknown, { comparison, accepts }: FilterParameter, wanted: string): boolean {
  if (accepts.kind === 'integer' || accepts.kind === 'decimal') return compares(Number(value), comparison, wanted);
  const text = String(value);
  switch (comparison) {
    case 'sees':
      throw new Error('what callers see is no parameter');
    case 'equals':
    case 'holds':
      return accepts.kind === 'uuid' ? text === wanted.toLowerCase() : text === wanted;
    case 'foldedEquals':
      return fold(text) === fold(wanted);
    case 'foldedContains':
      return fold(text).includes(fold(wanted));
    case 'foldedStartsWith':
      return fold(text).startsWith(fold(wanted));
    case 'foldedEndsWith':
      return fold(text).endsWith(fold(wanted));
    case 'after':
      return text > wanted;
    case 'onAfter':
      return text >= wanted;
    case 'before':
      return text < wanted;
    case 'onBefore':
      return text <= wanted;
  }
}

/** Rows in the order of `sort`: nothing before everything, texts without case, then by the time of making and the id. */
export function sorted<Row extends Json>(
  rows: readonly Row[],
  { field, isDescending }: Pick<Order, 'field' | 'isDescending'>,
): Row[] {
  const keyOf = (row: Row): string | number | null => {
    const value = row[field.name];
    if (typeof value === 'number' || typeof value !== 'string') return typeof value === 'number' ? value : null;
    return field.kind === 'text' ? fold(value) : value;
  };
  const bytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
  const compare = (one: Row, other: Row): number => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a !== b) {
      if (a === null || b === null) return a === null ? -1 : 1;
      return typeof a === 'number' && typeof b === 'number' ? a - b : bytes(String(a), String(b));
    }
    return bytes(
      `${String(one['createdAt'])} ${String(one['id'])}`,
      `${String(other['createdAt'])} ${String(other['id'])}`,
    );
  };
  return rows.toSorted((one, other) => (isDescending ? -1 : 1) * compare(one, other));
}
