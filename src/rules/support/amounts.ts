// Arithmetic of rules that compute amounts: exact decimals as text, refused where the field cannot hold them (domain: money).
import type { Field, Value, Values } from '../../registry/model/model.ts';
import { compare, decimalFault, numberToText, round } from '../../values/decimal.ts';
import { WideNumber } from '../../values/json.ts';

/** A number of a record as an exact decimal: decimals are text there and integers numbers; 0 where it is null. */
export function amountOf(values: Readonly<Values>, key: string): string {
  const value = values[key];
  if (typeof value === 'number') return numberToText(value);
  return typeof value === 'string' ? value : '0';
}

/** What a computed amount must be and is not, or undefined. */
export function amountFault(field: Field | undefined, amount: string): string | undefined {
  if (field?.kind === 'decimal') return decimalFault(new WideNumber(amount), field);
  if (field?.kind !== 'integer') return undefined;
  const isWithin = compare(amount, String(field.minimum)) >= 0 && compare(amount, String(field.maximum)) <= 0;
  return isWithin ? undefined : `from ${field.minimum} to ${field.maximum}`;
}

/** A computed amount with the decimals that its field has. */
export const roundedIn = (field: Field | undefined, amount: string): string => {
  if (field?.kind === 'integer') return round(amount, 0);
  return field?.kind === 'decimal' ? round(amount, field.scale) : amount;
};

/** A rounded amount as a field holds it: integers are numbers. */
export const heldIn = (field: Field | undefined, amount: string): Value =>
  field?.kind === 'integer' ? Number(amount) : amount;
