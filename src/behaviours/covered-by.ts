// A record of another group whose days cover that of this one (domain: Time Entries, timesheet).

import { guardMatched, matchOf, pairsOf } from './matching.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/**
 * `{"use": "coveredBy", "group": …, "match": …, "date": …, "from": …, "to": …}`: the id of the record of `group` that matches
 * (`match`: key there → key here) and whose days from `from` to `to` hold this record's `date`; null without one.
 */
export const coveredBy = {
  says: 'The {group} with {match:match} whose days from {from} to {to} hold {date}; null without one.',
  parameters: { group: 'group', match: 'values', date: 'field', from: 'text', to: 'text' },
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
    const bounds = [
      { key: from, operator: '<=', value: day },
      { key: to, operator: '>=', value: day },
    ] as const;
    const [found] = await records.list(textArgument(use, 'group'), match, { bounds, limit: 1 });
    values[key] = found?.id ?? null;
  },
} as const satisfies Rule;
