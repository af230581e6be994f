// Every command that stands in the README or in a guide is run: here, word for word but for addresses, names and what `instead` says, or by the
// tests that are named here; those in the midst of a sentence are looked up, with their options.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allBlocks, allText, type Block } from '../support/browser/guides.ts';
import { describeOnServers } from '../support/databases/databases.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const scripts = allBlocks.filter(({ kind }) => kind === 'sh' || kind === 'console');

/** Parts whose commands are run here: the text, and the heading. */
const here: readonly string[] = [
  'README: Start',
  'README: First calls',
  'api: Authentication',
  'tokens: Limits',
  'demo: Sample data',
  'errors: Problem documents (error codes for programs)',
  'computed-fields: Explain and verify values',
  'databases: MySQL, MariaDB, TiDB',
  'backup: SQLite',
  'backup: A database server',
  'safe-writes: Optimistic locking',
];

/** Parts whose commands other tests run, by the file that does. */
const elsewhere: Readonly<Record<string, string>> = {
  'README: A project of your own': 'test/commands/own-project.test.ts',
  'README: A computed field and a condition': 'test/commands/own-project.test.ts',
  'project: Create a project': 'test/commands/own-project.test.ts',
  'project: Create a project from the package': 'test/commands/own-project.test.ts',
  'descriptors: A first descriptor': 'test/pages/walkthrough.test.ts',
  'descriptors: Check it': 'test/pages/walkthrough.test.ts',
  'descriptors: Call it': 'test/pages/walkthrough.test.ts',
  'descriptors: A computed field and a condition': 'test/pages/walkthrough.test.ts',
  'client: Generate types and a client': 'test/pages/walkthrough.test.ts',
  'migrations: Change a descriptor': 'test/pages/walkthrough.test.ts',
  'migrations: Add a field': 'test/pages/walkthrough.test.ts',
  'migrations: Rename a field or group': 'test/pages/walkthrough.test.ts',
  'migrations: Fill values': 'test/pages/walkthrough.test.ts',
  'migrations: Tighten a limit': 'test/pages/walkthrough.test.ts',
  'migrations: Remove a field': 'test/pages/walkthrough.test.ts',
  'tutorial: 1. Set up a folder': 'test/pages/courses.test.ts',
  'tutorial: 2. Books and readers': 'test/pages/courses.test.ts',
  'tutorial: 3. Loans': 'test/pages/courses.test.ts',
  'tutorial: 4. A limit': 'test/pages/courses.test.ts',
  'tutorial: 5. Fines': 'test/pages/courses.test.ts',
  'tutorial: 6. Reservations': 'test/pages/courses.test.ts',
  'recipes: Limit the number of records': 'test/pages/courses.test.ts',
  'recipes: Keep a queue': 'test/pages/courses.test.ts',
  'recipes: Make a report by month': 'test/pages/courses.test.ts',
  'recipes: Keep a history': 'test/pages/courses.test.ts',
  'recipes: Soft delete': 'test/pages/courses.test.ts',
  'recipes: Approve and lock': 'test/pages/courses.test.ts',
  'recipes: Many to many': 'test/pages/courses.test.ts',
  'recipes: Number records': 'test/pages/courses.test.ts',
  'recipes: Split a field': 'test/pages/courses.test.ts',
  'data: Expand references': 'test/data/guide.test.ts',
  'data: Select fields': 'test/data/guide.test.ts',
  'data: Upsert by a unique key': 'test/data/guide.test.ts',
  'data: Summaries': 'test/data/guide.test.ts',
  'data: Summaries in a terminal': 'test/data/guide.test.ts',
  'data: Export': 'test/data/guide.test.ts',
  'data: Exports in a terminal': 'test/data/guide.test.ts',
  'data: Import': 'test/data/guide.test.ts',
  'data: A workspace from an export': 'test/data/guide.test.ts',
  'data: Deleted records from a backup': 'test/data/guide.test.ts',
  'data-recipes: Hours by client and month': 'test/data/recipes.test.ts',
  'data-recipes: Open amounts by currency': 'test/data/recipes.test.ts',
  'data-recipes: A page with all its data in one request': 'test/data/recipes.test.ts',
  'data-recipes: Move from another tool': 'test/data/recipes.test.ts',
  'data-recipes: Sync with another system': 'test/data/recipes.test.ts',
  'data-recipes: Export every night': 'test/data/recipes.test.ts',
  'sign-in: Passwords': 'test/people/member-commands.test.ts',
  'demo: With roles': 'test/commands/demo-roles.test.ts',
  'contributing: Development': '.ci/run',
  'contributing: MySQL': '.ci/run',
  'upgrade: Renamed keywords': 'test/migration/upgrade/old-keywords.test.ts',
};

/** What takes hours, or servers of one's own: benchmarks, the oracle beyond its sample, a group of servers. */
const byHand = /^npm run (bench|oracle)\b|MYSQL_GROUP\b|^test\/support\/mysql\/group\.sh /;

/** What stands for a command that a test cannot run as it is: it has no network, and a minute only. */
const instead: readonly (readonly [RegExp, string])[] = [
  // The fresh checkout of `.ci/run` installs; here all is installed.
  [/^npm ci && /m, ''],
  [/-- demo$/m, '-- demo --months 2'],
];

const folder = mkdtempSync(join(tmpdir(), 'praxis-commands-'));
const services: ReturnType<typeof spawn>[] = [];
const databases: { drop(): Promise<void> }[] = [];

beforeAll(() => {
  for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  for (const name of ['resources', 'migrations']) cpSync(join(root, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'backups'));
});

afterAll(async () => {
  await stop();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  for (const child of services.splice(0)) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

interface Service {
  /** `http://127.0.0.1:40123` */
  readonly base: string;
  /** Told at the first start alone. */
  readonly token: string | undefined;
}

/** `npm start` with what a script has set before it, until it tells where it listens. */
async function startService(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const child = spawn('node', ['src/cli.ts', 'serve'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  services.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const base = /http:\/\/[^\s]+(?=\/api)/.exec(output)?.[0];
    if (base !== undefined && output.includes('pages, for people'))
      return { base, token: /praxis_[\w-]{20,}/.exec(output)?.[0] };
  }
  throw new Error(`the service ended: ${output}`);
}

const placeOf = ({ guide, part }: Pick<Block, 'guide' | 'part'>): string => `${guide}: ${part}`;

/** The commands of a part, with what stands instead. */
function commandsOf(place: string, words: readonly (readonly [RegExp | string, string])[] = []): string[] {
  const text = scripts.filter((block) => placeOf(block) === place).map((block) => block.text);
  return [...instead, ...words]
    .reduce(
      (all, [from, to]) => all.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to),
      text.join('\n'),
    )
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/ # .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Runs a line of a script; curl fails for a refusal. @returns What it prints. */
async function runLine(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const prelude = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }; ';
  const { stdout } = await run('bash', ['-c', prelude + line], { cwd: folder, env: { ...process.env, ...env } });
  return stdout;
}

/** The settings before a start: `DATABASE_URL=… npm start`. @returns undefined where the line starts nothing. */
function settingsOfStart(line: string): Record<string, string> | undefined {
  const [, before] = /^((?:\w+=\S+ )*)npm start$/.exec(line) ?? [];
  return before === undefined
    ? undefined
    : Object.fromEntries([...before.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

/** Runs a script line by line; a start goes on until the next one. @returns the last service that was started */
async function runScript(lines: readonly string[]): Promise<Service | undefined> {
  let service: Service | undefined;
  for (const line of lines) {
    const settings = settingsOfStart(line);
    if (settings === undefined) await runLine(line);
    else {
      await stop();
      service = await startService(settings);
    }
  }
  return service;
}

/** Set by the first of these tests. */
let token = '';

test('the first commands start it, and the first calls are answered', { timeout: 60_000 }, async () => {
  const started = await runScript(commandsOf('README: Start'));
  expect(started).toMatchObject({ token: expect.stringMatching(/^praxis_/) });
  token = started?.token ?? '';
  expect(commandsOf('api: Authentication')).toEqual(commandsOf('README: First calls'));
  const [setToken = '', ...calls] = commandsOf('README: First calls', [['http://127.0.0.1:3000', started?.base ?? '']]);
  expect(setToken).toMatch(/^export TOKEN=praxis_/);
  const answers = [];
  for (const call of calls) answers.push(JSON.parse(await runLine(call, { TOKEN: token })));
  expect(answers).toMatchObject([
    { hasMore: false },
    { name: 'Acme' },
    { results: [{ name: 'Acme' }], hasMore: false },
  ]);
});

test('tokens with limits are made, and kept to them', { timeout: 60_000 }, async () => {
  const { base } = await startService();
  const tokens: string[] = [];
  for (const line of commandsOf('tokens: Limits'))
    tokens.push(await runLine(line.replace('npm run', 'npm run --silent')));
  const [dashboard = '', , prometheus = ''] = tokens.map((text) => text.trim());
  const ask = (given: string, path: string): Promise<string> =>
    runLine(`command curl --silent -H "Authorization: Bearer ${given}" ${base}${path}`);
  expect(JSON.parse(await ask(dashboard, '/api/clients?limit=1'))).toMatchObject({ hasMore: expect.any(Boolean) });
  expect(JSON.parse(await ask(dashboard, '/api/clients -X POST'))).toMatchObject({
    message: "The access token does not allow 'create' of 'Client'.",
  });
  expect(await ask(prometheus, '/metrics')).toContain('praxis_');
  expect(JSON.parse(await ask(prometheus, '/api/clients'))).toMatchObject({ status: 403 });
});

test('the calls of safe writes are answered as they say', { timeout: 60_000 }, async () => {
  const { base } = await startService();
  const place = 'safe-writes: Optimistic locking';
  const printed = /"0-\w+"/.exec(allText)?.[0] ?? '';
  const [read = '', write = ''] = commandsOf(place, [['http://127.0.0.1:3000', base]]);
  const tag = /^etag: (.*)$/im.exec(await runLine(read, { TOKEN: token }))?.[1]?.trim() ?? '';
  expect(tag).toMatch(/^"0-[\w-]+"$/);
  expect(JSON.parse(await runLine(write.replace(printed, tag), { TOKEN: token }))).toMatchObject({
    name: 'Acme Consulting',
  });
  // The tag is of a version that is gone.
  await expect(runLine(write.replace(printed, tag), { TOKEN: token })).rejects.toMatchObject({
    stdout: expect.stringContaining('The record has changed since it was read.'),
  });
});

test('a problem document is the one that the guide on errors prints', { timeout: 60_000 }, async () => {
  const { base } = await startService();
  const place = 'errors: Problem documents (error codes for programs)';
  const [call = ''] = commandsOf(place, [['http://127.0.0.1:3000', base]]);
  const printed = allBlocks.find((block) => block.kind === 'json' && placeOf(block) === place)?.text ?? '';
  // Not the function that `runLine` puts in place of curl, because it fails if the answer is an error.
  expect(JSON.parse(await runLine(`command ${call} --silent`, { TOKEN: token }))).toEqual(JSON.parse(printed));
});

test('the demo is made and served, and its computed fields explain themselves', { timeout: 240_000 }, async () => {
  const lines = commandsOf('demo: Sample data');
  const service = await runScript(lines);
  const DATABASE_URL = /DATABASE_URL=(\S+)/.exec(lines[0] ?? '')?.[1] ?? '';
  const invoices = await runLine(`curl -H "Authorization: Bearer ${service?.token}" ${service?.base}/api/invoices`);
  const id = String(JSON.parse(invoices).results[0].id);
  const commands = commandsOf('computed-fields: Explain and verify values', [['<id>', id]]);
  const printed: string[] = [];
  for (const line of commands) printed.push(await runLine(line, { DATABASE_URL }));
  const [explained, ofRecord, verified, repaired] = printed;
  expect(explained).toContain('amountDue');
  expect(ofRecord).toContain(id);
  expect(verified).toContain('no differences');
  expect(repaired).toContain('no differences');
});

test('a backup is made while it serves, and restored', { timeout: 60_000 }, async () => {
  await startService();
  const [copy = '', ...restore] = commandsOf('backup: SQLite').filter((line) => line !== 'npm start');
  await runLine(copy);
  expect(existsSync(join(folder, 'backups/monday.sqlite'))).toBe(true);
  await stop();
  for (const line of restore) await runLine(line);
  const { base } = await startService();
  expect(await runLine(`curl -H "Authorization: Bearer ${token}" ${base}/api/workspace-settings`)).toContain(
    'Acme Consulting',
  );
});

describeOnServers('a server', ({ open }) => {
  test('is pointed to, copied and restored with its own tools', { timeout: 120_000 }, async () => {
    const first = await open('praxis_readme');
    const second = await open('praxis_readme_restored');
    databases.push(first, second);
    const { hostname, port, username, password } = new URL(first.url);
    const login = `--host=${hostname} --port=${port} --user=${username}${password === '' ? '' : ` --password=${password}`}`;
    const nameOf = (url: string): string => new URL(url).pathname.slice(1);
    const words = [
      ['mysql://user:password@127.0.0.1:3306/praxis_restored', second.url],
      ['mysql://user:password@127.0.0.1:3306/praxis', first.url],
      ['create database praxis_restored', `create database if not exists ${nameOf(second.url)}`],
      ['create database praxis"', `create database if not exists ${nameOf(first.url)}"`],
      [/^mysql praxis_restored/, `mysql ${nameOf(second.url)}`],
      [/--hex-blob praxis /, `--hex-blob ${nameOf(first.url)} `],
      [/^(mysql|mysqldump) /, `$1 ${login} `],
    ] as const;
    const started = await runScript(commandsOf('databases: MySQL, MariaDB, TiDB', words));
    expect(started?.token).toMatch(/^praxis_/);
    const restored = await runScript(commandsOf('backup: A database server', words));
    // The tokens of the first are part of the copy.
    const clients = `curl -H "Authorization: Bearer ${started?.token}" ${restored?.base}/api/clients`;
    expect(JSON.parse(await runLine(clients))).toMatchObject({ results: [{ name: 'My Company' }] });
  });
});

test('no command is left to itself', () => {
  const places = [...new Set(scripts.map(placeOf))];
  expect(places.filter((place) => !here.includes(place) && elsewhere[place] === undefined)).toEqual([]);
  for (const place of [...here, ...Object.keys(elsewhere)])
    expect(places, `${place} has no commands any more`).toContain(place);
});

test('what other files are said to run, they run', () => {
  for (const [place, file] of Object.entries(elsewhere)) {
    const text = readFileSync(join(root, file), 'utf8');
    // Those that read them from here.
    if (file.endsWith('.test.ts')) {
      const [guide, part] = place.split(': ');
      // Some do all that a guide says.
      expect(
        [`'${part}'`, `blocksIn('${guide}')`].some((words) => text.includes(words)),
        place,
      ).toBe(true);
      continue;
    }
    for (const line of commandsOf(place).filter((command) => !byHand.test(command))) {
      expect(text, `${file} is to run "${line}"`).toContain(line);
    }
  }
});

/** Commands in code spans and in blocks: the words behind `npm run <script> --` or `npx praxis`. */
function said(start: RegExp): string[] {
  const spans = [...allText.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  const lines = scripts.flatMap(({ text }) => text.split('\n'));
  return [...spans, ...lines].flatMap((text) => {
    const found = start.exec(text);
    return found === null
      ? []
      : [
          text
            .slice(found.index + found[0].length)
            .replace(/\s+#.*$/, '')
            .replace(/ \| .*$/, ''),
        ];
  });
}

test('every command of praxis that is named is there, with its options', { timeout: 120_000 }, async () => {
  const named = said(/(?:npm run praxis --|npx praxis) /);
  expect(named.length).toBeGreaterThan(20);
  const wrong: string[] = [];
  const helps = new Map<string, Promise<string>>();
  const helpOf = (words: readonly string[]): Promise<string> => {
    const key = words.join(' ');
    const known =
      helps.get(key) ?? run('node', ['src/cli.ts', ...words, '--help'], { cwd: root }).then(({ stdout }) => stdout);
    helps.set(key, known);
    return known;
  };
  for (const text of named) {
    const words = text.split(' ');
    const [command = ''] = words;
    if (!/^[a-z]+$/.test(command)) continue;
    const groups = /^(?:migrate|token|feature)$/.test(command) && /^[a-z]+$/.test(words[1] ?? '');
    const help = await helpOf(words.slice(0, groups ? 2 : 1)).catch(() => '');
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
    // Of a command that does not exist, the general help is shown.
    const isThere = help.includes(`Usage: praxis ${words.slice(0, groups ? 2 : 1).join(' ')}`);
    if (!isThere || options.some((option) => !help.includes(option))) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test('every option of the benchmark, every script and every test file that is named is there', () => {
  const bench = readFileSync(join(root, 'test/bench/bench.ts'), 'utf8');
  const options = said(/npm run bench -- /).flatMap((text) => text.split(' ').filter((word) => word.startsWith('--')));
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter((option) => !new RegExp(`^ {4}${option.slice(2)}: \\{`, 'm').test(bench))).toEqual([]);
  const known = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const used = [...allText.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(used.filter((name) => known.scripts[name] === undefined)).toEqual([]);
  const files = [...allText.matchAll(/\btest\/[\w/-]+\.test\.ts/g)].map(([file]) => file);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
