// Figures: fields that equal a formula. They are taken in the order of what they look at.
import { amountFault, heldIn, roundedIn } from '../behaviours/amounts.ts';
import { factsOf } from '../behaviours/going.ts';
import { ReadFacts } from '../behaviours/read-facts.ts';
import { isRecord, isUnset } from '../behaviours/record-values.ts';
import { patternWords } from '../endpoints/words.ts';
import type { Read } from '../formulas/analyse/dependencies.ts';
import { type Sums, sumsIn } from '../formulas/evaluate/deltas.ts';
import { recordValue } from '../formulas/evaluate/facts.ts';
import { isList, isMade, isRecord as isRecordValue, type Known, type RecordValue } from '../formulas/language/value.ts';
import { readsBehind } from '../registry/figures.ts';
import type { Field, Figure, ListField, Resource, ScalarField, Value, Values } from '../registry/model.ts';
import { textFormats } from '../registry/text-formats.ts';
import { isList as isListField } from '../storage/tables.ts';
import { codePoints } from '../values/format.ts';
import { matches } from '../values/pattern.ts';
import { claimFault } from './claims.ts';
import { copyOf } from './copy-values.ts';
import type { Draft } from './draft.ts';
import { writeOf } from './rule-steps.ts';
import { sameValue } from './same-value.ts';

/** A field with a formula, and where it is: below which keys of objects and lists. */
export interface FigureField {
  readonly inside: readonly string[];
  readonly field: Field;
  readonly figure: Figure;
  /** Sums over other records that it is made of. */
  readonly sums: Sums | undefined;
  /** Whether the record itself may be among those. */
  readonly sumsItself: boolean;
  /** Keys of the lists of the record without which it cannot be taken. */
  readonly lists: readonly string[];
}

/** All figures of a record that are kept, those of its objects and items too. */
export const figuresIn = ({ name, fields }: Pick<Resource, 'name' | 'fields'>): readonly FigureField[] => {
  const lists = new Set(listKeys({ fields }));
  const kept = within(fields, []).filter(({ figure }) => figure.taken !== 'atRead');
  return kept.map(({ inside, field, figure }) => ({
    inside,
    field,
    figure,
    ...sumsOf(figure, name),
    lists: [...new Set([inside[0] ?? field.key, ...keysRead(name, readsBehind(figure))])].filter((key) =>
      lists.has(key),
    ),
  }));
};

function sumsOf({ taken, tree }: Figure, group: string): Pick<FigureField, 'sums' | 'sumsItself'> {
  const sums = taken === 'always' ? sumsIn(tree) : undefined;
  return { sums, sumsItself: sums?.groups.has(group) === true };
}

/** Keys of the lists that have rows of their own. */
export const listKeys = ({ fields }: Pick<Resource, 'fields'>): readonly string[] =>
  fields.filter(isListField).map(({ key }) => key);

/** Keys of the record under which something looks: at its own values, or among all records of the group, of which it is one. */
export const keysRead = (group: string, reads: readonly Read[]): readonly string[] =>
  reads.flatMap(({ shape, key }) => (shape.group === group ? [shape.lists[0] ?? key] : []));

function within(
  fields: readonly Field[],
  inside: readonly string[],
): readonly Pick<FigureField, 'inside' | 'field' | 'figure'>[] {
  return fields.flatMap((field) => {
    const deeper =
      field.kind === 'object' || field.kind === 'objects' ? within(field.fields, [...inside, field.key]) : [];
    return field.figure === undefined ? deeper : [...deeper, { inside, field, figure: field.figure }];
  });
}

/** What tells a figure of a record from the others: `budget.revenue`. */
export const pathOf = ({ inside, field }: Pick<FigureField, 'inside' | 'field'>): string =>
  [...inside, field.key].join('.');

/** Where a figure is written: the record, or an object or item of it. */
export interface Place {
  readonly draft: Draft;
  readonly values: Values;
  readonly self: RecordValue;
  /** `lines[0].`, to stand before the name of the field. */
  readonly path: string;
}

/** Takes a figure of the record, or of each of the items that have it. */
export async function takeFigure(draft: Draft, each: FigureField, when: 'due' | 'anew' = 'due'): Promise<void> {
  if (when === 'due' && !isTaken(draft, each)) {
    keepFigure(draft, each.field);
    return;
  }
  // Conditions hold what they look at, also where a figure looks at it for them.
  const isJudged = draft.group.judgedFigures.has(pathOf(each));
  await takeFigures([draft], each, isJudged ? factsOf(writeOf(draft), draft.operation === 'create') : factsFor(draft));
  // The stages that follow may change it yet.
  draft.scope.noteTaken(draft.name, pathOf(each), each.sumsItself ? copyOf(draft.values) : undefined);
}

/** What figures of a record look at, before effects of the write. */
export const factsFor = (draft: Draft): ReadFacts =>
  new ReadFacts({ records: draft.scope.records, write: writeOf(draft), isNew: draft.operation === 'create' });

/** The same of many records, in as many rounds of reading as of one. */
export async function takeFigures(drafts: readonly Draft[], each: FigureField, facts: ReadFacts): Promise<void> {
  const { inside, field, figure } = each;
  const all = drafts
    .filter((draft) => !hangsOnOverlong(draft, each))
    .flatMap((draft) => placesIn({ draft, values: draft.values, self: recordValue(draft.values), path: '' }, inside));
  const places = await applying(all, each, facts);
  const judged = await facts.evaluateAll(
    figure.tree,
    places.map(({ self }) => self),
  );
  for (const [index, place] of places.entries()) {
    const { draft, values, path } = place;
    const { value = null, overlong } = judged[index] ?? {};
    const right = held(draft, { field, value, overlong, place: path + field.key });
    values[field.key] = right;
    if (overlong !== undefined) {
      draft.overlong.add(each);
      continue;
    }
    // Only a reference to nothing leads nowhere here, which is then told in its own words.
    if (right === null && field.unset === 'never' && field.kind !== 'date')
      draft.refuse(path + field.key, 'must lead to a record');
  }
}

/**
 * Whether a figure looks at one whose value became too long on its way: then it is told of that one alone, and nothing grows on.
 */
function hangsOnOverlong(draft: Draft, each: FigureField): boolean {
  if (draft.overlong.size === 0) return false;
  const reads = readsBehind(each.figure);
  const isOverlong = [...draft.overlong].some(
    ({ field, figure }) =>
      each.field !== field && reads.some(({ shape, key }) => shape === figure.on && key === field.key),
  );
  if (isOverlong) draft.overlong.add(each);
  return isOverlong;
}

/** What is not taken now is as it was, whatever the body says of it. Only of the record: inside it, nothing else is accepted. */
function keepFigure({ claims, before, values }: Draft, { key }: Field): void {
  if (claims.get(values)?.[key] !== undefined) values[key] = before?.[key] ?? null;
}

/** Refuses values of figures that the body claims and that are not right, once the states that they may hang on have followed. */
export function refuseOtherClaims(draft: Draft): void {
  const { claims, group, values } = draft;
  if (claims.size === 0) return;
  for (const each of group.figures) {
    // What was never computed is not compared.
    if (draft.overlong.has(each)) continue;
    const { inside, field } = each;
    for (const place of placesIn({ draft, values, self: recordValue(values), path: '' }, inside)) {
      const fault = claimFault(field, claims.get(place.values)?.[field.key], place.values[field.key] ?? null);
      if (fault !== undefined) draft.refuse(place.path + field.key, fault);
    }
  }
}

/** Of the places of a figure those where its condition holds; in all others the field is one without a formula. */
async function applying(places: readonly Place[], each: FigureField, facts: ReadFacts): Promise<readonly Place[]> {
  const { field, figure } = each;
  const { when } = figure;
  if (when === undefined) return places;
  const judged = await facts.evaluateAll(
    when.tree,
    places.map(({ self }) => self),
  );
  return places.filter((place, index) => {
    const { draft, values, path } = place;
    const isTrue = judged[index]?.value === true;
    if (isTrue) refuseSent(place, each);
    if (!isTrue && isUnset(values[field.key]) && isNeeded(draft, field)) draft.refuse(path + field.key, 'is required');
    return isTrue;
  });
}

/** Refuses a value of a figure that is computed. */
function refuseSent({ draft, values, path }: Place, each: FigureField): void {
  const { field } = each;
  if (field.accepts === undefined && isSentAt(draft, each, values)) draft.refuse(path + field.key, 'is not allowed');
}

/** Of a body with faults: refuses the values of figures that are computed, as far as what is well-formed tells that they are. */
export async function refuseSentFigures(draft: Draft): Promise<void> {
  const { places } = draft.faults;
  const values = { ...draft.values, ...draft.partial };
  const facts = factsFor(draft);
  for (const each of draft.group.toldFigures) {
    const { inside, field, figure } = each;
    const named = [field.key, ...(figure.when?.keys ?? [])];
    const found = placesIn({ draft, values, self: recordValue(values), path: '' }, inside).filter(
      ({ path }) => !named.some((key) => places.has(path + key)),
    );
    if (figure.when === undefined || found.length === 0) continue;
    const judged = await facts.evaluateAll(
      figure.when.tree,
      found.map(({ self }) => self),
    );
    for (const [index, place] of found.entries()) if (judged[index]?.value === true) refuseSent(place, each);
  }
}

/** Whether a figure that is not computed must have a value. */
const isNeeded = ({ values }: Draft, { unset, requiredWhen }: Field): boolean =>
  unset === 'never' || requiredWhen?.test(values) === true;

/** Whether the body sends a value of a figure that is computed: in an object, another than the stored one and the default. */
function isSentAt(draft: Draft, { inside: [root], field }: FigureField, values: Readonly<Values>): boolean {
  const { key } = field;
  if (root === undefined) return draft.sent.has(key) && draft.isSound(key) && !isUnset(values[key]);
  if (!draft.sent.has(root) || isUnset(values[key]) || sameValue(values[key], field.default)) return false;
  const before = draft.before?.[root];
  return !isRecord(before) || !sameValue(before[key], values[key]);
}

/** Keys of the record's fields on which a figure hangs, those of its condition too. */
export const keysBehind = ({ keys, whenKeys }: Figure): readonly string[] => [...keys, ...whenKeys];

/** The same, and those of which it looks at records of its own group: the record itself may be one of these. */
export const keysMoving = (group: string, figure: Figure): readonly string[] => [
  ...keysBehind(figure),
  ...figure.watches.flatMap((watch) => (watch.group === group ? [...watch.keys] : [])),
];

/** Whether a figure inside an object or a list looks at something in there that has changed. */
export function isMovedInside({ before, values }: Draft, { inside: [root], figure }: FigureField): boolean {
  if (root === undefined) return false;
  const looked = figure.reads.filter(({ isOwn, shape }) => isOwn && shape.owner !== undefined);
  const [old, now] = [before?.[root], values[root]];
  // In an object it is told by its fields; where there are items, any of them may count.
  if (isRecord(old) && isRecord(now) && looked.every(({ shape }) => shape === figure.on))
    return looked.some(({ key }) => !sameValue(old[key], now[key]));
  return looked.length > 0 && !sameValue(old, now);
}

/** Whether this write takes a figure. */
export function isTaken(draft: Draft, { field, figure, inside: [root] }: FigureField): boolean {
  const { taken, isLocal } = figure;
  if (draft.operation === 'create' || (taken === 'always' && isLocal)) return true;
  // Whether it may be sent, and must be, is asked where its condition is.
  if (root === undefined && figure.when !== undefined && isClaimed(draft, field)) return true;
  if (taken === 'onCreate') return isTakenAgain(draft, figure);
  if (taken === 'atWrite' && !draft.isEffect) return true;
  // Of what is always true, whoever changes the records that it looks at brings it up to date: here only what it looks at in this one counts.
  return [...keysMoving(draft.name.group, figure), ...(root === undefined ? [] : [root])].some(
    (key) => !sameValue(draft.before?.[key], draft.values[key]),
  );
}

/** Whether a body sends a field, or changes what it is required for. */
const isClaimed = ({ before, values, sent }: Draft, { key, requiredWhen }: Field): boolean =>
  sent.has(key) || requiredWhen?.keys.some((each) => !sameValue(before?.[each], values[each])) === true;

/** Whether a field changes whose change takes a formula anew. */
export const isTakenAgain = ({ before, values }: Draft, { again }: Figure): boolean =>
  again.some((key) => !sameValue(before?.[key], values[key]));

/** An item of a list of the record that is written, and where it stands: `lines[0]`. */
export interface Standing {
  readonly item: Values;
  readonly index: number;
  readonly place: string;
}

/** What a formula of the record gives now, as a field keeps it. */
export async function valueOfFormula(draft: Draft, field: Field, { tree }: Figure): Promise<Value> {
  const { value, overlong } = await factsFor(draft).evaluate(tree, recordValue(draft.values));
  return heldByDefault(draft, { field, value, overlong, place: field.key });
}

/** A default that gives nothing leaves the field as nobody has sent it. */
const heldByDefault = (draft: Draft, taken: Taken): Value =>
  taken.value === null && taken.overlong === undefined ? fieldValue(taken.field, null) : held(draft, taken);

/** What a formula of each of these items gives now: in as many rounds of reading as of one. */
export async function valuesInItems(
  draft: Draft,
  { field, figure: { tree } }: Pick<FigureField, 'field' | 'figure'>,
  items: readonly Standing[],
): Promise<readonly Value[]> {
  const owner = recordValue(draft.values);
  const selves = items.map(({ item, index }) => ({ ...recordValue(item), owner, place: index }));
  const judged = await factsFor(draft).evaluateAll(tree, selves);
  return judged.map(({ value, overlong }, index) =>
    heldByDefault(draft, { field, value, overlong, place: `${items[index]?.place}.${field.key}` }),
  );
}

export function placesIn(place: Place, [key, ...deeper]: readonly string[]): readonly Place[] {
  if (key === undefined) return [place];
  const value = place.values[key];
  const path = place.path + key;
  const inside = (values: Values, at: number, name: string): Place => ({
    draft: place.draft,
    values,
    self: { ...recordValue(values), owner: place.self, place: at },
    path: `${name}.`,
  });
  const found = Array.isArray(value)
    ? value.flatMap((item, at) => (isRecord(item) ? [inside(item, at, `${path}[${at}]`)] : []))
    : isRecord(value)
      ? [inside(value, 0, path)]
      : [];
  return found.flatMap((each) => placesIn(each, deeper));
}

/** The same of a list: each of its items is held, and no more of them than there may be. */
function heldList(
  draft: Draft,
  { field, list, place }: Pick<Taken, 'field' | 'place'> & { readonly list: readonly Known[] },
): Value {
  const values = fieldValue(field, list);
  const count = Array.isArray(values) ? values.length : 0;
  if ('maxItems' in field && count > field.maxItems) draft.refuse(place, `must have at most ${field.maxItems} items`);
  for (const [index, one] of list.filter((each) => each !== null).entries()) {
    if (field.kind === 'list') held(draft, { field: itemField(field), value: one, place: `${place}[${index}]` });
    if (field.kind !== 'objects' || !isMade(one)) continue;
    // A figure of an item is taken later.
    for (const item of field.fields.filter(({ figure }) => figure === undefined))
      held(draft, { field: item, value: one.entries[item.name] ?? null, place: `${place}[${index}].${item.key}` });
  }
  return values;
}

/** What an item of a list of plain values is. */
export const itemField = (field: ListField): ScalarField => ({
  ...{ ...field, ...field.item },
  default: undefined,
  transitions: undefined,
});

interface Taken {
  readonly field: Field;
  readonly value: Known;
  /** What to say of a value that became too long on its way. */
  readonly overlong?: string | undefined;
  readonly place: string;
}

/** A value of a formula as a field of its kind holds it. */
export function fieldValue(field: Field, value: Known): Value {
  if (value === null) return field.default ?? (field.kind === 'boolean' && field.unset !== 'null' ? false : null);
  if (isRecordValue(value)) return value.id ?? null;
  if (isList(value)) return listValue(field, value);
  if (isMade(value)) return null;
  if (typeof value !== 'string') return value as Value;
  // A text without anything to see is none.
  if (field.kind === 'text' && value.trim() === '') return field.unset === 'null' ? null : '';
  return field.kind === 'integer' || field.kind === 'decimal' ? heldIn(field, roundedIn(field, value)) : value;
}

/** A list that a formula gives: ids of records, each of them once; plain values; or items with the fields that it names. */
function listValue(field: Field, list: readonly Known[]): Value {
  const values = list.filter((one) => one !== null);
  if (field.kind === 'references') return [...new Set(values.flatMap((one) => fieldValue(field, one) ?? []))];
  if (field.kind === 'list') return values.map((one) => fieldValue(itemField(field), one));
  if (field.kind !== 'objects') return null;
  return values.map((one) => {
    const entries = isMade(one) ? one.entries : {};
    return Object.fromEntries(field.fields.map((item) => [item.key, fieldValue(item, entries[item.name] ?? null)]));
  });
}

/** The same, refused where the field cannot hold it. */
export function held(draft: Draft, { field, value, overlong, place }: Taken): Value {
  if (overlong !== undefined) {
    draft.refuse(place, overlong);
    return fieldValue(field, null);
  }
  if (value !== null && isList(value)) return heldList(draft, { field, list: value, place });
  const kept = typeof value === 'string' ? undefined : fieldValue(field, value);
  // A formula that is never null gives null where a reference on its way leads to nothing: that is told first.
  if (kept === null && field.unset === 'never')
    draft.refuse(place, field.kind === 'date' ? 'must be a date of the years 1000 to 9999' : 'is required');
  if (typeof value !== 'string') return kept ?? null;
  if (field.kind === 'integer' || field.kind === 'decimal') {
    const fault = amountFault(field, roundedIn(field, value));
    if (fault !== undefined) draft.refuse(place, `must be ${fault}`);
    return fieldValue(field, value);
  }
  if (field.kind === 'text' && codePoints(value) > field.maxLength)
    draft.refuse(place, `must be at most ${field.maxLength} characters`);
  const pattern = field.kind === 'text' ? field.pattern : undefined;
  if (field.kind === 'text' && pattern !== undefined && value !== '' && !matches(pattern, value))
    draft.refuse(place, `must be ${patternWords({ pattern, sample: field.sample })}`);
  const form = field.kind === 'text' && field.format !== undefined ? textFormats[field.format] : undefined;
  if (form !== undefined && value !== '' && !form.test(value)) draft.refuse(place, `must be ${form.words}`);
  return fieldValue(field, value);
}
