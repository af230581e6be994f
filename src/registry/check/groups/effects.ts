// Checks effects: the records that a write makes, changes or removes in other groups.

import type { JSONPath } from 'jsonc-parser';
import { boundsWhere, dayReads } from '../../../formulas/analyse/day-bounds.ts';
import type { Scope } from '../../../formulas/compile/scope.ts';
import { beforesIn, partsOf } from '../../../formulas/language/index-keys.ts';
import type { Tree } from '../../../formulas/language/tree.ts';
import { typeWords } from '../../../formulas/language/types.ts';
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { compileEffectWhen } from '../../formulas/conditions.ts';
import { movesInRaw } from '../../formulas/days.ts';
import { compiled, compiledTargets, isOfItself, itself, withLogged } from '../../link/effects.ts';
import { ruled } from '../../model/faults.ts';
import { keyOf } from '../../model/field-names.ts';
import { isReadOnly, others, own, type RawEffect, type RawField } from '../../model/vocabulary.ts';
import { misfit } from '../fields/figures.ts';
import type { Groups, Linked } from '../fields/paths.ts';

const acts = ['make', 'change', 'remove'] as const;
const besides = { make: 'with', change: 'set', remove: undefined } as const;

interface CheckContext {
  readonly groups: Groups;
  readonly scope: Scope;
}

/** Checks the effects of a descriptor against the groups that they reach. */
export function checkEffects({ raw, report: reportAny }: Linked, { groups, scope }: CheckContext): void {
  const report = ruled(reportAny, 'effects');
  for (const [index, effect] of (raw.resource.effects ?? []).entries()) {
    const path: JSONPath = ['resource', 'effects', index];
    const said = acts.filter((act) => effect[act] !== undefined);
    const isOfDay = effect.on.join() === 'day';
    const [act = isOfDay && isOfItself(effect) ? 'change' : undefined] = said;
    if (act === undefined || said.length > 1) {
      report(path, 'must have exactly one of "make", "change" and "remove"', 'key');
      continue;
    }
    for (const word of ['with', 'set'] as const)
      if (effect[word] !== undefined && besides[act] !== word)
        report([...path, word], `has no effect with "${act}"`, 'key');
    if (act === 'change' && effect.set === undefined) report(path, 'has no "set"', 'key');
    checkSent(effect, { raw, path, report });
    if (effect.logs !== undefined) checkLogs(effect, effect.logs, { raw, path: [...path, 'logs'], report });
    if (effect.when !== undefined) {
      const condition = compileEffectWhen(effect.when, scope);
      if (typeof condition === 'string') report([...path, 'when'], condition);
    }
    checkBefore(effect, { path, report, scope });
    checkDay(effect, { raw, path, report, scope });
    checkAct(effect, { act, path, report, groups, scope });
  }
}

interface OfRecord extends Pick<Linked, 'raw' | 'report'>, Pick<CheckContext, 'scope'> {
  readonly path: JSONPath;
}

/** Whom the begin of a day concerns must be found by dates, or each day would read all records. */
function checkDay({ on, when }: RawEffect, { raw, path, report, scope }: OfRecord): void {
  if (!on.includes('day')) return;
  if (when === undefined) {
    report(path, `needs "when" because "on" contains "day"; otherwise each day selects all records; ${byDate}`, 'key');
    return;
  }
  const condition = compileEffectWhen(when, scope);
  if (typeof condition !== 'object' || boundsWhere(condition.tree, movesInRaw(raw, scope)) !== undefined) return;
  const [lost] = dayReads(condition.tree).lost;
  const where = lost === undefined ? '' : excerpt(when, lost);
  report([...path, 'when'], `selects the records of a day by no date; ${byDate}${where}`);
}

const byDate =
  'compare a date of the record with today ("nextOn == today"), or a computed field of the day with its previous value ("isLate && !old.isLate")';

/** What upkeep or a day brings about follows from others that have changed by then: what was so before is not known there. */
function checkBefore(effect: RawEffect, { path, report, scope }: Omit<OfRecord, 'raw'>): void {
  if (effect.on.every((event) => event !== 'becomes' && event !== 'day')) return;
  const names = withLogged(effect, scope);
  const told = (source: string, place: JSONPath): void => {
    const tree = compiled(source, names);
    const [before] = typeof tree === 'object' ? beforesIn(tree) : [];
    if (before === undefined) return;
    const where = excerpt(source, before.start);
    report(place, `reads "before", which is unknown if "on" contains "becomes" or "day"; compare with "old"${where}`);
  };
  for (const word of ['when', 'change', 'remove'] as const) {
    const source = effect[word];
    if (source !== undefined) told(source, [...path, word]);
  }
  for (const word of ['with', 'set'] as const)
    for (const [name, source] of Object.entries(effect[word] ?? {})) told(source, [...path, word, name]);
}

/** What a delete, or a state that follows, is sent is nothing. */
function checkSent(
  effect: RawEffect,
  { raw, path, report }: Pick<Linked, 'raw' | 'report'> & { readonly path: JSONPath },
): void {
  const { sent, on } = effect;
  if (sent === undefined) return;
  if (on.some((event) => event !== 'create' && event !== 'update'))
    report([...path, 'sent'], 'has no effect if "on" contains "delete", "becomes" or "day", which have no body', 'key');
  for (const [index, name] of sent.entries())
    if (own(raw.properties, name) === undefined || name === 'createdAt')
      report([...path, 'sent', index], `"${name}" is not a field${didYouMean(name, Object.keys(raw.properties))}`);
}

interface Logging extends Pick<Linked, 'raw' | 'report'> {
  readonly path: JSONPath;
}

function checkLogs(effect: RawEffect, logs: NonNullable<RawEffect['logs']>, { raw, path, report }: Logging): void {
  if (effect.make === undefined) report(path, 'has no effect without "make"', 'key');
  if (effect.on.join() !== 'update')
    report(path, 'needs "on": ["update"], because only an update has previous values to compare with', 'key');
  const seen = new Set<string>();
  for (const [kind, names] of Object.entries(logs))
    for (const [index, name] of [names].flat().entries()) {
      const place = names === others ? [...path, kind] : [...path, kind, index];
      const field = own(raw.properties, name);
      if (seen.has(name)) report(place, `"${name}" is already logged as another kind`);
      else if (names !== others && typeof field !== 'object')
        report(place, `"${name}" is not a field of the record${didYouMean(name, Object.keys(raw.properties))}`);
      else if (typeof field === 'object' && (isReadOnly(field) || field.transient === true))
        report(place, `"${name}" cannot be changed by callers`);
      seen.add(name);
    }
}

interface Checked extends CheckContext {
  readonly act: (typeof acts)[number];
  readonly path: JSONPath;
  readonly report: Linked['report'];
}

function checkAct(effect: RawEffect, { act, path, report, groups, scope }: Checked): void {
  if (act === 'make') {
    const { make: name = '' } = effect;
    const target = groups.get(name);
    if (target === undefined)
      report([...path, 'make'], `"${name}" is not a group${didYouMean(name, [...groups.keys()])}`);
    else if (target.raw.resource.computed !== undefined || target.raw.resource.singleton === true)
      report([...path, 'make'], `an effect cannot create records of "${name}"`);
    else {
      const made = { act, target, path: [...path, 'with'], report, scope: withLogged(effect, scope) };
      checkSettings(effect.with ?? {}, made);
      if (effect.set === undefined) checkMade(effect.with, { target, path, report });
    }
    return;
  }
  const targets = isOfItself(effect) ? itself(scope) : compiledTargets(effect[act] ?? '', scope);
  if (typeof targets === 'string') report([...path, act], targets);
  if (typeof targets !== 'object') return;
  const { type } = targets;
  const item = type.kind === 'list' ? type.item : undefined;
  const isRight =
    item?.kind === 'record' && (item.shape.kind === 'record' || (act === 'remove' && item.shape.kind === 'item'));
  if (!isRight) {
    report(
      [...path, act],
      `gives ${typeWords(type)}, not a record or a list of records${act === 'remove' ? ' or items' : ''}`,
    );
    return;
  }
  const target = groups.get(item.shape.group);
  if (target !== undefined && act === 'change')
    checkSettings(effect.set ?? {}, { act, target, path: [...path, 'set'], report, scope });
}

/** A record that lacks what its group requires would be refused, and with it the write that makes it. */
function checkMade(given: RawEffect['with'], { target, path, report }: Omit<Set, 'act' | 'scope'>): void {
  const { properties, required = [] } = target.raw;
  const brought = Object.keys(given ?? {});
  // One that is mistyped may be the one that is missing.
  if (brought.some((word) => fieldCalled(target, word) === undefined)) return;
  for (const name of required) {
    const field = own(properties, name);
    // What is wrong with "required" itself is told there.
    if (typeof field !== 'object' || isReadOnly(field) || field.default !== undefined) continue;
    if (field.defaultFrom !== undefined || brought.includes(name) || brought.includes(keyOf(name, field))) continue;
    const place = given === undefined ? 'make' : 'with';
    report([...path, place], `makes a record without "${name}", which "${target.name}" requires`, 'key');
  }
}

interface Set extends Pick<Checked, 'act' | 'path' | 'report' | 'scope'> {
  readonly target: Linked;
}

function checkSettings(settings: Readonly<Record<string, string>>, set: Set): void {
  const { act, target, path, report, scope } = set;
  for (const [name, source] of Object.entries(settings)) {
    const field = fieldCalled(target, name);
    if (field === undefined) {
      const names = Object.keys(target.raw.properties);
      report([...path, name], `"${name}" is not a field of "${target.name}"${didYouMean(name, names)}`, 'key');
      continue;
    }
    const follows = followedIn(field, act);
    if (follows !== undefined) {
      report([...path, name], `"${name}" ${follows}, so an effect cannot set it`, 'key');
      continue;
    }
    const tree = compiled(source, scope);
    const wrong = typeof tree === 'object' ? misfit(field, tree.type) : tree;
    if (wrong !== undefined) report([...path, name], wrong);
  }
}

/** What takes the place of whatever an effect sets a figure to; what is taken once, a change may put right later. */
function followedIn({ formula, compute, when }: RawField, act: Checked['act']): string | undefined {
  if (formula === undefined || when !== undefined) return undefined;
  if (compute === 'onWrite') return 'is computed by its formula at each write';
  if (compute !== 'onCreate') return 'is computed by its formula';
  return act === 'make' ? 'is computed by its formula on create' : undefined;
}

function fieldCalled({ raw }: Linked, word: string): RawField | undefined {
  const direct = own(raw.properties, word);
  if (typeof direct === 'object') return direct;
  const found = Object.entries(raw.properties).find(([name, field]) => field !== true && keyOf(name, field) === word);
  return typeof found?.[1] === 'object' ? found[1] : undefined;
}

/**
 * A circle of effects would go on for ever: what a write of one group does leads back to the same write. Within one group, updates
 * may lead to updates where the condition compares with what was before.
 */
export function checkEffectCircles(groups: Groups, scopeOf: (group: string) => Scope): void {
  const settled = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (settled.has(node)) return;
    const [name = '', operation = ''] = node.split(' ');
    const group = groups.get(name);
    for (const [index, effect] of (group?.raw.resource.effects ?? []).entries()) {
      if (!(effect.on as readonly string[]).includes(operation)) continue;
      const next = reachedBy(effect, scopeOf(name));
      if (next === undefined) continue;
      const here = [...trail, node];
      const start = here.indexOf(next);
      if (start < 0) visit(next, here);
      else if (next !== node || operation !== 'update' || !comparesWithOld(effect, scopeOf(name)))
        group?.report(
          ['resource', 'effects', index],
          `leads back to itself: ${[...here.slice(start), next].join(' → ')}`,
          { where: 'key', rule: 'circle' },
        );
    }
    settled.add(node);
  };
  for (const name of groups.keys())
    for (const operation of ['create', 'update', 'delete']) visit(`${name} ${operation}`, []);
}

function comparesWithOld({ when }: RawEffect, scope: Scope): boolean {
  const condition = when === undefined ? undefined : compileEffectWhen(when, scope);
  const looks = (tree: Tree): boolean => (tree.op === 'known' && tree.name === 'old') || partsOf(tree).some(looks);
  return typeof condition === 'object' && looks(condition.tree);
}

/** `invoice update` */
function reachedBy(effect: RawEffect, scope: Scope): string | undefined {
  if (effect.make !== undefined) return `${effect.make} create`;
  const targets = compiledTargets(effect.change ?? effect.remove ?? '', scope);
  if (typeof targets !== 'object' || targets.type.kind !== 'list' || targets.type.item.kind !== 'record')
    return undefined;
  const { shape } = targets.type.item;
  return `${shape.group} ${effect.remove !== undefined && shape.kind === 'record' ? 'delete' : 'update'}`;
}
