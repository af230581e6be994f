// Columns of computed fields and computed states: the steps that compute them, and the values of their rows until then.
import { typeOf } from './column-type.ts';
import { allRows, findColumn, formulaIn, type SchemaColumn, type SchemaTable } from './schema.ts';
import { computeStep, type FillValue, type Step } from './steps.ts';

/**
 * Returns the step that computes new and changed fields and states of a table.
 * @param hasKnownStates whether `before` stores the conditions of a column's states: without them, states are taken as unchanged.
 */
export function computeChanges(
  before: SchemaTable,
  to: SchemaTable,
  hasKnownStates: (column: string) => boolean,
): Step | undefined {
  const formulas: Record<string, string | null> = {};
  const states: Record<string, string> = {};
  for (const name of [...before.columns.map((column) => column.name), allRows]) {
    const { formula, unfilled } = formulaIn(before, name);
    const target = formulaIn(to, name).formula;
    if (unfilled === true || target !== formula) formulas[name] = target ?? null;
    const becomes = findColumn(to, name)?.becomes;
    if (becomes !== undefined && hasKnownStates(name) && becomes !== findColumn(before, name)?.becomes)
      states[name] = becomes;
  }
  const isEmpty = Object.keys(formulas).length === 0 && Object.keys(states).length === 0;
  return isEmpty ? undefined : computeStep(to.name, formulas, states);
}

/** Returns the conditions of a table's states that it does not store yet, by column; undefined if it stores all. */
export function listNewConditions(before: SchemaTable, to: SchemaTable): Readonly<Record<string, string>> | undefined {
  const open = to.columns.flatMap(({ name, becomes }) =>
    becomes === undefined || becomes === findColumn(before, name)?.becomes ? [] : [[name, becomes] as const],
  );
  return open.length === 0 ? undefined : Object.fromEntries(open);
}

/** Returns the value of a column without nulls until its field is computed. */
export function emptyFill(column: SchemaColumn): FillValue | undefined {
  const { kind } = typeOf(column);
  switch (kind) {
    case 'boolean':
      return false;
    case 'integer':
      return 0;
    case 'decimal':
      return '0';
    case 'date':
      return '1970-01-01';
    case 'dateTime':
      return '1970-01-01T00:00:00.000Z';
    case 'id':
      return '00000000-0000-0000-0000-000000000000';
    case 'json':
      return '[]';
    case 'word':
      return column.values?.[0] ?? '';
    default:
      return '';
  }
}
