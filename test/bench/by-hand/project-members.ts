// Members on the team of a project, without costs of their own, and what they make its budget.
import { Refusal } from './app.ts';
import { type BudgetKind, keepTeamBudget } from './project-budgets.ts';
import {
  among,
  body,
  decimal,
  flag,
  id,
  inserting,
  insertRows,
  invalid,
  money,
  newRecord,
  problems,
  refuse,
  shown,
  shownProject,
} from './records.ts';
import { type Cell, isTaken, type Session } from './store.ts';

interface Budget {
  readonly billableHours?: number;
  readonly nonBillableHours?: number;
}
interface Sent {
  readonly projectId: string;
  readonly memberId: string;
  readonly typeId?: string;
  readonly isActive?: boolean;
  readonly isBillable?: boolean;
  readonly rate?: number;
  readonly projectRoleIds?: readonly string[];
  readonly budget?: Budget;
  readonly monthlyBudget?: Budget;
}
const hours = decimal(2, 9_999_999);
const budget = body([], { billableHours: hours, nonBillableHours: hours });
export const newProjectMember = body(['projectId', 'memberId'], {
  projectId: id,
  memberId: id,
  typeId: { enum: ['administrator', 'collaborator'] },
  isActive: flag,
  isBillable: flag,
  rate: money,
  projectRoleIds: { type: 'array', items: id, maxItems: 1000, uniqueItems: true },
  budget,
  monthlyBudget: budget,
});

interface Found {
  readonly project: string;
  readonly project_billable: number;
  readonly use_roles: number;
  readonly currency: string;
  readonly budget_mode: string | null;
  readonly monthly_budget_mode: string | null;
  readonly client_id: string;
  readonly client: string;
  readonly member: string | null;
  readonly member_billable: number;
}
const look = `select p.name as project, p.is_billable as project_billable, p.use_roles, p.currency, p.budget_mode, p.monthly_budget_mode, c.id as client_id, c.name as client,
    m.name as member, m.is_billable as member_billable
  from project p join client c on c.id = p.client_id left join member m on m.id = ? where p.id = ?`;

interface Role {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
}

const columns = [
  ...[
    'id',
    'type_id',
    'is_active',
    'is_billable',
    'rate',
    'override_cost_rate',
    'created_at',
    'member_id',
    'project_id',
    'budget',
    'budget_billable_hours',
    'budget_non_billable_hours',
  ],
  ...['monthly_budget', 'monthly_budget_billable_hours', 'monthly_budget_non_billable_hours', 'version', 'guard'],
];
const insert = inserting('project_member', columns);

/** The row of a project member who has nothing special. */
export const plainMember = (session: Session, projectId: string, memberId: string, isBillable: boolean) => {
  const { id, createdAt } = newRecord();
  const row: Record<string, Cell> = {
    ...{ id, type_id: 'collaborator', is_active: 1, is_billable: isBillable ? 1 : 0, override_cost_rate: 0 },
    ...{ created_at: session.moment(createdAt), member_id: memberId, project_id: projectId, budget: 0 },
    ...{ monthly_budget: 0, version: 0, guard: 0 },
  };
  return { id, createdAt, row };
};

/** Puts a member on the team who is not there yet; it is right where another does so at the same time. */
export const joinTeam = (session: Session, row: Readonly<Record<string, Cell>>): Promise<void> =>
  session.run(
    `${session.insertIgnore} into project_member (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    columns.map((column) => row[column] ?? null),
  );

const fieldOf = { budget: 'budget', monthly_budget: 'monthlyBudget' } as const;

/** Columns of the hours that are planned, and how they are shown. */
function planned(session: Session, kind: BudgetKind, sent: Budget | undefined) {
  if (sent === undefined) return { row: { [kind]: 0 }, shown: null };
  const { billableHours = null, nonBillableHours = null } = sent;
  const row = {
    [kind]: 1,
    [`${kind}_billable_hours`]: session.decimal(billableHours, 2),
    [`${kind}_non_billable_hours`]: session.decimal(nonBillableHours, 2),
  };
  return { row, shown: { billableHours, nonBillableHours } };
}

/** @throws Refusal 400 for what does not fit, 409 where the member is on the team */
export async function createProjectMember(session: Session, sent: Sent) {
  const { projectId, memberId, typeId = 'collaborator', isActive = true, projectRoleIds = [] } = sent;
  const kinds = (['budget', 'monthly_budget'] as const).filter((kind) => sent[fieldOf[kind]] !== undefined);
  if (kinds.length > 0) await session.lock('select id from project where id = ?', [projectId]);
  const [found] = await session.all<Found>(look + session.share, [memberId, projectId]);
  const wanting = problems([
    [found !== undefined && found.member === null, "'memberId' does not refer to an existing Member"],
    [found === undefined, "'projectId' does not refer to an existing Project"],
  ]);
  if (found === undefined || wanting.length > 0) throw invalid(wanting);
  const roles = await rolesOf(session, projectRoleIds);
  refuse(
    projectRoleIds.flatMap((id, place) =>
      roles.has(id) ? [] : [`'projectRoleIds[${place}]' does not refer to an existing Project Role`],
    ),
  );
  const isBillable = sent.isBillable ?? (found.member_billable === 1 && found.project_billable === 1);
  refuse([
    ...problems([
      [isBillable && found.project_billable !== 1, "'isBillable' must be false on a project that is not billable"],
      [sent.rate !== undefined && (!isBillable || found.use_roles === 1), "'rate' is not allowed"],
      [found.use_roles !== 1 && projectRoleIds.length > 0, "'projectRoleIds' is not allowed"],
    ]),
    ...kinds
      .filter((kind) => found.use_roles === 1 || found[`${kind}_mode`] !== 'detailed')
      .map((kind) => `'${fieldOf[kind]}' is not allowed`),
    ...projectRoleIds.flatMap((id, place) =>
      roles.get(id)?.project_id === projectId ? [] : [`'projectRoleIds[${place}]' must be of the same project`],
    ),
  ]);
  const { id, createdAt, row } = plainMember(session, projectId, memberId, isBillable);
  const once = planned(session, 'budget', sent.budget);
  const monthly = planned(session, 'monthly_budget', sent.monthlyBudget);
  const rate = sent.rate ?? null;
  const own = { type_id: typeId, is_active: isActive ? 1 : 0, rate: session.decimal(rate, 4) };
  try {
    await insert(session, { ...row, ...own, ...once.row, ...monthly.row });
  } catch (error) {
    if (isTaken(error)) throw new Refusal(409, 'A Project Member with the same member already exists.');
    throw error;
  }
  const links = projectRoleIds.map((roleId, place) => [id, place, roleId, session.moment(createdAt)]);
  await insertRows(session, 'project_member_project_roles', ['owner_id', 'position', 'target_id', 'created_at'], links);
  const staffed = { id: projectId, currency: found.currency, is_billable: found.project_billable };
  for (const kind of kinds) await keepTeamBudget(session, kind, staffed);
  return {
    ...{ id, typeId, isActive, isBillable, rate, overrideCostRate: false, costCurrency: null },
    ...{ costPerHour: null, overheadCostPerHour: null, createdAt },
    member: shown(memberId, found.member),
    project: shownProject({ id: projectId, name: found.project, client_id: found.client_id, client: found.client }),
    projectRoles: projectRoleIds.map((roleId) => shown(roleId, roles.get(roleId)?.name ?? '')),
    ...{ budget: once.shown, monthlyBudget: monthly.shown },
  };
}

/** Roles by id, which stay as they are until the transaction ends. */
export async function rolesOf(session: Session, ids: readonly string[]): Promise<Map<string, Role>> {
  if (ids.length === 0) return new Map();
  const sql = `select id, name, project_id from project_role where id ${among(ids)}${session.share}`;
  return new Map((await session.all<Role>(sql, ids)).map((role) => [role.id, role]));
}
