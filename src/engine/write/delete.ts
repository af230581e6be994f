// The stages of a delete: lock, locks of the record's state, dependents (restrict, cascade, clear), the record, effects; the same
// for records that go along.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { problems } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import { byCaller, type Cause, nameInFull, type RecordName } from '../changes/change.ts';
import { portionSize, portionsOf } from '../changes/portions.ts';
import { Draft } from '../draft/draft.ts';
import type { Group } from '../plan/groups.ts';
import { keepBefore } from '../rules/before-write.ts';
import { effectsOfDelete } from '../rules/effects.ts';
import {
  affectOthers,
  deferredChecks,
  hasDeferredChecks,
  holdToTheEnd,
  runDeferredChecks,
  runRules,
  wantLocks,
} from '../rules/rule-steps.ts';
import { lockedAsSeen, type Precondition } from '../transaction/precondition.ts';
import type { Scope } from '../transaction/scope.ts';
import type { Along } from './going.ts';
import { makeWay } from './make-way.ts';
import { isHeldBack, release } from './release.ts';
import { usersOf } from './used-by.ts';

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
  const of: RecordName = { group: group.resource.name, id };
  const judged = cause.kind === 'caller' ? scope.judge : undefined;
  const judge = judged && ((record: Readonly<Values>) => judged.deletes(scope, group, { before: record, idAsSent }));
  await judged?.meets(scope, group, { id, idAsSent });
  const before = await lockedAsSeen(scope, of, { precondition, judge });
  if (before === undefined) throw problems.recordUnknown(idAsSent);
  scope.bound.begin(group.resource, 'deleted');
  await removeLocked(scope, { group, records: [before], isCounted: false, cause });
}

/** Records of a group, as they are stored, none of which names another. */
interface Locked extends Pick<Along, 'group' | 'isCounted' | 'cause'> {
  readonly records: readonly Readonly<Values>[];
  /** Whether it is known that nothing restricts them. */
  readonly isFree?: boolean | undefined;
}

async function removeLocked(scope: Scope, { group, records, isCounted, cause, isFree }: Locked): Promise<void> {
  const { resource } = group;
  // Locks are for callers, and for what goes along with what they delete.
  const isEffect = cause.kind === 'effect';
  const isLocked = (before: Readonly<Values>): boolean => resource.lockedDelete?.test(before) === true;
  if (!isEffect && records.some(isLocked)) throw problems.readOnly(resource.title);
  const ids = records.map(({ id }) => String(id));
  await scope.tellParting(resource.name, ids);
  for (const id of ids) scope.beingDeleted.add(nameInFull({ group: resource.name, id }));
  const drafts = records.map((before) => draftOf(scope, group, { before, cause }));
  wantLocks(drafts);
  scope.takeLocks();
  const effects: (() => Promise<void>)[] = [];
  for (const draft of drafts) {
    await keepBefore(draft);
    effects.push(await effectsOfDelete(draft));
    if (!isEffect) await runRules(draft, 'lock');
    await runRules(draft, 'check');
    await runRules(draft, 'last');
    await yieldIfDue();
  }
  const referrers = scope.groups.registry.referrers.get(resource.name) ?? [];
  const going = { group, ids, isCounted };
  const remove = (along: Along): Promise<void> => removeAlong(scope, along);
  const isNotRestricted = isFree ?? (await makeWay(scope, going, remove));
  for (const referrer of referrers) {
    if (isNotRestricted && referrer.field.onDelete === 'restrict') continue;
    if (!(await isHeldBack(scope, referrer, ids))) continue;
    // Conditions are told first, as far as anything can be said of what does not come about.
    await runDeferredChecks(drafts.map(deferredChecks));
    throw problems.inUse(resource.title, await usersOf(scope, { group, ids, heldBy: referrer }));
  }
  // Before what goes along.
  scope.deferred.push(...drafts.filter(hasDeferredChecks).map(deferredChecks));
  const behind: Along[] = [];
  const removeBehind = async (along: Along): Promise<void> => {
    behind.push(along);
  };
  for (const referrer of referrers)
    await release(scope, referrer, { going, remove: scope.groups.letGoFirst.has(referrer) ? removeBehind : remove });
  holdToTheEnd(drafts);
  collectAll(scope, group, { records, cause });
  for (const along of behind) await remove(along);
  for (const draft of drafts) await affectOthers(draft);
  for (const carryOut of effects) await carryOut();
}

/** A record that goes along is judged as one whose owner goes. */
function draftOf(
  scope: Scope,
  group: Group,
  { before, cause }: { readonly before: Readonly<Values>; readonly cause: Cause },
): Draft {
  const of = { isCascade: cause.kind === 'cascade', isEffect: cause.kind === 'effect' };
  return new Draft({ scope, group, operation: 'delete', before, values: before, input: { values: {} }, ...of });
}

function collectAll(scope: Scope, group: Group, { records, cause }: Pick<Locked, 'records' | 'cause'>): void {
  const { name } = group.resource;
  // Where nobody looks at them, a hundred thousand records need not be held until the end.
  const isWatched = scope.groups.dependentsOf(name).length > 0 || scope.log?.isOf(name) === true;
  scope.noteGoing(
    name,
    records.map(({ id }) => String(id)),
  );
  for (const before of records) {
    const id = String(before['id']);
    scope.collect({ kind: 'delete', group: name, id, before: isWatched ? before : { id }, cause, together: records });
  }
}

/** Removes records that go with others, so many at a time. */
async function removeAlong(scope: Scope, { group, ids: all, isCounted, cause }: Along): Promise<void> {
  const { name } = group.resource;
  const isBeingDeleted = (id: string): boolean => scope.beingDeleted.has(nameInFull({ group: name, id }));
  for (const portion of portionsOf(all)) {
    // Those that are going already take these along, not the other way round.
    const ids = portion.filter((id) => !isBeingDeleted(id));
    const removeAll = (records: Locked['records'], isFree?: boolean): Promise<void> =>
      removeLocked(scope, { group, records, isCounted, cause, isFree });
    if (isOneByOne(group)) {
      await scope.records.lockAhead(name, ids);
      for (const id of ids) {
        const record = isBeingDeleted(id) ? undefined : await scope.records.locked(name, id);
        if (record !== undefined) await removeAll([record]);
      }
    } else {
      const locked = await scope.records.lockedMany(name, ids);
      const isFree = await makeWay(scope, { group, ids, isCounted }, (before) => removeAlong(scope, before));
      const left = locked.filter(({ id }) => !isBeingDeleted(String(id)));
      for (const wave of wavesOf(group, left)) await removeAll(wave, isFree);
    }
    if (all.length > portionSize) await scope.carryOn();
  }
}

/** Records of which none names another: those that name others of them come first. */
function wavesOf({ resource }: Group, records: readonly Values[]): readonly (readonly Values[])[] {
  const keys = resource.fields.flatMap((field) =>
    field.kind === 'reference' && field.stored && field.target === resource.name ? [field.key] : [],
  );
  if (keys.length === 0) return records.length === 0 ? [] : [records];
  const waves: (readonly Values[])[] = [];
  for (let left = records; left.length > 0; ) {
    const named = new Set(left.flatMap((record) => keys.map((key) => record[key]).filter((id) => id !== record['id'])));
    const loose = left.filter(({ id }) => !named.has(id));
    // In a circle none comes first.
    const wave = loose.length === 0 ? left.slice(0, 1) : loose;
    waves.push(wave);
    left = left.filter((record) => !wave.includes(record));
  }
  return waves;
}

/** Whether what one of its records does when it goes is for the next one to see. */
const isOneByOne = ({ resource, parts }: Group): boolean =>
  parts.after.delete.length > 0 || resource.effects.some(({ on }) => on.has('delete'));
