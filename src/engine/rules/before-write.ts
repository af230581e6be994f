// What conditions and effects ask of the time before a write is found out while nothing of it has changed yet.

import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import { beforesIn } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Effect } from '../../registry/model/model.ts';
import type { PrefetchedFormula } from '../../rules/support/rule.ts';
import type { Draft } from '../draft/draft.ts';
import { writeOf } from '../draft/moment.ts';
import { formulasOf, partsOf } from './rule-steps.ts';

/** To be called when the record is as it will be, and nothing else has followed from it. */
export async function keepBefore(draft: Draft): Promise<void> {
  const asked = [...askedByRules(draft), ...askedByEffects(draft)];
  if (asked.length === 0) return;
  const facts = factsOf({ ...writeOf(draft), results: undefined });
  const self = recordValue(draft.values);
  for (const { tree, lists, items } of asked) await facts.evaluateAll(tree, items?.(self) ?? itemsWithin(self, lists));
}

/** Formulas of the rules that judge this write, and of what they answer. */
function* askedByRules(draft: Draft): Generator<PrefetchedFormula> {
  for (const part of partsOf(draft, 'prefetch')) {
    const { use } = part;
    const texts = Object.values(use.messages).flatMap(({ parts }) => parts);
    const trees = [...Object.values(use.conditions).map(({ tree }) => tree), ...texts];
    const befores = trees.flatMap((tree) => (typeof tree === 'string' ? [] : beforesIn(tree)));
    if (befores.length === 0) continue;
    for (const standing of formulasOf(draft, part)) for (const tree of befores) yield { ...standing, tree };
  }
}

function* askedByEffects({ group, operation }: Draft): Generator<PrefetchedFormula> {
  for (const effect of group.resource.effects) {
    if (!effect.on.has(operation)) continue;
    for (const tree of treesOf(effect).flatMap(beforesIn)) yield { tree, lists: [] };
  }
}

const treesOf = (effect: Effect): readonly Tree[] => [
  ...(effect.when === undefined ? [] : [effect.when.tree]),
  ...(effect.kind === 'make' ? [] : [effect.targets]),
  ...(effect.kind === 'remove' ? [] : effect.settings.map(({ tree }) => tree)),
];
