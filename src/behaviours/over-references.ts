// Conditions that look at other records: `project.isBillable`, `project.client.isInternal`.
import { recordValue } from '../formulas/facts.ts';
import type { Condition, Resource } from '../registry/model.ts';
import { ReadFacts } from './read-facts.ts';
import type { Moment } from './rule.ts';

/** What a condition over other records is judged on. */
type Judged = Pick<Moment, 'values' | 'records' | 'isSound'>;

/** Whether a condition holds. Undefined, so that nothing is said, where a reference on one of its paths is null. */
export async function holds(
  { values, records, isSound }: Judged,
  condition: Condition | undefined,
): Promise<boolean | undefined> {
  if (condition === undefined || !isSound(...condition.keys)) return undefined;
  const { value, throughNull } = await new ReadFacts({ records }).evaluate(condition.tree, recordValue(values));
  return throughNull ? undefined : value === true;
}

/**
 * Keys whose change calls for a condition. One over other records is judged at every write: they may have changed, and
 * that alone changes nothing here.
 */
export const keysLookedAt = (resource: Resource, condition: Condition | undefined): readonly string[] =>
  condition === undefined || condition.paths.length > 0 ? [...resource.byKey.keys()] : condition.keys;
