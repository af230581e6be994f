// Scopes inside a formula that uses named formulas: what `self` and each variable stand for there.
import type { Tree, TreeOf } from '../language/tree.ts';

/** What a name or a variable stands for, and where that is written. */
export interface Bound {
  readonly tree: Tree;
  readonly ground: Ground;
  /** Whether it is one of the list that the tree gives. */
  readonly isItem: boolean;
}

export interface Ground {
  /** What a named formula is asked of; nothing for the formula itself. */
  readonly self: { readonly tree: Tree; readonly ground: Ground } | undefined;
  /** Lists in whose items the formula stands. */
  readonly lists: readonly string[];
  readonly variables: ReadonlyMap<number, Bound>;
  /** Grounds of formulas that are named here, by what they are asked of and given: those that are alike are one. */
  readonly named: Map<string, Ground>;
}

export const newGround = (ground: Omit<Ground, 'named'>): Ground => ({ ...ground, named: new Map() });

export const bind = (ground: Ground, slot: number, bound: Bound): Ground => ({
  ...ground,
  variables: new Map([...ground.variables, [slot, bound]]),
});

export const insideOf = ({ slot, of }: TreeOf<'macro'>, ground: Ground): Ground =>
  bind(ground, slot, { tree: of, ground, isItem: true });

/**
 * Where a named formula is evaluated: on what it is asked of, with what it is given. Asked of the same and given the same it is
 * one ground, so that formulas which name others more than once are looked into no more often.
 */
export function groundOf({ of, args }: TreeOf<'named'>, ground: Ground): Ground {
  const given = args.map((tree) => givenBound(tree, ground));
  const isOfSame = of.op === 'self' && of.up === 0 && ground.self !== undefined;
  const key = [keyOf(of, ground), ...given.map((bound) => boundKey(bound))].join('|');
  const known = ground.named.get(key);
  if (known !== undefined) return known;
  const variables = new Map(given.map((bound, slot) => [slot, bound]));
  const made: Ground = isOfSame
    ? { ...ground, variables }
    : newGround({ self: { tree: of, ground }, lists: [], variables });
  ground.named.set(key, made);
  return made;
}

/** What a formula is given; what is handed on is what was given before. */
function givenBound(tree: Tree, ground: Ground): Bound {
  const before = tree.op === 'variable' ? ground.variables.get(tree.slot) : undefined;
  return before === undefined || before.isItem ? { tree, ground, isItem: false } : before;
}

/** What tells given values apart, as far as somebody could be found by them: fields of a record. */
const boundKey = ({ tree, ground }: Bound): string =>
  tree.op === 'field' ? `${numberOf(ground)} ${keyOf(tree, ground)}` : '';

/** What tells from others what a tree stands for, on its ground. */
function keyOf(tree: Tree, ground: Ground): string {
  switch (tree.op) {
    case 'self':
      return `self^${tree.up}`;
    case 'known':
      return tree.name;
    case 'field':
      return `${keyOf(tree.of, ground)}.${tree.member.name}`;
    case 'owner':
      return `${keyOf(tree.of, ground)}^`;
    default:
      return `${numberOf(tree)}(${[...ground.variables.values()].map(numberOf).join()})`;
  }
}

const numbers = new WeakMap<object, number>();
let numbersGiven = 0;

/** A number by which an object is told from others. */
function numberOf(one: object): number {
  const known = numbers.get(one);
  if (known !== undefined) return known;
  numbersGiven += 1;
  numbers.set(one, numbersGiven);
  return numbersGiven;
}
