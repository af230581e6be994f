// Values of an enum that go by another name from now on.
import type { SchemaColumn } from './schema.ts';

/** Of the declared renames, those that this column still has before it. */
export function heirsOf(
  before: SchemaColumn,
  to: SchemaColumn,
  declared: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const old = before.values ?? before.items?.values ?? [];
  const now = to.values ?? to.items?.values ?? [];
  return Object.fromEntries(
    Object.entries(declared).filter(([heir, value]) => now.includes(heir) && old.includes(value)),
  );
}

/** Whether the new names of values are longer than the column is yet. */
export const isLonger = (before: SchemaColumn, to: SchemaColumn): boolean =>
  before.type !== to.type && isWord(to) && wordLength(to) > wordLength(before);

const isWord = ({ type }: SchemaColumn): boolean => type.startsWith('word(');
const wordLength = ({ type }: SchemaColumn): number => Number(/^word\((\d+)\)$/.exec(type)?.[1] ?? 0);

/** A column that holds the old values and the new ones. */
export const widened = (from: SchemaColumn, to: SchemaColumn): SchemaColumn => ({
  ...from,
  type: to.type,
  values: [...new Set([...(from.values ?? []), ...(to.values ?? [])])],
});
