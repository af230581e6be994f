// Allocations of members to projects; placeholders and time off are not served here.
import { addDays, addMonths, lastOfMonth } from '../../../src/values/date.ts';
import { exactly, multiply, numberToText, quotient, round } from '../../../src/values/decimal.ts';
import { type Calendar, calendarOf, daysOf, totalOf, type Worker } from './calendar.ts';
import { joinTeam, plainMember } from './project-members.ts';
import {
  body,
  day,
  decimal,
  flag,
  id,
  inserting,
  invalid,
  missing,
  newRecord,
  problems,
  refuse,
  shown,
  shownProject,
  text,
} from './records.ts';
import type { Session } from './store.ts';

/** What is set for each unit. */
const amountOf = {
  day: 'hoursPerDay',
  week: 'hoursPerWeek',
  month: 'hoursPerMonth',
  allocation: 'hoursPerAllocation',
  ratio_of_capacity: 'hoursRatioOfCapacity',
} as const;
type Unit = keyof typeof amountOf;
type Amount = (typeof amountOf)[Unit];

interface Sent extends Partial<Readonly<Record<Amount, number>>> {
  readonly resourceTypeId: 'member';
  readonly assignmentTypeId: 'project';
  readonly memberId: string;
  readonly projectId: string;
  readonly projectRoleId?: string;
  readonly taskId?: string;
  readonly start: string;
  readonly end: string;
  readonly unit: Unit;
  readonly allocateOnTimeOffDays?: boolean;
  readonly bookingTypeId?: string;
  readonly notes?: string;
}
const required = ['resourceTypeId', 'assignmentTypeId', 'memberId', 'projectId', 'start', 'end', 'unit'];
export const newAllocation = body(required, {
  resourceTypeId: { const: 'member' },
  assignmentTypeId: { const: 'project' },
  memberId: id,
  projectId: id,
  projectRoleId: id,
  taskId: id,
  start: day,
  end: day,
  unit: { enum: Object.keys(amountOf) },
  hoursPerDay: decimal(2, 24),
  hoursPerWeek: decimal(2, 168),
  hoursPerMonth: decimal(2, 744),
  hoursPerAllocation: decimal(2, 99_999),
  hoursRatioOfCapacity: decimal(4, 1),
  allocateOnTimeOffDays: flag,
  bookingTypeId: { enum: ['confirmed', 'soft'] },
  notes: text,
});

interface Found extends Worker {
  readonly project: string;
  readonly project_billable: number;
  readonly project_status: string;
  readonly project_record_status: string;
  readonly use_roles: number;
  readonly client_id: string;
  readonly client: string;
  readonly member: string;
  readonly member_active: number;
  readonly member_billable: number;
  readonly role_id: string | null;
  readonly role: string | null;
  readonly role_project_id: string;
  readonly role_billable: number;
  readonly task_id: string | null;
  readonly task: string | null;
  readonly task_project_id: string;
  readonly task_billable: number;
  readonly category_type: string;
  readonly seat_id: string | null;
}
const look = `select p.name as project, p.is_billable as project_billable, p.status_id as project_status,
    p.record_status_id as project_record_status, p.use_roles, c.id as client_id, c.name as client, m.id as member_id,
    m.name as member, m.is_active as member_active, m.is_billable as member_billable, m.active_start_date, m.active_end_date, r.id as role_id, r.name as role,
    r.project_id as role_project_id, r.is_billable as role_billable, t.id as task_id, t.name as task,
    t.project_id as task_project_id, t.is_billable as task_billable, tc.type as category_type, pm.id as seat_id
  from project p
    join client c on c.id = p.client_id
    left join member m on m.id = ?
    left join project_role r on r.id = ?
    left join task t on t.id = ?
    left join task_category tc on tc.id = t.task_category_id
    left join project_member pm on pm.project_id = p.id and pm.member_id = m.id
  where p.id = ?`;

const isTooLong = (start: string, end: string): boolean =>
  end >= addMonths(start, 60) && end > addMonths(addDays(start, -1), 60);

function judge(sent: Sent, found: Found): void {
  const { projectId, start, end, unit } = sent;
  const amounts = (Object.keys(amountOf) as Unit[]).map((each): readonly [boolean, string] => {
    const name = amountOf[each];
    return each === unit
      ? [sent[name] === undefined, `'${name}' is required`]
      : [sent[name] !== undefined, `'${name}' is not allowed`];
  });
  refuse(
    problems([
      [end < start, "'end' must be on or after start"],
      [end >= start && isTooLong(start, end), "'end' must be at most 5 years after start"],
      ...amounts,
      [found.member_active !== 1, "'memberId' must be an active member"],
      [found.project_record_status !== 'active', "'projectId' must be an active project"],
      [found.use_roles !== 1 && found.role_id !== null, "'projectRoleId' is not allowed"],
      [
        found.role_id !== null && found.role_project_id !== projectId,
        "'projectRoleId' must be a role of the same project",
      ],
      [found.task_id !== null && found.task_project_id !== projectId, "'taskId' must be a task of the same project"],
      [found.task_id !== null && found.category_type !== 'standard', "'taskId' must be a standard task"],
    ]),
  );
}

const insert = inserting('allocation', [
  ...['id', 'resource_type_id', 'assignment_type_id', 'start', 'end', 'unit', 'hours_per_day', 'hours_per_week'],
  ...['hours_per_month', 'hours_per_allocation', 'hours_ratio_of_capacity', 'allocate_on_time_off_days', 'total_hours'],
  ...['is_billable', 'booking_type_id', 'notes', 'created_at', 'member_id', 'project_id', 'project_role_id', 'task_id'],
  ...['version', 'guard'],
]);

/** Hours over the working days, without those off unless work is planned on these too. */
function hoursIn(sent: Sent, calendar: Calendar): string {
  const { start, end, unit, hoursPerAllocation = 0, allocateOnTimeOffDays = false } = sent;
  const { capacity, weekdaysOn, isOff } = calendar;
  if (unit === 'allocation') return numberToText(hoursPerAllocation);
  const days = daysOf(start, end).filter((day) => capacity(day) > 0 && (allocateOnTimeOffDays || !isOff(day)));
  const text = (hours: number | undefined): string => numberToText(hours ?? 0);
  if (unit === 'day') return multiply(text(sent.hoursPerDay), String(days.length));
  if (unit === 'ratio_of_capacity') return multiply(text(sent.hoursRatioOfCapacity), totalOf(days.map(capacity)));
  const perWeek = (day: string): string => quotient(text(sent.hoursPerWeek), String(weekdaysOn(day))) ?? '0';
  if (unit === 'week') return round(exactly.sum(days.map(perWeek)), 12);
  const months = Map.groupBy(days, (day) => day.slice(0, 7));
  const perMonth = [...months].map(([month, some]) => {
    const whole = daysOf(`${month}-01`, lastOfMonth(`${month}-01`)).filter((day) => capacity(day) > 0);
    return quotient(multiply(text(sent.hoursPerMonth), String(some.length)), String(whole.length)) ?? '0';
  });
  return round(exactly.sum(perMonth), 12);
}

/** Whoever is not on the team yet joins it. @throws Refusal 400 for what does not fit */
export async function createAllocation(session: Session, sent: Sent) {
  const { memberId, projectId, projectRoleId = null, taskId = null } = sent;
  const values = [memberId, projectRoleId, taskId, projectId];
  const [found] = await session.all<Found>(look + session.share, values);
  const wanting = problems([
    missing('memberId', 'Member', found && memberId, found?.member_id),
    [found === undefined, "'projectId' does not refer to an existing Project"],
    missing('projectRoleId', 'Project Role', found && projectRoleId, found?.role_id),
    missing('taskId', 'Task', found && taskId, found?.task_id),
  ]);
  if (found === undefined || wanting.length > 0) throw invalid(wanting);
  judge(sent, found);
  const usual = found.project_status === 'tentative' ? 'soft' : 'confirmed';
  const { start, end, unit, bookingTypeId = usual, notes = null, allocateOnTimeOffDays = false } = sent;
  const isBillable =
    found.project_billable === 1 &&
    (found.role_id === null || found.role_billable === 1) &&
    (found.task_id === null || found.task_billable === 1) &&
    found.member_billable === 1;
  const totalHours = round(hoursIn(sent, await calendarOf(session, found, sent)), 2);
  const { hoursPerDay = null, hoursPerWeek = null, hoursPerMonth = null } = sent;
  const { hoursPerAllocation = null, hoursRatioOfCapacity = null } = sent;
  const { id, createdAt } = newRecord();
  await insert(session, {
    ...{ id, resource_type_id: 'member', assignment_type_id: 'project', start, end, unit },
    hours_per_day: session.decimal(hoursPerDay, 2),
    hours_per_week: session.decimal(hoursPerWeek, 2),
    hours_per_month: session.decimal(hoursPerMonth, 2),
    hours_per_allocation: session.decimal(hoursPerAllocation, 2),
    hours_ratio_of_capacity: session.decimal(hoursRatioOfCapacity, 4),
    allocate_on_time_off_days: allocateOnTimeOffDays ? 1 : 0,
    total_hours: session.decimal(totalHours, 2),
    is_billable: isBillable ? 1 : 0,
    booking_type_id: bookingTypeId,
    notes,
    created_at: session.moment(createdAt),
    ...{ member_id: memberId, project_id: projectId, project_role_id: projectRoleId, task_id: taskId },
    ...{ version: 0, guard: 0 },
  });
  if (found.seat_id === null) {
    const isSeatBillable = found.member_billable === 1 && found.project_billable === 1;
    await joinTeam(session, plainMember(session, projectId, memberId, isSeatBillable).row);
  }
  return {
    ...{ id, resourceTypeId: 'member', assignmentTypeId: 'project', start, end, unit, hoursPerDay, hoursPerWeek },
    ...{
      hoursPerMonth,
      hoursPerAllocation,
      hoursRatioOfCapacity,
      allocateOnTimeOffDays,
      totalHours: Number(totalHours),
      isBillable,
    },
    ...{ bookingTypeId, notes, createdAt },
    member: shown(memberId, found.member),
    resourcePlaceholder: null,
    project: shownProject({ id: projectId, name: found.project, client_id: found.client_id, client: found.client }),
    projectRole: shown(found.role_id, found.role),
    task: shown(found.task_id, found.task),
    timeOffType: null,
  };
}
