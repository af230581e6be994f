// Brings dirty records of one group up to date: locks and reads them together, and computes what of them may be another.
import { yieldIfDue } from '../../admission/event-loop.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Values } from '../../registry/model/model.ts';
import { risingTime } from '../../values/id.ts';
import type { Cause } from '../changes/change.ts';
import { copyOf } from '../changes/copy-values.ts';
import { portionSize, portionsOf } from '../changes/portions.ts';
import { Draft } from '../draft/draft.ts';
import { wantForLookers } from '../draft/locks-for-lookers.ts';
import { readMissingLists } from '../draft/missing-lists.ts';
import { computeFigure, computeFigures, isComputedAgain, isMovedInside } from '../figures/compute-figure.ts';
import { applyDeltas } from '../figures/deltas.ts';
import { watchersOf } from '../figures/dependents.ts';
import { type Dirty, type DirtySet, isDirty } from '../figures/dirty.ts';
import { inLine } from '../figures/lines.ts';
import { deferOutOfBounds, takeOutOfBounds } from '../figures/out-of-bounds.ts';
import { followStates } from '../figures/states.ts';
import { type FigureField, isAlong, keysBehind, type Line, listKeys } from '../plan/figures.ts';
import type { Group } from '../plan/groups.ts';
import { holdToTheEnd } from '../rules/rule-steps.ts';
import type { Scope } from '../transaction/scope.ts';

/** In one order, of groups and of ids. */
export async function recomputeAll(scope: Scope, dirty: DirtySet): Promise<void> {
  for (const [name, records] of inOrder(dirty)) await recompute(scope, scope.groups.get(name), records);
}

export const inOrder = <T>(named: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...named].sort(([a], [b]) => (a < b ? -1 : 1));

/** Those that are known to stand in a line one behind the other, all others so many at a time. */
async function recompute(scope: Scope, group: Group, records: ReadonlyMap<string, Dirty>): Promise<void> {
  const { name } = group.resource;
  const dirty = new Map(records);
  for (const line of group.lines) await recomputeLine(scope, group, { line, dirty });
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

async function recomputePortion(scope: Scope, group: Group, { ids, dirty }: Portion): Promise<void> {
  const stored = await scope.records.toChange(group.resource.name, ids);
  const recomputed: Recomputed[] = [];
  for (const id of ids) {
    const [row, one] = [stored.get(id), dirty.get(id)];
    if (row !== undefined && one !== undefined) recomputed.push(toRecompute(draftOf(scope, group, row), one));
  }
  const unchanged = await recomputeTogether(group, { recomputed, facts: factsIn(scope) });
  guardUnchanged(scope, group, unchanged);
}

const factsIn = (scope: Scope): ReadFacts => new ReadFacts({ records: scope.records, today: () => scope.reached() });

interface InLine {
  readonly line: Line;
  /** What is left to do; what is done goes. */
  readonly dirty: Map<string, Dirty>;
}

/**
 * One behind the other, each with what the one before it has come to, and no further than something changes: all of a portion are
 * locked and read at once, and so is what their formulas look at elsewhere.
 */
async function recomputeLine(scope: Scope, group: Group, { line, dirty }: InLine): Promise<void> {
  const { name } = group.resource;
  const ids = inLine(scope, line.order, dirty.keys());
  for (const portion of portionsOf(ids)) {
    if (!portion.some((id) => dirty.has(id))) continue;
    const stored = await scope.records.toChange(name, portion.toSorted());
    const rows = portion.map((id) => stored.get(id)).filter((row) => row !== undefined);
    const drafts = rows.map((row) => draftOf(scope, group, row));
    const facts = factsIn(scope);
    await readAhead(drafts, line, facts);
    const unchanged: string[] = [];
    for (const draft of drafts) {
      const { id } = draft.name;
      const one = dirty.get(id);
      if (one === undefined) continue;
      dirty.delete(id);
      unchanged.push(...(await recomputeTogether(group, { recomputed: [toRecompute(draft, one)], facts })));
      markBehind(draft, line, dirty);
      await yieldIfDue();
    }
    guardUnchanged(scope, group, unchanged);
    if (ids.length > portionSize) await scope.carryOn();
  }
}

/** Reads what will be asked for record by record: the values that formulas give by now do not count yet. */
export async function readAhead(drafts: readonly Draft[], { lists, reading }: Line, facts: ReadFacts): Promise<void> {
  if (drafts.length === 1) return;
  await readMissingLists(drafts, lists);
  const selves = drafts.map(({ values }) => recordValue(values));
  for (const { figure } of reading) {
    await facts.evaluateAll(figure.tree, selves);
    if (figure.when !== undefined) await facts.evaluateAll(figure.when.tree, selves);
  }
}

/** What a record has come to concerns the one behind it. */
function markBehind({ scope, group, name }: Draft, { order }: Line, dirty: Map<string, Dirty>): void {
  const change = scope.wantedOf(name);
  const behind = scope.records.facts.lines.behind(order, name.id);
  if (change?.kind !== 'update' || typeof behind !== 'string') return;
  for (const { figure, watch } of watchersOf(scope, change)) {
    if (!watch.ways.some((way) => isAlong(way, order))) continue;
    const one = dirty.get(behind) ?? { of: name, fromScratch: new Set(), sums: new Map() };
    dirty.set(behind, one);
    if (figure !== undefined) one.fromScratch.add(figure.path);
    scope.bound.take('kept', group.resource, [behind]);
  }
}

interface Together {
  readonly recomputed: readonly Recomputed[];
  readonly facts: ReadFacts;
}

/**
 * Figure by figure, so that many records need as many statements as few.
 * @returns ids of those that were computed from scratch, and are as they were
 */
async function recomputeTogether(group: Group, { recomputed, facts }: Together): Promise<readonly string[]> {
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
    if (!(await collectRecomputed(one)) && one.dirty.fromScratch.size > 0) unchanged.push(one.draft.name.id);
  return unchanged;
}

/** What was computed from many records has to conflict with whoever changes one of them meanwhile, on every node. */
const guardUnchanged = (scope: Scope, { resource: { name: group } }: Group, ids: readonly string[]): void =>
  void scope.guard({ group, ids });

const draftsOf = (recomputed: readonly Recomputed[]): readonly Draft[] => recomputed.map(({ draft }) => draft);

/** Figures that others keep true, and those that are taken again when such a one changes. */
const moving = ({ figures }: Group): readonly FigureField[] =>
  figures.filter(({ figure }) => figure.taken === 'always' || figure.again.length > 0);

/** A record that is brought up to date. */
interface Recomputed {
  readonly dirty: Dirty;
  readonly draft: Draft;
}

const draftOf = (scope: Scope, group: Group, row: Readonly<Values>): Draft =>
  new Draft({ scope, group, operation: 'update', before: row, values: copyOf(row), input: { values: {} } });

function toRecompute(draft: Draft, dirty: Dirty): Recomputed {
  for (const figure of takeOutOfBounds(draft.scope, draft.name)) dirty.fromScratch.add(figure.path);
  return { dirty, draft };
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
async function collectRecomputed({ dirty, draft }: Recomputed): Promise<boolean> {
  const { scope, group, name, values, before = values } = draft;
  const states = await statesThatFollow({ dirty, draft });
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
  const cause = causeOf(dirty, states.length > 0);
  if (states.length > 0 && group.modified !== undefined) {
    values[group.modified] = risingTime();
    keys.push(group.modified);
  }
  scope.collect({ kind: 'update', ...name, before, after: values, keys, cause });
  // Conditions that tell what is wrong in words of their own look at the figure as it would be.
  draft.conclude();
  if (isActedOn) dirty.entered = draft;
  return true;
}

const causeOf = ({ day, of }: Dirty, isState: boolean): Cause =>
  day === undefined ? { kind: isState ? 'effect' : 'figure', rule: 'formula', of } : { kind: 'day', day, isState, of };

/** @returns the keys of the states that have become others */
async function statesThatFollow({ dirty, draft }: Recomputed): Promise<readonly string[]> {
  const { held, of } = dirty;
  if (held !== undefined || !draft.group.statesWait) return followStates(draft, { old: held?.old ?? draft.before });
  draft.scope.awaitFigures({ name: draft.name, of, old: draft.before });
  return [];
}

/** Whether a figure of the record that this one looks at has changed. */
const isMoved = (draft: Draft, figure: FigureField): boolean =>
  keysBehind(figure.figure).some((key) => draft.hasChanged(key)) || isMovedInside(draft, figure);
