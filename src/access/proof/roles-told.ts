// Roles as readers of the OpenAPI document are told of them: names to anybody, rules with their conditions to who may ask for others.

import { conditionWords } from '../../formulas/words/words.ts';
import type { Condition } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { accessOperations, type Role, type Rule } from '../model.ts';

/** A condition as it is written, and in words. */
interface ConditionTold {
  readonly formula: string;
  readonly words: string;
}

interface RuleTold extends Pick<Rule, 'id' | 'effect'> {
  readonly on: readonly string[];
  readonly to: readonly string[];
  readonly when?: ConditionTold;
  readonly after?: ConditionTold;
  readonly fields?: Rule['fields'];
  readonly names?: 'all';
  readonly because?: string;
}

export interface RoleTold extends Pick<Role, 'name' | 'title' | 'description'> {
  readonly heldBy?: ConditionTold | null;
  readonly may?: readonly string[];
  /** Those of the roles that it includes among them. */
  readonly rules?: readonly RuleTold[];
}

/** @param isWhole Whether conditions are told. */
export function roleTold(role: Role, isWhole: boolean): RoleTold {
  const { name, title, description, heldBy, may, rules } = role;
  if (!isWhole) return { name, title, description };
  const byId = Map.groupBy(rules, ({ id }) => id);
  return {
    ...{ name, title, description },
    heldBy: heldBy === undefined ? null : conditionTold(heldBy),
    may: [...may],
    rules: [...byId.values()].map((applied) => ruleTold(applied)),
  };
}

/** One rule, as it applies to each of its groups. */
function ruleTold(applied: readonly Rule[]): RuleTold {
  const [rule] = applied;
  if (rule === undefined) unreachable('a rule applies to no group');
  const { id, effect, when, after, fields, because, namesAll } = rule;
  return {
    ...{ id, effect },
    on: applied.map(({ group }) => group),
    to: accessOperations.filter((each) => applied.some(({ operations }) => operations.has(each))),
    ...(when !== undefined && { when: conditionTold(when) }),
    ...(after !== undefined && { after: conditionTold(after) }),
    ...(fields !== undefined && { fields }),
    ...(namesAll && { names: 'all' as const }),
    ...(because !== undefined && { because }),
  };
}

const conditionTold = ({ source }: Condition): ConditionTold => ({
  formula: source,
  words: conditionWords(source)
    .map(({ text }) => text)
    .join(''),
});
