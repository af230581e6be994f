// What the meta-schema gives to whoever writes descriptors in an editor: a text for every keyword and every value, and
// snippets that are right as they stand. What it checks is in descriptors.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DescriptorFaults } from '../../src/registry/model/faults.ts';
import type { ParameterType } from '../../src/registry/model/parameters.ts';
import { type DescriptorSource, parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { answerNames } from '../../src/rules/require/require-arguments.ts';

interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: unknown;
}

/** A schema, as far as editors read it. */
interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly defaultSnippets?: readonly Snippet[];
}

const dialect = JSON.parse(readFileSync(new URL('../../src/registry/dialect.json', import.meta.url), 'utf8'));
const { field, resource, arguments: args } = dialect.$defs;

/** Every schema inside a schema, with the way to it; what stands in snippets and examples is none. */
function* schemasIn(schema: object, way = ''): Generator<readonly [string, Schema]> {
  yield [way, schema];
  for (const [key, inner] of Object.entries(schema))
    if (typeof inner === 'object' && inner !== null && !['defaultSnippets', 'examples', 'enum', 'if'].includes(key))
      yield* schemasIn(inner, `${way}/${key}`);
}
const schemas = [...schemasIn(dialect)];

test('every keyword has a text where it is written', () => {
  const keywords = schemas.flatMap(([way, { properties }]) =>
    way.endsWith('/properties') ? [] : Object.entries(properties ?? {}).map(([key, each]) => [`${way}/${key}`, each]),
  ) as [string, Schema][];
  expect(keywords.length).toBeGreaterThan(150);
  expect(keywords.filter(([, each]) => each.description === undefined).map(([way]) => way)).toEqual([]);
});

test('every value that a keyword can have has a text', () => {
  const bare = schemas.flatMap(([way, { enum: values, markdownEnumDescriptions: texts }]) =>
    values === undefined || values.length === texts?.length ? [] : [way],
  );
  // What a field holds goes by JSON Schema's own words.
  expect(bare).toEqual(['/$defs/type']);
});

describe('rules of the catalogue', () => {
  const told = new Map<string, { description: string; properties: Record<string, Schema> }>(
    args.allOf.map((each: { if: { properties: { use: { const: string } } }; then: object }) => [
      each.if.properties.use.const,
      each.then,
    ]),
  );

  test('are all told, with their arguments', () => {
    expect([...told.keys()]).toEqual(Object.keys(ruleSignatures));
    for (const [name, { says, parameters }] of Object.entries(ruleSignatures)) {
      const { use, ...others } = told.get(name)?.properties ?? {};
      expect([use?.description, told.get(name)?.description], name).toEqual([says, says]);
      expect(Object.keys(others).toSorted(), name).toEqual(Object.keys(parameters).toSorted());
    }
  });

  test('are offered where they can stand', () => {
    const standing = (where: 'rules' | 'computedBy' | 'computed'): string[] =>
      Object.entries(ruleSignatures).flatMap(([name, { gives, compute }]) =>
        (compute !== undefined ? 'computed' : gives !== undefined ? 'computedBy' : 'rules') === where ? [name] : [],
      );
    const offered = ({ properties, defaultSnippets }: Schema): string[] => {
      const examples = (properties?.['use']?.examples ?? []) as string[];
      const snippets = (defaultSnippets ?? []).map(({ body }) => String((body as { use: string }).use));
      expect([...new Set(snippets)]).toEqual(examples);
      return examples;
    };
    expect(offered(resource.properties.rules.items)).toEqual(standing('rules'));
    expect(offered(field.properties.computedBy)).toEqual(standing('computedBy'));
    expect(offered(resource.properties.computed)).toEqual(standing('computed'));
  });

  test('are offered the texts of the interface that they can answer with', () => {
    const { answers, about } = told.get('require')?.properties ?? {};
    expect(answers?.examples?.toSorted()).toEqual([...answerNames].toSorted());
    expect(about?.description).toBeDefined();
    expect(field.properties.must.items.properties.answers.examples.toSorted()).toEqual([...answerNames].toSorted());
  });

  test('are offered every word that an argument may be, and no other', () => {
    /** Of a choice of words, or of a list of such. */
    const wordsOf = (type: ParameterType): readonly string[] => {
      if (typeof type === 'string') return [];
      if ('oneOf' in type) return type.oneOf.map(String);
      if ('list' in type) return wordsOf(type.list);
      return 'either' in type ? [...new Set(type.either.flatMap(wordsOf))] : [];
    };
    let count = 0;
    for (const [name, { parameters }] of Object.entries(ruleSignatures))
      for (const [parameter, type] of Object.entries(parameters)) {
        const words = wordsOf(type);
        if (words.length === 0) continue;
        count += 1;
        expect(told.get(name)?.properties[parameter]?.examples, `${name}.${parameter}`).toEqual(words);
      }
    expect(count).toBeGreaterThan(5);
  });
});

/** What an editor inserts: the first choice of each place, and values that are no texts behind "^". */
function inserted(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(inserted);
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [inserted(key), inserted(value)]));
  if (typeof body !== 'string') return body;
  const text = body
    .replaceAll(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, (_, first: string) => first)
    .replaceAll(/\$\{\d+:([^{}]*)\}/g, (_, word: string) => word);
  return text.startsWith('^') ? JSON.parse(text.slice(1)) : text;
}

/** A descriptor of this test, which snippets are put into. */
interface Descriptor {
  readonly properties: Record<string, unknown>;
  readonly resource: Record<string, unknown>;
}

/** Where a snippet goes, by the way to the schema that offers it. */
const places: Readonly<Record<string, (stay: Descriptor, body: never) => unknown>> = {
  '/$defs/field': ({ properties }, body) => Object.assign(properties, { sample: body }),
  '/$defs/field/properties/defaultFrom': ({ properties }, body) =>
    Object.assign(properties, {
      sample: {
        ...{ type: 'string', format: String(body).startsWith('workspace') ? 'currency' : 'date' },
        ...{ defaultFrom: body, description: 'Sample' },
      },
    }),
  '/$defs/field/properties/becomes/items': ({ properties }, body) =>
    Object.assign(properties['statusId'] as object, { becomes: [body] }),
  '/$defs/field/properties/must/items': ({ properties }, body) =>
    Object.assign(properties['start'] as object, { must: [body] }),
  '/$defs/field/properties/computedBy': ({ properties }, body) =>
    Object.assign(properties, {
      sample: { type: 'string', format: 'date-time', computedBy: body, description: 'Sample' },
    }),
  '/$defs/resource/properties/locked': ({ resource: own }, body) => Object.assign(own, { locked: body }),
  '/$defs/resource/properties/locked/properties/fields/items': ({ resource: own }, body) =>
    Object.assign(own, { locked: { fields: [body] } }),
  '/$defs/resource/properties/formulas/additionalProperties': ({ resource: own }, body) =>
    Object.assign(own, { formulas: { sample: body } }),
  '/$defs/resource/properties/rules/items': ({ resource: own }, body) => Object.assign(own, { rules: [body] }),
  '/$defs/resource/properties/effects/items': ({ resource: own }, body) => Object.assign(own, { effects: [body] }),
};

describe('snippets', () => {
  const folder = join(import.meta.dirname, 'dialect');
  const sourceOf = (name: string, text = readFileSync(join(folder, name), 'utf8')): DescriptorSource => {
    const { source } = parseSource(name, basename(name, '.json'), text);
    if (source === undefined) throw new Error(`${name} is no JSON`);
    return source;
  };
  const files = readdirSync(folder);
  const faultsWith = (file: string, change: (descriptor: Descriptor) => unknown): string => {
    const sources = files.map((name) => {
      if (name !== file) return sourceOf(name);
      const descriptor = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      change(descriptor);
      return sourceOf(name, JSON.stringify(descriptor));
    });
    try {
      buildRegistry(sources, ruleSignatures);
      return 'none';
    } catch (error) {
      if (error instanceof DescriptorFaults) return error.message;
      throw error;
    }
  };
  const offers = schemas.flatMap(([way, { defaultSnippets = [] }]) =>
    defaultSnippets.map((each) => [way, each] as const),
  );

  test('stand wherever one helps', () => {
    expect([...new Set(offers.map(([way]) => way))].toSorted()).toEqual(Object.keys(places).toSorted());
  });

  test.each(offers.map(([way, each]) => [`${way}: ${each.label}`, way, each] as const))('%s', (_, way, each) => {
    expect(each.description).not.toBe('');
    const body = inserted(each.body) as never;
    const faults = faultsWith('stay.json', (descriptor) => places[way]?.(descriptor, body));
    expect(faults).toBe('none');
  });
});
