// Evaluates operators: logic, comparison, arithmetic on numbers, texts and dates.
import { addDays, daysBetween } from '../../values/date.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { comparing } from '../language/function-row.ts';
import type { Tree } from '../language/tree.ts';
import {
  asList,
  asText,
  isEqual,
  type Known,
  notKnown,
  overlongNumber,
  overlongText,
  wholeNumber,
} from '../language/value.ts';
import { type Compilers, type Frame, isTooLong, type Result, type Run, type RunOf } from './frame.ts';
import { runUpTo } from './macro-runs.ts';

interface Pair {
  readonly left: Tree;
  readonly right: Tree;
}

export type Operator =
  | 'not'
  | 'negate'
  | 'and'
  | 'or'
  | 'equal'
  | 'compare'
  | 'in'
  | 'arithmetic'
  | 'join'
  | 'shift'
  | 'between'
  | 'if'
  | 'index';

/** Each operator → what evaluates it. */
export const operatorRuns: Pick<Compilers, Operator> = {
  not: ({ of }, runOf) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown ? notKnown : value !== true;
    };
  },
  negate: ({ of }, runOf) => {
    const run = runOf(of);
    return (frame) => {
      const value = run(frame);
      return value === notKnown || value === null ? value : exactly['-']('0', asText(value));
    };
  },
  and: (tree, runOf) => joined(tree, false, runOf),
  or: (tree, runOf) => joined(tree, true, runOf),
  equal: ({ left, right, isNot }, runOf) => {
    const [a, b] = [runUpTo(left, right, runOf), runUpTo(right, left, runOf)];
    return (frame) => {
      const one = a(frame);
      const other = b(frame);
      return one === notKnown || other === notKnown ? notKnown : isEqual(one, other) !== isNot;
    };
  },
  compare: ({ left, right, sign }, runOf) => {
    const compare = comparing(left.type);
    const holds = { '<': isLess, '<=': isAtMost, '>': isMore, '>=': isAtLeast }[sign];
    const [one, other] = [runUpTo(left, right, runOf), runUpTo(right, left, runOf)];
    return (frame) => {
      const a = one(frame);
      const b = other(frame);
      if (a === notKnown || b === notKnown) return notKnown;
      return a !== null && b !== null && holds(compare(asText(a), asText(b)));
    };
  },
  in: ({ left, right }, runOf) => {
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
  arithmetic: ({ left, right, sign }, runOf) => {
    const put = sign === '/' ? quotient : exactly[sign];
    const run = both({ left, right }, runOf, (a, b) => put(asText(a), asText(b)));
    return (frame) => bounded(run(frame), overlongNumber, frame);
  },
  join: ({ left, right }, runOf) => {
    const run = both({ left, right }, runOf, (a, b) => asText(a) + asText(b));
    return (frame) => bounded(run(frame), overlongText, frame);
  },
  shift: ({ left, right, sign }, runOf) =>
    both({ left, right }, runOf, (day, n) =>
      shifted(asText(day), sign === '+' ? asText(n) : exactly['-']('0', asText(n))),
    ),
  between: ({ left, right, unit }, runOf) =>
    both({ left, right }, runOf, (to, from) =>
      String(unit === 'days' ? daysBetween(asText(from), asText(to)) : minutesOf(asText(to)) - minutesOf(asText(from))),
    ),
  if: ({ test, yes, no }, runOf) => {
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
  index: ({ of, at }, runOf) =>
    both({ left: of, right: at }, runOf, (list, place) => asList(list)[wholeNumber(asText(place)) ?? -1] ?? null),
};

/** Two parts that give null where one of them is null. */
function both(tree: Pair, runOf: RunOf, put: (left: Known, right: Known) => Known): Run {
  const [left, right] = [runOf(tree.left), runOf(tree.right)];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a === notKnown || b === notKnown) return notKnown;
    return a === null || b === null ? null : put(a, b);
  };
}

const isLess = (order: number): boolean => order < 0;
const isAtMost = (order: number): boolean => order <= 0;
const isMore = (order: number): boolean => order > 0;
const isAtLeast = (order: number): boolean => order >= 0;

/** `false && unknown` is false, and `true || unknown` is true, whatever else is asked for. */
function joined({ left, right }: Pair, decides: boolean, runOf: RunOf): Run {
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

// --- Values that formulas make

/** Outside of the years 1000 to 9999 there is no date. */
export function shifted(day: string, n: string): Known {
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
  return typeof value === 'string' && isTooLong(overlong(value), notes) ? null : value;
}

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
