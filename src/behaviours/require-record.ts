// A record that another group must have for this one (domain: the member is an active project member).
import { isOtherDecision, keysInGroup } from './lone-change.ts';
import { matching, matchOf, pairsOf } from './matching.ts';
import { holds } from './over-references.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/**
 * `'<field>' must be <must>` unless `group` has a record that matches (`match`: key there → key here) and holds the id of
 * this record's field `holds` in its `list`. Judged while `when` holds (always without it) and nothing of `match` is null.
 */
export const requireRecord = {
  says: '{field} must be {must}: there is a {group} with {match:match} that holds {holds} in its {list}[. Looked at while {when}].',
  parameters: {
    group: 'group',
    match: matching,
    list: { field: 'references', in: 'group' },
    holds: { field: 'reference', to: 'list' },
    field: { field: 'any' },
    must: 'text',
    when: 'condition',
  },
  optional: ['when'],
  on: ['create', 'update'],
  // What the other records say may have changed since.
  looksAt: (_use, resource) => [...resource.byKey.keys()],
  check: async (moment) => {
    const { use, resource } = moment;
    const key = keyArgument(resource, use, 'field');
    if (isOtherDecision(moment, [key, ...keysInGroup(resource, use.conditions['when'])])) return;
    if (!moment.isSound(key, ...pairsOf(use, resource).map(([, own]) => own))) return;
    if (use.conditions['when'] !== undefined && (await holds(moment, use.conditions['when'])) !== true) return;
    if ((await isThere(moment)) === false) moment.refuse(key, `must be ${textArgument(use, 'must')}`);
  },
} as const satisfies Rule;

/** Undefined where this record names nothing to look for. */
async function isThere(moment: Moment): Promise<boolean | undefined> {
  const { use, resource, values, records } = moment;
  const match = matchOf(moment, values);
  if (match === undefined) return undefined;
  const group = textArgument(use, 'group');
  const list = textArgument(use, 'list');
  const held = textOf(values, keyArgument(resource, use, 'holds'));
  if (held === null) return undefined;
  for (const { id } of await records.list(group, match))
    if (await records.isHeld(group, { list, key: 'target', id: held }, String(id))) return true;
  return false;
}
