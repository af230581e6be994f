// What a change of a column asks of each database, and the class of every step: whether it touches rows, and how.
import { columnSql } from '../storage/columns.ts';
import type { DialectName } from '../storage/session.ts';
import { typeOf } from './column-type.ts';
import { conversionOf } from './conversions.ts';
import { findColumn, findTable, type Schema, type SchemaColumn } from './schema.ts';
import type { Step } from './steps.ts';

/** `metadata`: no row is looked at. `online`: rows are, and others go on writing meanwhile. */
export type StepClass = 'metadata' | 'online' | 'rebuild' | 'destroys';

export const classWords = {
  metadata: 'metadata only',
  online: 'online',
  rebuild: 'rebuilds the table',
  destroys: 'destroys data',
} as const satisfies Record<StepClass, string>;

/** What the database itself must change when a column changes. */
export type ColumnWork = 'none' | 'online' | 'rebuild';

/** What the change of a column's definition means on a database. */
export function columnWork(from: SchemaColumn, to: SchemaColumn, dialect: DialectName): ColumnWork {
  const isNullSame = (from.nullable === true) === (to.nullable === true);
  const [before, after] = [from, to].map((column) => columnSql(typeOf(column), dialect, ''));
  if (dialect === 'sqlite') {
    const isSame = isNullSame && before === after && conversionOf(from.type, to.type) === 'same';
    return isSame ? 'none' : 'rebuild';
  }
  if (before === after) return isNullSame ? 'none' : 'online';
  return isGrowth(from, to) ? 'online' : 'rebuild';
}

/** Bytes that a text of varying length takes at most; undefined for other columns. */
function bytesOf(column: SchemaColumn): { readonly family: string; readonly bytes: number } | undefined {
  const type = typeOf(column);
  if (type.kind === 'text') return type.length <= 255 ? { family: 'text', bytes: type.length * 4 } : undefined;
  if (type.kind === 'word') return { family: 'word', bytes: type.length };
  return type.kind === 'folded' ? { family: 'folded', bytes: type.length * 4 } : undefined;
}

/** A longer text whose length is still kept in as many bytes: one up to 255, two above. */
function isGrowth(from: SchemaColumn, to: SchemaColumn): boolean {
  const [before, after] = [bytesOf(from), bytesOf(to)];
  if (before === undefined || after === undefined || before.family !== after.family) return false;
  return before.bytes <= after.bytes && before.bytes > 255 === after.bytes > 255;
}

/** Whether a change only lets more values in, so that no row can be in its way. */
function isLooser(from: SchemaColumn, to: SchemaColumn): boolean {
  return tightened(from, to).length === 0;
}

/** What a column asks of its rows that it did not ask before. */
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
  | 'items'
  | 'fewerItems'
  | 'moreItems';

export function tightened(from: SchemaColumn, to: SchemaColumn): readonly Demand[] {
  const demands: [Demand, boolean][] = [
    ['noNulls', from.nullable === true && to.nullable !== true],
    ['shorter', lengthOf(to) < lengthOf(from)],
    ['fewerDigits', hasFewerDigits(from, to)],
    ['filled', to.filled === true && from.filled !== true && from.values === undefined],
    ['values', to.values !== undefined && !(from.values ?? ['']).every((value) => to.values?.includes(value))],
    ['minimum', (to.minimum ?? -Infinity) > Math.max(from.minimum ?? -Infinity, from.exclusiveMinimum ?? -Infinity)],
    ['maximum', (to.maximum ?? Infinity) < (from.maximum ?? Infinity)],
    ['exclusiveMinimum', isAbove(to.exclusiveMinimum, from)],
    ['format', to.format !== undefined && to.format !== from.format],
    ['items', to.items !== undefined && from.items !== undefined && hasTighterItems(from.items, to.items)],
    ['fewerItems', (to.maxItems ?? Infinity) < (from.maxItems ?? Infinity)],
    ['moreItems', (to.minItems ?? 0) > (from.minItems ?? 0)],
  ];
  return demands.flatMap(([demand, isAsked]) => (isAsked ? [demand] : []));
}

const hasTighterItems = (from: Omit<SchemaColumn, 'name'>, to: Omit<SchemaColumn, 'name'>): boolean =>
  (from.type !== to.type && conversionOf(from.type, to.type) === undefined) ||
  tightened({ name: '', ...from }, { name: '', ...to }).length > 0;

const isAbove = (bound: number | undefined, from: SchemaColumn): boolean =>
  bound !== undefined && bound > (from.exclusiveMinimum ?? -Infinity) && bound >= (from.minimum ?? -Infinity);

const lengthOf = (column: SchemaColumn): number => {
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

/** What a step does to the rows of a database. @param before the schema that it is applied to */
export function classOf(step: Step, before: Schema, dialect: DialectName): StepClass {
  switch (step.do) {
    case 'createTable':
    case 'renameTable':
    case 'renameColumn':
    case 'addColumn':
    case 'changeLimits':
      return 'metadata';
    case 'dropTable':
      return 'destroys';
    case 'dropColumn':
      // What is made from another column can be made again.
      return columnIn(before, step)?.madeFrom === undefined ? 'destroys' : 'online';
    case 'changeColumn': {
      const column = columnIn(before, step);
      const work = column === undefined ? 'none' : columnWork(column, step.column, dialect);
      return work === 'none' ? (step.fill === undefined ? 'metadata' : 'online') : work;
    }
    case 'renameValues':
    case 'computeColumn':
    case 'addIndex':
      return 'online';
    case 'dropIndex':
      return 'metadata';
    case 'renameIndex':
      return dialect === 'sqlite' ? 'online' : 'metadata';
    case 'addForeignKey':
      if (dialect === 'mysql') return 'online';
      return isOfNewColumn(step, before) ? 'metadata' : 'rebuild';
    case 'dropForeignKey':
      return dialect === 'sqlite' ? 'rebuild' : 'metadata';
  }
}

/** Whether a key belongs to a column that was added with it: SQLite has made both at once. */
export const isOfNewColumn = (step: Extract<Step, { readonly do: 'addForeignKey' }>, before: Schema): boolean =>
  columnIn(before, step)?.references === step.references;

/** The column that a step is about, as it is before. */
export const columnIn = (
  before: Schema,
  step: { readonly table: string; readonly column: string | SchemaColumn },
): SchemaColumn | undefined =>
  findColumn(findTable(before, step.table), typeof step.column === 'string' ? step.column : step.column.name);

/**
 * Whether a step only adds: no row is changed or looked at but to fill what is new, and the service as it was goes on.
 */
export function isAddition(step: Step, before: Schema, dialect: DialectName): boolean {
  switch (step.do) {
    case 'createTable':
    case 'addColumn':
    case 'computeColumn':
      return true;
    case 'addIndex':
      return step.index.unique !== true;
    case 'addForeignKey':
      return isOfNewColumn(step, before);
    case 'changeColumn': {
      const column = columnIn(before, step);
      return column !== undefined && isLooser(column, step.column) && classOf(step, before, dialect) !== 'rebuild';
    }
    case 'changeLimits': {
      const limits = findTable(before, step.table)?.limits;
      return (
        (step.limits.maxItems ?? Infinity) >= (limits?.maxItems ?? Infinity) &&
        (step.limits.minItems ?? 0) <= (limits?.minItems ?? 0)
      );
    }
    default:
      return false;
  }
}
