import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Folder, type Started } from '../support/commands/command.ts';
import { databases as testDatabases } from '../support/databases/databases.ts';
import { isTurnOf } from '../support/run/part.ts';

const patience = { timeout: 60_000 };
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('praxis check', patience, () => {
  it('counts descriptors that are right', async () => {
    const folder = new Folder();
    const count = readdirSync(join(folder.path, 'resources')).length;
    const { code, stdout, stderr } = await folder.run('check');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // Behind it stands what grows with the number of records.
    const [counted, ...lines] = stdout.trimEnd().split('\n');
    expect(counted).toBe(`${count} descriptors, no faults`);
    expect(lines).toContain(
      '! timesheet.hours adds up all records for all.timeEntries.filter(t, t.timesheetId == id).sum(t, t.minutes): the cost grows with the number of records; store the sum in a separate computed field of timesheet ("hidden" or not) and read that field; see the guide "Performance": /docs/guides/performance#cost-notes',
    );
    folder.remove();
  });

  it('prints every fault of every file, and nothing else', async () => {
    const folder = new Folder();
    const change = (name: string, from: string, to: string): void => {
      const file = join(folder.path, 'resources', name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    };
    change('client-tag.json', '"unique"', '"uniqe"');
    change('industry.json', '"maxLength": 255', '"maxLength": "x"');
    writeFileSync(join(folder.path, 'resources/broken.json'), '{ "title": ');
    expect(await folder.run('check')).toEqual({
      code: 1,
      stdout: '',
      stderr: `resources/broken.json:1:11 /: is not valid JSON: a value is missing here
    { "title":
              ^
resources/client-tag.json:17:5 /resource/uniqe: unknown keyword "uniqe"; did you mean "unique"?
    "uniqe": [["name"]]
    ^^^^^^^
resources/industry.json:7:46 /properties/name/maxLength: must be integer, found "x"
    "name": { "type": "string", "maxLength": "x", "filter": "exact", "description": "Name" },
                                             ^^^
3 faults in 3 files
`,
    });
    const [first, second] = (JSON.parse((await folder.run('check --json')).stdout) as { faults: object[] }).faults;
    const file = 'resources/broken.json';
    expect(first).toEqual({
      file,
      line: 1,
      column: 11,
      pointer: '',
      rule: 'not-json',
      message: 'is not valid JSON: a value is missing here',
      hint: null,
    });
    expect(second).toMatchObject({
      rule: 'unknown-keyword',
      message: 'unknown keyword "uniqe"',
      hint: 'did you mean "unique"?',
    });
    folder.remove();
  });
});

describe('praxis new', patience, () => {
  it('writes a descriptor that passes the check, once', async () => {
    const folder = new Folder();
    const before = await folder.print('check');
    const printed = await folder.print('new order-category');
    expect(printed).toMatch(/^resources\/order-category\.json\n\nNext:\n/);
    expect(printed).toContain('/api/order-categories\n');
    expect(await folder.print('check')).toBe(before.replace(/^\d+/, (count) => String(Number(count) + 1)));
    const file = join(folder.path, 'resources/order-category.json');
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ title: 'Order Category', description: 'An order category.' });
    expect(await folder.run('new order-category')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'resources/order-category.json already exists; nothing was changed.\n',
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
    folder.remove();
  });

  it.each(['booking', 'work-package', 'day', 'record', 'function'])(
    'writes an example for %s that passes the check where no other group is',
    async (name) => {
      const folder = new Folder();
      for (const file of readdirSync(join(folder.path, 'resources'))) rmSync(join(folder.path, 'resources', file));
      await folder.print(`new ${name} --example`);
      // The example finds overlapping periods with a scan, which has a cost note.
      expect(await folder.print('check')).toMatch(
        /^1 descriptors?, no faults\n(?:! \S+ scans all records for [^\n]*\n)?$/,
      );
      const text = readFileSync(join(folder.path, `resources/${name}.json`), 'utf8');
      expect(Object.keys(JSON.parse(text).properties)).toContain('daysOfParts');
      folder.remove();
    },
  );

  it('writes an example whose figures and conditions answer', async () => {
    const folder = new Folder({
      PORT: '0',
      DATABASE_URL: 'sqlite:example.sqlite',
      ACCESS_TOKEN: 'token-of-the-example-0001',
    });
    onTestFinished(() => folder.remove());
    await folder.print('new work-package --example');
    const service = folder.start('serve');
    const said = /http:\S+\/api\n/;
    await expect.poll(() => service.output.stdout, { timeout: 30_000 }).toMatch(said);
    const address = said.exec(service.output.stdout)?.[0].trim();
    const send = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${address}/work-packages${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: 'Bearer token-of-the-example-0001', 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const whole = await send('', { name: 'Fair', start: '2026-03-02', end: '2026-03-20' });
    expect(whole).toMatchObject({ days: 19, daysOfParts: 0, partOf: null });
    const part = { name: 'Stand', start: '2026-03-02', end: '2026-03-06', partOfId: whole['id'] };
    expect(await send('', part)).toMatchObject({ days: 5, partOf: { id: whole['id'], name: 'Fair' } });
    expect(await send(`/${whole['id']}`)).toMatchObject({ days: 19, daysOfParts: 5 });
    for (const [change, error] of [
      [{}, "'start' must be outside of the other work packages of Fair"],
      [{ start: '2026-02-20', end: '2026-03-01' }, "'start' must be on or after 2026-03-02"],
      [{ start: '2026-03-07' }, "'end' must be on or after 2026-03-07"],
      [{ start: '2026-03-07', end: '2026-03-21' }, "'end' must be on or before 2026-03-20"],
    ] as const)
      expect(await send('', { ...part, ...change })).toMatchObject({ status: 400, errors: [error] });
  });

  it.each(['Order', 'order_item', '../order', '-x', 'x'.repeat(49)])('refuses the name %s', async (name) => {
    const folder = new Folder();
    const { code, stdout, stderr } = await folder.run(`new -- ${name}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `The name of a group is singular, lower-case words joined by "-", at most 48 characters: 'client-tag', not '${name}'.\n`,
    );
    folder.remove();
  });
});

describe.concurrent('wrong usage and configuration', patience, () => {
  const folder = new Folder();
  afterAll(() => folder.remove());

  it.each(['srve', 'serve now', 'check --fast', 'token', 'token revoke', 'token make', ''])(
    'refuses the command line "%s" with status 1 and without output',
    async (line) => {
      const { code, stdout, stderr } = await folder.run(line);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/error: |Usage: praxis/);
      expect(stderr).not.toContain('    at ');
    },
  );

  const allowance = '--allow must be like read:client,invoice, create:area:Billing or may:metrics, not';
  const expiry = '--expires must be a day to come (2027-12-31) or a time from now (30d, 12h), not';
  it.each([
    ['an expiry in the past', 'token create --expires 2020-01-01', `${expiry} '2020-01-01'.`],
    ['no time at all', 'token create --expires 0d', `${expiry} '0d'.`],
    ['a day that is none', 'token create --expires 2027-02-30', `${expiry} '2027-02-30'.`],
    ['a long name', `token create --name ${'x'.repeat(256)}`, '--name must be a line of text, at most 255 characters.'],
    ['a limit without a group', 'token create --allow read', `${allowance} 'read': it is not of the form to:on.`],
    ['a limit to nothing', 'token create --allow read:', `${allowance} 'read:': it is not of the form to:on.`],
    [
      'a limit to an operation that there is not',
      'token create --allow raed:client',
      `${allowance} 'raed:client': there is no operation "raed"; did you mean "read"?`,
    ],
    [
      'a limit to a group that there is not',
      'token create --allow read:client,invioce',
      `${allowance} 'read:client,invioce': there is no "invioce"; did you mean "invoice"?`,
    ],
    [
      'a limit to what may not be named',
      'token create --allow may:client',
      `${allowance} 'may:client': there is no "client".`,
    ],
    [
      'a limit that mixes both',
      'token create --allow read,may:metrics',
      `${allowance} 'read,may:metrics': "may" must be the only word before the colon.`,
    ],
    [
      'a token that is none',
      'token revoke zzzz',
      "No token has the id or the last four characters 'zzzz'; see: praxis token list.",
    ],
    ['a file for a folder', 'types --out /dev/null', "Cannot open '/dev/null/types.ts': not a directory."],
    ['a file in a file', 'snapshot --out /dev/null/x/y', "Cannot write '/dev/null/x': not a directory."],
  ])('refuses %s', async (_what, line, message) => {
    expect(await folder.run(line)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  });

  it('says what makes the records of a group act, where none do', async () => {
    const { stderr } = await folder.run('token create --member 1', {
      RESOURCES: join(import.meta.dirname, '../domains/books'),
      DATABASE_URL: 'sqlite:a.sqlite',
    });
    expect(stderr).toBe(
      'No descriptor has a reference with "defaultFrom": "actingMember", so no records act; leave --member out.\n',
    );
  });

  const wrong: [name: string, value: string, part: string][] = [
    ['PORT', 'http', "PORT must be a whole number from 0 to 65535, not 'http'."],
    ['RESOURCES', 'nowhere', "RESOURCES must be a folder of descriptors; there is no folder 'nowhere'."],
    ['HOST', '192.0.2.1', 'this machine has no such address; set HOST'],
    ['DATABASE_URL', 'postgres://u:s3cret@h/d', "begins with 'postgres:'"],
    ['DATABASE_URL', 'sqlite:/dev/null/x.sqlite', "Cannot open the SQLite database '/dev/null/x.sqlite'"],
    ['DATABASE_URL', 'mysql://u:s3cret@127.0.0.1:1/d', 'No database server answers at 127.0.0.1:1'],
  ];
  for (const { serverUrl } of testDatabases) {
    if (serverUrl === undefined) continue;
    wrong.push(['DATABASE_URL', `${serverUrl}/nowhere`, "Unknown database 'nowhere'"]);
    wrong.push(['DATABASE_URL', `mysql://root:s3cret@${new URL(serverUrl).host}/mysql`, 'or the password']);
  }
  it.each(wrong)('stops at %s=%s with one line', async (name, value, part) => {
    const { code, stdout, stderr } = await folder.run('serve', { PORT: '0', [name]: value });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(part);
    expect(stderr).not.toContain('s3cret');
  });

  it('tells all wrong values at once', async () => {
    const { stderr } = await folder.run('check', { PORT: 'x', LOG_LEVEL: 'x', CORS_ORIGINS: '*' });
    expect(stderr.match(/^[A-Z_]+ must be .*$/gm)).toHaveLength(3);
  });
});

const file = { url: 'sqlite:data/workspace.sqlite', drop: async () => {} };
const databases = testDatabases
  .filter(({ isThere, isServer }) => isThere && isTurnOf({ isServer }))
  .map(({ name, isServer, open }) => [name, isServer ? () => open('praxis_cli') : async () => file] as const);

/** Standard output once the address is in it. */
async function welcomeOf({ output, ended }: Started): Promise<string> {
  const isOver = ended.then(({ stderr }) => Promise.reject(new Error(`ended before it listened: ${stderr}`)));
  const isListening = expect.poll(() => output.stdout, { timeout: 50_000 }).toContain('listens at');
  await Promise.race([isListening, isOver]);
  // The whole text is one write.
  return output.stdout;
}

async function serve(folder: Folder, env: Readonly<Record<string, string>> = {}) {
  const started = folder.start('serve', { PORT: '0', ...env });
  const welcome = await welcomeOf(started);
  const address = /^Praxis listens at (http:\/\/127\.0\.0\.1:\d+\/api)\n/.exec(welcome)?.[1] ?? '';
  const status = async (token: string, path = '/workspace-settings'): Promise<number> => {
    const response = await fetch(address + path, { headers: { Authorization: `Bearer ${token}` } });
    await response.text();
    return response.status;
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    started.child.kill(signal);
    return started.ended;
  };
  return { ...started, welcome, address, status, stop };
}

/** The messages of a log, but for what is said of a setting of the database server. */
const said = (log: string): unknown[] =>
  log
    .split('\n')
    .filter((line) => line !== '' && !line.includes('innodb_native_foreign_keys'))
    .map((line) => JSON.parse(line).msg);

describe.each(databases)('praxis on %s', patience, (_name, open) => {
  let folder: Folder;
  let drop: () => Promise<void>;
  let first = '';

  beforeAll(async () => {
    const database = await open();
    drop = database.drop;
    const setup = { ADMIN_NAME: 'Ada', ADMIN_EMAIL: 'ada@example.com' };
    folder = new Folder({ DATABASE_URL: database.url, ...setup });
  });
  afterAll(async () => {
    folder.remove();
    await drop();
  });

  it('serves: prints the address and, once, a token with a line that works', async () => {
    const service = await serve(folder);
    first = /: (praxis_[\w-]{43})\n/.exec(service.welcome)?.[1] ?? '';
    expect(service.welcome).toBe(`Praxis listens at ${service.address}
Its console, to look at the records: ${service.address.replace(/api$/, 'console')}
Its pages, for people: ${service.address.replace(/api$/, 'docs')}

Access token, shown this once: ${first}

  curl -H 'Authorization: Bearer ${first}' ${service.address}/workspace-settings

`);
    expect(await service.status(first)).toBe(200);
    expect(await service.status(`${first}x`)).toBe(401);
    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    expect(said(stderr)).toEqual(['started', 'request', 'request', 'stopping', 'stopped']);
    expect(stderr).not.toContain(first.slice(7));
  });

  it('serves again without another token, accepts that of the configuration, and stops at Ctrl-C', async () => {
    const service = await serve(folder, { ACCESS_TOKEN: 'canary-7f3a9c51e0b24d68a5', LOG_LEVEL: 'warn' });
    expect(service.welcome).toBe(
      `Praxis listens at ${service.address}\nIts console, to look at the records: ${service.address.replace(/api$/, 'console')}\nIts pages, for people: ${service.address.replace(/api$/, 'docs')}\n`,
    );
    expect(await service.status('canary-7f3a9c51e0b24d68a5')).toBe(200);
    expect(await service.status(first)).toBe(200);
    // As npm does: once from the terminal, once passed on.
    service.child.kill('SIGINT');
    const { code, stderr } = await service.stop('SIGINT');
    expect([code, said(stderr)]).toEqual([0, []]);
  });

  it('ends at once at a second signal', async () => {
    const service = await serve(folder);
    const { hostname, port } = new URL(service.address);
    const slow = connect(Number(port), hostname).on('error', () => {});
    slow.write(`POST /api/clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${first}\r\n`);
    slow.write('Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{');
    // It is being read.
    await once(slow, 'data');
    service.child.kill('SIGTERM');
    await delay(700);
    expect(service.child.exitCode).toBeNull();
    // By the signal: whoever waits for the end of the request ends with 0.
    expect(await service.stop()).toMatchObject({ code: 143 });
    slow.destroy();
  });

  it('makes, lists and revokes tokens, which a running process follows within 5 seconds', async () => {
    const service = await serve(folder);
    const token = (await folder.print('token create --name laptop --expires 30d')).trim();
    expect(token).toMatch(/^praxis_[\w-]{43}$/);
    await expect.poll(() => service.status(token), { timeout: 5000, interval: 100 }).toBe(200);

    const lines = (await folder.print('token list')).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id +ends +state +created +expires +member +roles +limits +name$/);
    const [id = '', ends, state, , expires = '', member, roles, limits, name] = lines[2]?.split(/ {2,}/) ?? [];
    expect(id).toMatch(uuid);
    expect({ ends, state, member, roles, limits, name }).toEqual({
      ends: token.slice(-4),
      state: 'active',
      member: 'nobody',
      roles: 'all',
      limits: 'none',
      name: 'laptop',
    });
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);

    expect(await folder.print(`token revoke ${id}`)).toBe(`${id}  ${ends}  revoked  laptop\n`);
    await expect.poll(() => service.status(token), { timeout: 5000, interval: 100 }).toBe(401);
    expect(await service.status(first)).toBe(200);
    expect(await folder.print(`token revoke ${id}`)).toBe(`${id}  ${ends}  was already revoked  laptop\n`);
    expect((await folder.print('token list')).split('\n')[2]).toContain('  revoked  ');
    expect(await service.stop()).toMatchObject({ code: 0 });
  });

  it('makes tokens with limits, says what that makes of bodies, and lists them', async () => {
    const made = await folder.run(
      'token create --name scribe --allow create:invoice --allow update:client --read-only',
    );
    expect(made.stderr).not.toContain('It may write');
    const blind = await folder.run('token create --name blind --allow create:invoice --allow update:client');
    expect(blind.stderr).toContain(
      'It may write invoice, client but read no group, so bodies cannot refer to records, and responses contain only the id.\n',
    );
    const seeing = await folder.run('token create --name seeing --allow read:client --allow create:invoice --json');
    expect(JSON.parse(seeing.stdout)).toMatchObject({
      limits: { readOnly: false, allow: ['read:client', 'create:invoice'] },
    });
    const lines = (await folder.print('token list')).split('\n').map((line) => line.split(/ {2,}/).slice(-2));
    expect(lines).toContainEqual(['read-only create:invoice update:client', 'scribe']);
    expect(lines).toContainEqual(['read:client create:invoice', 'seeing']);
  });

  it('makes tokens for a member that there is, and for no other', async () => {
    const service = await serve(folder);
    const response = await fetch(`${service.address}/members`, { headers: { Authorization: `Bearer ${first}` } });
    const { results } = (await response.json()) as { results: { id: string }[] };
    const id = results[0]?.id ?? '';
    await folder.print(`token create --member ${id.toUpperCase()}`);
    expect(await folder.print('token list')).toMatch(new RegExp(` never +${id}  the member's  none +token\n`));
    const other = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(await folder.run(`token create --member ${other}`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no Member with the id '${other}'.\n`,
    });
    expect(await folder.run('token create --member ada')).toMatchObject({
      code: 1,
      stderr: "--member must be the id of a Member, not 'ada'.\n",
    });
  });

  it('turns features off and on, which a running process follows within 5 seconds', async () => {
    const service = await serve(folder);
    expect(await folder.print('feature disable pipeline')).toBe('off  pipeline  (Pipeline)\n');
    await expect.poll(() => service.status(first, '/contacts'), { timeout: 5000, interval: 100 }).toBe(403);
    expect(await folder.print('feature list')).toContain('off  pipeline  (Pipeline)\n');
    expect(await folder.print('feature enable pipeline')).toBe('on   pipeline  (Pipeline)\n');
    await expect.poll(() => service.status(first, '/contacts'), { timeout: 5000, interval: 100 }).toBe(200);
    expect(await folder.run('feature enable nothing')).toMatchObject({ code: 1, stdout: '' });
  });

  it('has help that shows no values of the code', async () => {
    const help = await folder.print('migrate generate --help');
    expect(help).toContain('--fill <group.field=formula>');
    expect(help).not.toMatch(/\[\]|undefined|null/);
  });

  it('prints the document that the service answers with', async () => {
    const service = await serve(folder);
    const response = await fetch(service.address.replace(/api$/, 'openapi.json'));
    const served: unknown = await response.json();
    expect(JSON.parse(await folder.print('openapi'))).toEqual(served);
  });
});

describe('tokens that would be lost', patience, () => {
  it('makes none in memory', async () => {
    const folder = new Folder({ DATABASE_URL: 'sqlite::memory:' });
    expect(await folder.run('token create')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Tokens in sqlite::memory: would end with this command; set DATABASE_URL or ACCESS_TOKEN.\n',
    });
    folder.remove();
  });

  it('makes one before the first start, which then makes no other', async () => {
    const folder = new Folder();
    const token = (await folder.print('token create')).trim();
    const service = await serve(folder);
    expect(service.welcome).not.toContain('praxis_');
    expect(await service.status(token)).toBe(200);
    folder.remove();
  });

  it('shows the first token at the first start that listens', async () => {
    const folder = new Folder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const failed = await folder.run('serve', { PORT: String(port) });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^[^\n]*another program uses this port[^\n]*\n$/);
    other.close();
    const service = await serve(folder);
    expect(service.welcome).toContain('Access token, shown this once: praxis_');
    folder.remove();
  });
});
