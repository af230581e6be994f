// Additive steps: processes of an older version may continue to write during and after them. They store no wrong or incomplete
// value, and every name that they read stays.
import { allRows, columnIn, findColumn, findTable, isSame, type Schema } from './schema.ts';
import { type Step, tableOfStep } from './steps.ts';

/** Reports whether older processes may write after a step. @param before the schema before the whole migration */
export function isAdditive(step: Step, before: Schema): boolean {
  switch (step.do) {
    case 'createTable': {
      // The rows of a list belong to records that older processes write and delete.
      const owner = findColumn(step.table, 'owner_id')?.references;
      return step.maintained !== true && (owner === undefined || findTable(before, owner) === undefined);
    }
    case 'addColumn': {
      const { column, fill, filledByWrites } = step;
      const isEmpty = column.nullable === true && fill === undefined && filledByWrites !== true;
      return isOfNewTable(step, before) || (isEmpty && column.unfilled !== true && !isComputed(step));
    }
    case 'addIndex':
      return step.index.unique !== true || isOfNewTable(step, before);
    case 'noteStates':
      return true;
    case 'addForeignKey':
      // An older process does not write a new column.
      return columnIn(before, step) === undefined;
    default:
      return false;
  }
}

/** Reports whether all steps of a migration are additive. @param before the schema before it */
export const areAdditive = (steps: readonly Step[], before: Schema): boolean =>
  steps.every((step) => isAdditive(step, before));

/**
 * Reports whether older processes may write until the values of a step are computed for a second time, with their records. The
 * columns must be new to them: rules and effects would act on a mixture of old and new values.
 */
export function isComputedLater(step: Step, before: Schema): boolean {
  switch (step.do) {
    case 'computeColumn':
      return true;
    case 'addColumn':
      return isComputed(step);
    case 'computeFigures': {
      const table = findTable(before, step.table);
      return [step.formulas, step.states ?? {}]
        .flatMap((sources) => Object.keys(sources))
        .every((name) => name !== allRows && findColumn(table, name) === undefined);
    }
    default:
      return false;
  }
}

const isComputed = ({ column }: Extract<Step, { readonly do: 'addColumn' }>): boolean =>
  [column.formula, column.madeFrom, column.becomes].some((source) => source !== undefined);

const isOfNewTable = ({ table }: { readonly table: string }, before: Schema): boolean =>
  findTable(before, table) === undefined;

/** The tables that older processes can no longer read. */
export interface MovedTables {
  /** Tables that a step renames or drops, or whose columns or values it renames, drops or stores in another form. */
  readonly tables: readonly string[];
  /** Whether an older process that does not know it yet may read wrong values without an error. */
  readonly isSilent: boolean;
}

/** Lists the tables that older processes can no longer read. @param steps with the schema before each */
export function movedTables(steps: readonly (readonly [step: Step, before: Schema])[]): MovedTables {
  const tables = new Set<string>();
  /** Names that are given up; one that is given again means something else. */
  const freed = new Set<string>();
  let isSilent = false;
  for (const [step, before] of steps) {
    const table = tableOfStep(step);
    switch (step.do) {
      case 'renameTable':
      case 'dropTable':
        freed.add(table);
        tables.add(table);
        if (step.do === 'renameTable' && freed.has(step.to)) isSilent = true;
        break;
      case 'renameColumn':
      case 'dropColumn':
        freed.add(`${table}.${step.column}`);
        tables.add(table);
        if (step.do === 'renameColumn' && freed.has(`${table}.${step.to}`)) isSilent = true;
        break;
      case 'renameValues':
        tables.add(table);
        isSilent ||= areReused(step, before);
        break;
      case 'changeColumn':
        if (isSame(columnIn(before, step)?.type, step.column.type)) break;
        tables.add(table);
        isSilent = true;
        break;
      case 'createTable':
        isSilent ||= freed.has(table);
        break;
      case 'addColumn':
        isSilent ||= freed.has(`${table}.${step.column.name}`);
        break;
      default:
    }
  }
  return { tables: [...tables], isSilent };
}

/** Reports whether a new value of an enum is one of older processes. */
function areReused(step: Extract<Step, { readonly do: 'renameValues' }>, before: Schema): boolean {
  const column = columnIn(before, step);
  const oldValues = column?.values ?? column?.items?.values ?? [];
  return Object.keys(step.values).some((value) => oldValues.includes(value));
}
