// Formulas in MySQL, MariaDB and TiDB: numbers are DECIMAL throughout, for BIGINT fails where it overflows.
import { sql } from 'kysely';
import { trimDecimal } from '../../values/decimal.ts';
import type { DatePart, Extent, FormulaSpelling } from '../schema/formula-spelling.ts';
import type { Sql } from '../schema/sql.ts';

const raw = (text: string): Sql => sql.raw(text);
const decimal = (number: Sql, { precision, scale }: Pick<Extent, 'precision' | 'scale'>): Sql =>
  sql`cast(${number} as decimal(${raw(`${precision}, ${scale}`)}))`;
const count = (number: Sql): Sql => decimal(number, { precision: 8, scale: 0 });
const mostDigits = 65;
const mostDecimals = 30;

/** Units as a plain decimal, with all its digits. */
function pointed(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** Weeks by ISO 8601 are mode 3. */
const dateParts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  year: (date) => sql`year(${date})`,
  month: (date) => sql`month(${date})`,
  day: (date) => sql`day(${date})`,
  quarter: (date) => sql`quarter(${date})`,
  isoWeek: (date) => sql`week(${date}, 3)`,
  isoYear: (date) => sql`(yearweek(${date}, 3) div 100)`,
};

/** @param collation the binary collation of the server: exact, without padding */
export const mysqlFormulasIn = (collation: string): FormulaSpelling => ({
  hasUnits: false,
  fits: ({ precision, scale }) => precision <= mostDigits && scale <= mostDecimals,
  number: (units, extent) => decimal(raw(pointed(units, extent.scale)), extent),
  column: decimal,
  widened: (number) => number,
  round: (number, _from, to) => sql`round(${number}, ${raw(String(to))})`,
  // Without the cast they are BIGINT.
  floor: (number, _scale, gives) => decimal(sql`floor(${number})`, gives),
  ceil: (number, _scale, gives) => decimal(sql`ceiling(${number})`, gives),
  whole: (number) => sql`(case when ${number} = truncate(${number}, 0) then truncate(${number}, 0) end)`,
  // The sum of decimals has 22 digits more than these.
  sum: (number, { precision }) => (precision + 22 > mostDigits ? undefined : [sql`sum(${number})`]),
  summed: ([sum]) => trimDecimal(String(sum ?? 0)),
  least: (a, b) => sql`least(${a}, ${b})`,
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  text: (text) => sql`(convert(${text} using utf8mb4) collate ${raw(collation)})`,
  join: (a, b) => sql`concat(${a}, ${b})`,
  moment: (kind, literal) => sql`cast(${literal} as ${raw(kind === 'date' ? 'date' : 'datetime(3)')})`,
  addDays: (date, days) => sql`date_add(${date}, interval ${days} day)`,
  addMonths: (date, months) => sql`date_add(${date}, interval ${months} month)`,
  sinceFirst: (date) => {
    const before = sql`cast('0999-12-31' as date)`;
    return sql`nullif(greatest(${date}, ${before}), ${before})`;
  },
  daysBetween: (from, to) => count(sql`datediff(${to}, ${from})`),
  minutes: (time) => count(sql`(substr(${time}, 1, 2) * 60 + substr(${time}, 4, 2))`),
  weekday: (date) => count(sql`(weekday(${date}) + 1)`),
  datePart: (part, date) => count(dateParts[part](date)),
  firstOfMonth: (date) => sql`cast(date_format(${date}, '%Y-%m-01') as date)`,
  lastOfMonth: (date) => sql`last_day(${date})`,
  monday: (date) => sql`date_sub(${date}, interval weekday(${date}) day)`,
});
