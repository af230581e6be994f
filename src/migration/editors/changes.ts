// Classifies steps: whether they touch rows and how, and what a change of a column requires of the rows.
import type { Dialect } from '../../storage/schema/dialect.ts';
import { tightened } from '../plan/conversions.ts';
import { columnIn, findTable, type Schema, type SchemaColumn } from '../plan/schema.ts';
import { applyStep, isOfNewColumn, type Step } from '../plan/steps.ts';
import { editorOf } from './editors.ts';
import type { StepClass } from './schema-editor.ts';

export const classWords = {
  metadata: 'metadata only',
  online: 'online',
  rebuild: 'rebuilds the table',
  destroys: 'deletes data',
} as const satisfies Record<StepClass, string>;

/** Whether a change only lets more values in, so that no row can be in its way. */
function isLooser(from: SchemaColumn, to: SchemaColumn): boolean {
  return tightened(from, to).length === 0;
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

/** Reports whether steps may break foreign keys: those that copy rows, drop tables or add references. */
export function mayBreakKeys(parts: readonly Step[], recorded: Schema, dialect: Dialect): boolean {
  let now = recorded;
  return parts.some((part) => {
    const kind = classOf(part, now, dialect);
    now = applyStep(now, part);
    return (
      kind === 'rebuild' || kind === 'destroys' || (part.do === 'addColumn' && part.column.references !== undefined)
    );
  });
}
