// Records that belong to a period once it is there (domain: Timesheets, timeEntries and hours).

import type { Values } from '../registry/model.ts';
import { matching, matchOf, pairsOf } from './matching.ts';
import { type Bounds, keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';
import { shareOf } from './sums-up.ts';

/**
 * On create, the records of `group` that match (`match`: key there → key here) and whose `date` is from `from` to `to` get
 * this record under `by`, and this one keeps in `into` the sum of their `of` in units of `per`. Without any, `'<from>' must
 * be <must>`.
 */
export const gathers = {
  says: 'On creation, each {group} with {match:match} and a {date} from {from} to {to} gets this record as its {by}; {into} is the sum of their {of}, in units of {per}. Without one, {from} must be {must}.',
  parameters: {
    group: 'group',
    match: matching,
    date: { field: 'date', in: 'group' },
    from: { field: 'date' },
    to: { field: 'date' },
    by: { field: 'reference', in: 'group', to: 'this' },
    of: { field: 'number', in: 'group' },
    into: { field: 'decimal', kept: true },
    per: { numeral: 'positive' },
    must: 'text',
  },
  on: ['create'],
  check: async (moment) => {
    const { use, resource, records, refuse } = moment;
    const [from, to] = [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')];
    if (!moment.isSound(from, to, ...pairsOf(use, resource).map(([, own]) => own))) return;
    const period = periodOf(moment);
    const isThere = period && (await records.exists(textArgument(use, 'group'), period.match, period.bounds));
    if (isThere === false) refuse(from, `must be ${textArgument(use, 'must')}`);
  },
  after: async (moment) => {
    const { use, resource, values, records, effects } = moment;
    const id = textOf(values, 'id') ?? '';
    const period = periodOf(moment);
    if (period === undefined) return;
    const { match, bounds } = period;
    const found = await records.list(textArgument(use, 'group'), match, { bounds });
    if (found.length === 0) return;
    const ids = found.map((record) => String(record.id));
    await effects.refresh(textArgument(use, 'group'), ids, { [textArgument(use, 'by')]: id });
    const into = keyArgument(resource, use, 'into');
    const share = shareOf(found, textArgument(use, 'of'), textArgument(use, 'per'));
    await effects.refresh(resource.name, [id], { [into]: share });
  },
} as const satisfies Rule;

interface Period {
  readonly match: Values;
  readonly bounds: readonly Bounds[];
}

/** What the records of the period have in common; undefined where something of it is null. */
function periodOf(moment: Moment): Period | undefined {
  const { use, resource, values } = moment;
  const [from, to] = (['from', 'to'] as const).map((end) => textOf(values, keyArgument(resource, use, end)));
  const match = matchOf(moment, values);
  if (!from || !to || match === undefined) return undefined;
  const key = textArgument(use, 'date');
  const bounds: readonly Bounds[] = [
    { key, operator: '>=', value: from },
    { key, operator: '<=', value: to },
  ];
  return { match, bounds };
}
