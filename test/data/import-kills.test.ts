// `praxis import` is killed again and again: every row is there once, and so is every refused one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'praxis-import-kills-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kills = 20;
const rows = 6000;
const isRefused = (row: number): boolean => row % 500 === 7;

onEveryDatabase('an import that is killed', (context) => {
  test('goes on where it was', async () => {
    const file = join(folder, `genres-${context.isServer}-${Math.random()}.csv`);
    const journal = `${file}.praxis-import`;
    const lines = Array.from({ length: rows }, (_none, row) => `Killed ${row}${isRefused(row) ? 'x'.repeat(50) : ''}`);
    writeFileSync(file, `name\r\n${lines.join('\r\n')}\r\n`);
    const noted = (): string => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
    /** @returns the status of the command, null where it was killed */
    const bring = async (isKilled: boolean): Promise<number | null> => {
      const before = noted();
      const command = ['src/cli.ts', 'import', file, '--group', 'genre', '--chunk', '20'];
      const child = spawn(process.execPath, [...command, '--url', context.address, '--token', accessToken], {
        cwd: root,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${join(folder, 'nothing.sqlite')}` },
      });
      const exit = once(child, 'exit');
      if (isKilled) {
        // In the midst of it: a chunk is noted, and others are under way.
        while (noted() === before && child.exitCode === null) await delay(1);
        await delay(Math.random() * 20);
        child.kill('SIGKILL');
      }
      const [status] = await exit;
      return status;
    };
    for (let n = 0; n < kills; n += 1) expect(await bring(true)).toBe(null);
    expect(await bring(false)).toBe(1);
    const there = (await context.all('genre')).map(({ name }) => String(name)).filter((name) => /^Killed/.test(name));
    expect(there.toSorted()).toEqual(lines.filter((_line, row) => !isRefused(row)).toSorted());
    const refused = readFileSync(file.replace('.csv', '.refused.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
    expect(refused.map((line) => line.split(',')[0])).toEqual(lines.filter((_line, row) => isRefused(row)));
    expect(existsSync(journal)).toBe(false);
  }, 240_000);
});
