// A project of one's own, from the packed package to a service, outside of this one: as the README, the guide and its own README say,
// command by command.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blocksOf, textOf } from '../support/browser/guides.ts';
import { packInto } from '../support/commands/packed.ts';
import { databases } from '../support/databases/databases.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

const run = promisify(execFile);
/** Nothing of this project's tools is on the path: only the Node that runs, and npm beside the system's own. */
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  LOG_LEVEL: 'silent',
  npm_config_prefer_offline: 'true',
  // What the user's own settings of npm are warned about is no answer of ours.
  npm_config_loglevel: 'error',
};
const folder = mkdtempSync(join(tmpdir(), 'praxis-own-'));
const work = join(folder, 'work');
const made = join(work, 'my-service');

const shell = async (command: string, cwd: string, more: Record<string, string> = {}): Promise<string> =>
  (await run('bash', ['-c', command], { cwd, env: { ...env, ...more } })).stdout;
const failure = async (command: string, cwd: string): Promise<string> =>
  shell(command, cwd).then(
    () => 'none',
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  );

const root = join(import.meta.dirname, '../..');
const linesOf = (guide: string, part: string): readonly string[] =>
  (blocksOf(guide, part)[0]?.text ?? '').split('\n').filter((line) => line !== '');
/** Commands of the guide that make a project from the package and start it. */
const making = linesOf('project', 'Create a project from the package');

beforeAll(async () => {
  expect(making).toEqual([
    ...['mkdir ../work', 'npm pack --pack-destination ../work', 'cd ../work && npm init --yes'],
    ...['npm install ./praxis-0.1.0.tgz', 'npx praxis init my-service', 'cd my-service', 'npm install'],
    ...['npm test', 'npm start'],
  ]);
  // The commands work in a checkout of any name.
  const checkout = join(folder, 'a-checkout');
  mkdirSync(checkout);
  const [makeFolder = '', , initFolder = '', install = ''] = making;
  await shell(makeFolder, checkout);
  // Several tests share one package: the checkout holds the build of one `npm pack` at a time.
  await packInto(work);
  await shell(initFolder, checkout);
  await shell(install, work);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('init writes a project that stands by itself, and says what comes next', async () => {
  const said = await shell(String(making[4]), work);
  expect(said).toMatch(/^my-service: a service of 2 groups/);
  expect(said).toContain('Next:\n  cd my-service\n  npm install\n  npm start\n');
  const files = ['.gitignore', '.praxis', 'README.md', 'migrations', 'package.json', 'praxis.config.ts', 'resources'];
  expect(readdirSync(made)).toEqual(expect.arrayContaining([...files, 'test', 'tsconfig.json']));
  // It brings its Praxis along, wherever it is moved.
  const { dependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
  expect(existsSync(join(made, dependencies.praxis.replace('file:', '')))).toBe(true);
  expect(readFileSync(join(made, 'README.md'), 'utf8')).not.toMatch(/[{](?:name|node)[}]/);
});

test('init takes an empty folder, and refuses what is not empty, leaving it as it was', async () => {
  mkdirSync(join(work, 'empty/.git'), { recursive: true });
  expect(await shell('../node_modules/.bin/praxis init .', join(work, 'empty'))).not.toContain('  cd ');
  expect(readdirSync(join(work, 'empty'))).toEqual(expect.arrayContaining(['.git', 'package.json']));
  expect(await failure('npx praxis init empty', work)).toMatch(
    /^1: 'empty' is not empty \(.*\); nothing was written\.\n$/,
  );
  expect(await failure('npx praxis init package.json', work)).toBe("1: 'package.json' is a file; name a folder.\n");
  expect(await failure('npx praxis init "My Service"', work)).toMatch(/^1: The folder gives the project its name/);
  expect(existsSync(join(work, 'My Service'))).toBe(false);
});

test('a machine whose own Node is older is told so by init, and by the tests', async () => {
  // The Node that runs, under the number of another, which the tools of a checkout have hidden.
  const [tools, own] = ['tools/node_modules/.bin', 'own'].map((place) => join(folder, place));
  mkdirSync(String(tools), { recursive: true });
  mkdirSync(String(own));
  symlinkSync(process.execPath, join(String(tools), 'node'));
  writeFileSync(join(String(own), 'node'), '#!/bin/sh\necho v20.19.1\n', { mode: 0o755 });
  const PATH = [tools, own, env.PATH].join(':');
  expect(await shell('../work/node_modules/.bin/praxis init older', work, { PATH })).toContain(
    `Next:\n  install Node.js 24.4 or later: that of this machine is 20.19.1\n  cd older\n`,
  );
  const older = join(folder, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.1' });");
  const { scripts } = JSON.parse(readFileSync(join(work, 'older/package.json'), 'utf8'));
  symlinkSync(join(work, 'node_modules'), join(work, 'older/node_modules'));
  expect(await failure(scripts.test, join(work, 'older'))).toBe('none');
  expect(await failure(scripts.test.replace('node', `node --require ${older}`), join(work, 'older'))).toMatch(
    /^1: Praxis needs Node\.js 24\.4 or later; this is 20\.19\.1\. Run one command with "npx -p node@24 praxis"/,
  );
});

/** The commands of its README, in order. */
const commandsOf = (project: string): readonly string[] =>
  [...readFileSync(join(project, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== ''),
  );

/** What runs of a project, with what it has said. */
class Service {
  output = '';
  readonly child: ChildProcess;

  /** @param child Of a process group of its own. */
  constructor(child: ChildProcess) {
    this.child = child;
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (chunk) => (this.output += chunk));
  }

  async said(text: RegExp): Promise<string> {
    for (let tries = 0; tries < 3000; tries += 1) {
      const [, found] = text.exec(this.output) ?? [];
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) break;
      await delay(20);
    }
    throw new Error(`it never said ${text}: ${this.output}`);
  }

  /** As Ctrl-C does: all of the group are told. */
  async stop(): Promise<void> {
    const { exitCode, signalCode, pid } = this.child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const ended = once(this.child, 'exit');
    process.kill(-pid, 'SIGINT');
    await ended;
  }
}

const images: string[] = [];
afterAll(() => {
  for (const image of images) rmSync(image, { recursive: true, force: true });
});

/** Replaces ids and timestamps, which differ between runs. */
const withoutChance = (text: string): string =>
  text.trim().replaceAll(/"(?:id|createdAt)":"[^"]*"/g, (found) => `${found.split(':')[0]}:…`);

test('the README makes a project from a checkout, and its calls answer as printed', { timeout: 400_000 }, async () => {
  const [commands, ...blocks] = ['A project of your own', 'A computed field and a condition'].flatMap((part) =>
    blocksOf('README', part),
  );
  const [installCheckout, init = '', enter, install = ''] = (commands?.text ?? '').trim().split('\n');
  // The checkout of the tests is installed.
  expect([installCheckout, enter]).toEqual(['npm ci', 'cd ../my-service']);
  expect(linesOf('project', 'Create a project')).toEqual([
    init.replace(' --template empty', ''),
    ...['cd ../my-service', install, 'npm test', 'npm start'],
  ]);
  const project = join(folder, 'from-checkout');
  await shell(init.replace('../my-service', project), root);
  await shell(install, project);

  const text = textOf('README');
  const variables: Record<string, string> = {};
  let service: Service | undefined;
  let base = '';
  let response = { printed: '', answer: '' };
  const save = (block: string): string => {
    const name = [...(text.split(block)[0] ?? '').matchAll(/`(resources\/[\w-]+\.json)`/g)].at(-1)?.[1] ?? '';
    const file = join(project, name);
    if (block.startsWith('{')) writeFileSync(file, block);
    else {
      const descriptor = JSON.parse(readFileSync(file, 'utf8'));
      Object.assign(descriptor.properties, JSON.parse(`{${block}}`));
      writeFileSync(file, JSON.stringify(descriptor));
    }
    return basename(name);
  };
  const call = async (step: string): Promise<void> => {
    const [command = '', ...lines] = step.replaceAll(/\\\n +/g, '').split('\n');
    const [, variable, value = ''] = /^export (\w+)=(\S+)/.exec(command) ?? [];
    if (variable === undefined) {
      const line = `${command.replace('http://127.0.0.1:3000', base)} --silent`;
      response = { printed: lines.join('\n'), answer: await shell(line, project, variables) };
      expect(withoutChance(response.answer), command).toBe(withoutChance(response.printed));
    } else {
      expect(response.printed).toContain(`{"id":"${value}"`);
      variables[variable] = JSON.parse(response.answer).id;
    }
  };
  let calls = 0;
  try {
    for (const { kind, text: block } of blocks)
      if (kind === 'json') {
        if (service !== undefined) service.output = '';
        const name = save(block);
        await service?.said(new RegExp(`^(.*${name}.*: \\d descriptors? taken in)`, 'm'));
      } else if (kind === 'console')
        for (const step of block.split(/^\$ /m).slice(1)) {
          await call(step);
          calls += 1;
        }
      else if (block === 'npm run dev\n') {
        const options = { cwd: project, env: { ...env, PORT: '0' }, detached: true };
        service = new Service(spawn('bash', ['-c', block], options));
        base = await service.said(/(http:\S+)\/api/);
        variables['TOKEN'] = await service.said(/(praxis_[\w-]{20,})/);
      } else expect(block).toMatch(/^export TOKEN=/);
    expect(calls).toBe(7);
    expect(await shell('npx praxis check', project)).toBe('2 descriptors, no faults\n');
  } finally {
    await service?.stop();
  }
});

/** A user that is not root, where it can run this Node; else undefined: the one who tests. */
const nobody = ((): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const user = { uid: 65_534, gid: 65_534 };
  return spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' }).status === 0 ? user : undefined;
})();

test('the steps of its Containerfile make a service that says it is well, in a clean folder, not as root', async () => {
  if (!existsSync(join(made, 'node_modules'))) await shell('npm install', made);
  // Where another user comes to it: the folder of a run is for its own user alone.
  const image = mkdtempSync(join(nobody === undefined ? tmpdir() : '/tmp', 'praxis-image-'));
  images.push(image);
  chmodSync(image, 0o755);
  const steps = (blocksOf('container', 'Run in a container')[0]?.text ?? '').trim().split('\n');
  const word = (step: string): string => step.slice(step.indexOf(' ') + 1);
  const all = (name: string): string => word(steps.find((step) => step.startsWith(`${name} `)) ?? '');
  for (const step of steps) {
    // What .dockerignore names stays behind.
    if (step === 'COPY . .')
      await shell(
        `tar -C ${made} --exclude=./node_modules --exclude=./data --exclude=./.praxis -cf - . | tar -xf -`,
        image,
      );
    else if (step.startsWith('COPY')) await shell(`cp ${word(step).replace(/ \S+$/, '')} ${image}`, made);
    else if (step.startsWith('RUN'))
      await shell(word(step).replace('chown node', `chown ${nobody?.uid ?? process.getuid?.()}`), image);
  }
  expect(readdirSync(join(image, 'node_modules'))).not.toContain('typescript');
  const [command = '', ...args] = JSON.parse(all('CMD')) as string[];
  const settings = Object.fromEntries(
    all('ENV')
      .split(' ')
      .map((text) => text.split('=') as [string, string]),
  );
  const options = { cwd: image, env: { ...env, PORT: '0', TMPDIR: '/tmp', ...settings }, ...nobody };
  expect(command).toBe('node');
  const service = new Service(spawn(process.execPath, args, { ...options, detached: true }));
  const port = await service.said(/http:\/\/0\.0\.0\.0:(\d+)\/api/);
  const [, check, evaluate, program = ''] = /^CMD \["(\w+)", "(-e)", "(.*)"\]$/.exec(all('HEALTHCHECK')) ?? [];
  expect([check, evaluate]).toEqual(['node', '-e']);
  const isWell = (number: string): number | null =>
    spawnSync(process.execPath, ['-e', program.replace('3000', number)], options).status;
  expect(isWell(port)).toBe(0);
  expect(statSync(join(image, 'data/workspace.sqlite')).mode & 0o777).toBe(0o600);
  await service.stop();
  expect(isWell(port)).toBe(1);
});

const templatesFolder = join(import.meta.dirname, '../../.package/init/templates');
const templates = readdirSync(templatesFolder);
/** The commands of a README with the ids of the responses in its variables. @returns the responses */
async function callAll(commands: readonly string[], base: string, token: string): Promise<Record<string, unknown>[]> {
  const responses: Record<string, unknown>[] = [];
  const variables: Record<string, string> = { TOKEN: token };
  for (const line of commands) {
    const variable = /^export (\w+)=…/.exec(line)?.[1];
    if (variable !== undefined) variables[variable] = String(responses.at(-1)?.['id']);
    else if (line.startsWith('curl '))
      responses.push(JSON.parse(await shell(line.replaceAll('http://127.0.0.1:3000', base), work, variables)));
  }
  return responses;
}

describe('templates of init', () => {
  test('init without a folder and its help list all of them, and an unknown name is refused with them', async () => {
    const help = await shell('npx praxis init --help', work);
    for (const template of templates) expect(help).toMatch(new RegExp(`^  ${template} +\\S`, 'm'));
    expect(await failure('npx praxis init', work)).toBe(`1: ${help}`);
    expect(await failure('npx praxis init my-tasks --template task', work)).toBe(
      '1: There is no template "task"; the templates are courses, tasks, shop, bookings, empty.\n',
    );
    expect(existsSync(join(work, 'my-tasks'))).toBe(false);
  });

  /** The last response of the README's calls. */
  const lastResponses: Readonly<Record<string, unknown>> = {
    courses: { results: [{ name: 'Pottery' }] },
    tasks: { name: 'Move house', taskCount: 1, progress: 1 },
    shop: { name: 'Cup', sold: 3, stock: 7 },
    bookings: { results: [{ title: 'Choir', room: { name: 'Attic' } }] },
  };

  test.each(templates)(
    '%s: check finds nothing, its tests pass on every database, its calls work',
    async (template) => {
      const project = join(work, `with-${template}`);
      await shell(`npx praxis init with-${template} --template ${template}`, work);
      symlinkSync(join(work, 'node_modules'), join(project, 'node_modules'));
      const groups = readdirSync(join(templatesFolder, template, 'resources')).filter((name) => name.endsWith('.json'));
      // Neither faults nor notes.
      expect(await shell('npx praxis check', project)).toBe(`${groups.length} descriptors, no faults\n`);
      expect(existsSync(join(project, 'migrations'))).toBe(groups.length > 0);
      await run(process.execPath, [join(import.meta.dirname, '../../node_modules/typescript/bin/tsc'), '-p', project]);

      for (const { isThere, isServer, open } of databases) {
        if (!isThere) continue;
        const database = isServer ? await open('praxis_template') : undefined;
        const settings: Record<string, string> = database === undefined ? {} : { TEST_DATABASE_URL: database.url };
        expect(await shell('npm test', project, settings)).toMatch(/pass [12]\b[\s\S]*fail 0\b/);
        await database?.drop();
      }

      const settings = { ...env, PORT: '0', DATABASE_URL: 'sqlite:data/workspace.sqlite' };
      const service = new Service(
        spawn('npm', ['start'], { cwd: project, env: settings, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
      );
      try {
        const base = await service.said(/(http:\S+)\/api/);
        const token = await service.said(/(praxis_[\w-]{20,})/);
        const responses = await callAll(commandsOf(project), base, token);
        expect(responses.length > 0).toBe(template !== 'empty');
        if (template !== 'empty') expect(responses.at(-1)).toMatchObject(lastResponses[template] ?? {});
      } finally {
        await service.stop();
      }
    },
  );

  test('empty: the first group comes with new, and its table with a migration', async () => {
    const project = join(work, 'with-empty');
    for (const command of ['new contact', 'migrate generate', 'migrate apply'])
      await shell(`npx praxis ${command}`, project);
    const status = await shell('npx praxis migrate status --check', project);
    expect(status).toContain('0001');
    expect(await shell('npx praxis check', project)).toBe('1 descriptor, no faults\n');
  });
});

for (const { name: kind, isThere, isServer, open } of databases) {
  describe.skipIf(!isThere)(`a project on ${kind}`, () => {
    const project = join(folder, kind.toLowerCase());
    const running: Service[] = [];
    const drops: (() => Promise<void>)[] = [];
    let database: Record<string, string> = {};
    const start = (command: string, more: Record<string, string> = {}): Service => {
      const settings = { ...env, PORT: '0', ...database, ...more };
      const service = new Service(spawn('bash', ['-c', command], { cwd: project, env: settings, detached: true }));
      running.push(service);
      return service;
    };

    beforeAll(async () => {
      if (!existsSync(join(made, 'node_modules'))) await shell('npm install', made);
      cpSync(made, project, { recursive: true, verbatimSymlinks: true });
      if (!isServer) return;
      const [own, tests] = [await open('praxis_own'), await open('praxis_own_tests')];
      drops.push(
        () => own.drop(),
        () => tests.drop(),
      );
      database = { DATABASE_URL: own.url, TEST_DATABASE_URL: tests.url };
    });
    afterAll(async () => {
      for (const service of running) await service.stop();
      for (const drop of drops) await drop();
    });

    test('every command of its README works', async () => {
      const commands = commandsOf(project);
      expect(commands.filter((line) => /^npm|^npx/.test(line)).length).toBeGreaterThan(10);
      const said = new Map<string, string>();
      let base = '';
      let token = '';
      for (const line of commands) {
        if (line === 'npm start') {
          const service = start(line);
          base = await service.said(/(http:\S+)\/api/);
          token = await service.said(/(praxis_[\w-]{20,})/);
        } else if (!line.startsWith('export TOKEN='))
          said.set(
            line,
            await shell(line.replaceAll('http://127.0.0.1:3000', base), project, { ...database, TOKEN: token }),
          );
      }
      const requests = [...said].filter(([line]) => line.startsWith('curl')).map(([, text]) => JSON.parse(text));
      expect(requests).toMatchObject([
        { name: 'Pottery', taken: 0, isFull: false },
        { results: [{ name: 'Pottery' }] },
      ]);
      expect(said.get('npx praxis check')).toBe('3 descriptors, no faults\n');
      expect(said.get('npx praxis migrate generate')).toContain('creates the table "contact"');
      expect(said.get('npx praxis migrate apply')).toContain('Applied 1 step.');
      expect(said.get('npm run check')).toContain('no migration is needed');
      expect(said.get('npm test')).toMatch(/pass 3\b[\s\S]*fail 0\b/);
      for (const service of running.splice(0)) await service.stop();
    });

    test('a rule of its own is known to all: faults, answers, pages, editors', async () => {
      const config = join(project, 'praxis.config.ts');
      const contact = join(project, 'resources/contact.json');
      writeFileSync(
        contact,
        readFileSync(contact, 'utf8').replace(
          '"unique"',
          '"rules": [{ "use": "checkDigit", "feild": "name" }],\n    "unique"',
        ),
      );
      expect(await failure('npx praxis check', project)).toContain('"checkDigit" is not a rule of the catalogue');
      // As the guide registers it, with a middleware.
      writeFileSync(config, blocksOf('project', 'praxis.config.ts')[0]?.text ?? '');
      expect(await failure('npx praxis check', project)).toContain('"feild"; did you mean "field"?');
      writeFileSync(contact, readFileSync(contact, 'utf8').replace('feild', 'field'));
      expect(await shell('npm run -s check', project)).toContain('3 descriptors, no faults');

      const { $defs, ...dialect } = JSON.parse(readFileSync(join(project, '.praxis/dialect.json'), 'utf8'));
      const { examples } = $defs.resource.properties.rules.items.properties.use;
      expect(examples).toContain('checkDigit');
      const isRight = new Ajv2020({ strict: false }).compile({ ...dialect, $defs });
      const descriptor = JSON.parse(readFileSync(contact, 'utf8'));
      expect(isRight(descriptor)).toBe(true);
      delete descriptor.resource.rules[0].field;
      expect(isRight(descriptor)).toBe(false);

      const service = start('npm start', { ACCESS_TOKEN: 'token-of-the-project-0002' });
      const base = await service.said(/(http:\S+)\/api/);
      const headers = { Authorization: 'Bearer token-of-the-project-0002', 'Content-Type': 'application/json' };
      const answer = await fetch(`${base}/api/contacts`, { method: 'POST', headers, body: '{"name": " Ada"}' });
      expect(await answer.json()).toMatchObject({ errors: ["'name' must neither begin nor end with a space"] });
      expect(await (await fetch(`${base}/docs/groups/contact`)).text()).toContain(
        'begins and ends with something to read',
      );
      await service.stop();
    });

    test('dev takes in descriptors as they change, and starts again when code has', async () => {
      const service = start('npm run dev', { ACCESS_TOKEN: 'token-of-the-project-0002', APPLY_ADDITIONS: 'true' });
      const base = await service.said(/(http:\S+)\/api/);
      const status = async (address: string): Promise<number> =>
        (await fetch(`${address}/api/cars`, { headers: { Authorization: 'Bearer token-of-the-project-0002' } })).status;
      expect(await status(base)).toBe(404);
      await shell('npx praxis new car', project);
      await service.said(/(car\.json: \d descriptors taken in)/);
      expect(await status(base)).toBe(200);
      service.output = '';
      const rule = join(project, 'rules/check-digit.ts');
      writeFileSync(rule, readFileSync(rule, 'utf8').replace('something to read', 'a letter'));
      const again = await service.said(/(http:\S+)\/api/);
      expect(await (await fetch(`${again}/docs/groups/contact`)).text()).toContain('begins and ends with a letter');
      await service.stop();
    });

    test('words that are taken or wrong are told, and nothing is written', async () => {
      expect(await failure('npx praxis new rule check-digit', project)).toBe(
        '1: There is a rule "checkDigit" already; nothing was changed.\n',
      );
      expect(await failure('npx praxis new rule range', project)).toBe(
        '1: There is a rule "range" already; nothing was changed.\n',
      );
      expect(await failure('npx praxis new rule "check digit"', project)).toMatch(
        /^1: A rule is called by small words/,
      );
      expect(await failure('npx praxis new group shelf', project)).toBe(
        '1: "praxis new group shelf" has too many arguments; run "praxis new group" or "praxis new rule shelf".\n',
      );
      expect(readdirSync(join(project, 'rules'))).toEqual(['check-digit.ts']);
      // A group may have that name.
      expect(await shell('npx praxis new rule', project)).toMatch(/^resources\/rule\.json\n/);
    });
  });
}
