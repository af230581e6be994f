// Days and months as the texts of the API (`2026-03-02`, `2026-03`), without hours and time zones.

const dayMs = 86_400_000;

/** Days since 1970. */
export const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
export const dayAt = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** The day of who looks. */
export function today(now = new Date()): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

export const monthOf = (day: string): string => day.slice(0, 7);
export const isMonth = (text: string | null): text is string => text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
export const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** @param step Months later; negative for earlier. */
export function monthAfter(month: string, step: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}

export const firstDay = (month: string): string => `${month}-01`;
export const lastDay = (month: string): string => dayAt(dayNumber(firstDay(monthAfter(month, 1))) - 1);

/** Months from one to another, both among them. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const months = [];
  for (let month = from; month <= to; month = monthAfter(month, 1)) months.push(month);
  return months;
}

/** 0 for the day with which a week begins where the reader is. */
export const placeInWeek = (day: string): number => (((dayNumber(day) + 3 - weekStart()) % 7) + 7) % 7;

interface WeekInfo {
  readonly firstDay: number;
}

/** Days behind Monday. */
function weekStart(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?: () => WeekInfo;
    readonly weekInfo?: WeekInfo;
  };
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) - 1;
}

// --- For people

const locale = navigator.languages;
const format = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (day) => made.format(new Date(`${day}T00:00:00Z`));
};

const long = format({ month: 'long', year: 'numeric' });
const short = format({ month: 'short' });
const shortWithYear = format({ month: 'short', year: 'numeric' });
/** `2026-03` → March 2026 */
export const monthText = (month: string): string => long(firstDay(month));
export const shortMonth = (month: string): string => short(firstDay(month));
export const shortMonthYear = (month: string): string => shortWithYear(firstDay(month));
export const weekdayText = format({ weekday: 'short' });
export const weekdayLong = format({ weekday: 'long' });
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
