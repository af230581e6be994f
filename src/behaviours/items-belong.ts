// Records that a list names and that belong to the same owner as the list's record (domain: same-project, same-client).
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { matching } from './matching.ts';
import { isRecord, itemsOf, textsOf } from './record-values.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument } from './rule.ts';

/**
 * Each id in `list` (under `key` where its items are objects) is the `as` of a record of `group` whose fields equal this
 * record's: `match` gives their key there and here.
 */
export const itemsBelong = {
  says: 'Each item of {list} must[, by its {key},] be the {as} of a {group} with {match:match}.',
  parameters: {
    list: { field: ['references', 'objects'] },
    key: { field: 'reference', in: 'list' },
    group: 'group',
    match: matching,
    as: { field: ['id', 'reference'], in: 'group' },
  },
  optional: ['key'],
  on: ['create', 'update'],
  looksAt: (use, resource) => [
    keyArgument(resource, use, 'list'),
    ...pairsOf(use).map(([, own]) => keyOfName(resource, own)),
  ],
  check: async (moment) => {
    const { use, resource, values, records } = moment;
    const list = keyArgument(resource, use, 'list');
    const owners = pairsOf(use).map(([theirs, own]) => [theirs, keyOfName(resource, own)] as const);
    if (!moment.isSound(list, ...owners.map(([, own]) => own))) return;
    const same: Values = Object.fromEntries(owners.map(([theirs, own]) => [theirs, values[own] ?? null]));
    const named = namedIds(moment, list);
    const ids = [...new Set(named.map(([, id]) => id))];
    const candidates = { key: textArgument(use, 'as'), values: ids };
    const known = await records.among(textArgument(use, 'group'), same, candidates);
    for (const [place, id] of named)
      if (!known.has(id)) moment.refuse(place, `must be of the same ${wordsOf(use, resource)}`);
  },
} as const satisfies Rule;

/** Each id with its place in the body. */
function namedIds({ use, values }: Moment, list: string): (readonly [place: string, id: string])[] {
  const key = textArgument(use, 'key');
  if (key === '') return textsOf(values, list).map((id, index) => [`${list}[${index}]`, id]);
  return itemsOf(values, list).flatMap((item, index) => {
    const id = item[key];
    return typeof id === 'string' ? [[`${list}[${index}].${key}`, id] as const] : [];
  });
}

/** `[key there, name or key here]` of what must be equal. */
const pairsOf = (use: RuleUse): (readonly [string, string])[] => {
  const { match } = use.arguments;
  return isRecord(match) ? Object.entries(match).map(([theirs, own]) => [theirs, String(own)] as const) : [];
};

const wordsOf = (use: RuleUse, resource: Resource): string =>
  pairsOf(use)
    .map(([, own]) => (resource.byKey.get(keyOfName(resource, own))?.name ?? own).replace(/Id$/, ''))
    .join(' and ');
