// Formulas in SQLite: numbers are 64-bit integers in units of their last digit, for it has no decimals; dates are texts. A larger
// product would silently become a float, so only what cannot pass 63 bits is translated.
import { sql } from 'kysely';
import { scaledToText } from '../../values/scaled.ts';
import type { DatePart, FormulaSpelling } from '../schema/formula-spelling.ts';
import type { Sql } from '../schema/sql.ts';

const raw = (text: string): Sql => sql.raw(text);
const power = (exponent: number): Sql => raw(`1${'0'.repeat(exponent)}`);
/** Where numbers are taken apart to be added. */
const digitsApart = 9;
const greatestInteger = 2n ** 63n - 1n;

/** Integers are divided by cutting towards zero, and the rest has the sign of the number. */
const rest = (number: Sql, scale: number): Sql => sql`(${number} % ${power(scale)})`;
const cut = (number: Sql, scale: number): Sql => sql`(${number} / ${power(scale)})`;

const dateParts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  year: (date) => sql`substr(${date}, 1, 4)`,
  month: (date) => sql`substr(${date}, 6, 2)`,
  day: (date) => sql`substr(${date}, 9, 2)`,
  quarter: (date) => sql`(substr(${date}, 6, 2) + 2) / 3`,
  isoWeek: (date) => sql`strftime('%V', ${date})`,
  isoYear: (date) => sql`strftime('%G', ${date})`,
};

export const sqliteFormulas: FormulaSpelling = {
  hasUnits: true,
  fits: ({ most }) => most <= greatestInteger,
  number: (units) => raw(units < 0n ? `(${units})` : `${units}`),
  column: (column) => column,
  widened: (number, from, to) => sql`(${number} * ${power(to - from)})`,
  round(number, from, to) {
    const digits = from - to;
    // A rest of at least a half is one more.
    const rounded = sql`(${cut(number, digits)} + ${rest(number, digits)} / ${raw(`5${'0'.repeat(digits - 1)}`)})`;
    return to < 0 ? sql`(${rounded} * ${power(-to)})` : rounded;
  },
  floor: (number, scale) => sql`(${cut(number, scale)} - (${rest(number, scale)} < 0))`,
  ceil: (number, scale) => sql`(${cut(number, scale)} + (${rest(number, scale)} > 0))`,
  whole: (number, scale) => sql`(case when ${rest(number, scale)} = 0 then ${cut(number, scale)} end)`,
  // A sum fails where it passes 63 bits.
  sum: (number) => [sql`sum(${cut(number, digitsApart)})`, sql`sum(${rest(number, digitsApart)})`],
  summed: ([great, small], scale) =>
    scaledToText(String(BigInt(String(great ?? 0)) * 10n ** BigInt(digitsApart) + BigInt(String(small ?? 0))), scale),
  least: (a, b) => sql`min(${a}, ${b})`,
  greatest: (a, b) => sql`max(${a}, ${b})`,
  text: (text) => text,
  join: (a, b) => sql`(${a} || ${b})`,
  moment: (_kind, literal) => literal,
  addDays: (date, days) => sql`date(${date}, ${days} || ' days')`,
  addMonths: (date, months) => sql`date(${date}, ${months} || ' months', 'floor')`,
  // Years before 1 begin with a minus, which is before all digits.
  sinceFirst: (date) => sql`nullif(max(${date}, '0999-12-31'), '0999-12-31')`,
  // Days of dates end in .5, which a float holds exactly.
  daysBetween: (from, to) => sql`cast(julianday(${to}) - julianday(${from}) as integer)`,
  minutes: (time) => sql`(cast(substr(${time}, 1, 2) as integer) * 60 + cast(substr(${time}, 4, 2) as integer))`,
  weekday: (date) => sql`((strftime('%w', ${date}) + 6) % 7 + 1)`,
  datePart: (part, date) => sql`cast(${dateParts[part](date)} as integer)`,
  firstOfMonth: (date) => sql`date(${date}, 'start of month')`,
  // It has no day after the last December.
  lastOfMonth: (date) =>
    sql`coalesce(date(${date}, 'start of month', '+1 month', '-1 day'), substr(${date}, 1, 8) || '31')`,
  monday: (date) => sql`date(${date}, '-6 days', 'weekday 1')`,
};
