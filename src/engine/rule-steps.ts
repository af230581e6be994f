// The steps of a write at which rules act, each for the rules that the write concerns.
import { guardsOf } from '../behaviours/collection-guards.ts';
import { type Effects, type Foreseen, type Guarded, isLocalUse, type Moment, type Rule } from '../behaviours/rule.ts';
import { problems } from '../problems.ts';
import type { ConflictKind, RuleUse } from '../registry/model.ts';
import { nameInFull } from './change.ts';
import type { Draft } from './draft.ts';
import { guardedForFigures } from './figure-guards.ts';
import type { JudgingStep } from './groups.ts';
import { heldForLocks } from './lock-holds.ts';
import { sameValue } from './same-value.ts';

/** Guards what the rules of this write compare, all at once. @returns whether anything was not guarded or held before */
export function guardCompared(draft: Draft): boolean {
  const guarded = draft.group.guards.flatMap(({ rule, use, key, guard }) =>
    key !== '' || isConcerned(draft, rule, use) ? guard(momentOf(draft, use, key)) : [],
  );
  const isNew = draft.scope.guard(...guarded, ...guardedForFigures(draft), ...guardedForEffects(draft));
  return draft.scope.hold(...heldForLocks(draft)) || isNew;
}

/** Several at once that make what is missing would each find none, and each make one. */
const guardedForEffects = (draft: Draft): readonly Guarded[] =>
  draft.group.resource.effects.flatMap((effect) =>
    effect.kind === 'make' && effect.when !== undefined && effect.on.has(draft.operation)
      ? guardsOf(effect.when, { ...writeOf(draft), of: effect.group })
      : [],
  );

/**
 * Runs one step of every rule that this write concerns, in the order of the descriptor; or of the local ones alone. What
 * hangs on what the write does elsewhere is run when all of that is done.
 */
export async function runRules(
  draft: Draft,
  step: JudgingStep,
  which: 'every' | 'local' | 'final' = 'every',
): Promise<void> {
  for (const { rule, use, act, isFinal, looksAtFigures } of draft.group.acts[step]) {
    if (which === 'local' && (looksAtFigures || !isLocalUse(rule, use))) continue;
    if (draft.operation !== 'delete' && isFinal !== (which === 'final')) continue;
    if (isConcerned(draft, rule, use)) await act(momentOf(draft, use));
  }
}

/** The formulas that the rules of this write will evaluate. */
export const foreseenByRules = (draft: Draft): readonly Foreseen[] =>
  draft.group.foreseeing.flatMap(({ rule, use, foresee }) =>
    isConcerned(draft, rule, use) ? foresee(momentOf(draft, use)) : [],
  );

/** Whether something is judged only when all is done that this write does elsewhere. */
export const hasFinalRules = ({ group, operation }: Draft): boolean =>
  operation !== 'delete' && [...group.acts.check, ...group.acts.last].some(({ isFinal }) => isFinal);

/** Judges what hangs on what a write has done elsewhere. @throws Problem */
export async function judgeFinally(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) {
    const name = { group: draft.group.resource.name, id: String(draft.values['id']) };
    Object.assign(draft.values, draft.scope.wantedOf(name)?.after);
    await runRules(draft, 'check', 'final');
    draft.conclude();
  }
  for (const draft of drafts) await runRules(draft, 'last', 'final');
}

/** Lets every rule that this write concerns act on other records. */
export async function affectOthers(draft: Draft): Promise<void> {
  const { scope, group, values } = draft;
  const of = { group: group.resource.name, id: String(values['id']) };
  for (const { rule, use, act } of group.effects) {
    if (!isConcerned(draft, rule, use)) continue;
    // The keys of the database judge the record itself before.
    await scope.flush();
    const effects: Effects = scope.effectsOf(scope, { rule: use.use, of });
    await act({ ...momentOf(draft, use), effects });
  }
}

function isConcerned({ operation, group, before, values, sent }: Draft, rule: Rule, use: RuleUse): boolean {
  if (rule.on?.includes(operation) === false) return false;
  if (operation !== 'update' || rule.looksAt === undefined) return true;
  // What a rule before has changed counts as well.
  return rule.looksAt(use, group.resource).some((key) => sent.has(key) || !sameValue(before?.[key], values[key]));
}

/** @param key That of the field which the use derives, when it stands on one. */
export const momentOf = (draft: Draft, use: RuleUse, key = ''): Moment => ({
  ...writeOf(draft),
  use,
  key,
  conflict: (kind, about) => conflict(draft, use, { kind, about }),
});

/** What all that judges and computes is handed of a write. */
export const writeOf = (draft: Draft): Omit<Moment, 'use' | 'key' | 'conflict'> => {
  const { scope, group, operation, before, values, sent, isCascade } = draft;
  return {
    resource: group.resource,
    operation,
    before,
    values,
    sent,
    actingMember: scope.actingMember,
    today: () => scope.today(),
    records: scope.records,
    refuse: (place, text) => draft.refuse(place, text),
    isSound: (...keys) => draft.isSound(...keys),
    isCascade,
    isLeaving: (group, id) => scope.leaving.has(nameInFull({ group, id })),
  };
};

interface Conflict {
  readonly kind: ConflictKind;
  /** The group that it is about; this record's own without it. */
  readonly about: string | undefined;
}

/** The document shows the conflicts that rules name, so that they answer with no others. */
function conflict({ scope, group, operation, isCascade }: Draft, use: RuleUse, { kind, about }: Conflict): never {
  const write = isCascade ? 'cascade' : operation;
  if (use.conflicts[write] !== kind || (use.conflictsAbout === 'own') !== (about === undefined))
    throw new Error(`rule ${use.use} does not name the conflict ${kind} on ${write}`);
  const resource = about === undefined ? group.resource : scope.records.resource(about);
  throw problems[kind](resource.title);
}
