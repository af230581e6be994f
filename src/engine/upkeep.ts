// Figures that are always true: whoever changes a record that they look at brings them up to date in the same transaction.
//
// What a write changes is regarded in rounds. Each round finds whom its changes concern, locks these in one order before
// anything of them is read, and wants their figures to be right; that again may concern others.

import { yieldIfDue } from '../admission/event-loop.ts';
import { ReadFacts } from '../behaviours/read-facts.ts';
import type { Values, Watched } from '../registry/model.ts';
import { risingTime } from '../values/id.ts';
import { followStates } from './becomes.ts';
import type { Change, RecordName } from './change.ts';
import { copyOf } from './copy-values.ts';
import { Draft } from './draft.ts';
import { declaredEffects } from './effects.ts';
import {
  type FigureField,
  isMovedInside,
  isTakenAgain,
  keysBehind,
  listKeys,
  pathOf,
  takeFigure,
  takeFigures,
} from './figures.ts';
import type { Group } from './groups.ts';
import { readMissingLists } from './missing-lists.ts';
import type { Move, Version } from './moves.ts';
import { ownersBy } from './owners.ts';
import { wantForLookers } from './plan/found-by.ts';
import { portionSize, portionsOf } from './portions.ts';
import { holdToTheEnd } from './rule-steps.ts';
import type { Scope } from './scope.ts';
import { addShares, isPlainValue } from './shares.ts';

/** A figure of another group, or of other records, that looks at records of this one; or the states of records that do. */
export interface Watcher {
  readonly group: string;
  readonly figure: FigureField | undefined;
  readonly watch: Watched;
}

/** What of a record must be brought up to date. */
interface Due {
  readonly of: RecordName;
  /** Figures that are computed again, by their path. */
  readonly anew: Set<string>;
  /** Figures that what has changed moves by sums, by their path. */
  readonly sums: Map<string, Move[]>;
  /** Where its states were held back. */
  held?: Held;
  /** Set once states of it have become others, and effects hang on that. */
  entered?: Draft;
}

interface Held {
  /** The record before the write, for the conditions of its states. */
  readonly old: Readonly<Values> | undefined;
  /** The same for the effects of these, where they know another than the last one. */
  readonly before?: Readonly<Values> | undefined;
}

type DueRecords = Map<string, Map<string, Due>>;

/** Brings up to date what looks at the records that a write has changed, until nothing is left to do. */
export async function keepUp(scope: Scope): Promise<void> {
  while (scope.hasUnregarded() || scope.hasWaiting) {
    const due: DueRecords = new Map();
    for (const portion of portionsOf(scope.unregarded())) await regardAll(scope, portion, due);
    for (const [name, records] of due) scope.bound.take('kept', scope.groups.get(name).resource, records.keys());
    await refreshAll(scope, due);
    if (!scope.hasUnregarded()) await followWaiting(scope);
    if (!scope.hasUnregarded()) await releaseStates(scope);
  }
}

/** A change, and its place among all of the write. */
type Placed = ReturnType<Scope['unregarded']>[number];

/** Finds whom changes concern. */
async function regardAll(scope: Scope, changes: readonly Placed[], due: DueRecords): Promise<void> {
  await readCleared(scope, changes);
  const concerned = await Promise.all(changes.map((one) => concernedBy(scope, one)));
  for (const [index, { change }] of changes.entries()) {
    await regard(scope, { change, concerned: concerned[index] ?? [], due });
    await yieldIfDue();
  }
}

/** Computes all figures of a record anew, and lets its states follow. */
export async function putRight(scope: Scope, name: RecordName): Promise<void> {
  const { figures, resource } = scope.groups.get(name.group);
  scope.bound.begin(resource, 'changed');
  const paths = figures.map(pathOf);
  await refreshAll(
    scope,
    new Map([[name.group, new Map([[name.id, { of: name, anew: new Set(paths), sums: new Map() }]])]]),
  );
}

/** In one order, of groups and of ids. */
async function refreshAll(scope: Scope, due: DueRecords): Promise<void> {
  for (const [name, records] of inOrder(due)) await refresh(scope, scope.groups.get(name), records);
}

/** States that have waited for figures follow, now that these are right. */
async function followWaiting(scope: Scope): Promise<void> {
  const due: DueRecords = new Map();
  for (const { name, of, old } of scope.takeWaiting()) dueOf(due, name, of).held = { old, before: old };
  await follow(scope, due);
}

/** States that bodies have sent follow again, now that all that the write does is done. */
async function releaseStates(scope: Scope): Promise<void> {
  const due: DueRecords = new Map();
  for (const { name, old } of scope.takeStanding()) dueOf(due, name, name).held ??= { old };
  await follow(scope, due);
}

/** States of all these records first, then what their effects do. */
async function follow(scope: Scope, due: DueRecords): Promise<void> {
  await refreshAll(scope, due);
  for (const [group, records] of inOrder(due))
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
  readonly watcher: Watcher;
  readonly ids: ReadonlySet<string>;
  readonly version: Version;
}

/** Who looks at what a change changes. */
const watchersOf = (scope: Scope, change: Change): readonly Watcher[] =>
  scope.groups
    .watchersOf(change.group)
    .filter(({ watch }) => (change.kind === 'update' ? change.keys.some((key) => watch.keys.has(key)) : watch.isFound));

/** Of records that were cleared without being read, those that somebody looks at: together. */
async function readCleared(scope: Scope, changes: readonly Placed[]): Promise<void> {
  const cleared = changes.filter(
    ({ change }) => change.kind === 'update' && change.cause.kind === 'clear' && watchersOf(scope, change).length > 0,
  );
  for (const [group, those] of Map.groupBy(cleared, ({ change }) => change.group))
    await scope.records.many(
      group,
      those.map(({ change }) => change.id),
    );
}

async function concernedBy(scope: Scope, { change, place }: Placed): Promise<readonly Concerned[]> {
  const watchers = watchersOf(scope, change);
  if (watchers.length === 0) return [];
  const version = { ...(await versionOf(scope, change, watchers)), place };
  const versions = [version.before, version.after].filter((record) => record !== undefined);
  return Promise.all(
    watchers.map(async (watcher) => {
      const walk = { scope, owner: scope.groups.get(watcher.group).resource };
      const found = watcher.watch.ways.flatMap((way) => versions.map((record) => ownersBy(walk, way, record)));
      return { watcher, version, ids: new Set((await Promise.all(found)).flatMap((ids) => [...ids])) };
    }),
  );
}

interface Regarded {
  readonly change: Change;
  readonly concerned: readonly Concerned[];
  readonly due: DueRecords;
}

async function regard(scope: Scope, { change, concerned, due }: Regarded): Promise<void> {
  const { group, id } = change;
  if (change.kind === 'update' && change.cause.kind === 'clear') regardOwn(scope, change, due);
  for (const { watcher, ids, version } of concerned) {
    const { group: owner, figure, watch } = watcher;
    for (const each of ids) {
      // A record that goes has no figures any more.
      if (scope.isGone(owner, each)) continue;
      if (ids.size > portionSize) await yieldIfDue();
      const one = dueOf(due, { group: owner, id: each }, { group, id });
      // Its states are tried again in any case.
      if (figure === undefined) continue;
      const path = pathOf(figure);
      if (figure.sums?.places.has(watch.at) === true) noteMove(one.sums, path, { ...version, at: watch.at });
      else one.anew.add(path);
    }
  }
}

/** A formula may look more than once at the same place: it is one move. */
function noteMove(sums: Due['sums'], path: string, move: Move): void {
  const moves = sums.get(path);
  if (moves === undefined) sums.set(path, [move]);
  else if (!isNoted(moves, move)) moves.push(move);
}

/** Those of one change are noted one after the other. */
function isNoted(moves: readonly Move[], { at, place }: Move): boolean {
  for (let index = moves.length - 1; moves[index]?.place === place; index -= 1)
    if (moves[index]?.at === at) return true;
  return false;
}

/** A reference that is cleared changes the record's own figures. */
function regardOwn(scope: Scope, { group, id, keys, cause }: Change & { kind: 'update' }, due: DueRecords): void {
  if (cause.kind !== 'clear') return;
  for (const figure of scope.groups.get(group).figures)
    if (figure.figure.taken === 'always' && keysBehind(figure.figure).some((key) => keys.includes(key)))
      dueOf(due, { group, id }, cause.of).anew.add(pathOf(figure));
}

function dueOf(due: DueRecords, { group, id }: RecordName, of: RecordName): Due {
  const records = due.get(group) ?? new Map<string, Due>();
  due.set(group, records);
  const one = records.get(id) ?? { of, anew: new Set(), sums: new Map() };
  records.set(id, one);
  return one;
}

/** A change with all that those who look at the record read of it. What a change does not tell stays as it is. */
async function versionOf(scope: Scope, change: Change, watchers: readonly Watcher[]): Promise<Omit<Version, 'place'>> {
  if (change.kind === 'create') return { before: undefined, after: change.after, isSteady: true };
  const { group, id } = change;
  if (change.kind === 'delete') return { before: change.before, after: undefined, isSteady: false };
  const { byKey } = scope.records.resource(group);
  const wanted = new Set(watchers.flatMap(({ watch }) => [...watch.keys]));
  const isTold = (key: string): boolean => Object.hasOwn(change.after, key) || byKey.get(key)?.stored !== true;
  const missing = [...wanted].filter((key) => !isTold(key));
  const rest =
    missing.length === 0
      ? {}
      : {
          ...(await scope.records.find(group, id)),
          ...(await scope.records.listsUnder(group, id, missing)),
        };
  return {
    before: { ...rest, ...change.before, id },
    after: { ...rest, ...change.after, id },
    isSteady: change.keys.every((key) => isPlainValue(byKey.get(key))),
  };
}

/** Brings records of one group up to date, so many at a time. */
async function refresh(scope: Scope, group: Group, due: ReadonlyMap<string, Due>): Promise<void> {
  const { name } = group.resource;
  const left = [...due.keys()].filter((id) => !scope.isGone(name, id));
  await yieldIfDue();
  const ids = left.sort();
  await yieldIfDue();
  for (const portion of portionsOf(ids)) {
    await refreshPortion(scope, group, { ids: portion, due });
    if (ids.length > portionSize) await scope.carryOn();
  }
}

interface Portion {
  readonly ids: readonly string[];
  readonly due: ReadonlyMap<string, Due>;
}

/** Figure by figure, so that many records need as many statements as few. */
async function refreshPortion(scope: Scope, group: Group, { ids, due }: Portion): Promise<void> {
  const { name } = group.resource;
  const stored = await scope.records.toChange(name, ids);
  const refreshed: Refreshed[] = [];
  for (const id of ids) {
    const [row, one] = [stored.get(id), due.get(id)];
    if (row !== undefined && one !== undefined) refreshed.push(toRefresh(scope, { group, row, due: one }));
  }
  const facts = new ReadFacts({ records: scope.records });
  for (const figure of moving(group)) {
    const concerned = refreshed.filter((one) => isConcerned(one, figure));
    await readMissingLists(draftsOf(concerned), figure.lists);
    const anew: Refreshed[] = [];
    for (const one of concerned) if (!(await isRight(one, figure))) anew.push(one);
    const isOnItsOwn = figure.figure.alike.length > 0 || figure.figure.taken !== 'always';
    if (isOnItsOwn) for (const { draft } of anew) await takeFigure(draft, figure, 'anew');
    else if (anew.length > 0) await takeAnew(anew, figure, facts);
  }
  await readMissingLists(draftsOf(refreshed), group.stateLists);
  const unchanged: string[] = [];
  for (const one of refreshed)
    if (!(await collectRefreshed(scope, one)) && one.due.anew.size > 0) unchanged.push(String(one.row['id']));
  // What was computed from many records has to conflict with whoever changes one of them meanwhile, on every node.
  scope.guard({ group: name, ids: unchanged });
}

const draftsOf = (refreshed: readonly Refreshed[]): readonly Draft[] => refreshed.map(({ draft }) => draft);

/** Figures that others keep true, and those that are taken again when such a one changes. */
const moving = ({ figures }: Group): readonly FigureField[] =>
  figures.filter(({ figure }) => figure.taken === 'always' || figure.again.length > 0);

/** A record that is brought up to date. */
interface Refreshed {
  readonly group: Group;
  /** What was read of it, without its lists. */
  readonly row: Readonly<Values>;
  readonly due: Due;
  readonly draft: Draft;
}

function toRefresh(scope: Scope, { group, row, due }: Pick<Refreshed, 'group' | 'row' | 'due'>): Refreshed {
  const values = copyOf(row);
  const draft = new Draft({ scope, group, operation: 'update', before: row, values, input: { values: {} } });
  return { group, row, due, draft };
}

/** Whether a figure of a record may be another one now. */
const isConcerned = ({ due, draft }: Refreshed, figure: FigureField): boolean =>
  figure.figure.taken === 'always' ? isDue(figure, due) || isMoved(draft, figure) : isTakenAgain(draft, figure.figure);

/** Whether a figure of a record need not be computed from scratch, once what has moved is added. */
async function isRight({ due, draft }: Refreshed, figure: FigureField): Promise<boolean> {
  const path = pathOf(figure);
  const moves = due.sums.get(path);
  return moves !== undefined && !due.anew.has(path) && !isMoved(draft, figure) && addShares(draft, figure, moves);
}

/** The figure of many records looks at none of their group. */
async function takeAnew(refreshed: readonly Refreshed[], figure: FigureField, facts: ReadFacts): Promise<void> {
  await takeFigures(
    refreshed.map(({ draft }) => draft),
    figure,
    facts,
  );
  for (const { draft } of refreshed) draft.scope.noteTaken(draft.name, pathOf(figure));
}

/** Lets the states of a record follow, or wait, and wants what has changed. @returns whether anything has */
async function collectRefreshed(scope: Scope, { group, row, due, draft }: Refreshed): Promise<boolean> {
  const { values } = draft;
  const id = String(row['id']);
  const states = await statesThatFollow(scope, { group, due, draft });
  const keys = draft.changedKeys();
  if (keys.length === 0) {
    draft.conclude();
    return false;
  }
  const isActedOn = states.length > 0 && group.resource.effects.some(({ on }) => on.has('becomes'));
  if (isActedOn) await readMissingLists([draft], listKeys(group.resource));
  wantForLookers(draft);
  holdToTheEnd([draft]);
  const { before = row } = draft;
  const cause = { kind: states.length > 0 ? 'effect' : 'figure', rule: 'formula', of: due.of } as const;
  if (states.length > 0 && group.modified !== undefined) {
    values[group.modified] = risingTime();
    keys.push(group.modified);
  }
  scope.collect({ kind: 'update', group: group.resource.name, id, before, after: values, keys, cause });
  // Conditions that tell what is wrong in words of their own look at the figure as it would be.
  draft.conclude();
  if (isActedOn) due.entered = draft;
  return true;
}

/** @returns the keys of the states that have become others */
async function statesThatFollow(
  scope: Scope,
  { group, due, draft }: Omit<Refreshed, 'row'>,
): Promise<readonly string[]> {
  const { held, of } = due;
  if (held !== undefined || !group.statesWait) return followStates(draft, { old: held?.old ?? draft.before });
  scope.awaitFigures({ name: draft.name, of, old: draft.before });
  return [];
}

const isDue = (figure: FigureField, { anew, sums }: Due): boolean =>
  anew.has(pathOf(figure)) || sums.has(pathOf(figure));

/** Whether a figure of the record that this one looks at has changed. */
const isMoved = (draft: Draft, figure: FigureField): boolean =>
  keysBehind(figure.figure).some((key) => draft.hasChanged(key)) || isMovedInside(draft, figure);
