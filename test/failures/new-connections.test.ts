// New connections beside writes of an embedded database: the event loop takes one of them a turn, however many wait, and a turn
// is as long as what is done in it.
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { runNode } from '../support/commands/praxis-line.ts';
import { accessToken, folders } from '../support/service/praxis.ts';

const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };

const prober = join(import.meta.dirname, '../support/service/prober.ts');

/** A create on a connection of its own. */
const create = (address: string, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const asked = request(new URL('/api/genres', address), { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', resolve);
    });
    asked.once('error', reject).end(JSON.stringify({ name }));
  });

/** A service in a process of its own: its turns are not those of the callers. */
async function serve(): Promise<string> {
  const env = { PORT: '0', ACCESS_TOKEN: accessToken, DATABASE_URL: 'sqlite:workspace.sqlite', LOG_LEVEL: 'silent' };
  const folder = new Folder(env, folders.test);
  onTestFinished(() => folder.remove());
  const { output } = folder.start('serve');
  await expect.poll(() => output.stdout, { timeout: 30_000 }).toContain('/api');
  return /http:\/\/\S+\/api/.exec(output.stdout)?.[0] ?? '';
}

test('a new connection is let in while others write, each on a connection of its own', async () => {
  const address = await serve();
  const writes: number[] = [];
  let isOver = false;
  const writing = Array.from({ length: 200 }, async (_caller, n) => {
    for (let nth = 0; !isOver; nth += 1) {
      const since = performance.now();
      await create(address, `Genre ${n} ${nth}`);
      writes.push(performance.now() - since);
    }
  });
  await expect.poll(() => writes.length, { timeout: 30_000, interval: 50 }).toBeGreaterThan(400);
  writes.splice(0);
  const { code, stdout, stderr } = await runNode([prober, address, '30']);
  isOver = true;
  await Promise.all(writing);
  expect([code, stderr]).toEqual([0, '']);
  // Compared with each other, whatever the machine can do: who waits for all that came before waits as long as a write.
  const [probe, write] = [JSON.parse(stdout), writes].map(median);
  expect(probe, `a write takes ${write} ms`).toBeLessThan(Number(write) / 3);
}, 90_000);

const median = (times: readonly number[]): number | undefined =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
