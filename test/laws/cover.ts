// A law depends on what fields, rules and operations a group has, not on which group it is. So it is enough on a database server to
// hold the laws against groups that have among them every pair of a law and something that a group may have.
import type { Field, Resource } from '../../src/registry/model/model.ts';
import type { Law } from './law.ts';

/** What a field may have beside its kind. */
const traits: Readonly<Record<string, (field: Field) => boolean>> = {
  required: ({ required }) => required,
  default: ({ default: value, defaultFrom }) => value !== undefined || defaultFrom.length > 0,
  figure: ({ figure, derived }) => figure !== undefined || derived !== undefined,
  conditional: ({ onlyWhen, requiredWhen }) => onlyWhen !== undefined || requiredWhen !== undefined,
  inherited: ({ inherits }) => inherits.length > 0,
  states: (field) => field.becomes.length > 0 || ('transitions' in field && field.transitions !== undefined),
  filter: ({ filter }) => filter !== undefined,
  sort: ({ sort }) => sort,
  key: ({ isOfKey }) => isOfKey,
};

function* ofField(field: Field, within = ''): Generator<string> {
  const kind = `${within}${field.kind}`;
  yield kind;
  if (field.kind === 'text' && field.format !== undefined) yield `${kind} ${field.format}`;
  if (within === '') for (const [name, has] of Object.entries(traits)) if (has(field)) yield `${field.kind} ${name}`;
  const inside = field.kind === 'object' || field.kind === 'objects' ? field.fields : [];
  for (const one of inside) yield* ofField(one, `${field.kind} of `);
}

/** What a group has, in words. */
function shapesOf(resource: Resource): Set<string> {
  const keywords = {
    singleton: resource.singleton,
    computed: resource.computed !== undefined,
    feature: resource.feature !== undefined,
    unique: resource.unique.length > 0,
    locked: resource.lockedUpdate !== undefined || resource.lockedDelete !== undefined,
    'locked fields': resource.lockedFields.length > 0,
    rules: resource.rules.length > 0,
    effects: resource.effects.length > 0,
  };
  return new Set([
    ...resource.operations,
    ...Object.entries(keywords).flatMap(([word, has]) => (has ? [word] : [])),
    ...resource.fields.flatMap((field) => [...ofField(field)]),
  ]);
}

/** For each law groups that have among them every shape of those that it applies to, chosen greedily: the one that adds most first. */
export function coveringGroups(
  resources: readonly Resource[],
  laws: readonly Law[],
): ReadonlyMap<Law, ReadonlySet<Resource>> {
  return new Map(laws.map((law) => [law, cover(resources.filter(law.appliesTo))]));
}

function cover(resources: readonly Resource[]): Set<Resource> {
  const left = new Map(resources.map((resource) => [resource, shapesOf(resource)]));
  const chosen = new Set<Resource>();
  for (;;) {
    const [best, added] = [...left].toSorted(([, a], [, b]) => b.size - a.size)[0] ?? [];
    if (best === undefined || added === undefined || added.size === 0) return chosen;
    chosen.add(best);
    left.delete(best);
    for (const [resource, shapes] of left) left.set(resource, shapes.difference(added));
  }
}
