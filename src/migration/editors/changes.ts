// Classifies steps: whether they touch rows and how, and what a change of a column requires of the rows.
import type { Dialect } from '../../storage/schema/dialect.ts';
import { typeOf } from '../plan/column-type.ts';
import { pointShift } from '../plan/conversions.ts';
import { columnIn, findTable, type Schema, type SchemaColumn } from '../plan/schema.ts';
import { isOfNewColumn, type Step } from '../plan/steps.ts';
import { editorOf } from './editors.ts';
import type { StepClass } from './schema-editor.ts';

export const classWords = {
  metadata: 'metadata only',
  online: 'online',
  rebuild: 'rebuilds the table',
  destroys: 'destroys data',
} as const satisfies Record<StepClass, string>;

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
  | 'pattern'
  | 'items'
  | 'fewerItems'
  | 'moreItems';

export function tightened(from: SchemaColumn, to: SchemaColumn): readonly Demand[] {
  const demands: [Demand, boolean][] = [
    ['noNulls', from.nullable === true && to.nullable !== true],
    // Before the length: which values a column takes says more of a row in the way.
    ['values', to.values !== undefined && !(from.values ?? ['']).every((value) => to.values?.includes(value))],
    ['shorter', lengthOf(to) < lengthOf(from)],
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

const hasTighterItems = (from: SchemaColumn['items'], to: Omit<SchemaColumn, 'name'>): boolean =>
  from !== undefined &&
  ((from.type !== to.type && pointShift(from.type, to.type) === undefined) ||
    tightened({ name: '', ...from }, { name: '', ...to }).length > 0);

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

/** Whether a step ends what is kept, on whatever database. @param before the schema that it is applied to */
export const isDestructive = (step: Step, before: Schema): boolean =>
  step.do === 'dropTable' ||
  // What is made from another column can be made again.
  (step.do === 'dropColumn' && columnIn(before, step)?.madeFrom === undefined);

/** What a step does to the rows of a database. @param before the schema that it is applied to */
export function classOf(step: Step, before: Schema, dialect: Dialect): StepClass {
  switch (step.do) {
    case 'createTable':
    case 'renameTable':
    case 'renameColumn':
    case 'addColumn':
    case 'changeLimits':
    case 'dropIndex':
    case 'noteStates':
      return 'metadata';
    case 'changeColumn': {
      const column = columnIn(before, step);
      const work = column === undefined ? 'none' : editorOf(dialect).columnWork(column, step.column);
      return work === 'none' ? (step.fill === undefined ? 'metadata' : 'online') : work;
    }
    case 'dropTable':
    case 'dropColumn':
      return isDestructive(step, before) ? 'destroys' : 'online';
    case 'renameValues':
    case 'fillColumn':
    case 'computeColumn':
    case 'computeFigures':
    case 'addIndex':
      return 'online';
    case 'renameIndex':
    case 'addForeignKey':
    case 'dropForeignKey':
      return editorOf(dialect).classOf(step, before);
  }
}

/**
 * Whether a step only adds: no row is changed or looked at but to fill what is new, and the service as it was goes on.
 */
export function isAddition(step: Step, before: Schema, dialect: Dialect): boolean {
  switch (step.do) {
    case 'createTable':
    case 'addColumn':
    case 'computeColumn':
    case 'computeFigures':
    case 'noteStates':
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
