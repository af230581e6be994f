// What no SQL can say: folded texts, hashes, and enums inside of lists are made here, row by row, in portions.
import { encode } from '../storage/columns.ts';
import { quoted } from '../storage/ddl.ts';
import type { Bound, Cell, DialectName, Session } from '../storage/session.ts';
import { fold, keyHash } from '../values/fold.ts';
import { columnIn } from './changes.ts';
import { typeOf } from './column-type.ts';
import { nextRows, portionRows } from './scan.ts';
import { findTable, type Schema, type SchemaTable } from './schema.ts';
import type { Step } from './steps.ts';

interface Work {
  readonly dialect: DialectName;
  readonly before: Schema;
  /** Runs one portion: a transaction of its own on a server, part of the step's on SQLite. */
  portion<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** Does the part of a step that is not SQL. Doing it again changes nothing. */
export async function computeStep(step: Step, work: Work): Promise<void> {
  if (step.do !== 'computeColumn' && step.do !== 'renameValues') return;
  const table = findTable(work.before, step.table);
  const column = columnIn(work.before, step);
  if (table === undefined || column === undefined) return;
  if (step.do === 'computeColumn') {
    const type = typeOf(column);
    const make = (cell: Cell): Bound =>
      cell === null
        ? null
        : type.kind === 'key'
          ? keyHash(String(cell))
          : encode(fold(String(cell)), type, work.dialect);
    await rewrite(table, { from: column.madeFrom ?? '', to: column.name, make }, work);
  } else if (column.items !== undefined) {
    const heirs = new Map(Object.entries(step.values).map(([now, before]) => [before, now]));
    const make = (cell: Cell): Bound | undefined => {
      const items: unknown = cell === null ? [] : JSON.parse(String(cell));
      if (!Array.isArray(items) || !items.some((item) => heirs.has(String(item)))) return undefined;
      return JSON.stringify(items.map((item: unknown) => heirs.get(String(item)) ?? item));
    };
    await rewrite(table, { from: column.name, to: column.name, make }, work);
  }
}

interface Rewriting {
  readonly from: string;
  readonly to: string;
  /** The new value; undefined leaves the row alone. */
  make(cell: Cell): Bound | undefined;
}

async function rewrite(table: SchemaTable, { from, to, make }: Rewriting, { dialect, portion }: Work): Promise<void> {
  const keys = table.primaryKey.map((name) => `${quoted(name, dialect)} = ?`).join(' and ');
  const update = `update ${quoted(table.name, dialect)} set ${quoted(to, dialect)} = ? where ${keys}`;
  const lock = dialect === 'mysql' ? ' for update' : '';
  let after: readonly Bound[] | undefined;
  for (;;) {
    const rows = await portion(async (session) => {
      const found = await nextRows({ session, dialect, table, columns: [from] }, after, lock);
      for (const { key, cells } of found) {
        const value = make(cells[0] ?? null);
        if (value !== undefined) await session.run(update, [value, ...key]);
      }
      return found;
    });
    if (rows.length < portionRows) return;
    after = rows.at(-1)?.key;
  }
}
