// Time on a project, by duration; whoever takes time off or tracks it by the clock is not served here.
import { Refusal } from './app.ts';
import {
  body,
  day,
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

interface Sent {
  readonly memberId: string;
  readonly projectId: string;
  readonly projectRoleId?: string;
  readonly taskId?: string;
  readonly date: string;
  readonly minutes: number;
  readonly notes?: string;
  readonly isBillable?: boolean;
}
const minutes = { type: 'integer', minimum: 1, maximum: 1440 } as const;
export const newTimeEntry = body(['memberId', 'projectId', 'date', 'minutes'], {
  memberId: id,
  projectId: id,
  projectRoleId: id,
  taskId: id,
  date: day,
  minutes,
  notes: text,
  isBillable: flag,
});
export type TimeEntryChanges = Partial<Pick<Sent, 'minutes' | 'notes' | 'isBillable'>>;
export const timeEntryChanges = body([], { minutes, notes: text, isBillable: flag });

/** All that the entry is judged by. */
interface Found {
  readonly member_id: string;
  readonly member: string;
  readonly member_active: number;
  readonly active_start_date: string | null;
  readonly active_end_date: string | null;
  readonly track_time_by_duration: number;
  readonly project_id: string | null;
  readonly project: string;
  readonly project_billable: number;
  readonly project_status: string;
  readonly project_record_status: string;
  readonly use_roles: number;
  readonly track_time_to_assigned_roles: number;
  readonly requires_notes: number;
  readonly requires_tasks: number;
  readonly lock_time_and_expenses: number;
  readonly client_id: string;
  readonly client: string;
  readonly seat_id: string | null;
  readonly seat_active: number | null;
  readonly seat_billable: number | null;
  readonly seat_roles: string | null;
  readonly role_id: string | null;
  readonly role: string | null;
  readonly role_project_id: string | null;
  readonly role_active: number;
  readonly role_billable: number;
  readonly task_id: string | null;
  readonly task: string | null;
  readonly task_project_id: string | null;
  readonly task_status: string;
  readonly task_record_status: string;
  readonly task_billable: number;
  readonly task_lock_time: number;
  readonly for_assigned_only: number;
  readonly require_notes: number;
  readonly category_type: string;
  readonly is_assigned: number;
  readonly timesheet_id: string | null;
}

// Whatever is read here stays so until the entry is there; a timesheet is made by whoever has the member alone.
const look = `select m.id as member_id, m.name as member, m.is_active as member_active, m.active_start_date, m.active_end_date,
    m.track_time_by_duration, p.id as project_id, p.name as project, p.is_billable as project_billable, p.status_id as project_status,
    p.record_status_id as project_record_status, p.use_roles, p.track_time_to_assigned_roles, p.requires_notes, p.requires_tasks,
    p.lock_time_and_expenses, c.id as client_id, c.name as client, pm.id as seat_id, pm.is_active as seat_active,
    pm.is_billable as seat_billable,
    (select group_concat(target_id) from project_member_project_roles where owner_id = pm.id) as seat_roles,
    r.id as role_id, r.name as role, r.project_id as role_project_id, r.is_active as role_active, r.is_billable as role_billable,
    t.id as task_id, t.name as task, t.project_id as task_project_id, t.status_id as task_status,
    t.record_status_id as task_record_status, t.is_billable as task_billable, t.lock_time as task_lock_time, t.for_assigned_only,
    t.require_notes, tc.type as category_type,
    (exists (select 1 from task_project_roles a where a.owner_id = t.id and a.id = r.id)
      or exists (select 1 from task_project_members a where a.owner_id = t.id and a.id = pm.id)) as is_assigned,
    s.id as timesheet_id
  from member m
    left join project p on p.id = ?
    left join client c on c.id = p.client_id
    left join project_member pm on pm.project_id = p.id and pm.member_id = m.id
    left join project_role r on r.id = ?
    left join task t on t.id = ?
    left join task_category tc on tc.id = t.task_category_id
    left join timesheet s on s.member_id = m.id and s.start <= ? and s.\`end\` >= ?
  where m.id = ?`;

async function lookFor(session: Session, sent: Sent): Promise<Found> {
  const { memberId, projectId, projectRoleId = null, taskId = null, date } = sent;
  const values = [projectId, projectRoleId, taskId, date, date, memberId];
  const [found] = await session.all<Found>(look + session.share, values);
  if (found === undefined) throw invalid(["'memberId' does not refer to an existing Member"]);
  refuse(
    problems([
      missing('projectId', 'Project', projectId, found.project_id),
      missing('projectRoleId', 'Project Role', projectRoleId, found.role_id),
      missing('taskId', 'Task', taskId, found.task_id),
    ]),
  );
  // The only role that the member has on the project.
  const only = found.seat_roles?.split(',') ?? [];
  if (found.use_roles === 1 && found.role_id === null && only.length === 1 && only[0] !== undefined)
    return lookFor(session, { ...sent, projectRoleId: only[0] });
  return found;
}

const canBeBilled = (found: Found): boolean =>
  found.project_billable === 1 &&
  (found.role_id === null || found.role_billable === 1) &&
  (found.task_id === null || found.task_billable === 1) &&
  (found.seat_id === null || found.seat_billable === 1);

const takesNoTime = ['tentative', 'completed', 'cancelled'];

function judge(sent: Sent, found: Found, isNew: boolean): void {
  const { date, notes = null, isBillable = false } = sent;
  const isClosed = found.project_record_status !== 'active' || takesNoTime.includes(found.project_status);
  const hasTask = found.task_id !== null;
  const isTaskClosed = hasTask && (found.task_record_status !== 'active' || found.task_status === 'completed');
  const needsNotes = found.requires_notes === 1 || (hasTask && found.require_notes === 1);
  const isForeignRole =
    found.track_time_to_assigned_roles === 1 &&
    found.role_id !== null &&
    found.seat_id !== null &&
    !(found.seat_roles ?? '').split(',').includes(found.role_id);
  refuse(
    problems([
      [
        isBillable && !canBeBilled(found),
        "'isBillable' must be false unless project, project member, role and task are billable",
      ],
      [found.member_active !== 1, "'memberId' must be an active member"],
      [
        found.active_start_date !== null && date < found.active_start_date,
        "'date' must be on or after the member's activeStartDate",
      ],
      [
        found.active_end_date !== null && date > found.active_end_date,
        "'date' must be on or before the member's activeEndDate",
      ],
      [found.track_time_by_duration !== 1, "'startTime' must be sent: the member tracks time by start and end"],
      [isNew && isClosed, "'projectId' must be an active project that takes time"],
      [found.lock_time_and_expenses === 1, "'projectId' must be a project that is not locked for time and expenses"],
      [found.seat_active !== 1, "'memberId' must be an active member of the project"],
      [found.use_roles !== 1 && found.role_id !== null, "'projectRoleId' is not allowed"],
      [found.use_roles === 1 && found.role_id === null, "'projectRoleId' is required"],
      [
        found.role_id !== null && found.role_project_id !== found.project_id,
        "'projectRoleId' must be a role of the same project",
      ],
      [found.role_id !== null && found.role_active !== 1, "'projectRoleId' must be an active role"],
      [isForeignRole, "'projectRoleId' must be a role assigned to the member"],
      [found.requires_tasks === 1 && !hasTask, "'taskId' is required"],
      [hasTask && found.task_project_id !== found.project_id, "'taskId' must be a task of the same project"],
      [hasTask && found.category_type !== 'standard', "'taskId' must be a standard task"],
      [isNew && isTaskClosed, "'taskId' must be an active task that is not completed"],
      [hasTask && found.task_lock_time === 1, "'taskId' must be a task that is not locked for time"],
      [
        hasTask && found.for_assigned_only === 1 && found.is_assigned !== 1,
        "'taskId' must be a task that the member is assigned to",
      ],
      [needsNotes && notes === null, "'notes' is required"],
      [isNew && found.timesheet_id !== null, "'date' must be outside of the member's submitted timesheets"],
    ]),
  );
}

interface Kept {
  readonly id: string;
  readonly statusId: string;
  readonly createdAt: string;
  readonly isBillable: boolean;
}

const toTimeEntry = (sent: Sent, kept: Kept, found: Found, timesheet: object | null) => ({
  id: kept.id,
  typeId: 'project_time',
  statusId: kept.statusId,
  date: sent.date,
  minutes: sent.minutes,
  startTime: null,
  endTime: null,
  notes: sent.notes ?? null,
  isBillable: kept.isBillable,
  invoiced: false,
  rateCurrency: null,
  rate: null,
  costCurrency: null,
  costPerHour: null,
  createdAt: kept.createdAt,
  member: shown(found.member_id, found.member),
  project: shownProject({
    id: found.project_id ?? '',
    name: found.project,
    client_id: found.client_id,
    client: found.client,
  }),
  projectRole: shown(found.role_id, found.role),
  task: shown(found.task_id, found.task),
  timeOffType: null,
  timesheet,
  invoice: null,
});

const insert = inserting('time_entry', [
  ...['id', 'type_id', 'status_id', 'date', 'minutes', 'notes', 'is_billable', 'invoiced', 'created_at', 'member_id'],
  ...['project_id', 'project_role_id', 'task_id', 'version', 'guard'],
]);

/** @throws Refusal 400 for what does not fit */
export async function createTimeEntry(session: Session, sent: Sent) {
  const found = await lookFor(session, sent);
  judge(sent, found, true);
  const isBillable = sent.isBillable ?? canBeBilled(found);
  const kept = { ...newRecord(), statusId: 'not_submitted', isBillable };
  await insert(session, {
    id: kept.id,
    type_id: 'project_time',
    status_id: kept.statusId,
    date: sent.date,
    minutes: sent.minutes,
    notes: sent.notes ?? null,
    is_billable: isBillable ? 1 : 0,
    invoiced: 0,
    created_at: session.moment(kept.createdAt),
    member_id: found.member_id,
    project_id: found.project_id,
    project_role_id: found.role_id,
    task_id: found.task_id,
    version: 0,
    guard: 0,
  });
  return toTimeEntry(sent, kept, found, null);
}

interface Stored {
  readonly status_id: string;
  readonly date: string;
  readonly minutes: number;
  readonly notes: string | null;
  readonly is_billable: number;
  readonly invoiced: number;
  readonly created_at: string;
  readonly member_id: string;
  readonly project_id: string;
  readonly project_role_id: string | null;
  readonly task_id: string | null;
  readonly timesheet_id: string | null;
}
const stored = `select status_id, date, minutes, notes, is_billable, invoiced, created_at, member_id, project_id, project_role_id,
    task_id, timesheet_id from time_entry where id = ?`;

/** @throws Refusal 404 where there is no such entry, 409 while it is locked, 400 for what does not fit */
export async function updateTimeEntry(session: Session, entryId: string, changes: TimeEntryChanges) {
  const [row] = await session.all<Stored>(stored + session.alone, [entryId]);
  if (row === undefined) throw new Refusal(404, `Object with id '${entryId}' not found.`);
  if (row.invoiced === 1) throw new Refusal(409, 'The Time Entry is read-only and cannot be changed.');
  const isLocked = row.status_id === 'pending_approval' || row.status_id === 'approved';
  const sent: Sent = {
    memberId: row.member_id,
    projectId: row.project_id,
    ...(row.project_role_id === null ? {} : { projectRoleId: row.project_role_id }),
    ...(row.task_id === null ? {} : { taskId: row.task_id }),
    date: row.date,
    minutes: row.minutes,
    ...(row.notes === null ? {} : { notes: row.notes }),
    isBillable: row.is_billable === 1,
    ...changes,
  };
  if (isLocked) refuse(Object.keys(changes).map((field) => `'${field}' cannot be changed`));
  const found = await lookFor(session, sent);
  judge(sent, found, false);
  await session.run(
    'update time_entry set minutes = ?, notes = ?, is_billable = ?, version = version + 1 where id = ?',
    [sent.minutes, sent.notes ?? null, sent.isBillable === true ? 1 : 0, entryId],
  );
  const kept = {
    id: entryId,
    statusId: row.status_id,
    createdAt: session.iso(row.created_at),
    isBillable: sent.isBillable === true,
  };
  return toTimeEntry(sent, kept, found, await keepHours(session, row.timesheet_id));
}

interface Timesheet {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly created_at: string;
  readonly minutes: number;
}

/** Brings the hours of a timesheet up to date. @returns it as its entries show it */
async function keepHours(session: Session, timesheetId: string | null) {
  if (timesheetId === null) return null;
  await session.all(`select id from timesheet where id = ?${session.alone}`, [timesheetId]);
  const [sheet] = await session.all<Timesheet>(
    `select s.id, s.start, s.\`end\`, s.created_at, (select sum(minutes) from time_entry where timesheet_id = s.id) as minutes
      from timesheet s where s.id = ?`,
    [timesheetId],
  );
  if (sheet === undefined) return null;
  const hours = session.decimal((Number(sheet.minutes) / 60).toFixed(2), 2);
  await session.run('update timesheet set hours = ? where id = ?', [hours, timesheetId]);
  const { id, start, end } = sheet;
  return { id, name: `${start} – ${end}`, submittedOn: session.iso(sheet.created_at) };
}
