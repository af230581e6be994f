// Type conversions of columns: which are allowed, and what each does to a value.
import type { ColumnType } from '../../storage/schema/column-types.ts';
import { textToType } from './column-type.ts';

/**
 * How many more digits behind the point values have when a type becomes another one: 0 where they stay as they are,
 * undefined when they cannot become such values at all.
 */
export function pointShift(before: string, after: string): number | undefined {
  if (before === after) return 0;
  const [from, to] = [textToType(before), textToType(after)];
  if (from === undefined || to === undefined) return undefined;
  if (isText(from) && isText(to)) return 0;
  if (from.kind === 'folded' && to.kind === 'folded') return 0;
  const [fromScale, toScale] = [scaleOf(from), scaleOf(to)];
  return fromScale === undefined || toScale === undefined ? undefined : toScale - fromScale;
}

const isText = ({ kind }: ColumnType): boolean => kind === 'text' || kind === 'word';

/** Digits behind the point, of numbers. */
export const scaleOf = (type: ColumnType): number | undefined =>
  type.kind === 'integer' ? 0 : type.kind === 'decimal' ? type.scale : undefined;
