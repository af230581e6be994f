// Records that belong to a period once it is there (domain: Timesheets, timeEntries and hours).

import type { Values } from '../registry/model.ts';
import { matchOf } from './matching.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';
import { shareOf } from './sums-up.ts';

/**
 * On create, the records of `group` that match (`match`: key there → key here) and whose `date` is from `from` to `to` get
 * this record under `by`, and this one keeps in `into` the sum of their `of` in units of `per`.
 */
export const gathers = {
  says: 'On creation, each {group} with {match:match} and a {date} from {from} to {to} gets this record as its {by}; {into} is the sum of their {of}, in units of {per}.',
  parameters: {
    group: 'group',
    match: 'values',
    date: 'text',
    from: 'field',
    to: 'field',
    by: 'text',
    of: 'text',
    into: 'field',
    per: 'text',
  },
  on: ['create'],
  after: async (moment) => {
    const { use, resource, values, records } = moment;
    const id = textOf(values, 'id') ?? '';
    const found = await inPeriod(moment);
    if (found.length === 0) return;
    const ids = found.map((record) => String(record.id));
    await records.keepMany(textArgument(use, 'group'), ids, { [textArgument(use, 'by')]: id });
    const into = keyArgument(resource, use, 'into');
    const share = shareOf(found, textArgument(use, 'of'), textArgument(use, 'per'));
    await records.keep(resource.name, id, { [into]: share });
  },
} as const satisfies Rule;

async function inPeriod(moment: Moment): Promise<Values[]> {
  const { use, resource, values, records } = moment;
  const [from, to] = (['from', 'to'] as const).map((end) => textOf(values, keyArgument(resource, use, end)));
  const match = matchOf(moment, values);
  if (!from || !to || match === undefined) return [];
  const key = textArgument(use, 'date');
  const bounds = [
    { key, operator: '>=', value: from },
    { key, operator: '<=', value: to },
  ] as const;
  return records.list(textArgument(use, 'group'), match, { bounds });
}
