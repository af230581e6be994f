// Computes what follows from the rest of a record: derivations of rules and figures, in order of dependency.
import { inTurn, type Soon, soon } from '../../values/soon.ts';
import type { Draft } from '../draft/draft.ts';
import { momentOf } from '../draft/moment.ts';
import { computeFigure } from '../figures/compute-figure.ts';
import { runRules } from '../rules/rule-steps.ts';

/** Computes the derived fields in the order of what they look at, then what the rules derive. */
export function deriveFields(draft: Draft): Soon<void> {
  const derived = inTurn(draft.group.derivations, (derivation) =>
    'derive' in derivation
      ? derivation.derive(momentOf(draft, derivation.use, derivation.key))
      : computeFigure(draft, derivation.figure),
  );
  return soon(derived, () => runRules(draft, 'derive'));
}
