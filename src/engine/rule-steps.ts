// The steps of a write at which rules act, each for the rules that the write concerns.
import type { Effects, Foreseen, Guarded, Moment, RuleStep } from '../behaviours/rule.ts';
import { recordValue } from '../formulas/evaluate/facts.ts';
import { Memo } from '../formulas/evaluate/memo.ts';
import { problems } from '../problems.ts';
import type { ConflictKind, RuleUse } from '../registry/model.ts';
import { nameInFull } from './change.ts';
import type { Draft } from './draft.ts';
import { guardedForFigures } from './plan/figure-locks.ts';
import { holdForLookers, wantForLookers } from './plan/found-by.ts';
import { keepingOf } from './plan/keeping.ts';
import type { RulePart } from './rule-parts.ts';
import { sameValue } from './same-value.ts';

/**
 * Wants what these writes lock as far as it is known by now: what their rules compare, what figures over other records hang on, and
 * what those look for records by who look for these. What their conditions look at is wanted when they do.
 * @returns whether figures, or rules, hang on what was not locked before
 */
export function wantLocks(drafts: readonly Draft[]): boolean {
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
export async function runRules(
  draft: Draft,
  step: JudgingStep,
  which: 'every' | 'local' | 'final' = 'every',
): Promise<void> {
  const isJudging = step === 'check' || step === 'last';
  // Whoever judges changes nothing.
  const memo = isJudging ? new Memo() : undefined;
  for (const part of draft.group.parts[step][draft.operation]) {
    const { use, act, isLocal, looksAtFigures } = part;
    if (which === 'local' && (looksAtFigures || !isLocal)) continue;
    if (isJudging && isFinalFor(draft, part) !== (which === 'final')) continue;
    if (isConcerned(draft, part)) await act({ ...momentOf(draft, use), memo });
  }
}

/** The formulas that the rules of this write will evaluate. */
export const foreseenByRules = (draft: Draft): readonly Foreseen[] =>
  partsOf(draft, 'foresee').flatMap(({ act, use }) => act(momentOf(draft, use)));

/** Whether something is judged only when all is done that this write does elsewhere. */
export const hasFinalRules = (draft: Draft): boolean => {
  const { check, last } = draft.group.parts;
  return [...check[draft.operation], ...last[draft.operation]].some((part) => isFinalFor(draft, part));
};

const isFinalFor = (
  { isCascade, isEffect }: Draft,
  part: Pick<RulePart<RuleStep>, 'isFinal' | 'isFinalAlong' | 'isFinalByEffect'>,
): boolean => (isCascade ? part.isFinalAlong : isEffect ? part.isFinalByEffect : part.isFinal);

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
  for (const part of group.parts.after[draft.operation]) {
    if (!isConcerned(draft, part)) continue;
    const { use, act } = part;
    // The keys of the database judge the record itself before.
    await scope.flush();
    const effects: Effects = scope.effectsOf(scope, { rule: use.use, of });
    await act({ ...momentOf(draft, use), effects });
  }
}

/** Those of one step that a write concerns. */
const partsOf = <S extends RuleStep>(draft: Draft, step: S): readonly RulePart<S>[] =>
  draft.group.parts[step][draft.operation].filter((part) => isConcerned(draft, part));

/** What a rule before has changed counts as well. */
const isConcerned = ({ before, values, sent }: Draft, { looksAt }: Pick<RulePart<RuleStep>, 'looksAt'>): boolean =>
  looksAt === undefined || looksAt.some((key) => sent.has(key) || !sameValue(before?.[key], values[key]));

/** @param key That of the field which the use derives, when it stands on one. */
export const momentOf = (draft: Draft, use: RuleUse, key = ''): Moment => ({
  ...writeOf(draft),
  use,
  key,
  conflict: (kind, about) => conflict(draft, use, { kind, about }),
});

type Write = Omit<Moment, 'use' | 'key' | 'conflict'>;
const writes = new WeakMap<Draft, Write>();

/** What all that judges and computes is handed of a write. */
export function writeOf(draft: Draft): Write {
  const known = writes.get(draft) ?? newWrite(draft);
  writes.set(draft, known);
  return known;
}

function newWrite(draft: Draft): Write {
  const { scope, group, operation, before, values, sent, isCascade } = draft;
  return {
    resource: group.resource,
    operation,
    before,
    values,
    self: recordValue(values),
    sent,
    actingMember: scope.actingMember,
    today: () => scope.today(),
    records: scope.records,
    refuse: (place, text) => draft.refuse(place, text),
    isSound: (...keys) => draft.isSound(...keys),
    isCascade,
    keeping: keepingOf(draft),
    isLeaving: (group, id) => scope.leaving.size > 0 && scope.leaving.has(nameInFull({ group, id })),
    leavingOf: (group) => scope.leavingOf(group),
  };
}

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
