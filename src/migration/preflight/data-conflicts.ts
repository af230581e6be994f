// Data conflicts: rows that a step of a migration cannot be applied to, found before it begins and named in the refusal.
import { formatOf } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { numberToText } from '../../values/decimal.ts';
import { codePoints, hasText } from '../../values/format.ts';
import { classOf } from '../editors/changes.ts';
import { editorOf } from '../editors/editors.ts';
import { typeOf } from '../plan/column-type.ts';
import { type Demand, scaleOf, tightened } from '../plan/conversions.ts';
import { hasForm } from '../plan/fill-value.ts';
import {
  columnIn,
  type Domain,
  findColumn,
  findTable,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
} from '../plan/schema.ts';
import { type FillValue, type Step, tableOfStep } from '../plan/steps.ts';
import { literal } from '../rows/row-updates.ts';
import { scanRows } from '../rows/scan.ts';
import { duplicateKeysText } from './duplicate-keys.ts';

type Reader = Pick<Session, 'all'>;

const named = 5;

export interface Search {
  readonly session: Reader;
  readonly dialect: Dialect;
  readonly before: Schema;
}

/** Why the rows that there are do not allow a step, as a sentence that names them; undefined when they do. */
export async function dataConflictOf(step: Step, search: Search): Promise<string | undefined> {
  const { before } = search;
  const table = findTable(before, tableOfStep(step));
  if (table === undefined) return undefined;
  const { losableColumns } = editorOf(search.dialect).catalogue;
  if (losableColumns !== undefined && classOf(step, before, search.dialect) === 'rebuild') {
    const names = (await search.session.all(losableColumns, [table.name])).map(([column]) => String(column));
    const stranger = names.find((column) => findColumn(table, column) === undefined);
    if (stranger !== undefined) return `the table would lose the column "${stranger}", which no migration created`;
  }
  switch (step.do) {
    case 'addColumn': {
      const { column } = step;
      if (column.nullable === true || column.madeFrom !== undefined || step.fill !== undefined) return undefined;
      const rows = await idsWhere(table, '1 = 1', search);
      return rows && `"${column.name}" would have no value in ${rows}`;
    }
    case 'changeColumn': {
      const from = columnIn(before, step);
      return from === undefined ? undefined : columnConflict(table, { from, to: step.column, fill: step.fill }, search);
    }
    case 'addIndex':
      return step.index.unique === true ? duplicateRows(table, step.index.columns, search) : undefined;
    case 'addForeignKey': {
      const [column, target] = [step.column, step.references].map((name) => search.dialect.quote(name));
      const isThere = findTable(before, step.references) !== undefined;
      const isLost = `${column} is not null${isThere ? ` and ${column} not in (select id from ${target})` : ''}`;
      const rows = await idsWhere(table, isLost, search);
      return rows && `"${step.column}" refers to no row of "${step.references}" in ${rows}`;
    }
    case 'changeLimits':
      return limitConflict(table, step.limits, search);
    default:
      return undefined;
  }
}

interface ColumnChange {
  readonly from: SchemaColumn;
  readonly to: SchemaColumn;
  /** What rows get that have no value. */
  readonly fill: FillValue | undefined;
}

async function columnConflict(table: SchemaTable, change: ColumnChange, search: Search): Promise<string | undefined> {
  const { from, to, fill } = change;
  for (const demand of tightened(from, to)) {
    if (fill !== undefined && (demand === 'noNulls' || demand === 'filled')) continue;
    // What was unset as the empty text becomes null.
    if (demand === 'filled' && to.nullable === true) continue;
    const condition = conditionOf(demand, change, search.dialect);
    const rows = condition === undefined ? await idsThat(table, to, search) : await idsWhere(table, condition, search);
    if (rows !== undefined) return `"${to.name}" ${demandWords[demand](to)} in ${rows}`;
  }
  return undefined;
}

const demandWords: Record<Demand, (to: SchemaColumn) => string> = {
  noNulls: () => 'is null',
  filled: () => 'is empty',
  shorter: ({ type }) => `is too long for ${type}`,
  fewerDigits: ({ type }) => `has more digits than ${type} allows`,
  values: ({ values }) => `is not one of ${(values ?? []).join(', ')}`,
  minimum: ({ minimum }) => `is below ${minimum}`,
  maximum: ({ maximum }) => `is above ${maximum}`,
  exclusiveMinimum: ({ exclusiveMinimum }) => `is not above ${exclusiveMinimum}`,
  format: ({ format }) => `is not a valid ${format}`,
  pattern: ({ pattern }) => `does not match ${pattern}`,
  items: () => 'has items that are no longer allowed',
  fewerItems: ({ maxItems }) => `has more than ${maxItems} items`,
  moreItems: ({ minItems }) => `has fewer than ${minItems} items`,
};

/** The condition that rows in the way meet; undefined when SQL cannot say it. */
function conditionOf(demand: Demand, { from, to }: ColumnChange, dialect: Dialect): string | undefined {
  const column = dialect.quote(to.name);
  const type = typeOf(to);
  switch (demand) {
    case 'noNulls':
      return `${column} is null`;
    case 'filled':
      return `trim(${column}) = ''`;
    case 'shorter':
      return `${dialect.characterCount}(${column}) > ${'length' in type ? type.length : 0}`;
    case 'values':
      return `${column} not in (${(to.values ?? []).map((value) => literal(value, dialect)).join(', ')})`;
    case 'minimum':
      return `${column} < ${boundOf(to.minimum, from, dialect)}`;
    case 'maximum':
      return `${column} > ${boundOf(to.maximum, from, dialect)}`;
    case 'exclusiveMinimum':
      return `${column} <= ${boundOf(to.exclusiveMinimum, from, dialect)}`;
    case 'fewerDigits': {
      const [scale, least] = [scaleOf(typeOf(from)) ?? 0, scaleOf(type) ?? 0];
      const kept = keptScale(from, dialect);
      const whole = type.kind === 'decimal' ? type.precision - type.scale : 15;
      const isLarge = `abs(${column}) >= 1${'0'.repeat(whole + kept)}`;
      if (least >= scale) return isLarge;
      const isFine =
        kept === 0 ? `${column} <> round(${column}, ${least})` : `${column} % 1${'0'.repeat(scale - least)} <> 0`;
      return `${isLarge} or ${isFine}`;
    }
    default:
      return undefined;
  }
}

/** Digits behind the point that a column keeps without the point. */
const keptScale = (column: SchemaColumn, dialect: Dialect): number => {
  const type = typeOf(column);
  return formatOf(type, dialect).isScaled === true ? (scaleOf(type) ?? 0) : 0;
};

/** A bound as the column keeps numbers. */
function boundOf(bound: number | undefined, column: SchemaColumn, dialect: Dialect): string {
  const text = numberToText(bound ?? 0);
  const scale = keptScale(column, dialect);
  if (scale === 0) return text;
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = fraction.padEnd(scale, '0');
  const rest = digits.slice(scale);
  return `${sign}${whole}${digits.slice(0, scale)}${rest && `.${rest}`}`;
}

/** Names the rows that meet a condition: `3 rows of "office" (a, b, c)`. */
async function idsWhere(
  table: SchemaTable,
  condition: string,
  { session, dialect }: Search,
): Promise<string | undefined> {
  const key = dialect.quote(table.primaryKey[0] ?? 'id');
  const from = `from ${dialect.quote(table.name)} where ${condition}`;
  const ids = await session.all(`select ${key} ${from} limit ${named}`, []);
  if (ids.length === 0) return undefined;
  const count = ids.length < named ? ids.length : Number((await session.all(`select count(*) ${from}`, []))[0]?.[0]);
  return rowsNamed(
    table,
    count,
    ids.map(([id]) => String(id)),
  );
}

const rowsNamed = (table: SchemaTable, count: number, ids: readonly string[]): string =>
  `${count} ${count === 1 ? 'row' : 'rows'} of "${table.name}" (${ids.slice(0, named).join(', ')}${count > named ? ', …' : ''})`;

/** The same, by looking at each value here. */
async function idsThat(table: SchemaTable, to: SchemaColumn, search: Search): Promise<string | undefined> {
  const ids: string[] = [];
  await scanRows({ ...search, table, columns: [to.name] }, (rows) => {
    for (const { key, cells } of rows) {
      const [cell] = cells;
      if (cell !== null && cell !== undefined && !isFit(String(cell), to)) ids.push(String(key[0]));
    }
    return Promise.resolve();
  });
  return ids.length === 0 ? undefined : rowsNamed(table, ids.length, ids);
}

/** Whether a kept text is what the column asks for. */
function isFit(text: string, to: SchemaColumn): boolean {
  if (to.items === undefined) return text === '' || hasForm(text, to);
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) return false;
  if (items.length > (to.maxItems ?? Infinity) || items.length < (to.minItems ?? 0)) return false;
  return items.every((item: unknown) => isItemFit(item, to.items ?? { type: 'text(1)' }));
}

function isItemFit(item: unknown, domain: Domain): boolean {
  if (typeof item === 'number') {
    if (typeOf(domain).kind !== 'integer' && typeOf(domain).kind !== 'decimal') return false;
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = domain;
    const places = numberToText(item).split('.')[1]?.length ?? 0;
    return item >= minimum && item <= maximum && item > exclusiveMinimum && places <= (scaleOf(typeOf(domain)) ?? 0);
  }
  if (typeof item !== 'string') return typeof item === 'boolean' && typeOf(domain).kind === 'boolean';
  const type = typeOf(domain);
  if (domain.values !== undefined) return domain.values.includes(item);
  if (type.kind === 'text' && codePoints(item) > type.length) return false;
  if (type.kind === 'integer' || type.kind === 'decimal' || type.kind === 'boolean') return false;
  return (domain.filled !== true || hasText(item)) && hasForm(item, domain);
}

/** Rows that a unique key would not tell apart. */
async function duplicateRows(
  table: SchemaTable,
  columns: readonly string[],
  { session, dialect }: Search,
): Promise<string | undefined> {
  const names = columns.map((name) => dialect.quote(name));
  const isSet = names.map((name) => `${name} is not null`).join(' and ');
  const from = dialect.quote(table.name);
  const key = dialect.quote(table.primaryKey[0] ?? 'id');
  const groups = await session.all(
    `select min(${key}), max(${key}), count(*) from ${from} where ${isSet} group by ${names.join(', ')} having count(*) > 1 limit ${named}`,
    [],
  );
  if (groups.length === 0) return undefined;
  const pairs = groups.map(
    ([one, other, count]) => `${String(one)} and ${String(other)}${Number(count) > 2 ? ' and more' : ''}`,
  );
  return duplicateKeysText(table.name, columns, pairs);
}

async function limitConflict(
  table: SchemaTable,
  { minItems = 0, maxItems = Infinity }: NonNullable<SchemaTable['limits']>,
  { session, dialect }: Search,
): Promise<string | undefined> {
  const before = { minItems: 0, maxItems: Infinity, ...table.limits };
  const faults = [
    ...(maxItems < before.maxItems ? [{ words: `more than ${maxItems}`, condition: `> ${maxItems}` }] : []),
    // A record that was sent without a list has an empty one, which has no row here.
    ...(minItems > before.minItems ? [{ words: `fewer than ${minItems}`, condition: `< ${minItems}` }] : []),
  ];
  const name = dialect.quote(table.name);
  // All but the last column of the key: the record, and in a list inside items the place of the item.
  const owner = table.primaryKey
    .slice(0, -1)
    .map((column) => dialect.quote(column))
    .join(', ');
  for (const { words, condition } of faults) {
    const rows = await session.all(
      `select distinct owner_id from (select ${owner} from ${name} group by ${owner} having count(*) ${condition}) as l limit ${named}`,
      [],
    );
    if (rows.length > 0)
      return `records have ${words} rows in "${table.name}" (${rows.map(([id]) => String(id)).join(', ')})`;
  }
  return undefined;
}
