// Values of formulas as fields hold them: rounded, bounded, refused where the field cannot hold them.

import { patternWords } from '../../endpoints/values/words.ts';
import { isList, isMade, isRecord as isRecordValue, type Known } from '../../formulas/language/value.ts';
import type { Field, ListField, ScalarField, Value } from '../../registry/model/model.ts';
import { textFormats } from '../../registry/model/text-formats.ts';
import { amountFault, heldIn, roundedIn } from '../../rules/support/amounts.ts';
import { numberToText } from '../../values/decimal.ts';
import { codePoints } from '../../values/format.ts';
import { matches } from '../../values/pattern.ts';
import type { Draft } from './draft.ts';

/** The same of a list: each of its items is held, and no more of them than there may be. */
function heldList(
  draft: Draft,
  { field, list, place }: Pick<Taken, 'field' | 'place'> & { readonly list: readonly Known[] },
): Value {
  const values = fieldValue(field, list);
  const count = Array.isArray(values) ? values.length : 0;
  if ('maxItems' in field && count > field.maxItems)
    draft.refuse(place, `must have at most ${field.maxItems} items`, 'invalid-items');
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
  initialStates: undefined,
});

export interface Taken {
  readonly field: Field;
  readonly value: Known;
  /** What to say of a value that became too long on its way. */
  readonly overlong?: string | undefined;
  readonly place: string;
}

/** A value of a formula as a field of its kind holds it. */
export function fieldValue(field: Field, value: Known): Value {
  if (value === null) return field.default ?? (field.kind === 'boolean' && field.unset !== 'null' ? false : null);
  if (typeof value === 'string') {
    if (field.kind === 'integer' || field.kind === 'decimal') return heldIn(field, roundedIn(field, value));
    // A text without anything to see is none.
    return field.kind !== 'text' || value.trim() !== '' ? value : field.unset === 'null' ? null : '';
  }
  if (isRecordValue(value)) return value.id ?? null;
  if (isList(value)) return listValue(field, value);
  return isMade(value) ? null : value;
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
    draft.refuse(place, overlong, 'invalid-value');
    return fieldValue(field, null);
  }
  if (typeof value !== 'string' && value !== null && isList(value))
    return heldList(draft, { field, list: value, place });
  const kept = typeof value === 'string' ? undefined : fieldValue(field, value);
  // A formula that is never null gives null where a reference on its way leads to nothing: that is told first.
  if (kept === null && field.unset === 'never')
    if (field.kind === 'date') draft.refuse(place, 'must be a date of the years 1000 to 9999', 'invalid-value');
    else draft.refuse(place, 'is required', 'required');
  if (typeof value !== 'string') return kept ?? null;
  if (field.kind === 'integer' || field.kind === 'decimal') {
    const rounded = roundedIn(field, value);
    const fault = amountFault(field, rounded);
    if (fault !== undefined) draft.refuse(place, `must be ${fault}`, 'invalid-value');
    return heldIn(field, rounded);
  }
  if (field.kind === 'text') refuseText(draft, field, { value, place });
  return fieldValue(field, value);
}

/** A value that was not made for the field, of another record or by a rule: a number as the field holds it. Refused where it cannot hold it. */
export function heldFromElsewhere(
  draft: Draft,
  { field, value, place }: Pick<Taken, 'field' | 'place'> & { readonly value: Value | undefined },
): Value | undefined {
  if (field.kind === 'text' && typeof value === 'string') refuseText(draft, field, { value, place });
  const isNumber = field.kind === 'integer' || field.kind === 'decimal';
  if (!isNumber || (typeof value !== 'number' && typeof value !== 'string')) return value;
  return held(draft, { field, value: typeof value === 'number' ? numberToText(value) : value, place });
}

function refuseText(
  draft: Draft,
  { maxLength, pattern, format, sample }: Extract<Field, { kind: 'text' }>,
  { value, place }: { readonly value: string; readonly place: string },
): void {
  if (codePoints(value) > maxLength) draft.refuse(place, `must be at most ${maxLength} characters`, 'invalid-value');
  if (value === '') return;
  if (pattern !== undefined && !matches(pattern, value))
    draft.refuse(place, `must be ${patternWords({ pattern, sample })}`, 'invalid-value');
  const form = format && textFormats[format];
  if (form?.test(value) === false) draft.refuse(place, `must be ${form.words}`, 'invalid-value');
}
