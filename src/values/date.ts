// Dates are text `YYYY-MM-DD`, so that text order is date order; times are ISO 8601 in UTC with milliseconds. All
// arithmetic is in UTC: the time zone of the machine has no part in it.

const dayMs = 86_400_000;
const firstDay = Date.UTC(1000, 0, 1) / dayMs;
const lastDay = Date.UTC(9999, 11, 31) / dayMs;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const maximumFormatters = 500;

/** True for a real calendar date from 1000-01-01 to 9999-12-31; earlier years do not survive every database. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return day >= 1 && day <= daysIn(Number(text.slice(0, 4)), month);
}

/** @param month 1 to 12. @returns 0 for what is no month. */
function daysIn(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (monthDays[month - 1] ?? 0);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** True for `HH:mm` from 00:00 to 23:59. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

const moment = /^[1-9]\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

/**
 * True for a moment in UTC as RFC 3339 writes it: `2026-03-02T09:30:00Z`, with up to three decimals of a second. No offsets, so
 * that what is sent is what is shown; no leap seconds, which no database keeps.
 */
export function isMoment(text: string): boolean {
  return moment.test(text) && isDate(text.slice(0, 10));
}

/** Such a moment as the engine keeps it, with milliseconds: `2026-03-02T09:30:00.000Z`. */
export function toMoment(text: string): string {
  return `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(3, '0')}Z`;
}

/** The date `n` days later, earlier where `n` is negative. @throws RangeError outside 1000-01-01 to 9999-12-31. */
export function addDays(date: string, n: number): string {
  const day = dayOf(date) + n;
  if (!(day >= firstDay && day <= lastDay)) throw new RangeError(`${date} and ${n} days is out of range`);
  return dateOf(day);
}

/** So many dates, from one on. @throws RangeError outside 1000-01-01 to 9999-12-31. */
export function datesFrom(date: string, count: number): string[] {
  const dates: string[] = [];
  while (dates.length < count) {
    // Within a month they differ in their last two digits.
    const first = addDays(date, dates.length);
    const [month, day] = [first.slice(0, 8), digits(first, 8)];
    const left = daysIn(Number(first.slice(0, 4)), digits(first, 5)) - day + 1;
    const last = day + Math.min(left, count - dates.length);
    for (let one = day; one < last; one += 1) dates.push(one < 10 ? `${month}0${one}` : `${month}${one}`);
  }
  return dates;
}

/** Days from one date to the other: 1 from a day to the next, negative backwards. */
export function daysBetween(from: string, to: string): number {
  return dayOf(to) - dayOf(from);
}

// Formulas go through the days of months and of projects. So that none of them makes a Date and an ISO text, days are counted as
// by H. Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, and 400 of them are 146,097 days.
const daysBefore1970 = 719_468;
const eraDays = 146_097;

/** Days since 1970-01-01. */
function dayOf(date: string): number {
  // Each digit is what its code is above that of 0; written out, for days are asked for by the hundred.
  const year =
    1000 * date.charCodeAt(0) + 100 * date.charCodeAt(1) + 10 * date.charCodeAt(2) + date.charCodeAt(3) - 1111 * 0x30;
  const month = 10 * date.charCodeAt(5) + date.charCodeAt(6) - 11 * 0x30;
  const day = 10 * date.charCodeAt(8) + date.charCodeAt(9) - 11 * 0x30;
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const ofEra = marchYear - 400 * era;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day;
  return eraDays * era + 365 * ofEra + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 1 - daysBefore1970;
}

/** The date that so many days after 1970-01-01 are. */
function dateOf(day: number): string {
  const era = Math.floor((day + daysBefore1970) / eraDays);
  const ofEra = day + daysBefore1970 - eraDays * era;
  const leapDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const ofMonth = ofYear - Math.floor((153 * march + 2) / 5) + 1;
  return `${400 * era + year + (month > 2 ? 0 : 1)}-${twoDigits(month)}-${twoDigits(ofMonth)}`;
}

/** Two digits as a number. */
const digits = (text: string, place: number): number =>
  10 * text.charCodeAt(place) + text.charCodeAt(place + 1) - 11 * 0x30;
const twoDigits = (n: number): string => (n < 10 ? `0${n}` : `${n}`);

/** The week of a date by ISO 8601, and the year that it belongs to: that of its Thursday. */
export function isoWeek(date: string): { readonly year: number; readonly week: number } {
  const monday = dayOf(date) - weekday(date) + 1;
  const year = digits(dateOf(monday + 3), 0) * 100 + digits(dateOf(monday + 3), 2);
  // The first week is that of January 4th.
  const fourth = `${year}-01-04`;
  return { year, week: (monday - (dayOf(fourth) - weekday(fourth) + 1)) / 7 + 1 };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date that clocks in `timeZone` show at `now`. @throws RangeError for what `isTimeZone` refuses. */
export function today(timeZone: string, now: Date): string {
  const { year, month, day } = shownIn(timeZone, now);
  return `${year}-${month}-${day}`;
}

/** The time of day, `HH:mm`, that clocks in `timeZone` show at `now`. @throws RangeError for what `isTimeZone` refuses. */
export function timeOfDay(timeZone: string, now: Date): string {
  const { hour, minute } = shownIn(timeZone, now);
  return `${hour}:${minute}`;
}

function shownIn(timeZone: string, now: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(now)) parts[type] = value;
  return parts;
}

// A formatter takes some 80 µs to make. Bounded, because the names come from callers, in any case of letters.
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (formatters.size >= maximumFormatters) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}

/** `2026-02-28T10:11:12.345Z` gives `2026-02-28 10:11:12.345`. */
export function toDatabaseTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

const midnight = '00:00:00.000';

/** `2026-02-28 10:11:12.345` gives `2026-02-28T10:11:12.345Z`; MySQL's protocol leaves out what is zero at the end. */
export function fromDatabaseTime(text: string): string {
  const time = text.slice(11, 23);
  return `${text.slice(0, 10)}T${time}${midnight.slice(time.length)}Z`;
}

/** The same day of another month, or the last one where that month is shorter. @throws RangeError outside 1000-01-01 to 9999-12-31. */
export function addMonths(date: string, n: number): string {
  const months = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + n;
  const year = Math.floor(months / 12);
  if (!(year >= 1000 && year <= 9999)) throw new RangeError(`${date} and ${n} months is out of range`);
  const month = String((months % 12) + 1).padStart(2, '0');
  const day = Math.min(Number(date.slice(8)), daysIn(year, (months % 12) + 1));
  return `${year}-${month}-${String(day).padStart(2, '0')}`;
}

/** The last day of the month of a date. */
export function lastOfMonth(date: string): string {
  const days = daysIn(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
  return `${date.slice(0, 8)}${days}`;
}

/** 1 for Monday to 7 for Sunday. */
export function weekday(date: string): number {
  // 1970-01-01 was a Thursday.
  return ((((dayOf(date) + 3) % 7) + 7) % 7) + 1;
}

/** Returns the earlier of two dates; the empty string is earlier than every date. */
export function earlierDate(one: string, other: string): string {
  if (one < other) return one;
  return other;
}
