// Records of other groups that match this one: `match` gives key there → name or key here.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import type { ParameterType } from '../registry/parameters.ts';
import { isRecord } from './record-values.ts';
import { type Guarded, guardedBy, keyOfName, type Moment } from './rule.ts';

/** Fields there, in the group of the argument `group`, and fields here that must be equal to them. */
export const matching = {
  map: { field: 'single', in: 'group' },
  to: { field: 'single', like: '@key' },
} as const satisfies ParameterType;

/** `[key there, key here]` of what must be equal. */
const pairsOf = (use: RuleUse, resource: Resource): (readonly [theirs: string, own: string])[] => {
  const { match } = use.arguments;
  return isRecord(match)
    ? Object.entries(match).map(([theirs, own]) => [theirs, keyOfName(resource, String(own))] as const)
    : [];
};

/** What the fields of such a record equal. Undefined where a value of this record is null, so that none can match. */
export function matchOf({ use, resource }: Moment, values: Readonly<Values>): Values | undefined {
  const pairs = pairsOf(use, resource).map(([theirs, own]) => [theirs, values[own] ?? null] as const);
  return pairs.some(([, value]) => value === null) ? undefined : Object.fromEntries(pairs);
}

/** Such records come and go under the guard of their owner: the first record that this one and they name alike. */
export function guardMatched({ use, resource, values }: Moment): readonly Guarded[] {
  const owned = pairsOf(use, resource).map(([, own]) => guardedBy(resource.byKey.get(own), values));
  return owned.find(({ length }) => length > 0) ?? [];
}
