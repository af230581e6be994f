// Which index an aggregate needs: without it, all records that its key leads to are scanned.
import { partsOf } from '../language/index-keys.ts';
import type { Tree } from '../language/tree.ts';
import { isCode } from '../language/types.ts';
import type { TallyPlan } from './tally.ts';

/** Fields of an index, by their keys; `createdAt` for the order of making. */
export interface Need {
  /** Those that have known values, in any order. */
  readonly equal: ReadonlySet<string>;
  /** That by which what is left is in order. */
  readonly then: readonly string[];
  /** One of these keys that leads to few by itself, whatever stands behind it in the index: a day. */
  readonly enough?: string | undefined;
  /** The first of the order where it is never null: in a unique key with the known values it is all of the order. */
  readonly sure?: string | undefined;
}

/** Why more than a few records are taken up, whatever the index. */
export type Look =
  /** All that an index leads to: no more than is asked for. */
  | { readonly kind: 'found'; readonly need: Need }
  /** Each is counted or added up. */
  | { readonly kind: 'all'; readonly need: Need }
  /** Each is judged by more than an index holds. */
  | { readonly kind: 'judged'; readonly need: Need };

interface Split {
  readonly equal: Set<string>;
  /** Keys that are compared, and on which sides. */
  readonly ranges: Map<string, Set<'lower' | 'upper'>>;
  /** Whether there is more to be judged. */
  isJudged: boolean;
  /** Where all are of one day, its key: no more of these come with more records beside them. */
  day: string | undefined;
}

/** @param isBounded whether it is counted up to a number that is known */
export function lookOf(plan: TallyPlan, isBounded: boolean): Look {
  const { tally, narrowing, others, says } = plan;
  const split: Split = {
    equal: new Set(others === undefined ? [] : [others.key]),
    ...{ ranges: new Map(), isJudged: false, day: undefined },
  };
  for (const { member, up } of narrowing) if (up === 0) split.equal.add(member.key);
  for (const condition of tally.conditions) note(condition, split);
  const { equal, ranges } = split;
  const [range, ...more] = ranges.keys();
  const isJudged = split.isJudged || more.length > 0;
  const need = (...then: readonly string[]): Need => ({ equal, then });
  const isIn = (order: string): boolean => !isJudged && (range === undefined || range === order);
  switch (tally.take) {
    case 'min':
    case 'max': {
      const order = tally.body && keyOf(tally.body);
      if (order === undefined) return { kind: 'judged', need: need() };
      return { kind: isIn(order) ? 'found' : 'judged', need: need(order) };
    }
    case 'first':
    case 'last': {
      const order = tally.body === undefined ? madeAt : keyOf(tally.body);
      if (order === undefined) return { kind: 'judged', need: need() };
      const sure = tally.body?.nullable === false ? order : undefined;
      const found = order === madeAt ? need(madeAt) : { ...need(order, madeAt), sure };
      return { kind: isIn(order) ? 'found' : 'judged', need: found };
    }
    default: {
      const window = split.day ?? (range !== undefined && ranges.get(range)?.size === 2 ? range : undefined);
      // What lies between two bounds is no more with more records beside them.
      const found = { ...need(...(range === undefined ? [] : [range])), enough: window };
      if (isBounded || says !== 'value')
        return { kind: isJudged && window === undefined ? 'judged' : 'found', need: found };
      return { kind: window === undefined ? 'all' : 'found', need: found };
    }
  }
}

const madeAt = 'createdAt';

/** The key of a field of the item itself. */
function keyOf(tree: Tree): string | undefined {
  const isOwn = tree.op === 'field' && tree.of.op === 'self' && tree.of.up === 0 && tree.member.kind === 'value';
  return isOwn && !isGiven(tree.member.key) ? tree.member.key : undefined;
}

const isGiven = (key: string): boolean => key.startsWith('?');

/** Whether a part has one value for all items. */
const isKnown = (tree: Tree): boolean =>
  tree.op === 'field' && tree.member.kind === 'value' && isGiven(tree.member.key)
    ? true
    : tree.op !== 'self' && partsOf(tree).every(isKnown);

const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function note(tree: Tree, split: Split): void {
  if (tree.op === 'and') {
    note(tree.left, split);
    note(tree.right, split);
    return;
  }
  if (tree.op === 'equal' || tree.op === 'compare') {
    const { left, right } = tree;
    const [key, isTurned] = isKnown(right) ? [keyOf(left), false] : isKnown(left) ? [keyOf(right), true] : [undefined];
    if (key !== undefined && tree.op === 'equal') {
      // An index of codes is not asked for any text.
      if (isCode(left.type) !== isCode(right.type) && left.op !== 'literal' && right.op !== 'literal')
        split.isJudged = true;
      else if (!tree.isNot) {
        split.equal.add(key);
        if (left.type.kind === 'date') split.day ??= key;
      }
      // All but one.
      else if (key !== 'id') split.isJudged = true;
      return;
    }
    if (key !== undefined && tree.op === 'compare') {
      const sign = isTurned === true ? turned[tree.sign] : tree.sign;
      const sides = split.ranges.get(key) ?? new Set();
      split.ranges.set(key, sides.add(sign.startsWith('<') ? 'upper' : 'lower'));
      return;
    }
  }
  const flag = tree.op === 'not' && !tree.of.nullable ? tree.of : tree;
  const key = flag.type.kind === 'bool' ? keyOf(flag) : undefined;
  if (key !== undefined) split.equal.add(key);
  else if (!isKnown(tree)) split.isJudged = true;
}
