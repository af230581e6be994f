// Whether anything has changed anywhere, asked of the tables themselves: also of what no answer shows.
import type { Registry } from '../../../src/registry/model/model.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { tablesOf } from '../../../src/storage/schema/tables.ts';

/**
 * How many rows each table has, and how often they have been written: the same as long as nothing has changed. Tables do
 * not change while tests run, so the statements are made once.
 */
export function digestOf(database: Database, registry: Registry): () => Promise<readonly string[]> {
  const parts = tablesOf(registry).map(({ name, columns }) => {
    const version = columns.some((column) => column.name === 'version') ? 'coalesce(sum(version), 0)' : '0';
    return `select '${name}', count(*), ${version} from ${name}`;
  });
  // SQLite takes 500 terms of a compound, fewer than a large workspace has tables.
  const statements = Array.from({ length: Math.ceil(parts.length / 100) }, (_statement, place) =>
    parts.slice(place * 100, (place + 1) * 100).join(' union all '),
  );
  return async () => {
    const rows = [];
    for (const statement of statements) rows.push(...(await database.all(statement, [])));
    return rows.map((row) => row.map(String).join(' '));
  };
}
