// Who may import whom. When this fails: move the code to where its imports are allowed, or change the table here and the
// map in the guide for contributors in a commit of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Folder or file of src, or codegen → what of ours, and which packages, it may import. */
const allowed: Record<string, { ours: readonly string[]; packages: readonly string[] }> = {
  values: { ours: [], packages: ['decimal.js', 're2js', 'uuid'] },
  // Importable from everywhere.
  unreachable: { ours: [], packages: [] },
  problems: { ours: [], packages: [] },
  'configuration-fault': { ours: [], packages: [] },
  admission: { ours: ['problems'], packages: [] },
  text: { ours: ['values'], packages: [] },
  formulas: { ours: ['text', 'values'], packages: ['@marcbachmann/cel-js'] },
  registry: { ours: ['formulas', 'text', 'values'], packages: ['ajv', 'jsonc-parser'] },
  access: { ours: ['formulas', 'registry', 'problems', 'configuration-fault', 'text', 'values'], packages: [] },
  facts: { ours: ['formulas', 'registry', 'values'], packages: [] },
  rules: { ours: ['facts', 'formulas', 'registry', 'problems', 'values'], packages: [] },
  endpoints: { ours: ['formulas', 'registry', 'problems', 'values'], packages: ['ajv', 'ajv-formats'] },
  request: { ours: ['access', 'registry', 'endpoints', 'problems', 'text', 'values'], packages: [] },
  metrics: { ours: ['admission', 'endpoints', 'problems'], packages: ['prom-client'] },
  storage: {
    ours: [
      'access',
      'formulas',
      'registry',
      'endpoints',
      'request',
      'problems',
      'configuration-fault',
      'metrics',
      'values',
      'admission',
    ],
    packages: ['kysely', 'mysql2'],
  },
  migration: {
    ours: ['formulas', 'registry', 'storage', 'configuration-fault', 'text', 'values'],
    packages: ['jsonc-parser'],
  },
  engine: {
    ours: [
      'access',
      'formulas',
      'registry',
      'facts',
      'rules',
      'endpoints',
      'request',
      'storage',
      'problems',
      'configuration-fault',
      'values',
      'admission',
      'metrics',
    ],
    packages: [],
  },
  // Who signs in: above the engine, which reads the members.
  people: {
    ours: ['admission', 'configuration-fault', 'engine', 'problems', 'registry', 'storage', 'values'],
    packages: ['openid-client', 'pino'],
  },
  // The bytes of files, in a folder or in the database.
  files: { ours: ['configuration-fault', 'storage'], packages: [] },
  http: {
    ours: ['access', 'endpoints', 'request', 'problems', 'metrics', 'values', 'admission'],
    packages: ['koa', 'koa-compose', '@koa/router', 'pino', 'rate-limiter-flexible'],
  },
  past: { ours: ['endpoints', 'problems', 'registry', 'request', 'storage', 'text', 'values'], packages: [] },
  // What webhooks are sent: above the reading of the log.
  webhooks: {
    ours: ['endpoints', 'past', 'problems', 'registry', 'storage', 'text', 'values'],
    packages: ['pino'],
  },
  pages: { ours: ['formulas', 'registry', 'endpoints', 'text', 'values'], packages: ['marked'] },
  project: { ours: ['rules', 'configuration-fault', 'text'], packages: ['koa'] },
  // `pages`: what is served alike. Its browser part stands on formulas and values too, which are to run there.
  console: {
    // codegen: the importer, which is to run in browsers.
    ours: ['codegen', 'endpoints', 'formulas', 'pages', 'past', 'problems', 'registry', 'values'],
    packages: ['esbuild', 'preact', '@preact/signals', 'd3-array'],
  },
  config: { ours: ['rules', 'configuration-fault', 'project', 'registry', 'text', 'values'], packages: [] },
  changes: { ours: ['endpoints', 'registry', 'configuration-fault', 'values'], packages: [] },
  introspection: { ours: ['registry', 'storage', 'text', 'configuration-fault'], packages: [] },
  app: {
    ours: [
      'access',
      'admission',
      'config',
      'configuration-fault',
      'rules',
      'console',
      'endpoints',
      'engine',
      'facts',
      'files',
      'http',
      'pages',
      'people',
      'migration',
      'past',
      'problems',
      'registry',
      'request',
      'metrics',
      'storage',
      'text',
      'values',
      'webhooks',
    ],
    packages: ['koa', 'pino'],
  },
  library: {
    ours: [
      ...['access', 'app', 'config', 'configuration-fault', 'problems'],
      ...['facts', 'project', 'registry', 'rules', 'storage'],
    ],
    packages: [],
  },
  demo: {
    // codegen: its records are written with our own typed client, which proves the client and keeps the bodies right.
    ours: ['app', 'codegen', 'config', 'configuration-fault', 'endpoints', 'problems', 'request', 'values'],
    packages: [],
  },
  doctor: {
    ours: [
      'past',
      'access',
      'app',
      'config',
      'configuration-fault',
      'engine',
      'migration',
      'project',
      'registry',
      'storage',
      'values',
    ],
    packages: [],
  },
  commands: {
    ours: [
      'access',
      'app',
      'codegen',
      'config',
      'configuration-fault',
      'rules',
      'changes',
      'demo',
      'doctor',
      'endpoints',
      'files',
      'formulas',
      'introspection',
      'migration',
      'pages',
      'past',
      'people',
      'project',
      'registry',
      'storage',
      'text',
      'values',
    ],
    packages: ['@bomb.sh/tab', 'commander', 'pino'],
  },
  cli: { ours: ['commands', 'config', 'configuration-fault', 'project', 'registry'], packages: ['commander', 'pino'] },
  codegen: { ours: ['registry', 'rules', 'endpoints', 'values'], packages: ['json-schema-to-typescript'] },
};

/** All files of src and codegen, by their path in the project. */
const files = ['src', 'codegen'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

/** `src/storage/unit-of-work.ts` → storage, `src/app.ts` → app, `codegen/files.ts` → codegen. */
const placeOf = (file: string): string =>
  file
    .replace(/^src\//, '')
    .split('/')[0]
    ?.replace(/\.tsx?$/, '') ?? '';

/** Files of ours that a file imports. */
const targetsOf = (file: string): string[] =>
  importsOf(file).flatMap((name) => (name.startsWith('.') ? [relative(root, join(root, file, '..', name))] : []));

/** Groups of files that import each other, types included. */
function circles(): string[][] {
  const found: string[][] = [];
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): void => {
    indexes.set(file, indexes.size);
    lowest.set(file, indexes.size - 1);
    open.push(file);
    for (const target of targetsOf(file).filter((each) => files.includes(each))) {
      if (!indexes.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== indexes.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const file of files) if (!indexes.has(file)) visit(file);
  return found;
}

const breaches = (file: string): string[] => {
  const place = placeOf(file);
  const rule = allowed[place];
  if (rule === undefined) return [`${file} stands in no folder of the table`];
  return importsOf(file).flatMap((name) => {
    if (name.startsWith('node:') || /^(?:\.\.\/)+package\.json$/.test(name)) return [];
    if (!name.startsWith('.'))
      return rule.packages.some((known) => name === known || name.startsWith(`${known}/`))
        ? []
        : [`${file} imports the package ${name}`];
    const target = placeOf(relative(root, join(root, file, '..', name)));
    return target === place || target === 'unreachable' || rule.ours.includes(target)
      ? []
      : [`${file} imports ${target}`];
  });
};

test('every folder imports only what the table allows', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(breaches)).toEqual([]);
});

/** Rooms of a folder from the ground up: each imports only those before it, and the files of the folder itself stand on all. */
const roomsOf: Record<string, readonly string[]> = {
  'src/registry': ['model', 'upgrade', 'read', 'formulas', 'link', 'check', 'guide'],
  'src/registry/check': ['fields', 'groups', 'links'],
  'src/formulas': ['language', 'compile', 'analyse', 'evaluate', 'generate', 'words'],
  'src/engine': [
    ...['changes', 'log', 'plan', 'transaction', 'draft', 'figures', 'rules', 'upkeep', 'write'],
    ...['verify', 'day', 'read', 'sight', 'summary', 'export', 'restore', 'explain', 'access'],
  ],
  'src/storage': ['schema', 'formulas', 'sight', 'statements', 'rows', 'log', 'files', 'sqlite', 'mysql'],
  'src/rules': ['support', 'require'],
  'src/endpoints': ['values', 'routes', 'schemas', 'validation', 'document'],
  'src/http': ['request', 'reply', 'server'],
  'src/pages': ['site', 'words', 'parts', 'views'],
  'src/commands': ['output', 'descriptors', 'explain', 'database', 'data', 'service', 'completion'],
  'src/console/app': [
    'service',
    'browser',
    'values',
    'parts',
    'controls',
    'import',
    'grid',
    'views',
    'past',
    'record',
    'home',
    'frame',
  ],
  'src/console/app/grid': ['list', 'columns', 'rows', 'filters', 'many'],
  'src/console/app/views': ['shape', 'picture', 'board', 'calendar', 'chart', 'timeline'],
  'src/console/app/record': ['draft', 'explain', 'fields'],
  'src/demo': ['plan', 'data', 'areas'],
  'src/migration': ['plan', 'rows', 'editors', 'files', 'preflight', 'run'],
};

test('within a folder, rooms import downward only', () => {
  const upward = files.flatMap((file) =>
    Object.entries(roomsOf).flatMap(([folder, rooms]) => {
      const roomOf = (path: string): number => {
        if (!path.startsWith(`${folder}/`)) return -1;
        const [room, inside] = path.slice(folder.length + 1).split('/');
        return inside === undefined ? rooms.length : rooms.indexOf(room ?? '');
      };
      const own = roomOf(file);
      if (!file.startsWith(`${folder}/`)) return [];
      return targetsOf(file)
        .filter((target) => files.includes(target))
        .flatMap((target) => (roomOf(target) > own ? [`${file} imports ${target}`] : []));
    }),
  );
  expect(upward).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(circles()).toEqual([]);
});

const mostFilesInRoom = 14;
const mostLines = 400;

/** Longer files, each with the reason. */
const longFiles: Readonly<Record<string, string>> = {
  'codegen/client.ts': 'is shipped as one file that imports nothing',
  'src/registry/formulas/shapes.ts': 'a table: what each kind of field is to formulas',
  'src/registry/model/kinds.ts': 'a table: one row a kind of field',
  'src/registry/model/model.ts': 'types alone: the model of descriptors',
};

/** Written by hand. */
const ownFiles = files.filter((file) => !file.includes('/generated/'));

test('a room holds few enough files to be read in one sitting: else give it rooms of its own', () => {
  const rooms = Map.groupBy(ownFiles, dirname);
  const full = [...rooms].filter(([, { length }]) => length > mostFilesInRoom);
  expect(full.map(([room, { length }]) => `${room} has ${length} files`)).toEqual([]);
});

test('a room of tests holds few enough files, too', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const rooms = Map.groupBy(
    tests.filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules')),
    dirname,
  );
  expect(rooms.has('access')).toBe(true);
  const full = [...rooms].filter(([, { length }]) => length > mostFilesInRoom);
  expect(full.map(([room, { length }]) => `test/${room} has ${length} tests`)).toEqual([]);
});

test('a file is short enough to be read in one sitting: else split it where its matter changes', () => {
  const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
  const long = ownFiles.filter((file) => linesOf(file) > mostLines);
  expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
});

/** Caches beside what they are about, in rooms that every write passes, each with the reason. */
const hiddenCaches: Readonly<Record<string, string>> = {
  'src/engine/draft/moment.ts': 'what rules are handed of a draft, made when the first one asks: drafts know no rules',
  'src/facts/found-values.ts': 'the values of a list that was read, for as long as its transaction holds the list',
};

test('what follows from descriptors is kept in the plan or the model, and not in caches beside them', () => {
  const among = files.filter((file) => ['engine', 'facts', 'rules'].includes(placeOf(file)));
  const caching = among.filter((file) => /^const .*new WeakMap\b/m.test(readFileSync(join(root, file), 'utf8')));
  expect(caching.toSorted()).toEqual(Object.keys(hiddenCaches).toSorted());
});

test('all that loads the descriptors of a configuration knows the rules of its project', () => {
  // They ask `registryOf`; introspect only looks at drafts of its own.
  const among = files.filter((file) => ['app', 'commands', 'demo'].includes(placeOf(file)));
  const asking = among.filter((file) =>
    importsOf(file).some((name) => /\/(?:registry\/registry|rules\/catalogue)\.ts$/.test(name)),
  );
  expect(asking).toEqual([
    ...['src/app/praxis.ts', 'src/app/registry.ts', 'src/app/workspace.ts', 'src/commands/descriptors/introspect.ts'],
  ]);
});

// --- Nobody but the demo knows a group, or a field that is one group's own

const withoutComments = (text: string): string => text.replaceAll(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g, '');

/** Code that knows no group: by file, without its comments. */
const generalCode = new Map(
  files
    .filter((file) => placeOf(file) !== 'demo' && !file.includes('/generated/'))
    .map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
);

/** What of a descriptor tells its fields. */
interface Described {
  readonly properties: Readonly<Record<string, FieldOf>>;
  readonly resource: { readonly path: string };
}
type FieldOf = true | (Partial<Pick<Described, 'properties'>> & { as?: string; reference?: string; items?: FieldOf });

const descriptors = new Map(
  readdirSync(join(root, 'resources'))
    .filter((file) => file.endsWith('.json'))
    .map((file): [string, Described] => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(root, 'resources', file), 'utf8')),
    ]),
);

/** Words that name a group: its name, its path, the collection of its records in formulas. */
const groupWords = [...descriptors].flatMap(([name, { resource }]) => {
  const collection = resource.path.slice(1).replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  return [name, resource.path, resource.path.slice(1), collection];
});

/** Names and keys of the fields that formulas and bodies know, those inside fields too. */
const fieldWords = ({ properties }: Pick<Described, 'properties'>): string[] =>
  Object.entries(properties).flatMap(([name, field]) => {
    if (field === true) return [];
    const inside = field.properties ?? (typeof field.items === 'object' ? field.items.properties : undefined);
    const key = field.reference !== undefined && field.as !== 'id' ? [`${name}Id`] : [];
    return [name, ...key, ...(inside === undefined ? [] : fieldWords({ properties: inside }))];
  });

/** Words of the language: what every list, text or number has by that name. */
const builtIn = new Set(
  [Array, Map, Set, String, Number, Promise, Date, RegExp, Error, Object, Function].flatMap((type) => [
    ...Object.getOwnPropertyNames(type),
    ...Object.getOwnPropertyNames(type.prototype),
  ]),
);

/** Words that the code gives to things of its own: members of its types, its functions and values. */
const declared = new Set(
  [...generalCode.values()].flatMap((text) =>
    [
      ...text.matchAll(/(?:readonly|const|let|function|get|static|async) #?([a-zA-Z]\w*)/g),
      ...text.matchAll(/^\s+#?([a-zA-Z]\w*)\??(?:\(|: [A-Z(])/gm),
    ].map(([, word = '']) => word),
  ),
);

/** Words that mean something else here, each with what. */
const otherMeanings: Readonly<Record<string, string>> = {
  icon: 'the picture of a page, in HTML',
  position: 'the column for the place of an item, in the tables of lists',
};

/** Fields that only one group has, and whose words say nothing else to the code. */
const ownFields = (() => {
  const owners = Map.groupBy(
    [...descriptors].flatMap(([group, each]) => [...new Set(fieldWords(each))].map((word) => ({ group, word }))),
    ({ word }) => word,
  );
  return [...owners]
    .filter(([word, { length }]) => length === 1 && word.length > 2)
    .map(([word]) => word)
    .filter((word) => !builtIn.has(word) && !declared.has(word) && !Object.hasOwn(otherMeanings, word));
})();

const anyOf = (words: readonly string[]): string => `(?:${words.join('|')})`;
const isGroup = new RegExp(`['"\`/](${anyOf(groupWords)})['"\`/]`, 'g');
/** A field is taken by its name (`record.name`, `{ name } = record`), or the name is quoted. */
const isField = new RegExp(
  `\\.(${anyOf(ownFields)})\\b|['"\`](${anyOf(ownFields)})['"\`]|\\{[^{}()]*\\b(${anyOf(ownFields)})\\b[^{}()]*\\} =`,
  'g',
);

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, ...words]) => words.filter((word) => word !== undefined));
const groupsIn = (text: string): string[] => found(text, isGroup);
const fieldsIn = (text: string): string[] => found(text, isField);

/** Examples for people, who know these groups. */
const speaksToPeople: Readonly<Record<string, string>> = {
  'src/past/parameters.ts': 'a parameter that says who wrote',
  'src/pages/views/changes-page.ts': 'a parameter that says who wrote',
  'src/pages/topics.ts': 'the guide to the typed client is called so',
  'src/app/access/access-answer.ts': 'the interface calls who acts so, in the query',
  'src/endpoints/document/access.ts': 'the interface calls who acts so, in the query',
  'src/endpoints/document/log/changes.ts': 'a parameter that says who wrote',
  'src/endpoints/document/sign-in.ts': 'a session is of a member, as the answer tells',
  'src/commands/descriptors/new.ts': 'an example of a name of two words',
  'src/commands/database/token.ts': 'a token belongs to a member, as people are told',
  'src/commands/administration.ts': 'commands about who signs in are called `praxis member`',
};

test('no code but the demo knows a group by its name', () => {
  const naming = [...generalCode].filter(([, text]) => groupsIn(text).length > 0).map(([file]) => file);
  expect(naming.toSorted()).toEqual(Object.keys(speaksToPeople).toSorted());
});

test('no code but the demo knows a field that is one group’s own', () => {
  expect(ownFields.length).toBeGreaterThan(100);
  expect([...generalCode].flatMap(([file, text]) => fieldsIn(text).map((word) => `${file} knows ${word}`))).toEqual([]);
});

test('code that knows a group or its field would be found', () => {
  expect(groupsIn("await records.list('exchange-rate-period', {})")).toEqual(['exchange-rate-period']);
  expect(groupsIn("fetch('/exchange-rate-periods')")).toEqual(['/exchange-rate-periods']);
  expect(groupsIn("scope.collection('exchangeRatePeriods')")).toEqual(['exchangeRatePeriods']);
  expect(fieldsIn("const pair = period.toCurrency + '/' + main;")).toEqual(['toCurrency']);
  expect(fieldsIn("const needs = { count: 'discountRatio' };")).toEqual(['discountRatio']);
  expect(fieldsIn('const { discountRatio = 0 } = values;')).toEqual(['discountRatio']);
  expect(fieldsIn('const ratio = values[key];')).toEqual([]);
});

test('one writer alone touches the rows of records', () => {
  const importers = (name: string): string[] =>
    files.filter((file) => importsOf(file).some((each) => each.endsWith(`/${name}`)));
  expect(importers('row-writer.ts')).toEqual(['src/engine/changes/writer.ts']);
  expect(importers('list-writer.ts')).toEqual(['src/storage/rows/row-writer.ts']);
});

/** Files whose code names a database engine, beside the engines' own, each with the reason. */
const namesEngines: Record<string, string> = {
  'src/storage/schema/dialect.ts': 'says which names there are',
  'src/storage/dialects.ts': 'a table that does not compile without an engine',
  'src/storage/errors.ts': 'a table that does not compile without an engine',
  'src/storage/sequence.ts': 'a table that does not compile without an engine',
  'src/migration/editors/editors.ts': 'a table that does not compile without an engine',
  'src/introspection/read.ts': 'a table that does not compile without an engine, and reads of databases of others',
  'src/storage/database.ts': 'reads DATABASE_URL',
  'src/config.ts': 'the default of DATABASE_URL',
  'src/commands/program.ts': 'an example of an address, for people',
  'src/demo/demo.ts': 'an example of an address, for people',
  'src/registry/check/groups/tables.ts': 'what some engine would refuse in a table, for people',
};

test('what differs between engines stands in their own files, and nobody else asks which engine it is', () => {
  const isOwn = (file: string): boolean => /^src\/(?:storage|migration)\/(?:[a-z]+\/)?(?:sqlite|mysql)[-./]/.test(file);
  const naming = files.filter((file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g, '');
    return /sqlite|mysql|mariadb|tidb/i.test(code) || /\bdialect(?:\.name)? *[!=]==|switch \([^)]*dialect/i.test(code);
  });
  expect(naming.filter((file) => !isOwn(file)).toSorted()).toEqual(Object.keys(namesEngines).toSorted());
});

test('what clients run on stands alone', () => {
  expect(importsOf('codegen/client.ts')).toEqual([]);
});
