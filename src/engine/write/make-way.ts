// A record that restricts another does not hold it back if the same delete takes it too. Then it is deleted first, wherever it
// stands.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { isRecord } from '../../facts/record-values.ts';
import type { Referrer, Values } from '../../registry/model/model.ts';
import { nameInFull, type RecordName } from '../changes/change.ts';
import { portionsOf } from '../changes/portions.ts';
import type { Group } from '../plan/groups.ts';
import type { Scope } from '../transaction/scope.ts';
import type { Along, Going } from './going.ts';

/** A record and one that restricts it. */
interface Pair {
  readonly holder: string;
  readonly target: string;
}

/**
 * Lets go before records what restricts them and goes as well.
 * @param remove Removes what goes before.
 * @returns whether nothing had restricted any of them; what stays does so further on
 */
export async function makeWay(scope: Scope, going: Going, remove: (along: Along) => Promise<void>): Promise<boolean> {
  const holders = new Holders(going);
  for (const part of holders.queue) {
    for (const referrer of restrictingOf(scope, part.group)) {
      const pairs = await pairsOf(scope, referrer, part.ids);
      // It stays, so that all of this is refused.
      if (pairs === undefined) return false;
      holders.add(scope.groups.get(referrer.resource.name), pairs, part.group);
      await yieldIfDue();
    }
  }
  if (holders.isEmpty) return true;
  const [id = ''] = going.ids;
  const cause = { kind: 'cascade', of: { group: going.group.resource.name, id } } as const;
  // In a circle none comes first, and each holds another one back.
  for (let free = holders.takeFree(); free.length > 0; free = holders.takeFree())
    for (const [group, names] of Map.groupBy(free, (name) => name.group))
      await remove({
        group: scope.groups.get(group),
        ids: names.map((name) => name.id),
        isCounted: going.isCounted,
        cause,
      });
  return false;
}

/** Who holds whom, of all that hold records back, and of those that hold these. */
class Holders {
  /** Those for whose holders is to be looked yet. */
  readonly queue: Pick<Going, 'group' | 'ids'>[];
  readonly #seen = new Set<string>();
  /** Those that hold another, by their names in full. */
  readonly #holders = new Map<string, RecordName>();
  /** Whom each of them holds. */
  readonly #held = new Map<string, string[]>();
  /** How many hold each. */
  readonly #counts = new Map<string, number>();

  constructor({ group, ids }: Going) {
    this.queue = [{ group, ids }];
    for (const id of ids) this.#seen.add(nameInFull({ group: group.resource.name, id }));
  }

  get isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  add(group: Group, pairs: readonly Pair[], targets: Group): void {
    const { name } = group.resource;
    const fresh: string[] = [];
    for (const { holder: id, target } of pairs) {
      const holder = nameInFull({ group: name, id });
      const held = nameInFull({ group: targets.resource.name, id: target });
      this.#holders.set(holder, { group: name, id });
      this.#held.set(holder, [...(this.#held.get(holder) ?? []), held]);
      this.#counts.set(held, (this.#counts.get(held) ?? 0) + 1);
      if (this.#seen.has(holder)) continue;
      this.#seen.add(holder);
      fresh.push(id);
    }
    if (fresh.length > 0) this.queue.push({ group, ids: fresh });
  }

  /** Those that nobody holds; then they hold nobody any more. */
  takeFree(): readonly RecordName[] {
    const free = [...this.#holders].filter(([name]) => (this.#counts.get(name) ?? 0) === 0);
    for (const [name] of free) {
      this.#holders.delete(name);
      for (const held of this.#held.get(name) ?? []) this.#counts.set(held, (this.#counts.get(held) ?? 0) - 1);
    }
    return free.map(([, holder]) => holder);
  }
}

const restrictingOf = ({ groups }: Scope, { resource }: Group): readonly Referrer[] =>
  (groups.registry.referrers.get(resource.name) ?? []).filter(({ field }) => field.onDelete === 'restrict');

/** @returns undefined where one of those that restrict them stays */
async function pairsOf(scope: Scope, referrer: Referrer, ids: readonly string[]): Promise<readonly Pair[] | undefined> {
  const { resource } = referrer;
  const { limit } = scope.bound;
  const [first] = await restricting(scope, referrer, { ids, limit: 1 });
  if (first === undefined) return [];
  if (!(await areGoing(scope, resource.name, [first.holder]))) return undefined;
  const pairs = await restricting(scope, referrer, { ids, limit });
  const holders = [...new Set(pairs.map(({ holder }) => holder))];
  scope.bound.check(resource, pairs.length);
  scope.bound.take('along', resource, holders);
  for (const portion of portionsOf(holders)) {
    if (!(await areGoing(scope, resource.name, portion))) return undefined;
    await yieldIfDue();
  }
  return pairs;
}

interface Asked {
  readonly ids: readonly string[];
  readonly limit: number;
}

/** Those that restrict records by a reference, of their own or in an item of a list. */
export async function restricting(scope: Scope, referrer: Referrer, asked: Asked): Promise<readonly Pair[]> {
  const { resource, field, list = field } = referrer;
  const { rows } = scope.groups.get(resource.name);
  scope.settle(resource.name);
  const store = rows.listOf(list);
  const of = { key: field.key, ...asked };
  if (store !== undefined)
    return (await store.holding(scope.session, of)).map(({ holder, id }) => ({ holder, target: id }));
  return (await rows.naming(scope.session, of)).map(({ id, target }) => ({ holder: id, target }));
}

/** Whether all of these records will go with those whose delete is under way, and none of them is one of these. */
async function areGoing(scope: Scope, group: string, ids: readonly string[]): Promise<boolean> {
  if (ids.some((id) => scope.beingDeleted.has(nameInFull({ group, id })))) return false;
  const going = await goingOf(scope, group, ids);
  return ids.every((id) => going.has(id));
}

/** Those of these records that something takes along, however far above them the delete has begun. */
export async function goingOf(scope: Scope, group: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  /** By the name of what would take them along. */
  const below = new Map<string, string[]>();
  const going = new Set<string>();
  const queue = [{ group, ids }];
  for (const part of queue) {
    const owners = ownersOf(scope, part.group);
    if (owners.length === 0) continue;
    // Under lock: what would take them along may be about to become something else.
    for (const [id, record] of await scope.records.toChange(part.group, part.ids)) {
      const name = nameInFull({ group: part.group, id });
      const above = owners.flatMap(({ target, key }) => {
        const owner = valueAt(record, key);
        return typeof owner === 'string' ? [{ group: target, id: owner }] : [];
      });
      if (above.some((owner) => scope.beingDeleted.has(nameInFull(owner)))) {
        going.add(name);
        continue;
      }
      for (const owner of above) {
        const full = nameInFull(owner);
        below.set(full, [...(below.get(full) ?? []), name]);
        if (!seen.has(full)) queue.push({ group: owner.group, ids: [owner.id] });
        seen.add(full);
      }
    }
    await yieldIfDue();
  }
  for (const name of going) for (const each of below.get(name) ?? []) going.add(each);
  return new Set(ids.filter((id) => going.has(nameInFull({ group, id }))));
}

/** The references by which records of a group go along with others. */
const ownersOf = ({ groups }: Scope, name: string): readonly { readonly target: string; readonly key: string }[] =>
  [...groups.registry.referrers].flatMap(([target, referrers]) =>
    referrers.flatMap(({ resource, field, list }) => {
      const isOwner = resource.name === name && list === undefined && field.onDelete === 'cascade';
      return isOwner && groups.get(name).rows.listOf(field) === undefined ? [{ target, key: field.key }] : [];
    }),
  );

/** The value of a field of the record, or of an object in it. */
function valueAt(record: Readonly<Values>, key: string): unknown {
  const [root = '', inside] = key.split('.');
  const value = record[root];
  if (inside === undefined) return value;
  return isRecord(value) ? value[inside] : undefined;
}
