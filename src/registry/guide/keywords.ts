// The keywords of descriptors: places, types, meanings and examples. All descriptions come from the meta-schema, which editors read too.
import dialect from '../dialect.json' with { type: 'json' };
import { getShapes, shapeWords } from '../model/vocabulary.ts';

/** A JSON Schema, as far as keywords are read from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Names of related keywords: an annotation of this meta-schema. */
  readonly related?: readonly string[];
}

/** A keyword at one place of descriptors. */
export interface KeywordUse {
  /** `a field`, `an item of "must" of a field`. */
  readonly place: string;
  /** Kinds of fields that may have the keyword; undefined if the keyword is not one of a field. */
  readonly fields: readonly string[] | undefined;
  readonly type: string;
  readonly description: string;
  /** Values that the keyword may have, if they are few. */
  readonly values: readonly { readonly value: unknown; readonly description: string }[];
  /** undefined if only rules of projects have values: "use" of "computed". */
  readonly example: unknown;
}

export interface KeywordEntry {
  readonly name: string;
  readonly uses: readonly KeywordUse[];
  readonly related: readonly string[];
}

interface FoundSchema {
  readonly name: string;
  readonly place: string;
  readonly parent: string | undefined;
  readonly schema: Schema;
}

const definitions = dialect.$defs as unknown as Readonly<Record<string, Schema>>;
const { field, resource } = definitions;

/** Where descriptors have keywords, in the order in which they are explained. */
const roots: readonly (readonly [string, Schema | undefined])[] = [
  ['a descriptor', dialect as unknown as Schema],
  ['a field', field],
  ['"resource"', resource],
];

let cachedEntries: ReadonlyMap<string, KeywordEntry> | undefined;

/** Returns all keywords by name: those of descriptors, of fields, of `resource`, then those inside them. */
export function getKeywords(): ReadonlyMap<string, KeywordEntry> {
  cachedEntries ??= createEntries();
  return cachedEntries;
}

function createEntries(): ReadonlyMap<string, KeywordEntry> {
  const all = roots.flatMap(([place, schema]) => [...listSchemas(schema ?? {}, place, undefined)]);
  const byName = Map.groupBy(all, ({ name }) => name);
  const mentions = new Map([...byName].map(([name, schemas]) => [name, listMentions(name, schemas, byName)]));
  return new Map(
    [...byName].map(([name, schemas]) => [
      name,
      { name, uses: schemas.map(toUse), related: listRelated(name, mentions) },
    ]),
  );
}

function* listSchemas({ properties = {} }: Schema, place: string, parent: string | undefined): Generator<FoundSchema> {
  for (const [name, schema] of Object.entries(properties)) yield { name, place, parent, schema };
  for (const [name, schema] of Object.entries(properties)) {
    yield* listSchemas({ properties: schema.properties ?? {} }, `"${name}" of ${place}`, name);
    const { items, additionalProperties: members } = schema;
    if (items !== undefined) yield* listSchemas(items, `an item of "${name}" of ${place}`, name);
    if (typeof members === 'object') yield* listSchemas(members, `a member of "${name}" of ${place}`, name);
  }
}

function toUse({ name, place, schema }: FoundSchema): KeywordUse {
  const { description = '', markdownDescription = description } = schema;
  return {
    place,
    fields: place === 'a field' ? getShapes(name)?.map((shape) => shapeWords[shape]) : undefined,
    type: describeType(schema),
    description: markdownDescription,
    values: (schema.enum ?? []).map((value, index) => ({
      value,
      description: schema.markdownEnumDescriptions?.[index] ?? '',
    })),
    example: getExample(schema),
  };
}

/** Returns the example that the meta-schema has for the keyword, otherwise the first of its values. */
function getExample({ examples, enum: values, const: only, type, anyOf, $ref }: Schema): unknown {
  if (examples !== undefined) return examples[0];
  if (values !== undefined) return values[0];
  if (only !== undefined) return only;
  if (type === 'boolean') return true;
  if (anyOf?.[0] !== undefined) return getExample(anyOf[0]);
  const target = $ref === undefined ? undefined : definitions[$ref.slice('#/$defs/'.length)];
  return target === undefined ? undefined : getExample(target);
}

/** Names of the definitions that other schemas refer to. */
const typeByDefinition: Readonly<Record<string, string>> = {
  group: 'the name of a group',
  name: 'the name of a field',
  names: 'a list of names of fields',
  expression: 'a formula',
  settings: 'an object of fields and their formulas',
  path: 'a path of fields',
  field: 'an object with the keywords of a field',
  fields: 'an object of fields by their names',
  type: 'a type of JSON, or a list of it and "null"',
  resource: 'an object with the keywords of "resource"',
  arguments: 'an object with "use" and the arguments of the rule',
};

function describeType(schema: Schema): string {
  const { $ref, type, anyOf } = schema;
  if ($ref !== undefined) return typeByDefinition[$ref.slice('#/$defs/'.length)] ?? $ref;
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeType))].join(', or ');
  if (Array.isArray(type)) return type.map((each) => describeType({ type: each })).join(', or ');
  switch (type) {
    case 'array':
      return `a list, each item ${schema.items === undefined ? 'any value' : describeType(schema.items)}`;
    case 'object': {
      const names = Object.keys(schema.properties ?? {}).map((name) => `"${name}"`);
      if (names.length > 0) return `an object with ${names.join(', ')}`;
      const members = schema.additionalProperties;
      return typeof members === 'object' ? `an object, each member ${describeType(members)}` : 'an object';
    }
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return `${type === 'integer' ? 'an integer' : 'a number'}${describeBounds(schema)}`;
    case 'string':
      return 'a string';
    default:
      return 'any value';
  }
}

function describeBounds({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}

type Schemas = ReadonlyMap<string, readonly FoundSchema[]>;

/** Lists the keywords that the meta-schema names as related, those in its descriptions, and the keyword around this one. */
function listMentions(name: string, schemas: readonly FoundSchema[], byName: Schemas): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { schema, place, parent } of schemas) {
    const descriptions = [schema.description ?? '', schema.markdownDescription ?? ''];
    const mentionedNames = descriptions.flatMap((text) =>
      [...text.matchAll(/[`"](\w+)[`"]/g)].map(([, mentioned = '']) => mentioned),
    );
    // A word in a description is a keyword only among the keywords of the same place.
    const isAtSamePlace = (mentioned: string): boolean =>
      byName.get(mentioned)?.some((other) => other.place === place) === true;
    for (const mentioned of [...(schema.related ?? []), ...mentionedNames.filter(isAtSamePlace)]) names.add(mentioned);
    if (parent !== undefined) names.add(parent);
  }
  names.delete(name);
  return names;
}

/** Lists the keywords that a keyword names, then those that name it. */
function listRelated(name: string, mentions: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const naming = [...mentions].flatMap(([other, names]) => (names.has(name) ? [other] : []));
  return [...new Set([...(mentions.get(name) ?? []), ...naming])];
}
