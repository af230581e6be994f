// Many records at once, as copies of one: written as rows, which takes a second where requests would take minutes.

import type { Workspace } from '../../../src/app/workspace.ts';
import type { Bound } from '../../../src/storage/schema/cells.ts';
import { tableName, tablesOf } from '../../../src/storage/schema/tables.ts';
import { newIdAt } from '../../../src/values/id.ts';

const rowsAtOnce = 500;

/**
 * Copies a record of a group without lists.
 * @param change Columns of the copy at a place that are not those of the pattern.
 * @returns the ids of the copies
 */
export async function copyRecord(
  { registry, database }: Pick<Workspace, 'registry' | 'database'>,
  { group, id, count }: { readonly group: string; readonly id: string; readonly count: number },
  change: (place: number) => Readonly<Record<string, Bound>> = () => ({}),
): Promise<readonly string[]> {
  const name = tableName(group);
  const columns = tablesOf(registry)
    .find((table) => table.name === name)
    ?.columns.map((column) => column.name);
  if (columns === undefined) throw new Error(`${group} has no table`);
  const isEmbedded = database.dialect.name === 'sqlite';
  const quote = (word: string): string => (isEmbedded ? `"${word}"` : `\`${word}\``);
  const names = columns.map(quote).join(', ');
  const [row = []] = await database.all(`select ${names} from ${quote(name)} where id = ?`, [id]);
  const start = Date.UTC(2024, 0, 1);
  const ids = Array.from({ length: count }, (_value, place) => newIdAt(start + place, place));
  for (let first = 0; first < count; first += rowsAtOnce) {
    const part = ids.slice(first, first + rowsAtOnce);
    const values = part.flatMap((copy, index) => {
      const time = new Date(start + first + index).toISOString();
      const created_at = isEmbedded ? time : time.slice(0, 23).replace('T', ' ');
      const own: Record<string, Bound> = { id: copy, created_at, ...change(first + index) };
      return columns.map((column, place): Bound => own[column] ?? row[place] ?? null);
    });
    const places = part.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
    await database.transact((session) => session.run(`insert into ${quote(name)} (${names}) values ${places}`, values));
  }
  return ids;
}
