// A record that another group must have for this one (domain: the member is an active project member).
import { isOtherChange } from './lone-change.ts';
import { matching, matchOf, pairsOf } from './matching.ts';
import { holds } from './over-references.ts';
import { isChanged, isRecord } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/**
 * `'<field>' must be <must>` unless `group` has a record that matches (`match`: key there → key here), has the values
 * `where` and, with `list`, holds the id of this record's field `holds` in that list. Judged while `when` holds (always
 * without it) and nothing of `match` is null. `on` limits it to one operation, `changed` to writes that give that field
 * another value; `butFor` leaves out updates that change that field alone.
 */
export const requireRecord = {
  says: '{field} must be {must}: there is a {group} with {match:match}[ that has {where}][ and holds {holds} in its {list}][. Looked at while {when}][. Looked at on {on} alone][. Looked at where {changed} changes][. Not looked at where an update changes {butFor} alone].',
  parameters: {
    group: 'group',
    match: matching,
    where: { map: { field: 'single', in: 'group' }, to: { literalOf: '@key' } },
    list: { field: 'references', in: 'group' },
    holds: { field: 'reference', to: 'list' },
    field: { field: 'any' },
    must: 'text',
    when: 'condition',
    on: { oneOf: ['create', 'update'] },
    changed: { field: 'any' },
    butFor: { field: 'any' },
  },
  optional: ['where', 'list', 'holds', 'when', 'on', 'changed', 'butFor'],
  on: ['create', 'update'],
  // What the other records say may have changed since.
  looksAt: (_use, resource) => [...resource.byKey.keys()],
  check: async (moment) => {
    const { use, resource, operation, before, values } = moment;
    const on = textArgument(use, 'on');
    const key = keyArgument(resource, use, 'field');
    const changed = keyArgument(resource, use, 'changed');
    if ((on !== '' && on !== operation) || isOtherChange(moment)) return;
    if (changed !== '' && !isChanged(before, values, changed)) return;
    if (!moment.isSound(key, ...pairsOf(use, resource).map(([, own]) => own))) return;
    if (use.conditions.when !== undefined && (await holds(moment, use.conditions.when)) !== true) return;
    if ((await isThere(moment)) === false) moment.refuse(key, `must be ${textArgument(use, 'must')}`);
  },
} as const satisfies Rule;

/** Undefined where this record names nothing to look for. */
async function isThere(moment: Moment): Promise<boolean | undefined> {
  const { use, resource, values, records } = moment;
  const match = matchOf(moment, values);
  if (match === undefined) return undefined;
  const group = textArgument(use, 'group');
  const { where } = use.arguments;
  const found = { ...match, ...(isRecord(where) ? where : {}) };
  const list = textArgument(use, 'list');
  if (list === '') return records.exists(group, found);
  const held = textOf(values, keyArgument(resource, use, 'holds'));
  if (held === null) return undefined;
  for (const { id } of await records.list(group, found))
    if (await records.isHeld(group, { list, key: 'target', id: held }, String(id))) return true;
  return false;
}
