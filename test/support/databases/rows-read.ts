// How many rows a statement reads, counted and not timed: by the server's own count, and on SQLite, which has
// none, by a function that each place where a statement takes up a row is made to call.
import { DatabaseSync } from 'node:sqlite';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { bindMysql } from '../../../src/storage/mysql/wire/bind.ts';
import type { Bound } from '../../../src/storage/schema/cells.ts';
import { bindSqlite } from '../../../src/storage/sqlite/bind.ts';

export interface RowCounter {
  /** Runs a statement. @returns the rows that it read: entries of indexes, and records that were looked up. */
  count(sql: string, values: readonly Bound[]): Promise<number>;
  close(): Promise<void>;
}

export const openCounter = (databaseUrl: string): Promise<RowCounter> =>
  databaseUrl.startsWith('sqlite:') ? openFile(databaseUrl.slice('sqlite:'.length)) : openServer(databaseUrl);

async function openFile(path: string): Promise<RowCounter> {
  const raw = new DatabaseSync(path, { readOnly: true });
  let visits = 0;
  raw.function('visited', { varargs: true }, () => {
    visits += 1;
    return 1;
  });
  return {
    count: async (sql, values) => {
      const { text, ends } = withVisits(sql);
      visits = ends;
      raw.prepare(text).all(...bindSqlite(values));
      return visits;
    },
    close: async () => raw.close(),
  };
}

/**
 * The same statement, calling `visited` for each row that it takes up: the first condition on a row needs only what every
 * index holds, so that SQLite looks at it before it goes on. Ends of an index (`min`, `max`) are one row each, and counted here.
 */
function withVisits(sql: string): { text: string; ends: number } {
  // The one row by which a write knows the migration that its database is at.
  if (sql.startsWith('select revision from praxis_state where ')) return { text: sql, ends: 0 };
  const ends = sql.match(/select (?:min|max)\([^)]*\) from "\w+" as "?\w+"?\)/g)?.length ?? 0;
  let places = 0;
  const key = (alias: string): string => `${alias}.${alias === 'f' ? 'owner_id' : 'id'}`;
  const text = sql
    .replaceAll(/(join "\w+" as "?(\w+)"? on )/g, (whole, _join: string, alias: string) => {
      places += 1;
      return `${whole}visited(${key(alias)}) and `;
    })
    // Joins may stand between a table and its conditions, but no other select.
    .replaceAll(/from "\w+" as "?(\w+)"? (?:(?!select ).)*?where /g, (whole, alias: string) => {
      places += 1;
      return `${whole}visited(${key(alias)}) and `;
    });
  if (places === 0 && ends === 0) throw new Error(`nowhere to count in ${sql}`);
  return { text, ends };
}

async function openServer(url: string): Promise<RowCounter> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  await connection.query("set time_zone = '+00:00'");
  const [own] = await connection.query<RowDataPacket[]>("show session status like 'Rows_read'");
  // MySQL has no such count, and those that it has of its session take in its own temporary tables. By table it counts for
  // all sessions together: nobody else reads in this database meanwhile.
  const asked =
    own.length > 0
      ? "show session status like 'Rows_read'"
      : 'select sum(count_fetch) as Value from performance_schema.table_io_waits_summary_by_table where object_schema = database()';
  const read = async (): Promise<number> => {
    const [rows] = await connection.query<RowDataPacket[]>(asked);
    return Number(rows[0]?.['Value']);
  };
  return {
    count: async (sql, values) => {
      const before = await read();
      await connection.execute(sql, bindMysql(values));
      return (await read()) - before;
    },
    close: () => connection.end(),
  };
}
