// Which conflicts (409) an endpoint can answer with, so that the document can show their texts.
import { readsThrough } from '../../formulas/analyse/dependencies.ts';
import { type Problem, problems } from '../../problems.ts';
import type { Conflicts, ConflictsAbout, Field, Operation, Registry, Resource } from '../../registry/model/model.ts';
import type { Endpoint } from './endpoint.ts';

/** Each conflict once, in the order in which they are checked. */
export function conflictsOf({ resource, operation }: Endpoint, registry: Registry): readonly Problem[] {
  const kinds: readonly Operation[] = operation === 'put' ? ['create', 'update'] : [operation];
  const own = kinds.flatMap((kind) => ownConflicts(resource, kind, registry));
  const byMessage = new Map(own.map((problem) => [problem.message, problem]));
  // Locks are looked at first (sorting is stable).
  const rank = ({ code }: Problem): number => (code === 'record-read-only' ? 0 : 1);
  return [...byMessage.values()].sort((a, b) => rank(a) - rank(b));
}

/** Titles of the groups that ids of several groups may be of. */
const choiceTitles = (fields: readonly Field[], registry: Registry): string[] =>
  fields.flatMap((field) => {
    if (field.kind === 'objects') return choiceTitles(field.fields, registry);
    if (field.kind !== 'choice') return [];
    return field.branches.flatMap(({ reference }) => registry.resources.get(reference.target)?.title ?? []);
  });

function ownConflicts(resource: Resource, operation: Operation, registry: Registry): Problem[] {
  // A key of which no part can change can only be taken on create.
  const canChange = (field: Field): boolean =>
    field.onUpdate || field.derived !== undefined || field.figure !== undefined;
  const keys =
    operation === 'create' ? resource.unique : resource.unique.filter(({ fields }) => fields.some(canChange));
  const taken = keys.map(({ word }) => problems.keyTaken(resource.title, word));
  switch (operation) {
    case 'create':
      return [...taken, ...ruleConflicts(resource, { write: 'create' }, registry)];
    case 'update': {
      const isLocked = resource.lockedUpdate !== undefined || resource.lockedFields.length > 0;
      const locked = isLocked ? [problems.readOnly(resource.title)] : [];
      return [...locked, ...taken, ...ruleConflicts(resource, { write: 'update' }, registry)];
    }
    case 'delete':
      return deleteConflicts({ resource }, registry, new Set());
    default:
      return [];
  }
}

/** A write of a record, and the reference to the one that takes it along. */
interface Judged {
  readonly write: keyof Conflicts;
  readonly by?: string | undefined;
}

/** A group whose records go, and the reference to those that take them along. */
interface Going {
  readonly resource: Resource;
  readonly by?: string | undefined;
}

/** What the rules of a group say that they may answer with. */
function ruleConflicts(resource: Resource, { write, by }: Judged, registry: Registry): Problem[] {
  const { fields, rules } = resource;
  const uses = [...fields.flatMap(({ derived }) => derived ?? []), ...rules];
  return uses.flatMap(({ conflicts, conflictsAbout, conditions }) => {
    const kind = conflicts[write];
    // To a condition the record is gone that takes this one along; what reads through it is not judged.
    const isSilent = by !== undefined && conditions['that'] !== undefined && readsThrough(conditions['that'].tree, by);
    return kind === undefined || isSilent
      ? []
      : titlesOf(conflictsAbout, resource, registry).map((about) => problems[kind](about));
  });
}

/** The groups whose records conflicts are about, as texts call them. */
function titlesOf(about: ConflictsAbout, { title, fields }: Resource, registry: Registry): readonly string[] {
  if (about === 'own') return [title];
  if (about === 'choices') return choiceTitles(fields, registry);
  return [registry.resources.get(about.group)?.title ?? title];
}

/**
 * What stops a delete: a lock, a record that must keep its reference, a rule, or any of these in a record deleted with it.
 * @param seen The groups on the way; empty at the record that the caller deletes.
 */
function deleteConflicts({ resource, by }: Going, registry: Registry, seen: Set<Resource>): Problem[] {
  const write = seen.size === 0 ? 'delete' : 'cascade';
  seen.add(resource);
  const referrers = registry.referrers.get(resource.name) ?? [];
  const along = referrers.filter(({ resource: other, field, list }) => {
    return list === undefined && field.onDelete === 'cascade' && !seen.has(other);
  });
  return [
    ...(resource.lockedDelete === undefined ? [] : [problems.readOnly(resource.title)]),
    ...(referrers.some(({ field }) => mayHold(field)) ? [problems.inUse(resource.title)] : []),
    ...ruleConflicts(resource, { write, by }, registry),
    ...along.flatMap(({ resource: other, field }) =>
      seen.has(other) ? [] : deleteConflicts({ resource: other, by: field.key }, registry, seen),
    ),
  ];
}

/** A reference that would be cleared holds the record where it is needed. */
const mayHold = (field: Field & { readonly onDelete: string }): boolean =>
  field.onDelete === 'restrict' || (field.onDelete === 'clear' && field.requiredWhen !== undefined);
