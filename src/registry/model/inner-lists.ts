// Limits of nested lists. Each inner list has a limit of its own, and all of them together have one as well, so that a body of
// ten lines cannot bring ten thousand items.
import type { Field, ObjectsField } from './model.ts';

/** So many items the same list of all items may have together, unless a single one may have more. */
const mostTogether = 1000;

/** A list inside the items of another one, which could have more items in all than it may. */
interface InnerList {
  readonly key: string;
  readonly most: number;
}

export function innerLists(list: ObjectsField): readonly InnerList[] {
  const bounded = list.fields.flatMap((field: Field) =>
    'maxItems' in field ? [{ key: field.key, each: field.maxItems, most: Math.max(mostTogether, field.maxItems) }] : [],
  );
  return bounded.filter(({ each, most }) => list.maxItems * each > most).map(({ key, most }) => ({ key, most }));
}

/** What a body is told, behind the name of the outer list; and the document says. */
export const togetherWords = ({ key, most }: InnerList): string => `have at most ${most} ${key} in all`;
