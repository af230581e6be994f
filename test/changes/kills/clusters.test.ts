// The feed on a cluster, with a service on each node: order and loss as on one server, whoever writes and is killed. TEST_CLUSTER names
// the nodes, as `mysql://root@127.0.0.1:14401,mysql://root@127.0.0.1:14402`; `npm run clusters` makes some and runs this on each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../support/databases/mariadb.ts';
import { type Process, startProcesses, writeUnderKills } from './writers.ts';

const nodes = process.env['TEST_CLUSTER']?.split(',') ?? [];
const writes = Number(process.env['PRAXIS_LOGGED'] ?? 5000);
const timeout = 1_200_000;

describe.skipIf(nodes.length === 0)('the feed of a cluster under writers that are killed', () => {
  let urls: readonly string[] = [];
  let drop: () => Promise<void>;
  let processes: Process[] = [];

  beforeAll(async () => {
    const made = await createDatabase(nodes[0] ?? '', 'praxis_log');
    ({ drop } = made);
    const { pathname } = new URL(made.url);
    urls = nodes.map((node) => new URL(pathname, node).href);
    processes = await startProcesses(urls);
  }, timeout);
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await drop();
  }, timeout);

  it('misses nothing, and copies that follow it equal the lists', { timeout }, async () => {
    const written = await writeUnderKills(processes, urls, { writes, killEvery: Math.floor(writes / 4) });
    console.log(`${nodes.length} nodes: ${JSON.stringify(written)}`);
    expect(written.entries).toBeGreaterThan(written.asked / 3);
  });
});
