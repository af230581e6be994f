// A choice that need not be made where there is only one.
import { matching, matchOf } from './matching.ts';
import { isUnset, textsOf } from './record-values.ts';
import { keyArgument, type Rule, textArgument } from './rule.ts';

/** Fills `field` on create with the only id in `list` of the record of `group` that matches (`match`: key there → key here). */
export const onlyItem = {
  says: 'On create, where it is not sent, {field} is the only id in {list} of the {group} with {match:match}.',
  parameters: {
    field: { field: 'reference', filled: true },
    group: 'group',
    match: matching,
    list: { field: 'references', in: 'group', to: 'field' },
  },
  on: ['create'],
  fill: async (moment) => {
    const { use, resource, values, sent, records } = moment;
    const key = keyArgument(resource, use, 'field');
    const match = matchOf(moment, values);
    if (sent.has(key) || !isUnset(values[key]) || match === undefined) return;
    const group = textArgument(use, 'group');
    const [found] = await records.list(group, match);
    const record = found && (await records.whole(group, String(found.id)));
    const [only, ...others] = record === undefined ? [] : textsOf(record, textArgument(use, 'list'));
    if (only !== undefined && others.length === 0) values[key] = only;
  },
} as const satisfies Rule;
