// What a start costs. The least of several times is compared, so that only what Praxis itself does counts.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bringUp } from '../../src/migration/run/start.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { Folder } from '../support/commands/command.ts';
import { runNode } from '../support/commands/praxis-line.ts';
import { databases } from '../support/databases/databases.ts';
import { registryOf } from '../support/service/praxis.ts';

const timeout = 120_000;

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

async function leastOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth += 1) times.push(await timeOf(work));
  return Math.min(...times);
}

// Some 10 ms, and 20 where a server is asked. Against the time of the making, on the same machine, chance has no part in it.
test.each(databases.filter(({ isThere }) => isThere))(
  'a database that fits is seen to fit in a fifth of the time of its making ($name)',
  { timeout },
  async ({ open }) => {
    const made = await open('praxis_start');
    const database = await openDatabase(made.url);
    const registry = registryOf('product');
    const start = (): Promise<number> => bringUp({ database, registry, folder: 'migrations', applyAdditions: false });
    try {
      const first = await timeOf(start);
      const again = await leastOf(15, start);
      expect(again).toBeLessThan(first / 5);
    } finally {
      await database.close();
      await made.drop();
    }
  },
);

test('a start is ready in less than 60 times of what an empty program of Node takes', { timeout }, async () => {
  // That is some 20 ms. Alone on a machine it takes 22 times as long to make a database, and 17 times on one that is there.
  const empty = await leastOf(5, () => runNode(['-e', '0']));
  const folder = new Folder({ PORT: '0', HOST: '127.0.0.1' });
  const start = async (database: string): Promise<void> => {
    const { child, output, ended } = folder.start('serve', { DATABASE_URL: `sqlite:${database}.sqlite` });
    while (!output.stdout.includes('Praxis listens') && child.exitCode === null) await delay(5);
    expect(child.exitCode, output.stderr).toBe(null);
    child.kill('SIGKILL');
    await ended;
  };
  try {
    let number = 0;
    const fresh = await leastOf(3, () => start(`data/${number++}`));
    expect(fresh / empty).toBeLessThan(60);
    const existing = await leastOf(3, () => start('data/0'));
    expect(existing / empty).toBeLessThan(60);
  } finally {
    folder.remove();
  }
});
