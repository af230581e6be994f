// The catalogue of named rules: what `derived`, `rules` and `computed` of a descriptor can use.
import type { RuleSignature } from '../registry/model.ts';
import { actingMemberIn } from './acting-member-in.ts';
import { assignedOnly } from './assigned-only.ts';
import { contains } from './contains.ts';
import { copyFrom } from './copy-from.ts';
import { copyRecord } from './copy-record.ts';
import { coveredBy } from './covered-by.ts';
import { dateEntered } from './date-entered.ts';
import { exchangeRates } from './exchange-rates.ts';
import { firstOfMonth } from './first-of-month.ts';
import { fullName } from './full-name.ts';
import { gathers } from './gathers.ts';
import { inEffect } from './in-effect.ts';
import { itemsBelong } from './items-belong.ts';
import { keptFrom } from './kept-from.ts';
import { lastActor } from './last-actor.ts';
import { levels } from './levels.ts';
import { limitedBy } from './limited-by.ts';
import { lockedOnceUsed } from './locked-once-used.ts';
import { makesAlong } from './makes-along.ts';
import { makesMissing } from './makes-missing.ts';
import { modified } from './modified.ts';
import { namedInItems } from './named-in-items.ts';
import { nextPlace } from './next-place.ts';
import { noCircle } from './no-circle.ts';
import { oneDefault } from './one-default.ts';
import { onlyItem } from './only-item.ts';
import { onlyWhenOther } from './only-when-other.ts';
import { partsShown } from './parts-shown.ts';
import { periodChain } from './period-chain.ts';
import { range } from './range.ts';
import { rateCardChain } from './rate-card-chain.ts';
import { rederives } from './rederives.ts';
import { require } from './require.ts';
import { requireInInner, requireInItems } from './require-in-items.ts';
import { requireOneOf } from './require-one-of.ts';
import { requireRecord } from './require-record.ts';
import { requiredWhenOther } from './required-when-other.ts';
import { resetWhen } from './reset-when.ts';
import type { Rule } from './rule.ts';
import { sequence } from './sequence.ts';
import { slug } from './slug.ts';
import { sorted } from './sorted.ts';
import { sumsUp } from './sums-up.ts';
import { takesItemsAlong } from './takes-items-along.ts';
import { tally } from './tally.ts';
import { typedInside } from './typed-inside.ts';
import { unitPriced } from './unit-priced.ts';

/** Every rule by the name that descriptors use. */
export const rules = {
  actingMemberIn,
  assignedOnly,
  contains,
  copyFrom,
  copyRecord,
  coveredBy,
  dateEntered,
  exchangeRates,
  firstOfMonth,
  fullName,
  gathers,
  inEffect,
  itemsBelong,
  keptFrom,
  lastActor,
  levels,
  limitedBy,
  lockedOnceUsed,
  makesAlong,
  makesMissing,
  modified,
  namedInItems,
  nextPlace,
  noCircle,
  oneDefault,
  onlyItem,
  onlyWhenOther,
  partsShown,
  periodChain,
  range,
  rateCardChain,
  rederives,
  require,
  requiredWhenOther,
  requireInInner,
  requireInItems,
  requireOneOf,
  requireRecord,
  resetWhen,
  sequence,
  slug,
  sorted,
  sumsUp,
  takesItemsAlong,
  tally,
  typedInside,
  unitPriced,
} as const satisfies Record<string, Rule & { readonly says: string }>;

/** What the registry checks uses against. */
export const ruleSignatures: Readonly<Record<string, RuleSignature>> = Object.freeze({ ...rules });

/**
 * The catalogue with an application's own rules.
 * @throws Error when one of them has a name that the catalogue uses.
 */
export function rulesWith(own: Readonly<Record<string, Rule>>): Readonly<Record<string, Rule>> {
  const taken = Object.keys(own).filter((name) => Object.hasOwn(rules, name));
  if (taken.length > 0) throw new Error(`the catalogue has rules of its own called ${taken.join(', ')}`);
  return Object.freeze({ ...rules, ...own });
}
