// Values as people read them: in the locale of the reader, amounts with their currency.

import { labelOf, peopleText, wordsOf } from '../../labels.ts';
import { commonMessages } from '../messages/common.ts';
import type { Shown } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
import { clockText, typedText } from './shown-in.ts';

const locale = navigator.languages;

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const numbers = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${options.currency}/${options.minimumFractionDigits}/${options.maximumFractionDigits}`;
  const known = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
  numbers.set(key, known);
  return known;
}

/** `2026-03-02` → 2 Mar 2026. */
export const dateText = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? day.format(new Date(`${text}T00:00:00Z`)) : text;

export function momentText(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : moment.format(at);
}

export const countText = (count: number): string => whole.format(count);

/** @param scale Most digits behind the point. */
export const numberText = (value: number, scale = 6): string =>
  numberFormat({ minimumFractionDigits: 0, maximumFractionDigits: scale }).format(value);

/** An amount; without a currency a number of two decimals. */
export function amountText(value: number, currency: string | undefined): string {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
    return numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(value);
  return numberFormat({ style: 'currency', currency, maximumFractionDigits: 4 }).format(value);
}

/** The value that a path leads to in a record: through references as they are shown, too. */
export function valueAt(record: unknown, path: string): unknown {
  let here: unknown = record;
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[step];
  }
  return here;
}

/** The same, for a name: a reference shows its record by the name of that, and not by what this is made of. */
function namedAt(record: Shown, path: string): unknown {
  const steps = path.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const found = valueAt(record, steps.slice(0, length).join('.'));
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/**
 * The currency of an amount, where the record shows it.
 * @param around Records and items that it stands in, from inside outwards.
 */
export function currencyOf(field: FieldModel, around: readonly unknown[]): string | undefined {
  const { currency } = field;
  if (currency === undefined) return undefined;
  // What an item stands in begins with `record`.
  if (currency.startsWith('record.'))
    return currencyOf({ ...field, currency: currency.slice('record.'.length) }, around.slice(1));
  for (const record of around) {
    const found = valueAt(record, currency);
    if (typeof found === 'string') return found;
  }
  return undefined;
}

/** The name by which a record is shown; its id where it has none. */
export function shownName({ shownAs, title }: GroupModel, record: Shown): string {
  const name = shownAs
    .map((part) => {
      if (part.kind === 'literal') return part.text;
      const values = part.paths.map((path) => nameText(namedAt(record, path)));
      return values.find((text) => text !== '') ?? part.otherwise;
    })
    .join('')
    .trim();
  return name === '' ? title : name;
}

const nameText = (value: unknown): string => {
  if (typeof value === 'string') return dateText(value);
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '';
};

/** Whether nothing is set. */
export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Any value in one line of text: for tables that are copied, and for titles. */
export function plainText(field: FieldModel, value: unknown, around: readonly unknown[]): string {
  if (isUnset(value)) return '';
  switch (field.kind) {
    case 'date':
      return dateText(String(value));
    case 'dateTime':
      return momentText(String(value));
    case 'decimal':
      if (field.shownIn === 'percent') return `${numberText(Number(typedText(field, String(value))))} %`;
      return field.currency === undefined && field.format !== 'money'
        ? numberText(Number(value), field.scale)
        : amountText(Number(value), currencyOf(field, around));
    case 'integer':
      return field.shownIn === 'hours' ? clockText(Number(value)) : countText(Number(value));
    case 'enum':
      return wordsOf(String(value));
    case 'boolean':
      return value === true ? commonMessages.yes : commonMessages.no;
    default:
      return looseText(value);
  }
}

function looseText(value: unknown): string {
  if (Array.isArray(value)) return value.map(looseText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}

/** Kinds whose values stand at the right end of a column. */
export const isNumeric = ({ kind }: Pick<FieldModel, 'kind'>): boolean => kind === 'decimal' || kind === 'integer';

export { labelOf, peopleText, wordsOf };
