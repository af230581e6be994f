// Updates that change what is decided on a record and nothing else: a decision is no change of what the record says.
import { dependenciesOf } from '../formulas/analyse/dependencies.ts';
import type { Condition, Resource } from '../registry/model.ts';
import { isChanged } from './record-values.ts';
import type { Moment } from './rule.ts';

/**
 * Whether an update changes nothing but `decisions` of its group, and none of those that a condition stands on or looks at.
 * @param key That on which it stands.
 */
export function isOtherDecision(
  { resource, operation, before, values, sent }: Moment,
  key: string,
  condition: Condition,
): boolean {
  const { decisions } = resource;
  if (decisions.size === 0 || operation !== 'update') return false;
  const changed = [...sent].filter((one) => isChanged(before, values, one));
  if (!changed.every((one) => decisions.has(one))) return false;
  const looked = keysInGroup(resource, condition);
  // Where nothing changes at all, it is as if all of them did.
  const decided = changed.length === 0 ? [...decisions] : changed;
  return decided.every((one) => one !== key && !looked.has(one));
}

/** Keys that a condition looks at in records of its own group, this one and others. */
function keysInGroup(resource: Resource, condition: Condition): ReadonlySet<string> {
  const keys =
    inGroup.get(condition) ??
    new Set(
      dependenciesOf(condition.tree).reads.flatMap(({ shape, key }) =>
        shape.kind === 'record' && shape.group === resource.name ? [key] : [],
      ),
    );
  inGroup.set(condition, keys);
  return keys;
}

/** A condition stands on records of one group. */
const inGroup = new WeakMap<Condition, ReadonlySet<string>>();
