// A switch that is on while others are.
import { type Moment, type Rule, textArguments } from './rule.ts';

/** True while every path of `of` is true; a path over a reference that is null is left out. False while `when` is false. */
export const allTrue = {
  says: 'True while all of these are true: {of}[, and only while {when}]. References that are not set are left out.',
  parameters: { of: { list: { path: 'boolean' } }, when: 'condition' },
  gives: { field: 'boolean' },
  optional: ['when'],
  on: ['create', 'update'],
  // What the other records say may have changed since.
  looksAt: (_use, resource) => [...resource.byKey.keys()],
  derive: async (moment) => {
    const { use, values, key } = moment;
    values[key] = use.conditions.when?.test(values) !== false && (await areAllTrue(moment));
  },
} as const satisfies Rule;

/** Whether no path of the argument `of` leads to anything but true. */
export async function areAllTrue({ use, resource, values, records }: Moment): Promise<boolean> {
  for (const path of textArguments(use, 'of')) {
    const value = await records.follow(resource, values, path);
    if (value !== undefined && value !== true) return false;
  }
  return true;
}
