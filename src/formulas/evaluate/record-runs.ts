// Evaluates everything that reads records: fields, references, named formulas, collections.

import { type Limiting, limitsOf } from '../analyse/limits.ts';
import { partsOf } from '../language/index-keys.ts';
import type { RangeBound, Tree, TreeOf } from '../language/tree.ts';
import { asText, isRecord, type Known, notKnown, type RecordValue, type Unknown } from '../language/value.ts';
import type { Facts, Limit } from './facts.ts';
import { again, all, apart, type Compilers, type Frame, ofEach, type Result, type Run, type RunOf } from './frame.ts';
import type { Noted } from './memo.ts';
import { readerOf } from './read-member.ts';
import { united } from './united.ts';
import { wantedRun } from './wanted.ts';

type Reading = 'self' | 'owner' | 'place' | 'known' | 'before' | 'sent' | 'field' | 'named' | 'gather' | 'unite';

/** Each part that reads records → what evaluates it. */
export const recordRuns: Pick<Compilers, Reading> = {
  self: ({ up }) => {
    if (up === 0) return ({ self }) => self;
    return ({ self }) => ownerOf(self, up);
  },
  owner: ({ of }, runOf) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown ? notKnown : isRecord(value) ? ownerOf(value, 1) : null;
    };
  },
  place: ({ of }, runOf) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      if (value === notKnown || !isRecord(value)) return value === notKnown ? notKnown : null;
      const { stored, place } = value;
      const found = stored === undefined ? place : frame.facts.place(stored);
      return found === notKnown ? notKnown : String(found);
    };
  },
  known: ({ name, type }) => {
    if (name !== 'me') return ({ facts }) => facts[name]();
    const group = type.kind === 'record' ? type.shape.group : '';
    return ({ facts }) => meIn(facts, group);
  },
  before: (tree) => (frame) => {
    const { value, throughNull, overlong } = frame.facts.before(tree, frame.self);
    frame.notes.throughNull ||= throughNull;
    frame.notes.overlong ??= overlong;
    return value;
  },
  sent:
    ({ key }) =>
    ({ facts }) =>
      facts.sent(key),
  field: memberRun,
  named: namedRun,
  gather: gatherRun,
  unite: ({ of }, runOf) => {
    const run = runOf(of);
    return (frame) => {
      const lists = run(frame);
      return lists === notKnown ? notKnown : united(lists);
    };
  },
};

/** The record of the acting member; null where nobody acts. @param group Of the records that act. */
export function meIn(facts: Facts, group: string): RecordValue | null | Unknown {
  const actor = facts.actor();
  return actor === notKnown || actor === null ? actor : facts.record(group, actor);
}

function ownerOf(record: RecordValue, up: number): Known {
  let here: RecordValue | undefined = record;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  return here ?? null;
}

/** Whether a tree is read from the record by itself, without the variable of a macro. */
export function isOwn(tree: Tree): boolean {
  if (tree.op === 'self') return true;
  return (tree.op === 'field' || tree.op === 'owner') && isOwn(tree.of);
}

/** The value of a path through a reference that is null. */
function nothingBehind(frame: Frame, of: Tree): null {
  if (of.op === 'field' && isOwn(of)) frame.notes.throughNull = true;
  return null;
}

function namedRun({ of, formula, args }: TreeOf<'named'>, runOf: RunOf): Run {
  const record = runOf(of);
  const parts = args.map(runOf);
  const isItsOwn = isOwn(of);
  return (frame) => {
    const self = record(frame);
    const given = all(parts, frame);
    if (self === notKnown || given === notKnown) return notKnown;
    if (!isRecord(self)) return nothingBehind(frame, of);
    const { value, throughNull, overlong } = noted(frame, { self, given, tree: formula.tree() }, runOf);
    frame.notes.overlong ??= overlong;
    // What is null in another record is its own matter.
    if (isItsOwn && throughNull) frame.notes.throughNull = true;
    return value;
  };
}

interface Named {
  readonly tree: Tree;
  readonly self: RecordValue;
  readonly given: readonly Known[];
}

/** What a named formula gives, evaluated once for the same record and the same values. */
function noted(frame: Frame, { tree, self, given }: Named, runOf: RunOf): Noted {
  const { notes, facts, isOpen } = frame;
  const { memo } = notes;
  const question = questionOf(given);
  if (question === undefined)
    return apart(notes, facts, () => runOf(tree)({ self, facts, variables: given, notes, isOpen }));
  // What is not asked for on the off chance may be asked for by others.
  const kept = memo.named?.get(tree)?.get(self);
  const before = kept?.get(question) ?? (isOpen ? kept?.get(`open ${question}`) : undefined);
  if (before !== undefined) return again(before, facts);
  const found = apart(notes, facts, () => runOf(tree)({ self, facts, variables: given, notes, isOpen }));
  memo.keepNamed(tree, self, { question: isToKeep(found, frame) ? question : `open ${question}`, found });
  return found;
}

/** What is not asked for on the off chance may be asked for by others. */
const isToKeep = ({ value }: Noted, { isOpen }: Frame): boolean => value !== notKnown || !isOpen;

/** Plain values as one text; undefined where records are among them. */
export function questionOf(given: readonly Known[]): string | undefined {
  let question = '';
  for (const one of given) {
    if (typeof one === 'string') question += `${one.length}=${one}`;
    else if (one === null || typeof one === 'boolean') question += one;
    else return undefined;
  }
  return question;
}

function memberRun(tree: TreeOf<'field'>, runOf: RunOf): Run {
  const { of, member, type } = tree;
  const record = runOf(of);
  const read = readerOf(member, type);
  const run: Run = (frame) => {
    const value = record(frame);
    if (value === notKnown) return notKnown;
    if (!isRecord(value)) return nothingBehind(frame, of);
    return read(value, frame.facts);
  };
  const isOfRecords = member.kind === 'references' || member.kind === 'others' || member.kind === 'items';
  return isOfRecords && !namesOuter(of, Number.POSITIVE_INFINITY) ? foundOnce(tree, run) : run;
}

/** Reads a collection by what narrows it, and judges each of what is found. */
function gatherRun(tree: TreeOf<'gather'>, runOf: RunOf): Run {
  const run = lookupRun(tree, runOf);
  return partsOf(tree).some((part) => namesOuter(part, tree.slot)) ? run : foundOnce(tree, run);
}

/** Records that hang on nothing but what the formula stands on. */
function foundOnce(tree: Tree, run: Run): Run {
  return (frame) => {
    const { notes, self } = frame;
    const known = notes.memo.found(tree);
    let found = known.get(self);
    if (found !== undefined) again(found, frame.facts);
    else {
      found = apart(notes, frame.facts, () => run(frame));
      if (isToKeep(found, frame)) notes.memo.keep(known, self, found);
    }
    notes.throughNull ||= found.throughNull;
    notes.overlong ??= found.overlong;
    return found.value;
  };
}

/** Whether a part looks at a variable from outside of that which has this place: at what a loop goes through, or is given. */
export const namesOuter = (tree: Tree, slot: number): boolean =>
  (tree.op === 'variable' && tree.slot < slot) || partsOf(tree).some((part) => namesOuter(part, slot));

function lookupRun({ collection, extent, narrowing, range, where, slot }: TreeOf<'gather'>, runOf: RunOf): Run {
  if (extent === 'any') return ({ facts }) => facts.anyOf(collection);
  const wants = wantedRun(narrowing, runOf);
  const limits = where === undefined || collection.lists.length > 0 ? [] : limitsBeside(range, limitsOf(where, slot));
  const within = limits.map((limit) => ({ ...limit, run: runOf(limit.value) }));
  const bounds = range.map(({ value }) => runOf(value));
  const holds = where === undefined ? undefined : runOf(where);
  return (frame) => {
    const wanted = wants(frame);
    const limited = limitsIn(within, frame);
    const ends = all(bounds, frame);
    if (wanted === notKnown || limited === notKnown || ends === notKnown) return notKnown;
    // Nothing equals null alone, and nothing lies beside it.
    if ((narrowing.length > 0 && wanted.length === 0) || ends.includes(null)) return [];
    const found = frame.facts.collection(collection, wanted, [...rangeLimits(range, ends), ...limited]);
    if (found === notKnown || holds === undefined) return found;
    return judged(found, { holds, slot, frame });
  };
}

/** What limits those that are found, without the bounds by which they are. */
export const limitsBeside = (range: readonly RangeBound[], limits: readonly Limiting[]): readonly Limiting[] =>
  limits.filter(({ value }) => !range.some((bound) => bound.value === value));

/** Bounds that are known, none of which is null. */
export const rangeLimits = (range: readonly RangeBound[], ends: readonly Known[]): readonly Limit[] =>
  range.map(({ member, sign }, index) => ({
    key: member.key,
    sign,
    value: asText(ends[index] ?? null),
    orNull: false,
  }));

/** The limits as values. Whatever reads through a null reference is left to the condition, which is to tell of it. */
function limitsIn(limits: readonly (Limiting & { readonly run: Run })[], frame: Frame): readonly Limit[] | Unknown {
  const found: Limit[] = [];
  let isKnown = true;
  for (const { member, sign, orNull, run } of limits) {
    const { value, throughNull } = apart(frame.notes, frame.facts, () => run(frame));
    if (value === notKnown) isKnown = false;
    else if (throughNull) break;
    else if (value === null && sign !== '==' && sign !== '!=') continue;
    else if (value === null || typeof value === 'string' || typeof value === 'boolean')
      found.push({ key: member.key, sign, value, orNull });
  }
  return isKnown ? found : notKnown;
}

interface Judge {
  readonly holds: Run;
  readonly slot: number;
  readonly frame: Frame;
}

function judged(found: readonly Known[], { holds, slot, frame }: Judge): Result {
  let isKnown = true;
  const kept: Known[] = [];
  const runs = ofEach(holds, slot, frame);
  for (const item of found) {
    const value = runs(item);
    if (value === notKnown) isKnown = false;
    else if (value === true) kept.push(item);
  }
  return isKnown ? kept : notKnown;
}
