// Figures: fields that equal a formula. They are taken in the order of what they look at.
import { amountFault, heldIn, roundedIn } from '../behaviours/amounts.ts';
import { ReadFacts } from '../behaviours/read-facts.ts';
import { isRecord } from '../behaviours/record-values.ts';
import { type RecordValue, recordValue } from '../formulas/facts.ts';
import { isRecord as isRecordValue, type Known } from '../formulas/value.ts';
import type { Field, Figure, Resource, Value, Values } from '../registry/model.ts';
import { textFormats } from '../registry/text-formats.ts';
import { codePoints } from '../values/format.ts';
import { claimFault } from './claims.ts';
import type { Draft } from './draft.ts';
import { writeOf } from './rule-steps.ts';
import { sameValue } from './same-value.ts';

/** A field with a formula, and where it is: below which keys of objects and lists. */
export interface FigureField {
  readonly inside: readonly string[];
  readonly field: Field;
  readonly figure: Figure;
}

/** All figures of a record, those of its objects and items too. */
export const figuresIn = ({ fields }: Pick<Resource, 'fields'>): readonly FigureField[] => within(fields, []);

function within(fields: readonly Field[], inside: readonly string[]): readonly FigureField[] {
  return fields.flatMap((field) => {
    const deeper =
      field.kind === 'object' || field.kind === 'objects' ? within(field.fields, [...inside, field.key]) : [];
    return field.figure === undefined ? deeper : [...deeper, { inside, field, figure: field.figure }];
  });
}

/** Where a figure is written: the record, or an object or item of it. */
interface Place {
  readonly values: Values;
  readonly self: RecordValue;
  /** `lines[0].`, to stand before the name of the field. */
  readonly path: string;
}

/** Takes a figure of the record, or of each of the items that have it. */
export async function takeFigure(draft: Draft, { inside, field, figure }: FigureField): Promise<void> {
  if (!isTaken(draft, figure)) {
    keepFigure(draft, field);
    return;
  }
  const facts = new ReadFacts({ records: draft.scope.records, write: writeOf(draft) });
  const whole: Place = { values: draft.values, self: recordValue(draft.values), path: '' };
  const places = placesIn(whole, inside);
  const judged = await facts.evaluateAll(
    figure.tree,
    places.map(({ self }) => self),
  );
  for (const [index, place] of places.entries()) {
    const { values, path } = place;
    const right = held(draft, { field, value: judged[index]?.value ?? null, place: path + field.key });
    values[field.key] = right;
    refuseOther(draft, field, { ...place, right });
  }
}

/** What is not taken now is as it was, whatever the body says of it. Only of the record: inside it, nothing else is accepted. */
function keepFigure(draft: Draft, field: Field): void {
  const { values } = draft;
  if (draft.claims.get(values)?.[field.key] === undefined) return;
  const right = draft.before?.[field.key] ?? null;
  values[field.key] = right;
  refuseOther(draft, field, { values, path: '', right });
}

/** Refuses a value that the body claims and that is not right. */
function refuseOther(draft: Draft, field: Field, at: Pick<Place, 'values' | 'path'> & { readonly right: Value }): void {
  const fault = claimFault(field, draft.claims.get(at.values)?.[field.key], at.right);
  if (fault !== undefined) draft.refuse(at.path + field.key, fault);
}

const isTaken = (draft: Draft, figure: Figure): boolean =>
  figure.taken !== 'onCreate' || draft.operation === 'create' || isTakenAgain(draft, figure);

/** Whether a field changes whose change takes a formula anew. */
export const isTakenAgain = ({ before, values }: Draft, { again }: Figure): boolean =>
  again.some((key) => !sameValue(before?.[key], values[key]));

/** What a formula of the record gives now, as a field keeps it. */
export async function valueOfFormula(draft: Draft, field: Field, { tree }: Figure): Promise<Value> {
  const facts = new ReadFacts({ records: draft.scope.records, write: writeOf(draft) });
  const { value } = await facts.evaluate(tree, recordValue(draft.values));
  return held(draft, { field, value, place: field.key });
}

function placesIn(place: Place, [key, ...deeper]: readonly string[]): readonly Place[] {
  if (key === undefined) return [place];
  const value = place.values[key];
  const path = place.path + key;
  const inside = (values: Values, at: number, name: string): Place => ({
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

interface Taken {
  readonly field: Field;
  readonly value: Known;
  readonly place: string;
}

/** A value of a formula as its field keeps it; refused where the field cannot. */
function held(draft: Draft, { field, value, place }: Taken): Value {
  if (value === null) return field.default ?? (field.kind === 'boolean' && field.unset !== 'null' ? false : null);
  if (isRecordValue(value)) return value.id ?? null;
  if (typeof value !== 'string') return value as Value;
  if (field.kind === 'integer' || field.kind === 'decimal') {
    const rounded = roundedIn(field, value);
    const fault = amountFault(field, rounded);
    if (fault !== undefined) draft.refuse(place, `must be ${fault}`);
    return heldIn(field, rounded);
  }
  if (field.kind === 'text' && codePoints(value) > field.maxLength)
    draft.refuse(place, `must be at most ${field.maxLength} characters`);
  const form = field.kind === 'text' && field.format !== undefined ? textFormats[field.format] : undefined;
  if (form !== undefined && value !== '' && !form.test(value)) draft.refuse(place, `must be ${form.words}`);
  // A text without anything to see is none.
  return field.kind === 'text' && value.trim() === '' ? (field.unset === 'null' ? null : '') : value;
}
