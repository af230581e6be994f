// The command `doctor`: what it finds, what it says to do, and that it changes nothing.
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPraxis } from '../../src/app/praxis.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { Folder } from '../support/commands/command.ts';
import { databases } from '../support/databases/databases.ts';
import { isTurnOf } from '../support/run/part.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const descriptors = join(import.meta.dirname, '../../.package/init/templates/courses/resources');

for (const { name: kind, isThere, isServer, open } of databases) {
  describe.skipIf(!isThere || !isTurnOf({ isServer }))(`doctor on ${kind}`, () => {
    const folder = new Folder({ PORT: '0', LOG_LEVEL: 'silent' }, descriptors);
    const file = join(folder.path, 'workspace.sqlite');
    let env = { DATABASE_URL: 'sqlite:workspace.sqlite' };
    let drop = async (): Promise<void> => {};

    beforeAll(async () => {
      if (!isServer) return;
      const made = await open('praxis_doctor');
      env = { DATABASE_URL: made.url };
      drop = () => made.drop();
    });
    afterAll(async () => {
      folder.remove();
      await drop();
    });

    /** What it finds of these, and its status. */
    async function found(
      codes: readonly string[],
      more: Record<string, string> = {},
    ): Promise<[number | null, Partial<Finding>[]]> {
      const { code, stdout, stderr } = await folder.run('doctor --json', { ...env, ...more });
      expect(stderr).toBe('');
      const all = JSON.parse(stdout) as Finding[];
      return [code, all.filter((finding) => codes.includes(finding.code))];
    }
    const rows = async (): Promise<string> => {
      if (kind === 'SQLite') return createHash('sha256').update(readFileSync(file)).digest('hex');
      const database = await openDatabase(env.DATABASE_URL);
      const tables = await database.all(
        'select table_name, update_time from information_schema.tables where table_schema = database() order by 1',
        [],
      );
      const tokens = await database.all('select * from praxis_token', []);
      await database.close();
      return JSON.stringify([tables, tokens]);
    };

    test('a new folder is told to be started, and no file is made', async () => {
      const [code, findings] = await found(['database', 'migrations', 'descriptors']);
      expect(code).toBe(0);
      expect(findings[0]).toMatchObject({ code: 'descriptors', state: 'fine', says: '2 descriptors, no faults' });
      expect(findings.at(-1)).toMatchObject({ state: 'note', todo: expect.stringContaining('first start') });
      expect(() => readFileSync(file)).toThrow('ENOENT');
    });

    test('what is well is well, and nothing has changed', async () => {
      await folder.print('migrate generate', env);
      await folder.print('migrate apply', env);
      await folder.print('token create --name robot', env);
      const before = await rows();
      const { code, stdout } = await folder.run('doctor', env);
      expect(stdout).toMatch(/✓ migrations: descriptors, migrations and database agree\n/);
      expect(stdout).toMatch(new RegExp(`✓ database: ${kind.toLowerCase()} \\d`));
      if (kind === 'MySQL') {
        const database = await openDatabase(env.DATABASE_URL);
        const [[isOn] = []] = await database.all('select @@global.innodb_native_foreign_keys', []);
        await database.close();
        expect(stdout.includes('innodb_native_foreign_keys is OFF')).toBe(Number(isOn) === 0);
      }
      expect(stdout).toMatch(/✓ clock: the clocks of database and service differ by [0-4]\.\d s\n✓/);
      expect(stdout).toMatch(/✓ tokens: 1 token is valid\n/);
      expect(stdout).toMatch(/\nNo action required\.\n$/);
      expect(code).toBe(0);
      expect(await rows()).toBe(before);
    });

    test('records that are dated later than now', async () => {
      expect(await found(['times'])).toMatchObject([0, [{ state: 'fine' }]]);
      const database = await openDatabase(env.DATABASE_URL.replace('sqlite:', `sqlite:${folder.path}/`));
      const praxis = await createPraxis({ registry: loadRegistry(descriptors, ruleSignatures), database });
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 48 * 3_600_000);
      await praxis.workspace.engine.together((batch) => batch.create('course', { values: { name: 'Later' } }));
      clock.mockRestore();
      expect(await found(['times'])).toMatchObject([
        1,
        [
          {
            state: 'act',
            says: expect.stringMatching(/^a Course was created at 20\S+Z, (48\.0|47\.9) h in the future$/),
          },
        ],
      ]);
      await database.run('delete from course', []);
      await praxis.close();
    });

    test('tokens that end soon, and none that is valid', async () => {
      await folder.print('token create --name guest --expires 3d', env);
      expect(await found(['tokens'])).toMatchObject([
        1,
        [
          { state: 'fine' },
          { state: 'act', says: expect.stringMatching(/^the token 'guest' \(….{4}\) expires at 20/) },
        ],
      ]);
      const listed = (await folder.print('token list', env))
        .split('\n')
        .slice(1)
        .filter((line) => line !== '');
      for (const line of listed) await folder.print(`token revoke ${line.split(' ')[0]}`, env);
      expect(await found(['tokens'])).toMatchObject([1, [{ state: 'act', todo: 'run "praxis token create"' }]]);
      const [code] = await found(['tokens'], { ACCESS_TOKEN: 'token-of-the-doctor-0001' });
      expect(code).toBe(0);
    });

    test('descriptors that ask for more, and migrations that wait', async () => {
      const token = { ACCESS_TOKEN: 'token-of-the-doctor-0001' };
      await folder.print('new room', env);
      expect(await found(['migrations'], token)).toMatchObject([
        1,
        [{ state: 'act', todo: 'run "praxis migrate generate", then "praxis migrate apply"' }],
      ]);
      await folder.print('migrate generate', env);
      expect(await found(['migrations'], token)).toMatchObject([
        1,
        [{ says: '1 of 2 migrations are pending', todo: 'run "praxis migrate apply"' }],
      ]);
      await folder.print('migrate apply', env);
      expect((await found([], token))[0]).toBe(0);
    });

    test('a fault of a descriptor or of a variable is one finding', async () => {
      const room = join(folder.path, 'resources/room.json');
      const text = readFileSync(room, 'utf8');
      writeFileSync(room, text.replace('"maxLength"', '"maxLenght"'));
      expect(await found(['descriptors', 'database'])).toMatchObject([
        1,
        [
          {
            state: 'act',
            says: expect.stringContaining('did you mean "maxLength"'),
            todo: 'run "praxis check" for all faults',
          },
        ],
      ]);
      writeFileSync(room, text);
      expect(await found(['configuration', 'database'], { PORT: 'x' })).toMatchObject([
        1,
        [{ state: 'act', says: expect.stringContaining('PORT must be') }],
      ]);
    });

    test('a port that another program has, and one that this service has', async () => {
      const other = createServer((_request, response) => response.end('no'));
      await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
      const taken = String((other.address() as AddressInfo).port);
      expect(await found(['port'], { PORT: taken })).toMatchObject([
        1,
        [{ state: 'act', says: `another program listens at 127.0.0.1:${taken}` }],
      ]);
      other.close();
      const service = folder.start('serve', { ...env, ACCESS_TOKEN: 'token-of-the-doctor-0001' });
      while (!/http:\S+\/api\n/.test(service.output.stdout)) await delay(20);
      const own = /:(\d+)\/api/.exec(service.output.stdout)?.[1] ?? '';
      expect(await found(['port'], { PORT: own, ACCESS_TOKEN: 'token-of-the-doctor-0001' })).toMatchObject([
        0,
        [{ state: 'fine', says: `the service listens at 127.0.0.1:${own}` }],
      ]);
      service.child.kill('SIGTERM');
      await service.ended;
    });

    test('a database that is away, and one whose file others read', async () => {
      if (kind === 'SQLite') {
        chmodSync(file, 0o644);
        expect(await found(['permissions'])).toMatchObject([1, [{ state: 'act', todo: 'chmod 600 workspace.sqlite' }]]);
        chmodSync(file, 0o600);
      }
      rmSync(join(folder.path, 'migrations'), { recursive: true });
      const away = kind === 'SQLite' ? 'sqlite:resources' : 'mysql://root:secret-word@127.0.0.1:1/none';
      const [code, [finding]] = await found(['database'], { DATABASE_URL: away });
      expect([code, finding]).toMatchObject([1, { state: 'act', todo: expect.stringContaining('DATABASE_URL') }]);
      expect(JSON.stringify(finding)).not.toContain('secret-word');
    });
  });
}

test('a file of another program stays as it is', async () => {
  const folder = new Folder({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite:other.sqlite' }, descriptors);
  const path = join(folder.path, 'other.sqlite');
  const other = new DatabaseSync(path);
  other.exec('create table song (id integer primary key, title text); insert into song values (1, null)');
  other.close();
  const before = readFileSync(path);
  const { stdout } = await folder.run('doctor');
  expect(stdout).toMatch(/✓ database: sqlite \d/);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('other'))).toEqual(['other.sqlite']);
  writeFileSync(path, 'no database at all, whatever its name says, but long enough to be taken for one'.repeat(9));
  const { code, stdout: told, stderr } = await folder.run('doctor');
  expect([code, stderr]).toEqual([1, '']);
  expect(told).toContain("✗ database: Cannot open the SQLite database 'other.sqlite': file is not a database");
  folder.remove();
});

test('the day in the time zone of the settings is told', async () => {
  const folder = new Folder({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: 'sqlite:workspace.sqlite',
    ACCESS_TOKEN: 'token-of-the-doctor-0001',
  });
  try {
    const service = folder.start('serve');
    while (!/http:\S+\/api\n/.test(service.output.stdout)) await delay(20);
    const address = /http:\S+\/api/.exec(service.output.stdout)?.[0];
    const headers = { Authorization: 'Bearer token-of-the-doctor-0001', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ timeZoneId: 'Pacific/Kiritimati' });
    await fetch(`${address}/workspace-settings`, { method: 'PATCH', headers, body });
    const { stdout } = await folder.run('doctor');
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
    expect(stdout).toContain(`✓ time-zone: it is ${day} in Pacific/Kiritimati`);
    service.child.kill('SIGTERM');
    await service.ended;
  } finally {
    folder.remove();
  }
});
