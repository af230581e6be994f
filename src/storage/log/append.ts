// Puts entries behind the log of changes, in the transaction of their write.
import type { Bound } from '../schema/cells.ts';
import { encode } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Session } from '../schema/session.ts';
import type { NewEntry } from './entry.ts';
import { entryColumns, entryTable } from './tables.ts';

/** So many rows have a statement of exactly their number: most writes are this short. */
const mostExact = 16;
const mostAtOnce = 64;
/** Of JSON in one statement. */
const mostLetters = 1024 * 1024;

/** Keeps entries in their order. All statements are asked for before the first is answered. */
export async function appendEntries(session: Session, dialect: Dialect, entries: readonly NewEntry[]): Promise<void> {
  const asked: Promise<number>[] = [];
  for (const part of portionsOf(entries)) {
    const rows = part.map((entry) => rowOf(entry, dialect));
    const values = rows.flatMap(({ bound }) => bound);
    asked.push(session.run(`${insertInto(dialect)} ${rows.map(({ places }) => places).join(', ')}`, values));
  }
  await Promise.all(asked);
}

const insertInto = ({ quote }: Dialect): string =>
  `insert into ${entryTable} (${entryColumns.map(({ name }) => quote(name)).join(', ')}) values`;

/** As many as a statement takes; of long writes in few numbers, so that texts of statements stay few. */
function* portionsOf(entries: readonly NewEntry[]): Generator<readonly NewEntry[]> {
  for (let start = 0; start < entries.length; ) {
    const left = entries.length - start;
    let count = left <= mostExact ? left : Math.min(mostAtOnce, 2 ** Math.floor(Math.log2(left)));
    let letters = 0;
    for (let index = 0; index < count; index += 1) {
      letters += entries[start + index]?.data.length ?? 0;
      if (index > 0 && letters > mostLetters) count = index;
    }
    yield entries.slice(start, start + count);
    start += count;
  }
}

const plainPlaces = `(${entryColumns.map(() => '?').join(', ')})`;

function rowOf(entry: NewEntry, dialect: Dialect): { readonly places: string; readonly bound: readonly Bound[] } {
  const { write, part, step, group, record, version, operation, cause, at, undoes, data } = entry;
  const isRead = typeof version === 'object' && version !== null;
  const time = encode(at, { kind: 'dateTime' }, dialect);
  const before: Bound[] = [write, part, step, group, record];
  const after: Bound[] = [operation, cause, time, undoes, data];
  if (!isRead) return { places: plainPlaces, bound: [...before, version, ...after] };
  const own = `(select version - ? from ${dialect.quote(version.table)} where id = ?)`;
  return { places: `(?, ?, ?, ?, ?, ${own}, ?, ?, ?, ?, ?)`, bound: [...before, version.less, record, ...after] };
}
