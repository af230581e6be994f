// Projects: scope, team, price, and their course.
import type { ProjectCreate, ProjectStatusId } from '../../../codegen/generated/client.ts';
import { addDays } from '../../values/date.ts';
import type { ProjectRow } from '../data/clients.ts';
import { kinds } from '../data/work.ts';
import { addMonths, firstOfMonth, lastOfMonth, workdayFrom } from '../plan/calendar.ts';
import { cents, type Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import type { Account } from './clients.ts';
import { priceIn } from './house.ts';
import type { Staff } from './people.ts';
import { planRoles, planTasks, planTeam, type Task, type TeamMember } from './project-team.ts';

export interface Job {
  readonly record: Planned;
  readonly account: Account;
  readonly row: ProjectRow;
  readonly start: string;
  readonly end: string;
  readonly at: number;
  readonly isTentative: boolean;
  readonly budgetMode: 'summary' | 'detailed' | 'aggregated';
  readonly monthlyBudgetMode: 'summary' | 'detailed' | undefined;
  /** Agreed total, or fee per month; what the budget says for work by the hour. */
  readonly fee: number;
  /** The first day of higher rates by the hour, and how much higher these are. */
  readonly raise: { readonly from: string; readonly factor: number } | undefined;
  readonly usesRoles: boolean;
  /** Whether time is approved as soon as it is submitted; expenses. */
  readonly approvesTime: boolean;
  readonly approvesExpenses: boolean;
  /** Whether revenue is recognised by entries, not by invoices. */
  readonly isManual: boolean;
  readonly team: readonly TeamMember[];
  readonly tasks: readonly Task[];
  /** Whether work goes on that day. */
  isActiveOn(date: string): boolean;
}

const hoursAMonth = 150;

/** Plans the projects of every client, with roles, team and tasks. */
export function planProjects(plan: Plan, accounts: readonly Account[], staff: readonly Staff[]): readonly Job[] {
  const jobs: Job[] = [];
  for (const account of accounts) {
    const group = planGroup(plan, account);
    for (const row of account.row.projects) jobs.push(planProject(plan, row, { account, staff, group }));
  }
  return jobs;
}

/** Clients with two projects in a row keep them together. */
function planGroup(plan: Plan, { record, row, at }: Account): Planned | undefined {
  if (row.projects.length < 3 || row.employees < 900) return undefined;
  return plan.timeline.make(at + 2000, (praxis) =>
    praxis.projectGroups.create({
      clientId: record.id,
      name: `Programme ${plan.span.last.slice(0, 4)}`,
      description: `All that we do for the digital programme of ${row.name}`,
    }),
  );
}

interface Around {
  readonly account: Account;
  readonly staff: readonly Staff[];
  readonly group: Planned | undefined;
}

/** What is agreed on a project. */
interface Terms {
  readonly start: string;
  readonly end: string;
  readonly at: number;
  readonly isTentative: boolean;
  readonly budgetMode: Job['budgetMode'];
  readonly monthlyBudgetMode: Job['monthlyBudgetMode'];
  readonly raise: Job['raise'];
  /** An hour's price. */
  readonly rate: number;
  readonly hours: number;
  readonly fee: number;
  readonly usesRoles: boolean;
  readonly poNumber: string | null;
  /** For which time the hours of a member are limited. */
  readonly cap: 'day' | 'week' | 'month' | undefined;
  readonly isManual: boolean;
}

function termsOf(plan: Plan, account: Account, row: ProjectRow): Terms {
  const { random, span } = plan;
  const start = workdayFrom(addDays(addMonths(firstOfMonth(span.first), row.from), random.between(0, 12)));
  const agreed = addDays(start, -random.between(10, 30));
  const at = agreed < span.first ? account.at + 10_000_000 : plan.during(workdayFrom(agreed));
  const isTentative = start > span.last && random.chance(0.6);
  const rate = priceIn(plan, account.currency, 145);
  const hours = row.months * hoursAMonth;
  const fee =
    row.billing === 'fixed_recurring'
      ? cents(Math.round(rate * 0.28) * 100)
      : cents(Math.round((rate * hours) / 1000) * 1000);
  const hasOrder = random.chance(0.6);
  const order = `PO-${random.between(10_000, 99_999)}`;
  const end = lastOfMonth(addMonths(firstOfMonth(start), row.months - 1));
  const raised = firstOfMonth(addMonths(start, 6));
  return {
    start,
    end,
    at,
    isTentative,
    budgetMode: row.billing === 'fixed' ? 'aggregated' : row.kind === 'retainer' ? 'summary' : 'detailed',
    monthlyBudgetMode: row.kind !== 'retainer' ? undefined : random.chance(0.4) ? 'summary' : 'detailed',
    raise: row.billing === 'tm' && raised < end ? { from: raised, factor: 1.03 } : undefined,
    rate,
    hours,
    fee,
    usesRoles: row.kind !== 'compliance',
    poNumber: hasOrder ? order : null,
    cap: random.chance(0.25) ? random.pick(['day', 'week', 'month']) : undefined,
    isManual: row.billing === 'fixed' && random.chance(0.5),
  };
}

interface ProjectOptions extends Around {
  readonly terms: Terms;
  readonly lead: Staff;
}

const caps = {
  day: { capMaxMemberHoursPerDay: true, maxMemberHoursPerDay: 10 },
  week: { capMaxMemberHoursPerWeek: true, maxMemberHoursPerWeek: 42.5 },
  month: { capMaxMemberHoursPerMonth: true, maxMemberHoursPerMonth: 176 },
} as const;

const approvesTime = ({ billing }: ProjectRow): boolean => billing === 'fixed_recurring';
const approvesExpenses = ({ kind }: ProjectRow): boolean => kind === 'strategy';

function projectBody(plan: Plan, row: ProjectRow, { account, group, terms, lead }: ProjectOptions): ProjectCreate {
  const { start, end, budgetMode, monthlyBudgetMode, fee, cap, isManual } = terms;
  const kind = kinds[row.kind];
  const tags = [kind.tag, ...(row.billing === 'fixed' ? ['fixed scope'] : [])];
  return {
    name: row.name,
    clientId: account.record.id,
    code: `${account.row.code}-${row.kind.slice(0, 3).toUpperCase()}`,
    poNumber: terms.poNumber,
    notes: `${row.name} for ${account.name}. Sponsor: ${account.row.contacts[0]?.[0]}.`,
    statusId: terms.isTentative ? 'tentative' : 'not_started',
    start,
    end,
    billingTypeId: row.billing,
    ...(row.billing === 'fixed' ? { fixedFee: fee, revenueRecognitionMethod: isManual ? 'manual' : 'invoiced' } : {}),
    ...(row.billing === 'fixed_recurring'
      ? { fixedRecurringFee: fee, fixedRecurringStart: firstOfMonth(start), fixedRecurringEnd: firstOfMonth(end) }
      : {}),
    useRoles: terms.usesRoles,
    requiresNotes: row.kind === 'compliance',
    // What is done for a fee is not looked at entry by entry.
    timeApprovalMode: approvesTime(row) ? 'auto' : 'manual',
    expenseApprovalMode: approvesExpenses(row) ? 'auto' : 'manual',
    ...(cap === undefined ? {} : caps[cap]),
    useBudget: true,
    budgetMode,
    ...(budgetMode === 'summary'
      ? { budget: { servicesRevenue: cents(fee * row.months), billableHours: row.months * 45 } }
      : {}),
    ...(monthlyBudgetMode === undefined ? {} : { useMonthlyBudget: true, monthlyBudgetMode }),
    ...(monthlyBudgetMode === 'summary' ? { monthlyBudget: { servicesRevenue: fee, billableHours: 45 } } : {}),
    cloudFolderUrl: `https://files.lindqvist-moreau.example/${account.row.code.toLowerCase()}/${row.kind}`,
    projectTypeId: plan.id('projectTypes', kind.type),
    practiceId: plan.id('practices', kind.practice),
    projectGroupId: group?.id ?? null,
    tagIds: tags.map((tag) => plan.id('projectTags', tag)),
    projectAdminId: lead.record.id,
  };
}

function planProject(plan: Plan, row: ProjectRow, around: Around): Job {
  const { account, staff } = around;
  const { currency } = account;
  const terms = termsOf(plan, account, row);
  const { start, end, at, budgetMode, fee, rate, hours, usesRoles, isTentative, isManual } = terms;
  const present = staff.filter((one) => isAvailable(one, at));
  const lead = leadOf(plan, row, present);
  const record = plan.timeline.make(
    at,
    (praxis) => praxis.projects.create(projectBody(plan, row, { ...around, terms, lead })),
    lead.record,
  );
  const roles = usesRoles ? planRoles(plan, { record, at, kind: row.kind, hours, currency, terms }) : new Map();
  const team = planTeam(plan, { record, at, row, lead, staff: present, currency, roles, budgetMode });
  const tasks = planTasks(plan, { record, at, row, start, end, hours, rate, team });
  const pause =
    row.fate === 'paused' ? addDays(plan.span.last, -20) : row.from % 5 === 4 ? addDays(start, 45) : undefined;
  const isActiveOn = (date: string): boolean =>
    date >= start &&
    date <= end &&
    !isTentative &&
    !(pause !== undefined && date >= pause && date < addDays(pause, 28));
  const { monthlyBudgetMode, raise } = terms;
  const facts = { start, end, at, isTentative, budgetMode, monthlyBudgetMode, raise, fee, usesRoles, isManual };
  const job: Job = {
    record,
    account,
    row,
    ...facts,
    approvesTime: approvesTime(row),
    approvesExpenses: approvesExpenses(row),
    team,
    tasks,
    isActiveOn,
  };
  planStates(plan, job, { pause, lead });
  return job;
}

/** Who is there when the project is, and stays. */
const isAvailable = ({ position, at: joined, end: left }: Staff, at: number): boolean =>
  position.rate > 0 && joined < at && left === undefined;

function leadOf(plan: Plan, { kind }: ProjectRow, staff: readonly Staff[]): Staff {
  const able = staff.filter(({ position }) => position.level !== 'Junior');
  const fitting = able.filter(
    ({ position }) => position.discipline === kinds[kind].lead || position.discipline === 'Delivery',
  );
  return plan.random.pick(fitting.length > 0 ? fitting : able);
}

/** Begun on the first day, paused for a while in some, completed a week after the last day's time is in. */
function planStates(
  plan: Plan,
  { record, start, end, at, isTentative, row, tasks }: Job,
  { pause, lead }: { readonly pause: string | undefined; readonly lead: Staff },
): void {
  const { timeline, span } = plan;
  const turn = (date: string, statusId: ProjectStatusId): void => {
    if (date <= span.last)
      timeline.add(
        Math.max(at + 10_000, plan.during(date) - 7_200_000),
        (praxis) => praxis.projects.update(record.id, { statusId }),
        lead.record,
      );
  };
  if (isTentative || start > span.last) return;
  turn(start, 'in_progress');
  for (const [place, task] of tasks.entries())
    if (place === 0)
      timeline.add(
        Math.max(at + 20_000, plan.during(start)),
        (praxis) => praxis.tasks.update(task.record.id, { statusId: 'in_progress' }),
        lead.record,
      );
  if (pause !== undefined) {
    turn(workdayFrom(pause), 'paused');
    turn(workdayFrom(addDays(pause, 28)), 'in_progress');
  }
  const closing = workdayFrom(addDays(end, 75));
  if (closing > span.last) return;
  for (const task of tasks)
    timeline.add(
      plan.during(closing),
      (praxis) => praxis.tasks.update(task.record.id, { statusId: 'completed' }),
      lead.record,
    );
  turn(workdayFrom(addDays(closing, 1)), row.fate ?? 'completed');
  if (row.from < 0)
    timeline.add(
      plan.during(workdayFrom(addDays(closing, 9))),
      (praxis) => praxis.projects.update(record.id, { recordStatusId: 'archived' }),
      lead.record,
    );
}

/** What an hour of somebody costs on a day. */
export const rateOn = ({ raise }: Job, { rate }: TeamMember, date: string): number =>
  raise !== undefined && date >= raise.from ? cents(rate * raise.factor) : rate;

/** The firm's own work, for hours that no client pays. */
export function planInternal(plan: Plan, staff: readonly Staff[], copy: number): Planned {
  const at = plan.opening + 20_000_000 + copy * 10_000;
  const record = plan.timeline.make(at, (praxis) =>
    praxis.projects.create({
      name: copy === 0 ? 'Running the firm' : `Running the firm ${copy + 1}`,
      clientId: plan.id('clients', 'internal'),
      billingTypeId: 'non_billable',
      statusId: 'in_progress',
      useRoles: false,
      timeApprovalMode: 'auto',
      expenseApprovalMode: 'auto',
      start: plan.span.first,
      notes: 'Meetings, recruiting, training and all else that is not for a client.',
    }),
  );
  for (const one of staff)
    plan.timeline.make(Math.max(at + 1000, one.at), (praxis) =>
      praxis.projectMembers.create({
        projectId: record.id,
        memberId: one.record.id,
      }),
    );
  return record;
}
