// A field's values as keys, names and numbers of a view.
import { signal } from '@preact/signals';
import { commonMessages } from '../../messages/common.ts';
import { viewMessages } from '../../messages/views.ts';
import { get, type Shown } from '../../service/api.ts';
import { can, type FieldModel, fieldOf, type GroupModel, groups } from '../../service/model.ts';
import { amountText, countText, isUnset, labelOf, numberText, valueAt, wordsOf } from '../../values/format.ts';
import { nameOf } from '../../values/names.ts';

/** What a record is told apart by. */
export interface Key {
  /** As a filter takes it; '' where nothing is set. */
  readonly id: string;
  readonly text: string;
}

const noKey: Key = { id: '', text: commonMessages.none };

export function keyOf(field: FieldModel, record: Readonly<Record<string, unknown>>): Key {
  const value = record[field.name];
  if (isUnset(value)) return noKey;
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const { id, name } = value as { readonly id: string; readonly name?: string };
    return { id, text: name ?? nameOf(field.target ?? '', id) ?? '…' };
  }
  const text = String(value);
  return field.kind === 'reference'
    ? { id: text, text: nameOf(field.target ?? '', text) ?? '…' }
    : { id: text, text: wordsOf(text) };
}

// --- Units

const currencies = new Map<string, string | undefined>();
const found = signal(0);

/** Units by which a field's numbers must not be added up: their currency. '' for those without, undefined until it is known. */
export function unitOf(group: GroupModel, { currency }: FieldModel, record: Shown): string | undefined {
  if (currency === undefined) return '';
  const shown = valueAt(record, currency);
  if (typeof shown === 'string') return shown;
  const [step = '', ...rest] = currency.split('.');
  const id = valueAt(record, `${step}.id`) ?? record[step];
  const target = groups().named(fieldOf(group, step)?.target ?? '');
  return typeof id !== 'string' || target === undefined || !can(target, 'get')
    ? ''
    : currencyAt(target, id, rest.join('.'));
}

/** The currency that another record has: asked for once. */
function currencyAt({ path, name }: GroupModel, id: string, rest: string): string | undefined {
  found.value;
  const key = `${name}/${id}/${rest}`;
  if (!currencies.has(key)) {
    currencies.set(key, undefined);
    const note = (text: unknown): void => {
      currencies.set(key, typeof text === 'string' ? text : '');
      found.value += 1;
    };
    get(path, id).then(
      ({ record }) => note(valueAt(record, rest)),
      () => note(''),
    );
  }
  return currencies.get(key);
}

/** Names that say a unit of time, with how many of it are an hour. */
const times: Readonly<Record<string, number>> = { minutes: 60, hours: 1 };

/** A field that counts minutes, or whose name is a unit of time. */
const isTime = ({ name, shownIn }: FieldModel): boolean => shownIn === 'hours' || times[name] !== undefined;

/** A number as pictures add it up: times in hours. */
export const inUnit = ({ name, shownIn }: FieldModel, value: number): number =>
  value / (shownIn === 'hours' ? 60 : (times[name] ?? 1));

/** Hours and minutes. */
function clock(hours: number): string {
  const [minutes, sign] = [Math.round(Math.abs(hours) * 60), hours < 0 ? '−' : ''];
  return `${sign}${countText(Math.floor(minutes / 60))}:${String(minutes % 60).padStart(2, '0')}`;
}

/** A sum of a field's numbers, in its unit; of records, where there is no field. */
export function sumText(field: FieldModel | undefined, unit: string, sum: number): string {
  if (field === undefined) return countText(sum);
  if (isTime(field)) return clock(sum);
  if (field.shownIn === 'percent') return percentText(sum);
  return unit === '' && field.currency === undefined ? numberText(sum, 2) : amountText(sum, unit);
}

const compact = new Intl.NumberFormat(navigator.languages, { notation: 'compact', maximumFractionDigits: 1 });
const compactOf = new Map<string, Intl.NumberFormat>();

/** An amount in few letters, with its currency: `€12K`. */
function shortAmount(value: number, currency: string): string {
  const format =
    compactOf.get(currency) ??
    new Intl.NumberFormat(navigator.languages, {
      ...{ style: 'currency', currency, notation: 'compact', currencyDisplay: 'narrowSymbol' },
      maximumFractionDigits: 1,
    });
  compactOf.set(currency, format);
  return format.format(value);
}

/** A sum along an axis: in few letters, with its unit. */
export function axisText(field: FieldModel | undefined, unit: string, value: number): string {
  if (field === undefined) return compact.format(value);
  if (isTime(field)) return clock(value);
  if (field.shownIn === 'percent') return percentText(value);
  return /^[A-Z]{3}$/.test(unit) ? shortAmount(value, unit) : compact.format(value);
}

const percentText = (ratio: number): string => `${numberText(ratio * 100, 2)} %`;

/** What a sum is called. */
export const measureText = (measure: FieldModel | undefined): string =>
  measure === undefined ? viewMessages.records : isTime(measure) ? viewMessages.hours : labelOf(measure);
