// Declared effects: what a write does to other records. Each of these passes the stages of its own group.

import type { ReadFacts } from '../../facts/read-facts.ts';
import { isRecord as isObject } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { isList, isRecord, type Known, type RecordValue } from '../../formulas/language/value.ts';
import type { FieldFault } from '../../problems/field-fault.ts';
import { problems } from '../../problems.ts';
import type { Effect, EffectEvent, Logged, Setting, Value, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { RecordName } from '../changes/change.ts';
import { Draft } from '../draft/draft.ts';
import { held } from '../draft/field-value.ts';
import { keepingOf } from '../draft/locks-of-reads.ts';
import { writeOf } from '../draft/moment.ts';
import { linesOf } from './change-log.ts';

/** What an effect hangs on: one of these has happened to the record. */
type Event = Exclude<EffectEvent, 'day'>;

/** Effects of effects end here: what goes deeper may never end. */
const deepest = 50;

/** Carries out the effects that a descriptor declares for what has happened to a record. */
export async function declaredEffects(draft: Draft, events: readonly Event[]): Promise<void> {
  for (const effect of draft.group.resource.effects) {
    if (!events.some((event) => effect.on.has(event))) continue;
    const acting = actingOf(draft, effect);
    if (await isWanted(acting)) await carryOut(acting);
  }
}

/**
 * Finds the records on which the effects of a delete act while they still name the record that goes. Those that they change
 * are as they are from then on, so that the delete is judged by what it will find.
 * @returns carries them out, when those that named it have let go of it.
 */
export async function effectsOfDelete(draft: Draft): Promise<() => Promise<void>> {
  const found: (() => Promise<void>)[] = [];
  for (const effect of draft.group.resource.effects) {
    const acting = actingOf(draft, effect);
    if (!effect.on.has('delete') || !(await isWanted(acting))) continue;
    // Items have places, which others that go out of the same list move: they are found when these have gone.
    const isOfItems = effect.kind === 'remove' && effect.lists.length > 0;
    const targets = effect.kind === 'make' || isOfItems ? undefined : await lockedTargets(acting, effect);
    found.push(() => carryOut(actingOf(draft, effect), targets));
  }
  return async () => {
    for (const act of found) await act();
  };
}

/** Carries out one effect that hangs on the day. @param draft The record as it was the day before, and as it is. */
export async function effectOfDay(draft: Draft, effect: Effect): Promise<void> {
  const acting = actingOf(draft, effect, 'day');
  if (await isWanted(acting)) await carryOut(acting);
}

interface Acting {
  readonly draft: Draft;
  readonly effect: Effect;
  readonly facts: ReadFacts;
  readonly self: RecordValue;
  /** What its changes name as their cause. */
  readonly rule: 'effects' | 'day';
}

const actingOf = (draft: Draft, effect: Effect, rule: Acting['rule'] = 'effects'): Acting => ({
  rule,
  draft,
  effect,
  facts: factsOf({ ...writeOf(draft), results: undefined, keeping: keepingOf(draft, effect.group) }),
  self: recordValue(draft.values),
});

async function isWanted({ draft, effect: { sent, when }, facts, self }: Acting): Promise<boolean> {
  if (sent.length > 0 && !sent.some(({ key }) => draft.sent.has(key))) return false;
  return when === undefined || (await facts.evaluate(when.tree, self)).value === true;
}

/** @param targets Where they are found already. */
async function carryOut(acting: Acting, targets?: readonly RecordValue[]): Promise<void> {
  const { scope, group } = acting.draft;
  scope.trail.push(group.resource.name);
  if (scope.trail.length > deepest) throw problems.bodyInvalid([tooDeep(scope.trail)]);
  try {
    // The keys of the database judge the record itself before.
    await scope.flush();
    await act(acting, targets);
  } finally {
    scope.trail.pop();
  }
}

/** The way round, from the group of the last step back to where it stood before. */
function tooDeep(trail: readonly string[]): FieldFault {
  const before = trail.lastIndexOf(trail.at(-1) ?? '', trail.length - 2);
  const round = trail.slice(Math.max(0, before)).join(' → ');
  const text = `'${round}' must not be more than ${deepest} effects within each other`;
  return { text, code: 'condition-unmet', pointer: undefined };
}

async function act(acting: Acting, found: readonly RecordValue[] | undefined): Promise<void> {
  const { draft, effect } = acting;
  const { scope, group } = draft;
  const of: RecordName = { group: group.resource.name, id: String(draft.values['id']) };
  const effects = scope.effectsOf(scope, { rule: acting.rule, of });
  if (effect.kind === 'make') {
    for (const given of await givenTo(draft, effect.logs))
      await effects.create(effect.group, await valuesOf(acting, effect.settings, given));
    return;
  }
  const targets = found ?? (await lockedTargets(acting, effect));
  const ids = idsOf(targets).filter((id) => !scope.isGone(effect.group, id));
  if (effect.kind === 'change') {
    const values = await valuesOf(acting, effect.settings);
    await scope.records.lockAhead(effect.group, ids);
    for (const id of ids) await effects.change(effect.group, id, values);
    return;
  }
  if (effect.lists.length === 0) for (const id of ids) await effects.remove(effect.group, id);
  else await removeItems(acting, { group: effect.group, lists: effect.lists, items: targets });
}

/** What the formulas of each record are given that is made: of a log, the kind of change and its lines. */
async function givenTo(draft: Draft, logs: readonly Logged[] | undefined): Promise<readonly (readonly Known[])[]> {
  if (logs === undefined) return [[]];
  const { scope, before = {}, values } = draft;
  const changed = new Set(draft.changedKeys());
  const given: (readonly Known[])[] = [];
  for (const { kind, fields } of logs) {
    const different = fields.filter(({ key }) => changed.has(key));
    if (different.length > 0) given.push([kind, await linesOf(scope, { fields: different, before, after: values })]);
  }
  return given;
}

/** Of records, or of those in whose lists items stand. */
const idsOf = (values: readonly RecordValue[]): readonly string[] =>
  [...new Set(values.map((value) => placeOf(value).root).filter((id) => id !== ''))].sort();

/**
 * The records on which an effect acts, which nobody else changes until the transaction ends. They are chosen again behind their
 * locks, for whoever held these may have made them such that others are meant; until what is chosen is locked.
 */
async function lockedTargets(
  { draft, effect: { group } }: Acting,
  effect: Exclude<Effect, { readonly kind: 'make' }>,
): Promise<readonly RecordValue[]> {
  const { scope } = draft;
  const choose = (): Promise<readonly RecordValue[]> => targetsOf(actingOf(draft, effect), effect.targets);
  let targets = await choose();
  for (;;) {
    const ids = idsOf(targets).filter((id) => !scope.isGone(group, id));
    if (!scope.records.areOpen(group, ids)) return targets;
    [, targets] = await Promise.all([scope.records.lockAhead(group, ids), choose()]);
  }
}

async function targetsOf({ facts, self }: Acting, tree: Tree): Promise<readonly RecordValue[]> {
  const { value } = await facts.evaluate(tree, self);
  return isList(value) ? value.filter(isRecord) : [];
}

/**
 * What the formulas of an effect give, by the keys of the other record.
 * @throws Problem where its fields cannot hold them: no body is judged here.
 */
async function valuesOf(
  { draft, effect, self }: Acting,
  settings: readonly Setting[],
  given: readonly Known[] = [],
): Promise<Values> {
  const { scope } = draft;
  const group = scope.groups.get(effect.group);
  const { byName, byKey } = group.resource;
  const values: Values = {};
  const operation = effect.kind === 'make' ? 'create' : 'update';
  const target = new Draft({ scope, group, operation, before: undefined, values, input: { values: {} } });
  // What is set hangs on nothing that others must keep.
  const facts = factsOf({ ...writeOf(draft), results: undefined, keeping: undefined });
  for (const { name, tree } of settings) {
    const field = byName.get(name) ?? byKey.get(name);
    if (field === undefined) unreachable(`${effect.group} has no ${name}`);
    const { value, overlong } = await facts.evaluate(tree, self, given);
    values[field.key] = held(target, { field, value, overlong, place: field.key });
  }
  target.conclude();
  return values;
}

interface Removed {
  readonly group: string;
  readonly lists: readonly string[];
  readonly items: readonly RecordValue[];
}

/** Takes items out of the lists of their records. */
async function removeItems({ draft }: Acting, { group, lists, items }: Removed): Promise<void> {
  const { scope } = draft;
  const of: RecordName = { group: draft.group.resource.name, id: String(draft.values['id']) };
  const effects = scope.effectsOf(scope, { rule: 'effects', of });
  const gone = new Map<string, Set<string>>();
  for (const item of items) {
    const { root, place } = placeOf(item);
    gone.set(root, (gone.get(root) ?? new Set()).add(place));
  }
  const [key = ''] = lists;
  for (const [id, places] of [...gone].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const stored = (await scope.records.listsUnder(group, id, [key]))[key];
    const kept = without(Array.isArray(stored) ? (stored as Value[]) : [], lists, { places, before: '' });
    await effects.change(group, id, { [key]: kept });
  }
}

/** The record that an item stands in, and its places in the lists: `2,0`. */
function placeOf(item: RecordValue): { readonly root: string; readonly place: string } {
  if (item.owner === undefined) return { root: item.id ?? '', place: '' };
  const { root, place } = placeOf(item.owner);
  return { root, place: `${place},${item.place}` };
}

interface Gone {
  readonly places: ReadonlySet<string>;
  readonly before: string;
}

function without(items: readonly Value[], [, ...deeper]: readonly string[], { places, before }: Gone): Value[] {
  const [next] = deeper;
  return items.flatMap((item, index) => {
    const place = `${before},${index}`;
    if (next === undefined) return places.has(place) ? [] : [item];
    if (!isObject(item) || !Array.isArray(item[next])) return [item];
    return [{ ...item, [next]: without(item[next] as Value[], deeper, { places, before: place }) }];
  });
}
