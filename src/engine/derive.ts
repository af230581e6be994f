// What follows from the rest of a record: derivations by name, figures by formula, then what the rules derive.
import type { Draft } from './draft.ts';
import { takeFigure } from './figures.ts';
import { momentOf, runRules } from './rule-steps.ts';

/** Computes the derived fields in the order of what they look at, then what the rules derive. */
export async function deriveFields(draft: Draft): Promise<void> {
  for (const derivation of draft.group.derivations) {
    if ('derive' in derivation) await derivation.derive(momentOf(draft, derivation.use, derivation.key));
    else await takeFigure(draft, derivation.figure);
  }
  await runRules(draft, 'derive');
}
