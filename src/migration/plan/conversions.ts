// Changes of columns: types that become others, and new requirements on the rows that exist.
import type { ColumnType } from '../../storage/schema/column-types.ts';
import { textToType, typeOf } from './column-type.ts';
import type { SchemaColumn } from './schema.ts';

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

/** A requirement on the values of a column. */
export type Demand =
  | 'noNulls'
  | 'shorter'
  | 'fewerDigits'
  | 'filled'
  | 'values'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'format'
  | 'pattern'
  | 'items'
  | 'fewerItems'
  | 'moreItems';

/** Returns the requirements of a column that it did not have before, so that rows may be in the way. */
export function tightened(from: SchemaColumn, to: SchemaColumn): readonly Demand[] {
  const demands: [Demand, boolean][] = [
    ['noNulls', from.nullable === true && to.nullable !== true],
    // Before the length: the values that a column takes say more of a row in the way.
    ['values', to.values !== undefined && !(from.values ?? ['']).every((value) => to.values?.includes(value))],
    ['shorter', maxLength(to) < maxLength(from)],
    ['fewerDigits', hasFewerDigits(from, to)],
    ['filled', to.filled === true && from.filled !== true && from.values === undefined],
    ['minimum', (to.minimum ?? -Infinity) > Math.max(from.minimum ?? -Infinity, from.exclusiveMinimum ?? -Infinity)],
    ['maximum', (to.maximum ?? Infinity) < (from.maximum ?? Infinity)],
    ['exclusiveMinimum', isAbove(to.exclusiveMinimum, from)],
    ['format', to.format !== undefined && to.format !== from.format],
    ['pattern', to.pattern !== undefined && to.pattern !== from.pattern],
    ['items', to.items !== undefined && (from.format === 'json' || hasTighterItems(from.items, to.items))],
    ['fewerItems', (to.maxItems ?? Infinity) < (from.maxItems ?? Infinity)],
    ['moreItems', (to.minItems ?? 0) > (from.minItems ?? 0)],
  ];
  return demands.flatMap(([demand, isAsked]) => (isAsked ? [demand] : []));
}

/** Reports whether values are to be replaced: a value in the place of none, the same for all rows, needs no step for each row. */
export const needsReplacing = (demands: readonly Demand[], isSameForAll: boolean): boolean =>
  demands.some((demand) => demand !== 'noNulls' && (demand !== 'filled' || !isSameForAll));

const hasTighterItems = (from: SchemaColumn['items'], to: Omit<SchemaColumn, 'name'>): boolean =>
  from !== undefined &&
  ((from.type !== to.type && pointShift(from.type, to.type) === undefined) ||
    tightened({ name: '', ...from }, { name: '', ...to }).length > 0);

const isAbove = (bound: number | undefined, from: SchemaColumn): boolean =>
  bound !== undefined && bound > (from.exclusiveMinimum ?? -Infinity) && bound >= (from.minimum ?? -Infinity);

const maxLength = (column: SchemaColumn): number => {
  const type = typeOf(column);
  return type.kind === 'text' || type.kind === 'word' ? type.length : Infinity;
};

function hasFewerDigits(from: SchemaColumn, to: SchemaColumn): boolean {
  const [before, after] = [from, to].map((column) => {
    const type = typeOf(column);
    if (type.kind === 'integer') return { whole: 16, scale: 0 };
    return type.kind === 'decimal' ? { whole: type.precision - type.scale, scale: type.scale } : undefined;
  });
  return before !== undefined && after !== undefined && (after.whole < before.whole || after.scale < before.scale);
}
