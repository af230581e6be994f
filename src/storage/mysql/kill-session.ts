// Ends at the server what a connection was doing there when it was cut. The server itself learns of the cut when the statement
// is over: until then it keeps others waiting, and what commits by itself would be done when nobody counts on it any more.
import type { Connection, RowDataPacket } from 'mysql2';
import type { Server } from './server.ts';

/** A connection as it is told apart from all others of a server. */
export interface SessionName {
  /** A greeting has room for 32 bits of it. */
  readonly threadId: number;
  /** Of the socket, at our end. */
  readonly localPort: number;
}

/** How a server sees a connection. TiDB is not asked: it has never been tried. */
export const sessionQuestion: Readonly<Partial<Record<Server['make'], (id: string) => string>>> = {
  mysql: (id) => `select id, host from performance_schema.processlist where id = ${id}`,
  mariadb: (id) => `select id, host from information_schema.processlist where id = ${id}`,
};

/** Whether a server that sees a connection so has our own socket at the other end: what reads the protocol between has two. */
export const isOurs = ([id, host]: readonly unknown[], { threadId, localPort }: SessionName): boolean =>
  Number(id) % 2 ** 32 === threadId && String(host).endsWith(`:${localPort}`);

/** Asks on another connection, and does nothing where that leads to another server, or is not answered: nobody waits for it. */
export function killSession(connection: Connection, make: Server['make'], name: SessionName): void {
  const question = sessionQuestion[make]?.(String(name.threadId));
  if (question === undefined) return;
  connection.query<RowDataPacket[]>({ sql: question, rowsAsArray: true }, (error, rows) => {
    const [row] = error === null ? rows : [];
    // All of it, not the statement alone: more may have been sent behind that one.
    if (row !== undefined && isOurs(row as unknown as unknown[], name))
      connection.query(`kill ${name.threadId}`, () => {});
  });
}
