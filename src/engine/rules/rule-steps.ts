// Runs the steps of rules in a write, each for the rules that the write concerns; some are deferred to the end of the write.

import type { ReadFacts } from '../../facts/read-facts.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { Memo } from '../../formulas/evaluate/memo.ts';
import type { RuleUse } from '../../registry/model/model.ts';
import type { Effects, Guarded, PlannedCondition, PrefetchedFormula, RuleStep } from '../../rules/support/rule.ts';
import type { Watching } from '../../rules/support/watching.ts';
import { inTurn, type Soon, soon } from '../../values/soon.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import { guardedForFigures } from '../draft/locks-for-figures.ts';
import { holdForLookers, wantForLookers } from '../draft/locks-for-lookers.ts';
import { momentOf, writeOf } from '../draft/moment.ts';
import { isLocalCondition } from '../plan/judged.ts';
import type { Deferral, RulePart } from '../plan/rule-parts.ts';
import type { DeferredChecks } from '../transaction/scope.ts';

/**
 * Wants what these writes lock as far as it is known by now: what their rules compare, what figures over other records hang on, and
 * what those look for records by who look for these. What their conditions look at is wanted when they do.
 * @returns whether figures, or rules, hang on what was not locked before
 */
export function wantLocks(drafts: readonly Draft[]): boolean {
  const [only] = drafts;
  if (drafts.length === 1 && only?.hasSameLocks() === true) return false;
  for (const draft of drafts) wantForLookers(draft);
  return drafts[0]?.scope.guard(...drafts.flatMap(guardedBy)) === true;
}

const guardedBy = (draft: Draft): readonly Guarded[] => [
  ...partsOf(draft, 'guard').flatMap(({ act, use, key }) => act(momentOf(draft, use, key))),
  ...guardedForFigures(draft),
];

/** Takes what is to be held until the end, when all is judged that these writes look at before they are made. */
export function holdToTheEnd(drafts: readonly Draft[]): void {
  for (const draft of drafts) holdForLookers(draft);
  drafts[0]?.scope.takeLocks();
}

/** The steps at which rules judge and complete a record. */
type JudgingStep = 'lock' | 'fill' | 'derive' | 'check' | 'last';

/**
 * Runs one step of every rule that this write concerns, in the order of the descriptor; or of the local ones alone. What
 * hangs on what the write does elsewhere is run when all of that is done.
 */
export function runRules(draft: Draft, step: JudgingStep, which: 'every' | 'local' | 'deferred' = 'every'): Soon<void> {
  const isJudging = step === 'check' || step === 'last';
  const { watching } = draft.scope;
  if (isJudging && watching !== undefined) return runWatched(draft, { step, which, watching });
  const parts: readonly RulePart<JudgingStep>[] = isJudging
    ? partsOf(draft, step)
    : draft.group.parts[step][draft.operation];
  if (parts.length === 0) return undefined;
  // Whoever judges changes nothing.
  const facts = factsOf({ ...writeOf(draft), memo: isJudging ? new Memo() : undefined });
  const run = (some: typeof parts): Soon<void> =>
    inTurn(some, (part) => (isDue(draft, part, { isJudging, which }) ? runPart(draft, part, facts) : undefined));
  if (!isJudging || which === 'local' || draft.isDoubtful) return run(parts);
  const { wanted, others } = judgedIn(draft, parts, which);
  const areHeld = facts.holdAll(draft.group.conditions, wanted, writeOf(draft).self);
  return soon(areHeld, (areSo) => run(areSo ? others : parts));
}

interface Judged {
  /** Places of the conditions. */
  readonly wanted: boolean[];
  /** Parts without a condition. */
  readonly others: readonly RulePart<JudgingStep>[];
}

/** What these parts judge now. Most conditions hold: only where one does not, they are gone through part by part. */
function judgedIn(draft: Draft, parts: readonly RulePart<JudgingStep>[], which: 'every' | 'deferred'): Judged {
  const write = writeOf(draft);
  const { isRestored } = draft;
  const deferral = deferralOf(draft);
  const wanted: boolean[] = [];
  const others: RulePart<JudgingStep>[] = [];
  for (const part of parts) {
    const { condition } = part;
    if (condition === undefined) others.push(part);
    else if ((isRestored || part[deferral]) === (which === 'deferred') && isCalled(draft, part))
      wanted[condition.place] = condition.isAsked(write);
  }
  return { wanted, others };
}

/** Whether it is the turn of a part. */
function isDue(
  draft: Draft,
  part: RulePart<JudgingStep>,
  { isJudging, which }: { readonly isJudging: boolean; readonly which: 'every' | 'local' | 'deferred' },
): boolean {
  if (which === 'local' && (part.looksAtFigures || !part.isLocal)) return false;
  if (!isJudging) return isConcerned(draft, part);
  return (draft.isRestored || part[deferralOf(draft)]) === (which === 'deferred') && isCalled(draft, part);
}

/**
 * Reports whether a field has changed that calls for the part. A sent field with its stored value does not, unless its caller
 * must not learn that it is the stored one.
 */
const isCalled = (draft: Draft, { calledBy, isCalledBySent }: RulePart<JudgingStep>): boolean =>
  calledBy === undefined ||
  calledBy.some((key) => {
    const isSentAlike = draft.sent.has(key) && (isCalledBySent || draft.scope.judge?.hides(key) === true);
    return isSentAlike || !sameValue(draft.before?.[key], draft.values[key]);
  });

function runPart(draft: Draft, { use, act, condition }: RulePart<JudgingStep>, facts: ReadFacts): Soon<void> {
  const broken = condition === undefined || isBroken(draft, condition, facts);
  if (broken === false) return undefined;
  return soon(broken, (isSo) => (isSo ? act({ ...momentOf(draft, use), facts }) : undefined));
}

interface WatchedStep {
  readonly step: 'check' | 'last';
  readonly which: 'every' | 'local' | 'deferred';
  readonly watching: Watching;
}

/** The same where somebody looks on. */
async function runWatched(draft: Draft, { step, which, watching }: WatchedStep): Promise<void> {
  if (step === 'check') await watching.judging(draft);
  const facts = factsOf({ ...writeOf(draft), memo: new Memo() });
  for (const part of partsOf(draft, step))
    if (isDue(draft, part, { isJudging: true, which }))
      await watched({ draft, use: part.use, watching }, () => runPart(draft, part, facts));
}

/** Whether a condition is judged and does not hold. */
function isBroken(draft: Draft, { isAsked, sound, tree }: PlannedCondition, facts: ReadFacts): Soon<boolean> {
  const write = writeOf(draft);
  if (!isAsked(write) || !draft.isSound(...sound)) return false;
  return soon(facts.evaluate(tree, write.self), ({ value, throughNull }) => value !== true && !throughNull);
}

interface Watched {
  readonly draft: Draft;
  readonly use: RuleUse;
  readonly watching: Watching;
}

/** Judges, and tells who looks on what has come of it. */
async function watched({ draft, use, watching }: Watched, judge: () => unknown): Promise<void> {
  const { faults } = draft;
  const count = faults.first.length;
  let isRefused = true;
  try {
    await judge();
    isRefused = faults.first.length > count;
  } finally {
    await watching.judged(draft, use, isRefused);
  }
}

/** What the rules of this write will evaluate: places of conditions, but for those on nothing but the record, and other formulas. */
export function evaluatedByRules(draft: Draft): {
  readonly wanted: boolean[];
  readonly formulas: readonly PrefetchedFormula[];
} {
  const write = writeOf(draft);
  const wanted: boolean[] = [];
  const formulas: PrefetchedFormula[] = [];
  for (const { act, condition, use } of partsOf(draft, 'prefetch'))
    if (condition === undefined) formulas.push(...act(momentOf(draft, use)).filter((each) => !isLocalCondition(each)));
    else if (!condition.isOfRecord) wanted[condition.place] = condition.isAsked(write);
  return { wanted, formulas };
}

/** Those of one use. */
export function formulasOf(draft: Draft, { act, condition, use }: RulePart<'prefetch'>): readonly PrefetchedFormula[] {
  if (condition === undefined) return act(momentOf(draft, use));
  return condition.isAsked(writeOf(draft)) ? [{ tree: condition.tree, lists: [] }] : [];
}

/** Whether something is judged only when all is done that this write does elsewhere: of what comes back, all, for it comes one by one. */
export const hasDeferredChecks = (draft: Draft): boolean =>
  draft.isRestored || draft.group.deferrals[draft.operation][deferralOf(draft)];

const deferralOf = ({ isCascade, isEffect }: Draft): keyof Deferral =>
  isCascade ? 'isDeferredInCascade' : isEffect ? 'isDeferredInEffect' : 'isDeferred';

/** What of a record hangs on what the write does elsewhere. */
export const deferredChecks = (draft: Draft): DeferredChecks => ({
  check: async () => {
    const name = { group: draft.group.resource.name, id: String(draft.values['id']) };
    Object.assign(draft.values, draft.scope.wantedOf(name)?.after);
    await runRules(draft, 'check', 'deferred');
    draft.conclude();
  },
  conflicts: () => runRules(draft, 'last', 'deferred'),
});

/** Judges what hangs on what a write has done elsewhere. @throws Problem */
export async function runDeferredChecks(deferred: readonly DeferredChecks[]): Promise<void> {
  for (const { check } of deferred) await check();
  for (const { conflicts } of deferred) await conflicts();
}

/** Lets every rule that this write concerns act on other records. */
export function affectOthers(draft: Draft): Soon<void> {
  const parts = draft.group.parts.after[draft.operation];
  return parts.length === 0 ? undefined : affectBy(draft, parts);
}

async function affectBy(draft: Draft, parts: readonly RulePart<'after'>[]): Promise<void> {
  const { scope, group, values } = draft;
  const of = { group: group.resource.name, id: String(values['id']) };
  for (const part of parts) {
    if (!isConcerned(draft, part)) continue;
    const { use, act } = part;
    // The keys of the database judge the record itself before.
    await scope.flush();
    const effects: Effects = scope.effectsOf(scope, { rule: use.use, of });
    await act({ ...momentOf(draft, use), effects });
  }
}

/** Those of one step that a write concerns. */
export const partsOf = <S extends RuleStep>(draft: Draft, step: S): readonly RulePart<S>[] =>
  draft.operation === 'update' ? draft.concerned.parts[step] : draft.group.parts[step][draft.operation];

/** What a rule before has changed counts as well. */
const isConcerned = ({ before, values, sent }: Draft, { looksAt }: Pick<RulePart<RuleStep>, 'looksAt'>): boolean =>
  looksAt === undefined || looksAt.some((key) => sent.has(key) || !sameValue(before?.[key], values[key]));
