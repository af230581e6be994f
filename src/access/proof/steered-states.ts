// Computed states that a role can steer: `becomes` of one group reads a field of another one through a reference, and the role
// may write both groups. Such a role decides on its own records without the right to set their state.
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Field, Registry, Resource } from '../../registry/model/model.ts';
import { type Role, type Rule, writes } from '../model.ts';
import type { Rights } from '../rights.ts';
import { operationsIn } from '../words.ts';
import type { Finding } from './finding.ts';

/** A field of another group that decides on a computed state. */
interface Steering {
  readonly group: string;
  readonly field: Field;
}

/** Finds each computed state that the role can steer by a field of another group. */
export function steeredStates(role: Role, rights: Rights, registry: Registry): readonly Finding[] {
  // A role that may do everything gains nothing.
  if (mayAll(rights, registry)) return [];
  return [...registry.resources.values()].flatMap((resource) => {
    const allowed = (['create', 'update'] as const).filter((each) => rights.on(resource.name, each) !== undefined);
    if (allowed.length === 0) return [];
    return resource.fields.flatMap((state) =>
      findSteerings(state, resource, registry)
        .filter(({ group, field }) => rights.mayWrite(group, 'update', field.key))
        .map(({ group, field }): Finding => {
          const grants = `may update ${group}.${field.name} and ${allowed.join(' and ')} ${resource.name}`;
          return {
            code: 'state-steered',
            text: `"${role.name}" ${grants}, whose computed ${state.name} reads that field`,
            place: role.rules.find((rule) => letsUpdate(rule, group, field))?.place,
          };
        }),
    );
  });
}

const letsUpdate = (rule: Rule, group: string, { key }: Field): boolean =>
  rule.effect === 'allow' && rule.group === group && rule.operations.has('update') && writes(rule, key);

const mayAll = (rights: Rights, { resources }: Registry): boolean =>
  [...resources.values()].every((resource) =>
    [...operationsIn(resource)].every((operation) => rights.isWhole(resource.name, operation)),
  );

/** Returns the fields of other groups that callers can update and that `becomes` reads, also by computed fields between. */
function findSteerings(state: Field, resource: Resource, registry: Registry): readonly Steering[] {
  const steerings = new Map<string, Steering>();
  const visited = new Set<Tree>();
  const visit = (tree: Tree): void => {
    if (visited.has(tree)) return;
    visited.add(tree);
    for (const { shape, key } of listReads(tree)) {
      const field = registry.resources.get(shape.group)?.byKey.get(shape.objectKey ?? shape.lists[0] ?? key);
      if (field === undefined) continue;
      if (field.figure !== undefined) visit(field.figure.tree);
      if (field.onUpdate && shape.group !== resource.name)
        steerings.set(`${shape.group}.${field.key}`, { group: shape.group, field });
    }
  };
  for (const { when } of state.becomes) visit(when.tree);
  return [...steerings.values()];
}

/** Returns the fields that a formula reads, except those of records that it gathers. */
function listReads(tree: Tree): readonly Read[] {
  const { reads, collections } = dependenciesOf(tree);
  const gathered = new Set(collections.map(({ collection }) => collection.group));
  return reads.filter(({ shape, isOwn }) => isOwn || !gathered.has(shape.group));
}
