// The walk-throughs of the guides "Add a resource", "TypeScript client" and "Migrations", run word for word: their
// commands, files and requests, and what they print. Only the port is another one, so that a service of yours may go on running.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksIn, blocksOf } from '../support/browser/guides.ts';

const root = join(import.meta.dirname, '../..');
const commandsOf = (guide: string, ...parts: readonly string[]): string[] =>
  parts
    .flatMap((part) => blocksOf(guide, part))
    .filter(({ kind }) => kind === 'sh')
    .flatMap(({ text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => line.trim() !== ''),
    );
const commands = commandsOf('descriptors', 'A first descriptor', 'Check it', 'Call it');
const descriptor = blocksOf('descriptors', 'A first descriptor').find(({ kind }) => kind === 'json')?.text ?? '';

let folder = '';
const started: ReturnType<typeof spawn>[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'praxis-readme-'));
  for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'resources'));
  for (const name of ['resources', 'migrations']) cpSync(join(root, name), join(folder, name), { recursive: true });
});

/** Ctrl-C. */
async function stop(): Promise<void> {
  for (const child of started.splice(0)) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const shell = (command: string, env: Record<string, string> = {}): string =>
  execFileSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** `npm start`, until it has said where it listens and, the first time, what the token is. */
async function start(known?: string): Promise<{ base: string; token: string }> {
  const child = spawn('node', ['src/cli.ts', 'serve'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const base = /http:\/\/[^\s]+(?=\/api)/.exec(output)?.[0];
    const token = known ?? /praxis_[\w-]+/.exec(output)?.[0];
    if (base !== undefined && token !== undefined) return { base, token };
  }
  throw new Error(`the service ended: ${output}`);
}

let service: Promise<{ base: string; token: string }> | undefined;
/** The one service of all tests: its token is shown at the first start alone. */
function running(): Promise<{ base: string; token: string }> {
  service ??= start();
  return service;
}

test('a reader who does what it says has a new resource at the end', { timeout: 30_000 }, async () => {
  const praxis = commands.filter((line) => line.startsWith('npm run praxis'));
  expect(praxis).toEqual(['npm run praxis -- new office', 'npm run praxis -- check']);
  shell(String(praxis[0]));
  expect(JSON.parse(readFileSync(join(folder, 'resources', 'office.json'), 'utf8'))).toMatchObject({ title: 'Office' });
  expect(shell(String(praxis[1]))).toMatch(/45 descriptors|no faults/);

  writeFileSync(join(folder, 'resources', 'office.json'), descriptor);
  shell(String(praxis[1]));
  const { base, token } = await running();
  const requests = commands.filter((line) => line.startsWith('curl'));
  expect(requests).toHaveLength(4);
  const answers = requests.map(
    (line) =>
      JSON.parse(shell(line.replaceAll('http://127.0.0.1:3000', base), { TOKEN: token })) as Record<string, unknown>,
  );
  const [created, listed, filtered, refused] = answers;
  expect(created).toEqual({
    id: expect.any(String),
    name: 'Harbour',
    desks: 40,
    isOpen: true,
    createdAt: expect.any(String),
    location: null,
  });
  expect(listed).toEqual({ results: [created], hasMore: false });
  expect(filtered).toEqual({ results: [created], hasMore: false });
  expect(refused).toMatchObject({ status: 400, errors: ["'desks' must be from 1 to 5000"] });

  const twin = String(requests[3]).replace('"desks": 0', '"desks": 40').replaceAll('http://127.0.0.1:3000', base);
  expect(JSON.parse(shell(twin, { TOKEN: token }))).toEqual({
    status: 409,
    message: 'An Office with the same name already exists.',
  });
});

test('a reader who adds a computed field and a condition gets the answers that are printed', {
  timeout: 60_000,
}, async () => {
  const blocks = blocksOf('descriptors', 'A computed field and a condition');
  expect(blocks.map(({ kind }) => kind)).toEqual(['json', 'json', 'sh', 'console']);
  const [booking = '', figure = '', , dialogue = ''] = blocks.map(({ text }) => text);
  const { base: first, token } = await running();
  const offices = JSON.parse(shell(`curl -H "Authorization: Bearer ${token}" ${first}/api/offices`));
  await stop();
  writeFileSync(join(folder, 'resources', 'booking.json'), booking);
  changeOffice(({ properties }) => Object.assign(properties, JSON.parse(`{${figure}}`)));
  expect(shell('npm run praxis -- check')).toContain('no faults');
  service = start(token);
  const { base } = await service;
  const steps = dialogue.split(/^\$ /m).filter((text) => text !== '');
  expect(steps).toHaveLength(4);
  for (const step of steps) {
    const [command = '', ...lines] = step.replaceAll(/\\\n +/g, '').split('\n');
    const asked = command.replaceAll('http://127.0.0.1:3000', base).replace('npm run', 'npm run --silent');
    const answer = shell(asked, { TOKEN: token, OFFICE: offices.results[0].id });
    expect(withoutIds(answer).trimEnd(), command).toBe(withoutIds(lines.join('\n')).trimEnd());
  }
});

test('a reader who generates a client can use it', { timeout: 60_000 }, async () => {
  const [types, run, ...more] = commandsOf('client', 'Generate types and a client');
  expect(more).toEqual([]);
  const blocks = blocksOf('client', 'Generate types and a client');
  const code = blocks.find(({ kind }) => kind === 'ts')?.text ?? '';
  const { base, token } = await running();
  shell(String(types));
  writeFileSync(join(folder, 'my-app', 'example.ts'), code.replaceAll('http://127.0.0.1:3000', base));
  expect(shell(String(run), { TOKEN: token })).toBe(blocks.find(({ kind }) => kind === '')?.text);
});

interface Office {
  properties: Record<string, { readonly renamedFrom?: string }>;
}

/** Changes the descriptor as a text between two blocks says: a field that is new, changed, or taken out. */
function changeOffice(change: (office: Office) => void): void {
  const file = join(folder, 'resources', 'office.json');
  const office = JSON.parse(readFileSync(file, 'utf8')) as Office;
  change(office);
  writeFileSync(file, JSON.stringify(office));
}

/** What a command prints on both of its outputs; the banner of npm is none of it. */
const printed = (command: string): string =>
  shell(`${command.replace('npm run praxis', 'npm run --silent praxis')} 2>&1 || true`);
/** The same without what is another at each run. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME');

test('a reader who goes on to change it sees what the next chapter prints', { timeout: 120_000 }, async () => {
  await stop();
  // The block without a language is output of another command.
  const chapter = blocksIn('migrations').filter(({ kind }) => kind !== '');
  expect(chapter.length).toBeGreaterThan(8);
  for (const { kind, text } of chapter) {
    if (kind === 'json') {
      const fields = JSON.parse(`{${text}}`) as Office['properties'];
      changeOffice(({ properties }) => {
        for (const { renamedFrom } of Object.values(fields))
          if (renamedFrom !== undefined) delete properties[renamedFrom];
        Object.assign(properties, fields);
      });
      continue;
    }
    // The field is removed before the only block with a refusal to write.
    if (text.includes('The migration was not written'))
      changeOffice(({ properties }) => delete properties['telephone']);
    for (const part of text.split(/^\$ /m).filter((words) => words !== '')) {
      const [command = '', ...lines] = part.split('\n');
      expect(withoutIds(printed(command)), command).toBe(withoutIds(lines.join('\n')));
    }
  }
});
