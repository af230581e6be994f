// Common date ranges, relative to today.
import { periodMessages } from '../../messages/grid.ts';

export interface Range {
  /** `YYYY-MM-DD`, or '' for open. */
  readonly from: string;
  readonly to: string;
}

interface Preset {
  readonly label: string;
  readonly range: Range;
}

/** Of the reader's own calendar. */
const text = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

export function presets(now = new Date()): readonly Preset[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const monday = day - ((now.getDay() + 6) % 7);
  const quarter = month - (month % 3);
  const days = (from: number, to: number): Range => ({ from: text(year, month, from), to: text(year, month, to) });
  const months = (from: number, to: number): Range => ({ from: text(year, from, 1), to: text(year, to + 1, 0) });
  return [
    { label: periodMessages.today, range: days(day, day) },
    { label: periodMessages.thisWeek, range: days(monday, monday + 6) },
    { label: periodMessages.thisMonth, range: months(month, month) },
    { label: periodMessages.lastMonth, range: months(month - 1, month - 1) },
    { label: periodMessages.thisQuarter, range: months(quarter, quarter + 2) },
    { label: periodMessages.thisYear, range: months(0, 11) },
    { label: periodMessages.lastYear, range: months(-12, -1) },
    { label: periodMessages.last30Days, range: days(day - 29, day) },
    { label: periodMessages.next30Days, range: days(day, day + 29) },
    { label: periodMessages.beforeToday, range: { from: '', to: text(year, month, day - 1) } },
    { label: periodMessages.fromToday, range: { from: text(year, month, day), to: '' } },
  ];
}
