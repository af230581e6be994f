// The service is killed again and again while callers write with keys: what was answered is there, and nothing is there twice.
// `PRAXIS_KILLS=200` kills more often than the few times of each run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { type Made, makeAll } from '../support/service/persistent.ts';
import { accessToken, folders, startService } from '../support/service/praxis.ts';

const kills = Number(process.env['PRAXIS_KILLS'] ?? 4);
const root = join(import.meta.dirname, '../..');

interface Process {
  readonly child: ChildProcess;
  readonly address: string;
}

/** A service in a process of its own, once it listens. */
async function start(databaseUrl: string): Promise<Process> {
  const child = spawn(process.execPath, [join(root, 'src/cli.ts'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ACCESS_TOKEN: accessToken,
      RESOURCES: folders.product,
      MIGRATIONS: 'no-migrations',
      LOG_LEVEL: 'silent',
    },
  });
  let said = '';
  for await (const data of child.stdout ?? []) {
    said += String(data);
    const address = /http:\/\/\S+\/api/.exec(said)?.[0];
    if (address !== undefined) return { child, address };
  }
  throw new Error(`the service has not started: ${said}`);
}

async function kill({ child }: Process): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe.each(databases)('a service that is killed under writes ($name)', ({ isThere, open }) => {
  test.skipIf(!isThere)(
    'loses nothing that it has answered, and does nothing twice',
    async () => {
      const { url, drop } = await open('praxis_kills');
      let running = await start(url);
      const answered: Made[] = [];
      let isOver = false;
      function* names(): Generator<string> {
        for (let n = 0; !isOver; n += 1) yield `Killed ${n}`;
      }
      const writing = makeAll(
        () => running.address,
        names(),
        8,
        (made) => answered.push(made),
      );
      for (let n = 0; n < kills; n += 1) {
        const before = answered.length;
        // In the midst of it: some writes are answered, and others are under way.
        while (answered.length < before + 5) await delay(5);
        await delay(Math.random() * 60);
        await kill(running);
        running = await start(url);
      }
      isOver = true;
      const made = await writing;
      await kill(running);
      const service = await startService('product', url);
      const stored = (await service.all('job-title')).filter(({ name }) => String(name).startsWith('Killed '));
      await service.stop();
      await drop();
      const found = new Map(stored.map(({ id, name }) => [String(name), id]));
      expect(stored).toHaveLength(found.size);
      expect(made.filter(({ name, id }) => found.get(name) !== id)).toEqual([]);
      expect(found.size).toBe(made.length);
      expect(made.length).toBeGreaterThan(kills * 5);
    },
    30_000 + kills * 20_000,
  );
});
