// Conditions that read other records: `project.isBillable`, `project.client.isInternal`.

import { ReadFacts } from '../../facts/read-facts.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Condition } from '../../registry/model/model.ts';
import { type Soon, soon } from '../../values/soon.ts';
import type { Moment } from './rule.ts';

/** What a condition over other records is judged on. */
type Judged = Pick<Moment, 'values' | 'records' | 'isSound'>;

/** Whether a condition holds. Undefined, so that nothing is said, where a reference on one of its paths is null. */
export function holds(
  { values, records, isSound }: Judged,
  condition: Condition | undefined,
): Soon<boolean | undefined> {
  if (condition === undefined || !isSound(...condition.keys)) return undefined;
  const judged = new ReadFacts({ records }).evaluate(condition.tree, recordValue(values));
  return soon(judged, ({ value, throughNull }) => (throughNull ? undefined : value === true));
}

/** Whether a formula looks at nothing but the record, as it is and as it was. */
export const isOverOne = (tree: Tree): boolean =>
  dependenciesOf(tree).beyond.every(({ what, words }) => what === 'known' && words === 'old');
