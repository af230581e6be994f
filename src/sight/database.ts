import type { Queue } from '../waiting/line.ts';

/** What is to be seen of a database from within one process. */
export interface DatabaseSight {
  /** Connections of this process: the most there may be among them. */
  readonly connections: { readonly open: number; readonly busy: number; readonly limit: number };
  /** Statements that its connections keep prepared. */
  readonly preparedStatements: number;
  /** Requests that wait to read, and to write; and what they have begun, waiting for a connection of its own. */
  readonly queues: Readonly<Record<'read' | 'write' | 'connection', Queue>>;
}
