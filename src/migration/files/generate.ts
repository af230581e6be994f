// The command `migrate generate`: the steps from what the migrations lead to, to what the descriptors require, as the next
// file.
import { ConfigurationFault } from '../../configuration-fault.ts';
import { FormulaFault } from '../../formulas/language/fault.ts';
import type { Registry } from '../../registry/model/model.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isDestructive } from '../editors/changes.ts';
import { typeOf } from '../plan/column-type.ts';
import { diffSchemas } from '../plan/diff.ts';
import { compileFill, isFillable, isNamed, isReadable } from '../plan/fill-formula.ts';
import type { RowFill } from '../plan/fill-value.ts';
import { type Origins, originsOf } from '../plan/origins.ts';
import { settledName } from '../plan/passing-name.ts';
import { findColumn, findTable, type Schema, type SchemaColumn, schemaOf } from '../plan/schema.ts';
import { applyStep, type Step, tableOfStep } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';

export interface GenerateOptions {
  readonly allowDrop: boolean;
  /** `office.phone='none'`: a formula for rows that exist, over the columns of each. */
  readonly fill: readonly string[];
}

/**
 * Plans the next migration.
 * @param from where the migrations lead
 * @throws ConfigurationFault with everything that is refused, each with the flag that allows it
 */
export function planMigration(registry: Registry, from: Schema, options: GenerateOptions): readonly Step[] {
  const to = schemaOf(registry);
  const origins = originsOf(registry);
  const columns = new Map(
    [...origins.columns].flatMap(([place, { field }]) => {
      const column = columnAt(to, place);
      return column === undefined || column.madeFrom !== undefined ? [] : [[field, column] as const];
    }),
  );
  const fills = new Map(options.fill.map((text) => readFill(text, columns)));
  const steps = diffSchemas(from, to, { origins, fills });
  const faults: string[] = [];
  const unused = new Set(fills.keys());
  let now = from;
  const fieldIn = (table: string, name: string): string =>
    origins.columns.get(`${table}.${settledName(name)}`)?.field ?? name;
  const insteadOf = (step: Step): string => {
    const heir = step.do === 'dropColumn' ? heirOf(step, { now, to, origins }) : undefined;
    if (heir === undefined) return ', or set "renamedFrom" in the descriptor if it was renamed';
    return heir.isFillable && !fills.has(heir.field)
      ? `, and --fill ${heir.field}=… to compute new values from it`
      : '';
  };
  for (const step of steps) {
    if (!options.allowDrop && isDestructive(step, now))
      faults.push(`it ${stepWords(step)} and deletes its data; add --allow-drop${insteadOf(step)}`);
    const fieldOf = ({ name }: SchemaColumn): string => fieldIn(tableOfStep(step), name);
    if (step.do === 'fillColumn') {
      const field = fieldOf(step.column);
      const fault = fillFault(step, field, now);
      if (fault !== undefined) faults.push(fault);
      unused.delete(field);
    }
    if ((step.do === 'addColumn' || step.do === 'changeColumn') && step.fill !== undefined)
      unused.delete(fieldOf(step.column));
    if (step.do === 'createTable')
      for (const name of Object.keys(step.fill ?? {})) unused.delete(fieldIn(step.table.name, name));
    if (step.do === 'addColumn' && isUnfilled(step)) {
      const field = fieldOf(step.column);
      faults.push(`"${field}" is required and has no default; give a value for existing records: --fill ${field}=…`);
    }
    now = applyStep(now, step);
  }
  for (const field of unused)
    faults.push(`--fill ${field}=…: existing records need no value for this field; remove the option`);
  if (faults.length > 0)
    throw new ConfigurationFault(`The migration was not written:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return steps;
}

interface Change {
  readonly now: Schema;
  readonly to: Schema;
  readonly origins: Origins;
}

/** Returns the field with the name, or a former name, of a dropped column whose values it cannot take over. */
function heirOf(
  { table, column }: Extract<Step, { readonly do: 'dropColumn' }>,
  { now, to, origins }: Change,
): { readonly field: string; readonly isFillable: boolean } | undefined {
  const old = findColumn(findTable(now, table), column);
  const heir = findTable(to, table)?.columns.find(({ name, madeFrom }) => {
    const origin = origins.columns.get(`${table}.${name}`);
    return madeFrom === undefined && (name === column || origin?.earlier.includes(column) === true);
  });
  const field = heir && origins.columns.get(`${table}.${heir.name}`)?.field;
  if (old === undefined || heir === undefined || field === undefined) return undefined;
  return { field, isFillable: isFillable(heir) && isReadable(old) };
}

const isUnfilled = ({ column, fill }: Extract<Step, { readonly do: 'addColumn' }>): boolean =>
  column.nullable !== true && column.madeFrom === undefined && fill === undefined;

function columnAt(schema: Schema, place: string): SchemaColumn | undefined {
  const [table = '', column = ''] = place.split('.');
  return findColumn(findTable(schema, table), column);
}

/** Parses `office.phone='none'` to the field and its value if it is the same for all rows, otherwise the formula. */
function readFill(text: string, columns: ReadonlyMap<string, SchemaColumn>): readonly [string, RowFill] {
  const at = text.indexOf('=');
  const field = at < 0 ? text : text.slice(0, at);
  const column = columns.get(field);
  if (at < 0) throw new ConfigurationFault(`--fill ${text}: is not of the form group.field=formula`);
  if (column === undefined)
    throw new ConfigurationFault(`--fill ${text}: "${field}" is not a field${didYouMean(field, columns.keys())}`);
  const formula = text.slice(at + 1);
  const fill = withoutFault(() => compileFill(formula, undefined, column));
  if (fill === undefined) return [field, { formula }];
  const filled = fill.valueOf([]);
  if ('unfit' in filled || filled.value === null)
    throw new ConfigurationFault(`--fill ${text}: "${field}" does not allow this value`);
  return [field, { formula, value: filled.value }];
}

/** @returns undefined if the formula reads a column or is invalid; the step that fills with it reports the fault */
function withoutFault<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof FormulaFault) return undefined;
    throw error;
  }
}

/** Returns the fault of a fill formula; undefined if it is valid. */
function fillFault(step: Extract<Step, { readonly do: 'fillColumn' }>, field: string, now: Schema): string | undefined {
  const { formula, column, table } = step;
  try {
    compileFill(formula, findTable(now, table), column);
    return undefined;
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    const isText = ['text', 'word'].includes(typeOf(column).kind);
    const isWord = /^[a-z]\w*$/i.test(formula) && !isNamed(formula, findTable(now, table));
    const hint = isText && isWord ? `\n  Put a text in quotes: --fill "${field}='${formula}'"` : '';
    return `--fill ${field}=…: ${error.in(formula)}${hint}`;
  }
}

/** A name for a migration that was given none. @param number 1 for the first */
export function nameOf(steps: readonly Step[], number: number): string {
  if (number === 1) return 'initial';
  const [step] = steps.filter(
    (one) => one.do !== 'renameIndex' && one.do !== 'dropForeignKey' && one.do !== 'dropIndex',
  );
  if (step === undefined) return 'indexes';
  const table = tableOfStep(step);
  const verb = /^[a-z]+/.exec(step.do)?.[0] ?? 'change';
  const column = 'column' in step ? (typeof step.column === 'string' ? step.column : step.column.name) : '';
  return `${verb} ${table} ${column}`.trim().replaceAll(/[ _]+/g, '-').slice(0, 60).replace(/-+$/, '');
}
