// A sum that records keep over the records that name them in a list.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { textsOf } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument } from './rule.ts';

/** Every record that `list` names before or after keeps in `into` the sum of the integers `of` of those that name it. */
export const tally = {
  says: 'Each record in {list} keeps in {into} the sum of {of} over the records that name it.',
  parameters: { list: { field: 'references' }, of: { field: 'integer' }, into: { field: 'integer', in: 'list' } },
  looksAt: (use, resource) => [keyArgument(resource, use, 'list'), keyArgument(resource, use, 'of')],
  guard: (moment) => [{ group: targetOf(moment.use, moment.resource), ids: [...sharesOf(moment).keys()] }],
  after: async (moment) => {
    const { use, resource, records, effects } = moment;
    const group = targetOf(use, resource);
    const into = textArgument(use, 'into');
    for (const [id, share] of sharesOf(moment)) {
      const record = share === 0 ? undefined : await records.find(group, id);
      if (record !== undefined) await effects.refresh(group, [id], { [into]: Number(record[into] ?? 0) + share });
    }
  },
} as const satisfies Rule;

const targetOf = (use: RuleUse, resource: Resource): string => {
  const field = resource.byKey.get(keyArgument(resource, use, 'list'));
  return field?.kind === 'references' ? field.target : '';
};

/** What this write adds to each record, by id. */
function sharesOf({ use, resource, operation, before, values }: Moment): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const count = (record: Readonly<Values> | undefined, sign: number): void => {
    if (record === undefined) return;
    for (const id of textsOf(record, keyArgument(resource, use, 'list'))) {
      const share = Number(record[keyArgument(resource, use, 'of')] ?? 0);
      shares.set(id, (shares.get(id) ?? 0) + sign * share);
    }
  };
  count(before, -1);
  if (operation !== 'delete') count(values, 1);
  return shares;
}
