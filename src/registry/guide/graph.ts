// The dependency graph of all formulas of all groups: what each reads, and which read a field. For pages and commands; the
// engine needs only the dependents of each computed field.
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Shape, Tree } from '../../formulas/language/tree.ts';
import type { Effect, Field, Figure, Registry, Resource, RuleUse, Watched } from '../model/model.ts';

/** What formulas are for: the value of a field, or whether something may be, must be, or shall happen. */
export type Role =
  | 'figure'
  | 'state'
  | 'default'
  | 'formula'
  | 'applies'
  | 'required'
  | 'condition'
  | 'lock'
  | 'effect';

/** One formula as the descriptor has it. */
interface Spelled {
  /** What it is there for, where several stand together: `when`, the value of a state, the field that an effect sets. */
  readonly part: string;
  readonly source: string;
  readonly tree: Tree;
}

/** Something that a group says by formulas. */
export interface Saying {
  readonly group: string;
  readonly role: Role;
  /** The field, or the named formula, that it is about; undefined where it is about the whole record. */
  readonly name: string | undefined;
  /** What tells it from others of its role there: the operations of an effect, the value of a state. */
  readonly about: string;
  readonly formulas: readonly Spelled[];
  readonly figure: Figure | undefined;
  readonly effect: Effect | undefined;
  /** Places from which maintenance brings it up to date. */
  readonly watches: readonly Watched[];
}

/** A field of a group, `lines.amount`, or a named formula of it. */
export interface FieldName {
  readonly group: string;
  readonly name: string;
}

/** Writes of a group after which a figure is another. */
export interface Occasion {
  readonly group: string;
  readonly on: readonly ('create' | 'update' | 'delete')[];
  /** Fields of which one must change in an update; none: any update. */
  readonly fields: readonly string[];
}

export interface Graph {
  readonly sayings: readonly Saying[];
  /** What a group says of a field, of a named formula. */
  about(name: FieldName): readonly Saying[];
  /** What looks at a field, or calls a named formula. */
  readersOf(name: FieldName): readonly Saying[];
  /** What something looks at, in the order of its formulas. */
  readBy(saying: Saying): readonly FieldName[];
}

const keyOf = ({ group, name }: FieldName): string => `${group}.${name}`;
const graphs = new WeakMap<Registry, Graph>();

/** The graph of a registry, made when it is first asked for. */
export function graphOf(registry: Registry): Graph {
  const graph = graphs.get(registry) ?? makeGraph(registry);
  graphs.set(registry, graph);
  return graph;
}

function makeGraph(registry: Registry): Graph {
  const sayings = sayingsIn([...registry.resources.values()]);
  const about = Map.groupBy(sayings, ({ group, name = '' }) => keyOf({ group, name }));
  const reads = new Map(sayings.map((saying) => [saying, namesRead(registry, saying)]));
  const readers = new Map<string, Saying[]>();
  for (const [saying, names] of reads)
    for (const name of names) {
      const known = readers.get(keyOf(name));
      if (known === undefined) readers.set(keyOf(name), [saying]);
      else known.push(saying);
    }
  return {
    sayings,
    about: (name) => about.get(keyOf(name)) ?? [],
    readersOf: (name) => readers.get(keyOf(name)) ?? [],
    readBy: (saying) => reads.get(saying) ?? [],
  };
}

/** All that groups say by formulas. */
export const sayingsIn = (resources: readonly Resource[]): readonly Saying[] => resources.flatMap(sayingsOf);

type SayingPart = Pick<Saying, 'role' | 'name' | 'about' | 'formulas'> &
  Partial<Pick<Saying, 'figure' | 'effect' | 'watches'>>;

function sayingsOf(resource: Resource): readonly Saying[] {
  const { name: group } = resource;
  const parts = [
    ...fieldParts(resource.fields, ''),
    ...resource.formulas.map(({ name, source, tree }): SayingPart => {
      return { role: 'formula', name, about: '', formulas: [{ part: '', source, tree }] };
    }),
    ...[...resource.rules, ...(typeof resource.computed === 'object' ? [resource.computed] : [])].flatMap((use) =>
      ruleParts(resource, use),
    ),
    ...lockParts(resource),
    ...resource.effects.map(effectPart),
  ];
  return parts.map((part) => ({ group, figure: undefined, effect: undefined, watches: [], ...part }));
}

function fieldParts(fields: readonly Field[], above: string): readonly SayingPart[] {
  return fields.flatMap((field) => {
    const name = `${above}${field.name}`;
    const inside = field.kind === 'objects' || field.kind === 'object' ? fieldParts(field.fields, `${name}.`) : [];
    return [...ownParts(field, name), ...inside];
  });
}

function ownParts(field: Field, name: string): readonly SayingPart[] {
  const { figure, becomes, defaultFrom, onlyWhen, requiredWhen } = field;
  const one = (role: Role, ...formulas: readonly Spelled[]): readonly SayingPart[] =>
    formulas.length === 0 ? [] : [{ role, name, about: '', formulas }];
  const states = becomes.map(({ to, when, watches }): SayingPart => {
    const formulas = [{ part: String(to), source: when.source, tree: when.tree }];
    return { role: 'state', name, about: String(to), formulas, watches };
  });
  return [
    ...(figure === undefined
      ? []
      : [
          {
            role: 'figure' as const,
            name,
            about: '',
            formulas: spelledFigure(figure),
            figure,
            watches: figure.watches,
          },
        ]),
    ...states,
    ...one(
      'default',
      ...defaultFrom.flatMap((source) =>
        source.kind === 'formula'
          ? spelledFigure(source.figure)
          : source.kind === 'value' && source.when !== undefined
            ? [spelled('when', source.when)]
            : [],
      ),
    ),
    ...one('applies', ...(onlyWhen === undefined ? [] : [spelled('', onlyWhen)])),
    ...one('required', ...(requiredWhen === undefined ? [] : [spelled('', requiredWhen)])),
  ];
}

const spelled = (part: string, { source, tree }: Omit<Spelled, 'part'>): Spelled => ({ part, source, tree });

const spelledFigure = (figure: Figure): readonly Spelled[] => [
  spelled('', figure),
  ...(figure.when === undefined ? [] : [spelled('when', figure.when)]),
];

/** The name of the field that a rule is about; of one in the items of a list behind the list's. */
function fieldAsked(resource: Resource, { arguments: given }: RuleUse): string | undefined {
  const { field, reference, list } = given;
  const key = [field, reference].find((one) => typeof one === 'string');
  const items = typeof list === 'string' ? resource.byName.get(list) : undefined;
  const inside = items?.kind === 'objects' ? items.fields.find((one) => one.key === key) : undefined;
  if (items !== undefined && inside !== undefined) return `${items.name}.${inside.name}`;
  return key === undefined ? undefined : (resource.byKey.get(key)?.name ?? key);
}

function ruleParts(resource: Resource, use: RuleUse): readonly SayingPart[] {
  const name = fieldAsked(resource, use);
  const texts = Object.entries(use.messages).flatMap(([part, { parts }]) =>
    parts.flatMap((piece) => (typeof piece === 'string' ? [] : [{ part, source: '', tree: piece }])),
  );
  const formulas = [...Object.entries(use.conditions).map(([part, one]) => spelled(part, one)), ...texts];
  return formulas.length === 0 ? [] : [{ role: 'condition', name, about: use.use, formulas }];
}

const lockParts = ({ mayAct, signIn, lockedUpdate, lockedDelete, lockedFields }: Resource): readonly SayingPart[] =>
  [
    { about: 'act', when: mayAct },
    { about: 'sign in', when: signIn?.when },
    { about: 'update', when: lockedUpdate },
    { about: 'delete', when: lockedDelete },
    ...lockedFields.map(({ when }) => ({ about: 'fields', when })),
  ].flatMap(({ about, when }): SayingPart[] =>
    when === undefined ? [] : [{ role: 'lock', name: undefined, about, formulas: [spelled('', when)] }],
  );

function effectPart(effect: Effect): SayingPart {
  const { kind, group, on, when } = effect;
  const settings = 'settings' in effect ? effect.settings : [];
  return {
    role: 'effect',
    effect,
    name: undefined,
    about: `${[...on].join(', ')}: ${kind} ${group}`,
    formulas: [
      ...(when === undefined ? [] : [spelled('when', when)]),
      ...('targets' in effect && effect.source !== undefined
        ? [{ part: kind, source: effect.source, tree: effect.targets }]
        : []),
      ...settings.map(({ name, source, tree }) => ({ part: name, source, tree })),
    ],
  };
}

function namesRead(registry: Registry, { formulas }: Saying): readonly FieldName[] {
  const found = new Map<string, FieldName>();
  const add = (name: FieldName): void => void found.set(keyOf(name), name);
  for (const { tree } of formulas) {
    // What is taken when it is read is called by its key.
    for (const { group, name } of callsIn(tree))
      add({ group, name: registry.resources.get(group)?.byKey.get(name)?.name ?? name });
    for (const { shape, key } of dependenciesOf(tree).reads) {
      const name = key === 'id' ? undefined : fieldNameAt(registry, shape, key);
      if (name !== undefined) add({ group: shape.group, name });
    }
  }
  return [...found.values()];
}

/** Named formulas that a formula calls itself. */
function callsIn(tree: Tree): readonly FieldName[] {
  const inside = partsOf(tree).flatMap(callsIn);
  if (tree.op !== 'named' || tree.of.type.kind !== 'record') return inside;
  const { group, lists } = tree.of.type.shape;
  return [{ group, name: [...lists, tree.formula.name].join('.') }, ...inside];
}

/** From what a formula stands on to records of others, as it is written: a reference, a collection, a named formula. */
export interface WayTo {
  readonly group: string;
  readonly words: string;
}

/** The ways on which something comes to other records. */
export function waysOf({ formulas }: Saying): readonly WayTo[] {
  const found = new Map<string, WayTo>();
  const visit = (tree: Tree, source: string): void => {
    const group = groupReached(tree);
    const words = source.slice(tree.start, tree.end).replaceAll(/\s+/g, ' ');
    if (group !== undefined && words !== '') found.set(`${group} ${words}`, { group, words });
    for (const part of partsOf(tree)) visit(part, source);
  };
  for (const { tree, source } of formulas) visit(tree, source);
  return [...found.values()];
}

function groupReached(tree: Tree): string | undefined {
  if (tree.op === 'gather') return tree.collection.group;
  if (tree.op === 'known' && tree.name === 'workspace' && tree.type.kind === 'record') return tree.type.shape.group;
  if (tree.op === 'named')
    return tree.of.op === 'self' || tree.of.type.kind !== 'record' ? undefined : tree.of.type.shape.group;
  if (tree.op !== 'field') return undefined;
  const { member } = tree;
  const isOther = member.kind === 'reference' || member.kind === 'references' || member.kind === 'others';
  return isOther ? member.shape().group : undefined;
}

/** The name of what a formula reads under a key: `lines.amount`; undefined for what is no field. */
function fieldNameAt(registry: Registry, shape: Shape, key: string): string | undefined {
  const above = insideOf(registry, shape);
  const field = above?.fields.find((one) => one.key === key);
  return field && [...(above?.names ?? []), field.name].join('.');
}

/** The field under a key of a record, or of an item or object in it. */
export const fieldAt = (registry: Registry, shape: Shape, key: string): Field | undefined =>
  insideOf(registry, shape)?.fields.find((one) => one.key === key);

function insideOf(registry: Registry, shape: Shape): Inside | undefined {
  const resource = registry.resources.get(shape.group);
  return resource && fieldsOf(resource.fields, shape);
}

interface Inside {
  readonly fields: readonly Field[];
  readonly names: readonly string[];
}

/** The fields of a record, of an item of its lists, or of an object in either, and the names that lead to them. */
function fieldsOf(fields: readonly Field[], shape: Shape): Inside | undefined {
  const { owner } = shape;
  if (owner === undefined) return { fields, names: [] };
  const around = fieldsOf(fields, owner);
  // An object has no key of its own among the lists: it is known by its words.
  const isMeant = (one: Field): boolean =>
    shape.kind === 'object' ? shape.words === `"${one.name}"` : one.key === shape.lists.at(-1);
  const field = around?.fields.find(isMeant);
  if (field === undefined || !('fields' in field)) return undefined;
  return { fields: field.fields, names: [...(around?.names ?? []), field.name] };
}

/** When what is always true, or follows, is brought up to date: by writes of which groups. */
export function occasionsOf(
  registry: Registry,
  { group, figure, watches, formulas, role }: Saying,
): readonly Occasion[] {
  const found = new Map<string, { on: Set<Occasion['on'][number]>; keys: Set<string> }>();
  const at = (name: string) => {
    const known = found.get(name) ?? { on: new Set(['update'] as const), keys: new Set() };
    found.set(name, known);
    return known;
  };
  const own = at(group);
  own.on.add('create');
  const inTrees = role === 'state' ? formulas.flatMap(({ tree }) => [...dependenciesOf(tree).keys]) : [];
  for (const key of [...(figure?.keys ?? []), ...(figure?.whenKeys ?? []), ...inTrees]) own.keys.add(key);
  for (const { group: other, isFound, keys } of watches) {
    const one = at(other);
    if (isFound) for (const operation of ['create', 'delete'] as const) one.on.add(operation);
    for (const key of keys) one.keys.add(key);
  }
  const order = ['create', 'update', 'delete'] as const;
  return [...found].map(([name, { on, keys }]) => {
    const fieldName = (key: string) => registry.resources.get(name)?.byKey.get(key)?.name ?? [];
    const fields = [...keys].flatMap((key) => (key === 'id' ? [] : fieldName(key)));
    if (fields.length === 0) on.delete('update');
    return { group: name, on: order.filter((operation) => on.has(operation)), fields };
  });
}

/** Groups so that those at which figures look come first, as far as they do not look at each other. */
export function groupsInOrder(registry: Registry): readonly string[] {
  const graph = graphOf(registry);
  const watched = Map.groupBy(
    graph.sayings.flatMap(({ group, watches }) => watches.map((watch) => ({ from: group, to: watch.group }))),
    ({ from }) => from,
  );
  const ordered = new Set<string>();
  const visit = (name: string, trail: ReadonlySet<string>): void => {
    if (ordered.has(name) || trail.has(name)) return;
    for (const { to } of watched.get(name) ?? []) visit(to, new Set([...trail, name]));
    ordered.add(name);
  };
  for (const name of registry.resources.keys()) visit(name, new Set());
  return [...ordered];
}
