// The stages of a delete: lock, locks of the record's state, what refers to it (restrict, cascade, clear), the record, effects.
// The engine does what a database's own cascades would, so that the rules of the records on the way hold too.

import { isRecord } from '../behaviours/record-values.ts';
import { problems } from '../problems.ts';
import type { Referrer, Value, Values } from '../registry/model.ts';
import { byCaller, type Cause, type Lost, nameInFull, type RecordName } from './change.ts';
import { Draft } from './draft.ts';
import { effectsOfDelete } from './effects.ts';
import type { Group } from './groups.ts';
import { lockedAsSeen, type Precondition } from './precondition.ts';
import { affectOthers, guardCompared, runRules } from './rule-steps.ts';
import type { Scope } from './scope.ts';

interface RemoveOptions {
  readonly group: Group;
  readonly id: string;
  /** The id as the caller wrote it, for the message. */
  readonly idAsSent?: string;
  /** What the caller has seen of the record. */
  readonly precondition?: Precondition;
  readonly cause?: Cause;
}

/** Judges that a record goes, and what goes with it, and wants it. @throws Problem 404, or 409 with the message of the record that stops it. */
export async function removeRecord(scope: Scope, options: RemoveOptions): Promise<void> {
  const { group, id, idAsSent = id, precondition, cause = byCaller } = options;
  const { resource } = group;
  const of: RecordName = { group: resource.name, id };
  const before = await lockedAsSeen(scope, of, precondition);
  const isCascade = cause.kind === 'cascade';
  if (before === undefined) {
    // On the way of a cascade two paths may lead to one record.
    if (isCascade) return;
    throw problems.recordUnknown(idAsSent);
  }
  // Locks are for callers, and for what goes along with what they delete.
  const isEffect = cause.kind === 'effect';
  if (!isEffect && resource.lockedDelete?.test(before) === true) throw problems.readOnly(resource.title);
  scope.leaving.add(nameInFull(of));
  const input = { values: {} };
  const draft = new Draft({ scope, group, operation: 'delete', before, values: before, input, isCascade });
  guardCompared(draft);
  const carryOut = await effectsOfDelete(draft);
  if (!isEffect) await runRules(draft, 'lock');
  await runRules(draft, 'check');
  await runRules(draft, 'last');
  const referrers = scope.groups.registry.referrers.get(resource.name) ?? [];
  for (const referrer of referrers) if (await isHeldBack(scope, referrer, id)) throw problems.inUse(resource.title);
  for (const referrer of referrers) await release(scope, referrer, of);
  scope.collect({ kind: 'delete', ...of, before, cause });
  await affectOthers(draft);
  await carryOut();
}

/** Whether a reference keeps the record from going: it restricts, or it would leave a record without what it needs. */
async function isHeldBack(scope: Scope, { resource, field, list }: Referrer, id: string): Promise<boolean> {
  const { rows } = scope.groups.get(resource.name);
  const { session } = scope;
  scope.settle(resource.name);
  const store = rows.listOf(list ?? field);
  if (field.onDelete === 'restrict') {
    if (store !== undefined) return store.isHeld(session, { key: field.key, id });
    return scope.records.exists(resource.name, { [field.key]: id });
  }
  const { requiredWhen } = field;
  if (field.onDelete !== 'clear' || requiredWhen === undefined || list !== undefined) return false;
  const isLeftWanting = async (record: Readonly<Values>): Promise<boolean> => {
    if (store === undefined) return record[field.key] === id && requiredWhen.test({ ...record, [field.key]: null });
    // The list itself is read only of records that need one.
    if (!requiredWhen.test({ ...record, [field.key]: [] })) return false;
    const items = (await scope.records.whole(resource.name, String(record['id'])))?.[field.key];
    return Array.isArray(items) && items.includes(id) && items.every((item) => item === id);
  };
  const holders =
    store === undefined
      ? await rows.idsWith(session, field.key, id)
      : await store.holders(session, { key: field.key, id });
  const ids = holders.toSorted();
  for (let start = 0; start < ids.length; start += portionSize) {
    // Under lock: what they need may be about to become something else.
    const records = await scope.records.toChange(resource.name, ids.slice(start, start + portionSize));
    for (const record of records.values()) if (await isLeftWanting(record)) return true;
  }
  return false;
}

const portionSize = 500;

/** Lets go of the record: deletes what goes with it, clears what names it, takes it out of lists. */
async function release(scope: Scope, referrer: Referrer, of: RecordName): Promise<void> {
  const { resource, field } = referrer;
  if (field.onDelete === 'restrict') return;
  const { name } = resource;
  const group = scope.groups.get(name);
  scope.settle(name);
  if (group.rows.listOf(referrer.list ?? field) !== undefined) return releaseFromLists(scope, referrer, of);
  const { key } = field;
  if (field.onDelete === 'clear') {
    const cleared = {
      before: { [key]: of.id },
      after: { [key]: null },
      keys: [key],
      cause: { kind: 'clear', of },
    } as const;
    for (const id of await group.rows.idsWith(scope.session, key, of.id))
      scope.collect({ kind: 'update', group: name, id, ...cleared });
    return;
  }
  for (const record of await group.rows.list(scope.session, { [key]: of.id }))
    await removeRecord(scope, { group, id: String(record['id']), cause: { kind: 'cascade', of } });
}

/** Takes a record that goes out of all lists that name it, with the items that do. */
async function releaseFromLists(scope: Scope, referrer: Referrer, of: RecordName): Promise<void> {
  const { resource, field, list = field, outer } = referrer;
  const { rows } = scope.groups.get(resource.name);
  const root = outer ?? list;
  const owners = (await rows.listOf(list)?.holders(scope.session, { key: field.key, id: of.id })) ?? [];
  const lists = await rows.listOf(root)?.readMany(scope.session, owners);
  const lost: Lost = {
    list: outer === undefined ? [root.key] : [outer.key, list.key],
    key: field.key,
    target: of.id,
  };
  const cause = { kind: 'clear', of } as const;
  for (const id of owners) {
    const stored = lists?.get(id) ?? [];
    const before = { [root.key]: stored };
    const after = { [root.key]: without(stored, lost) };
    scope.collect({ kind: 'update', group: resource.name, id, before, after, keys: [root.key], lost, cause });
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
