// Judges conditions of roles in three values. What looks at the acting member where there is nothing to look at is neither true
// nor false: an allow does not hold then, and a forbid does, whatever stands around it.
import { evaluate } from '../formulas/evaluate/evaluate.ts';
import type { Facts } from '../formulas/evaluate/facts.ts';
import { partsOf } from '../formulas/language/index-keys.ts';
import type { Tree } from '../formulas/language/tree.ts';
import { isRecord, notKnown, type RecordValue, type Unknown } from '../formulas/language/value.ts';

/** True, false, or undecided because the actor's side is null. */
export type Truth = boolean | 'undecided';

/**
 * Whether a condition holds of a record. Not, and, or go by Kleene's tables; everything else is true or false, and undecided
 * where it looks at `actor`, or at a path of `me`, that is null. Compared with the literal null these are true or false.
 * @returns `notKnown` where the facts must be read first: then it is to be asked again
 */
export function truthOf(tree: Tree, self: RecordValue, facts: Facts): Truth | Unknown {
  switch (tree.op) {
    case 'not': {
      const of = truthOf(tree.of, self, facts);
      return typeof of === 'boolean' ? !of : of;
    }
    case 'and':
    case 'or': {
      // Both sides are asked, so that all that they look at is read together.
      const sides = [truthOf(tree.left, self, facts), truthOf(tree.right, self, facts)];
      const decisive = tree.op === 'or';
      if (sides.includes(decisive)) return decisive;
      if (sides.includes(notKnown)) return notKnown;
      return sides.includes('undecided') ? 'undecided' : !decisive;
    }
    case 'named':
      if (tree.args.length > 0 || tree.type.kind !== 'bool') return atom(tree, self, facts);
      return namedTruth(tree, self, facts);
    default:
      return atom(tree, self, facts);
  }
}

function namedTruth(tree: Tree & { readonly op: 'named' }, self: RecordValue, facts: Facts): Truth | Unknown {
  if (reachesMe(tree)) return atom(tree, self, facts);
  const { value } = evaluate(tree.of, self, facts);
  if (value === notKnown) return notKnown;
  return isRecord(value) ? truthOf(tree.formula.tree(), value, facts) : false;
}

function atom(tree: Tree, self: RecordValue, facts: Facts): Truth | Unknown {
  const sides = sidesOf(tree).map((side) => evaluate(side, self, facts).value);
  const { value } = evaluate(tree, self, facts);
  if (sides.includes(null)) return 'undecided';
  return sides.includes(notKnown) || value === notKnown ? notKnown : value === true;
}

const known = new WeakMap<Tree, readonly Tree[]>();

/** What a part looks at of the acting member: `actor`, and paths of `me` as far as they go. */
function sidesOf(tree: Tree): readonly Tree[] {
  const found = known.get(tree) ?? findSides(tree);
  known.set(tree, found);
  return found;
}

function findSides(tree: Tree): readonly Tree[] {
  if (reachesMe(tree)) return [tree];
  if (tree.op === 'known') return tree.name === 'actor' ? [tree] : [];
  if (tree.op === 'equal' && (isNull(tree.left) || isNull(tree.right)))
    return [tree.left, tree.right].flatMap((side) =>
      reachesMe(side) || (side.op === 'known' && side.name === 'actor') ? [] : sidesOf(side),
    );
  // A formula that others name may look at `actor`, which is the same for whatever record it stands on.
  const inside = tree.op === 'named' ? sidesOf(tree.formula.tree()) : [];
  return [...inside, ...partsOf(tree).flatMap(sidesOf)];
}

/** `me`, `me.practiceId`, `me.manager.name` */
function reachesMe(tree: Tree): boolean {
  if (tree.op === 'known') return tree.name === 'me';
  return (tree.op === 'field' || tree.op === 'named') && reachesMe(tree.of);
}

const isNull = (tree: Tree): boolean => tree.op === 'literal' && tree.literal.kind === 'null';
