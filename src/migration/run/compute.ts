// Values that SQL cannot compute (folded texts, hashes, enums inside lists): computed here, row by row, in batches.

import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Value } from '../../registry/model/model.ts';
import type { Bound, Cell } from '../../storage/schema/cells.ts';
import { decode, encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { unreachable } from '../../unreachable.ts';
import { fold, keyHash } from '../../values/fold.ts';
import { typeOf } from '../plan/column-type.ts';
import { compileFill } from '../plan/fill-formula.ts';
import { allows } from '../plan/fill-value.ts';
import { settledName } from '../plan/passing-name.ts';
import { columnIn, findColumn, findTable, type Schema, type SchemaTable } from '../plan/schema.ts';
import type { Step } from '../plan/steps.ts';
import { lockRows, portionRows, readRowsAfter, rowCondition, type ScannedRow } from '../rows/scan.ts';
import type { OnProgress } from './progress.ts';

interface Work {
  readonly dialect: Dialect;
  readonly before: Schema;
  /** Where rows are read. */
  readonly session: Pick<Session, 'all'>;
  /** Runs one portion: part of the step's transaction, or a transaction of its own. */
  portion<T>(work: (session: Session) => Promise<T>): Promise<T>;
  readonly onProgress?: OnProgress | undefined;
  /** Columns whose values a fill must not lose. */
  readonly lostColumns?: ReadonlySet<string> | undefined;
}

/** Does the part of a step that is not SQL. Doing it again changes nothing. */
export async function computeStep(step: Step, work: Work): Promise<void> {
  if (step.do !== 'computeColumn' && step.do !== 'renameValues' && step.do !== 'fillColumn') return;
  const table = findTable(work.before, step.table);
  if (table === undefined) return;
  if (step.do === 'fillColumn') return fillRows(step, table, work);
  const column = columnIn(work.before, step);
  if (column === undefined) return;
  if (step.do === 'computeColumn') {
    const type = typeOf(column);
    const make = ([cell = null]: readonly Cell[]): Bound =>
      cell === null
        ? null
        : type.kind === 'key'
          ? keyHash(String(cell))
          : encode(fold(String(cell)), type, work.dialect);
    await rewrite(table, { from: [column.madeFrom ?? ''], to: column.name, make }, work);
  } else if (column.items !== undefined) {
    const heirs = new Map(Object.entries(step.values).map(([now, before]) => [before, now]));
    const make = ([cell = null]: readonly Cell[]): Bound | undefined => {
      const items: unknown = cell === null ? [] : JSON.parse(String(cell));
      if (!Array.isArray(items) || !items.some((item) => heirs.has(String(item)))) return undefined;
      return JSON.stringify(items.map((item: unknown) => heirs.get(String(item)) ?? item));
    };
    await rewrite(table, { from: [column.name], to: column.name, make }, work);
  }
}

/**
 * Gives rows that have no value in a column, or one that it does not allow, the one that a formula gives.
 * @throws ConfigurationFault for one that it cannot hold
 */
async function fillRows(
  { column, formula, unfit }: Extract<Step, { readonly do: 'fillColumn' }>,
  table: SchemaTable,
  work: Work,
): Promise<void> {
  const { dialect } = work;
  const fill = compileFill(formula, table, column);
  const types = fill.reads.map((name) => typeOf(findColumn(table, name) ?? unreachable(`no column "${name}"`)));
  const stored = typeOf(findColumn(table, column.name) ?? column);
  const isGuarded = fill.reads.map((name) => work.lostColumns?.has(name) === true);
  const make = (cells: readonly Cell[], before: Cell): Bound | undefined => {
    if (unfit === true ? allows(decode(before, stored, dialect), column) : before !== null) return undefined;
    const values = types.map((type, place) => decode(cells[place], type, dialect));
    const filled = fill.valueOf(values);
    // The rows were checked before the first step: these have been written since.
    if ('unfit' in filled)
      throw new ConfigurationFault(
        `A row of "${table.name}" would have ${filled.unfit} in "${settledName(column.name)}". Correct the row, then run it again.`,
      );
    const isLosing =
      unfit === true ? hasValue(before) : values.some((value, place) => isGuarded[place] === true && hasValue(value));
    if (filled.value === null && isLosing && work.lostColumns !== undefined)
      throw new ConfigurationFault(
        `A row of "${table.name}" would lose a value to "${settledName(column.name)}". Correct the row, or run it again with --allow-loss.`,
      );
    return encode(filled.value, stored, dialect);
  };
  await rewrite(table, { from: fill.reads, to: column.name, make }, work);
}

const hasValue = (value: Value | Cell): boolean => value !== null && value !== '';

interface Rewriting {
  readonly from: readonly string[];
  readonly to: string;
  /** The new value, of the cells of `from` and the one that is there; undefined leaves the row alone. */
  make(cells: readonly Cell[], before: Cell): Bound | undefined;
}

/** Rows that one statement changes on a server; each looks through the cases of all. */
const rowsAStatement = 100;

interface NewCell {
  readonly key: readonly Bound[];
  readonly value: Bound;
}

/** Reads all rows without locks, and locks those of each chunk that are to change, to compute them once more. */
async function rewrite(table: SchemaTable, rewriting: Rewriting, work: Work): Promise<void> {
  const { dialect, portion, onProgress } = work;
  const scan = { dialect, table, columns: [...rewriting.from, rewriting.to] };
  const totalRows = onProgress === undefined ? 0 : await countRows(table, work);
  let doneRows = 0;
  let after: readonly Bound[] | undefined;
  for (;;) {
    const rows = await readRowsAfter({ ...scan, session: work.session }, after);
    const open = newCells(rows, rewriting);
    // To an embedded database nothing is sent: row by row is as fast.
    const size = dialect.isEmbedded ? 1 : rowsAStatement;
    if (open.length > 0)
      await portion(async (session) => {
        for (let first = 0; first < open.length; first += size) {
          const locked = await lockRows({ ...scan, session }, open.slice(first, first + size));
          const cells = newCells(locked, rewriting);
          if (cells.length > 0) await update(session, dialect, { table, to: rewriting.to, cells });
        }
      });
    doneRows += rows.length;
    onProgress?.({ doneRows, totalRows: Math.max(doneRows, totalRows) });
    if (rows.length < portionRows) return;
    after = rows.at(-1)?.key;
  }
}

async function countRows({ name }: SchemaTable, { dialect, session }: Work): Promise<number> {
  return Number((await session.all(`select count(*) from ${dialect.quote(name)}`, []))[0]?.[0]);
}

/** The cells that are to change; a process that died has made some already. */
const newCells = (rows: readonly ScannedRow[], { from, make }: Rewriting): readonly NewCell[] =>
  rows.flatMap(({ key, cells }): NewCell[] => {
    const before = cells[from.length] ?? null;
    const value = make(
      cells.slice(0, from.length).map((cell) => cell ?? null),
      before,
    );
    return value === undefined || isSameCell(value, before) ? [] : [{ key, value }];
  });

const isSameCell = (one: Bound, other: Bound): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : one === other;

interface Update {
  readonly table: SchemaTable;
  readonly to: string;
  readonly cells: readonly NewCell[];
}

/** Gives each of some rows a value of its own. */
async function update(session: Session, dialect: Dialect, { table, to, cells }: Update): Promise<void> {
  const [name, column] = [table.name, to].map((word) => dialect.quote(word));
  const one = rowCondition({ dialect, table });
  const keys = cells.flatMap(({ key }) => key);
  const cases = cells.map(() => `when ${one} then ?`).join(' ');
  const value = cells.length === 1 ? '?' : `case ${cases} end`;
  const values =
    cells.length === 1 ? cells.map((cell) => cell.value) : cells.flatMap((cell) => [...cell.key, cell.value]);
  const rows = cells.map(() => one).join(' or ');
  await session.run(`update ${name} set ${column} = ${value} where ${rows}`, [...values, ...keys]);
}
