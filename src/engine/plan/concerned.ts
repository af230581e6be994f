// What an update calls for, by the keys that it concerns. Bodies of a group send two or three sets of keys in practice, so what looks
// at none of them is sorted out once and not at each write.
import type { RuleStep } from '../../rules/support/rule.ts';
import type { FoundBy } from './lookers.ts';
import type { FigureGuards } from './predicate-locks.ts';
import type { RulePart, RuleParts } from './rule-parts.ts';

/** Further sets of keys of a group are looked through each time. */
const mostSets = 64;

/** What looks at some keys of a record of a group. */
export interface Concerned {
  readonly keys: ReadonlySet<string>;
  /** Parts of rules that every update calls for, or one that concerns these. */
  readonly parts: { readonly [S in RuleStep]: readonly RulePart<S>[] };
  /** How conditions of others look for records by these. */
  readonly foundBy: readonly FoundBy[];
  readonly guardSpots: FigureGuards['spots'];
}

interface ConcernedInput {
  readonly parts: RuleParts;
  readonly foundBy: readonly FoundBy[];
  readonly figureGuards: FigureGuards;
}

/** By the keys, each with a comma behind it, in the order of the fields. */
export type ConcernedBy = (keys: string) => Concerned;

export function concernedBy(known: ConcernedInput): ConcernedBy {
  const made = new Map<string, Concerned>();
  return (text) => {
    const before = made.get(text);
    if (before !== undefined) return before;
    const concerned = Object.freeze(concernedOf(known, new Set(text.split(',').slice(0, -1))));
    if (made.size < mostSets) made.set(text, concerned);
    return concerned;
  };
}

function concernedOf({ parts, foundBy, figureGuards }: ConcernedInput, keys: ReadonlySet<string>): Concerned {
  const meets = (looked: Iterable<string>): boolean => [...looked].some((key) => keys.has(key));
  const of = <S extends RuleStep>(step: S): readonly RulePart<S>[] =>
    parts[step].update.filter(({ looksAt }) => looksAt === undefined || meets(looksAt));
  return {
    keys,
    parts: {
      guard: of('guard'),
      prefetch: of('prefetch'),
      lock: of('lock'),
      fill: of('fill'),
      derive: of('derive'),
      check: of('check'),
      last: of('last'),
      after: of('after'),
    },
    foundBy: foundBy.filter((each) => meets(each.keys)),
    guardSpots: figureGuards.spots.filter((spot) => meets(spot.keys)),
  };
}
