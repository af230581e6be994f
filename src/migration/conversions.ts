// Which types of columns can become which, and how a value of one is written as the other on SQLite; MySQL converts by itself.
import type { ColumnType } from '../storage/columns.ts';
import { textToType } from './column-type.ts';

/** A column's name, quoted → the expression of its converted value; `same` when SQLite keeps both alike. */
type Conversion = 'same' | ((column: string) => string);

const power = (digits: number): string => `1${'0'.repeat(digits)}`;

/** More digits behind the point multiply, fewer divide; the check of the rows has seen that nothing is cut off. */
const scaled =
  (by: number): Conversion =>
  (column) =>
    by > 0 ? `${column} * ${power(by)}` : `${column} / ${power(-by)}`;

/** How values of a type become values of another one; undefined when they cannot. */
export function conversionOf(before: string, after: string): Conversion | undefined {
  if (before === after) return 'same';
  const [from, to] = [textToType(before), textToType(after)];
  if (from === undefined || to === undefined) return undefined;
  if (isText(from) && isText(to)) return 'same';
  if (from.kind === 'folded' && to.kind === 'folded') return 'same';
  const [fromScale, toScale] = [scaleOf(from), scaleOf(to)];
  if (fromScale === undefined || toScale === undefined) return undefined;
  return fromScale === toScale ? 'same' : scaled(toScale - fromScale);
}

const isText = ({ kind }: ColumnType): boolean => kind === 'text' || kind === 'word';

/** Digits behind the point, of numbers. */
export const scaleOf = (type: ColumnType): number | undefined =>
  type.kind === 'integer' ? 0 : type.kind === 'decimal' ? type.scale : undefined;
