// Computes figures: fields that equal a formula, in the order of what they depend on.

import { ReadFacts } from '../../facts/read-facts.ts';
import { isRecord, isUnset } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import { readsBehind } from '../../registry/formulas/figures.ts';
import type { Field, Figure, Value, Values } from '../../registry/model/model.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { copyOf } from '../changes/copy-values.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import type { Taken } from '../draft/field-value.ts';
import { fieldValue, held } from '../draft/field-value.ts';
import { writeOf } from '../draft/moment.ts';
import { sentFigureFault } from '../draft/sent-figures.ts';
import type { FigureField } from '../plan/figures.ts';

/** Where a figure is written: the record, or an object or item of it. */
export interface FigurePlace {
  readonly draft: Draft;
  readonly values: Values;
  readonly self: RecordValue;
  /** `lines[0].`, to stand before the name of the field. */
  readonly path: string;
}

/** Takes a figure of the record, or of each of the items that have it. */
export function computeFigure(draft: Draft, each: FigureField, when: 'due' | 'anew' = 'due'): Soon<void> {
  // What was taken once is what it was.
  if (draft.isRestored && each.figure.taken !== 'always') return;
  if (when === 'due' && !isComputed(draft, each)) {
    keepFigure(draft, each.field);
    return;
  }
  // Conditions hold what they look at, also where a figure looks at it for them.
  const isJudged = draft.group.judgedFigures.has(each.path);
  const facts = isJudged
    ? factsOf(writeFor(draft, each.figure), draft.operation === 'create')
    : factsFor(draft, each.figure);
  return soon(computeFigures([draft], each, facts), () =>
    // The stages that follow may change it yet.
    draft.scope.noteTaken(draft.name, each.path, each.sumsItself ? copyOf(draft.values) : undefined),
  );
}

/** What figures of a record look at, before effects of the write. */
export const factsFor = (draft: Draft, figure?: Figure): ReadFacts =>
  new ReadFacts({ records: draft.scope.records, write: writeFor(draft, figure), isNew: draft.operation === 'create' });

/** What is kept as of the day sees the one that was reached. */
function writeFor(draft: Draft, figure: Figure | undefined): ReturnType<typeof writeOf> {
  const write = writeOf(draft);
  return figure === undefined || figure.days.length === 0
    ? write
    : { ...write, results: undefined, today: () => draft.scope.reached() };
}

/** The same of many records, in as many rounds of reading as of one. */
export function computeFigures(drafts: readonly Draft[], each: FigureField, facts: ReadFacts): Soon<void> {
  const all = drafts.filter((draft) => !hangsOnOverlong(draft, each)).flatMap((draft) => placesOf(draft, each));
  return soon(applying(all, each, facts), (places) => {
    const selves = places.map(({ self }) => self);
    return soon(facts.evaluateAll(each.figure.tree, selves), (judged) => keep(places, each, judged));
  });
}

/** Writes what a figure gives where it stands. */
function keep(
  places: readonly FigurePlace[],
  each: FigureField,
  judged: Awaited<ReturnType<ReadFacts['evaluateAll']>>,
): void {
  const { field } = each;
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
      draft.refuse(path + field.key, 'must lead to a record', 'reference-unknown');
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
function keepFigure({ sentFigures, before, values }: Draft, { key }: Field): void {
  if (sentFigures.get(values)?.[key] !== undefined) values[key] = before?.[key] ?? null;
}

/** Refuses values of figures that the body sends and that are not right, once the states that they may hang on have followed. */
export function refuseWrongFigures(draft: Draft): void {
  const { sentFigures, group } = draft;
  if (sentFigures.size === 0) return;
  for (const each of group.figures) {
    // What was never computed is not compared.
    if (draft.overlong.has(each)) continue;
    const { field } = each;
    for (const place of placesOf(draft, each)) {
      if (sentFigures.get(place.values)?.[field.key] !== undefined && isHidden(draft, each)) {
        // A right guess is not told from a wrong one.
        draft.refuse(place.path + field.key, 'must be …', 'not-allowed');
        continue;
      }
      const fault = sentFigureFault(field, sentFigures.get(place.values)?.[field.key], place.values[field.key] ?? null);
      if (fault !== undefined) draft.refuse(place.path + field.key, fault, 'not-allowed');
    }
  }
}

/** Whether the caller does not see a figure, or the field of the record in which it stands. */
const isHidden = ({ scope }: Draft, { inside: [root], field }: FigureField): boolean =>
  scope.judge?.hides(root ?? field.key) === true;

/** Of the places of a figure those where its condition holds; in all others the field is one without a formula. */
function applying(places: readonly FigurePlace[], each: FigureField, facts: ReadFacts): Soon<readonly FigurePlace[]> {
  const { field, figure } = each;
  const { when } = figure;
  if (when === undefined) return places;
  const selves = places.map(({ self }) => self);
  return soon(facts.evaluateAll(when.tree, selves), (judged) =>
    places.filter((place, index) => {
      const { draft, values, path } = place;
      const isTrue = judged[index]?.value === true;
      if (isTrue) refuseSent(place, each);
      if (!isTrue && isUnset(values[field.key]) && isNeeded(draft, field))
        draft.refuse(path + field.key, 'is required', 'required');
      return isTrue;
    }),
  );
}

/** Refuses a value of a figure that is computed. */
function refuseSent({ draft, values, path }: FigurePlace, each: FigureField): void {
  const { field } = each;
  if (field.accepts !== undefined || draft.isRestored || !isSentAt(draft, each, values)) return;
  draft.refuse(path + field.key, 'is not allowed', 'not-allowed');
  draft.saysTooMuch = true;
}

/** Of a body with faults: refuses the values of figures that are computed, as far as what is well-formed tells that they are. */
export async function refuseSentFigures(draft: Draft): Promise<void> {
  const { places } = draft.faults;
  const values = { ...draft.values, ...draft.partial };
  const facts = factsFor(draft);
  for (const each of draft.group.toldFigures) {
    const { field, figure } = each;
    const named = [field.key, ...(figure.when?.keys ?? [])];
    const found = placesOf(draft, each, values).filter(({ path }) => !named.some((key) => places.has(path + key)));
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
export function isComputed(draft: Draft, each: FigureField): boolean {
  const {
    field,
    figure,
    inside: [root],
    movedBy,
  } = each;
  const { taken, isLocal } = figure;
  if (draft.operation === 'create' || (taken === 'always' && isLocal)) return true;
  // Whether it may be sent, and must be, is asked where its condition is.
  if (root === undefined && figure.when !== undefined && isClaimed(draft, field)) return true;
  if (taken === 'onCreate') return isComputedAgain(draft, figure);
  if (taken === 'atWrite' && !draft.isEffect) return true;
  // What the write has done before its effects is not yet known of here, and what is taken now is not taken again.
  if (draft.isEffect && draft.group.behindTaken.has(each)) return true;
  // Of what is always true, whoever changes the records that it looks at brings it up to date: here only what it looks at in this one counts.
  const { keys } = draft.changed;
  return movedBy.some((key) => keys.has(key));
}

/** Whether a body sends a field, or changes what it is required for. */
const isClaimed = ({ before, values, sent }: Draft, { key, requiredWhen }: Field): boolean =>
  sent.has(key) || requiredWhen?.keys.some((each) => !sameValue(before?.[each], values[each])) === true;

/** Whether a field changes whose change takes a formula anew. */
export const isComputedAgain = ({ before, values }: Draft, { again }: Figure): boolean =>
  again.some((key) => !sameValue(before?.[key], values[key]));

/** An item of a list of the record that is written, and where it stands: `lines[0]`. */
export interface PlacedItem {
  readonly item: Values;
  readonly index: number;
  readonly place: string;
}

/** What a formula of the record gives now, as a field keeps it. */
export function valueOfFormula(draft: Draft, field: Field, { tree }: Figure): Soon<Value> {
  return soon(factsFor(draft).evaluate(tree, recordValue(draft.values)), ({ value, overlong }) =>
    heldByDefault(draft, { field, value, overlong, place: field.key }),
  );
}

/** A default that gives nothing leaves the field as nobody has sent it. */
const heldByDefault = (draft: Draft, taken: Taken): Value =>
  taken.value === null && taken.overlong === undefined ? fieldValue(taken.field, null) : held(draft, taken);

/** What a formula of each of these items gives now: in as many rounds of reading as of one. */
export function valuesInItems(
  draft: Draft,
  { field, figure: { tree } }: Pick<FigureField, 'field' | 'figure'>,
  items: readonly PlacedItem[],
): Soon<readonly Value[]> {
  const owner = recordValue(draft.values);
  const selves = items.map(({ item, index }) => ({ ...recordValue(item), owner, place: index }));
  return soon(factsFor(draft).evaluateAll(tree, selves), (judged) =>
    judged.map(({ value, overlong }, index) =>
      heldByDefault(draft, { field, value, overlong, place: `${items[index]?.place}.${field.key}` }),
    ),
  );
}

/** Where a figure is written in a record. */
export const placesOf = (
  draft: Draft,
  { inside }: Pick<FigureField, 'inside'>,
  values: Values = draft.values,
): readonly FigurePlace[] => placesIn({ draft, values, self: recordValue(values), path: '' }, inside);

function placesIn(place: FigurePlace, [key, ...deeper]: readonly string[]): readonly FigurePlace[] {
  if (key === undefined) return [place];
  const value = place.values[key];
  const path = place.path + key;
  const inside = (values: Values, at: number, name: string): FigurePlace => ({
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
