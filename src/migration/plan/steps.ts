// The steps of migrations as plain data, and what each does to a schema: replaying them gives the schema that they lead to.
import {
  allRows,
  columnIn,
  findColumn,
  findIndex,
  findTable,
  type Limits,
  type Schema,
  type SchemaColumn,
  type SchemaIndex,
  type SchemaTable,
} from './schema.ts';

/** What rows that exist get in a column: decimals and lists as text, as the engine has them. */
export type FillValue = string | number | boolean;

/** Groups by name, for what the service keeps of them beside their records. */
interface GroupNames {
  readonly from: string;
  readonly to: string;
}

export type Step =
  | {
      readonly do: 'createTable';
      readonly table: SchemaTable;
      readonly was?: string;
      /** By column, for the rows of a database that has such a table already, from a start, without these columns. */
      readonly fill?: Readonly<Record<string, FillValue>>;
      /** Whether writes of other groups, or a new day, change its records: older processes would not. */
      readonly maintained?: true;
    }
  | { readonly do: 'dropTable'; readonly table: string; readonly group?: string }
  | { readonly do: 'renameTable'; readonly table: string; readonly to: string; readonly group?: GroupNames }
  | {
      readonly do: 'addColumn';
      readonly table: string;
      readonly column: SchemaColumn;
      readonly fill?: FillValue;
      /** The name it had: a database that has such a column (made before the field was renamed) renames it. */
      readonly was?: string;
      /** Whether writes fill or check it without a value from the caller: older processes would not. */
      readonly filledByWrites?: true;
    }
  | { readonly do: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly do: 'renameColumn'; readonly table: string; readonly column: string; readonly to: string }
  /** Type, nulls, and what rows must satisfy; `fill` takes the place of nulls. */
  | { readonly do: 'changeColumn'; readonly table: string; readonly column: SchemaColumn; readonly fill?: FillValue }
  /** New value → the value that rows have now. */
  | {
      readonly do: 'renameValues';
      readonly table: string;
      readonly column: string;
      readonly values: Readonly<Record<string, string>>;
    }
  /** Gives rows that have no value the one that a formula gives over their columns. `column`: what it is to hold then. */
  | {
      readonly do: 'fillColumn';
      readonly table: string;
      readonly column: SchemaColumn;
      readonly formula: string;
      /** Instead, rows get a new value if `column` does not allow the one that they have. */
      readonly unfit?: true;
    }
  /** Makes the values of a column that is made from another one. */
  | { readonly do: 'computeColumn'; readonly table: string; readonly column: string }
  /**
   * Gives rows the values of figures: column, or `*` for the rows of a list, → its formula, null for one that is taken at times and once now. Done when all
   * else is: formulas are read with the descriptors as they are, which are those that all steps lead to.
   */
  | {
      readonly do: 'computeFigures';
      readonly table: string;
      readonly formulas: Readonly<Record<string, string | null>>;
      /** Columns of computed states that are decided again, with their conditions. */
      readonly states?: Readonly<Record<string, string>>;
    }
  /** Stores the conditions of computed states that are unchanged, by table and column: earlier versions did not store them. */
  | { readonly do: 'noteStates'; readonly states: Readonly<Record<string, Readonly<Record<string, string>>>> }
  | { readonly do: 'addIndex'; readonly table: string; readonly index: SchemaIndex }
  | { readonly do: 'dropIndex'; readonly table: string; readonly index: string }
  | { readonly do: 'renameIndex'; readonly table: string; readonly index: string; readonly to: string }
  | { readonly do: 'addForeignKey'; readonly table: string; readonly column: string; readonly references: string }
  | { readonly do: 'dropForeignKey'; readonly table: string; readonly column: string }
  | { readonly do: 'changeLimits'; readonly table: string; readonly limits: Limits };

/** Returns the step that computes figures and states of a table. */
export const computeStep = (
  table: string,
  formulas: Readonly<Record<string, string | null>>,
  states: Readonly<Record<string, string>>,
): Extract<Step, { readonly do: 'computeFigures' }> => ({
  do: 'computeFigures',
  table,
  formulas,
  ...(Object.keys(states).length > 0 && { states }),
});

/** Returns the name of the table that a step changes; '' if it changes the schema as a whole. */
export function tableOfStep(step: Step): string {
  if (step.do === 'noteStates') return '';
  return step.do === 'createTable' ? step.table.name : step.table;
}

/** A step that does not fit the schema it is applied to. Its message is a sentence without its subject's place. */
export class StepFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StepFault';
  }
}

/** Whether a key belongs to a column that was added with it. */
export const isOfNewColumn = (step: Extract<Step, { readonly do: 'addForeignKey' }>, before: Schema): boolean =>
  columnIn(before, step)?.references === step.references;

/** What a schema is after a step. @throws StepFault when the step does not fit it */
export function applyStep(schema: Schema, step: Step): Schema {
  switch (step.do) {
    case 'createTable':
      absent(findTable(schema, step.table.name), `the table "${step.table.name}"`);
      checkTable(step.table);
      return { ...schema, tables: [...schema.tables, step.table] };
    case 'dropTable':
      tableOf(schema, step.table);
      return { ...schema, tables: schema.tables.filter(({ name }) => name !== step.table) };
    case 'renameTable':
      absent(findTable(schema, step.to), `the table "${step.to}"`);
      tableOf(schema, step.table);
      return { ...schema, tables: schema.tables.map((table) => renamedTable(table, step.table, step.to)) };
    case 'noteStates':
      return {
        tables: Object.entries(step.states).reduce(
          (tables, [name, states]) =>
            tables.map((table) => (table === tableOf({ tables }, name) ? withStates(table, states) : table)),
          schema.tables,
        ),
        hasStates: true,
      };
    default:
      return {
        ...schema,
        tables: schema.tables.map((table) =>
          table.name === tableOf(schema, step.table).name ? changed(table, step) : table,
        ),
      };
  }
}

type InTable = Exclude<Step, { readonly do: 'createTable' | 'dropTable' | 'renameTable' | 'noteStates' }>;

function changed(table: SchemaTable, step: InTable): SchemaTable {
  const replace = (column: SchemaColumn): SchemaTable => {
    columnOf(table, column.name);
    return { ...table, columns: table.columns.map((other) => (other.name === column.name ? column : other)) };
  };
  switch (step.do) {
    case 'addColumn':
      absent(findColumn(table, step.column.name), `the column "${step.column.name}" of "${table.name}"`);
      if (step.column.madeFrom !== undefined) columnOf(table, step.column.madeFrom);
      return { ...table, columns: [...table.columns, step.column] };
    case 'dropColumn':
      return withoutColumn(table, step.column);
    case 'renameColumn':
      columnOf(table, step.column);
      absent(findColumn(table, step.to), `the column "${step.to}" of "${table.name}"`);
      return renamedColumn(table, step.column, step.to);
    case 'changeColumn':
      return replace(step.column);
    case 'renameValues':
      return replace(withValues(columnOf(table, step.column), step.values));
    case 'fillColumn':
      columnOf(table, step.column.name);
      return table;
    case 'computeColumn':
      if (columnOf(table, step.column).madeFrom === undefined)
        throw new StepFault(`the column "${step.column}" of "${table.name}" is not derived from another column`);
      return table;
    case 'computeFigures':
      return Object.entries(step.formulas).reduce(
        (now, [name, formula]) => withFormula(now, name, formula),
        withStates(table, step.states ?? {}),
      );
    case 'addIndex':
      absent(findIndex(table, step.index.name), `the index "${step.index.name}" of "${table.name}"`);
      for (const column of step.index.columns) columnOf(table, column);
      return { ...table, indexes: [...table.indexes, step.index] };
    case 'dropIndex':
      indexOf(table, step.index);
      return { ...table, indexes: table.indexes.filter(({ name }) => name !== step.index) };
    case 'renameIndex':
      indexOf(table, step.index);
      absent(findIndex(table, step.to), `the index "${step.to}" of "${table.name}"`);
      return {
        ...table,
        indexes: table.indexes.map((index) => (index.name === step.index ? { ...index, name: step.to } : index)),
      };
    case 'addForeignKey':
      return replace({ ...columnOf(table, step.column), references: step.references });
    case 'dropForeignKey': {
      const { references: _gone, ...column } = columnOf(table, step.column);
      return replace(column);
    }
    case 'changeLimits': {
      const { limits: _before, ...rest } = table;
      return Object.keys(step.limits).length === 0 ? rest : { ...rest, limits: step.limits };
    }
  }
}

function checkTable(table: SchemaTable): void {
  for (const name of [...table.primaryKey, ...table.indexes.flatMap(({ columns }) => columns)]) columnOf(table, name);
  for (const { madeFrom } of table.columns) if (madeFrom !== undefined) columnOf(table, madeFrom);
}

function withFormula(table: SchemaTable, name: string, formula: string | null): SchemaTable {
  if (name === allRows) {
    const { formula: _earlier, ...rest } = table;
    return formula === null ? rest : { ...rest, formula };
  }
  const { formula: _before, unfilled: _empty, ...column } = columnOf(table, name);
  const filled = formula === null ? column : { ...column, formula };
  return { ...table, columns: table.columns.map((other) => (other.name === name ? filled : other)) };
}

function withStates(table: SchemaTable, states: Readonly<Record<string, string>>): SchemaTable {
  for (const name of Object.keys(states)) columnOf(table, name);
  return {
    ...table,
    columns: table.columns.map((column) => {
      const becomes = Object.hasOwn(states, column.name) ? states[column.name] : undefined;
      return becomes === undefined ? column : { ...column, becomes };
    }),
  };
}

const renamedTable = (table: SchemaTable, from: string, to: string): SchemaTable => ({
  ...table,
  name: table.name === from ? to : table.name,
  columns: table.columns.map((column) => (column.references === from ? { ...column, references: to } : column)),
});

function renamedColumn(table: SchemaTable, from: string, to: string): SchemaTable {
  const now = (name: string): string => (name === from ? to : name);
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      name: now(column.name),
      ...(column.madeFrom !== undefined && { madeFrom: now(column.madeFrom) }),
    })),
    primaryKey: table.primaryKey.map(now),
    indexes: table.indexes.map((index) => ({ ...index, columns: index.columns.map(now) })),
  };
}

function withoutColumn(table: SchemaTable, name: string): SchemaTable {
  columnOf(table, name);
  const index = table.indexes.find(({ columns }) => columns.includes(name));
  if (index !== undefined) throw new StepFault(`the index "${index.name}" still needs the column "${name}"`);
  const made = table.columns.find(({ madeFrom }) => madeFrom === name);
  if (made !== undefined) throw new StepFault(`the column "${made.name}" is still derived from "${name}"`);
  return { ...table, columns: table.columns.filter((column) => column.name !== name) };
}

/** The values of an enum, of a column or of its items, under their new names. */
function withValues(column: SchemaColumn, renamed: Readonly<Record<string, string>>): SchemaColumn {
  const heirs = new Map(Object.entries(renamed).map(([now, before]) => [before, now]));
  // The new name may be among the values already: a step before has widened the column for it.
  const now = (values: readonly string[]): string[] => [...new Set(values.map((value) => heirs.get(value) ?? value))];
  if (column.values !== undefined) return { ...column, values: now(column.values) };
  if (column.items?.values === undefined) throw new StepFault(`the column "${column.name}" has no enum`);
  return { ...column, items: { ...column.items, values: now(column.items.values) } };
}

function tableOf(schema: Schema, name: string): SchemaTable {
  const found = findTable(schema, name);
  if (found === undefined) throw new StepFault(`the table "${name}" does not exist`);
  return found;
}

function columnOf(table: SchemaTable, name: string): SchemaColumn {
  const found = findColumn(table, name);
  if (found === undefined) throw new StepFault(`the column "${name}" of "${table.name}" does not exist`);
  return found;
}

function indexOf(table: SchemaTable, name: string): SchemaIndex {
  const found = findIndex(table, name);
  if (found === undefined) throw new StepFault(`the index "${name}" of "${table.name}" does not exist`);
  return found;
}

function absent(found: unknown, what: string): void {
  if (found !== undefined) throw new StepFault(`${what} is there already`);
}
