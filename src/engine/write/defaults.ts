// Fills in what nobody has sent: defaults, values that rules give, fields that apply only in some states, items of lists.

import { isRecord, isUnset } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, ObjectsField, Value, Values } from '../../registry/model/model.ts';
import { newId } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import type { Draft } from '../draft/draft.ts';
import { writeOf } from '../draft/moment.ts';
import { emptyValue } from '../plan/default-order.ts';
import { isLocalCondition } from '../plan/judged.ts';
import { runRules } from '../rules/rule-steps.ts';
import { fillFromSources, isDefaultAgain, valueFromSources } from './default-sources.ts';

/** Gives a value to every field that has none. */
export async function fillRecord(draft: Draft): Promise<void> {
  const { values } = draft;
  const { fixed, sourced, late, composite } = draft.group.defaultOrder;
  for (const field of fixed) if (isMissing(draft, field)) values[field.key] = field.default;
  for (const field of sourced) {
    const filled = fillMissing(draft, field);
    if (filled instanceof Promise) await filled;
  }
  await runRules(draft, 'fill');
  for (const field of late) {
    const filled = field.onlyWhen === undefined ? fillMissing(draft, field) : applyCondition(draft, field);
    if (filled instanceof Promise) await filled;
  }
  for (const field of composite) await fillInside(draft, field);
  for (const field of draft.group.resource.fields) values[field.key] ??= emptyValue(field);
}

/** Null is a value that the caller has chosen; only what is missing takes a default. What is not kept has none on update. */
const isMissing = ({ values, before }: Draft, field: Field): boolean =>
  values[field.key] === undefined && (field.stored || before === undefined);

function fillMissing(draft: Draft, field: Field): Soon<void> {
  const { values } = draft;
  if (isMissing(draft, field))
    return soon(valueFromSources(draft, field), (value) => {
      values[field.key] = value;
    });
  if (!isDefaultAgain(draft, field)) return undefined;
  return soon(valueFromSources(draft, field), (value) => {
    values[field.key] = value ?? null;
  });
}

/**
 * A field that applies only in some states of its record: null where it does not; its default where it does, or may: what
 * hangs on other records is told once the body is sound.
 */
function applyCondition(draft: Draft, field: Field): Soon<void> {
  const { values } = draft;
  const { key, onlyWhen } = field;
  if (onlyWhen === undefined) return undefined;
  // What is wrong in one of the fields that it looks at leaves what the others say.
  const unsound = new Set(onlyWhen.keys.filter((each) => !draft.isSound(each)));
  if (onlyWhen.rulesOut(values, unsound)) {
    dropValue(draft, field);
    return undefined;
  }
  if (unsound.size > 0 || !isUnset(values[key]) || field.derived !== undefined) return undefined;
  // An object that applies is there, with the defaults of its fields.
  const otherwise = field.kind === 'object' && isLocalCondition(onlyWhen) ? {} : values[key];
  const usual = field.default ?? (isLeftOut(draft, field) ? valueFromSources(draft, field) : null);
  return soon(usual, (value) => {
    values[key] = value ?? otherwise;
  });
}

/** Whether a field that applies takes a default by formula: where it applies since now, and the body does not say null. */
function isLeftOut({ before, sent }: Draft, { key, onlyWhen, defaultFrom }: Field): boolean {
  if (defaultFrom.every(({ kind }) => kind !== 'formula')) return true;
  return !sent.has(key) && (before === undefined || onlyWhen?.rulesOut(before) === true);
}

/**
 * Fields that apply only in some states of other records: of a reference that is null nothing is said. An effect changes
 * what it sets, and what hangs on that; what others have become meanwhile waits for the next write of a caller.
 */
export async function applyByOthers(draft: Draft): Promise<void> {
  const { reaching } = draft.group.defaultOrder;
  if (reaching.length === 0) return;
  const facts = factsOf(writeOf(draft));
  for (const field of reaching) {
    const { onlyWhen } = field;
    if (onlyWhen === undefined || !draft.isSound(...onlyWhen.keys)) continue;
    if (isLeftByEffect(draft, [field.key, ...onlyWhen.keys])) continue;
    const { value, throughNull } = await facts.evaluate(onlyWhen.tree, recordValue(draft.values));
    if (value !== true && !throughNull) dropValue(draft, field);
  }
}

const isLeftByEffect = ({ isEffect, operation, sent }: Draft, keys: readonly string[]): boolean =>
  isEffect && operation === 'update' && !keys.some((key) => sent.has(key));

function dropValue(draft: Draft, field: Field): void {
  const { values, sent } = draft;
  const { key } = field;
  if (sent.has(key) && !isUnset(values[key]) && draft.isSound(key)) draft.refuse(key, 'is not allowed');
  values[key] = notApplying(field);
}

/** An object, or an item of a list, and where it stands: `lines[0]`. */
interface Inside {
  readonly fields: readonly Field[];
  readonly item: Values;
  readonly place: string;
}

/**
 * Defaults and conditions inside objects and the items of lists, which are always whole. Of those with faults, what is
 * well-formed is judged.
 */
async function fillInside(draft: Draft, field: Field): Promise<void> {
  const value = draft.isSound(field.key) ? draft.values[field.key] : wellFormed(draft, field);
  if (value === null || value === undefined) return;
  if (field.kind === 'object') await fillItem(draft, { fields: field.fields, item: value as Values, place: field.key });
  if (field.kind === 'objects' && (draft.sent.has(field.key) || draft.before === undefined))
    await fillItems(draft, field, itemsOf(value));
}

async function fillItems(draft: Draft, field: ObjectsField, items: readonly (Values | null)[]): Promise<void> {
  const { key, fields, hasIds } = field;
  const { before, faults, group } = draft;
  const stored = new Set(itemsOf(before?.[key]).map((item) => item?.['id']));
  const root = group.resource.fields.indexOf(field);
  await fillByFormula(draft, field, items);
  for (const [index, item] of items.entries()) {
    if (faults.isDone(key, { place: [root, index] })) break;
    if (item === null) continue;
    const place = `${key}[${index}]`;
    await fillItem(draft, { fields, item, place });
    if (!hasIds || faults.places.has(`${place}.id`)) continue;
    const id = item['id'];
    if (id === undefined || id === null) item['id'] = newId();
    else if (!stored.has(id) && !draft.scope.isRestoring)
      draft.refuse(`${place}.id`, 'must be the id of an item of the stored list');
  }
}

/** Defaults by formula, in the order of what these look at, after those that stand in the descriptor. */
async function fillByFormula(
  draft: Draft,
  { key, fields }: ObjectsField,
  items: readonly (Values | null)[],
): Promise<void> {
  const filled = draft.group.defaultOrder.inItems.get(key);
  if (filled === undefined || filled.length === 0 || !draft.isSound(key)) return;
  const standing = items.flatMap((item, index) => (item === null ? [] : [{ item, index, place: `${key}[${index}]` }]));
  for (const { item } of standing)
    for (const field of fields)
      if (field.default !== undefined && field.onlyWhen === undefined && item[field.key] === undefined)
        item[field.key] = field.default;
  for (const field of filled)
    await fillFromSources(
      draft,
      field,
      standing.filter(({ item }) => item[field.key] === undefined),
    );
}

async function fillItem(draft: Draft, { fields, item, place }: Inside): Promise<void> {
  const { places } = draft.faults;
  const isSound = (...keys: readonly string[]): boolean => !keys.some((key) => places.has(`${place}.${key}`));
  const usual = async (field: Field): Promise<Value | undefined> =>
    field.default ?? (await valueFromSources(draft, field, item));
  for (const field of fields) {
    if (field.onlyWhen === undefined && item[field.key] === undefined && field.from === undefined)
      item[field.key] = (await usual(field)) ?? emptyValue(field);
  }
  for (const field of fields) {
    const { key, onlyWhen, requiredWhen } = field;
    if (onlyWhen !== undefined && isSound(...onlyWhen.keys) && !onlyWhen.test(item)) {
      if (!isUnset(item[key]) && isSound(key)) draft.refuse(`${place}.${key}`, 'is not allowed');
      item[key] = notApplying(field);
    } else if (onlyWhen !== undefined && isUnset(item[key])) {
      item[key] = (await usual(field)) ?? null;
    }
    const isNeeded = requiredWhen !== undefined && isSound(key, ...requiredWhen.keys) && requiredWhen.test(item);
    if (isNeeded && isUnset(item[key])) draft.refuse(`${place}.${key}`, 'is required');
  }
  for (const field of fields) {
    if (field.kind !== 'objects') continue;
    for (const [index, inside] of itemsOf(item[field.key]).entries()) {
      if (inside === null) continue;
      await fillItem(draft, { fields: field.fields, item: inside, place: `${place}.${field.key}[${index}]` });
    }
  }
}

function wellFormed({ partial, before }: Draft, { key, kind }: Field): Value | undefined {
  const sound = partial[key];
  const stored = before?.[key];
  return kind === 'object' && isRecord(sound) && isRecord(stored) ? { ...stored, ...sound } : sound;
}

/** Items of a list; null for one that is none at all. */
const itemsOf = (value: Value | undefined): (Values | null)[] => (Array.isArray(value) ? (value as Values[]) : []);

/** What a field holds while it does not apply: null where it can be null, an empty list, a switch that is off. */
function notApplying(field: Field): Value {
  if (field.unset === 'null') return null;
  return emptyValue(field) ?? (kinds[field.kind].isSwitch ? (field.default ?? false) : null);
}
