// Whether commands of a connection may be written together. MySQL's protocol does not say so: its servers carry out each of
// them once, in order, but what reads the protocol on the way may lose some and repeat others without an error, as MySQL
// Router 9.7 does. So the server itself must be at the other end, and a trial must have shown it.
import { ConfigurationFault } from '../configuration-fault.ts';
import { allowTogether } from './mysql-flight.ts';
import { type Link, streamOf, toRows } from './mysql-link.ts';
import type { Server } from './mysql-server.ts';
import type { Pipeline } from './mysql-url.ts';

/** How a server sees the connection that asks. TiDB is not asked: it has never been tried. */
const questions: Readonly<Partial<Record<Server['make'], string>>> = {
  mysql: 'select id, host from performance_schema.processlist where id = connection_id()',
  mariadb: 'select id, host from information_schema.processlist where id = connection_id()',
};

const trial = Array.from({ length: 8 }, (_value, n) => ({ sql: `select ${n}` }));

/**
 * Lets the commands of a new connection travel together where that is known to be well.
 * @throws ConfigurationFault where the trial fails: nobody knows what answers such a connection has yet to come
 */
export async function chooseWay(link: Link, { make }: Server, pipeline: Pipeline): Promise<void> {
  if (pipeline === 'off') return;
  if (pipeline === 'auto' && !(await isDirect(link, questions[make]))) return;
  allowTogether(link.connection);
  const answers = await Promise.allSettled(link.sendTogether(trial));
  const isWell = answers.every(
    (answer, n) => answer.status === 'fulfilled' && Number(toRows(answer.value)[0]?.[0]) === n,
  );
  if (!isWell)
    throw new ConfigurationFault(
      `What stands between here and the database server does not take several statements at once: set pipeline=off in the database URL.`,
    );
}

/** Whether the server has our own socket at the other end of its own: what reads the protocol has two. */
async function isDirect(link: Link, question: string | undefined): Promise<boolean> {
  if (question === undefined) return false;
  const { connection } = link;
  try {
    const [row] = toRows(await link.text(question));
    // A greeting has room for 32 bits of the number.
    const isGreeted = Number(row?.[0]) % 2 ** 32 === connection.threadId;
    return isGreeted && String(row?.[1]).endsWith(`:${streamOf(connection)?.localPort}`);
  } catch {
    // Who may not ask, or asks what is no server, cannot know.
    return false;
  }
}
