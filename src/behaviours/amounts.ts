// Amounts that rules compute: exact decimals as text, refused where the field cannot hold them (domain: money).
import type { Field, Values } from '../registry/model.ts';
import { add, decimalFault } from '../values/decimal.ts';
import { WideNumber } from '../values/json.ts';
import type { Moment } from './rule.ts';

/** A decimal of a record as text; 0 where it is null. */
export function amountOf(values: Readonly<Values>, key: string): string {
  const value = values[key];
  return typeof value === 'string' ? value : '0';
}

/** Sum of decimals, null counting as 0. */
export const sumOf = (records: readonly Readonly<Values>[], key: string): string =>
  records.reduce((sum, record) => add(sum, amountOf(record, key)), '0');

/** What a computed amount must be and is not, or undefined. */
export const amountFault = (field: Field | undefined, amount: string): string | undefined =>
  field?.kind === 'decimal' ? decimalFault(new WideNumber(amount), field) : undefined;

/** Gives a field of the record its computed amount, and refuses the write where the field cannot hold it. */
export function setAmount(moment: Moment, key: string, amount: string): void {
  moment.values[key] = amount;
  const fault = amountFault(moment.resource.byKey.get(key), amount);
  if (fault !== undefined) moment.refuse(key, `must be ${fault}`);
}
