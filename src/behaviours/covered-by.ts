// A record of another group whose days cover that of this one (domain: Time Entries, timesheet).

import { guardMatched, matching, matchOf, pairsOf } from './matching.ts';
import { keyArgument, openAt, type Rule, textArgument, textOf } from './rule.ts';

/**
 * `{"use": "coveredBy", "group": …, "match": …, "date": …, "from": …, "to": …}`: the id of the record of `group` that matches
 * (`match`: key there → key here) and whose days from `from` to `to` hold this record's `date`; null without one. Without one of
 * its two days such a record is open there.
 */
export const coveredBy = {
  says: 'The {group} with {match:match} whose days from {from} to {to} hold {date}; null without one.',
  parameters: {
    group: 'group',
    match: matching,
    date: { field: 'date' },
    from: { field: 'date', in: 'group' },
    to: { field: 'date', in: 'group' },
  },
  gives: { field: 'reference', to: 'group', nullBy: 'always' },
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'date'), ...pairsOf(use, resource).map(([, own]) => own)],
  guard: guardMatched,
  derive: async (moment) => {
    const { use, resource, values, key, records } = moment;
    const day = textOf(values, keyArgument(resource, use, 'date'));
    const match = matchOf(moment, values);
    values[key] = null;
    if (day === null || match === undefined) return;
    const [from, to] = [textArgument(use, 'from'), textArgument(use, 'to')];
    const group = textArgument(use, 'group');
    const other = records.resource(group);
    const bounds = [
      { key: from, operator: '<=', value: day, ...openAt(other, from) },
      { key: to, operator: '>=', value: day, ...openAt(other, to) },
    ] as const;
    const [found] = await records.list(group, match, { bounds, limit: 1 });
    values[key] = found?.id ?? null;
  },
} as const satisfies Rule;
