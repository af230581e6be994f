// The catalogue of named rules: what `derived`, `rules` and `computed` of a descriptor can use.
import type { RuleSignature } from '../registry/model.ts';
import { assignedOnly } from './assigned-only.ts';
import { billsSources } from './bills-sources.ts';
import { contains } from './contains.ts';
import { convertedFrom } from './converted-from.ts';
import { coveredBy } from './covered-by.ts';
import { creditNoteTotals } from './credit-note-totals.ts';
import { dueDate } from './due-date.ts';
import { exchangeRates } from './exchange-rates.ts';
import { fee } from './fee.ts';
import { fullName } from './full-name.ts';
import { gathers } from './gathers.ts';
import { heldByItems } from './held-by-items.ts';
import { inEffect } from './in-effect.ts';
import { invoiceLines } from './invoice-lines.ts';
import { invoiceSettings } from './invoice-settings.ts';
import { invoiceTotals } from './invoice-totals.ts';
import { itemsBelong } from './items-belong.ts';
import { levels } from './levels.ts';
import { limitedBy } from './limited-by.ts';
import { modified } from './modified.ts';
import { nextPlace } from './next-place.ts';
import { noCircle } from './no-circle.ts';
import { oneDefault } from './one-default.ts';
import { onlyItem } from './only-item.ts';
import { onlyWhenOther } from './only-when-other.ts';
import { prepaymentLines } from './prepayment-lines.ts';
import { range } from './range.ts';
import { require } from './require.ts';
import { requireInItems } from './require-in-items.ts';
import { requireRecord } from './require-record.ts';
import { requiredWhenOther } from './required-when-other.ts';
import type { Rule } from './rule.ts';
import { sequence } from './sequence.ts';
import { settlement } from './settlement.ts';
import { slug } from './slug.ts';
import { sorted } from './sorted.ts';
import { sourceDefaults } from './source-defaults.ts';
import { startsIn } from './starts-in.ts';
import { sumsUp } from './sums-up.ts';
import { together } from './together.ts';
import { unitPriced } from './unit-priced.ts';

/** Every rule by the name that descriptors use. */
export const rules = {
  assignedOnly,
  billsSources,
  contains,
  convertedFrom,
  coveredBy,
  creditNoteTotals,
  dueDate,
  exchangeRates,
  fee,
  fullName,
  gathers,
  heldByItems,
  inEffect,
  invoiceLines,
  invoiceSettings,
  invoiceTotals,
  itemsBelong,
  levels,
  limitedBy,
  modified,
  nextPlace,
  noCircle,
  oneDefault,
  onlyItem,
  onlyWhenOther,
  prepaymentLines,
  range,
  require,
  requiredWhenOther,
  requireInItems,
  requireRecord,
  sequence,
  settlement,
  slug,
  sorted,
  sourceDefaults,
  startsIn,
  sumsUp,
  together,
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
