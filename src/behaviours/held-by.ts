// Records that cannot go while others of a certain state belong to them.
import { problems } from '../problems.ts';
import type { Value, Values } from '../registry/model.ts';
import { matchOf } from './matching.ts';
import { isRecord } from './record-values.ts';
import { type Rule, textArgument } from './rule.ts';

/**
 * A delete answers 409 in use while `group` has a record that matches (`match`: key there → key here); with `any` (key →
 * values) only one of which at least one field has one of these values.
 */
export const heldBy = {
  says: 'A delete is refused (409) while there is a {group} with {match:match}[ that has one of {any}].',
  parameters: { group: 'group', match: 'values', any: 'values' },
  optional: ['any'],
  on: ['delete'],
  check: async (moment) => {
    const { use, resource, values, records } = moment;
    const group = textArgument(use, 'group');
    const match = matchOf(moment, values);
    if (match === undefined) return;
    const { any } = use.arguments;
    const isHeld = isRecord(any)
      ? (await records.list(group, match)).some((record) => hasAny(record, any))
      : await records.exists(group, match);
    if (isHeld) throw problems.inUse(resource.title);
  },
} as const satisfies Rule;

const hasAny = (record: Values, any: Values): boolean =>
  Object.entries(any).some(([key, values]) => Array.isArray(values) && values.includes((record[key] ?? null) as Value));
