// A column that takes the place of one of its own name, whose values cannot become its own, has a passing name until the
// formulas of fills have read the old one. No field makes a name with two underscores.

const mark = '__new';

/** `joined_on` → `joined_on__new`, a name of at most 64 letters. */
export const passingName = (column: string): string => `${column.slice(0, 64 - mark.length)}${mark}`;

export const isPassing = (column: string): boolean => column.endsWith(mark);

/** `joined_on__new` → `joined_on`; other names stay. */
export const settledName = (column: string): string => (isPassing(column) ? column.slice(0, -mark.length) : column);
