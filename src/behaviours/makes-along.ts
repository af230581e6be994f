// Records that come with a new one.
import type { Values } from '../registry/model.ts';
import { isRecord, isUnset } from './record-values.ts';
import { type Rule, textArgument, textOf } from './rule.ts';
import { firstValue, source } from './sources.ts';

/**
 * Creates one record of `group` after a create, whose `owner` is the new record. `values` are literals, or
 * `{"from": source}` with one source or several in order; without a value for `needs` nothing is made.
 */
export const makesAlong = {
  says: 'After a create, a {group} is made whose {owner} is the new record[, where there is a value for {needs}].',
  parameters: {
    group: 'group',
    owner: { field: 'reference', in: 'group', to: 'this' },
    values: {
      map: { field: 'any', in: 'group' },
      to: { either: [{ object: { from: { either: [source, { list: source }] } } }, { literalOf: '@key' }] },
    },
    needs: { field: 'any', in: 'group' },
  },
  optional: ['needs'],
  on: ['create'],
  after: async (moment) => {
    const { use, values, effects } = moment;
    const made: Values = { [textArgument(use, 'owner')]: textOf(values, 'id') };
    const given = use.arguments.values;
    for (const [key, value] of isRecord(given) ? Object.entries(given) : []) {
      const from = isRecord(value) ? value.from : undefined;
      const found = from === undefined ? value : await firstValue(moment, [from].flat().map(String));
      // What no source gives is left to the defaults of the other group.
      if (found !== undefined) made[key] = found;
    }
    const needs = textArgument(use, 'needs');
    if (needs === '' || !isUnset(made[needs])) await effects.create(textArgument(use, 'group'), made);
  },
} as const satisfies Rule;
