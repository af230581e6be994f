// Records that cannot go while others of a certain state belong to them.
import type { Value, Values } from '../registry/model.ts';
import { matching, matchOf } from './matching.ts';
import { isRecord } from './record-values.ts';
import { type Rule, textArgument } from './rule.ts';

/**
 * A delete answers 409 in use while `group` has a record that matches (`match`: key there → key here); with `any` (key →
 * values) only one of which at least one field has one of these values.
 */
export const heldBy = {
  says: 'A delete is refused (409) while there is a {group} with {match:match}[ that has one of {any}].',
  parameters: {
    group: 'group',
    match: matching,
    any: { map: { field: 'single', in: 'group' }, to: { list: { literalOf: '@key' } } },
  },
  optional: ['any'],
  conflicts: { delete: 'inUse', cascade: 'inUse' },
  on: ['delete'],
  check: async (moment) => {
    const { use, values, records } = moment;
    const group = textArgument(use, 'group');
    const match = matchOf(moment, values);
    if (match === undefined) return;
    const { any } = use.arguments;
    for (const state of isRecord(any) ? statesOf(any) : [{}])
      if (await records.exists(group, { ...match, ...state })) moment.conflict('inUse');
  },
} as const satisfies Rule;

/** Each value of each key by itself. */
const statesOf = (any: Values): Values[] =>
  Object.entries(any).flatMap(([key, values]) =>
    Array.isArray(values) ? values.map((value: Value) => ({ [key]: value })) : [],
  );
