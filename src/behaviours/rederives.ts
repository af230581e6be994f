// Records of another group whose derived fields look at this one.
import { isChanged } from './record-values.ts';
import { keyOfName, type Rule, textArgument, textArguments, textOf } from './rule.ts';

/** After a change of one of `changed`, the records of `group` whose `by` names this record are derived again. */
export const rederives = {
  says: 'After a change of {changed}, each {group} whose {by} names this record is computed again.',
  parameters: {
    group: 'group',
    by: { field: 'reference', in: 'group', to: 'this' },
    changed: { list: { field: 'any' } },
  },
  on: ['update'],
  looksAt: (use, resource) => textArguments(use, 'changed').map((name) => keyOfName(resource, name)),
  after: async ({ use, resource, before, values, records, effects }) => {
    const keys = textArguments(use, 'changed').map((name) => keyOfName(resource, name));
    if (!keys.some((key) => isChanged(before, values, key))) return;
    const group = textArgument(use, 'group');
    for (const { id } of await records.list(group, { [textArgument(use, 'by')]: textOf(values, 'id') })) {
      await effects.change(group, String(id), {});
    }
  },
} as const satisfies Rule;
