// Fills in what nobody has sent: defaults, values that rules give, fields that apply only in some states, items of lists.

import { isRecord, isUnset } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, ObjectsField, Value, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { newId } from '../../values/id.ts';
import { inTurn, type Soon, soon } from '../../values/soon.ts';
import type { Draft } from '../draft/draft.ts';
import { heldFromElsewhere } from '../draft/field-value.ts';
import { writeOf } from '../draft/moment.ts';
import { emptyValue } from '../plan/default-order.ts';
import { isLocalCondition } from '../plan/judged.ts';
import { runRules } from '../rules/rule-steps.ts';
import { fillFromSources, isDefaultAgain, valueFromSources } from './default-sources.ts';

/** Gives a value to every field that has none. */
export function fillRecord(draft: Draft): Soon<void> {
  const { values } = draft;
  const { fixed, sourced, late, composite, empty } = draft.group.defaultOrder;
  for (const field of fixed) if (isMissing(draft, field)) values[field.key] = field.default;
  return inTurn(
    [
      () => inTurn(sourced, (field) => fillMissing(draft, field)),
      () => fillByRules(draft),
      () => inTurn(late, (field) => (field.onlyWhen === undefined ? fillMissing : applyCondition)(draft, field)),
      () => inTurn(composite, (field) => fillInside(draft, field)),
      () => {
        for (const { key, value } of empty) values[key] ??= fresh(value);
      },
    ],
    (fill) => fill(),
  );
}

/** What rules make of others may be more than a field takes. What they leave as it is has been judged. */
function fillByRules(draft: Draft): Soon<void> {
  const { values, group } = draft;
  const { byRules } = group.defaultOrder;
  const before = byRules.map(({ key }) => values[key]);
  return soon(runRules(draft, 'fill'), () => {
    for (const [place, field] of byRules.entries()) {
      const { key } = field;
      const value = values[key];
      if (value !== before[place]) values[key] = heldFromElsewhere(draft, { field, value, place: key });
    }
  });
}

/** A list belongs to one record or item alone. */
const fresh = (value: Value | undefined): Value | undefined => (Array.isArray(value) ? [...value] : value);

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
export function applyByOthers(draft: Draft): Soon<void> {
  const { reaching } = draft.group.defaultOrder;
  if (reaching.length === 0) return undefined;
  const facts = factsOf(writeOf(draft));
  return inTurn(reaching, (field) => {
    const { onlyWhen } = field;
    if (onlyWhen === undefined || !draft.isSound(...onlyWhen.keys)) return undefined;
    if (isLeftByEffect(draft, [field.key, ...onlyWhen.keys])) return undefined;
    return soon(facts.evaluate(onlyWhen.tree, recordValue(draft.values)), ({ value, throughNull }) => {
      if (value !== true && !throughNull) dropValue(draft, field);
    });
  });
}

const isLeftByEffect = ({ isEffect, operation, sent }: Draft, keys: readonly string[]): boolean =>
  isEffect && operation === 'update' && !keys.some((key) => sent.has(key));

function dropValue(draft: Draft, field: Field): void {
  const { values, sent, isRestored } = draft;
  const { key } = field;
  if (!isRestored && sent.has(key) && !isUnset(values[key]) && draft.isSound(key))
    draft.refuse(key, 'is not allowed', 'not-allowed');
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
function fillInside(draft: Draft, field: Field): Soon<void> {
  const value = draft.isSound(field.key) ? draft.values[field.key] : wellFormed(draft, field);
  if (value === null || value === undefined) return undefined;
  if (field.kind === 'object')
    return fillItem(draft, { fields: field.fields, item: value as Values, place: field.key });
  return field.kind === 'objects' && (draft.sent.has(field.key) || draft.before === undefined)
    ? fillItems(draft, field, itemsOf(value))
    : undefined;
}

function fillItems(draft: Draft, field: ObjectsField, items: readonly (Values | null)[]): Soon<void> {
  const { key, fields, hasIds } = field;
  const { before, faults, group } = draft;
  const stored = new Set(itemsOf(before?.[key]).map((item) => item?.['id']));
  const root = group.resource.fields.indexOf(field);
  const giveId = (item: Values, place: string): void => {
    if (!hasIds || faults.places.has(`${place}.id`)) return;
    const id = item['id'];
    if (id === undefined || id === null) item['id'] = newId();
    else if (!stored.has(id) && !draft.isRestored)
      draft.refuse(`${place}.id`, 'must be the id of an item of the stored list', 'invalid-value');
  };
  return soon(fillByFormula(draft, field, items), () =>
    inTurn([...items.entries()], ([index, item]) => {
      if (item === null || faults.isDone(key, { place: [root, index] })) return undefined;
      const place = `${key}[${index}]`;
      return soon(fillItem(draft, { fields, item, place }), () => giveId(item, place));
    }),
  );
}

/** Defaults by formula, in the order of what these look at, after those that stand in the descriptor. */
function fillByFormula(draft: Draft, { key, fields }: ObjectsField, items: readonly (Values | null)[]): Soon<void> {
  const filled = draft.group.defaultOrder.inItems.get(key);
  if (filled === undefined || filled.length === 0 || !draft.isSound(key)) return undefined;
  const standing = items.flatMap((item, index) => (item === null ? [] : [{ item, index, place: `${key}[${index}]` }]));
  for (const { item } of standing)
    for (const field of fields)
      if (field.default !== undefined && field.onlyWhen === undefined && item[field.key] === undefined)
        item[field.key] = field.default;
  return inTurn(filled, (field) =>
    fillFromSources(
      draft,
      field,
      standing.filter(({ item }) => item[field.key] === undefined),
    ),
  );
}

function fillItem(draft: Draft, inside: Inside): Soon<void> {
  const { fields, item, place } = inside;
  const order = draft.group.insideOrders.get(fields) ?? unreachable(`nobody knows how ${place} is filled in`);
  const { standing, sourced, conditional, lists } = order;
  for (const { key, value } of standing) if (item[key] === undefined) item[key] = fresh(value);
  const filled = inTurn(sourced, (field) => (item[field.key] === undefined ? fillIn(draft, field, inside) : undefined));
  const applied = soon(filled, () => inTurn(conditional, (field) => applyInside(draft, field, inside)));
  if (lists.length === 0) return applied;
  const within = ({ key, fields: deeper }: ObjectsField): Soon<void> =>
    inTurn([...itemsOf(item[key]).entries()], ([index, one]) =>
      one === null ? undefined : fillItem(draft, { fields: deeper, item: one, place: `${place}.${key}[${index}]` }),
    );
  return soon(applied, () => inTurn(lists, within));
}

const fillIn = (draft: Draft, field: Field, inside: Inside): Soon<void> =>
  soon(valueFromSources(draft, field, inside), (value) => {
    inside.item[field.key] = value ?? emptyValue(field);
  });

/** A field that applies only in some states of its item, and one that is required only in some. */
function applyInside(draft: Draft, field: Field, inside: Inside): Soon<void> {
  const { item } = inside;
  const { key, onlyWhen } = field;
  if (onlyWhen === undefined) return requireInside(draft, field, inside);
  if (!isSoundInside(draft, inside, onlyWhen.keys) || onlyWhen.test(item)) {
    if (!isUnset(item[key])) return requireInside(draft, field, inside);
    return soon(field.default ?? valueFromSources(draft, field, inside), (value) => {
      item[key] = value ?? null;
      requireInside(draft, field, inside);
    });
  }
  if (!draft.isRestored && !isUnset(item[key]) && isSoundInside(draft, inside, [key]))
    draft.refuse(`${inside.place}.${key}`, 'is not allowed', 'not-allowed');
  item[key] = notApplying(field);
  requireInside(draft, field, inside);
}

function requireInside(draft: Draft, { key, requiredWhen }: Field, inside: Inside): void {
  if (requiredWhen === undefined || !isUnset(inside.item[key])) return;
  if (isSoundInside(draft, inside, [key, ...requiredWhen.keys]) && requiredWhen.test(inside.item))
    draft.refuse(`${inside.place}.${key}`, 'is required', 'required');
}

const isSoundInside = ({ faults: { places } }: Draft, { place }: Inside, keys: readonly string[]): boolean =>
  places.size === 0 || !keys.some((key) => places.has(`${place}.${key}`));

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
