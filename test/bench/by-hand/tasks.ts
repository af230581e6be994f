// Tasks with roles; those from templates, with tags or with members are not served here.
import { today } from '../../../src/values/date.ts';
import { fold } from '../../../src/values/fold.ts';
import { keepTaskBudgets } from './project-budgets.ts';
import { rolesOf } from './project-members.ts';
import {
  body,
  day,
  decimal,
  flag,
  id,
  inserting,
  insertRows,
  invalid,
  line,
  missing,
  money,
  newRecord,
  problems,
  refuse,
  shown,
  shownProject,
  text,
} from './records.ts';
import type { Session } from './store.ts';

interface Sent {
  readonly projectId: string;
  readonly name: string;
  readonly code?: string;
  readonly notes?: string;
  readonly start?: string;
  readonly end?: string;
  readonly parentId?: string;
  readonly taskCategoryId?: string;
  readonly budgetedHours?: number;
  readonly budgetedServicesRevenue?: number;
  readonly isBillable?: boolean;
  readonly projectRoles?: readonly { readonly id: string; readonly hours?: number }[];
}
const hours = decimal(2, 9_999_999);
const plannedRole = body(['id'], { id, hours });
export const newTask = body(['projectId', 'name'], {
  projectId: id,
  name: { ...line, pattern: '\\S' },
  code: line,
  notes: text,
  start: day,
  end: day,
  parentId: id,
  taskCategoryId: id,
  budgetedHours: hours,
  budgetedServicesRevenue: money,
  isBillable: flag,
  projectRoles: { type: 'array', items: plannedRole, maxItems: 1000 },
});

interface Project {
  readonly id: string;
  readonly name: string;
  readonly is_billable: number;
  readonly client_id: string;
  readonly budget_mode: string | null;
}
interface Around {
  readonly client: string;
  readonly time_zone_id: string;
  readonly category_id: string | null;
  readonly category: string;
  readonly category_type: string;
  readonly parent_id: string | null;
  readonly parent: string | null;
  readonly parent_project_id: string;
  readonly parent_type: string;
  readonly last: number | null;
  /** Ids of all tasks that it stands below, with commas. */
  readonly above: string | null;
}
// Whoever makes or moves a task has its project alone, so that places have no twins and levels are counted right.
const project = 'select id, name, is_billable, client_id, budget_mode from project where id = ?';
const around = (
  hasParent: boolean,
): string => `select c.name as client, (select time_zone_id from workspace_settings limit 1) as time_zone_id, k.id as category_id, k.name as category,
    k.type as category_type, t.id as parent_id, t.name as parent, t.project_id as parent_project_id, pk.type as parent_type,
    (select max(position) from task where project_id = ? and parent_id ${hasParent ? '= ?' : 'is null and ? is null'}) as last,
    ${hasParent ? `(${above})` : 'null'} as above
  from client c
    left join task_category k on k.id = coalesce(?, (select id from task_category where is_default = 1 limit 1))
    left join task t on t.id = ?
    left join task_category pk on pk.id = t.task_category_id
  where c.id = ?`;
const mostLevels = 5;
/** The tasks that a new one stands below. */
const above = `with recursive above (id, parent_id, level) as (
      select id, parent_id, 1 from task where id = ?
      union all select u.id, u.parent_id, a.level + 1 from task u join above a on u.id = a.parent_id where a.level <= ${mostLevels}
    ) select group_concat(id) from above`;
const [aroundParent, aroundNone] = [around(true), around(false)];

const insert = inserting('task', [
  ...[
    'id',
    'name',
    'name_folded',
    'code',
    'notes',
    'position',
    'status_id',
    'start',
    'end',
    'is_overdue',
    'is_billable',
    'lock_time',
  ],
  ...['cap_hours', 'cap_assigned_hours', 'for_assigned_only', 'require_notes', 'record_status_id', 'budgeted_hours'],
  'budgeted_services_revenue',
  ...['created_at', 'project_id', 'parent_id', 'task_category_id', 'version', 'guard'],
]);

/** @throws Refusal 400 for what does not fit */
export async function createTask(session: Session, sent: Sent) {
  const { projectId, parentId = null, taskCategoryId = null, projectRoles = [] } = sent;
  const [owner] = await session.all<Project>(project + session.alone, [projectId]);
  if (owner === undefined) throw invalid(["'projectId' does not refer to an existing Project"]);
  const values = [
    projectId,
    parentId,
    ...(parentId === null ? [] : [parentId]),
    taskCategoryId,
    parentId,
    owner.client_id,
  ];
  const [found] = await session.all<Around>(parentId === null ? aroundNone : aroundParent, values);
  if (found === undefined) throw new Error('a project has a client');
  const roles = await rolesOf(
    session,
    projectRoles.map((role) => role.id),
  );
  refuse([
    ...problems([
      missing('parentId', 'Task', parentId, found.parent_id),
      missing('taskCategoryId', 'Task Category', taskCategoryId, found.category_id),
    ]),
    ...projectRoles.flatMap((role, place) =>
      roles.has(role.id) ? [] : [`'projectRoles[${place}].id' does not refer to an existing Project Role`],
    ),
  ]);
  judge(sent, owner, found);
  refuse(
    projectRoles.flatMap((role, place) =>
      roles.get(role.id)?.project_id === projectId ? [] : [`'projectRoles[${place}].id' must be of the same project`],
    ),
  );
  const { name, code = null, notes = null, start = null, end = null, budgetedHours = null } = sent;
  const budgetedServicesRevenue = sent.budgetedServicesRevenue ?? null;
  const isBillable = sent.isBillable ?? owner.is_billable === 1;
  const position = (found.last ?? 0) + 1;
  const isOverdue = end !== null && end < today(found.time_zone_id, new Date());
  const { id, createdAt } = newRecord();
  await insert(session, {
    ...{
      id,
      name,
      name_folded: session.folded(fold(name)),
      code,
      notes,
      position,
      status_id: 'not_started',
      start,
      end,
      is_overdue: isOverdue ? 1 : 0,
    },
    ...{ is_billable: isBillable ? 1 : 0, lock_time: 0, cap_hours: 0, cap_assigned_hours: 0, for_assigned_only: 0 },
    ...{ require_notes: 0, record_status_id: 'active', budgeted_hours: session.decimal(budgetedHours, 2) },
    budgeted_services_revenue: session.decimal(budgetedServicesRevenue, 4),
    ...{ created_at: session.moment(createdAt), project_id: projectId, parent_id: parentId },
    ...{ task_category_id: found.category_id, version: 0, guard: 0 },
  });
  const planned = projectRoles.map((role, place) => [
    ...[id, place, role.id, session.decimal(role.hours ?? null, 2), session.moment(createdAt)],
  ]);
  await insertRows(session, 'task_project_roles', ['owner_id', 'position', 'id', 'hours', 'created_at'], planned);
  const more = { hours: sent.budgetedHours, revenue: sent.budgetedServicesRevenue, isBillable };
  const summedUp = owner.budget_mode === 'aggregated' ? projectId : undefined;
  await keepTaskBudgets(session, more, { above: idsAbove(found), projectId: summedUp });
  return {
    ...{
      id,
      name,
      code,
      notes,
      position,
      statusId: 'not_started',
      start,
      end,
      isOverdue,
      completedOn: null,
      isBillable,
    },
    ...{ lockTime: false, capHours: false, capAssignedHours: false, forAssignedOnly: false, requireNotes: false },
    ...{ recordStatusId: 'active', budgetedHours, budgetedServicesRevenue, createdAt },
    project: shownProject({ ...owner, client: found.client }),
    parent: shown(found.parent_id, found.parent),
    taskCategory: { ...shown(found.category_id, found.category), type: found.category_type },
    tags: [],
    projectRoles: projectRoles.map((role) => ({
      ...shown(role.id, roles.get(role.id)?.name ?? ''),
      hours: role.hours ?? null,
    })),
    projectMembers: [],
  };
}

const idsAbove = ({ above }: Around): string[] => above?.split(',') ?? [];

function judge(sent: Sent, owner: Project, found: Around): void {
  const { start, end, budgetedHours, budgetedServicesRevenue, isBillable = false } = sent;
  const isRollup = found.category_type !== 'standard';
  const hasParent = found.parent_id !== null;
  refuse(
    problems([
      [start !== undefined && end !== undefined && end < start, "'end' must be on or after start"],
      [isBillable && owner.is_billable !== 1, "'isBillable' must be false on a project that is not billable"],
      [isRollup && budgetedHours !== undefined, "'budgetedHours' is not allowed"],
      [isRollup && budgetedServicesRevenue !== undefined, "'budgetedServicesRevenue' is not allowed"],
      [hasParent && found.parent_project_id !== owner.id, "'parentId' must be a task of the same project"],
      [hasParent && found.parent_type !== 'rollup', "'parentId' must be a rollup task"],
      [idsAbove(found).length + 1 > mostLevels, `'parentId' must be a Task with at most ${mostLevels} levels`],
    ]),
  );
}
