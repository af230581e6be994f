// Generated types and clients: current, complete, and right for compilers that are set up otherwise than ours.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatedFiles, outdated, writeFiles } from '../../codegen/files.ts';
import { typesText } from '../../codegen/types.ts';
import { components } from '../../src/endpoints/document/components.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { Folder } from '../support/commands/command.ts';
import { folders, registryOf } from '../support/service/praxis.ts';

const root = join(import.meta.dirname, '../..');
const patience = { timeout: 60_000 };
const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Where a project of its own could be. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-types-'));
  made.push(folder);
  return folder;
}

/** As a project with a page has it: without our settings and without Node's types. */
const plain = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] };
const strictest = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** Runs the compiler over all of a folder. @returns what it prints */
function compile(folder: string, options: object, files = ['*.ts', '*/*.ts']): string {
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, types: [], ...plain, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: files }));
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--extendedDiagnostics'], {
      encoding: 'utf8',
    });
  } catch (error) {
    throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
}

function build(files: Readonly<Record<string, object>>): Registry {
  const sources = Object.entries(files).flatMap(([name, data]) => {
    const { source } = parseSource(`${name}.json`, name, JSON.stringify(data));
    return source === undefined ? [] : [source];
  });
  return buildRegistry(sources, ruleSignatures);
}

const named = (path: string, properties: object = {}, resource: object = {}): object => ({
  title: `Room ${path.replaceAll(/\W/g, '0')}`,
  description: 'A room. */ throw 1; /*',
  type: 'object',
  properties: { name: { type: 'string', maxLength: 255, description: 'Name' }, ...properties },
  required: ['name'],
  resource: { path, shownAs: '{name}', operations: ['list', 'get', 'create', 'update', 'delete'], ...resource },
});

describe('the types', patience, () => {
  test('are those of every component, under its name', async () => {
    for (const folder of ['test', 'product'] as const) {
      const registry = registryOf(folder);
      const exported = [...(await typesText(registry)).matchAll(/^export (?:interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      );
      expect(exported.toSorted()).toEqual([...components(registry).keys()].toSorted());
      expect(exported.length).toBeGreaterThan(30);
    }
  });

  test('tell what a field is, and which is not to be used', async () => {
    const text = await typesText(registryOf('product'));
    expect(
      text,
    ).toContain(`  /** True for the workspace's internal client, which is created automatically at workspace setup */
  isInternal: boolean;`);
    expect(text).toMatch(
      /\n {2}\/\*\*\n {3}\* @deprecated\n {3}\* Legacy:.*\n {3}\*\/\n {2}useWorkspaceInvoiceDetails: boolean;/,
    );
    expect(text).toContain('  invoiceDetailsSource?: ClientInvoiceDetailsSource;');
    expect(text).toContain('  owner: MemberReference | null;');
  });

  test('and the client of odd names compile', async () => {
    const states = { type: 'string', enum: ['a b', "it's", '*/'], default: '*/', description: 'State */' };
    const names = [
      'b2b-client',
      'promise',
      'array',
      'record',
      'string',
      'praxis',
      'page',
      'call-options',
      'root',
      'group',
      'constructor',
    ];
    const registry = build({
      ...Object.fromEntries(names.map((name) => [name, named(`/${name}s`, { line2b: states })])),
      lease: named('/leases', {
        customer: { reference: 'b2b-client', include: ['line2b'], nullable: true, description: 'Customer' },
      }),
    });
    const folder = newFolder();
    writeFiles(await generatedFiles(registry, { folder: join(folder, 'praxis') }));
    writeFileSync(
      join(folder, 'use.ts'),
      `import { createClient, type B2bClient, type B2bClientLine2b } from './praxis/client';
export const state = (record: B2bClient): B2bClientLine2b => record.line2b;
export const all = async (): Promise<unknown> => (await createClient({ baseUrl: '/api' }).leases.get('x')).customer?.line2b;
`,
    );
    expect(compile(folder, strictest)).not.toContain('error');
  });
});

describe('the generated files of this project', patience, () => {
  test('are current', async () => {
    const files = await generatedFiles(registryOf('product'), { folder: join(root, 'codegen/generated') });
    expect(files.map(({ path }) => path.slice(root.length))).toEqual([
      '/codegen/generated/types.ts',
      '/codegen/generated/client.ts',
    ]);
    expect(
      outdated(files).map(({ path }) => path),
      'run `npm run praxis -- types`',
    ).toEqual([]);
  });

  test('compile anywhere, with what they must refuse, and with little work', () => {
    const folder = newFolder();
    const options = { ...strictest, allowImportingTsExtensions: true };
    const printed = compile(folder, options, [
      join(root, 'codegen/generated/*.ts'),
      join(root, 'test/documents/types/*.ts'),
    ]);
    expect(printed).not.toContain('error');
    // Of the compiler's work, which the load of this machine has no say in: flat types need few instantiations.
    const [, instantiations] = /Instantiations: +(\d+)/.exec(printed) ?? [];
    expect(Number(instantiations)).toBeLessThan(20_000);
  });
});

describe('praxis types', patience, () => {
  // Of a few groups: what it makes of the whole workspace is held against the files of this project above.
  const folder = new Folder({}, folders.test);
  beforeAll(() => writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }'));
  afterAll(() => folder.remove());
  const text = (name: string): string => readFileSync(join(folder.path, 'app/praxis', name), 'utf8');
  const paths = 'app/praxis/types.ts and app/praxis/client.ts';
  const stale = (which: string) => ({
    code: 1,
    stdout: '',
    stderr: `${which}: not current; run "praxis types" with the same folder.\n`,
  });

  test('writes what a check then finds current, and what a new group makes other', async () => {
    expect(await folder.run('types --out app/praxis --check')).toEqual(stale(paths));
    expect(await folder.print('types --out app/praxis')).toBe(`${paths}: written\n`);
    expect(await folder.print('types --out app/praxis --check')).toBe(`${paths}: current\n`);
    await folder.print('new office');
    expect(await folder.run('types --out app/praxis --check')).toEqual(stale(paths));
    expect(text('types.ts')).not.toContain('OfficeCreate');
    expect(await folder.print('types --out app/praxis')).toBe(`${paths}: written\n`);
    expect(text('types.ts')).toContain('export interface OfficeCreate {');
    writeFileSync(join(folder.path, 'app/praxis/client.ts'), `${text('client.ts')}// mine\n`);
    expect(await folder.run('types --out app/praxis --check')).toEqual(stale('app/praxis/client.ts'));
    expect(await folder.print('types --out app/praxis')).toBe(`${paths}: written\n`);
  });

  test('gives a client that stands alone', () => {
    const use = `import { createClient, type Office } from './client.ts';
const answer = { id: '1', name: 'Harbour' };
const praxis = createClient({ baseUrl: 'http://x/api', fetch: async (url, init) => Response.json({ ...answer, url, method: init.method }) });
const office: Office = await praxis.offices.create({ name: 'Harbour' });
export default office;
console.log(JSON.stringify(office));
`;
    const file = join(folder.path, 'app/praxis/use.ts');
    writeFileSync(file, use.replace('./client.ts', './client'));
    // An import without an ending, as bundlers take it, and without leave to name files that end in .ts.
    expect(compile(join(folder.path, 'app'), { target: 'esnext' })).not.toContain('error');
    writeFileSync(file, use);
    expect(JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }))).toEqual({
      id: '1',
      name: 'Harbour',
      url: 'http://x/api/offices',
      method: 'POST',
    });
    expect(text('client.ts')).not.toMatch(/^import (?!type \* as types from '.\/types.ts';$)/m);
  });

  test('tells the faults of the descriptors, and writes nothing', async () => {
    writeFileSync(join(folder.path, 'resources/broken.json'), '{');
    const { code, stderr } = await folder.run('types --out elsewhere');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('resources/broken.json:1:2') });
    expect(() => readFileSync(join(folder.path, 'elsewhere/types.ts'))).toThrow('ENOENT');
  });
});
