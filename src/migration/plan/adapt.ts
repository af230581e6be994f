// Adapts steps of a file to a database that is ahead of it, because a start has updated it. Steps already done are left out,
// and a table or column made under an earlier name is renamed instead of made again.
import { pointShift } from './conversions.ts';
import {
  allRows,
  findColumn,
  findIndex,
  findTable,
  formulaIn,
  isSame,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
} from './schema.ts';
import { applyStep, computeStep, type Step } from './steps.ts';

/** What is left to do of a step. @param recorded the schema that the database has */
export function adaptStep(step: Step, recorded: Schema): readonly Step[] {
  if (step.do === 'createTable') return adaptTable(step, recorded);
  if (step.do === 'noteStates') return isSame(applyStep(recorded, step), recorded) ? [] : [step];
  const table = findTable(recorded, step.table);
  switch (step.do) {
    case 'dropTable':
      return table === undefined ? [] : [step];
    case 'renameTable':
      return table === undefined && findTable(recorded, step.to) !== undefined ? [] : [step];
    case 'addColumn': {
      const { column, was, fill } = step;
      const found = findColumn(table, column.name);
      if (found !== undefined) {
        const target = { ...asFilled(column, found), ...keyOf(found.references) };
        if (isSame(found, target) || isSame(found, asFilled(column, found))) return [];
        return [{ do: 'changeColumn', table: step.table, column: target, ...fillOf(fill) }];
      }
      const old = was === undefined ? undefined : findColumn(table, was);
      if (old === undefined || pointShift(old.type, column.type) === undefined) return [step];
      const rename: Step = { do: 'renameColumn', table: step.table, column: old.name, to: column.name };
      return [rename, ...adaptStep(step, applyStep(recorded, rename))];
    }
    case 'dropColumn':
      return table !== undefined && findColumn(table, step.column) === undefined ? [] : withoutIndexes(step, table);
    case 'renameColumn':
      return findColumn(table, step.column) === undefined && findColumn(table, step.to) !== undefined ? [] : [step];
    case 'changeColumn':
      return isSame(findColumn(table, step.column.name), step.column) ? [] : [step];
    case 'computeFigures': {
      const open = Object.entries(step.formulas).filter(([name, formula]) => {
        const found = formulaIn(table, name);
        return found.unfilled === true || (found.formula ?? null) !== formula;
      });
      const states = Object.entries(step.states ?? {}).filter(
        ([name, becomes]) => findColumn(table, name)?.becomes !== becomes,
      );
      if (open.length === 0 && states.length === 0) return [];
      return [computeStep(step.table, Object.fromEntries(open), Object.fromEntries(states))];
    }
    case 'addIndex': {
      const found = findIndex(table, step.index.name);
      if (found === undefined) return [step];
      return isSame(found, step.index) ? [] : [{ do: 'dropIndex', table: step.table, index: found.name }, step];
    }
    case 'dropIndex':
      return table !== undefined && findIndex(table, step.index) === undefined ? [] : [step];
    case 'renameIndex':
      return findIndex(table, step.index) === undefined && findIndex(table, step.to) !== undefined ? [] : [step];
    default:
      return [step];
  }
}

/** A column with what is known of the values of one that is there. */
function asFilled(column: SchemaColumn, { formula, unfilled, becomes }: SchemaColumn): SchemaColumn {
  return {
    ...withoutFormula(column),
    ...(formula !== undefined && { formula }),
    ...(unfilled && { unfilled }),
    ...(becomes !== undefined && { becomes }),
  };
}

const fillOf = <T>(fill: T | undefined): { readonly fill?: T } => (fill === undefined ? {} : { fill });
const keyOf = (references: string | undefined): { readonly references?: string } =>
  references === undefined ? {} : { references };

/** An index that a later version has made over the column goes with it. */
function withoutIndexes(
  step: Extract<Step, { readonly do: 'dropColumn' }>,
  table: SchemaTable | undefined,
): readonly Step[] {
  const over = table?.indexes.filter(({ columns }) => columns.includes(step.column)) ?? [];
  return [...over.map((index): Step => ({ do: 'dropIndex', table: step.table, index: index.name })), step];
}

const withoutFormula = ({ formula: _f, unfilled: _u, becomes: _b, ...column }: SchemaColumn): SchemaColumn => column;

/** The step that fills figures and states of a table. */
function figuresOf({ name: table, columns, formula: rows }: SchemaTable): readonly Step[] {
  const formulas = Object.fromEntries(
    [...columns, { name: allRows, formula: rows }].flatMap(({ name, formula }) =>
      formula === undefined ? [] : [[name, formula]],
    ),
  );
  const states = Object.fromEntries(
    columns.flatMap(({ name, becomes }) => (becomes === undefined ? [] : [[name, becomes]])),
  );
  const isEmpty = Object.keys(formulas).length === 0 && Object.keys(states).length === 0;
  return isEmpty ? [] : [computeStep(table, formulas, states)];
}

function adaptTable(step: Extract<Step, { readonly do: 'createTable' }>, recorded: Schema): readonly Step[] {
  const { table, was, fill = {} } = step;
  const found = findTable(recorded, table.name);
  if (found === undefined) {
    if (was === undefined || findTable(recorded, was) === undefined) return [step];
    const isGroup = isSame(table.primaryKey, ['id']);
    const [from, to] = [was, table.name].map((name) => name.replaceAll('_', '-'));
    const group = isGroup && from !== undefined && to !== undefined ? { group: { from, to } } : {};
    const rename: Step = { do: 'renameTable', table: was, to: table.name, ...group };
    return [rename, ...adaptTable(step, applyStep(recorded, rename))];
  }
  const steps: Step[] = [];
  let now: Schema = recorded;
  const parts: readonly Step[] = [
    ...table.columns.map(
      (column): Step => ({
        ...{ do: 'addColumn', table: table.name, column: withoutFormula(column) },
        ...(Object.hasOwn(fill, column.name) && fillOf(fill[column.name])),
      }),
    ),
    ...table.indexes.map((index): Step => ({ do: 'addIndex', table: table.name, index })),
    ...figuresOf(table),
  ];
  for (const part of parts) {
    for (const left of adaptStep(part, now)) {
      steps.push(left);
      now = applyStep(now, left);
    }
  }
  return steps;
}
