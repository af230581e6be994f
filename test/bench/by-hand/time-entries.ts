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
import { beyondCaps, type Capped, cappedColumns, cappedValues, lockSums } from './time-entry-caps.ts';
import { type Priced, type Prices, pricedColumns, pricedJoins, pricesOf } from './time-entry-rates.ts';

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
/** Of all states an entry can be submitted only. */
export interface TimeEntryChanges extends Partial<Pick<Sent, 'minutes' | 'notes' | 'isBillable'>> {
  readonly statusId?: 'pending_approval';
}
export const timeEntryChanges = body([], {
  minutes,
  notes: text,
  isBillable: flag,
  statusId: { const: 'pending_approval' },
});

/** All that the entry is judged by. */
interface Found extends Priced, Capped {
  readonly member_id: string;
  readonly member: string;
  readonly member_active: number;
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
  readonly time_approval_mode: string;
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
const look = `select m.id as member_id, m.name as member, m.is_active as member_active, m.track_time_by_duration, p.id as project_id, p.name as project, p.is_billable as project_billable, p.status_id as project_status,
    p.record_status_id as project_record_status, p.use_roles, p.track_time_to_assigned_roles, p.requires_notes, p.requires_tasks,
    p.lock_time_and_expenses, p.time_approval_mode, c.id as client_id, c.name as client, pm.id as seat_id, pm.is_active as seat_active,
    pm.is_billable as seat_billable,
    (select group_concat(target_id) from project_member_project_roles where owner_id = pm.id) as seat_roles,
    r.id as role_id, r.name as role, r.project_id as role_project_id, r.is_active as role_active, r.is_billable as role_billable,
    t.id as task_id, t.name as task, t.project_id as task_project_id, t.status_id as task_status,
    t.record_status_id as task_record_status, t.is_billable as task_billable, t.lock_time as task_lock_time, t.for_assigned_only,
    t.require_notes, tc.type as category_type,
    (exists (select 1 from task_project_roles a where a.owner_id = t.id and a.id = r.id)
      or exists (select 1 from task_project_members a where a.owner_id = t.id and a.id = pm.id)) as is_assigned,
    s.id as timesheet_id,
    ${pricedColumns},
    ${cappedColumns}
  from member m
    join workspace_settings w on w.id = (select id from workspace_settings limit 1)
    left join project p on p.id = ?
    left join client c on c.id = p.client_id
    left join project_member pm on pm.project_id = p.id and pm.member_id = m.id
    left join project_role r on r.id = coalesce(?, case when p.use_roles = 1 then
      (select case when count(*) = 1 then max(target_id) end from project_member_project_roles where owner_id = pm.id) end)
    left join task t on t.id = ?
    left join task_category tc on tc.id = t.task_category_id
    left join task_project_members tm on tm.owner_id = t.id and tm.id = pm.id
    left join timesheet s on s.member_id = m.id and s.start <= ? and s.\`end\` >= ?
    ${pricedJoins}
  where m.id = ?`;

async function lookFor(session: Session, entryId: string, sent: Sent): Promise<Found> {
  const { memberId, projectId, projectRoleId = null, taskId = null, date } = sent;
  await lockSums(session, memberId, taskId);
  const around = [projectId, projectRoleId, taskId, date, date, date, date, memberId];
  const [found] = await session.all<Found>(look + session.share, [...cappedValues(entryId, date), ...around]);
  if (found === undefined) throw invalid(["'memberId' does not refer to an existing Member"]);
  refuse(
    problems([
      missing('projectId', 'Project', projectId, found.project_id),
      missing('projectRoleId', 'Project Role', projectRoleId, found.role_id),
      missing('taskId', 'Task', taskId, found.task_id),
    ]),
  );
  return found;
}

const canBeBilled = (found: Found): boolean =>
  found.project_billable === 1 &&
  (found.role_id === null || found.role_billable === 1) &&
  (found.task_id === null || found.task_billable === 1) &&
  (found.seat_id === null || found.seat_billable === 1);

const takesNoTime = ['tentative', 'completed', 'cancelled'];

function faultsOf(sent: Sent, found: Found, isNew: boolean): string[] {
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
  return problems([
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
  ]);
}

interface Kept {
  readonly id: string;
  readonly statusId: string;
  readonly createdAt: string;
  readonly isBillable: boolean;
  readonly prices: Prices;
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

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
  rateCurrency: kept.prices.rateCurrency,
  rate: numberOf(kept.prices.rate),
  costCurrency: kept.prices.costCurrency,
  costPerHour: numberOf(kept.prices.costPerHour),
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
  ...['rate_currency', 'rate', 'cost_currency', 'cost_per_hour'],
  ...['project_id', 'project_role_id', 'task_id', 'version', 'guard'],
]);

const pricedRow = (session: Session, { rate, rateCurrency, costPerHour, costCurrency }: Prices) => ({
  ...{ rate_currency: rateCurrency, rate: session.decimal(rate, 4) },
  ...{ cost_currency: costCurrency, cost_per_hour: session.decimal(costPerHour, 4) },
});

/** @throws Refusal 400 for what does not fit */
export async function createTimeEntry(session: Session, sent: Sent) {
  const record = newRecord();
  const found = await lookFor(session, record.id, sent);
  refuse([...faultsOf(sent, found, true), ...beyondCaps(session, sent.minutes, found, true)]);
  const isBillable = sent.isBillable ?? canBeBilled(found);
  const prices = await pricesOf(session, found, sent.date, isBillable);
  const kept = { ...record, statusId: 'not_submitted', isBillable, prices };
  await insert(session, {
    id: kept.id,
    type_id: 'project_time',
    status_id: kept.statusId,
    date: sent.date,
    minutes: sent.minutes,
    notes: sent.notes ?? null,
    is_billable: isBillable ? 1 : 0,
    invoiced: 0,
    ...pricedRow(session, prices),
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
  const { statusId: _statusId, ...plain } = changes;
  const sent: Sent = {
    memberId: row.member_id,
    projectId: row.project_id,
    ...(row.project_role_id === null ? {} : { projectRoleId: row.project_role_id }),
    ...(row.task_id === null ? {} : { taskId: row.task_id }),
    date: row.date,
    minutes: row.minutes,
    ...(row.notes === null ? {} : { notes: row.notes }),
    isBillable: row.is_billable === 1,
    ...plain,
  };
  const isMeant =
    sent.minutes !== row.minutes || (sent.notes ?? null) !== row.notes || sent.isBillable !== (row.is_billable === 1);
  const isDecided = row.status_id === 'pending_approval' || row.status_id === 'approved';
  if (row.invoiced === 1 || (isDecided && isMeant)) throw new Refusal(409, 'The Time Entry is read-only.');
  if (row.status_id === 'approved' && changes.statusId !== undefined)
    refuse([`'statusId' cannot change from 'approved' to '${changes.statusId}'`]);
  const found = await lookFor(session, entryId, sent);
  const isSubmitted = changes.statusId !== undefined && row.status_id !== changes.statusId;
  const isMore = row.status_id === 'rejected' ? isSubmitted : sent.minutes > row.minutes;
  const isDecisionOnly = Object.keys(changes).every((field) => field === 'statusId');
  const statusId = !isSubmitted ? row.status_id : found.time_approval_mode === 'auto' ? 'approved' : 'pending_approval';
  refuse([
    ...(isDecisionOnly ? [] : faultsOf(sent, found, false)),
    ...(isMore ? beyondCaps(session, sent.minutes, found, sent.minutes > row.minutes) : []),
  ]);
  const isBillable = sent.isBillable === true;
  const prices = await pricesOf(session, found, sent.date, isBillable);
  const priced = pricedRow(session, prices);
  await session.run(
    `update time_entry set status_id = ?, minutes = ?, notes = ?, is_billable = ?, rate_currency = ?, rate = ?, cost_currency = ?,
      cost_per_hour = ?, version = version + 1 where id = ?`,
    [
      ...[statusId, sent.minutes, sent.notes ?? null, isBillable ? 1 : 0, priced.rate_currency, priced.rate],
      ...[priced.cost_currency, priced.cost_per_hour, entryId],
    ],
  );
  const kept = { id: entryId, statusId, createdAt: session.iso(row.created_at), isBillable, prices };
  return toTimeEntry(sent, kept, found, await keepTimesheet(session, row.timesheet_id));
}

interface Timesheet {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly status_id: string;
  readonly created_at: string;
  readonly minutes: number;
  readonly rejected: number;
  readonly open: number;
}

/** Brings the hours of a timesheet up to date, and its state. @returns it as its entries show it */
async function keepTimesheet(session: Session, timesheetId: string | null) {
  if (timesheetId === null) return null;
  await session.lock('select id from timesheet where id = ?', [timesheetId]);
  const [sheet] = await session.all<Timesheet>(
    `select s.id, s.start, s.\`end\`, s.status_id, s.created_at, e.minutes, e.rejected, e.open from timesheet s
      join (select sum(minutes) as minutes, sum(status_id = 'rejected') as rejected, sum(status_id <> 'approved') as open
        from time_entry where timesheet_id = ?) e
      where s.id = ?`,
    [timesheetId, timesheetId],
  );
  if (sheet === undefined) return null;
  const hours = session.decimal((Number(sheet.minutes) / 60).toFixed(2), 2);
  const undecided = Number(sheet.open) === 0 ? 'approved' : 'pending_approval';
  const statusId = Number(sheet.rejected) > 0 ? 'rejected' : undecided;
  const raised = statusId === sheet.status_id ? 0 : 1;
  const keep = 'update timesheet set hours = ?, status_id = ?, version = version + ? where id = ?';
  await session.run(keep, [hours, statusId, raised, timesheetId]);
  const { id, start, end } = sheet;
  return { id, name: `${start} – ${end}`, submittedOn: session.iso(sheet.created_at) };
}
