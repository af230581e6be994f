// Incremental maintenance of computed fields: a write updates every field that depends on it, in the same transaction.
//
// In rounds: each finds the records that the last changes make dirty, locks them in one order before anything of them is read, and
// recomputes them; that may make others dirty.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import type { Values } from '../../registry/model/model.ts';
import { risingTime } from '../../values/id.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Cause, Change, RecordName } from '../changes/change.ts';
import { copyOf } from '../changes/copy-values.ts';
import { portionSize, portionsOf } from '../changes/portions.ts';
import { Draft } from '../draft/draft.ts';
import { wantForLookers } from '../draft/locks-for-lookers.ts';
import { readMissingLists } from '../draft/missing-lists.ts';
import { computeFigure, computeFigures, isComputedAgain, isMovedInside } from '../figures/compute-figure.ts';
import { applyDeltas, isPlainValue } from '../figures/deltas.ts';
import { dependentsBy } from '../figures/dependents.ts';
import { type Dirty, type DirtySet, dirtyOf, isDirty, noteMove } from '../figures/dirty.ts';
import type { RecordVersions } from '../figures/moves.ts';
import { deferOutOfBounds, refuseOutOfBounds, takeOutOfBounds } from '../figures/out-of-bounds.ts';
import { followStates } from '../figures/states.ts';
import { type FigureField, keysBehind, listKeys } from '../plan/figures.ts';
import type { Group } from '../plan/groups.ts';
import type { Dependent } from '../plan/watchers.ts';
import { declaredEffects } from '../rules/effects.ts';
import { holdToTheEnd } from '../rules/rule-steps.ts';
import type { Scope } from '../transaction/scope.ts';

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
  const concerned = await soonAll(changes.map((one) => concernedBy(scope, one)));
  for (const [index, { change }] of changes.entries()) {
    await markDirty(scope, { change, concerned: concerned[index] ?? [], dirty });
    await yieldIfDue();
  }
}

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

/** In one order, of groups and of ids. */
async function recomputeAll(scope: Scope, dirty: DirtySet): Promise<void> {
  for (const [name, records] of inOrder(dirty)) await recompute(scope, scope.groups.get(name), records);
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

const inOrder = <T>(named: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...named].sort(([a], [b]) => (a < b ? -1 : 1));

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

/** Who looks at what a change changes. */
const watchersOf = (scope: Scope, change: Change): readonly Dependent[] =>
  scope.groups
    .dependentsOf(change.group)
    .filter(({ watch }) => (change.kind === 'update' ? change.keys.some((key) => watch.keys.has(key)) : watch.isFound));

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

function concernedBy(scope: Scope, { change, place, watchers }: Placed): Soon<readonly Concerned[]> {
  if (watchers.length === 0) return [];
  return soon(versionOf(scope, change, watchers), (told) => {
    const version = { ...told, place };
    const versions = [version.before, version.after].filter((record) => record !== undefined);
    return soonAll(
      watchers.map((watcher) => {
        const walk = { scope, owner: scope.groups.get(watcher.group).resource };
        const found = watcher.watch.ways.flatMap((way) => versions.map((record) => dependentsBy(walk, way, record)));
        return soon(soonAll(found), (all) => ({ watcher, version, ids: new Set(all.flatMap((ids) => [...ids])) }));
      }),
    );
  });
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
      const one = dirtyOf(dirty, { group: owner, id: each }, { group, id });
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

/** Brings records of one group up to date, so many at a time. */
async function recompute(scope: Scope, group: Group, dirty: ReadonlyMap<string, Dirty>): Promise<void> {
  const { name } = group.resource;
  const left = [...dirty.keys()].filter((id) => !scope.isGone(name, id));
  await yieldIfDue();
  const ids = left.sort();
  await yieldIfDue();
  for (const portion of portionsOf(ids)) {
    await recomputePortion(scope, group, { ids: portion, dirty });
    if (ids.length > portionSize) await scope.carryOn();
  }
}

interface Portion {
  readonly ids: readonly string[];
  readonly dirty: ReadonlyMap<string, Dirty>;
}

/** Figure by figure, so that many records need as many statements as few. */
async function recomputePortion(scope: Scope, group: Group, { ids, dirty }: Portion): Promise<void> {
  const { name } = group.resource;
  const stored = await scope.records.toChange(name, ids);
  const recomputed: Recomputed[] = [];
  for (const id of ids) {
    const [row, one] = [stored.get(id), dirty.get(id)];
    if (row !== undefined && one !== undefined) recomputed.push(toRecompute(scope, { group, row, dirty: one }));
  }
  const facts = new ReadFacts({ records: scope.records, today: () => scope.reached() });
  for (const figure of moving(group)) {
    const concerned = recomputed.filter((one) => isConcerned(one, figure));
    await readMissingLists(draftsOf(concerned), figure.lists);
    const fromScratch: Recomputed[] = [];
    for (const one of concerned) if (!(await isMovedByDeltas(one, figure))) fromScratch.push(one);
    const isOnItsOwn = figure.figure.alike.length > 0 || figure.figure.taken !== 'always';
    if (isOnItsOwn) for (const { draft } of fromScratch) await computeFigure(draft, figure, 'anew');
    else if (fromScratch.length > 0) await takeAnew(fromScratch, figure, facts);
  }
  await readMissingLists(draftsOf(recomputed), group.stateLists);
  const unchanged: string[] = [];
  for (const one of recomputed)
    if (!(await collectRecomputed(scope, one)) && one.dirty.fromScratch.size > 0) unchanged.push(String(one.row['id']));
  // What was computed from many records has to conflict with whoever changes one of them meanwhile, on every node.
  scope.guard({ group: name, ids: unchanged });
}

const draftsOf = (recomputed: readonly Recomputed[]): readonly Draft[] => recomputed.map(({ draft }) => draft);

/** Figures that others keep true, and those that are taken again when such a one changes. */
const moving = ({ figures }: Group): readonly FigureField[] =>
  figures.filter(({ figure }) => figure.taken === 'always' || figure.again.length > 0);

/** A record that is brought up to date. */
interface Recomputed {
  readonly group: Group;
  /** What was read of it, without its lists. */
  readonly row: Readonly<Values>;
  readonly dirty: Dirty;
  readonly draft: Draft;
}

function toRecompute(scope: Scope, { group, row, dirty }: Pick<Recomputed, 'group' | 'row' | 'dirty'>): Recomputed {
  const values = copyOf(row);
  const draft = new Draft({ scope, group, operation: 'update', before: row, values, input: { values: {} } });
  for (const figure of takeOutOfBounds(scope, draft.name)) dirty.fromScratch.add(figure.path);
  return { group, row, dirty, draft };
}

/** Whether a figure of a record may be another one now. */
const isConcerned = ({ dirty, draft }: Recomputed, figure: FigureField): boolean =>
  isDirty(figure, dirty) ||
  (figure.figure.taken === 'always' ? isMoved(draft, figure) : isComputedAgain(draft, figure.figure));

/** Whether a figure of a record need not be computed from scratch, once what has moved is added. */
async function isMovedByDeltas({ dirty, draft }: Recomputed, figure: FigureField): Promise<boolean> {
  const path = figure.path;
  const moves = dirty.sums.get(path);
  return (
    moves !== undefined && !dirty.fromScratch.has(path) && !isMoved(draft, figure) && applyDeltas(draft, figure, moves)
  );
}

/** The figure of many records looks at none of their group. */
async function takeAnew(recomputed: readonly Recomputed[], figure: FigureField, facts: ReadFacts): Promise<void> {
  await computeFigures(
    recomputed.map(({ draft }) => draft),
    figure,
    facts,
  );
  for (const { draft } of recomputed) draft.scope.noteTaken(draft.name, figure.path);
}

/** Lets the states of a record follow, or wait, and wants what has changed. @returns whether anything has */
async function collectRecomputed(scope: Scope, { group, row, dirty, draft }: Recomputed): Promise<boolean> {
  const { values } = draft;
  const id = String(row['id']);
  const states = await statesThatFollow(scope, { group, dirty, draft });
  const keys = draft.changedKeys();
  deferOutOfBounds(draft);
  if (keys.length === 0) {
    draft.conclude();
    return false;
  }
  const isActedOn = states.length > 0 && group.resource.effects.some(({ on }) => on.has('becomes'));
  if (isActedOn) await readMissingLists([draft], listKeys(group.resource));
  wantForLookers(draft);
  holdToTheEnd([draft]);
  const { before = row } = draft;
  const cause = causeOf(dirty, states.length > 0);
  if (states.length > 0 && group.modified !== undefined) {
    values[group.modified] = risingTime();
    keys.push(group.modified);
  }
  scope.collect({ kind: 'update', group: group.resource.name, id, before, after: values, keys, cause });
  // Conditions that tell what is wrong in words of their own look at the figure as it would be.
  draft.conclude();
  if (isActedOn) dirty.entered = draft;
  return true;
}

const causeOf = ({ day, of }: Dirty, isState: boolean): Cause =>
  day === undefined ? { kind: isState ? 'effect' : 'figure', rule: 'formula', of } : { kind: 'day', day, isState, of };

/** @returns the keys of the states that have become others */
async function statesThatFollow(
  scope: Scope,
  { group, dirty, draft }: Omit<Recomputed, 'row'>,
): Promise<readonly string[]> {
  const { held, of } = dirty;
  if (held !== undefined || !group.statesWait) return followStates(draft, { old: held?.old ?? draft.before });
  scope.awaitFigures({ name: draft.name, of, old: draft.before });
  return [];
}

/** Whether a figure of the record that this one looks at has changed. */
const isMoved = (draft: Draft, figure: FigureField): boolean =>
  keysBehind(figure.figure).some((key) => draft.hasChanged(key)) || isMovedInside(draft, figure);
