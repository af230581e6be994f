// Updates that change what is decided on a record and nothing else: a decision is no change of what the record says.
import { looksOf } from '../formulas/looks.ts';
import type { Condition, Resource } from '../registry/model.ts';
import { isChanged } from './record-values.ts';
import type { Moment } from './rule.ts';

/**
 * Whether an update changes nothing but `decisions` of its group, none of which is among `keys`: those that a condition stands
 * on or looks at.
 */
export function isOtherDecision(
  { resource, operation, before, values, sent }: Moment,
  keys: Iterable<string>,
): boolean {
  const { decisions } = resource;
  if (decisions.size === 0 || operation !== 'update') return false;
  const changed = [...sent].filter((key) => isChanged(before, values, key));
  const looked = new Set(keys);
  // Where nothing changes at all, it is as if all of them did.
  const decided = changed.length === 0 ? [...decisions] : changed;
  return decided.every((key) => decisions.has(key) && !looked.has(key));
}

/** Keys that a condition looks at in records of its own group, this one and others. */
export function keysInGroup(resource: Resource, condition: Condition | undefined): Iterable<string> {
  if (condition === undefined) return [];
  const keys =
    inGroup.get(condition) ??
    new Set(
      looksOf(condition.tree).reads.flatMap(({ shape, key }) =>
        shape.kind === 'record' && shape.group === resource.name ? [key] : [],
      ),
    );
  inGroup.set(condition, keys);
  return keys;
}

/** A condition stands on records of one group. */
const inGroup = new WeakMap<Condition, ReadonlySet<string>>();
