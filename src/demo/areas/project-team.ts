// Who works on a project, and on what: its roles, its team and its tasks.
import type { ProjectRow } from '../data/clients.ts';
import { kinds, type TaskRow } from '../data/work.ts';
import { cents, type Plan, theOne } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import { priceIn } from './house.ts';
import type { Staff } from './people.ts';

/** Somebody on a project, in a role. */
export interface TeamMember {
  readonly staff: Staff;
  readonly role: { readonly record: Planned; readonly name: string } | undefined;
  /** Per hour, in the currency of the project. */
  readonly rate: number;
  readonly projectMember: Planned;
}

/** What hours are written on. */
export interface Task {
  readonly record: Planned;
  readonly row: TaskRow;
  /** So many hours may be written on it, where it has a cap. */
  readonly most: number | undefined;
  /** So many by this member, where those that are assigned have a cap. */
  readonly assigned: { readonly staff: Staff; readonly most: number } | undefined;
}
type Roles = ReadonlyMap<string, { readonly record: Planned; readonly name: string; readonly rate: number }>;

interface RoleOptions {
  readonly record: Planned;
  readonly at: number;
  readonly kind: ProjectRow['kind'];
  readonly hours: number;
  readonly currency: string;
  readonly terms: { readonly budgetMode: string; readonly monthlyBudgetMode: string | undefined };
}

const roleRates = { 'Project Lead': 165, Specialist: 145, Consultant: 120 } as const;

export function planRoles(plan: Plan, { record, at, kind, hours, currency, terms }: RoleOptions): Roles {
  const roles = new Map<string, { record: Planned; name: string; rate: number }>();
  for (const [name, usual] of Object.entries(roleRates)) {
    const rate = priceIn(plan, currency, usual);
    const share = name === 'Project Lead' ? 0.2 : 0.4;
    const role = plan.timeline.make(at + 1000, (praxis) =>
      praxis.projectRoles.create({
        projectId: record.id,
        name,
        rate,
        practiceId: plan.id('practices', kinds[kind].practice),
        ...(terms.budgetMode === 'detailed'
          ? { budget: { billableHours: Math.round(hours * share), nonBillableHours: 8 } }
          : {}),
        ...(terms.monthlyBudgetMode === 'detailed'
          ? { monthlyBudget: { billableHours: name === 'Project Lead' ? 5 : 20 } }
          : {}),
      }),
    );
    roles.set(name, { record: role, name, rate });
  }
  return roles;
}

interface TeamOptions {
  readonly record: Planned;
  readonly at: number;
  readonly row: ProjectRow;
  readonly lead: Staff;
  /** Who can join. */
  readonly staff: readonly Staff[];
  readonly currency: string;
  readonly roles: Roles;
  readonly budgetMode: string;
}

/** The lead is a member since the project is there; others come on the day after it was agreed. */
export function planTeam(plan: Plan, options: TeamOptions): readonly TeamMember[] {
  const { record, at, row, lead, staff, currency, roles, budgetMode } = options;
  const { random, timeline } = plan;
  const others = kinds[row.kind].team.flatMap((discipline) => {
    const able = staff.filter((one) => one !== lead && one.position.discipline === discipline);
    return able.length === 0 ? [] : [random.pick(able)];
  });
  return [lead, ...new Set(others)].map((one, place) => {
    const name = place === 0 ? 'Project Lead' : one.position.level === 'Junior' ? 'Consultant' : 'Specialist';
    const role = roles.get(name);
    const rate = role?.rate ?? priceIn(plan, currency, one.position.rate);
    const body = () => ({
      ...(role === undefined ? { rate } : { projectRoleIds: [role.record.id] }),
      ...(role === undefined && budgetMode === 'detailed' ? { budget: { billableHours: row.months * 60 } } : {}),
    });
    if (place === 0) {
      const projectMember = timeline.make(at + 2000, async (praxis) =>
        theOne((await praxis.projectMembers.list({ projectId: record.id, memberId: one.record.id })).results),
      );
      timeline.add(at + 2001, (praxis) => praxis.projectMembers.update(projectMember.id, body()));
      return { staff: one, role, rate, projectMember };
    }
    const projectMember = timeline.make(at + 2000, (praxis) =>
      praxis.projectMembers.create({
        projectId: record.id,
        memberId: one.record.id,
        ...body(),
      }),
    );
    return { staff: one, role, rate, projectMember };
  });
}

interface TaskOptions {
  readonly record: Planned;
  readonly at: number;
  readonly row: ProjectRow;
  readonly start: string;
  readonly end: string;
  readonly hours: number;
  readonly rate: number;
  readonly team: readonly TeamMember[];
}

export function planTasks(
  plan: Plan,
  { record, at, row, start, end, hours, rate, team }: TaskOptions,
): readonly Task[] {
  const { timeline, random } = plan;
  return kinds[row.kind].phases.flatMap(([phase, tasks]) => {
    const parent = timeline.make(at + 3000, (praxis) =>
      praxis.tasks.create({
        projectId: record.id,
        name: phase,
        taskCategoryId: plan.id('taskCategories', 'Phase'),
      }),
    );
    return tasks.map((task) => {
      const budgeted = Math.round((hours * task.share) / 100);
      const isWorkshop = task.name.toLowerCase().includes('workshop');
      const member = random.pick(team);
      // Workshops are agreed by the hour; of other tasks some are planned for each member.
      const isAssigned = !isWorkshop && random.chance(0.15);
      const planned = Math.round(budgeted / 2);
      const made = timeline.make(at + 4000, (praxis) =>
        praxis.tasks.create({
          projectId: record.id,
          parentId: parent.id,
          name: task.name,
          start,
          end,
          budgetedHours: budgeted,
          budgetedServicesRevenue: cents(budgeted * rate),
          taskCategoryId: plan.id('taskCategories', isWorkshop ? 'Workshop' : 'Task'),
          tagIds: isWorkshop ? [plan.id('taskTags', 'workshop')] : [],
          capHours: isWorkshop,
          capAssignedHours: isAssigned,
          projectMembers: [{ id: member.projectMember.id, hours: planned }],
          ...(member.role === undefined ? {} : { projectRoles: [{ id: member.role.record.id, hours: budgeted }] }),
        }),
      );
      return {
        record: made,
        row: task,
        most: isWorkshop ? budgeted : undefined,
        assigned: isAssigned ? { staff: member.staff, most: planned } : undefined,
      };
    });
  });
}
