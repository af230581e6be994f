// A project with the keywords of the first version, and its database: made on 28 November 2026 by commit cfada188. The database
// has records, a change log, and four tokens. The snapshot is from the last commit with these keywords.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blocksOf } from '../../support/browser/guides.ts';
import { Folder } from '../../support/commands/command.ts';

const fixture = join(import.meta.dirname, 'old-keywords');
const tokens = {
  all: 'praxis_C_OP48jmd3ksHL9MqKmt9IaWXqOmILs_OKU4H6hRtSU',
  limited: 'praxis_Qi7CkpVY7CvFM6aO8OPJpDaE08Wbl91zyivvaYddo74',
  guest: 'praxis_Ei9Fmi_atkIPHOZfoGcjmJWdE97YyL47JphJi7UA0vk',
  clerk: 'praxis_Q8wqVyAVKztzTbueVO5tI069-HjiJFa5UTzPANEmKrg',
};
const tool = '/tools/01a22322-77c8-71ca-b25c-eb79833441c2';
const member = '/members/01a22322-7791-7030-8fb9-64e17b7148d3';
const returnedLoan = '/loans/01a22322-77f8-7688-996a-1bc1f32e0507';

describe('a project with old keywords', { timeout: 120_000 }, () => {
  const settings = {
    DATABASE_URL: 'sqlite:workspace.sqlite',
    CHANGES: 'forever',
    MIGRATIONS: join(fixture, 'migrations'),
  };
  const folder = new Folder(settings, join(fixture, 'resources'));
  const resources = join(folder.path, 'resources');
  const listFiles = (): string[] =>
    readdirSync(resources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .sort();
  const readFiles = (): Record<string, string> =>
    Object.fromEntries(listFiles().map((name) => [name, readFileSync(join(resources, name), 'utf8')]));
  const oldFiles = readFiles();

  const git = (...words: string[]): void => {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...author, ...words], { cwd: folder.path, stdio: 'pipe' });
  };

  beforeAll(() => {
    git('init', '-q');
    git('add', 'resources');
    git('commit', '-qm', 'old keywords');
    const database = brotliDecompressSync(readFileSync(join(fixture, 'workspace.sqlite.br')));
    writeFileSync(join(folder.path, 'workspace.sqlite'), database);
  });
  afterAll(() => folder.remove());

  test('is refused by check, which names the new keywords', async () => {
    const { code, stderr } = await folder.run('check');
    expect(code).toBe(1);
    expect(stderr).toContain(
      '/properties/fee/taken: unknown keyword "taken", which is "compute" now; "praxis upgrade descriptors" rewrites descriptors and roles',
    );
    expect(stderr).toContain('/properties/manual/accepts: unknown keyword "accepts", which is "mediaTypes" now');
    expect(stderr).toContain('/properties/taken/accepts: unknown keyword "accepts", which is "acceptIfEqual" now');
    const faults = stderr.split('\n').filter((line) => /^resources\S+:\d+:\d+ /.test(line));
    expect(faults.filter((line) => !line.includes('rewrites descriptors and roles'))).toEqual([]);
  });

  test('is left alone by upgrade --check', async () => {
    const { code, stdout } = await folder.run('upgrade descriptors --check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^resources\/loan\.json: \d+ renames$/m);
    expect(stdout).toMatch(/^Would rename \d+ keywords in \d+ files\.$/m);
    expect(readFiles()).toEqual(oldFiles);
  });

  test('is rewritten once, with its layout', async () => {
    const [command = ''] = blocksOf('upgrade', 'Renamed keywords')[0]?.text.split('\n') ?? [];
    expect(command).toBe('npx praxis upgrade descriptors');
    expect(await folder.print(command.replace('npx praxis ', ''))).toMatch(/^Renamed \d+ keywords in \d+ files\.$/m);
    const files = readFiles();
    expect(files).not.toEqual(oldFiles);
    expect(await folder.print('upgrade descriptors')).toBe('resources: all keywords are current\n');
    expect(await folder.print('upgrade descriptors --check resources')).toBe('resources: all keywords are current\n');
    expect(readFiles()).toEqual(files);
    const linesOf = (text = ''): number => text.split('\n').length;
    for (const [name, text] of Object.entries(files)) expect(linesOf(text), name).toBe(linesOf(oldFiles[name]));
    // Names of fields and values that are keywords elsewhere stay.
    const { properties } = JSON.parse(files['tool.json'] ?? '');
    expect(Object.keys(properties)).toEqual(Object.keys(JSON.parse(oldFiles['tool.json'] ?? '').properties));
    expect(properties.taken).toMatchObject({ acceptIfEqual: true });
    expect(properties.answers).toMatchObject({ compute: 'onRead' });
    expect(await folder.print('check')).toContain('8 descriptors, 2 roles, no faults');
  });

  test('keeps comments', async () => {
    const file = join(resources, 'note.json');
    const old = (oldFiles['note.json'] ?? '')
      .replace('"createdAt": true,', '// Set by Praxis.\n    "createdAt": true, /* "taken": 1 */')
      .replace('"maxLength": 80,', '"maxLength": 80, "formula": "\'a\'", "taken" : "atRead",');
    writeFileSync(file, old);
    const plain = (await folder.print('upgrade descriptors --json')).trim();
    expect(JSON.parse(plain).files).toMatchObject([{ file: 'resources/note.json' }]);
    expect(readFileSync(file, 'utf8')).toContain('// Set by Praxis.\n    "createdAt": true, /* "taken": 1 */');
    expect(readFileSync(file, 'utf8')).toContain('"formula": "\'a\'", "compute" : "onRead",');
    writeFileSync(file, oldFiles['note.json'] ?? '');
    await folder.run('upgrade descriptors');
  });

  test('has no pending migration, and the same snapshot', async () => {
    expect(await folder.print('migrate generate --check')).toContain('no migration is needed');
    await folder.print('migrate status --check');
    const { code, stdout } = await folder.run(`check --against ${join(fixture, 'snapshot.json')}`);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('no differences');
    expect(await folder.print('check --against HEAD')).toBe('no differences from HEAD\n');
  });

  test('serves its records, tokens and history', async () => {
    const service = folder.start('serve', { PORT: '0' });
    const address = await vi.waitUntil(() => /http:\S+\/api/.exec(service.output.stdout)?.[0], 30_000);
    const as =
      (name: keyof typeof tokens) =>
      async (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> => {
        const headers = { Authorization: `Bearer ${tokens[name]}`, 'Content-Type': 'application/json' };
        const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
        const response = await fetch(address + path, init);
        return { status: response.status, body: await response.json() };
      };
    expect(await as('all')('GET', tool)).toMatchObject({
      status: 200,
      body: { name: 'Saw', price: 2.5, taken: 1, answers: 2, loans: [{ day: '2026-11-02' }, { day: '2026-11-20' }] },
    });
    expect(await as('all')('GET', `/estimate?toolId=${tool.slice('/tools/'.length)}&days=3`)).toMatchObject({
      body: { total: 7.5 },
    });
    expect((await as('all')('DELETE', tool)).status).toBe(428);
    expect((await as('limited')('GET', '/tools')).status).toBe(200);
    expect((await as('limited')('GET', '/loans')).status).toBe(403);
    expect((await as('guest')('GET', tool)).body).not.toHaveProperty('price');
    expect(await as('clerk')('PATCH', returnedLoan, { text: 'late' })).toMatchObject({
      status: 403,
      body: { message: 'The loan is over.' },
    });
    const history = await as('all')('GET', `/history${returnedLoan}`);
    expect(history).toMatchObject({
      status: 200,
      body: {
        results: [
          { operation: 'update', changes: { state: { from: 'open', to: 'returned' } } },
          { operation: 'update', changes: { days: { from: 3, to: 4 }, fee: { from: 7.5, to: 10 } } },
          { operation: 'create' },
        ],
      },
    });
    expect(await as('all')('GET', `/history${member}`)).toMatchObject({
      body: { results: [{ operation: 'update', changes: { phone: {} } }, { operation: 'create' }] },
    });
    const metrics = address.replace('/api', '/metrics');
    const headers = { Authorization: `Bearer ${tokens.limited}` };
    expect((await fetch(metrics, { headers })).status).toBe(200);
    service.child.kill();
    await service.ended;
  });
});
