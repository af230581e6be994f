// A thousand writes with keys, while the connections between the service and its database are cut two hundred times around a commit:
// before it is sent, while it is on its way, and when it has been answered. Each write is done exactly once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnServers } from '../support/databases/databases.ts';
import { asksFor, createProxy } from '../support/databases/proxy.ts';
import { makeAll } from '../support/service/persistent.ts';
import { type Context, startService } from '../support/service/praxis.ts';

const writes = 1000;
const wantedCuts = 200;
/** Of the commits that come by, one in so many is cut. */
const everyNth = 4;

describeOnServers('cuts around a commit', ({ open }) => {
  let service: Context & { stop(): Promise<void> };
  let proxy: Awaited<ReturnType<typeof createProxy>>;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const made = await open('praxis_cuts');
    closing.push(() => made.drop());
    const url = new URL(made.url);
    proxy = await createProxy(url.hostname, Number(url.port));
    closing.unshift(() => proxy.stop());
    url.port = String(proxy.port);
    url.searchParams.set('pipeline', 'on');
    service = await startService('product', url.href);
    closing.unshift(() => service.stop());
  }, 120_000);
  afterAll(async () => {
    proxy.set();
    for (const close of closing) await close();
  }, 60_000);

  test('leave each write done once', async () => {
    const cuts = { before: 0, within: 0, after: 0 };
    const kinds = ['before', 'within', 'after'] as const;
    let commits = 0;
    let cut = 0;
    proxy.set((data, server, client) => {
      const isCommit = asksFor(data, 'commit');
      commits += isCommit ? 1 : 0;
      const kind = isCommit && commits % everyNth === 0 && cut < wantedCuts ? kinds[cut % 3] : undefined;
      if (kind === undefined) {
        server.write(data);
        return;
      }
      cut += 1;
      cuts[kind] += 1;
      if (kind === 'before') client.destroy();
      // The server does what it is told, and nobody hears of it.
      else if (kind === 'within') server.write(data, () => setTimeout(() => client.destroy(), 1));
      else {
        server.once('data', () => setImmediate(() => client.destroy()));
        server.write(data);
      }
    });
    const names = Array.from({ length: writes }, (_value, n) => `Cut ${n}`);
    const made = await makeAll(() => service.address, names, 20);
    proxy.set();
    expect(cuts.before + cuts.within + cuts.after).toBe(wantedCuts);
    expect(Math.min(...Object.values(cuts))).toBeGreaterThan(60);
    // Those that were done although nobody heard of it are told, not done again.
    expect(made.filter(({ isReplayed }) => isReplayed).length).toBeGreaterThan(20);
    const stored = await service.all('job-title');
    const found = new Map(stored.map(({ id, name }) => [String(name), id]));
    expect(stored.filter(({ name }) => String(name).startsWith('Cut '))).toHaveLength(writes);
    expect(made.filter(({ name, id }) => found.get(name) !== id)).toEqual([]);
  }, 240_000);
});
