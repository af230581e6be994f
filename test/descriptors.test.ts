// Wrong descriptors, each beside the exact faults it must give; and mutants of good ones, which load or give faults.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ruleSignatures } from '../src/behaviours/catalogue.ts';
import { endpointsOf, filtersOf } from '../src/endpoints/endpoint.ts';
import { compileCondition } from '../src/registry/condition.ts';
import { DescriptorFaults } from '../src/registry/faults.ts';
import type { Registry, RuleSignature } from '../src/registry/model.ts';
import { conditionNames } from '../src/registry/normalise.ts';
import { parameterNames } from '../src/registry/parameter-names.ts';
import { buildRegistry, loadRegistry } from '../src/registry/registry.ts';
import { parseSource, readSources, type Source } from '../src/registry/source.ts';
import { keywordShapes, type RawDescriptor } from '../src/registry/vocabulary.ts';
import { createTables } from '../src/storage/ddl.ts';
import { viewOf } from '../src/storage/group-view.ts';
import { isStored, tablesOf } from '../src/storage/tables.ts';
import { mutate, numbersFrom } from './descriptors/mutate.ts';

const root = join(import.meta.dirname, 'descriptors');
const product = join(import.meta.dirname, '../resources');

/** A small catalogue with every kind of argument, so that the cases stay what they are when the real one grows. */
const signatures: Readonly<Record<string, RuleSignature>> = {
  chain: { parameters: { owner: 'reference' } },
  count: { parameters: {} },
  inEffect: { parameters: { group: 'group' } },
  makes: { parameters: { group: 'group', values: 'values' } },
  rates: { compute: true, parameters: { day: 'parameter', into: 'field', of: 'group' } },
  prices: {
    compute: true,
    parameters: { into: 'field', of: 'group' },
    needs: { into: ['price'], of: ['names', 'name'] },
  },
  require: { parameters: { that: 'condition', field: 'field', must: 'text', on: 'text' }, optional: ['on'] },
  sum: { parameters: { of: 'fields' } },
  together: { parameters: { fields: 'fields' } },
};

/** A source whose faults name the file alone. */
function sourceOf(path: string): Source {
  const { source } = parseSource(basename(path), basename(path, '.json'), readFileSync(path, 'utf8'));
  if (source === undefined) throw new Error(`${path} is no JSON`);
  return source;
}
const sourcesOf = (folder: string): Source[] =>
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
  const build = (sources: readonly Source[]): Registry => {
    const own = new Set(sources.map(({ name }) => name));
    return buildRegistry([...sources, ...companions.filter(({ name }) => !own.has(name))], signatures);
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
  });
});

describe('files that are no descriptors', () => {
  const good = readFileSync(join(root, 'companions/keeper.json'), 'utf8');
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const texts: readonly [string, string | Buffer, string][] = [
    ['an empty file', '', 'x.json:1:1 /: is not valid JSON (ValueExpected)'],
    ['a comma too many', '{\n  "title": "X",\n}', 'x.json:3:1 /: is not valid JSON (PropertyNameExpected)'],
    ['a comment', '{\n  // here\n}', 'x.json:2:3 /: is not valid JSON (InvalidCommentToken)'],
    ['half a file', '{ "title":', 'x.json:1:11 /: is not valid JSON (ValueExpected)'],
    ['two values', '{}\n{}', 'x.json:2:1 /: is not valid JSON (EndOfFileExpected)'],
    ['a byte order mark', `\uFEFF${good}`, 'x.json:1:1 /: is not valid JSON (begins with a byte order mark)'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'x.json:1:1 /: is not UTF-8'],
    ['endless nesting', deep, 'x.json:1:65 /: is nested deeper than 64 levels'],
    ['another kind of value', '["title"]', 'x.json:1:1 /: must be object, found ["title"]'],
    [
      'keys that stand twice',
      good
        .replace('"title"', '"title": "Other",\n  "title"')
        .replace('"default": true', '"default": true, "default": false'),
      'x.json:3:3 /title: "title" stands twice in one object\nx.json:14:24 /properties/isActive/default: "default" stands twice in one object',
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

describe('the dialect', () => {
  const dialect = JSON.parse(readFileSync(new URL('../src/registry/dialect.json', import.meta.url), 'utf8'));

  test('is a JSON Schema itself', () => {
    expect(new Ajv2020({ strict: true, allowUnionTypes: true }).validateSchema(dialect)).toBe(true);
  });

  test('has the keywords of the vocabulary', () => {
    expect(Object.keys(dialect.$defs.field.properties).toSorted()).toEqual(Object.keys(keywordShapes).toSorted());
  });
});

describe('conditions over null', () => {
  const names = conditionNames({
    count: { type: ['integer', 'null'] },
    flag: { type: ['boolean', 'null'] },
    cost: { type: ['number', 'null'], format: 'money' },
  });
  const holds = (source: string, values: Record<string, number | boolean | string | null>): boolean => {
    const condition = compileCondition(source, names);
    if (typeof condition === 'string') throw new Error(condition);
    return condition.test(values);
  };

  test('a comparison that null makes impossible does not hold', () => {
    expect(holds('count > 3.0', { count: null })).toBe(false);
    expect(holds('count > 3', { count: 4 })).toBe(true);
    expect(holds('!flag', { flag: null })).toBe(false);
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
    const times = [1, 2, 3].map(() => {
      const start = performance.now();
      expect(faultsOf(() => loadRegistry(product, ruleSignatures))?.message).toBeUndefined();
      return performance.now() - start;
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
    for (const table of tablesOf(registry)) createTables([table], [], { dialect: 'sqlite', collation: '' });
    for (const resource of registry.resources.values()) if (isStored(resource)) viewOf(registry, resource);
  };
  const folders: readonly [string, string, number][] = [
    ['the product', product, 1000],
    ['every kind of field', join(import.meta.dirname, 'resources'), 200],
  ];

  // Each may take a second of work by itself; under load all take several times what they take alone.
  const timeout = Math.max(...folders.map(([, , rounds]) => rounds * 300));
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
      expect((user + system) / 1000, context).toBeLessThan(1000);
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
