// Records that belong to a period once it is there (domain: Timesheets, timeEntries and hours).

import type { Values } from '../registry/model.ts';
import { addDays } from '../values/date.ts';
import { matchOf, pairsOf } from './matching.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';
import { shareOf } from './sums-up.ts';

/**
 * On create, there must be such records in the period: else `'<from>' must be <must>`. The records of `group` that match (`match`: key there → key here) and whose `date` is from `from` to `to` get
 * this record under `by`, and this one keeps in `into` the sum of their `of` in units of `per`. Periods are short: each day is one look.
 */
export const gathers = {
  says: 'On creation, each {group} with {match:match} and a {date} from {from} to {to} gets this record as its {by}; {into} is the sum of their {of}, in units of {per}. Without one, {from} must be {must}.',
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
    must: 'text',
  },
  on: ['create'],
  check: async (moment) => {
    const { use, resource, refuse } = moment;
    const [from, to] = [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')];
    if (!moment.isSound(from, to, ...pairsOf(use, resource).map(([, own]) => own))) return;
    for await (const found of daysOf(moment)) if (found.length > 0) return;
    refuse(from, `must be ${textArgument(use, 'must')}`);
  },
  after: async (moment) => {
    const { use, resource, values, records } = moment;
    const id = textOf(values, 'id') ?? '';
    const found: Values[] = [];
    for await (const ofDay of daysOf(moment)) found.push(...ofDay);
    const ids = found.map((record) => String(record.id));
    await records.keepMany(textArgument(use, 'group'), ids, { [textArgument(use, 'by')]: id });
    const into = keyArgument(resource, use, 'into');
    const share = shareOf(found, textArgument(use, 'of'), textArgument(use, 'per'));
    await records.keep(resource.name, id, { [into]: share });
  },
} as const satisfies Rule;

/** The records of each day of the period. */
async function* daysOf(moment: Moment): AsyncGenerator<Values[]> {
  const { use, resource, values, records } = moment;
  const to = textOf(values, keyArgument(resource, use, 'to'));
  let day = textOf(values, keyArgument(resource, use, 'from'));
  const match = matchOf(moment, values);
  while (day !== null && to !== null && match !== undefined) {
    yield await records.list(textArgument(use, 'group'), { ...match, [textArgument(use, 'date')]: day });
    day = day === to ? null : addDays(day, 1);
  }
}
