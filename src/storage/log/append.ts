// Puts entries behind the log of changes, in the transaction of their write.
import { yieldIfDue } from '../../admission/event-loop.ts';
import type { Bound } from '../schema/cells.ts';
import { encode } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { LruCache } from '../schema/lru-cache.ts';
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
    if (asked.length > 0) await yieldIfDue();
    const bound = part.flatMap((entry) => boundOf(entry, dialect));
    const running = session.run(insertFor(part, dialect), bound);
    // It may fail before the last statement is sent.
    running.catch(() => {});
    asked.push(running);
  }
  await Promise.all(asked);
}

/** Texts of statements, by the tables in which their rows read versions: the same text is found again sooner. */
const texts = new WeakMap<Dialect, LruCache<string>>();
const textsKept = 200;

function insertFor(part: readonly NewEntry[], dialect: Dialect): string {
  const known = texts.get(dialect) ?? new LruCache(textsKept);
  texts.set(dialect, known);
  const tables = part.map(({ version }) => (isRead(version) ? version.table : ''));
  return known.get(tables.join(), () => {
    const names = entryColumns.map(({ name }) => dialect.quote(name)).join(', ');
    const rows = tables.map((table) => {
      const version = table === '' ? '?' : `(select version - ? from ${dialect.quote(table)} where id = ?)`;
      return `(${entryColumns.map(({ name }) => (name === 'version' ? version : '?')).join(', ')})`;
    });
    return `insert into ${entryTable} (${names}) values ${rows.join(', ')}`;
  });
}

const isRead = (version: NewEntry['version']): version is Exclude<NewEntry['version'], number | null> =>
  typeof version === 'object' && version !== null;

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

/** In the order of `entryColumns`. */
function boundOf(entry: NewEntry, dialect: Dialect): readonly Bound[] {
  const { write, part, step, group, record, version, operation, cause, at, undoes, data } = entry;
  const time = encode(at, { kind: 'dateTime' }, dialect);
  const versions: Bound[] = isRead(version) ? [version.less, record] : [version];
  return [write, part, step, group, record, ...versions, operation, cause, time, undoes, data];
}
