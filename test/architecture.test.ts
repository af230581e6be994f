// Who may import whom. When this fails: move the code to where its imports are allowed, or change the table here and the
// map in the README in a commit of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Folder or file of src, or codegen → what of ours, and which packages, it may import. */
const allowed: Record<string, { ours: readonly string[]; packages: readonly string[] }> = {
  values: { ours: [], packages: ['decimal.js', 'uuid'] },
  problems: { ours: [], packages: [] },
  'configuration-fault': { ours: [], packages: [] },
  waiting: { ours: ['problems'], packages: [] },
  text: { ours: [], packages: [] },
  formulas: { ours: ['text', 'values'], packages: ['@marcbachmann/cel-js'] },
  registry: { ours: ['formulas', 'text', 'values'], packages: ['ajv', 'jsonc-parser'] },
  behaviours: { ours: ['formulas', 'registry', 'values'], packages: [] },
  endpoints: { ours: ['formulas', 'registry', 'problems', 'values'], packages: ['ajv', 'ajv-formats'] },
  request: { ours: ['registry', 'endpoints', 'problems', 'values'], packages: [] },
  storage: {
    ours: ['formulas', 'registry', 'endpoints', 'request', 'problems', 'configuration-fault', 'values', 'waiting'],
    packages: ['kysely', 'mysql2'],
  },
  migration: {
    ours: ['registry', 'storage', 'configuration-fault', 'text', 'values'],
    packages: ['jsonc-parser'],
  },
  engine: {
    ours: [
      'formulas',
      'registry',
      'behaviours',
      'endpoints',
      'request',
      'storage',
      'problems',
      'configuration-fault',
      'values',
      'waiting',
    ],
    packages: [],
  },
  http: {
    ours: ['endpoints', 'request', 'problems', 'values', 'waiting'],
    packages: ['koa', 'koa-compose', '@koa/router', 'pino'],
  },
  pages: { ours: ['formulas', 'registry', 'endpoints', 'values'], packages: ['swagger-ui-dist'] },
  config: { ours: ['configuration-fault', 'registry', 'text', 'values'], packages: [] },
  changes: { ours: ['endpoints', 'registry', 'configuration-fault'], packages: [] },
  introspection: { ours: ['registry', 'storage', 'configuration-fault'], packages: [] },
  app: {
    ours: [
      'config',
      'configuration-fault',
      'behaviours',
      'endpoints',
      'engine',
      'http',
      'pages',
      'migration',
      'registry',
      'request',
      'storage',
      'text',
      'values',
    ],
    packages: ['koa', 'pino'],
  },
  library: {
    ours: ['app', 'behaviours', 'config', 'configuration-fault', 'problems', 'registry', 'storage'],
    packages: [],
  },
  demo: {
    // codegen: its records are written with our own typed client, which proves the client and keeps the bodies right.
    ours: ['app', 'codegen', 'config', 'configuration-fault', 'endpoints', 'problems', 'request', 'values'],
    packages: [],
  },
  commands: {
    ours: [
      'app',
      'codegen',
      'config',
      'configuration-fault',
      'behaviours',
      'changes',
      'demo',
      'endpoints',
      'introspection',
      'migration',
      'registry',
      'storage',
      'text',
      'values',
    ],
    packages: ['commander', 'pino'],
  },
  cli: { ours: ['commands', 'config', 'configuration-fault', 'registry'], packages: ['commander', 'pino'] },
  codegen: { ours: ['registry', 'behaviours', 'endpoints', 'values'], packages: ['json-schema-to-typescript'] },
};

/** All files of src and codegen, by their path in the project. */
const files = ['src', 'codegen'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

/** `src/storage/run.ts` → storage, `src/app.ts` → app, `codegen/files.ts` → codegen. */
const placeOf = (file: string): string =>
  file
    .replace(/^src\//, '')
    .split('/')[0]
    ?.replace(/\.ts$/, '') ?? '';

const breaches = (file: string): string[] => {
  const place = placeOf(file);
  const rule = allowed[place];
  if (rule === undefined) return [`${file} stands in no folder of the table`];
  return importsOf(file).flatMap((name) => {
    if (name.startsWith('node:') || name === '../package.json') return [];
    if (!name.startsWith('.'))
      return rule.packages.some((known) => name === known || name.startsWith(`${known}/`))
        ? []
        : [`${file} imports the package ${name}`];
    const target = placeOf(relative(root, join(root, file, '..', name)));
    return target === place || rule.ours.includes(target) ? [] : [`${file} imports ${target}`];
  });
};

test('every folder imports only what the table allows', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(breaches)).toEqual([]);
});

test('no code but the catalogue of rules, the demo and the command line, which speaks of members, knows a group by its name', () => {
  const groups = readdirSync(join(root, 'resources')).map((file) => file.replace(/\.json$/, ''));
  const hits = files
    .filter((file) => !['behaviours', 'commands', 'demo'].includes(placeOf(file)) && !file.includes('/generated/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
      return groups
        .filter((group) => new RegExp(`['"\`/]${group}['"\`/]`).test(text))
        .map((group) => `${file} names ${group}`);
    });
  expect(hits).toEqual([]);
});

test('one writer alone touches the rows of records', () => {
  const importers = (name: string): string[] =>
    files.filter((file) => importsOf(file).some((each) => each.endsWith(`/${name}`)));
  expect(importers('row-writer.ts')).toEqual(['src/engine/writer.ts']);
  expect(importers('list-writer.ts')).toEqual(['src/storage/row-writer.ts']);
});

/** Files whose code names a database engine, beside the engines' own, each with the reason. */
const namesEngines: Record<string, string> = {
  'src/storage/dialect.ts': 'says which names there are',
  'src/storage/dialects.ts': 'a table that does not compile without an engine',
  'src/storage/faults.ts': 'a table that does not compile without an engine',
  'src/storage/sequence.ts': 'a table that does not compile without an engine',
  'src/migration/editors.ts': 'a table that does not compile without an engine',
  'src/introspection/read.ts': 'a table that does not compile without an engine, and reads of databases of others',
  'src/storage/bind.ts': 'the one door for values into either driver',
  'src/storage/database.ts': 'reads DATABASE_URL',
  'src/config.ts': 'the default of DATABASE_URL',
  'src/cli.ts': 'an example of an address, for people',
  'src/demo/demo.ts': 'an example of an address, for people',
  'src/registry/check-tables.ts': 'what some engine would refuse in a table, for people',
};

test('what differs between engines stands in their own files, and nobody else asks which engine it is', () => {
  const isOwn = (file: string): boolean => /^src\/(?:storage|migration)\/(?:sqlite|mysql)[-.]/.test(file);
  const naming = files.filter((file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g, '');
    return /sqlite|mysql|mariadb|tidb/i.test(code) || /\bdialect(?:\.name)? *[!=]==|switch \([^)]*dialect/i.test(code);
  });
  expect(naming.filter((file) => !isOwn(file)).toSorted()).toEqual(Object.keys(namesEngines).toSorted());
});

test('what clients run on stands alone', () => {
  expect(importsOf('codegen/client.ts')).toEqual([]);
});
