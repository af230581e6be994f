// Approval-only updates: they change nothing but decisions on a record, so conditions on the rest of it need not hold again.

import { isChanged } from '../../facts/record-values.ts';
import type { Condition } from '../../registry/model/model.ts';
import type { Moment } from './rule.ts';

/**
 * Whether an update changes nothing but `decisions` of its group, and none of those that a condition stands on or looks at.
 * @param key That on which it stands.
 */
export function isOtherDecision(
  { resource, operation, before, values, sent }: Pick<Moment, 'resource' | 'operation' | 'before' | 'values' | 'sent'>,
  key: string,
  condition: Condition,
): boolean {
  const { decisions } = resource;
  if (decisions.size === 0 || operation !== 'update') return false;
  const changed = [...sent].filter((one) => isChanged(before, values, one));
  if (!changed.every((one) => decisions.has(one))) return false;
  const looked = condition.keysByGroup.get(resource.name);
  // Where nothing changes at all, it is as if all of them did.
  const decided = changed.length === 0 ? [...decisions] : changed;
  return decided.every((one) => one !== key && looked?.has(one) !== true);
}
