// Records that a new one needs beside it, where they are missing.
import { guardMatched, matching, matchOf } from './matching.ts';
import { type Rule, textArgument } from './rule.ts';

/** After a create, makes the record of `group` that matches (`match`: key there → key here), unless there is one. */
export const makesMissing = {
  says: 'After a create, the {group} with {match:match} is made unless it is there.',
  parameters: { group: 'group', match: matching },
  on: ['create'],
  // Several at once would each find none, and each make one.
  guard: guardMatched,
  after: async (moment) => {
    const { use, values, records, effects } = moment;
    const group = textArgument(use, 'group');
    const match = matchOf(moment, values);
    if (match !== undefined && !(await records.exists(group, match))) await effects.create(group, match);
  },
} as const satisfies Rule;
