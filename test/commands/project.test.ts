// praxis.config.ts: what a project says in code, known to every command.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Folder, type Started } from '../support/commands/command.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const library = JSON.stringify(join(import.meta.dirname, '../../src/library.ts'));
const folder = new Folder(
  {
    PORT: '0',
    DATABASE_URL: 'sqlite:workspace.sqlite',
    ACCESS_TOKEN: 'token-of-the-project-0001',
    LOG_LEVEL: 'silent',
  },
  join(import.meta.dirname, '../domains/library/resources'),
);
const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
const remove = (name: string): void => rmSync(join(folder.path, name), { recursive: true, force: true });

/** Loud names only; and a greeting at the root. */
const rule = `import type { Rule } from ${library};
import { keyArgument, textOf } from ${library};

export const checkDigit: Rule = {
  says: '{field} ends in a digit that is right.',
  parameters: { field: { field: 'text' } },
  check: ({ use, resource, values, refuse }) => {
    const key = keyArgument(resource, use, 'field');
    if (textOf(values, key)?.endsWith('7') === false) refuse(key, 'must end in 7');
  },
};
`;
const config = `import { defineConfig } from ${library};
import { checkDigit } from './rules/check-digit.ts';

export default defineConfig({
  resources: 'groups',
  migrations: 'steps',
  rules: { checkDigit },
  middleware: [async (ctx, next) => (ctx.path === '/' ? void (ctx.body = 'Open from 9 to 5.') : next())],
});
`;

beforeAll(() => {
  write('package.json', '{ "type": "module" }');
  mkdirSync(join(folder.path, 'rules'));
  write('rules/check-digit.ts', rule);
  write('praxis.config.ts', config);
  mkdirSync(join(folder.path, 'groups'));
  for (const name of ['author', 'book', 'loan'])
    write(`groups/${name}.json`, readFileSync(join(folder.path, `resources/${name}.json`), 'utf8'));
  remove('resources');
});
afterAll(() => folder.remove());

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries += 1) {
    if (tries > 1000) throw new Error('waited in vain');
    await delay(10);
  }
}

const addressOf = async ({ output }: Started): Promise<string> => {
  await until(() => /http:\S+\/api\n/.test(output.stdout));
  return /(http:\S+)\/api/.exec(output.stdout)?.[1] ?? '';
};

test('every command knows the rules of the project, and its folders', async () => {
  expect(await folder.print('check')).toBe('3 descriptors, no faults\n');
  expect(await folder.print('migrate generate')).toContain('Written: steps/0001_initial.jsonc');
  expect(await folder.print('migrate apply')).toContain('Created all tables');
  expect(await folder.print('migrate status --check')).toContain('Descriptors, migrations and database agree.');
  expect(JSON.parse(await folder.print('openapi')).paths).toHaveProperty('/books');
  await folder.print('types --out made');
  await folder.print('snapshot --out made/snapshot.json');
  expect(await folder.print('explain book.isOut')).toContain('loans.exists');
  expect(await folder.print('verify')).toContain('no differences');
  expect(await folder.print('check --against groups')).toContain('no differences');
});

test('a service has its rules, its middleware and its words on the pages', async () => {
  const service = folder.start('serve');
  const address = await addressOf(service);
  const send = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: 'Bearer token-of-the-project-0001', 'Content-Type': 'application/json' };
    return (await fetch(`${address}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const author = (await send('/authors', { name: 'Ursula K. Le Guin' })) as { id: string };
  const book = { title: 'The Dispossessed', authorId: author.id };
  expect(await send('/books', { ...book, isbn: '9780061054881' })).toMatchObject({ errors: ["'isbn' must end in 7"] });
  expect(await send('/books', { ...book, isbn: '9780061054887' })).toMatchObject({ isbn: '9780061054887' });
  expect(await (await fetch(`${address}/`)).text()).toBe('Open from 9 to 5.');
  expect(await (await fetch(`${address}/docs/groups/book`)).text()).toContain('ends in a digit that is right');
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});

test('a variable goes before the file, and what it says is told by its own name', async () => {
  expect(await folder.run('check', { RESOURCES: 'none' })).toEqual({
    code: 1,
    stdout: '',
    stderr: "RESOURCES must be a folder of descriptors; there is no folder 'none'.\n",
  });
});

test('a service without pages answers the rest', async () => {
  const service = folder.start('serve', { PAGES: 'false' });
  const address = await addressOf(service);
  expect(service.output.stdout).not.toContain('/docs');
  expect((await fetch(`${address}/docs`)).status).toBe(404);
  expect((await fetch(`${address}/openapi.json`)).status).toBe(200);
  service.child.kill('SIGTERM');
  await service.ended;
});

test('dev tells that code waits for the next start', async () => {
  const service = folder.start('dev');
  await addressOf(service);
  write('rules/check-digit.ts', `${rule}\n`);
  await until(() => service.output.stderr.includes('rules/check-digit.ts has changed'));
  expect(service.output.stderr).toBe(
    'rules/check-digit.ts has changed: it is taken in by the next start of this command.\n',
  );
  service.child.kill('SIGTERM');
  await service.ended;
});

describe('a fault in the file is one line, and status 1', () => {
  const faults: Readonly<Record<string, readonly [string, string]>> = {
    'no default': ['export const rules = {};', 'exports nothing by default; write: export default defineConfig({ … })'],
    'no object': ['export default [];', 'exports no object by default.'],
    'a setting that there is not': [
      'export default { recources: "x" };',
      'unknown setting "recources"; did you mean "resources"?.',
    ],
    'a folder that is not there': ['export default { resources: "x" };', 'resources'],
    'another type': ['export default { pages: "no" };', 'pages must be true or false.'],
    'middleware that is none': ['export default { middleware: [1] };', 'middleware must be a list of functions.'],
    'no rule': [
      'export default { rules: { loud: undefined } };',
      'rules has "loud", which must be a rule, not undefined.',
    ],
    'a rule without parameters': [
      'export default { rules: { loud: {} } };',
      'rules has "loud" without parameters; write "parameters: {}" for none.',
    ],
    'a moment that there is not': [
      'export default { rules: { loud: { parameters: {}, chek() {} } } };',
      'rules has "loud" with an unknown part "chek"; did you mean "check"?.',
    ],
    'a moment that is none': [
      'export default { rules: { loud: { parameters: {}, check: true } } };',
      'rules has "loud", whose check must be a function.',
    ],
    'a name of the catalogue': [
      'export default { rules: { range: { parameters: {} } } };',
      'rules cannot be loaded: the catalogue already has rules called range.',
    ],
    'a name that is none': [
      'export default { rules: { "check-digit": { parameters: {} } } };',
      'rules has "check-digit", which is not a name: letters and digits, the first a small letter, at most 40.',
    ],
    'what it throws': ['\nthrow new Error("no\\nway");', 'cannot be loaded: praxis.config.ts:2: no'],
    'a slip of the language': ['export default { rules: ', 'cannot be loaded: praxis.config.ts:1: Expression expected'],
    'a file that is not there': ["import './rules/none.ts';", 'cannot be loaded: Cannot find module'],
  };
  test.each(Object.entries(faults))('%s', async (_, [text, told]) => {
    write('praxis.config.ts', text);
    const { code, stdout, stderr } = await folder.run('check');
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
    expect(stderr).toContain(told);
  });

  test('two files', async () => {
    write('praxis.config.js', '');
    expect((await folder.run('check')).stderr).toBe(
      'There are praxis.config.ts and praxis.config.js; keep one of them.\n',
    );
  });
});

test('it may be JavaScript', async () => {
  remove('praxis.config.ts');
  const plain = "export default { resources: 'groups', rules: { checkDigit: { parameters: { field: 'field' } } } };";
  for (const name of ['praxis.config.js', 'praxis.config.mjs']) {
    write(name, plain);
    expect(await folder.print('check')).toBe('3 descriptors, no faults\n');
    remove(name);
  }
});
