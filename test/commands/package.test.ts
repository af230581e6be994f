// The package as others get it: packed, installed in a project outside of this one, run by a Node without our tools.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packInto } from '../support/commands/packed.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
let folder: string;
let packed: Awaited<ReturnType<typeof packInto>>;

/** Nothing of this project's tools is on the path: only the Node that runs, and npm beside the system's own. */
const env = { HOME: process.env.HOME, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };

const node = (...args: string[]) => run(process.execPath, args, { cwd: folder, env });
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'praxis-package-'));
  packed = await packInto(folder);
  write('package.json', JSON.stringify({ name: 'outside', private: true, type: 'module' }));
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`];
  await run('npm', install, { cwd: folder });
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('holds JavaScript, declarations and descriptors, and nothing of the workshop', () => {
  const names = packed.files.map(({ path }) => path);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['dist/library.js', 'dist/src/library.js', 'dist/src/library.d.ts', 'dist/praxis.cjs'],
      ...['resources/client.json', 'migrations/0001_initial.jsonc'],
    ]),
  );
  // The console is built; what it is built of stays here.
  for (const built of [/^dist\/src\/console\/built\/main-\w+\.js$/, /^dist\/src\/console\/built\/console-\w+\.css$/])
    expect(names.filter((name) => built.test(name))).toHaveLength(1);
  expect(names.filter((name) => name.startsWith('dist/src/console/app/'))).toEqual([]);
  // Guides are read as files too: the README leads to them.
  expect(names).toContain('src/pages/guides/backup.md');
  const isShared = (name: string): boolean => /^src\/values\/(?:json|scaled)/.test(name);
  expect(
    names.filter((name) => /^(?:test|src(?!\/pages\/guides\/.+\.md$)|node_modules)\//.test(name) && !isShared(name)),
  ).toEqual([]);
  // What `praxis types` puts into clients, and the importer beside them, is source.
  const importer = readdirSync(join(root, 'codegen/import')).map((name) => `codegen/import/${name}`);
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  // The others are what commands write for their users.
  expect(sources.filter((name) => !/^dist\/(?:init|new-rule)\//.test(name))).toEqual([
    'codegen/client.ts',
    ...importer.toSorted(),
    ...['src/values/json-limits.ts', 'src/values/json-text.ts', 'src/values/json.ts'],
    ...['src/values/json/escapes.ts', 'src/values/json/refused-json.ts', 'src/values/json/sources.ts'],
    'src/values/scaled.ts',
  ]);
  expect(readdirSync(root)).not.toContain(packed.filename);
});

test('the Node of the scripts comes with the checkout, without tools too, and not with the package', async () => {
  const list = ['ls', 'node', '--package-lock-only', '--omit=dev', '--json'];
  expect((await run('npm', list, { cwd: root })).stdout).toContain(`"version": "${process.versions.node}"`);
  expect(readdirSync(join(folder, 'node_modules/.bin'))).not.toContain('node');
});

const application = `
import { createPraxis, loadRegistry, openDatabase, rulesWith, type Rule } from 'praxis';

const shout: Rule = {
  parameters: { field: 'field' },
  check: ({ use, values, refuse }) => {
    const key = String(use.arguments.field);
    if (values[key] !== String(values[key]).toUpperCase()) refuse(key, 'must be loud');
  },
};
const rules = rulesWith({ shout });
const registry = loadRegistry('resources', rules);
const praxis = await createPraxis({
  registry,
  database: await openDatabase('sqlite::memory:'),
  rules,
  accessToken: 'token-of-the-outside-1',
});
const server = praxis.app.listen(0, '127.0.0.1', async () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const say = async (name: string): Promise<unknown> => {
    const answer = await fetch(\`http://127.0.0.1:\${address.port}/api/cries\`, {
      method: 'POST',
      headers: { Authorization: 'Bearer token-of-the-outside-1', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return answer.json();
  };
  const look = async (path: string): Promise<string> =>
    (await fetch(\`http://127.0.0.1:\${address.port}\${path}\`)).text();
  const files = [...(await look('/docs')).matchAll(/"(\\/docs\\/files\\/[^"]+)"/g)].map(([, path = '']) => path);
  const sizes = await Promise.all(files.map(async (path) => (await look(path)).length));
  const page = (await look('/docs/groups/cry')).includes('<code>shout</code>');
  const guide = (await look('/docs/guides/backup')).includes('<h1>Backups</h1>');
  console.log(JSON.stringify([await say('HO'), await say('hum'), { page, guide, smallest: Math.min(...sizes) }]));
  server.close();
  await praxis.close();
});
`;

const cry = {
  $schema: '../node_modules/praxis/dist/src/registry/dialect.json',
  title: 'Cry',
  description: 'Something said aloud.',
  type: 'object',
  properties: { name: { type: 'string', maxLength: 40, description: 'Name' }, createdAt: true },
  required: ['name'],
  resource: {
    path: '/cries',
    shownAs: '{name}',
    operations: ['list', 'create'],
    rules: [{ use: 'shout', field: 'name' }],
  },
};

test('an application embeds the engine, with types', async () => {
  write('resources/cry.json', JSON.stringify(cry));
  write('source/application.ts', application);
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2024',
        module: 'nodenext',
        rootDir: 'source',
        outDir: 'built',
        types: ['node'],
      },
      include: ['source'],
    }),
  );
  const compiled = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  const { stdout } = await node('built/application.js');
  const [made, refused, seen] = JSON.parse(stdout) as Record<string, unknown>[];
  expect(made).toMatchObject({ name: 'HO' });
  expect(refused).toMatchObject({ status: 400, errors: ["'name' must be loud"] });
  // The pages come along, with their files; a problem would be shorter. A rule that says nothing stands there by its name.
  expect(seen).toMatchObject({ page: true, guide: true });
  expect(seen?.['smallest']).toBeGreaterThan(200);
}, 60_000);

test('a wrong use of the types does not compile', () => {
  write('wrong/wrong.ts', `import { createPraxis } from 'praxis';\nawait createPraxis({ registry: 'resources' });\n`);
  write(
    'wrong/tsconfig.json',
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions: { rootDir: '.', noEmit: true }, include: ['.'] }),
  );
  const compiled = spawnSync(process.execPath, [compiler, '-p', 'wrong'], { cwd: folder, encoding: 'utf8' });
  expect(compiled.stdout).toMatch(/wrong\.ts\(2,/);
});

test('the client of the workspace comes along, with types', async () => {
  const source = `import { type ClientCreate, createClient } from 'praxis/client';
const body: ClientCreate = { name: 'Acme' };
const fetch = async (url: string, init: RequestInit) => Response.json({ url, body: init.body });
console.log(JSON.stringify(await createClient({ baseUrl: 'http://x/api', fetch }).clients.create(body)));
`;
  write('source/application.ts', source);
  const compiled = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  const { stdout } = await node('built/application.js');
  expect(JSON.parse(stdout)).toEqual({ url: 'http://x/api/clients', body: '{"name":"Acme"}' });
}, 60_000);

test('a client of other descriptors is generated by the package', async () => {
  write('resources/cry.json', JSON.stringify({ ...cry, resource: { ...cry.resource, rules: [] } }));
  await node('node_modules/praxis/dist/praxis.cjs', 'types', '--out', 'source/cries');
  write('source/application.ts', "export { type Cry, createClient } from './cries/client.js';\n");
  const compiled = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  write(
    'built/use.js',
    `import { createClient } from './application.js';
console.log(Object.keys(createClient({ baseUrl: 'http://x/api' }).cries).join());`,
  );
  expect((await node('built/use.js')).stdout).toBe('summary,list,all,create\n');
}, 60_000);

test('the command runs from the package', async () => {
  const command = join(folder, 'node_modules/.bin/praxis');
  const checked = await run(process.execPath, [command, 'check'], {
    cwd: folder,
    env: { ...env, RESOURCES: 'node_modules/praxis/resources' },
  });
  expect(checked.stdout).toMatch(/^\d+ descriptors, no faults\n(?:! .+\n)*$/);
  expect(checked.stderr).toBe('');
});

test('another Node than it needs is told so in one line, by the command and by all that imports it', async () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  // The Node that runs, under the number of another: nothing behind the question may matter.
  write('older.cjs', "Object.defineProperty(process.versions, 'node', { value: process.env.NODE_NUMBER });");
  const runs = [[join(folder, 'node_modules/.bin/praxis'), 'check'], ['import.mjs'], ['require.cjs']];
  write('import.mjs', "import { loadRegistry } from 'praxis';\nconsole.log(typeof loadRegistry);");
  write('require.cjs', "console.log(typeof require('praxis').loadRegistry);");
  const as = (number: string, args: readonly string[]) => {
    const more = { NODE_NUMBER: number, RESOURCES: 'node_modules/praxis/resources' };
    const options = { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, ['--require', './older.cjs', ...args], options);
  };
  const needed = engines.node.slice('>='.length);
  const refusalOf = (number: string): string =>
    `Praxis needs Node.js ${needed} or later; this is ${number}. Run one command with "npx -p node@24 praxis", or change Node with a version manager: "nvm install 24", "fnm use 24", "volta install node@24".\n`;
  // The first command that anybody runs; it would write a project.
  expect(as('20.19.1', [join(folder, 'node_modules/.bin/praxis'), 'init', 'never'])).toMatchObject({
    status: 1,
    stderr: refusalOf('20.19.1'),
  });
  expect(readdirSync(folder)).not.toContain('never');
  for (const args of runs) {
    for (const number of ['8.17.0', '20.19.1', '24.3.9'])
      expect(as(number, args)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: refusalOf(number),
      });
    for (const number of [`${needed}.0`, '24.10.1', '26.0.0'])
      expect(as(number, args)).toMatchObject({ status: 0, stderr: '' });
  }
}, 120_000);

test('the whole workspace is served from the package, with its migrations', async () => {
  const command = join(folder, 'node_modules/.bin/praxis');
  const workspace = {
    ...env,
    RESOURCES: 'node_modules/praxis/resources',
    MIGRATIONS: 'node_modules/praxis/migrations',
    DATABASE_URL: 'sqlite:workspace.sqlite',
  };
  const child = execFile(process.execPath, [command, 'serve'], { cwd: folder, env: { ...workspace, PORT: '0' } });
  const ended = once(child, 'exit');
  try {
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += String(chunk);
      if (output.includes('/api') && output.includes('praxis_')) break;
    }
    const [, base] = /(http:\/\/[^\s]+)\/api/.exec(output) ?? [];
    const [token] = /praxis_[\w-]+/.exec(output) ?? [];
    const answer = await fetch(`${base}/api/clients`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ results: [{ name: 'My Company' }], hasMore: false });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  const told = await run(process.execPath, [command, 'migrate', 'status', '--check'], { cwd: folder, env: workspace });
  expect(told.stdout).toContain('Descriptors, migrations and database agree.');
}, 60_000);
