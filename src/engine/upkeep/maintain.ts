// Incremental maintenance of computed fields: a write updates every field that depends on it, in the same transaction.
//
// In rounds: each finds the records that the last changes make dirty, locks them in one order before anything of them is read, and
// recomputes them; that may make others dirty.

import { yieldIfDue } from '../../admission/event-loop.ts';
import type { Order } from '../../formulas/language/tree.ts';
import type { Values } from '../../registry/model/model.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Change, RecordName } from '../changes/change.ts';
import { copyOf } from '../changes/copy-values.ts';
import { portionSize, portionsOf } from '../changes/portions.ts';
import { Draft } from '../draft/draft.ts';
import { isPlainValue } from '../figures/deltas.ts';
import { dependentsBy, watchersOf } from '../figures/dependents.ts';
import { type Dirty, type DirtySet, dirtyOf, noteMove } from '../figures/dirty.ts';
import { behindIn } from '../figures/lines.ts';
import type { RecordVersions } from '../figures/moves.ts';
import { refuseOutOfBounds } from '../figures/out-of-bounds.ts';
import { isAlong, keysBehind } from '../plan/figures.ts';
import type { Dependent } from '../plan/watchers.ts';
import { declaredEffects } from '../rules/effects.ts';
import type { Scope } from '../transaction/scope.ts';
import { inOrder, recomputeAll } from './recompute.ts';

/** Brings up to date what looks at the records that a write has changed, until nothing is left to do. */
export async function maintain(scope: Scope): Promise<void> {
  while (scope.hasUnregarded() || scope.hasWaiting) {
    const dirty: DirtySet = new Map();
    for (const portion of portionsOf(regarded(scope))) await collectDirty(scope, portion, dirty);
    for (const [name, records] of dirty) scope.bound.take('kept', scope.groups.get(name).resource, records.keys());
    await recomputeAll(scope, dirty);
    if (!scope.hasUnregarded()) await followWaiting(scope);
    if (!scope.hasUnregarded()) await releaseStates(scope);
  }
  refuseOutOfBounds(scope);
}

/** A change, its place among all of the write, and who looks at what it changes. */
interface Placed {
  readonly change: Change;
  readonly place: number;
  readonly watchers: readonly Dependent[];
}

/** Changes that have not been looked at yet, but for those that concern nobody. */
const regarded = (scope: Scope): readonly Placed[] =>
  scope
    .unregarded()
    .map(({ change, place }) => ({ change, place, watchers: watchersOf(scope, change) }))
    .filter(({ change, watchers }) => watchers.length > 0 || change.cause.kind === 'clear');

/** Finds whom changes concern. */
async function collectDirty(scope: Scope, changes: readonly Placed[], dirty: DirtySet): Promise<void> {
  await readCleared(scope, changes);
  const going = changes.filter(({ change }) => goesOn(scope, change)).length;
  const most = Math.floor(portionSize / Math.max(1, going)) || 1;
  const concerned = await soonAll(changes.map((one) => concernedBy(scope, one, most)));
  for (const [index, { change }] of changes.entries()) {
    await markDirty(scope, { change, concerned: concerned[index] ?? [], dirty });
    await yieldIfDue();
  }
}

/** Whether it is to be found out who stands behind a record in an order along which upkeep goes on. */
function goesOn(scope: Scope, { cause, group, id }: Change): boolean {
  const { lines } = scope.records.facts;
  return isUpkeep(cause) && scope.groups.get(group).lines.some(({ order }) => lines.behind(order, id) === undefined);
}

/** What upkeep has changed goes on as a rule; what else has changed often ends with the next. */
const isUpkeep = (cause: Change['cause']): boolean =>
  cause.kind === 'day' || ((cause.kind === 'figure' || cause.kind === 'effect') && cause.rule === 'formula');

/** Computes all figures of a record from scratch, and lets its states follow. */
export async function repairRecord(scope: Scope, name: RecordName): Promise<void> {
  const { figures, resource } = scope.groups.get(name.group);
  scope.bound.begin(resource, 'changed');
  const paths = figures.map(({ path }) => path);
  await recomputeAll(
    scope,
    new Map([[name.group, new Map([[name.id, { of: name, fromScratch: new Set(paths), sums: new Map() }]])]]),
  );
}

/** Brings figures and states of records up to the day that has begun, and does what hangs on states that follow. */
export async function moveToDay(scope: Scope, name: string, ids: readonly string[]): Promise<void> {
  const figures = scope.groups.get(name).figures.filter(({ figure }) => figure.days.length > 0);
  const day = await scope.reached();
  const dirty = (id: string): Dirty => ({
    of: { group: name, id },
    fromScratch: new Set(figures.map(({ path }) => path)),
    sums: new Map(),
    day,
  });
  await follow(scope, new Map([[name, new Map(ids.map((id) => [id, dirty(id)]))]]));
}

/** States that have waited for figures follow, now that these are right. */
async function followWaiting(scope: Scope): Promise<void> {
  const dirty: DirtySet = new Map();
  for (const { name, of, old } of scope.takeWaiting()) dirtyOf(dirty, name, of).held = { old, before: old };
  await follow(scope, dirty);
}

/** States that bodies have sent follow again, now that all that the write does is done. */
async function releaseStates(scope: Scope): Promise<void> {
  const dirty: DirtySet = new Map();
  for (const { name, old } of scope.takeDeferredStates()) dirtyOf(dirty, name, name).held ??= { old };
  await follow(scope, dirty);
}

/** States of all these records first, then what their effects do. */
async function follow(scope: Scope, dirty: DirtySet): Promise<void> {
  if (dirty.size === 0) return;
  await recomputeAll(scope, dirty);
  for (const [group, records] of inOrder(dirty))
    for (const [id, { entered, held }] of inOrder(records))
      if (entered !== undefined && !scope.isGone(group, id))
        await declaredEffects(forEffects(entered, held?.before), ['becomes']);
}

/** A record whose states have become others, as it is by now, and as it was before. */
const forEffects = ({ scope, group, before, values, name }: Draft, earlier: Readonly<Values> | undefined): Draft =>
  new Draft({
    scope,
    group,
    operation: 'update',
    before: { ...before, ...earlier },
    values: copyOf({ ...values, ...scope.wantedOf(name)?.after }),
    input: { values: {} },
  });

/** Records whose figure looks at one that has changed. */
interface Concerned {
  readonly watcher: Dependent;
  readonly ids: ReadonlySet<string>;
  readonly version: RecordVersions;
}

/** Of records that were cleared without being read, those that somebody looks at: together. */
async function readCleared(scope: Scope, changes: readonly Placed[]): Promise<void> {
  const cleared = changes.filter(
    ({ change, watchers }) => change.kind === 'update' && change.cause.kind === 'clear' && watchers.length > 0,
  );
  for (const [group, those] of Map.groupBy(cleared, ({ change }) => change.group))
    await scope.records.many(
      group,
      those.map(({ change }) => change.id),
    );
}

/** @param most So many of those behind a record are looked for at once. */
function concernedBy(scope: Scope, placed: Placed, most: number): Soon<readonly Concerned[]> {
  const { change, place, watchers } = placed;
  if (watchers.length === 0) return [];
  return soon(versionOf(scope, change, watchers), (told) => {
    const version = { ...told, place };
    const asking = { change, version, most: isUpkeep(change.cause) ? most : 1, behind: new Map() };
    return soonAll(
      watchers.map((watcher) => {
        const found = idsBy(scope, watcher, asking);
        return soon(found, (all) => ({ watcher, version, ids: new Set(all.flatMap((ids) => [...ids])) }));
      }),
    );
  });
}

interface Asking {
  readonly change: Change;
  readonly version: RecordVersions;
  readonly most: number;
  /** Who stands behind it, by the orders in which that was asked. */
  readonly behind: Map<Order, ReturnType<typeof behindIn>>;
}

/** By each way, of the record as it was and as it will be. */
function idsBy(scope: Scope, watcher: Dependent, asking: Asking): Soon<readonly Iterable<string>[]> {
  const { resource: owner, lines } = scope.groups.get(watcher.group);
  const { before, after } = asking.version;
  const found = watcher.watch.ways.flatMap((way): readonly Soon<Iterable<string>>[] => {
    const line = lines.find(({ order }) => isAlong(way, order));
    if (line !== undefined) {
      const ids = asking.behind.get(line.order) ?? behindIn(scope, line.order, { ...asking, before, after });
      asking.behind.set(line.order, ids);
      return ids;
    }
    const versions = [before, after].filter((record) => record !== undefined);
    return versions.map((record) => dependentsBy({ scope, owner }, way, record));
  });
  return soonAll(found);
}

interface Marking {
  readonly change: Change;
  readonly concerned: readonly Concerned[];
  readonly dirty: DirtySet;
}

async function markDirty(scope: Scope, { change, concerned, dirty }: Marking): Promise<void> {
  const { group, id } = change;
  if (change.kind === 'update' && change.cause.kind === 'clear') markOwnDirty(scope, change, dirty);
  for (const { watcher, ids, version } of concerned) {
    const { group: owner, figure, watch } = watcher;
    for (const each of ids) {
      // A record that goes has no figures any more.
      if (scope.isGone(owner, each)) continue;
      if (ids.size > portionSize) await yieldIfDue();
      const name = { group: owner, id: each };
      // What was computed since knows of it.
      if (figure !== undefined && scope.hasSeen(name, figure.path, version.place)) continue;
      const one = dirtyOf(dirty, name, { group, id });
      // Its states are tried again in any case.
      if (figure === undefined) continue;
      const path = figure.path;
      if (figure.sums?.places.has(watch.at) === true) noteMove(one.sums, path, { ...version, at: watch.at });
      else one.fromScratch.add(path);
    }
  }
}

/** A reference that is cleared changes the record's own figures. */
function markOwnDirty(scope: Scope, { group, id, keys, cause }: Change & { kind: 'update' }, dirty: DirtySet): void {
  if (cause.kind !== 'clear') return;
  for (const figure of scope.groups.get(group).figures)
    if (figure.figure.taken === 'always' && keysBehind(figure.figure).some((key) => keys.includes(key)))
      dirtyOf(dirty, { group, id }, cause.of).fromScratch.add(figure.path);
}

/** A change with all that those who look at the record read of it. What a change does not tell stays as it is. */
function versionOf(scope: Scope, change: Change, watchers: readonly Dependent[]): Soon<Omit<RecordVersions, 'place'>> {
  if (change.kind === 'create') return { before: undefined, after: change.after, isSteady: true };
  const { group, id } = change;
  if (change.kind === 'delete') return { before: change.before, after: undefined, isSteady: false };
  const { byKey } = scope.records.resource(group);
  const wanted = new Set(watchers.flatMap(({ watch }) => [...watch.keys]));
  const isTold = (key: string): boolean => Object.hasOwn(change.after, key) || byKey.get(key)?.stored !== true;
  const missing = [...wanted].filter((key) => !isTold(key));
  const isSteady = change.keys.every((key) => isPlainValue(byKey.get(key)));
  const versions = (rest: Readonly<Values>): Omit<RecordVersions, 'place'> => ({
    before: { ...rest, ...change.before, id },
    after: { ...rest, ...change.after, id },
    isSteady,
  });
  return missing.length === 0 ? versions({}) : restOf(scope, change, missing).then(versions);
}

/** What a change does not tell. */
const restOf = async (scope: Scope, { group, id }: RecordName, lists: readonly string[]): Promise<Values> => ({
  ...(await scope.records.find(group, id)),
  ...(await scope.records.listsUnder(group, id, lists)),
});
