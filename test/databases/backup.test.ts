// Backups: of an embedded database by the command, of a server by its own tools; and that what was backed up comes back.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder, type Started } from '../support/commands/command.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { folders } from '../support/service/praxis.ts';

const accessToken = 'token-of-the-backups-0123456789';
const patience = { timeout: 60_000 };

interface Serving extends Started {
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

async function serve(folder: Folder, databaseUrl: string): Promise<Serving> {
  const started = folder.start('serve', { DATABASE_URL: databaseUrl });
  const { child, output, ended } = started;
  while (!output.stdout.includes('Praxis listens') && child.exitCode === null) await delay(20);
  const address = /http:\S+\/api$/m.exec(output.stdout)?.[0] ?? expect.fail(output.stderr);
  return {
    ...started,
    ask: async (method, path, body) => {
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${address}${path}`, { method, headers, ...sent });
      return { status: response.status, text: await response.text() };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const newFolder = (): Folder => new Folder({ PORT: '0', ACCESS_TOKEN: accessToken }, folders.test);

/** Names of all genres, page by page. */
async function namesIn(service: Serving): Promise<Set<string>> {
  const names = new Set<string>();
  let after = '';
  for (;;) {
    const { text } = await service.ask('GET', `/genres?limit=100${after}`);
    const { results, hasMore } = JSON.parse(text) as { results: { id: string; name: string }[]; hasMore: boolean };
    for (const { name } of results) names.add(name);
    if (!hasMore) return names;
    after = `&startingAfter=${results.at(-1)?.id}`;
  }
}

describe('a backup of an embedded database', patience, () => {
  const folder = newFolder();
  const databaseUrl = 'sqlite:data/workspace.sqlite';
  const at = (file: string): string => join(folder.path, file);
  const backup = (file: string, url = databaseUrl) => folder.run(`backup ${file}`, { DATABASE_URL: url });
  let service: Serving;
  beforeAll(async () => {
    service = await serve(folder, databaseUrl);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    folder.remove();
  }, 30_000);

  /** Everything beside the database and the descriptors. */
  const written = (): string[] => readdirSync(folder.path).filter((name) => name !== 'data' && name !== 'resources');

  test('is made while others write, holds all that was acknowledged before, and comes back', async () => {
    const before = new Set<string>();
    let isOver = false;
    let count = 0;
    const write = async (): Promise<void> => {
      while (!isOver) {
        count += 1;
        const name = `Genre ${count}`;
        const { status } = await service.ask('POST', '/genres', { name });
        expect(status).toBe(200);
        before.add(name);
      }
    };
    const writers = [write(), write(), write()];
    await delay(500);
    const acknowledged = [...before];
    const ended = await backup('copy.sqlite');
    const during = before.size - acknowledged.length;
    isOver = true;
    await Promise.all(writers);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^copy\.sqlite: \d+\.\d MiB, checked\n$/);
    expect(during).toBeGreaterThan(5);
    expect(written()).toEqual(['copy.sqlite']);
    expect(statSync(at('copy.sqlite')).mode & 0o777).toBe(0o600);
    // As the guide says: nothing may be left of the database that was there.
    for (const end of ['', '-wal', '-shm']) expect(existsSync(at(`restored.sqlite${end}`))).toBe(false);
    copyFileSync(at('copy.sqlite'), at('restored.sqlite'));
    const restored = await serve(folder, 'sqlite:restored.sqlite');
    const names = await namesIn(restored);
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect((await restored.ask('POST', '/genres', { name: 'After the loss' })).status).toBe(200);
    await restored.stop();
    const checked = await folder.run('verify', { DATABASE_URL: 'sqlite:restored.sqlite' });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('no differences')]);
    for (const name of written()) rmSync(at(name));
  });

  test('is refused where the file is there already, which stays as it is', async () => {
    writeFileSync(at('there.sqlite'), 'mine');
    expect(await backup('there.sqlite')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there.sqlite already exists; nothing was written.\n',
    });
    expect(readFileSync(at('there.sqlite'), 'utf8')).toBe('mine');
    expect(written()).toEqual(['there.sqlite']);
    rmSync(at('there.sqlite'));
  });

  test('is refused where the file comes while it is made', async () => {
    const name = 'late.sqlite';
    for (let isLost = true; isLost; ) {
      let isOver = false;
      const ending = backup(name).finally(() => {
        isOver = true;
      });
      // On a busy machine it may be over before anybody looks.
      while (!isOver && !written().some((each) => each.endsWith('.part'))) await new Promise(setImmediate);
      try {
        writeFileSync(at(name), 'mine', { flag: 'wx' });
        isLost = false;
      } catch {
        // It was the first, and is tried again.
      }
      const ended = await ending;
      if (!isLost) {
        expect(ended).toEqual({ code: 1, stdout: '', stderr: `${name} already exists; nothing was written.\n` });
        expect(readFileSync(at(name), 'utf8')).toBe('mine');
      }
      expect(written()).toEqual([name]);
      rmSync(at(name));
    }
  });

  test('is interrupted without leaving anything', async () => {
    const { child, ended } = folder.start('backup stopped.sqlite', { DATABASE_URL: databaseUrl });
    while (!written().some((each) => each.endsWith('.part')) && child.exitCode === null)
      await new Promise(setImmediate);
    child.kill('SIGINT');
    const { code } = await ended;
    // It may have been done when the signal came.
    expect(written()).toEqual(code === 0 ? ['stopped.sqlite'] : []);
    for (const name of written()) rmSync(at(name));
  });

  test('is refused in one line where there is nothing to copy, or nowhere to write', async () => {
    const other = new DatabaseSync(at('other.sqlite'));
    other.exec('create table note (text)');
    other.close();
    writeFileSync(
      at('text.sqlite'),
      'this is no database, but a text that is long enough to be read as one '.repeat(20),
    );
    const cases = [
      ['x.sqlite', 'sqlite:nowhere.sqlite', "There is no database 'nowhere.sqlite'; set DATABASE_URL."],
      ['x.sqlite', 'sqlite::memory:', 'There is nothing to back up in sqlite::memory:; set DATABASE_URL.'],
      ['x.sqlite', 'sqlite:other.sqlite', "There is no workspace in 'other.sqlite'; set DATABASE_URL."],
      ['x.sqlite', 'sqlite:text.sqlite', "Cannot back up 'text.sqlite' to 'x.sqlite': file is not a database."],
      ['no/x.sqlite', databaseUrl, /^Cannot back up 'data\/workspace\.sqlite' to 'no\/x\.sqlite': ENOENT: .+$/],
    ] as const;
    for (const [file, url, message] of cases) {
      const { code, stdout, stderr } = await backup(file, url);
      expect([code, stdout], url).toEqual([1, '']);
      expect(stderr.trimEnd(), url).toMatch(message);
      expect(stderr.split('\n')).toHaveLength(2);
    }
    expect(written().filter((name) => name.startsWith('x.'))).toEqual([]);
    for (const name of written()) rmSync(at(name));
  });

  test('is refused for a database that is damaged', async () => {
    expect((await backup('good.sqlite')).code).toBe(0);
    const bytes = readFileSync(at('good.sqlite'));
    randomBytes(bytes.length / 2).copy(bytes, Math.floor(bytes.length / 2));
    writeFileSync(at('bad.sqlite'), bytes);
    const { code, stdout, stderr } = await backup('x.sqlite', 'sqlite:bad.sqlite');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^.*bad\.sqlite.*(?:damaged|malformed).*\n$/);
    expect(written().filter((name) => name.startsWith('x.'))).toEqual([]);
    for (const name of written()) rmSync(at(name));
  });
});

describe('a backup of a server', patience, () => {
  test.each(['mysql://root:secret@127.0.0.1:1/praxis', 'mariadb://127.0.0.1/praxis'])(
    'is left to its own tools, which are named: %s',
    async (url) => {
      const folder = newFolder();
      const ended = await folder.run('backup x.sql', { DATABASE_URL: url });
      expect([ended.code, ended.stdout]).toEqual([1, '']);
      expect(ended.stderr).toMatch(/^[^\n]*mariadb-backup[^\n]*mysqldump --single-transaction[^\n]*\n$/);
      expect(ended.stderr).not.toContain('secret');
      expect(existsSync(join(folder.path, 'x.sql'))).toBe(false);
      folder.remove();
    },
  );
});

describeOnServers('a copy of a server', ({ open }) => {
  const hasTools = (): boolean => {
    try {
      execFileSync('mysqldump', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  test.skipIf(!hasTools())('comes back from what the guide says', patience, async () => {
    const [made, other] = [await open('praxis_dump'), await open('praxis_dump')];
    const { hostname, port, pathname, username } = new URL(made.url);
    const place = ['-h', hostname, '-P', port || '3306', '-u', username];
    const folder = newFolder();
    const service = await serve(folder, made.url);
    expect((await service.ask('POST', '/genres', { name: 'Almanacs 🏗' })).status).toBe(200);
    const names = await namesIn(service);
    const dump = execFileSync('mysqldump', [...place, '--single-transaction', '--hex-blob', pathname.slice(1)]);
    await service.stop();
    execFileSync('mysql', [...place, new URL(other.url).pathname.slice(1)], { input: dump });
    const restored = await serve(folder, other.url);
    expect(await namesIn(restored)).toEqual(names);
    expect((await restored.ask('POST', '/genres', { name: 'almanacs 🏗' })).status).toBe(409);
    await restored.stop();
    folder.remove();
    await made.drop();
    await other.drop();
  });
});
