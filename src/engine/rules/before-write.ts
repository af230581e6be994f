// What conditions and effects ask of the time before a write is found out while nothing of it has changed yet.

import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { PrefetchedFormula } from '../../rules/support/rule.ts';
import { inTurn, type Soon } from '../../values/soon.ts';
import type { Draft } from '../draft/draft.ts';
import { writeOf } from '../draft/moment.ts';
import { formulasOf, partsOf } from './rule-steps.ts';

/** To be called when the record is as it will be, and nothing else has followed from it. */
export function keepBefore(draft: Draft): Soon<void> {
  const asked = [...askedByRules(draft), ...askedByEffects(draft)];
  if (asked.length === 0) return undefined;
  const facts = factsOf({ ...writeOf(draft), results: undefined });
  const self = recordValue(draft.values);
  return inTurn(asked, ({ tree, lists, items }) => facts.evaluateAll(tree, items?.(self) ?? itemsWithin(self, lists)));
}

/** Formulas of the rules that judge this write, and of what they answer. */
function* askedByRules(draft: Draft): Generator<PrefetchedFormula> {
  for (const part of partsOf(draft, 'prefetch')) {
    if (part.befores.length === 0) continue;
    for (const standing of formulasOf(draft, part)) for (const tree of part.befores) yield { ...standing, tree };
  }
}

function* askedByEffects({ group, operation }: Draft): Generator<PrefetchedFormula> {
  for (const { on, trees } of group.effectBefores)
    if (on.has(operation)) for (const tree of trees) yield { tree, lists: [] };
}
