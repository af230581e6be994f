// Everything that formulas say of one field or named formula, for people and as plain data.
import { conditionWords, formulaWords } from '../../formulas/words/words.ts';
import type { Effect, Field, Figure, Registry, Resource } from '../model/model.ts';
import {
  type FieldName,
  type Graph,
  graphOf,
  type Occasion,
  occasionsOf,
  type Role,
  type Saying,
  waysOf,
} from './graph.ts';

/** A formula as it is written, and in words. */
interface Told {
  readonly part: string;
  readonly source: string;
  readonly words: string;
}

/** Fields of one group at which something looks, and how it comes there; of its own record without any way. */
interface LooksAt {
  readonly group: string;
  readonly fields: readonly string[];
  readonly ways: readonly string[];
}

interface Explained {
  readonly role: Role;
  readonly about: string;
  readonly formulas: readonly Told[];
  readonly taken: Figure['taken'] | undefined;
  readonly again: readonly string[];
  readonly looksAt: readonly LooksAt[];
  /** Of what is always true, and of states. */
  readonly upToDateBy: readonly Occasion[];
}

/** Something that looks at what is explained. */
interface Reader {
  readonly group: string;
  readonly name: string | undefined;
  readonly role: Role;
  readonly about: string;
}

export interface Explanation extends FieldName {
  readonly description: string;
  /** Where its value comes from if not from a formula: `derived` by a rule, read through a path. */
  readonly otherwise: string | undefined;
  readonly says: readonly Explained[];
  /** Effects of other writes that give it a value. */
  readonly setBy: readonly Reader[];
  readonly lookedAtBy: readonly Reader[];
}

/** Names of all that can be explained of a group: `lines.amount`, `cardOn`. */
export const namesIn = ({ fields, formulas }: Resource): readonly string[] => [
  ...fieldNames(fields, ''),
  ...formulas.map(({ name }) => name),
];

const fieldNames = (fields: readonly Field[], above: string): readonly string[] =>
  fields.flatMap((field) => [
    `${above}${field.name}`,
    ...('fields' in field ? fieldNames(field.fields, `${above}${field.name}.`) : []),
  ]);

/** The field that a name leads to, from the record; undefined for a named formula. */
export function fieldNamed({ fields }: Pick<Resource, 'fields'>, name: string): Field | undefined {
  const [first, ...inside] = name.split('.');
  const field = fields.find((one) => one.name === first);
  if (field === undefined || inside.length === 0) return field;
  return 'fields' in field ? fieldNamed(field, inside.join('.')) : undefined;
}

/** Explains a field or a named formula that there is. */
export function explanationOf(registry: Registry, { group, name }: FieldName): Explanation {
  const graph = graphOf(registry);
  const resource = registry.resources.get(group);
  const field = resource && fieldNamed(resource, name);
  return {
    group,
    name,
    description: field?.description ?? '',
    otherwise: field?.derived?.use ?? field?.from,
    says: graph.about({ group, name }).map((saying) => explained(registry, graph, saying)),
    setBy: graph.sayings.filter(({ effect }) => effect !== undefined && isSetBy(effect, group, field)).map(readerOf),
    lookedAtBy: graph.readersOf({ group, name }).map(readerOf),
  };
}

const readerOf = ({ group, name, role, about }: Saying): Reader => ({ group, name, role, about });

/** Whether an effect gives a field of a group its value. */
const isSetBy = (effect: Effect, group: string, field: Field | undefined): boolean =>
  effect.group === group &&
  'settings' in effect &&
  effect.settings.some(({ name }) => name === field?.name || name === field?.key);

function explained(registry: Registry, graph: Graph, saying: Saying): Explained {
  const { role, about, formulas, figure } = saying;
  const isKept = role === 'state' || figure?.taken === 'always';
  return {
    role,
    about,
    formulas: formulas
      .filter(({ source }) => source !== '')
      .map(({ part, source }) => ({ part, source, words: wordsOf(source, part === 'when' || isCondition(role)) })),
    taken: figure?.taken,
    again: figure?.again ?? [],
    looksAt: looksAt(graph, saying),
    upToDateBy: isKept ? occasionsOf(registry, saying).filter(({ on }) => on.length > 0) : [],
  };
}

const isCondition = (role: Role): boolean => !['figure', 'default', 'formula', 'effect'].includes(role);

const wordsOf = (source: string, isTruth: boolean): string =>
  (isTruth ? conditionWords : formulaWords)(source)
    .map(({ text }) => text)
    .join('');

function looksAt(graph: Graph, saying: Saying): readonly LooksAt[] {
  const ways = Map.groupBy(waysOf(saying), ({ group }) => group);
  const byGroup = Map.groupBy(graph.readBy(saying), ({ group }) => group);
  const groups = new Set([saying.group, ...byGroup.keys(), ...ways.keys()]);
  return [...groups].flatMap((group) => {
    const fields = (byGroup.get(group) ?? []).map(({ name }) => name);
    const words = (ways.get(group) ?? []).map((way) => way.words);
    return fields.length + words.length === 0 ? [] : [{ group, fields, ways: words }];
  });
}
