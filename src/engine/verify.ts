// Verifies computed fields: compares every figure that is always true, and every automatic state, with what its formula gives.
import { ReadFacts } from '../facts/read-facts.ts';
import { evaluateGiven } from '../formulas/evaluate/evaluate.ts';
import type { Value, Values } from '../registry/model/model.ts';
import type { RecordName } from './changes/change.ts';
import { copyOf } from './changes/copy-values.ts';
import { sameValue } from './changes/same-value.ts';
import { Draft } from './draft/draft.ts';
import { computeFigures } from './figures/compute-figure.ts';
import { followStates } from './figures/states.ts';
import type { Group } from './plan/groups.ts';
import type { Scope } from './transaction/scope.ts';

/** A value of a record that its formula does not give. */
export interface Difference extends RecordName {
  /** `amountPaid`, `budget.revenue`, `lines[0].amount` */
  readonly place: string;
  readonly kept: Value;
  readonly right: Value;
  /** Why it cannot be put right. */
  readonly stays?: string;
}

/** So many records are looked at together. */
export const verifiedAtOnce = 200;

/** Whether a group keeps anything that can be verified. */
export const isVerifiable = ({ figures, states }: Group): boolean =>
  states.length > 0 || figures.some(({ figure }) => figure.taken === 'always');

/** Computes what is always true of these records from scratch. @param records With their lists. */
export async function differencesIn(
  scope: Scope,
  group: Group,
  records: readonly Readonly<Values>[],
): Promise<readonly Difference[]> {
  const drafts = records.map(
    (before) =>
      new Draft({
        scope,
        group,
        operation: 'update',
        before,
        values: copyOf(before),
        input: { values: {} },
      }),
  );
  const facts = new ReadFacts({ records: scope.records, today: () => scope.today(), evaluator: evaluateGiven });
  for (const figure of group.figures) if (figure.figure.taken === 'always') await computeFigures(drafts, figure, facts);
  const found: Difference[] = [];
  for (const draft of drafts) {
    await followStates(draft, { old: draft.before });
    const name: RecordName = { group: group.resource.name, id: String(draft.values['id']) };
    found.push(...differences(name, draft.before ?? {}, draft.values));
  }
  return found;
}

function differences(name: RecordName, before: Readonly<Values>, after: Readonly<Values>): readonly Difference[] {
  return Object.keys(after).flatMap((key) =>
    within(name, key, { kept: before[key] ?? null, right: after[key] ?? null }),
  );
}

function within(
  name: RecordName,
  place: string,
  { kept, right }: Pick<Difference, 'kept' | 'right'>,
): readonly Difference[] {
  if (sameValue(kept, right)) return [];
  if (typeof kept !== 'object' || typeof right !== 'object' || kept === null || right === null)
    return [{ ...name, place, kept, right }];
  const isList = Array.isArray(kept);
  return [...new Set([...Object.keys(kept), ...Object.keys(right)])].flatMap((key) =>
    within(name, isList ? `${place}[${key}]` : `${place}.${key}`, {
      kept: (kept as Values)[key] ?? null,
      right: (right as Values)[key] ?? null,
    }),
  );
}
