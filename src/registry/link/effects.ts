// Normalises the effects of a descriptor: their formulas compiled, with the fields that they set and log.
import { boundsWhere } from '../../formulas/analyse/day-bounds.ts';
import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { recordOf, text } from '../../formulas/language/types.ts';
import { unreachable } from '../../unreachable.ts';
import { compileEffectWhen, withBefore, withOld } from '../formulas/conditions.ts';
import type { Moves } from '../formulas/days.ts';
import { orInWords } from '../formulas/in-words.ts';
import type { Effect, Field, Logged, Setting } from '../model/model.ts';
import { others, type RawEffect } from '../model/vocabulary.ts';

/** @returns the text of what is wrong; undefined where that cannot be told, because a group has faults of its own. */
export const compiled = (source: string, scope: Scope): Tree | string | undefined =>
  orInWords(source, () => compileFormula(source, withBefore(withOld(scope))));

/** The same of what an effect changes or removes: one record is a list of one. */
export function compiledTargets(source: string, scope: Scope): Tree | string | undefined {
  const tree = compiled(source, scope);
  return typeof tree === 'object' && tree.type.kind === 'record' ? listOfOne(tree) : tree;
}

const listOfOne = (tree: Tree): Tree => {
  const { type, start, end } = tree;
  const list: Tree = { op: 'list', items: [tree], type: { kind: 'list', item: type }, nullable: false, start, end };
  return list;
};

/** What formulas know of each change that is logged: under which word, and its lines. */
export function withLogged({ logs }: RawEffect, scope: Scope): Scope {
  if (logs === undefined) return scope;
  const given = [
    { name: 'kind', type: { kind: 'text', values: Object.keys(logs) } },
    { name: 'changes', type: text },
  ] as const;
  return { ...scope, given };
}

interface RecordContext {
  readonly scope: Scope;
  /** All fields of the record. */
  readonly fields: readonly Field[];
  /** Those of them that a day moves. */
  readonly moves: Moves;
}

/** An effect that has been checked. */
export function effectOf(raw: RawEffect, { scope, fields, moves }: RecordContext): Effect {
  const when = raw.when === undefined ? undefined : compileEffectWhen(raw.when, scope);
  if (typeof when === 'string') unreachable(`unchecked condition: ${raw.when}`);
  const sent = (raw.sent ?? []).map((name) => {
    const member = scope.record.member(name);
    return { name, key: member === undefined || member.kind === 'formula' ? name : member.key };
  });
  const isOfDay = raw.on.includes('day') && when !== undefined;
  const days = isOfDay ? (boundsWhere(when.tree, moves) ?? []) : [];
  const base = { on: new Set(raw.on), sent, when, days };
  const names = withLogged(raw, scope);
  const treeOf = (source: string): Tree => checkedTree(compiled(source, names), source);
  const settings = (given: Readonly<Record<string, string>> = {}): readonly Setting[] =>
    Object.entries(given).map(([name, source]) => ({ name, source, tree: treeOf(source) }));
  if (raw.make !== undefined) {
    const logs = raw.logs && loggedOf(raw.logs, fields);
    return { ...base, kind: 'make', group: raw.make, settings: settings(raw.with), logs };
  }
  const source = raw.change ?? raw.remove;
  const targets = source === undefined ? itself(scope) : checkedTree(compiledTargets(source, names), source);
  const item = targets.type.kind === 'list' ? targets.type.item : undefined;
  if (item?.kind !== 'record') unreachable('unchecked effect');
  const { group, lists } = item.shape;
  return raw.remove !== undefined
    ? { ...base, kind: 'remove', group, source: raw.remove, targets, lists }
    : { ...base, kind: 'change', group, source, targets, settings: settings(raw.set) };
}

/** Whether an effect sets fields of the record that has it. */
export const isOfItself = ({ change, set, make, remove }: RawEffect): boolean =>
  set !== undefined && change === undefined && make === undefined && remove === undefined;

/** The record itself, as a list of records. */
export const itself = ({ record }: Scope): Tree =>
  listOfOne({ op: 'self', up: 0, type: recordOf(record), nullable: false, start: 0, end: 0 });

function checkedTree(tree: Tree | string | undefined, source: string): Tree {
  if (typeof tree !== 'object') unreachable(`unchecked formula: ${source}`);
  return tree;
}

function loggedOf(logs: NonNullable<RawEffect['logs']>, fields: readonly Field[]): readonly Logged[] {
  const named = new Set(Object.values(logs).flat());
  return Object.entries(logs).map(([kind, names]) => {
    const isOfOthers = names === others;
    const isLogged = ({ name, onUpdate, stored, figure }: Field): boolean =>
      isOfOthers ? onUpdate && stored && figure === undefined && !named.has(name) : names.includes(name);
    return { kind, isOfOthers, fields: fields.filter(isLogged) };
  });
}
