// Functions of formulas in SQL.
import { sql } from 'kysely';
import type { FunctionName } from '../../formulas/language/names.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { DatePart } from '../schema/formula-spelling.ts';
import { asNumber, checked, countedTo, cut, rounded, tenTo } from './numbers.ts';
import {
  type AnyPart,
  argumentPart,
  type NumberPart,
  nothing,
  type Part,
  sized,
  Unsayable,
  unsayable,
  type Writer,
} from './parts.ts';
import { alike, isPlainlyOrdered, like } from './plain.ts';

/** So many days lie between the first date and the last one, and so many months. */
export const mostDays = 3_287_181n;
const mostMonths = 108_000n;
type Call = (args: readonly Tree[], writer: Writer) => AnyPart;

/** A function of one date that gives another one. */
const ofDate =
  (say: 'firstOfMonth' | 'lastOfMonth' | 'monday'): Call =>
  ([of], writer) => {
    const date = argumentPart(writer, of);
    return { kind: 'date', sql: writer.says[say](date.sql), size: sized([date], 2), isSure: false };
  };

/** A number that stands in a date. @param most The greatest it can be. */
const partOfDate =
  (say: DatePart, most: bigint): Call =>
  ([of], writer) => {
    const date = argumentPart(writer, of);
    return checked(writer, { sql: writer.says.datePart(say, date.sql), size: sized([date], 2), ...countedTo(most) });
  };

/** What each function is in SQL. */
export const functions: Readonly<Record<FunctionName, Call>> = {
  coalesce: (args, writer) => {
    const parts = alike(
      writer,
      args.map((arg) => writer.part(arg)),
    );
    const isSure = parts.some((part) => 'isSure' in part && part.isSure);
    const texts = parts.map((part) => part.sql);
    // Of one value alone not every engine takes the first.
    const found = texts.length === 1 ? sql`${texts[0]}` : sql`coalesce(${sql.join(texts)})`;
    return like(writer, parts, { sql: found, size: sized(parts), isSure });
  },
  round: ([of, digits], writer) => rounded(writer, of, digits),
  floor: ([of], writer) => cut(writer, of, 'floor'),
  ceil: ([of], writer) => cut(writer, of, 'ceil'),
  abs: ([of], writer) => {
    const part = asNumber(writer, argumentPart(writer, of));
    return { ...part, sql: sql`abs(${part.sql})` };
  },
  min: (args, writer) => extreme(writer, args, 'least'),
  max: (args, writer) => extreme(writer, args, 'greatest'),
  weekday: ([of], writer) => {
    const date = argumentPart(writer, of);
    return checked(writer, { sql: writer.says.weekday(date.sql), size: sized([date]), ...countedTo(7n) });
  },
  firstOfMonth: ofDate('firstOfMonth'),
  lastOfMonth: ofDate('lastOfMonth'),
  addMonths: ([of, months], writer) =>
    shifted(
      writer,
      { date: argumentPart(writer, of), by: asNumber(writer, argumentPart(writer, months)) },
      'addMonths',
    ),
  startOfWeek: (args, writer) => {
    const part = ofDate('monday')(args, writer);
    return { ...part, sql: writer.says.sinceFirst(part.sql) };
  },
  year: partOfDate('year', 9999n),
  month: partOfDate('month', 12n),
  day: partOfDate('day', 31n),
  quarter: partOfDate('quarter', 4n),
  isoWeek: partOfDate('isoWeek', 53n),
  isoYear: partOfDate('isoYear', 9999n),
  days: unsayable,
  // What is no date in an engine is another thing in the next one, and so are moments in time zones and their milliseconds.
  date: unsayable,
  dateOf: unsayable,
  timeOf: unsayable,
  minutesBetween: unsayable,
  addMinutes: unsayable,
  // SQLite takes what is left of whole numbers alone.
  remainder: unsayable,
  pow: unsayable,
  // No engine rounds to significant digits.
  significant: unsayable,
  range: unsayable,
  take: unsayable,
  flatten: unsayable,
  // White space, letters and characters are counted and turned otherwise in every engine.
  trim: unsayable,
  lower: unsayable,
  startsWith: unsayable,
  upper: unsayable,
  endsWith: unsayable,
  contains: unsayable,
  matches: unsayable,
  cut: unsayable,
  substring: unsayable,
  split: unsayable,
  join: unsayable,
  text: unsayable,
  number: unsayable,
  size: unsayable,
};

/** The least or the greatest that is not null. */
function extreme(writer: Writer, args: readonly Tree[], side: 'least' | 'greatest'): AnyPart {
  const parts = alike(
    writer,
    args.map((arg) => writer.part(arg)),
  );
  if (parts.every((part) => part.kind !== 'number') && !args.every(isPlainlyOrdered)) throw new Unsayable();
  const found = parts.filter((part) => part.kind !== 'null');
  const [first] = found;
  if (first === undefined) return nothing;
  const best = found.slice(1).reduce<Part>(
    (a, b) => ({
      sql: sql`coalesce(${writer.says[side](a.sql, b.sql)}, ${a.sql}, ${b.sql})`,
      size: sized([a, b], 2),
    }),
    first,
  );
  return like(writer, found, { ...best, isSure: false });
}

interface Shift {
  readonly date: AnyPart;
  readonly by: NumberPart;
}

/** A date so many days or months later. */
export function shifted(writer: Writer, { date, by }: Shift, say: 'addDays' | 'addMonths'): AnyPart {
  const whole = by.scale === 0 ? by.sql : writer.says.whole(by.sql, by.scale);
  if (by.scale > 0 && !writer.says.fits({ ...by, most: tenTo(by.scale) })) throw new Unsayable();
  // Whatever goes further gives null, and an engine might not count so far.
  const most = countedTo((say === 'addDays' ? mostDays : mostMonths) + 1n);
  const [least, greatest] = [writer.says.number(-most.most, most), writer.says.number(most.most, most)];
  const bounded = writer.says.least(writer.says.greatest(whole, least), greatest);
  const size = sized([date, by], 2);
  return { kind: 'date', sql: writer.says.sinceFirst(writer.says[say](date.sql, bounded)), size, isSure: false };
}
