// The meta-schema with a project's own rules, so that editors complete and check them like those of the catalogue.

import { parameterWords } from '../check/groups/parameter-words.ts';
import dialect from '../dialect.json' with { type: 'json' };
import type { RuleSignature } from '../model/model.ts';
import { meantType, type ParameterType } from '../model/parameters.ts';

interface Offering {
  readonly properties: { readonly use: { readonly description: string; examples?: string[] } };
  defaultSnippets?: object[];
}

/** The meta-schema of descriptors that use these rules beside the catalogue's. It is a value of its own each time. */
export function dialectWith(own: Readonly<Record<string, RuleSignature>>): object {
  const { $id: _ours, ...copy } = structuredClone(dialect);
  const { arguments: given, resource, field } = copy.$defs;
  const told: object[] = given.allOf;
  for (const [name, signature] of Object.entries(own)) {
    const says = signature.says ?? 'A rule of this project.';
    told.push(argumentsOf(name, says, signature));
    const place = placeOf(signature, {
      rules: resource.properties.rules.items,
      computedBy: field.properties.computedBy,
      computed: resource.properties.computed,
    });
    place.properties.use.examples = [...(place.properties.use.examples ?? []), name];
    place.defaultSnippets = [...(place.defaultSnippets ?? []), snippetOf(name, says, signature)];
  }
  return copy;
}

/** Where a rule can stand. */
const placeOf = (
  { gives, compute }: RuleSignature,
  places: Readonly<Record<'rules' | 'computedBy' | 'computed', Offering>>,
): Offering => places[compute !== undefined ? 'computed' : gives !== undefined ? 'computedBy' : 'rules'];

/** Arguments that are missing, too many or of another form are told where the rule is used. */
function argumentsOf(name: string, says: string, { parameters, optional = [] }: RuleSignature): object {
  const entries = Object.entries(parameters);
  return {
    if: { properties: { use: { const: name } }, required: ['use'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      description: says,
      properties: {
        use: { description: says },
        ...Object.fromEntries(
          entries.map(([key, type]) => [key, { description: sentence(parameterWords(type)), ...formOf(type) }]),
        ),
      },
      required: ['use', ...Object.keys(parameters).filter((key) => !optional.includes(key))],
    },
  };
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** The JSON that an argument is, as far as its type alone tells. */
function formOf(type: ParameterType): object {
  if (type === 'values') return {};
  if (type === 'fields') return { type: 'array', items: { type: 'string' } };
  // A condition may be a list of lines.
  if (type === 'condition' || type === 'judgement') return { type: ['string', 'array'] };
  if (typeof type === 'string') return { type: 'string' };
  if ('either' in type) return { anyOf: type.either.map(formOf) };
  if ('list' in type) return { type: 'array', minItems: 1, items: formOf(type.list) };
  if ('map' in type) return { type: 'object', additionalProperties: formOf(type.to) };
  if ('object' in type)
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(type.object).map(([key, each]) => [key, formOf(each)])),
    };
  if ('oneOf' in type) return { enum: type.oneOf };
  if ('number' in type) return { type: 'integer' };
  return 'literalOf' in type ? {} : { type: 'string' };
}

/** What an editor inserts: the rule with what it must be told, each a place to fill in. */
function snippetOf(name: string, says: string, { parameters, optional = [] }: RuleSignature): object {
  const wanted = Object.entries(parameters).filter(([key]) => !optional.includes(key));
  const body = Object.fromEntries(wanted.map(([key, type], index) => [key, hole(key, type, index + 1)]));
  return { label: name, description: says, body: { use: name, ...body } };
}

function hole(key: string, type: ParameterType, number: number): unknown {
  const meant = meantType(type, undefined);
  if (meant === 'fields' || (typeof meant === 'object' && 'list' in meant)) return [`\${${number}:${key}}`];
  if (typeof meant === 'object' && 'oneOf' in meant) return `\${${number}|${meant.oneOf.join(',')}|}`;
  if (meant === 'values' || (typeof meant === 'object' && ('map' in meant || 'object' in meant))) return {};
  if (typeof meant === 'object' && 'number' in meant) return `^\${${number}:1}`;
  return `\${${number}:${key}}`;
}
