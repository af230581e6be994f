// What a formula gives: each part becomes a function once, and nothing waits. What is not known yet is asked for, and the
// formula is evaluated again when it is.
import { addDays, daysBetween } from '../../values/date.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { comparing, functionRow, macroRow } from '../language/functions.ts';
import { partsOf } from '../language/index-keys.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { number } from '../language/types.ts';
import {
  isEqual,
  isList,
  isRecord,
  type Known,
  notKnown,
  type RecordValue,
  type Unknown,
  wholeNumber,
} from '../language/value.ts';
import { overlongNumber, overlongText } from './bounded.ts';
import type { Facts, Limit } from './facts.ts';
import { type Limiting, limitsOf } from './filters.ts';
import { all, apart, type Frame, newNotes, ofEach, type Result, type Run } from './frame.ts';
import type { Memo, Noted } from './memo.ts';
import { readerOf } from './read-member.ts';
import { type Tallying, tallyingRun } from './tally-run.ts';
import { wantedRun } from './wanted.ts';

/** The value of a formula, and whether it was read through a reference that is null. */
export type Evaluated = Noted;

const runs = new WeakMap<Tree, Run>();

/** @param self What the formula stands on. */
export const evaluate = (tree: Tree, self: RecordValue, facts: Facts): Evaluated =>
  evaluateGiven(tree, self, { facts, given: [] });

/** What a formula is evaluated with that is given values by name: these, in the order of the names. */
interface Given {
  readonly facts: Facts;
  readonly given: readonly Known[];
  /** Shared with other evaluations. */
  readonly memo?: Memo | undefined;
}

/** @param self What the formula stands on. */
export function evaluateGiven(tree: Tree, self: RecordValue, { facts, given, memo }: Given): Evaluated {
  const notes = newNotes(memo);
  const value = runOf(tree)({ self, facts, variables: given, notes, isOpen: false });
  return { value, throughNull: notes.throughNull, overlong: notes.overlong };
}

function runOf(tree: Tree): Run {
  const known = runs.get(tree) ?? compileTree(tree);
  runs.set(tree, known);
  return known;
}

type Compilers = { readonly [Op in Tree['op']]: (tree: TreeOf<Op>) => Run };

const compileTree = (tree: Tree): Run => (compilers[tree.op] as (tree: Tree) => Run)(tree);

/** Two parts that give null where one of them is null. */
function both(tree: { readonly left: Tree; readonly right: Tree }, put: (left: Known, right: Known) => Known): Run {
  const [left, right] = [runOf(tree.left), runOf(tree.right)];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a === notKnown || b === notKnown) return notKnown;
    return a === null || b === null ? null : put(a, b);
  };
}

const textOf = (value: Known): string => (typeof value === 'string' ? value : '');
const asList = (value: Known): readonly Known[] => (isList(value) ? value : []);

/** Outside of the years 1000 to 9999 there is no date. */
function shifted(day: string, n: string): Known {
  const days = wholeNumber(n);
  if (days === undefined) return null;
  try {
    return addDays(day, days);
  } catch {
    return null;
  }
}

/** What has become too long counts as null, and is told. */
function bounded(value: Result, overlong: (text: string) => string | undefined, { notes }: Frame): Result {
  const words = typeof value === 'string' ? overlong(value) : undefined;
  if (words === undefined) return value;
  notes.overlong ??= words;
  return null;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const compilers: Compilers = {
  literal:
    ({ literal: { value } }) =>
    () =>
      value,
  list: ({ items }) => {
    const parts = items.map(runOf);
    return (frame) => all(parts, frame);
  },
  map: ({ entries }) => {
    const parts = entries.map(([, part]) => runOf(part));
    return (frame) => {
      const values = all(parts, frame);
      if (values === notKnown) return notKnown;
      return { kind: 'map', entries: Object.fromEntries(entries.map(([key], index) => [key, values[index] ?? null])) };
    };
  },
  variable:
    ({ slot }) =>
    (frame) =>
      frame.variables[slot] ?? null,
  self: ({ up }) => {
    if (up === 0) return ({ self }) => self;
    return ({ self }) => ownerOf(self, up);
  },
  owner: ({ of }) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown ? notKnown : isRecord(value) ? ownerOf(value, 1) : null;
    };
  },
  place: ({ of }) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      if (value === notKnown || !isRecord(value)) return value === notKnown ? notKnown : null;
      const { stored, place } = value;
      const found = stored === undefined ? place : frame.facts.place(stored);
      return found === notKnown ? notKnown : String(found);
    };
  },
  known:
    ({ name }) =>
    ({ facts }) =>
      facts[name](),
  sent:
    ({ key }) =>
    ({ facts }) =>
      facts.sent(key),
  field: memberRun,
  named: namedRun,
  gather: gatherRun,
  index: ({ of, at }) =>
    both({ left: of, right: at }, (list, place) => asList(list)[wholeNumber(textOf(place)) ?? -1] ?? null),
  not: ({ of }) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown ? notKnown : value !== true;
    };
  },
  negate: ({ of }) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown || value === null ? value : exactly['-']('0', textOf(value));
    };
  },
  and: (tree) => joined(tree, false),
  or: (tree) => joined(tree, true),
  equal: ({ left, right, isNot }) => {
    const [a, b] = [runUpTo(left, right), runUpTo(right, left)];
    return (frame) => {
      const one = a(frame);
      const other = b(frame);
      return one === notKnown || other === notKnown ? notKnown : isEqual(one, other) !== isNot;
    };
  },
  compare: ({ left, right, sign }) => {
    const compare = comparing(left.type);
    const holds = { '<': isLess, '<=': isAtMost, '>': isMore, '>=': isAtLeast }[sign];
    const [one, other] = [runUpTo(left, right), runUpTo(right, left)];
    return (frame) => {
      const a = one(frame);
      const b = other(frame);
      if (a === notKnown || b === notKnown) return notKnown;
      return a !== null && b !== null && holds(compare(textOf(a), textOf(b)));
    };
  },
  in: ({ left, right }) => {
    const [a, b] = [runOf(left), runOf(right)];
    return (frame) => {
      const value = a(frame);
      const list = b(frame);
      if (value === notKnown || list === notKnown) return notKnown;
      // Values that are no objects are equal where they are the same.
      if (value === null || typeof value !== 'object') return asList(list).includes(value);
      return asList(list).some((item) => isEqual(item, value));
    };
  },
  arithmetic: ({ left, right, sign }) => {
    const put = sign === '/' ? quotient : exactly[sign];
    const run = both({ left, right }, (a, b) => put(textOf(a), textOf(b)));
    return (frame) => bounded(run(frame), overlongNumber, frame);
  },
  join: ({ left, right }) => {
    const run = both({ left, right }, (a, b) => textOf(a) + textOf(b));
    return (frame) => bounded(run(frame), overlongText, frame);
  },
  shift: ({ left, right, sign }) =>
    both({ left, right }, (day, n) => shifted(textOf(day), sign === '+' ? textOf(n) : exactly['-']('0', textOf(n)))),
  between: ({ left, right, unit }) =>
    both({ left, right }, (to, from) =>
      String(unit === 'days' ? daysBetween(textOf(from), textOf(to)) : minutesOf(textOf(to)) - minutesOf(textOf(from))),
    ),
  if: ({ test, yes, no }) => {
    const [asked, first, second] = [runOf(test), runOf(yes), runOf(no)];
    return (frame) => {
      const value = asked(frame);
      if (value !== notKnown) return value === true ? first(frame) : second(frame);
      // Both sides ask for what they need: one of them will be wanted.
      const open = opened(frame);
      first(open);
      second(open);
      return notKnown;
    };
  },
  macro: macroRun,
  call: callRun,
};

const isLess = (order: number): boolean => order < 0;
const isAtMost = (order: number): boolean => order <= 0;
const isMore = (order: number): boolean => order > 0;
const isAtLeast = (order: number): boolean => order >= 0;

function ownerOf(record: RecordValue, up: number): Known {
  let here: RecordValue | undefined = record;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  return here ?? null;
}

/** `false && unknown` is false, and `true || unknown` is true, whatever else is asked for. */
function joined({ left, right }: { readonly left: Tree; readonly right: Tree }, decides: boolean): Run {
  const [a, b] = [runOf(left), runOf(right)];
  return (frame) => {
    const first = a(frame);
    if (first !== notKnown && (first === true) === decides) return decides;
    const { throughNull } = frame.notes;
    const second = b(first === notKnown ? opened(frame) : frame);
    if (second !== notKnown && (second === true) === decides) {
      // Whether it is read through a null reference at all, the first has yet to say.
      const isOpen = first === notKnown && frame.notes.throughNull !== throughNull;
      return isOpen ? notKnown : decides;
    }
    return first === notKnown || second === notKnown ? notKnown : !decides;
  };
}

/** The same, of a part that may not be wanted. */
const opened = ({ self, facts, variables, notes }: Frame): Frame => ({ self, facts, variables, notes, isOpen: true });

// --- Records

/** Whether a tree is read from the record by itself, without the variable of a macro. */
function isOwn(tree: Tree): boolean {
  if (tree.op === 'self') return true;
  return (tree.op === 'field' || tree.op === 'owner') && isOwn(tree.of);
}

/** The value of a path through a reference that is null. */
function nothingBehind(frame: Frame, of: Tree): null {
  if (of.op === 'field' && isOwn(of)) frame.notes.throughNull = true;
  return null;
}

function namedRun({ of, formula, args }: TreeOf<'named'>): Run {
  const record = runOf(of);
  const parts = args.map(runOf);
  const isItsOwn = isOwn(of);
  return (frame) => {
    const self = record(frame);
    const given = all(parts, frame);
    if (self === notKnown || given === notKnown) return notKnown;
    if (!isRecord(self)) return nothingBehind(frame, of);
    const { value, throughNull, overlong } = noted(frame, { self, given, tree: formula.tree() });
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
function noted(frame: Frame, { tree, self, given }: Named): Noted {
  const { notes, facts, isOpen } = frame;
  const known = notes.memo.named(tree, self);
  const question = questionOf(given);
  if (question === undefined) return apart(notes, () => runOf(tree)({ self, facts, variables: given, notes, isOpen }));
  // What is not asked for on the off chance may be asked for by others.
  const before = known.get(question) ?? (isOpen ? known.get(`open ${question}`) : undefined);
  if (before !== undefined) return before;
  const found = apart(notes, () => runOf(tree)({ self, facts, variables: given, notes, isOpen }));
  known.set(isToKeep(found, frame) ? question : `open ${question}`, found);
  return found;
}

/** What is not asked for on the off chance may be asked for by others. */
const isToKeep = ({ value }: Noted, { isOpen }: Frame): boolean => value !== notKnown || !isOpen;

/** Plain values as one text; undefined where records are among them. */
function questionOf(given: readonly Known[]): string | undefined {
  let question = '';
  for (const one of given) {
    if (typeof one === 'string') question += `${one.length}=${one}`;
    else if (one === null || typeof one === 'boolean') question += one;
    else return undefined;
  }
  return question;
}

function memberRun(tree: TreeOf<'field'>): Run {
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
function gatherRun(tree: TreeOf<'gather'>): Run {
  const run = seekingRun(tree);
  return partsOf(tree).some((part) => namesOuter(part, tree.slot)) ? run : foundOnce(tree, run);
}

/** Records that hang on nothing but what the formula stands on. */
function foundOnce(tree: Tree, run: Run): Run {
  return (frame) => {
    const { notes, self } = frame;
    const known = notes.memo.found(tree);
    let found = known.get(self);
    if (found === undefined) {
      found = apart(notes, () => run(frame));
      if (isToKeep(found, frame)) known.set(self, found);
    }
    notes.throughNull ||= found.throughNull;
    notes.overlong ??= found.overlong;
    return found.value;
  };
}

/** Whether a part looks at a variable from outside of that which has this place: at what a loop goes through, or is given. */
const namesOuter = (tree: Tree, slot: number): boolean =>
  (tree.op === 'variable' && tree.slot < slot) || partsOf(tree).some((part) => namesOuter(part, slot));

function seekingRun({ collection, narrowing, where, slot }: TreeOf<'gather'>): Run {
  const wants = wantedRun(narrowing, runOf);
  const limits = where === undefined || collection.lists.length > 0 ? [] : limitsOf(where, slot);
  const within = limits.map((limit) => ({ ...limit, run: runOf(limit.value) }));
  const holds = where === undefined ? undefined : runOf(where);
  return (frame) => {
    const wanted = wants(frame);
    const limited = limitsIn(within, frame);
    if (wanted === notKnown || limited === notKnown) return notKnown;
    if (narrowing.length > 0 && wanted.length === 0) return [];
    const found = frame.facts.collection(collection, wanted, limited);
    if (found === notKnown || holds === undefined) return found;
    return judged(found, { holds, slot, frame });
  };
}

/** The limits as values. Whatever reads through a null reference is left to the condition, which is to tell of it. */
function limitsIn(limits: readonly (Limiting & { readonly run: Run })[], frame: Frame): readonly Limit[] | Unknown {
  const found: Limit[] = [];
  let isKnown = true;
  for (const { member, sign, orNull, run } of limits) {
    const { value, throughNull } = apart(frame.notes, () => run(frame));
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

// --- Macros and functions

function macroRun(tree: TreeOf<'macro'>): Run {
  const { name, of, slot, body, type } = tree;
  const tallied = tallyingRun(tree, runOf);
  const list = runOf(of);
  const { gather } = macroRow(name);
  const found = body && runOf(body);
  const compare = comparing(body?.type ?? (type.kind === 'list' ? type.item : type));
  return (frame) => {
    // All that it adds up would be read and computed, however much that is.
    if (name === 'sum' && frame.isOpen) return notKnown;
    const told = tallied?.(frame);
    if (told !== undefined) return told;
    const items = list(frame);
    if (items === notKnown) return notKnown;
    if (found === undefined) return gather(asList(items), undefined, compare);
    const parts: Known[] = [];
    let isKnown = true;
    const runs = ofEach(found, slot, frame);
    for (const item of asList(items)) {
      const part = runs(item);
      if (part === notKnown) isKnown = false;
      else parts.push(part);
    }
    return isKnown ? gather(asList(items), parts, compare) : notKnown;
  };
}

/** A number that is compared: it need not be counted further than what it is compared with. */
function runUpTo(tree: Tree, other: Tree): Run {
  const run = runOf(tree);
  const tallied =
    tree.op === 'macro' && tree.name === 'count' && isAtHand(other) ? tallyingRun(tree, runOf) : undefined;
  if (tallied === undefined) return run;
  const bound = runOf(other);
  return (frame) => {
    const most = bound(frame);
    const isNumber = typeof most === 'string' && Number(most) <= Number.MAX_SAFE_INTEGER;
    const told = isNumber ? tallied(frame, Math.max(0, Math.floor(Number(most))) + 1) : undefined;
    return told ?? run(frame);
  };
}

/** A number that is known without asking. */
export const isAtHand = (tree: Tree): boolean =>
  tree.op === 'literal' || (tree.op === 'field' && tree.of.op === 'self' && tree.member.kind === 'value');

function callRun({ name, args, type }: TreeOf<'call'>): Run {
  const parts = args.map(runOf);
  const { call, takesNull } = functionRow(name);
  const compare = comparing(type);
  return (frame) => {
    const values = all(parts, frame);
    if (values === notKnown) return notKnown;
    return !takesNull && values.includes(null) ? null : call(values, compare);
  };
}

/** The first of a collection, and how many there are in all. */
interface Beginning {
  readonly items: readonly Known[];
  readonly count: number;
}

/** The macros that ask for the beginning of a list. */
const beginnings = new WeakMap<Tree, { readonly first: Tallying | undefined; readonly count: Run }>();

/** @returns undefined for a list that must be read whole */
export function evaluateBeginning(
  list: Tree,
  self: RecordValue,
  { facts, most }: { readonly facts: Facts; readonly most: number },
): Beginning | Unknown | undefined {
  const macro = (name: 'first' | 'count'): TreeOf<'macro'> & Tree => {
    const { start, end } = list;
    return {
      op: 'macro',
      name,
      of: list,
      slot: 0,
      variable: '',
      body: undefined,
      type: number,
      nullable: false,
      start,
      end,
    };
  };
  const known = beginnings.get(list) ?? { first: tallyingRun(macro('first'), runOf), count: runOf(macro('count')) };
  beginnings.set(list, known);
  const frame: Frame = { self, facts, variables: [], notes: newNotes(), isOpen: false };
  const items = known.first?.(frame, most);
  if (items === undefined) return undefined;
  const count = known.count(frame);
  return items === notKnown || count === notKnown ? notKnown : { items: asList(items), count: Number(textOf(count)) };
}

/** What a macro goes through: one of its items, by the place of its variable. */
interface Passed {
  readonly slot: number;
  readonly item: Known;
}

/** A part has become longer than values may be. */
export class Overlong extends Error {}

/** A part of a formula that is asked of one item of a list. @param self What the formula stands on. @throws Overlong */
export function evaluateInside(
  tree: Tree,
  self: RecordValue,
  { slot, item, facts }: Passed & { facts: Facts },
): Result {
  const notes = newNotes();
  const value = ofEach(runOf(tree), slot, { self, facts, variables: [], notes, isOpen: false })(item);
  if (notes.overlong !== undefined) throw new Overlong();
  return value;
}
