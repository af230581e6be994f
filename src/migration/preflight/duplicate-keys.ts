// Duplicate keys: rows that would violate a unique key over values that do not exist yet (computed from a text, filled in, or added
// by a step).

import type { Bound, Cell } from '../../storage/schema/cells.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { SchemaTable } from '../plan/schema.ts';
import { scanRows } from '../rows/scan.ts';

/** One column of the key: where its value comes from. */
export interface KeyPart {
  /** The columns of the database that it is made from; none where there is none yet. */
  readonly columns: readonly string[];
  readonly valueFrom: (cells: readonly Cell[]) => Bound;
}

/** A key over columns that are not there yet, or not as they will be. */
export interface EarlyKey {
  readonly table: SchemaTable;
  /** As the key names them. */
  readonly columns: readonly string[];
  readonly sources: readonly KeyPart[];
}

const named = 5;

/** The rows, as the end of a sentence; undefined when all differ. Rows in which a value is null differ from all. */
export async function duplicateKeys(
  { table, columns, sources }: EarlyKey,
  search: { readonly session: Pick<Session, 'all'>; readonly dialect: Dialect },
): Promise<string | undefined> {
  const read = sources.flatMap((source) => source.columns);
  const visit = (see: (id: string, key: string) => void): Promise<void> =>
    scanRows({ ...search, table, columns: read }, (rows) => {
      for (const { key, cells } of rows) {
        let place = 0;
        const values = sources.map((source) => {
          const end = place + source.columns.length;
          const own = cells.slice(place, end).map((cell) => cell ?? null);
          place = end;
          return source.valueFrom(own);
        });
        if (values.every((value) => value !== null)) see(String(key[0]), keyText(values));
      }
      return Promise.resolve();
    });
  // Short forms first: a million rows fit into memory, and all that differ in them differ.
  const seen = new Set<number>();
  const doubtful = new Set<number>();
  await visit((_id, key) => {
    const short = shortForm(key);
    if (seen.has(short)) doubtful.add(short);
    seen.add(short);
  });
  if (doubtful.size === 0) return undefined;
  const owners = new Map<string, string[]>();
  await visit((id, key) => {
    if (!doubtful.has(shortForm(key))) return;
    const ids = owners.get(key) ?? [];
    owners.set(key, ids);
    if (ids.length < 3) ids.push(id);
  });
  const pairs = [...owners.values()].filter((ids) => ids.length > 1).slice(0, named);
  if (pairs.length === 0) return undefined;
  const words = pairs.map(([one, other, more]) => `${one} and ${other}${more === undefined ? '' : ' and more'}`);
  return duplicateKeysText(table.name, columns, words);
}

/** @param pairs `<id> and <id>` */
export const duplicateKeysText = (table: string, columns: readonly string[], pairs: readonly string[]): string =>
  `rows of "${table}" have the same ${columns.map((name) => `"${name.replace(/_key$/, '')}"`).join(', ')} (${pairs.join('; ')})`;

const keyText = (values: readonly Bound[]): string =>
  JSON.stringify(
    values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value))),
  );

/** 53 bits of a text (cyrb53). */
function shortForm(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
