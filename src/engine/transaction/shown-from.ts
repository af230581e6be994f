// Where a record shows a value of another one.
import type { Field, Values } from '../../registry/model/model.ts';

/** The path to what a field shows, where that is no value of its own: read through always, or inherited as the record is now. */
export const shownFrom = ({ from, inherits }: Field, values: Readonly<Values>): string | undefined =>
  from ?? inherits.find(({ when }) => ((values[when.key] ?? null) === when.literal) === (when.operator === '=='))?.from;
