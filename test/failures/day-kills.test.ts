// Three processes on one database pass days, while their clocks and the time zone are set, one of them is killed, and callers write:
// each effect of a day happens exactly once, and all figures are right. `PRAXIS_KILLS=50` kills more often than each run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { allowDay } from '../../src/storage/workspace-day.ts';
import { addDays, addMonths, today } from '../../src/values/date.ts';
import { databases } from '../support/databases/databases.ts';
import { verified } from '../support/databases/verify.ts';
import { createClient } from '../support/service/client.ts';
import { accessToken, folders, type Json, readAll, registryOf } from '../support/service/praxis.ts';

const kills = Number(process.env['PRAXIS_KILLS'] ?? 3);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'praxis-clock-'));
const clock = join(folder, 'ahead');
afterAll(() => rmSync(folder, { recursive: true }));

interface Process {
  readonly child: ChildProcess;
  readonly address: string;
}

/** A service in a process of its own, whose clock is the one in the file, once it listens. */
async function start(databaseUrl: string): Promise<Process> {
  const preload = join(root, 'test/support/run/moved-clock.mjs');
  const child = spawn(process.execPath, ['--import', preload, join(root, 'src/cli.ts'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ACCESS_TOKEN: accessToken,
      RESOURCES: folders.lending,
      MIGRATIONS: 'no-migrations',
      LOG_LEVEL: 'silent',
      TEST_CLOCK: clock,
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

describe.each(databases)('three processes that pass days ($name)', ({ isThere, open }) => {
  test.skipIf(!isThere)(
    'do each effect of each day once, whoever is killed and however the clock is set',
    async () => {
      let aheadMs = 0;
      const move = (days: number): void => {
        aheadMs += days * 86_400_000;
        writeFileSync(clock, String(aheadMs));
      };
      move(0);
      const { url, drop } = await open('praxis_day_kills');
      const running = [await start(url), await start(url), await start(url)];
      const database = await openDatabase(url);
      await allowDay(database, '9999-12-31', database.dialect);
      await database.close();
      const address = (): string => running[0]?.address ?? '';
      const call = async (method: string, path: string, body?: Json): Promise<Json> => {
        const client = createClient({
          address: address(),
          token: accessToken,
          registry: registryOf('lending'),
          log: () => '',
        });
        const { status, body: answer } = await client(method, path, body);
        client.close();
        expect([status, answer]).toEqual([200, answer]);
        return answer as Json;
      };
      const readDay = async (): Promise<Json> =>
        ((await (await fetch(`${new URL(address()).origin}/readyz`)).json()) as { day: Json }).day;
      const first = String((await readDay())['reached']);
      const { id: shelfId } = await call('POST', '/shelves', { name: 'All' });
      const loans = new Map<string, string>();
      for (let n = 0; n < 30; n += 1) {
        const dueOn = addDays(first, (n % 15) - 2);
        loans.set(String((await call('POST', '/loans', { title: `Loan ${n}`, dueOn, shelfId }))['id']), dueOn);
      }
      const changing = String(
        (await call('POST', '/loans', { title: 'Changing', dueOn: addDays(first, 4), shelfId }))['id'],
      );
      await call('POST', '/plans', { firstOn: addDays(first, 2) });

      let isOver = false;
      const writing = (async (): Promise<void> => {
        // To the one that is never killed.
        for (let n = 0; !isOver; n += 1)
          await call('PATCH', `/loans/${changing}`, { title: `Changing ${n}`, isReturned: n % 3 === 0 });
      })();
      const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'UTC'];
      for (let n = 0; n < kills; n += 1) {
        move([2, 4, -1, 3][n % 4] ?? 1);
        await call('PATCH', '/settings', { timeZoneId: zones[n % 3] ?? 'UTC' });
        await delay(700 + Math.random() * 800);
        const place = 1 + (n % 2);
        const one = running[place];
        if (one !== undefined) await kill(one);
        running[place] = await start(url);
      }
      move(9);
      isOver = true;
      await writing;
      await call('PATCH', '/settings', { timeZoneId: 'UTC' });
      const last = today('UTC', new Date(Date.now() + aheadMs));
      for (let look = 0; look < 600 && (await readDay())['reached'] !== last; look += 1) await delay(100);
      for (let look = 0; look < 600 && (await readDay())['behind'] !== 0; look += 1) await delay(100);
      expect(await readDay()).toEqual({ reached: last, behind: 0, ahead: 0 });

      const client = createClient({
        address: address(),
        token: accessToken,
        registry: registryOf('lending'),
        log: () => '',
      });
      const reminders = await readAll(client, '/reminders', '');
      const bills = await readAll(client, '/bills', '');
      const shown = await readAll(client, '/loans', '');
      client.close();
      const of = (id: string): readonly string[] =>
        reminders.flatMap(({ loan, kind, day }) => ((loan as Json)['id'] === id ? [`${kind} ${day}`] : [])).toSorted();
      for (const [id, dueOn] of loans) {
        const due = [
          ['late', addDays(dueOn, 1)],
          ['again', addDays(dueOn, 3)],
          ['lost', addDays(dueOn, 14)],
        ] as const;
        expect(of(id)).toEqual(
          due.flatMap(([kind, day]) => (day > first && day <= last ? [`${kind} ${day}`] : [])).toSorted(),
        );
      }
      const twice = of(changing).filter((one, index, all) => !one.startsWith('lost') && all.indexOf(one) !== index);
      expect(twice).toEqual([]);
      const billed: string[] = [];
      for (let n = 0; addMonths(addDays(first, 2), n) <= last; n += 1) billed.push(addMonths(addDays(first, 2), n));
      expect(bills.map(({ day }) => String(day)).toSorted()).toEqual(billed);
      expect(
        shown.filter(({ isReturned, isOverdue, dueOn }) => isOverdue !== (!isReturned && String(dueOn) < last)),
      ).toEqual([]);
      for (const each of running) await kill(each);
      expect(await verified({ databaseUrl: url }, 'lending')).toEqual([]);
      await drop();
    },
    60_000 + kills * 30_000,
  );
});
