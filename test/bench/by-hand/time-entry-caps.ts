// How much time a day of a member, a project and a task take.
import { addDays, lastOfMonth, weekday } from '../../../src/values/date.ts';
import { problems } from './records.ts';
import type { Cell, Session } from './store.ts';

/** Minutes of all other entries, and what they may come to; null where nothing is capped. */
export interface Capped {
  readonly day_minutes: Cell;
  readonly project_day_minutes: Cell;
  readonly project_week_minutes: Cell;
  readonly project_month_minutes: Cell;
  readonly task_minutes: Cell;
  readonly task_member_minutes: Cell;
  readonly max_day: Cell;
  readonly max_week: Cell;
  readonly max_month: Cell;
  readonly budgeted_hours: Cell;
  readonly assigned_hours: Cell;
}

const minutes = 'select coalesce(sum(minutes), 0) from time_entry where id <> ?';
const onProject = `${minutes} and member_id = m.id and project_id = p.id and status_id <> 'rejected'`;
export const cappedColumns = `(${minutes} and member_id = m.id and date = ?) as day_minutes,
    case when p.cap_max_member_hours_per_day = 1 then (${onProject} and date = ?) end as project_day_minutes,
    case when p.cap_max_member_hours_per_week = 1 then (${onProject} and date between ? and ?) end as project_week_minutes,
    case when p.cap_max_member_hours_per_month = 1 then (${onProject} and date between ? and ?) end as project_month_minutes,
    case when t.cap_hours = 1 then (${minutes} and task_id = t.id and status_id <> 'rejected') end as task_minutes,
    case when t.cap_assigned_hours = 1 and tm.hours is not null
      then (${minutes} and member_id = m.id and task_id = t.id and status_id <> 'rejected') end as task_member_minutes,
    p.max_member_hours_per_day as max_day, p.max_member_hours_per_week as max_week, p.max_member_hours_per_month as max_month,
    t.budgeted_hours, tm.hours as assigned_hours`;

/** What is bound in these columns. */
export function cappedValues(entryId: string, date: string): string[] {
  const monday = addDays(date, 1 - weekday(date));
  return [
    ...[entryId, date, entryId, date],
    ...[entryId, monday, addDays(monday, 6), entryId, `${date.slice(0, 8)}01`, lastOfMonth(date)],
    ...[entryId, entryId],
  ];
}

const dayMinutes = 24 * 60;

/** What entries of the member, and of a task with a cap, come to is nobody else's to change. */
export const lockSums = (session: Session, memberId: string, taskId: string | null): Promise<void> =>
  session.lock('select m.id from member m left join task t on t.id = ? and t.cap_hours = 1 where m.id = ?', [
    taskId,
    memberId,
  ]);

/** The texts for what is beyond the caps; the member's day is not judged again where only the status changes. */
export function beyondCaps(session: Session, sent: number, found: Capped, isDayJudged: boolean): string[] {
  const beyond = (others: Cell, hours: Cell, whose: (hours: string) => string): readonly [boolean, string] => {
    if (others === null || hours === null) return [false, ''];
    const text = session.text(hours, 2);
    const most = Math.floor(Number(text) * 60);
    const left = Math.max(0, most - Number(others));
    return [Number(others) + sent > most, `'minutes' must be at most ${left}, what is left of ${whose(text)}`];
  };
  const ofProject = (span: string) => (hours: string) =>
    `the ${hours} hours that the project takes of a member a ${span}`;
  const left = dayMinutes - Number(found.day_minutes);
  return problems([
    [isDayJudged && sent > left, `'minutes' must be at most ${left}, what is left of the member's day`],
    beyond(found.project_day_minutes, found.max_day, ofProject('day')),
    beyond(found.project_week_minutes, found.max_week, ofProject('week')),
    beyond(found.project_month_minutes, found.max_month, ofProject('month')),
    beyond(found.task_minutes, found.budgeted_hours, (hours) => `the ${hours} hours of the task`),
    beyond(found.task_member_minutes, found.assigned_hours, (hours) => `the member's ${hours} hours on the task`),
  ]);
}
