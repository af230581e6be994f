// The rule `slug`: a key for addresses, made from a name (domain: slug).

import { isUnset } from '../facts/record-values.ts';
import { slug as slugOf } from '../values/fold.ts';
import { guardedBy, keyArgument, type Moment, type Rule, textOf, workspaceRow } from './support/rule.ts';

const longestKey = 255;
const mostAsked = 1000;

/** Fills `field` on create from `of`, with -2, -3… while taken: in the whole group, or `within` one record of another. */
export const slug = {
  says: 'On create, where it is not sent, {field} is made from {of}, with a number behind it while it is taken[ within one {within}].',
  example: {
    properties: { name: { type: 'string', maxLength: 255 }, key: { type: 'string', format: 'slug', maxLength: 255 } },
    required: ['name'],
    rules: [{ use: 'slug', field: 'key', of: 'name' }],
  },
  parameters: {
    field: { field: 'text', kept: true, filled: true },
    of: { field: 'text' },
    within: { field: 'reference', kept: true },
  },
  optional: ['within'],
  on: ['create'],
  guards: ['within'],
  // Two records that get their key at the same time must not get the same.
  guard: (moment) => {
    const { use, resource, values } = moment;
    if (!isUnset(values[keyArgument(resource, use, 'field')])) return [];
    const { field } = ownerOf(moment);
    return field === undefined ? workspaceRow : guardedBy(field, values);
  },
  fill: async (moment) => {
    const { use, resource, values, records } = moment;
    const key = keyArgument(resource, use, 'field');
    const name = textOf(values, keyArgument(resource, use, 'of'));
    if (!isUnset(values[key]) || name === null) return;
    const { field, id } = ownerOf(moment);
    const scope = field === undefined ? {} : { [field.key]: id };
    const wanted = slugOf(name) || slugOf(resource.title);
    // The first of two, then of twice as many: few are asked for where few are taken.
    for (let from = 1, many = 2; isUnset(values[key]); from += many, many = Math.min(2 * many, mostAsked)) {
      const slugs = Array.from({ length: many }, (_value, place) => numbered(wanted, from + place));
      const taken = await records.among(resource.name, scope, { key, values: slugs });
      values[key] = slugs.find((candidate) => !taken.has(candidate)) ?? null;
    }
  },
} as const satisfies Rule;

function ownerOf({ use, resource, values }: Moment) {
  const field = resource.byKey.get(keyArgument(resource, use, 'within'));
  return { field, id: field === undefined ? null : textOf(values, field.key) };
}

/** The name itself, then with -2, -3… at its end. */
function numbered(wanted: string, count: number): string {
  if (count === 1) return wanted;
  const end = `-${count}`;
  return wanted.slice(0, longestKey - end.length).replace(/-$/, '') + end;
}
