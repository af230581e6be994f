// Wrong descriptors, each beside the exact faults it must give; and mutants of good ones, which load or give faults.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { endpointsOf, filtersOf } from '../../src/endpoints/routes/endpoint.ts';
import { parameterNames } from '../../src/registry/check/groups/parameter-names.ts';
import { forms } from '../../src/registry/check/groups/pattern-words.ts';
import { compileCondition } from '../../src/registry/formulas/conditions.ts';
import { Shapes } from '../../src/registry/formulas/shapes.ts';
import { DescriptorFaults, saidOf } from '../../src/registry/model/faults.ts';
import type { Registry, RuleSignature } from '../../src/registry/model/model.ts';
import type { ParameterType } from '../../src/registry/model/parameters.ts';
import { formatNames, keywordNames, type RawDescriptor } from '../../src/registry/model/vocabulary.ts';
import { jsonFault } from '../../src/registry/read/json-fault.ts';
import { type DescriptorSource, parseSource, readSources } from '../../src/registry/read/source.ts';
import { buildRegistry, loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { isStored, tablesOf } from '../../src/storage/schema/tables.ts';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { createTables } from '../../src/storage/statements/ddl.ts';
import { viewOf } from '../../src/storage/statements/group-view.ts';
import { fewer } from '../support/run/part.ts';
import { mutate, numbersFrom } from './mutate.ts';

const root = join(import.meta.dirname, 'faults');
const product = join(import.meta.dirname, '../../resources');

/** A small catalogue, so that the cases stay what they are when the real one grows; those of `catalogue-*` go by the real one. */
const signatures: Readonly<Record<string, RuleSignature>> = {
  chain: { parameters: { owner: 'reference' } },
  count: { parameters: {}, gives: { field: 'integer' } },
  makes: { parameters: { group: 'group', values: 'values' } },
  rates: { compute: true, parameters: { day: 'parameter', into: 'field', of: 'group' } },
  numbers: { parameters: { field: { field: 'integer', filled: true } } },
  prices: {
    compute: true,
    parameters: { into: 'field', of: 'group' },
    needs: { into: { price: 'any' }, of: { names: 'any', name: 'text' } },
  },
  require: { parameters: { that: 'condition', field: 'field', must: 'text', on: 'text' }, optional: ['on'] },
  sum: { parameters: { of: 'fields' }, gives: { field: 'number' } },
  together: { parameters: { fields: 'fields' } },
};

/** A source whose faults name the file alone. */
function sourceOf(path: string): DescriptorSource {
  const { source } = parseSource(basename(path), basename(path, '.json'), readFileSync(path, 'utf8'));
  if (source === undefined) throw new Error(`${path} is no JSON`);
  return source;
}
const sourcesOf = (folder: string): DescriptorSource[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => sourceOf(join(folder, name)));

/** The faults of a build; undefined when it succeeds. Any other error is passed on. */
function faultsOf(build: () => unknown): DescriptorFaults | undefined {
  try {
    build();
    return undefined;
  } catch (error) {
    if (error instanceof DescriptorFaults) return error;
    throw error;
  }
}

describe('wrong descriptors', () => {
  // Groups that the cases refer to; a case may bring its own in their place.
  const companions = sourcesOf(join(root, 'companions'));
  const build = (sources: readonly DescriptorSource[]): Registry => {
    const own = new Set(sources.map(({ name }) => name));
    const isOfCatalogue = sources.some(({ name }) => name.startsWith('catalogue-'));
    const catalogue = isOfCatalogue ? ruleSignatures : signatures;
    return buildRegistry([...sources, ...companions.filter(({ name }) => !own.has(name))], catalogue);
  };
  const cases = readdirSync(root).filter((name) => name.endsWith('.faults'));

  test('the groups beside the cases load', () => {
    expect(build([]).resources.size).toBe(companions.length);
  });

  test('every case has its faults', () => {
    const named = readdirSync(root)
      .filter((name) => !/\.(?:faults|ts)$/.test(name) && name !== 'companions')
      .map((name) => `${basename(name, '.json')}.faults`);
    expect(cases.toSorted()).toEqual(named.toSorted());
  });

  test.each(cases)('%s', (name) => {
    const path = join(root, basename(name, '.faults'));
    const isFile = readdirSync(root).includes(`${basename(path)}.json`);
    const found = faultsOf(() => build(isFile ? [sourceOf(`${path}.json`)] : sourcesOf(path)));
    expect(found?.message.split('\n')).toEqual(readFileSync(`${path}.faults`, 'utf8').trimEnd().split('\n'));
    for (const { rule, text } of found?.faults ?? []) {
      expect(rule, text).not.toBe('descriptor');
      expect(saidOf({ text, excerpt: '' }).message, text).not.toMatch(/; |^$/);
    }
  });
});

test('no rule of the catalogue is content with any value', () => {
  const words: readonly unknown[] = ['field', 'fields', 'reference', 'parameter', 'values'];
  const loose = (type: ParameterType): boolean => {
    if (typeof type === 'string') return words.includes(type);
    if ('list' in type) return loose(type.list);
    if ('map' in type) return loose(type.map) || loose(type.to);
    if ('object' in type) return Object.values(type.object).some(loose);
    return 'either' in type && type.either.some(loose);
  };
  const found = Object.entries(ruleSignatures).flatMap(([rule, { parameters }]) =>
    Object.entries(parameters).flatMap(([name, type]) => (loose(type) ? [`${rule}.${name}`] : [])),
  );
  expect(found).toEqual([]);
});

describe('files that are no descriptors', () => {
  const good = readFileSync(join(root, 'companions/keeper.json'), 'utf8');
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  /** The fault of a text that is no JSON, with the line and the mark below it. */
  const told = (place: string, words: string, line: string, mark: number): string =>
    `x.json:${place} /: is not valid JSON: ${words}\n    ${line}\n    ${' '.repeat(mark)}^`;
  const texts: readonly [string, string | Buffer, string][] = [
    ['an empty file', '', 'x.json:1:1 /: is not valid JSON: the file is empty'],
    [
      'a byte order mark',
      `\uFEFF{}`,
      'x.json:1:1 /: is not valid JSON: begins with a byte order mark; save it without\n    {}\n    ^',
    ],
    ['two values', '{}\n{}', 'x.json:2:1 /: is not valid JSON: the file continues after its end\n    {}\n    ^'],
    ['half a file', '{ "title":', told('1:11', 'a value is missing here', '{ "title":', 10)],
    ['a comma too many', '{\n  "title": "X",\n}', told('2:15', 'extra comma; no name follows', '"title": "X",', 12)],
    [
      'a comma too many in a list',
      '{ "a": [1,] }',
      told('1:10', 'a comma too many: no value follows', '{ "a": [1,] }', 9),
    ],
    [
      'a missing comma',
      '{\n  "title": "X"\n  "type": "object"\n}',
      told('2:15', 'a comma is missing here', '"title": "X"', 12),
    ],
    ['a missing colon', '{ "a" 1 }', told('1:6', 'a colon is missing after "a"', '{ "a" 1 }', 5)],
    [
      'a missing brace',
      '{\n  "a": {\n    "b": 1\n}',
      told('4:2', '"}" is missing: what line 1 opens is not closed', '}', 1),
    ],
    [
      'a brace for a bracket',
      '{ "a": [1 }',
      told('1:10', '"]" is missing: what line 1 opens is not closed', '{ "a": [1 }', 9),
    ],
    [
      'a stray quotation mark',
      '{ "title": "Re"sources" }',
      told(
        '1:15',
        String.raw`the text ends at this quotation mark, and more follows; one inside a text is \"`,
        '{ "title": "Re"sources" }',
        14,
      ),
    ],
    [
      'a text that does not end',
      '{\n  "title": "X,\n  "type": 1\n}',
      told('2:12', 'the text that starts here has no closing quotation mark on its line', '"title": "X,', 9),
    ],
    [
      'a tab in a text',
      '{ "a": "x\ty" }',
      told(
        '1:8',
        String.raw`the text that starts here has a tab or another control character in it; a tab is \t`,
        '{ "a": "x y" }',
        7,
      ),
    ],
    [
      'a name without quotation marks',
      '{ title: 1 }',
      told('1:3', 'the name title must be in double quotes', '{ title: 1 }', 2),
    ],
    ['single quotation marks', `{ "a": 'x' }`, told('1:8', 'texts must be in double quotes', `{ "a": 'x' }`, 7)],
    [
      'a word of another language',
      '{ "a": True }',
      told('1:8', 'True is not a value; did you mean "true"?', '{ "a": True }', 7),
    ],
    [
      'a number of another language',
      '{ "a": .5 }',
      told('1:8', '.5 is not a value; numbers are written 0.5, -1, 20', '{ "a": .5 }', 7),
    ],
    ['a comment', '{\n  // here\n}', told('2:3', 'JSON has no comments; use "description"', '// here', 0)],
    [
      'a long line',
      `{ "a": "${'x'.repeat(200)}" "b": "${'y'.repeat(200)}" }`,
      told('1:210', 'a comma is missing here', `…${'x'.repeat(49)}" "b": "${'y'.repeat(43)}…`, 51),
    ],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'x.json:1:1 /: is not UTF-8'],
    ['endless nesting', deep, 'x.json:1:65 /: is nested deeper than 64 levels'],
    ['another kind of value', '["title"]', 'x.json:1:1 /: must be object, found ["title"]'],
    [
      'keys that stand twice',
      good
        .replace('"title"', '"title": "Other",\n  "title"')
        .replace('"default": true', '"default": true, "default": false'),
      'x.json:3:3 /title: "title" is twice in one object\nx.json:14:24 /properties/isActive/default: "default" is twice in one object',
    ],
  ];
  test.each(texts)('%s', (_name, text, faults) => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-descriptors-'));
    try {
      writeFileSync(join(folder, 'x.json'), text);
      const found = faultsOf(() => loadRegistry(folder, signatures));
      expect(found?.message.replaceAll(`${folder}/`, '')).toBe(faults);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('every text that is no JSON has a place where it goes wrong, and every other has none', () => {
  const good = JSON.stringify(JSON.parse(readFileSync(join(root, 'companions/keeper.json'), 'utf8')), undefined, 1);
  const numbers = numbersFrom(7);
  const upTo = (bound: number): number => Math.floor(numbers() * bound);
  const signs = ['"', "'", '\\', '{', '}', '[', ']', ',', ':', '0', '.', '-', 'e', 'x', '\n', '\t', '/', ' ', 'true'];
  let wrong = 0;
  for (let round = 0; round < 5000; round++) {
    const [place, removed, added] = [upTo(good.length), upTo(3), upTo(3)];
    const signsAdded = Array.from({ length: added }, () => signs[upTo(signs.length)]).join('');
    const text = `${good.slice(0, place)}${signsAdded}${good.slice(place + removed)}`;
    const fault = jsonFault(text);
    let isGood = true;
    try {
      JSON.parse(text);
    } catch {
      isGood = false;
      wrong++;
    }
    expect(fault === undefined, text).toBe(isGood);
    if (fault !== undefined) expect(fault.offset >= 0 && fault.offset <= text.length, text).toBe(true);
  }
  expect(wrong).toBeGreaterThan(2000);
});

describe('a folder of descriptors', () => {
  const faultsWith = (make: (folder: string) => void): string | undefined => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-descriptors-'));
    try {
      for (const name of ['keeper.json', 'label.json', 'settings.json'])
        copyFileSync(join(root, 'companions', name), join(folder, name));
      make(folder);
      return faultsOf(() => loadRegistry(folder, signatures))?.message.replaceAll(`${folder}/`, '');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const strangers: readonly (readonly [name: string, told: string])[] = [
    ['customer.JSON', 'must end in ".json"; rename it to "customer.json"'],
    ['customer.yaml', 'is not JSON; convert it to "customer.json"'],
    ['customer.yml', 'is not JSON; convert it to "customer.json"'],
    ['customer.jsonc', 'is not JSON; convert it to "customer.json"'],
    ['customer', 'is not a descriptor; rename it to "customer.json", or move it to another folder'],
    ['customer.txt', 'is not a descriptor; rename it to "customer.json", or move it to another folder'],
  ];

  test.each(strangers)('%s is told', (name, told) => {
    expect(faultsWith((folder) => writeFileSync(join(folder, name), '{}'))).toBe(`${name}:1:1 /: ${told}`);
  });

  test('folders in it are told, whatever they are called', () => {
    const told = 'is a folder, which is not searched for descriptors; move its files one level up';
    const made = faultsWith((folder) => {
      for (const name of ['old', 'sales.json']) mkdirSync(join(folder, name));
    });
    expect(made).toBe(`old:1:1 /: ${told}\nsales.json:1:1 /: ${told}`);
  });

  test('a link to nothing is told', () => {
    const made = faultsWith((folder) => symlinkSync(join(folder, 'nowhere'), join(folder, 'lost.json')));
    expect(made).toBe('lost.json:1:1 /: is a broken link; repair or remove it');
  });

  test('what nobody means to be a descriptor is passed over', () => {
    const names = [
      ...['.DS_Store', '.label.json.swp', 'label.json~', '#label.json#', 'label.json.orig', 'README.md'],
      ...[
        '4913',
        'sedAb12Xy',
        'label.json___jb_tmp___',
        'label.json.tmp.4711.20',
        'label.json.1234567',
        'label.json.vsctmp',
      ],
    ];
    const made = faultsWith((folder) => {
      for (const name of names) writeFileSync(join(folder, name), 'x');
      mkdirSync(join(folder, '.git'));
    });
    expect(made).toBeUndefined();
  });
});

describe('the dialect', () => {
  const dialect = JSON.parse(readFileSync(new URL('../../src/registry/dialect.json', import.meta.url), 'utf8'));

  test('is a JSON Schema itself', () => {
    expect(new Ajv2020({ strict: true, allowUnionTypes: true }).validateSchema(dialect)).toBe(true);
  });

  test('has no form of a word that faults do not tell in words', () => {
    const patterns = [...JSON.stringify(dialect).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
      ([, pattern = '']) => JSON.parse(pattern) as string,
    );
    expect([...new Set(patterns)].toSorted()).toEqual(Object.keys(forms).toSorted());
  });

  test('has the keywords and formats of the vocabulary', () => {
    expect(Object.keys(dialect.$defs.field.properties).toSorted()).toEqual(keywordNames.toSorted());
    expect(dialect.$defs.field.properties.format.enum.toSorted()).toEqual(formatNames.toSorted());
  });
});

describe('conditions over null', () => {
  const properties = {
    count: { type: ['integer', 'null'] },
    flag: { type: ['boolean', 'null'] },
    cost: { type: ['number', 'null'], format: 'money' },
  } as const;
  const scope = new Shapes(
    new Map([['note', { title: 'Note', description: '', properties, resource: { path: '/notes', operations: [] } }]]),
  ).scope('note');
  const holds = (source: string, values: Record<string, number | boolean | string | null>): boolean => {
    const condition = compileCondition(source, scope);
    if (typeof condition !== 'object') throw new Error(condition);
    return condition.test(values);
  };

  test('a comparison that null makes impossible does not hold', () => {
    expect(holds('count > 3.0', { count: null })).toBe(false);
    expect(holds('count > 3', { count: 4 })).toBe(true);
    expect(holds('!flag', { flag: null })).toBe(true);
    expect(holds('flag && count == 1', { flag: null, count: 1 })).toBe(false);
  });

  test('null itself can be asked for', () => {
    expect(holds('cost == null', {})).toBe(true);
    expect(holds('cost != null', { cost: '1' })).toBe(true);
    expect(holds('count != null && count > 3.0', { count: null })).toBe(false);
    expect(holds('count == null || count > 3.0', { count: null })).toBe(true);
  });
});

describe('the descriptors of the product', () => {
  test('load without a fault, in less than 400 ms', () => {
    const times = [1, 2, 3, 4, 5, 6].map(() => {
      // Of the processor: others run beside it.
      const start = process.cpuUsage();
      expect(faultsOf(() => loadRegistry(product, ruleSignatures))?.message).toBeUndefined();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(400);
  });

  test('give the query parameters that the checks compared', () => {
    const { resources } = loadRegistry(product, ruleSignatures);
    for (const { name, data } of readSources(product).sources) {
      const resource = resources.get(name);
      const served = resource === undefined ? [] : filtersOf(resource).map((filter) => filter.name);
      expect(parameterNames(data as RawDescriptor).flatMap(({ names }) => names)).toEqual(served);
    }
  });
});

describe('mutants', () => {
  /** Whatever loads must be good for routes, tables and statements too. */
  const use = (registry: Registry): void => {
    endpointsOf(registry);
    for (const table of tablesOf(registry)) createTables([table], [], sqliteDialect);
    for (const resource of registry.resources.values()) if (isStored(resource)) viewOf(registry, resource);
  };
  const folders: readonly [string, string, number][] = [
    ['the product', product, fewer(75, 250)],
    ['every kind of field', join(import.meta.dirname, '../resources'), fewer(100, 200)],
  ];

  // Each may take a second of work by itself; under load all take several times what they take alone.
  const timeout = Math.max(120_000, ...folders.map(([, , rounds]) => rounds * 300));
  test.each(folders)('of %s load, or say where they are wrong', { timeout }, (_name, folder, rounds) => {
    const { sources } = readSources(folder);
    const numbers = numbersFrom(81);
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const index = Math.floor(numbers() * sources.length);
      const chosen = sources[index];
      if (chosen === undefined) continue;
      const text = mutate(chosen.data, numbers);
      const start = process.cpuUsage();
      const found = faultsOf(() => {
        const { source, faults } = parseSource(chosen.file, chosen.name, text);
        use(
          buildRegistry(
            source === undefined ? sources.toSpliced(index, 1) : sources.with(index, source),
            ruleSignatures,
            faults,
          ),
        );
      });
      const context = `round ${round}, ${chosen.name}:\n${found?.message}\n${text}`;
      const { user, system } = process.cpuUsage(start);
      // What takes far longer than others; collecting the garbage of all of them takes up to a second by itself.
      expect((user + system) / 1000, context).toBeLessThan(5000);
      if (found === undefined) continue;
      refused++;
      expect(found.faults.length, context).toBeGreaterThan(0);
      for (const { file, line, column, pointer, text: words } of found.faults) {
        expect(file.endsWith('.json') && line >= 1 && column >= 1 && /^(?:\/|$)/.test(pointer), context).toBe(true);
        expect(words.length, context).toBeGreaterThan(0);
      }
    }
    // Most changes of a good descriptor make it a wrong one; a check that lets all through would be none.
    expect(refused).toBeGreaterThan(rounds / 2);
  });
});
