// The position of a fault in the record, by which `errors` are sorted.
import type { Field } from '../registry/model/model.ts';

/**
 * Unknown fields come after all others, and after those of the list item or object that they stand in. Among themselves
 * they stand as JavaScript keeps the keys of an object: whole numbers first, rising, then the others as they were sent.
 */
const unknown = Number.MAX_SAFE_INTEGER;

/** The place of a field that the group does not know, in the record or in what has the place `outer`. */
export function placeOfUnknown(outer: readonly number[], name: string): readonly number[] {
  return [...outer, outer.length > 0 && isWholeNumber(name) ? Number(name) : unknown];
}

/** Whether a step is the place of an item. */
export const isWholeNumber = (step: string): boolean => /^\d+$/.test(step);

/**
 * The place of a field, as numbers to be compared one by one: `lines[0].amount` → [place of lines, 0, place of amount].
 * @param steps From the record to the field: `['lines', '0', 'amount']`.
 */
export function placeOf(fields: readonly Field[], steps: readonly string[]): readonly number[] {
  const place: number[] = [];
  let inside = fields;
  for (const [depth, step] of steps.entries()) {
    if (depth > 0 && isWholeNumber(step)) {
      place.push(Number(step));
      continue;
    }
    const index = inside.findIndex(({ key }) => key === step);
    const field = inside[index];
    place.push(field === undefined ? unknown : index);
    inside = field !== undefined && 'fields' in field ? field.fields : [];
  }
  return place;
}

interface Placed {
  readonly place: readonly number[];
}

/** For sorting: what holds a place comes before what stands in it. */
export function comparePlaces({ place: one }: Placed, { place: other }: Placed): number {
  for (const [depth, index] of one.entries()) {
    const difference = index - (other[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
