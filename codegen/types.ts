// Registry → TypeScript: every named schema as one flat, documented type of the same name.
import { compile } from 'json-schema-to-typescript';
import { components } from '../src/endpoints/document/components.ts';
import type { ShownToAll } from '../src/endpoints/schemas/schemas.ts';
import type { Registry } from '../src/registry/model/model.ts';

type Json = Readonly<Record<string, unknown>>;

/** All types as one file, in the order of their names: fields that roles may hide need not be there. @throws DescriptorFaults when two would have the same name. */
export async function typesText(registry: Registry, shownToAll?: ShownToAll): Promise<string> {
  const schemas = [...components(registry, shownToAll)];
  const names = schemas.map(([name]) => name);
  const definitions = schemas.map(([name, schema]) => [safeName(name), toTypes(schema)]);
  const text = await compile(
    {
      type: 'object',
      // A definition is written when something refers to it, so the root refers to all; the root itself is taken out.
      definitions: Object.fromEntries(definitions),
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${safeName(name)}` }])),
      additionalProperties: false,
    },
    rootName,
    { ignoreMinAndMaxItems: true, bannerComment: '', style: { singleQuote: true, printWidth: 120 } },
  );
  return text
    .replace(/export interface Root\$ \{[^}]*\}\n/, '')
    .replaceAll(/\bName\$((?:\d+\$)+)/g, (_match, codes: string) => nameOfCodes(codes))
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
    .replaceAll(/^\}\n(?=.)/gm, '}\n\n');
}

/** No name of a component holds a `$`. */
const rootName = 'Root$';

/** The library would write `B2bClient` as `B2BClient`; it takes such a name as the codes of its letters: `Name$66$50$98$…`. */
const safeName = (name: string): string =>
  /\d[a-z]/.test(name) ? `Name$${[...name].map((letter) => `${letter.charCodeAt(0)}$`).join('')}` : name;
const nameOfCodes = (codes: string): string => String.fromCharCode(...codes.slice(0, -1).split('$').map(Number));

/**
 * A schema as the library should see it. A reference is taken by its name, whatever stands beside it (the library would
 * make a second type of a reference with a description), and titles, which it would take for names, are left out.
 */
function toTypes(schema: Json): Json {
  const { title: _title, properties, items, additionalProperties: more, anyOf, $ref, ...given } = schema;
  const rest = more === undefined ? given : { ...given, additionalProperties: more };
  if (typeof $ref === 'string') return { ...rest, tsType: safeName(nameOf($ref)) };
  return {
    ...rest,
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
    ...(isObject(items) ? { items: toTypes(items) } : {}),
    ...(isObject(more) ? { additionalProperties: toTypes(more) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isObject).map(toTypes) } : {}),
  };
}

const mapped = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isObject(value) ? toTypes(value) : value]),
  );

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
