// Judges one operation on one record by rules, when the truth of their conditions is known.
import { type AccessOperation, type Rule, shows, writes } from './model.ts';
import type { Grants } from './rights.ts';
import type { RoleCondition, Truth } from './truth.ts';

/** The record of a write as it is stored, or as it will be. */
type State = 'stored' | 'new';

export interface Case {
  readonly operation: AccessOperation;
  /** Keys of the fields that are sent and differ from the stored ones; of a create all that are sent. */
  readonly changed: readonly string[];
  /** Whether it is known what a write will leave; where it is not, every `after` counts as holding. */
  readonly knowsNew: boolean;
  /** Whether a condition holds of a state. */
  truth(condition: RoleCondition, of: State): Truth;
}

export interface Verdict {
  readonly isAllowed: boolean;
  /** The rules that allow it. */
  readonly by: readonly Rule[];
  readonly forbiddenBy: readonly Rule[];
  /** Keys of changed fields that no rule which holds lets write. */
  readonly uncovered: readonly string[];
}

const refused: Verdict = { isAllowed: false, by: [], forbiddenBy: [], uncovered: [] };

/**
 * What each set of rules says; all of them must allow it.
 * @param grants Undefined: nothing grants it. None: everything is granted.
 */
export const verdictsOf = (grants: readonly Grants[] | undefined, asked: Case): readonly Verdict[] =>
  grants === undefined ? [refused] : grants.map((one) => verdictOfSet(one, asked));

/** All of them as one. */
export function verdictOf(grants: readonly Grants[] | undefined, asked: Case): Verdict {
  const verdicts = verdictsOf(grants, asked);
  return {
    isAllowed: areAllowed(verdicts),
    by: verdicts.flatMap(({ by }) => by),
    forbiddenBy: verdicts.flatMap(({ forbiddenBy }) => forbiddenBy),
    uncovered: [...new Set(verdicts.flatMap(({ uncovered }) => uncovered))],
  };
}

export const areAllowed = (verdicts: readonly Verdict[]): boolean => verdicts.every(({ isAllowed }) => isAllowed);

/** Whether the rules that allow it show a field. */
export const areShowing = (verdicts: readonly Verdict[], name: string): boolean =>
  verdicts.every(({ by }) => by.some((rule) => shows(rule, name)));

function verdictOfSet({ allows, forbids }: Grants, asked: Case): Verdict {
  const by = allows.filter((rule) => allowHolds(rule, asked));
  const forbiddenBy = forbids.filter((rule) => forbidHolds(rule, asked));
  const uncovered = asked.changed.filter((key) => !by.some((rule) => writes(rule, key)));
  return { isAllowed: by.length > 0 && forbiddenBy.length === 0 && uncovered.length === 0, by, forbiddenBy, uncovered };
}

/** Where an operation finds the record that `when` is about. */
const stateOf = ({ operation }: Case): State => (operation === 'create' ? 'new' : 'stored');

/** Of an update the new state is judged too: by `after`, or by `when` where the rule has none. */
function allowHolds({ when, after }: Rule, asked: Case): boolean {
  if (when !== undefined && asked.truth(when, stateOf(asked)) !== true) return false;
  if (!asked.knowsNew) return true;
  if (after !== undefined) return asked.truth(after, 'new') === true;
  return when === undefined || asked.operation !== 'update' || asked.truth(when, 'new') === true;
}

/** Without `after` it holds where its `when` holds of either state: nobody leaves it, or enters it, by the same write. */
function forbidHolds({ when, after }: Rule, asked: Case): boolean {
  const holds = (condition: RoleCondition, of: State): boolean => asked.truth(condition, of) !== false;
  const isAfter = after === undefined || !asked.knowsNew || holds(after, 'new');
  if (when === undefined) return isAfter;
  if (holds(when, stateOf(asked))) return isAfter;
  return after === undefined && asked.operation === 'update' && asked.knowsNew && holds(when, 'new');
}
