// Judges conditions of roles in three values. What looks at the acting member where there is nothing to look at is neither true
// nor false: an allow does not hold then, and a forbid does, whatever stands around it.
import { dependenciesOf } from '../formulas/analyse/dependencies.ts';
import { evaluate } from '../formulas/evaluate/evaluate.ts';
import type { Facts } from '../formulas/evaluate/facts.ts';
import { partsOf } from '../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../formulas/language/tree.ts';
import { isRecord, type Known, notKnown, type RecordValue, type Unknown } from '../formulas/language/value.ts';
import type { Condition } from '../registry/model/model.ts';

/** True, false, or undecided because the actor's side is null. */
export type Truth = boolean | 'undecided';

/** Whether a condition holds of a record; `notKnown` where the facts must be read first: then it is to be asked again. */
export type TruthOf = (self: RecordValue, facts: Facts) => Truth | Unknown;

/** A condition of a role. */
export interface RoleCondition extends Condition {
  readonly truth: TruthOf;
  /** Reports whether it reads a field of records of a group. @param key The field's */
  readonly readsField: (group: string, key: string) => boolean;
}

/** Creates `readsField` of a condition. Lists and objects count as fields. */
export function createFieldReader(tree: Tree): RoleCondition['readsField'] {
  const fields = new Set(
    dependenciesOf(tree).reads.map(
      ({ shape: { group, objectKey, lists }, key }) => `${group} ${objectKey ?? lists[0] ?? key}`,
    ),
  );
  return (group, key) => fields.has(`${group} ${key}`);
}

/**
 * How a condition is judged. Not, and, or go by Kleene's tables; everything else is true or false, and undecided where it looks at
 * `actor`, or at a path of `me`, that is null. Compared with the literal null these are true or false.
 */
export function truthBy(tree: Tree): TruthOf {
  switch (tree.op) {
    case 'not': {
      const truth = truthBy(tree.of);
      return (self, facts) => {
        const of = truth(self, facts);
        return typeof of === 'boolean' ? !of : of;
      };
    }
    case 'and':
    case 'or':
      return joined(tree);
    case 'named':
      return tree.args.length > 0 || tree.type.kind !== 'bool' || reachesMe(tree) ? atom(tree) : named(tree);
    default:
      return atom(tree);
  }
}

function joined({ op, left, right }: TreeOf<'and' | 'or'>): TruthOf {
  const [one, other] = [truthBy(left), truthBy(right)];
  const decisive = op === 'or';
  return (self, facts) => {
    // Both sides are asked, so that all that they look at is read together.
    const sides = [one(self, facts), other(self, facts)];
    if (sides.includes(decisive)) return decisive;
    if (sides.includes(notKnown)) return notKnown;
    return sides.includes('undecided') ? 'undecided' : !decisive;
  };
}

function named({ of, formula }: TreeOf<'named'>): TruthOf {
  const truth = truthBy(formula.tree());
  return (self, facts) => {
    const { value } = evaluate(of, self, facts);
    if (value === notKnown) return notKnown;
    return isRecord(value) ? truth(value, facts) : false;
  };
}

function atom(tree: Tree): TruthOf {
  const sides = sidesOf(tree);
  return (self, facts) => {
    const values = sides.map((side) => evaluate(side, self, facts).value);
    const { value } = evaluate(tree, self, facts);
    if (values.includes(null)) return 'undecided';
    return values.includes(notKnown) || value === notKnown ? notKnown : value === true;
  };
}

/** What a part looks at of the acting member: `actor`, and paths of `me` as far as they go. */
function sidesOf(tree: Tree): readonly Tree[] {
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

/** Facts that are read as they are asked for. */
interface Reading extends Facts {
  known<T>(give: () => T | Unknown): Promise<T>;
}

/** What of records is asked while they are judged. */
export interface Asking {
  truth(condition: RoleCondition, self: RecordValue): Truth;
  /** What a part of a condition gives. */
  value(part: Tree, self: RecordValue): Known;
}

/** Judges by the truth of conditions. All of them are asked before anything is read, so that it is read together. */
export function judgedBy<T>(facts: Reading, judge: (asking: Asking) => T): Promise<T> {
  return facts.known(() => {
    let isKnown = true;
    const orLater = <V>(found: V | Unknown, meanwhile: V): V => {
      if (found !== notKnown) return found;
      isKnown = false;
      return meanwhile;
    };
    const judged = judge({
      truth: (condition, self) => orLater<Truth>(condition.truth(self, facts), 'undecided'),
      value: (part, self) => orLater<Known>(evaluate(part, self, facts).value, null),
    });
    return isKnown ? judged : notKnown;
  });
}
