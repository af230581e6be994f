// The command `migrate generate`: the steps from what the migrations lead to, to what the descriptors require, as the next
// file.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Registry } from '../../registry/model/model.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isMoment, toMoment } from '../../values/date.ts';
import { codePoints } from '../../values/format.ts';
import { textToScaled } from '../../values/scaled.ts';
import { isDestructive } from '../editors/changes.ts';
import { typeOf } from '../plan/column-type.ts';
import { diffSchemas } from '../plan/diff.ts';
import { originsOf } from '../plan/origins.ts';
import { findColumn, findTable, type Schema, type SchemaColumn, schemaOf } from '../plan/schema.ts';
import { applyStep, type FillValue, type Step } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';

export interface GenerateOptions {
  readonly allowDrop: boolean;
  /** `office.phone=…`, values for rows that exist. */
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
  let now = from;
  for (const step of steps) {
    if (!options.allowDrop && isDestructive(step, now))
      faults.push(`it ${stepWords(step)} and all that it keeps; say --allow-drop, or "renamedFrom" in the descriptor`);
    if (step.do === 'addColumn' && isUnfilled(step)) {
      const field = origins.columns.get(`${step.table}.${step.column.name}`)?.field ?? step.column.name;
      faults.push(
        `"${field}" is required and has no default; say what records that exist shall have: --fill ${field}=…`,
      );
    }
    now = applyStep(now, step);
  }
  if (faults.length > 0)
    throw new ConfigurationFault(`No migration was written:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return steps;
}

const isUnfilled = ({ column, fill }: Extract<Step, { readonly do: 'addColumn' }>): boolean =>
  column.nullable !== true && column.madeFrom === undefined && fill === undefined;

function columnAt(schema: Schema, place: string): SchemaColumn | undefined {
  const [table = '', column = ''] = place.split('.');
  return findColumn(findTable(schema, table), column);
}

/** `office.phone=none` → the field and the value, as its column takes it. */
function readFill(text: string, columns: ReadonlyMap<string, SchemaColumn>): readonly [string, FillValue] {
  const at = text.indexOf('=');
  const field = at < 0 ? text : text.slice(0, at);
  const column = columns.get(field);
  if (at < 0) throw new ConfigurationFault(`--fill ${text}: write group.field=value`);
  if (column === undefined)
    throw new ConfigurationFault(`--fill ${text}: there is no field "${field}"${didYouMean(field, columns.keys())}`);
  const value = fillValue(text.slice(at + 1), column);
  if (value === undefined) throw new ConfigurationFault(`--fill ${text}: "${field}" cannot have this value`);
  return [field, value];
}

/** A value out of a text, when the column takes it. */
function fillValue(text: string, column: SchemaColumn): FillValue | undefined {
  const type = typeOf(column);
  const isWithin = (value: number): boolean =>
    value >= (column.minimum ?? -Infinity) &&
    value <= (column.maximum ?? Infinity) &&
    value > (column.exclusiveMinimum ?? -Infinity);
  switch (type.kind) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer':
      return /^-?\d{1,15}$/.test(text) && isWithin(Number(text)) ? Number(text) : undefined;
    case 'decimal': {
      const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
      const isShort = whole !== '' && whole.length <= type.precision - type.scale && fraction.length <= type.scale;
      if (!isShort || !isWithin(Number(text))) return undefined;
      textToScaled(text, type.scale);
      return text;
    }
    case 'text':
      return codePoints(text) <= type.length && !text.includes('\0') && (column.filled !== true || text.trim() !== '')
        ? text
        : undefined;
    case 'word':
      return column.values?.includes(text) === true ? text : undefined;
    case 'id':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : undefined;
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
    case 'dateTime':
      return isMoment(text) ? toMoment(text) : undefined;
    default:
      return undefined;
  }
}

/** A name for a migration that was given none. @param number 1 for the first */
export function nameOf(steps: readonly Step[], number: number): string {
  if (number === 1) return 'initial';
  const [step] = steps.filter(
    (one) => one.do !== 'renameIndex' && one.do !== 'dropForeignKey' && one.do !== 'dropIndex',
  );
  if (step === undefined) return 'indexes';
  const table = typeof step.table === 'string' ? step.table : step.table.name;
  const verb = /^[a-z]+/.exec(step.do)?.[0] ?? 'change';
  const column = 'column' in step ? (typeof step.column === 'string' ? step.column : step.column.name) : '';
  return `${verb} ${table} ${column}`.trim().replaceAll(/[ _]+/g, '-').slice(0, 60).replace(/-+$/, '');
}
