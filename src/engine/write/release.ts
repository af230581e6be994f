// Dependents of records that are deleted: they hold the delete back (restrict), go along (cascade) or lose the reference (clear), a
// portion at a time.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { isRecord } from '../../facts/record-values.ts';
import type { Referrer, Value, Values } from '../../registry/model/model.ts';
import { type Lost, nameInFull } from '../changes/change.ts';
import { portionSize, portionsOf } from '../changes/portions.ts';
import type { Scope } from '../transaction/scope.ts';
import type { Along, Going } from './going.ts';
import { goingOf, restricting } from './make-way.ts';

/** Whether a reference keeps any of the records from going: it restricts, or it would leave a record without what it needs. */
export async function isHeldBack(scope: Scope, referrer: Referrer, going: readonly string[]): Promise<boolean> {
  const { resource, field, list } = referrer;
  const { rows } = scope.groups.get(resource.name);
  const { session } = scope;
  const { key, requiredWhen } = field;
  const isRestricted = field.onDelete === 'restrict';
  if (!isRestricted && (field.onDelete !== 'clear' || requiredWhen === undefined || list !== undefined)) return false;
  scope.settle(resource.name);
  const store = rows.listOf(list ?? field);
  if (isRestricted) return (await restricting(scope, referrer, { ids: going, limit: 1 })).length > 0;
  const gone = new Set(going);
  const isLeftWanting = async (record: Readonly<Values>): Promise<boolean> => {
    if (store === undefined)
      return gone.has(String(record[key])) && requiredWhen?.test({ ...record, [key]: null }) === true;
    // The list itself is read only of records that need one.
    if (requiredWhen?.test({ ...record, [key]: [] }) !== true) return false;
    const items = (await scope.records.whole(resource.name, String(record['id'])))?.[key];
    return Array.isArray(items) && items.length > 0 && items.every((item) => gone.has(String(item)));
  };
  const limit = scope.bound.limit;
  const holders =
    store === undefined
      ? (await rows.naming(session, { key, ids: going, limit })).map(({ id }) => id)
      : (await store.holding(session, { key, ids: going, limit })).map(({ holder }) => holder);
  scope.bound.check(resource, holders.length);
  for (const ids of portionsOf([...new Set(holders)].sort())) {
    // Under lock: what they need may be about to become something else.
    const records = await scope.records.toChange(resource.name, ids);
    const wanting: string[] = [];
    for (const [id, record] of records) if (await isLeftWanting(record)) wanting.push(id);
    if (wanting.length > 0 && (await goingOf(scope, resource.name, wanting)).size < wanting.length) return true;
    await yieldIfDue();
  }
  return false;
}

/**
 * Lets go of records: takes along what goes with them, clears what names them, takes them out of lists.
 * @param remove Removes what goes along.
 * @throws Problem where that is too much, before any of it is done
 */
export async function release(
  scope: Scope,
  referrer: Referrer,
  { going, remove }: { readonly going: Going; readonly remove: (along: Along) => Promise<void> },
): Promise<void> {
  const { resource, field } = referrer;
  if (field.onDelete === 'restrict') return;
  const { name } = resource;
  const group = scope.groups.get(name);
  scope.settle(name);
  if (group.rows.listOf(referrer.list ?? field) !== undefined) return releaseFromLists(scope, referrer, going);
  const { key } = field;
  const limit = scope.bound.limit;
  const named = await group.rows.naming(scope.session, { key, ids: going.ids, limit });
  const isLarge = named.length > portionSize;
  if (isLarge && !going.isCounted) await countAhead(scope, going);
  for (const portion of portionsOf(named)) {
    scope.bound.take('along', resource, idsOf(portion));
    await yieldIfDue();
  }
  const target = going.group.resource.name;
  if (field.onDelete === 'clear') return clear(scope, referrer, { named, target });
  // Round in a circle: what names a record goes behind it, and must not name it then.
  const isBehind = ({ id }: { readonly id: string }): boolean =>
    scope.groups.letGoFirst.has(referrer) || scope.beingDeleted.has(nameInFull({ group: name, id }));
  if (field.unset === 'null') await clear(scope, referrer, { named: named.filter(isBehind), target });
  const ids = idsOf(named);
  const [first] = named;
  if (first === undefined) return;
  const of = { group: target, id: first.target };
  await remove({ group, ids, isCounted: going.isCounted || isLarge, cause: { kind: 'cascade', of } });
}

interface Cleared {
  readonly named: readonly { readonly id: string; readonly target: string }[];
  /** The group of those that they name. */
  readonly target: string;
}

const idsOf = (named: readonly { readonly id: string }[]): readonly string[] => named.map(({ id }) => id);

async function clear(scope: Scope, { resource, field: { key } }: Referrer, { named, target }: Cleared): Promise<void> {
  const [keys, after] = [[key], { [key]: null }];
  for (const portion of portionsOf(named)) {
    // Others may have removed them, or have let them name another record, since they were looked for.
    const records = await scope.records.toChange(resource.name, idsOf(portion));
    for (const { id, target: was } of portion) {
      if (records.get(id)?.[key] !== was) continue;
      const cause = { kind: 'clear', of: { group: target, id: was } } as const;
      scope.collect({ kind: 'update', group: resource.name, id, before: { [key]: was }, after, keys, cause });
    }
    if (named.length > portionSize) await scope.carryOn();
  }
}

/**
 * Looks how much goes with records, and with what goes with these, before any of it is done: where that is little, it is
 * counted as it is done.
 */
async function countAhead(scope: Scope, going: Going): Promise<void> {
  const ahead = scope.bound.fork();
  // Several references may lead to one record, and round in a circle.
  const seen = new Set(scope.beingDeleted);
  const count = async ({ group, ids }: Pick<Going, 'group' | 'ids'>): Promise<void> => {
    for (const { resource, field, list } of scope.groups.registry.referrers.get(group.resource.name) ?? []) {
      const referring = scope.groups.get(resource.name);
      if (field.onDelete === 'restrict' || referring.rows.listOf(list ?? field) !== undefined) continue;
      scope.settle(resource.name);
      for (const portion of portionsOf(ids)) {
        const named = { key: field.key, ids: portion, limit: ahead.limit };
        const isCascade = field.onDelete === 'cascade';
        const all = await referring.rows.naming(scope.session, named);
        const found = all.filter(({ id }) => !seen.has(nameInFull({ group: resource.name, id })));
        for (const some of portionsOf(idsOf(found))) {
          ahead.take('along', resource, some);
          if (isCascade) for (const id of some) seen.add(nameInFull({ group: resource.name, id }));
          await yieldIfDue();
        }
        if (!isCascade || found.length === 0) continue;
        await count({ group: referring, ids: found.map(({ id }) => id) });
      }
    }
  };
  await count(going);
}

/** Takes records that go out of all lists that name them, with the items that do. */
async function releaseFromLists(scope: Scope, referrer: Referrer, going: Going): Promise<void> {
  const { resource, field, list = field, outer } = referrer;
  const { rows } = scope.groups.get(resource.name);
  const root = outer ?? list;
  const limit = scope.bound.limit;
  const holding = (await rows.listOf(list)?.holding(scope.session, { key: field.key, ids: going.ids, limit })) ?? [];
  scope.bound.check(resource, holding.length);
  scope.bound.take(
    'along',
    resource,
    holding.map(({ holder }) => holder),
  );
  for (const [target, held] of Map.groupBy(holding, ({ id }) => id)) {
    const lost: Lost = { list: outer === undefined ? [root.key] : [outer.key, list.key], key: field.key, target };
    const cause = { kind: 'clear', of: { group: going.group.resource.name, id: target } } as const;
    for (const portion of portionsOf(held)) {
      const holders = portion.map(({ holder }) => holder);
      const records = await scope.records.toChange(resource.name, holders);
      const owners = holders.filter((id) => records.has(id));
      const lists = await rows.listOf(root)?.readMany(scope.session, owners);
      for (const id of owners) {
        const stored = lists?.get(id) ?? [];
        const before = { [root.key]: stored };
        const after = { [root.key]: without(stored, lost) };
        scope.collect({ kind: 'update', group: resource.name, id, before, after, keys: [root.key], lost, cause });
      }
      if (held.length > portionSize) await scope.carryOn();
    }
    // What else goes out of the same lists finds them without this one.
    scope.settle(resource.name);
  }
}

/** A list without the ids, or the items, that name the target. */
function without(items: readonly Value[], { list: [, ...inside], key, target }: Lost): Value[] {
  const [next, ...rest] = inside;
  if (next === undefined) return items.filter((item) => (isRecord(item) ? item[key] : item) !== target);
  return items.map((item) => {
    const list = isRecord(item) ? item[next] : undefined;
    if (!isRecord(item) || !Array.isArray(list)) return item;
    return { ...item, [next]: without(list as Value[], { list: [next, ...rest], key, target }) };
  });
}
