// Which days a member works, and how long: availability, holidays and time off, read with one statement.
import { addDays, weekday } from '../../../src/values/date.ts';
import type { Session } from './store.ts';

/** A member, who works from the first to the last day only, where there are such. */
export interface Worker {
  readonly member_id: string | null;
  readonly active_start_date: string | null;
  readonly active_end_date: string | null;
}

export interface Calendar {
  /** Hours on a day. */
  capacity(day: string): number;
  /** How many days of a week have hours at all. */
  weekdaysOn(day: string): number;
  isOff(day: string): boolean;
}

interface Row {
  readonly kind: 'available' | 'holiday' | 'off';
  /** The first day, but of a holiday. */
  readonly since: string;
  /** Hours of weekdays or dates of a holiday as JSON, or the last day off. */
  readonly given: string;
}
const look = `select 'available' as kind, start as since, hours_per_day as given from availability_period where member_id = ?
  union all
  select 'holiday', '', h.occurrences from member m
    join holiday_schedule_holidays l on l.owner_id = m.holiday_schedule_id join holiday h on h.id = l.target_id
    where m.id = ? and h.is_active = 1
  union all
  select 'off', start, \`end\` from allocation where member_id = ? and assignment_type_id = 'time_off' and start <= ? and \`end\` >= ?`;

/** The days of a member; off are those between two days alone. */
export async function calendarOf(
  session: Session,
  { member_id, active_start_date, active_end_date }: Worker,
  { start, end }: { start: string; end: string },
): Promise<Calendar> {
  const rows = await session.all<Row>(look, [member_id, member_id, member_id, end, start]);
  const periods = rows
    .filter(({ kind }) => kind === 'available')
    .map(({ since, given }) => ({ since, hours: JSON.parse(given) as number[] }))
    .sort((one, other) => (one.since < other.since ? 1 : -1));
  const holidays = new Set(
    rows.filter(({ kind }) => kind === 'holiday').flatMap(({ given }) => JSON.parse(given) as string[]),
  );
  const off = rows.filter(({ kind }) => kind === 'off');
  const hoursOn = (day: string): readonly number[] =>
    (periods.find(({ since }) => since <= day) ?? periods.at(-1))?.hours ?? [];
  return {
    capacity: (day) => {
      const isAway = (active_start_date ?? day) > day || (active_end_date ?? day) < day || holidays.has(day);
      return isAway ? 0 : (hoursOn(day)[weekday(day) - 1] ?? 0);
    },
    weekdaysOn: (day) => hoursOn(day).filter((hours) => hours > 0).length,
    isOff: (day) => off.some(({ since, given }) => since <= day && given >= day),
  };
}

/** All days from one to another. */
export function daysOf(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The sum of hours, which have two decimals. */
export const totalOf = (hours: readonly number[]): string =>
  String(hours.reduce((sum, each) => sum + Math.round(each * 100), 0) / 100);
