// Which conflicts (409) an endpoint can answer with, so that the document can show their texts.
import { type Problem, problems } from '../problems.ts';
import type { Field, Operation, Registry, Resource } from '../registry/model.ts';
import type { Endpoint } from './endpoint.ts';

type Conflicts = Partial<Record<Operation, (human: string) => Problem>>;

/** Rules of the catalogue that refuse with a conflict; all others answer with a fault of the body. */
const ruleConflicts: Readonly<Record<string, Conflicts>> = {
  oneDefault: { update: problems.readOnly, delete: problems.inUse },
  lockedOnceUsed: { update: problems.readOnly },
  noOverlap: { create: problems.datesOverlap, update: problems.datesOverlap },
  periodChain: { delete: problems.inUse },
  rateCardChain: { delete: problems.inUse },
  heldBy: { delete: problems.inUse },
  heldByItems: { delete: problems.inUse },
};

/** Rules that refuse to name a record of another group which is in use. */
const namingConflicts: Readonly<Record<string, readonly Operation[]>> = { billsSources: ['create', 'update'] };

/** Each conflict once, in the order in which they are checked. */
export function conflictsOf({ resource, operation }: Endpoint, registry: Registry): readonly Problem[] {
  const own = ownConflicts(resource, operation, registry);
  const ofRules = resource.rules.flatMap(({ use }) => ruleConflicts[use]?.[operation]?.(resource.title) ?? []);
  const isNaming = resource.rules.some(({ use }) => namingConflicts[use]?.includes(operation));
  const named = isNaming ? choiceTitles(resource.fields, registry).map(problems.inUse) : [];
  const byMessage = new Map([...own, ...ofRules, ...named].map((problem) => [problem.message, problem]));
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
  const canChange = (field: Field): boolean => field.onUpdate || field.derived !== undefined;
  const keys =
    operation === 'create' ? resource.unique : resource.unique.filter(({ fields }) => fields.some(canChange));
  const taken = keys.map(({ word }) => problems.keyTaken(resource.title, word));
  switch (operation) {
    case 'create':
      return taken;
    case 'update': {
      const isLocked = resource.lockedUpdate !== undefined || resource.fields.some(({ lockedWhen }) => lockedWhen);
      return [...(isLocked ? [problems.readOnly(resource.title)] : []), ...taken];
    }
    case 'delete':
      return deleteConflicts(resource, registry, new Set());
    default:
      return [];
  }
}

/** What stops a delete: a lock, a record that must keep its reference, or either of these in a record deleted with it. */
function deleteConflicts(resource: Resource, registry: Registry, seen: Set<Resource>): Problem[] {
  seen.add(resource);
  const referrers = registry.referrers.get(resource.name) ?? [];
  const along = referrers.filter(({ resource: other, field, list }) => {
    return list === undefined && field.onDelete === 'cascade' && !seen.has(other);
  });
  return [
    ...(resource.lockedDelete === undefined ? [] : [problems.readOnly(resource.title)]),
    ...(referrers.some(({ field }) => mayHold(field)) ? [problems.inUse(resource.title)] : []),
    ...along.flatMap(({ resource: other }) => (seen.has(other) ? [] : deleteConflicts(other, registry, seen))),
  ];
}

/** A reference that would be cleared holds the record where it is needed. */
const mayHold = (field: Field & { readonly onDelete: string }): boolean =>
  field.onDelete === 'restrict' || (field.onDelete === 'clear' && field.requiredWhen !== undefined);
