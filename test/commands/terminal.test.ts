// What people see at a terminal and pipes do not: colours, progress, a log in words; and what programs get instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { atTerminal, isThere } from '../support/commands/terminal.ts';

vi.setConfig({ testTimeout: 240_000 });

const isPossible = isThere('script');
const cli = join(import.meta.dirname, '../../src/cli.ts');
const praxis = `'${process.execPath}' '${cli}'`;
const colour = '\u001b[';
const eraseLine = `\r${colour}K`;

const folder = new Folder({ DATABASE_URL: 'sqlite:records.sqlite' });
afterAll(() => folder.remove());

describe('colours', () => {
  const broken = new Folder();
  const file = join(broken.path, 'resources/client-tag.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"unique"', '"uniqe"'));
  afterAll(() => broken.remove());
  const check = (env: Record<string, string>): Promise<string> =>
    atTerminal(`${praxis} check`, { cwd: broken.path, env });
  const plain = `resources/client-tag.json:17:5 /resource/uniqe: unknown keyword "uniqe"; did you mean "unique"?
    "uniqe": [["name"]]
    ^^^^^^^
1 fault in 1 file
`;

  test.skipIf(!isPossible)('are there at a terminal, and the words are the same', async () => {
    const shown = await check({});
    expect(shown).toContain(`${colour}31munknown keyword`);
    expect(stripVTControlCharacters(shown).replaceAll('\r', '')).toBe(plain);
  });

  test.skipIf(!isPossible)('are not there where NO_COLOR is set', async () => {
    expect((await check({ NO_COLOR: '1' })).replaceAll('\r', '')).toBe(plain);
  });

  test('are not there in a pipe, unless FORCE_COLOR is set', async () => {
    expect((await broken.run('check')).stderr).toBe(plain);
    const forced = (await broken.run('check', { FORCE_COLOR: '1' })).stderr;
    expect(forced).toContain(colour);
    expect(stripVTControlCharacters(forced)).toBe(plain);
  });

  test.skipIf(!isPossible)('long lines of an explanation are broken between words', async () => {
    const shown = await atTerminal(`stty cols 60; ${praxis} explain rule unitPriced`, { cwd: folder.path, env: {} });
    const lines = stripVTControlCharacters(shown).split(/\r?\n/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
    const flat = lines.map((line) => line.trim()).join(' ');
    expect(flat).toContain('Elsewhere <count> and <price> are null and refused.');
  });
});

describe('long work', () => {
  test.skipIf(!isPossible)('shows how far it is at a terminal, takes that away, and says how to go on', async () => {
    const shown = await atTerminal(`${praxis} demo --until 2026-09-30 --months 1`, {
      cwd: folder.path,
      env: { DATABASE_URL: 'sqlite:records.sqlite' },
    });
    const lines = shown.split(eraseLine);
    expect(lines.some((line) => /^[█░]{30} +\d+ % {2}2026-0[89]-\d\d {2}[\d,]+ records {2}\d+ s$/.test(line))).toBe(
      true,
    );
    const after = lines.at(-1) ?? '';
    expect(after).toMatch(/^Billing +\d/);
    expect(after).toContain('Start on it:\r\n\r\n  DATABASE_URL=sqlite:records.sqlite npm start\r\n');
    expect(after).toContain('/api/time-entries?dateOnAfter=2026-09-01');
    expect(after).not.toContain('█');
  });

  test('ends today, and tells programs what was made', async () => {
    const before = new Date().toISOString().slice(0, 10);
    const { code, stdout, stderr } = await folder.run('demo --months 1 --json', {
      DATABASE_URL: 'sqlite:other.sqlite',
    });
    const after = new Date().toISOString().slice(0, 10);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const told = JSON.parse(stdout);
    expect([before, after]).toContain(told.until);
    const counts = Object.values(told.groups as Record<string, number>);
    expect(told.records).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(told.groups['time-entry']).toBeGreaterThan(100);
  });

  test('a password of the database is not told again', async () => {
    const { stdout, stderr } = await folder.run('demo', { DATABASE_URL: 'mysql://root:secret-word@127.0.0.1:1/none' });
    expect(`${stdout}${stderr}`).not.toContain('secret-word');
  });
});

describe('the log', () => {
  const env = { PORT: '0', DATABASE_URL: 'sqlite:log.sqlite', ACCESS_TOKEN: 'token-of-the-terminal-0001' };

  test.skipIf(!isPossible)('is for people in dev at a terminal', async () => {
    const shown = await atTerminal(`${praxis} dev`, {
      cwd: folder.path,
      env,
      types: [
        [/started {2}address=(\S+)/, async (address) => void (await fetch(`${address}/clients`))],
        [/401.* ms/, '\u0003'],
      ],
    });
    const lines = stripVTControlCharacters(shown).split(/\r?\n/);
    expect(lines).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d started {2}address=http:/));
    expect(lines).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/api\/clients 401 [\d.]+ ms$/));
    expect(shown).toContain(`${colour}33m401`);
    expect(shown).not.toContain('"requestId"');
  });

  test('is JSON lines elsewhere', async () => {
    const service = folder.start('dev', env);
    await vi.waitUntil(() => /http:\S+\/api\n/.test(service.output.stdout), { timeout: 60_000 });
    const address = /http:\S+\/api/.exec(service.output.stdout)?.[0];
    expect((await fetch(`${address}/clients`)).status).toBe(401);
    service.child.kill('SIGTERM');
    const { stderr } = await service.ended;
    const lines = stderr.trim().split('\n');
    expect(lines.map((text) => JSON.parse(text).msg)).toContain('request');
  });
});

describe('--json', () => {
  const json = async (line: string): Promise<unknown> => JSON.parse(await folder.print(line));

  test('tells the same as plain data', async () => {
    expect(await json('check --json')).toEqual({
      descriptors: expect.any(Number),
      faults: [],
      findings: [],
      growing: expect.arrayContaining([
        { place: 'cost-period.end', why: [{ code: 'siblings', text: expect.stringContaining('in all siblings') }] },
      ]),
    });
    const token = (await json('token create --name Reader --json')) as { id: string; token: string };
    expect(token).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^praxis_/),
      name: 'Reader',
      expiresAt: null,
      limits: null,
      roles: null,
    });
    expect(await json('token list --json')).toContainEqual(
      expect.objectContaining({ id: token.id, name: 'Reader', state: 'active', last4: token.token.slice(-4) }),
    );
    expect(await json(`token revoke ${token.id} --json`)).toMatchObject({ id: token.id, wasRevoked: false });
    expect(await json('feature disable pipeline --json')).toMatchObject({ switch: 'pipeline', isOn: false });
    expect(await json('feature list --json')).toContainEqual(
      expect.objectContaining({ switch: 'pipeline', isOn: false }),
    );
    expect(await json('new office --json')).toEqual({ file: 'resources/office.json', path: '/offices' });
    expect(await json('snapshot --out facts.json --json')).toEqual({ file: 'facts.json', state: 'written' });
    expect(await json('backup copy.sqlite --json')).toEqual({ file: 'copy.sqlite', bytes: expect.any(Number) });
    expect(await json('migrate generate first --json')).toMatchObject({ file: expect.stringMatching(/first/) });
  });

  test('tells a refusal in a line on standard error', async () => {
    const { code, stdout, stderr } = await folder.run('token revoke zzzz --json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: "No token has the id or the last four characters 'zzzz'; see: praxis token list.",
    });
  });
});
