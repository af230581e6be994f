// Somebody else who holds what writes need: the lock of an embedded database, or a table of a server.
import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';

/** Holds it until what is returned is called. @param table On a server: what nobody may write meanwhile. */
export async function holdWrites(databaseUrl: string, table: string): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('sqlite:')) {
    const raw = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    raw.exec('begin immediate');
    return async () => {
      raw.exec('rollback');
      raw.close();
    };
  }
  const connection = await createConnection({ uri: databaseUrl });
  await connection.query(`lock tables ${table} read`);
  return async () => {
    await connection.query('unlock tables');
    await connection.end();
  };
}
