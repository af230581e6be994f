// A switch that can be on only while others are (domain: isBillable).
import { isOtherDecision, keysInGroup } from './lone-change.ts';
import { matching, matchOf } from './matching.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textArguments } from './rule.ts';

/**
 * `field` is by default whether every path of `of` is true, and so is the same field of the record of `group` that
 * matches (`match`: key there → key here), and refused as true otherwise; also while `when` is false.
 */
export const limitedBy = {
  says: '{field} must be {must}. By default it is true where all of these are: {of}[, and {field} of the {group} with {match:match}][; never unless {when}].',
  parameters: {
    field: { field: 'boolean', filled: true },
    of: { list: { path: 'boolean' } },
    group: 'group',
    match: matching,
    when: 'condition',
    must: 'text',
  },
  optional: ['group', 'match', 'when'],
  on: ['create', 'update'],
  fill: async (moment) => {
    const key = keyArgument(moment.resource, moment.use, 'field');
    if (isUnset(moment.values[key])) moment.values[key] = await isPossible(moment, key);
  },
  check: async (moment) => {
    const { use, resource, values } = moment;
    const key = keyArgument(resource, use, 'field');
    if (values[key] !== true || !moment.isSound(key)) return;
    if (isOtherDecision(moment, [key, ...keysInGroup(resource, use.conditions.when)])) return;
    if (!(await isPossible(moment, key))) moment.refuse(key, `must be ${textArgument(use, 'must')}`);
  },
} as const satisfies Rule;

async function isPossible(moment: Moment, key: string): Promise<boolean> {
  const { use, values, records } = moment;
  if (use.conditions.when?.test(values) === false || !(await areAllTrue(moment))) return false;
  const group = textArgument(use, 'group');
  const match = group === '' ? undefined : matchOf(moment, values);
  return match === undefined || (await records.list(group, match)).every((record) => record[key] === true);
}

/** Whether no path of the argument `of` leads to anything but true; one over a reference that is null leads nowhere. */
async function areAllTrue({ use, resource, values, records }: Moment): Promise<boolean> {
  for (const path of textArguments(use, 'of')) {
    const value = await records.follow(resource, values, path);
    if (value !== undefined && value !== true) return false;
  }
  return true;
}
