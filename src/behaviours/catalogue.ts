// The catalogue of named rules: what `derived` and `rules` of a descriptor can use.
import type { RuleSignature } from '../registry/model.ts';
import { condition } from './condition.ts';
import { contains } from './contains.ts';
import { copyFrom } from './copy-from.ts';
import { dateSince } from './date-since.ts';
import { dueDate } from './due-date.ts';
import { firstOfMonth } from './first-of-month.ts';
import { fullName } from './full-name.ts';
import { inEffect } from './in-effect.ts';
import { invoiceLines } from './invoice-lines.ts';
import { invoiceSettings } from './invoice-settings.ts';
import { invoiceTotals } from './invoice-totals.ts';
import { itemsBelong } from './items-belong.ts';
import { joined } from './joined.ts';
import { lockedOnceUsed } from './locked-once-used.ts';
import { makesAlong } from './makes-along.ts';
import { modified } from './modified.ts';
import { noCircle } from './no-circle.ts';
import { oneDefault } from './one-default.ts';
import { onlyWhenOther } from './only-when-other.ts';
import { periodChain } from './period-chain.ts';
import { range } from './range.ts';
import { rateCardChain } from './rate-card-chain.ts';
import { require } from './require.ts';
import { requireOneOf } from './require-one-of.ts';
import { resetWhen } from './reset-when.ts';
import type { Rule } from './rule.ts';
import { sequence } from './sequence.ts';
import { settlement } from './settlement.ts';
import { slug } from './slug.ts';
import { sorted } from './sorted.ts';
import { sum } from './sum.ts';
import { sumInside } from './sum-inside.ts';
import { takesItemsAlong } from './takes-items-along.ts';
import { together } from './together.ts';

/** Every rule by the name that descriptors use. */
export const rules = {
  condition,
  contains,
  copyFrom,
  dateSince,
  dueDate,
  firstOfMonth,
  fullName,
  inEffect,
  invoiceLines,
  invoiceSettings,
  invoiceTotals,
  itemsBelong,
  joined,
  lockedOnceUsed,
  makesAlong,
  modified,
  noCircle,
  oneDefault,
  onlyWhenOther,
  periodChain,
  range,
  rateCardChain,
  require,
  requireOneOf,
  resetWhen,
  sequence,
  settlement,
  slug,
  sorted,
  sum,
  sumInside,
  takesItemsAlong,
  together,
} as const satisfies Record<string, Rule>;

/** What the registry checks uses against. */
export const ruleSignatures: Readonly<Record<string, RuleSignature>> = Object.freeze({ ...rules });
