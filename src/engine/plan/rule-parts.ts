// Which rules take part in which step of which write of a group: decided once, so that a write asks those alone.

import type { WriteOperation } from '../../facts/context.ts';
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import { looksAtReferrers } from '../../formulas/analyse/lookups.ts';
import { Together } from '../../formulas/generate/generate.ts';
import { beforesIn } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Effect, Resource, RuleUse } from '../../registry/model/model.ts';
import {
  isLocalUse,
  type PlannedCondition,
  type PrefetchedFormula,
  type Rule,
  type RuleStep,
  ruleOf,
} from '../../rules/support/rule.ts';
import { isLocalCondition } from './judged.ts';

/** Which writes put off what is judged until all is done that they do elsewhere. */
export interface Deferral {
  /** Whether conditions read what this write may change elsewhere, so that they are judged after all of that. */
  readonly isDeferred: boolean;
  /** The same where the record goes along with another. */
  readonly isDeferredInCascade: boolean;
  /** The same where an effect writes the record, and may write others after it. */
  readonly isDeferredInEffect: boolean;
}

/** The part of one use in one step. */
export interface RulePart<S extends RuleStep> extends Deferral {
  readonly use: RuleUse;
  /** The key of the field that the use derives, where it stands on one. */
  readonly key: string;
  readonly act: NonNullable<Rule[S]>;
  /** What is judged first: where it holds there is nothing to do. */
  readonly condition: JudgedCondition | undefined;
  /** Keys of which an update must send or change one; undefined where every write calls for it. */
  readonly looksAt: readonly string[] | undefined;
  /** The same once all is done: without what may move a figure of the record at which it looks, which then has another value. */
  readonly calledBy: readonly string[] | undefined;
  /** Whether a sent field calls for it also if its value stays. */
  readonly isCalledBySent: boolean;
  /** Whether it looks at nothing but the record itself. */
  readonly isLocal: boolean;
  /** What its conditions, and what it answers, ask of the time before the write. */
  readonly befores: readonly Tree[];
  /** Whether its conditions read figures of the record, so that it is not known before these are taken. */
  readonly looksAtFigures: boolean;
}

interface JudgedCondition extends PlannedCondition {
  /** Its place among the conditions of the group. */
  readonly place: number;
  /** Whether it looks at nothing but the record. */
  readonly isOfRecord: boolean;
}

/** A write, as far as it counts when it is judged. */
export type JudgedWrite = WriteOperation | 'cascade';

type ByOperation<S extends RuleStep> = Readonly<Record<WriteOperation, readonly RulePart<S>[]>>;

/** In the order of the descriptor. */
export type RuleParts = { readonly [S in RuleStep]: ByOperation<S> };

interface PlannedRules {
  readonly parts: RuleParts;
  /** Conditions that are judged by themselves. */
  readonly conditions: Together;
}

interface PartsInput {
  readonly resource: Resource;
  readonly rules: Readonly<Record<string, Rule>>;
  /** Whether any of these reads may change elsewhere with such a write of the group. */
  readonly isDeferred: (reads: readonly Read[], write: JudgedWrite) => boolean;
  /** The same with any write whose effects write records of the group. */
  readonly isDeferredInEffect: (reads: readonly Read[]) => boolean;
  /** Whether an update that changes a field may change any of these reads elsewhere. */
  readonly moves: (key: string, reads: readonly Read[]) => boolean;
  /** Keys of the fields on which other records depend; undefined where any update may change others. */
  readonly movingKeys: readonly string[] | undefined;
  /** Whether figures of the record are among these. */
  readonly looksAtFigures: (reads: readonly Read[]) => boolean;
}

export function rulePartsOf(known: PartsInput): PlannedRules {
  const uses = usesIn(known);
  const partsOf = <S extends RuleStep>(step: S): ByOperation<S> => ({
    create: partsIn(uses, step, 'create'),
    update: partsIn(uses, step, 'update'),
    delete: partsIn(uses, step, 'delete'),
  });
  const parts: RuleParts = {
    guard: partsOf('guard'),
    prefetch: partsOf('prefetch'),
    lock: partsOf('lock'),
    fill: partsOf('fill'),
    derive: partsOf('derive'),
    check: partsOf('check'),
    last: partsOf('last'),
    after: partsOf('after'),
  };
  return { parts, conditions: new Together(uses.flatMap(({ judged }) => judged?.tree ?? [])) };
}

/** Which writes of a group put off anything that judges them. */
export const deferralsOf = ({ check, last }: RuleParts): Readonly<Record<WriteOperation, Deferral>> => {
  const of = (operation: WriteOperation): Deferral => {
    const judging: readonly Deferral[] = [...check[operation], ...last[operation]];
    return {
      isDeferred: judging.some(({ isDeferred }) => isDeferred),
      isDeferredInCascade: judging.some(({ isDeferredInCascade }) => isDeferredInCascade),
      isDeferredInEffect: judging.some(({ isDeferredInEffect }) => isDeferredInEffect),
    };
  };
  return { create: of('create'), update: of('update'), delete: of('delete') };
};

/** What an effect asks of the time before a write. */
export interface EffectBefore {
  readonly on: Effect['on'];
  readonly trees: readonly Tree[];
}

/** Those of effects that ask anything. */
export const effectBeforesOf = ({ effects }: Resource): readonly EffectBefore[] =>
  effects
    .map((effect) => ({ on: effect.on, trees: treesOfEffect(effect).flatMap(beforesIn) }))
    .filter(({ trees }) => trees.length > 0);

const treesOfEffect = (effect: Effect): readonly Tree[] => [
  ...(effect.when === undefined ? [] : [effect.when.tree]),
  ...(effect.kind === 'make' ? [] : [effect.targets]),
  ...(effect.kind === 'remove' ? [] : effect.settings.map(({ tree }) => tree)),
];

/** A use of a rule, and what all its parts have in common. */
interface Used extends Omit<RulePart<RuleStep>, 'act' | 'condition' | keyof Deferral> {
  readonly rule: Rule;
  readonly planned: ReturnType<NonNullable<Rule['plan']>> | undefined;
  readonly judged: JudgedCondition | undefined;
  readonly resource: Resource;
  readonly isDeferred: (write: JudgedWrite) => boolean;
  readonly isDeferredInEffect: (write: WriteOperation) => boolean;
}

function usesIn(known: PartsInput): readonly Used[] {
  const { resource, rules, isDeferred, isDeferredInEffect, looksAtFigures } = known;
  let places = 0;
  const judgedBy = (condition: PlannedCondition): JudgedCondition => {
    places += 1;
    return { ...condition, place: places - 1, isOfRecord: isLocalCondition(condition) };
  };
  const used = (use: RuleUse, key: string): readonly Used[] => {
    const rule = ruleOf(rules, use);
    // A derivation is computed at every write, whatever the rule looks at.
    const reads = readsOf(use);
    const own = key === '' ? rule.looksAt?.(use, resource) : undefined;
    const looksAt = key === '' ? callingKeys(known, own, reads) : undefined;
    const calledBy = looksAt === own ? own : withMoving(known, own, reads);
    const isLocal = isLocalUse(rule, use);
    const isBefore = (write: JudgedWrite): boolean =>
      (write === 'delete' || write === 'cascade') && asksWhoNamesIt(use);
    const looks = {
      looksAt,
      calledBy,
      isCalledBySent: rule.isCalledBySent?.(use) === true,
      isLocal,
      isDeferred: (write: JudgedWrite) => isDeferred(reads, write) && !isBefore(write),
      isDeferredInEffect: (write: WriteOperation) =>
        (!isLocal || looksAtFigures(reads)) && isDeferredInEffect(reads) && !isBefore(write),
      looksAtFigures: looksAtFigures(reads),
      befores: treesOf(use).flatMap(beforesIn),
    };
    const planned = rule.plan?.(use, resource);
    const judged = planned?.condition && judgedBy(planned.condition);
    return [{ use, key, rule, planned, judged, resource, ...looks }];
  };
  const derivations = resource.fields.flatMap(({ key, derived }) => (derived === undefined ? [] : used(derived, key)));
  return [...resource.rules.flatMap((use) => used(use, '')), ...derivations];
}

/** These keys, and those that move what is read in other records. */
function withMoving(
  { resource, moves }: PartsInput,
  own: readonly string[] | undefined,
  reads: readonly Read[],
): readonly string[] | undefined {
  const elsewhere = reads.filter(({ isOwn }) => !isOwn);
  return own && [...own, ...[...resource.byKey.keys()].filter((key) => moves(key, elsewhere))];
}

/** Keys whose change at an update may call for a use: also those that move others, among which may be what it reads. */
function callingKeys(
  { isDeferred, movingKeys }: PartsInput,
  own: readonly string[] | undefined,
  reads: readonly Read[],
): readonly string[] | undefined {
  if (own === undefined || own.length === 0 || !isDeferred(reads, 'update')) return own;
  return movingKeys === undefined ? undefined : [...own, ...movingKeys];
}

function partsIn<S extends RuleStep>(
  uses: readonly Used[],
  step: S,
  operation: WriteOperation,
): readonly RulePart<S>[] {
  return uses.flatMap(({ rule, planned, judged, resource, ...used }): readonly RulePart<S>[] => {
    const { use, key } = used;
    const condition = isOfCondition(step) ? judged : undefined;
    const act: Rule[S] = { ...(condition && { prefetch: noFormulas }), ...rule, ...planned }[step];
    if (act === undefined) return [];
    // All else that derivations do has an order of its own.
    const isPart = key === '' ? rule.on?.includes(operation) !== false : step === 'guard';
    if (!isPart || rule.takesPart?.({ use, resource, step, operation }) === false) return [];
    const isUpdate = operation === 'update';
    const isDeferredInCascade = operation === 'delete' && used.isDeferred('cascade');
    const isDeferred = used.isDeferred(operation);
    const isDeferredInEffect = isDeferred || used.isDeferredInEffect(operation);
    return [
      {
        ...used,
        act,
        condition,
        looksAt: isUpdate ? used.looksAt : undefined,
        calledBy: isUpdate ? used.calledBy : undefined,
        isDeferred,
        isDeferredInCascade,
        isDeferredInEffect,
      },
    ];
  });
}

const isOfCondition = (step: RuleStep): boolean => step === 'prefetch' || step === 'check' || step === 'last';

/** Of a condition is known what it looks at. */
const noFormulas = (): readonly PrefetchedFormula[] => [];

/** Those that name a record have let go of it, or gone with it, when it has gone: a delete is judged by them before. */
const asksWhoNamesIt = ({ conditions }: RuleUse): boolean =>
  Object.values(conditions).some(({ tree }) => looksAtReferrers(tree));

/** What the formulas among the arguments of a rule look at. */
const readsOf = (use: RuleUse): readonly Read[] => treesOf(use).flatMap((tree) => dependenciesOf(tree).reads);

function treesOf({ conditions, messages }: RuleUse): readonly Tree[] {
  const texts = Object.values(messages).flatMap(({ parts }) => parts);
  return [...Object.values(conditions).map(({ tree }) => tree), ...texts.filter((part) => typeof part !== 'string')];
}
