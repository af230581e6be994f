// Updates that change one field and nothing else: a decision on a record is no change of what the record says.
import { isChanged } from './record-values.ts';
import { keyArgument, type Moment } from './rule.ts';

/** Whether an update changes nothing but the field that the argument `butFor` names. False without the argument. */
export function isOtherChange({ use, resource, operation, before, values, sent }: Moment): boolean {
  if (use.arguments.butFor === undefined || operation !== 'update') return false;
  const key = keyArgument(resource, use, 'butFor');
  return [...sent].every((other) => other === key || !isChanged(before, values, other));
}
