// What values are put together into: days into weeks, months, quarters and years, texts without regard to case.
import type { Value } from '../../registry/model/model.ts';
import type { DatePart, Dimension } from '../../request/long-reads/summary.ts';
import { addDays, today, weekday } from '../../values/date.ts';
import { fold } from '../../values/fold.ts';

/** What a value counts as, and what tells that from others. */
interface Bucket {
  readonly key: string;
  readonly value: Value;
}

/** Nothing that a text begins with. */
const noValue: Bucket = { key: '\u0001', value: null };

const dateTexts: Readonly<Record<DatePart, (day: string) => string>> = {
  day: (day) => day,
  // ISO 8601: a week goes by its Monday, and may belong to the year before.
  week: (day) => addDays(day, 1 - weekday(day)),
  month: (day) => day.slice(0, 7),
  quarter: (day) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
  year: (day) => day.slice(0, 4),
};

/** Minutes whose day is kept: each is looked for in a calendar, and many records are of one minute. */
const mostMinutes = 100_000;

/** How the values of a dimension are put together. @param zone Of moments. */
export function bucketOf({ path, part }: Dimension, zone: string): (value: Value) => Bucket {
  const field = path.at(-1);
  const days = new Map<string, string>();
  const dayOf = (moment: string): string => {
    const minute = moment.slice(0, 16);
    const known = days.get(minute);
    if (known !== undefined) return known;
    if (days.size === mostMinutes) days.clear();
    const day = today(zone, new Date(moment));
    days.set(minute, day);
    return day;
  };
  return (value) => {
    if (value === null) return noValue;
    const text = String(value);
    if (part !== undefined) {
      const day = dateTexts[part](field?.kind === 'dateTime' ? dayOf(text) : text);
      return { key: day, value: day };
    }
    return { key: field?.kind === 'text' ? fold(text) : text, value };
  };
}
