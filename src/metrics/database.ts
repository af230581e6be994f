// What metrics tell of a database, as this process sees it.
import type { QueueStats } from '../admission/queue.ts';

/** What is to be seen of a database from within one process. */
export interface DatabaseStats {
  /** Connections of this process: the most there may be among them. */
  readonly connections: { readonly open: number; readonly busy: number; readonly limit: number };
  /** Statements that its connections keep prepared. */
  readonly preparedStatements: number;
  /** Requests that wait to read, and to write; and what they have begun, waiting for a connection of its own. */
  readonly queues: Readonly<Record<'read' | 'write' | 'connection', QueueStats>>;
}
