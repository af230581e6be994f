// The catalogue of named rules: what `derived`, `rules` and `computed` of a descriptor can use.
import type { RuleSignature } from '../registry/model/model.ts';
import { contains } from './contains.ts';
import { fullName } from './full-name.ts';
import { levels } from './levels.ts';
import { modified } from './modified.ts';
import { nextPlace } from './next-place.ts';
import { noCircle } from './no-circle.ts';
import { oneDefault } from './one-default.ts';
import { range } from './range.ts';
import { require } from './require/require.ts';
import { requireInInner, requireInItems, requireOfEach } from './require/require-in-items.ts';
import { sequence } from './sequence.ts';
import { slug } from './slug.ts';
import { sorted } from './sorted.ts';
import type { Rule } from './support/rule.ts';
import { unitPriced } from './unit-priced.ts';

/** Every rule by the name that descriptors use. */
export const rules = {
  contains,
  fullName,
  levels,
  modified,
  nextPlace,
  noCircle,
  oneDefault,
  range,
  require,
  requireInInner,
  requireInItems,
  requireOfEach,
  sequence,
  slug,
  sorted,
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
  if (taken.length > 0) throw new Error(`the catalogue already has rules called ${taken.join(', ')}`);
  return Object.freeze({ ...rules, ...own });
}
