// Compiles the conditions of descriptors: formulas that are true or false, on one record or on several.

import { dayReads } from '../../formulas/analyse/day-bounds.ts';
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import { compileFormula, truth } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { atHand, noFacts, recordValue } from '../../formulas/evaluate/facts.ts';
import { evaluateGenerated } from '../../formulas/generate/generate.ts';
import { isZoned } from '../../formulas/language/names.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { notKnown } from '../../formulas/language/value.ts';
import { excerpt } from '../../text/excerpt.ts';
import type { Condition, SimpleCondition, Values } from '../model/model.ts';
import { orInWords } from './in-words.ts';

/** Checks and normalisation compile the same conditions over the same names. */
const known = new WeakMap<Scope, Map<string, Condition | string | undefined>>();

/**
 * Compiles a condition over the names of a record.
 * @returns the condition, or the text of what is wrong with it; undefined where that cannot be told, because it leads to a
 * group whose descriptor has faults.
 */
export function compileCondition(source: string, scope: Scope): Condition | string | undefined {
  const compiled = known.get(scope) ?? new Map<string, Condition | string | undefined>();
  known.set(scope, compiled);
  if (!compiled.has(source)) compiled.set(source, compile(source, scope));
  return compiled.get(source);
}

const nowhere = { facts: noFacts, given: [] };
const here = { facts: atHand, given: [] };

const compile = (source: string, scope: Scope): Condition | string | undefined =>
  orInWords(source, () => conditionOf(source, compileFormula(source, scope, truth)));

function conditionOf(source: string, tree: Tree): Condition {
  const { keys, paths, reads } = dependenciesOf(tree);
  return Object.freeze({
    source,
    tree,
    keys: [...keys],
    paths: [...paths],
    keysByGroup: keysByGroup(reads),
    test: (values: Readonly<Values>): boolean => evaluateGenerated(tree, recordValue(values), nowhere).value === true,
    rulesOut: (values: Readonly<Values>, unsound?: ReadonlySet<string>): boolean => {
      const self = unsound === undefined ? recordValue(values) : { ...recordValue(values), unsound };
      const { value, throughNull } = evaluateGenerated(tree, self, here);
      return value !== true && value !== notKnown && !throughNull;
    },
  });
}

function keysByGroup(reads: readonly Read[]): Condition['keysByGroup'] {
  const found = new Map<string, Set<string>>();
  for (const { shape, key } of reads) {
    if (shape.kind !== 'record') continue;
    const keys = found.get(shape.group);
    if (keys === undefined) found.set(shape.group, new Set([key]));
    else keys.add(key);
  }
  return found;
}

/** What a condition over one record alone looks at beyond it, in words with its place; undefined for none. */
export function beyondRecord({ source, tree }: Condition): string | undefined {
  const [beyond] = dependenciesOf(tree).beyond;
  if (beyond === undefined) return undefined;
  if (beyond.what === 'atRead')
    return `reads "${beyond.words}", which is computed on read, so it is not stored in the record${excerpt(source, beyond.offset)}`;
  return `reads another record ("${beyond.words}"), which only rules can do${excerpt(source, beyond.offset)}`;
}

/** How else to look at the day. */
const instead = 'compare it with a date of the record: "dueOn < today", "dueOn + 14 < today"';

/**
 * What a formula looks at that changes without any write, so that nobody could tell whom it concerns, or that nobody keeps;
 * undefined for nothing. Dates that are compared with today are fine: the clock knows who has them.
 */
export function fleetingIn(tree: Tree): { readonly text: string; readonly offset: number } | undefined {
  const [lost] = dayReads(tree).lost;
  if (lost !== undefined)
    return {
      text: `reads "today" in a way that no index can find the records that a day changes; ${instead}`,
      offset: lost,
    };
  for (const { what, words, offset } of dependenciesOf(tree).beyond) {
    if (what === 'known' && words === 'actor')
      return { text: `reads "${words}", which changes without a write`, offset };
    if (what === 'known' && isZoned(words))
      return { text: `calls ${words}(), which depends on the time zone of the workspace`, offset };
    if (what === 'atRead')
      return { text: `reads "${words}", which is computed on read, so its changes are unknown`, offset };
  }
  return undefined;
}

/** What a rule's condition looks at that rules cannot read; undefined for none. */
export function beyondReferences({ source, tree }: Condition): string | undefined {
  const beyond = dependenciesOf(tree).beyond.find(({ what }) => what !== 'record');
  if (beyond === undefined) return undefined;
  return `reads "${beyond.words}", which conditions cannot read there${excerpt(source, beyond.offset)}`;
}

/** The same for a condition that may compare with the record before the write (`old`). */
export const compileTransition = (source: string, scope: Scope): Condition | string | undefined =>
  compileCondition(source, withOld(scope));

/** The names of a record where conditions look at the record before the write too. */
export function withOld(scope: Scope): Scope {
  // An item does not know which it was.
  if (scope.record.kind !== 'record') return scope;
  const wide = wider.get(scope) ?? { ...scope, hasOld: true };
  wider.set(scope, wide);
  return wide;
}
const wider = new WeakMap<Scope, Scope>();

/** The same of conditions that judge a body: they may ask which fields it names, too. */
export function withBody(scope: Scope): Scope {
  if (scope.record.kind !== 'record') return scope;
  const wide = judging.get(scope) ?? { ...withOld(scope), hasSent: true };
  judging.set(scope, wide);
  return wide;
}
const judging = new WeakMap<Scope, Scope>();

/** Reads `field == 'literal'`, `field != null`: what SQL can say as well. @returns a text when it is more than that. */
export function simpleCondition(source: string, scope: Scope): SimpleCondition | string | undefined {
  const compiled = compileCondition(source, scope);
  if (typeof compiled !== 'object') return compiled;
  const { tree } = compiled;
  const refusal = "must be a comparison of one field with a text, true, false or null (`source == 'workspace'`)";
  if (tree.op !== 'equal') return refusal;
  const { left, right, isNot } = tree;
  if (left.op !== 'field' || left.of.op !== 'self' || left.member.kind !== 'value') return refusal;
  if (right.op !== 'literal' || right.literal.kind === 'number') return refusal;
  return Object.freeze({ key: left.member.key, operator: isNot ? '!=' : '==', literal: right.literal.value });
}

/** The same of conditions and effects, to which the write itself belongs: they may ask what was before it. */
export function withBefore(scope: Scope): Scope {
  const wide = beside.get(scope) ?? { ...scope, hasBefore: true };
  beside.set(scope, wide);
  return wide;
}
const beside = new WeakMap<Scope, Scope>();

/** Compiles when an effect acts. */
export const compileEffectWhen = (source: string, scope: Scope): Condition | string | undefined =>
  compileCondition(source, withBefore(withOld(scope)));
