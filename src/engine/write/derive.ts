// Computes what follows from the rest of a record: derivations of rules and figures, in order of dependency.
import type { Draft } from '../draft/draft.ts';
import { momentOf } from '../draft/moment.ts';
import { computeFigure } from '../figures/compute-figure.ts';
import { runRules } from '../rules/rule-steps.ts';

/** Computes the derived fields in the order of what they look at, then what the rules derive. */
export async function deriveFields(draft: Draft): Promise<void> {
  for (const derivation of draft.group.derivations) {
    const derived =
      'derive' in derivation
        ? derivation.derive(momentOf(draft, derivation.use, derivation.key))
        : computeFigure(draft, derivation.figure);
    if (derived instanceof Promise) await derived;
  }
  await runRules(draft, 'derive');
}
