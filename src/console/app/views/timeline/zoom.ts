// Zoom levels of a timeline, and the grid lines of each.
import { zoomMessages } from '../../messages/views.ts';
import {
  dayAt,
  dayNumber,
  firstDay,
  monthAfter,
  monthOf,
  placeInWeek,
  shortMonth,
  shortMonthYear,
} from '../picture/days.ts';
import type { Days } from './lanes.ts';

export interface Zoom {
  /** In the address: `_zoom=months`. */
  readonly key: string;
  readonly text: string;
  readonly days: number;
  /** What lies between two lines, and between two words above them. */
  readonly lines: 'week' | 'month' | 'quarter';
}

export const zooms: readonly Zoom[] = [
  { key: 'weeks', text: zoomMessages.weeks, days: 42, lines: 'week' },
  { key: 'quarter', text: zoomMessages.quarter, days: 91, lines: 'week' },
  { key: 'half', text: zoomMessages.half, days: 182, lines: 'month' },
  { key: 'year', text: zoomMessages.year, days: 365, lines: 'month' },
  { key: 'years', text: zoomMessages.years, days: 1096, lines: 'quarter' },
];

export interface Line {
  readonly day: number;
  readonly text: string;
}

const weekDays = 7;

/** Where a week begins, at a day or before it. */
export const weekOf = (day: number): number => day - placeInWeek(dayAt(day));

function weeks({ from, to }: Days): readonly Line[] {
  const lines = [];
  for (let day = weekOf(from); day <= to; day += weekDays)
    lines.push({ day, text: String(Number(dayAt(day).slice(8))) });
  return lines;
}

/** @param every Months from line to line, counted from January. */
function months({ from, to }: Days, every: number, text: (month: string) => string): readonly Line[] {
  const first = monthOf(dayAt(from));
  const lines = [];
  for (let month = monthAfter(first, -((Number(first.slice(5)) - 1) % every)); ; month = monthAfter(month, every)) {
    const day = dayNumber(firstDay(month));
    if (day > to) return lines;
    lines.push({ day, text: text(month) });
  }
}

const year = (month: string): string => month.slice(0, 4);
const quarter = (month: string): string => `Q${Math.ceil(Number(month.slice(5)) / 3)}`;

/** Lines, from left to right, and the larger parts that they belong to. */
export function linesOf(
  { lines }: Zoom,
  days: Days,
): { readonly small: readonly Line[]; readonly large: readonly Line[] } {
  switch (lines) {
    case 'week':
      return { small: weeks(days), large: months(days, 1, shortMonthYear) };
    case 'month':
      return { small: months(days, 1, shortMonth), large: months(days, 12, year) };
    case 'quarter':
      return { small: months(days, 3, quarter), large: months(days, 12, year) };
  }
}
