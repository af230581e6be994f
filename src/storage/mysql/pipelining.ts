// Decides whether a connection may be pipelined. MySQL's protocol promises nothing: servers carry out each command once, in
// order, but a proxy on the way may lose some and repeat others without an error, as MySQL Router 9.7 does. So the server
// itself must be at the other end, and a trial must have shown it.

import { ConfigurationFault } from '../../configuration-fault.ts';
import { type MysqlConnection, nameOf, toRows } from './connection.ts';
import { isOurs, sessionQuestion } from './kill-session.ts';
import type { Server } from './server.ts';
import type { Pipeline } from './url.ts';
import { allowPipelining } from './wire/pipeline.ts';

const trial = Array.from({ length: 8 }, (_value, n) => ({ sql: `select ${n}` }));

/**
 * Lets the commands of a new connection travel together where that is known to be well.
 * @throws ConfigurationFault where the trial fails: nobody knows what answers such a connection has yet to come
 */
export async function choosePipelining(link: MysqlConnection, { make }: Server, pipeline: Pipeline): Promise<void> {
  if (pipeline === 'off') return;
  if (pipeline === 'auto' && !(await isDirect(link, sessionQuestion[make]?.('connection_id()')))) return;
  allowPipelining(link.connection);
  const isWell = await new Promise<boolean>((resolve) => {
    link.ask(trial, (results, failed) =>
      resolve(failed === undefined && results.every((result, n) => Number(toRows(result)[0]?.[0]) === n)),
    );
  });
  if (!isWell)
    throw new ConfigurationFault(
      `What stands between here and the database server does not take several statements at once: set pipeline=off in the database URL.`,
    );
}

/** Whether the server has our own socket at the other end of its own: what reads the protocol has two. */
async function isDirect(link: MysqlConnection, question: string | undefined): Promise<boolean> {
  if (question === undefined) return false;
  try {
    const [row] = toRows(await link.text(question));
    const name = nameOf(link.connection);
    return row !== undefined && name !== undefined && isOurs(row, name);
  } catch {
    // Who may not ask, or asks what is no server, cannot know.
    return false;
  }
}
