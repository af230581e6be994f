// What everyday writes refer to: some firms' clients, projects, teams and invoices, made by Praxis through its interface.
import { openDatabase } from '../../src/storage/database.ts';
import { newIdAt } from '../../src/values/id.ts';
import { ask } from './services.ts';

/** A client with a running project: of each caller its own, as everyday work is spread. */
export interface Lane {
  readonly clientId: string;
  readonly projectId: string;
  readonly roleId: string;
  /** A role that the project's rate card has a rate for. */
  readonly cardRoleId: string;
  readonly taskId: string;
  /** All tasks that take time, the one above among them. */
  readonly taskIds: readonly string[];
  readonly phaseId: string;
  /** All phases, the one above among them. */
  readonly phaseIds: readonly string[];
  /** Members of the team, the last of them at a monthly cost, with a report of each for expenses. */
  readonly seats: readonly { readonly memberId: string; readonly reportId: string }[];
  /** Time entries that can be changed. */
  readonly entryIds: readonly string[];
  /** Issued, with much to pay. */
  readonly invoiceIds: readonly string[];
  /** Other projects, whose teams nobody has joined. */
  readonly open: readonly { readonly projectId: string; readonly roleId: string }[];
  /** Projects without roles, whose members have budgets; the first has two of the team and caps of a day and of its task. */
  readonly staffed: readonly { readonly projectId: string }[];
  readonly cappedTaskId: string;
  /** A time entry of the first, where whatever is submitted is approved at once. */
  readonly autoEntryId: string;
  /** Service items of the project, by the invoice that is to bill them. */
  readonly billable: readonly (readonly string[])[];
}

export interface Ground {
  readonly lanes: readonly Lane[];
  readonly categoryId: string;
  /** Members who are on no team. */
  readonly joinerIds: readonly string[];
}

interface GroundOptions {
  readonly address: string;
  readonly databaseUrl: string;
  readonly lanes: number;
  /** How many invoices with sources a lane can make until their sources come again. */
  readonly sourced: number;
}

const seatsALane = 4;
const entriesALane = 4;
const invoicesALane = 8;
const openALane = 8;
const staffedALane = 8;
const phasesALane = 8;
const tasksALane = 6;
const joiners = 300;
/** Lines of an invoice. */
export const linesAnInvoice = 10;
const sourcesALine = 4;
const sourcesAnInvoice = linesAnInvoice * sourcesALine;
/** Lanes, and records of each. */
const atOnce = 4;

/** Makes a record. @throws Error where it is refused */
export async function make(address: string, path: string, body: object): Promise<string> {
  const answer = await ask(address, path, { method: 'POST', body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`POST ${path} is answered ${JSON.stringify(answer)}`);
  return (answer.body as { id: string }).id;
}

/** Makes all records, some at a time. */
async function makeAll(address: string, path: string, bodies: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < bodies.length; first += atOnce) {
    const some = bodies.slice(first, first + atOnce);
    ids.push(...(await Promise.all(some.map((body) => make(address, path, body)))));
  }
  return ids;
}

const numbered = <T>(count: number, toItem: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_value, nth) => toItem(nth));

/** Makes what the writes need. */
export async function prepareGround({ address, databaseUrl, lanes, sourced }: GroundOptions): Promise<Ground> {
  const categoryId = await make(address, '/expense-categories', { name: 'Conferences' });
  const invoiceItemId = await make(address, '/invoice-items', { name: 'Workshop' });
  const members = numbered(joiners, (nth) => ({ name: `Joiner ${nth}`, email: `joiner.${nth}@praxis.example` }));
  const joinerIds = await makeAll(address, '/members', members);
  const made: Omit<Lane, 'billable'>[] = [];
  for (let first = 0; first < lanes; first += atOnce) {
    const some = numbered(Math.min(atOnce, lanes - first), (nth) => makeLane(address, first + nth));
    made.push(...(await Promise.all(some)));
  }
  const items = made.map(({ projectId }) => ({ projectId, invoiceItemId, ...workshop }));
  const patterns = await makeAll(address, '/project-service-items', items);
  const whole: Lane[] = [];
  for (const [nth, lane] of made.entries()) {
    const sets = nth < probeLanes ? probedSets : sourced;
    const ids = await copyServiceItem(databaseUrl, patterns[nth] ?? '', sets * sourcesAnInvoice);
    const billable = numbered(sets, (place) => ids.slice(place * sourcesAnInvoice, (place + 1) * sourcesAnInvoice));
    whole.push({ ...lane, billable });
  }
  return { lanes: whole, categoryId, joinerIds };
}

/** The first lanes are for what is compared, with so many invoices with sources. */
const probeLanes = 2;
const probedSets = 2;
const workshop = { date: '2026-02-02', description: 'Workshop', fee: 50 };

/** All lanes look alike but for their ids. */
export async function makeLane(address: string, nth: number): Promise<Omit<Lane, 'billable'>> {
  const clientId = await make(address, '/clients', { name: 'Harbour Works', currency: 'EUR', streetAddress: '1 Quay' });
  const terms = { clientId, billingTypeId: 'tm', statusId: 'in_progress' };
  const projects = numbered(openALane + 1, (place) => ({
    ...{ name: `Project ${place}`, ...terms },
    ...(place === 0 ? { useBudget: true, budgetMode: 'aggregated' } : {}),
  }));
  const projectIds = await makeAll(address, '/projects', projects);
  const roles = projectIds.map((projectId) => ({ projectId, name: 'Engineer', rate: 120 }));
  const roleIds = await makeAll(address, '/project-roles', roles);
  const [open0, ...open] = projectIds.map((projectId, place) => ({ projectId, roleId: roleIds[place] ?? '' }));
  const { projectId, roleId } = open0 ?? { projectId: '', roleId: '' };
  const cardRoleId = await make(address, '/project-roles', { projectId, name: 'Architect', rate: 150 });
  await make(address, '/project-rate-cards', { projectId, roleRates: [{ projectRoleId: cardRoleId, rate: 165.5 }] });
  const memberIds = await makeAll(
    address,
    '/members',
    numbered(seatsALane, (place) => ({ name: `Member ${place}`, email: `member.${place}@lane-${nth}.example` })),
  );
  await makeAll(
    address,
    '/cost-periods',
    memberIds.map((memberId, place) => ({ memberId, start: '2026-01-01', ...(place === 3 ? monthly : hourly) })),
  );
  const seats = memberIds.map((memberId) => ({ projectId, memberId, projectRoleIds: [roleId] }));
  await makeAll(address, '/project-members', seats);
  const reports = memberIds.map((memberId) => ({ memberId, title: 'Spring' }));
  const reportIds = await makeAll(address, '/expense-reports', reports);
  await make(address, '/allocations', await vacation(address, memberIds[1] ?? ''));
  const tasks = await makeTasks(address, projectId);
  const entry = { projectId, projectRoleId: roleId, taskId: tasks.taskId, date: '2026-01-12', minutes: 60 };
  const entries = numbered(entriesALane, (place) => ({ ...entry, memberId: memberIds[place % seatsALane] }));
  const bill = { clientId, statusId: 'issued', lines: [{ amount: 10_000_000, projectId }] };
  return {
    ...{ clientId, projectId, roleId, cardRoleId, open },
    ...tasks,
    ...(await makeStaffed(address, terms, memberIds)),
    seats: memberIds.map((memberId, place) => ({ memberId, reportId: reportIds[place] ?? '' })),
    entryIds: await makeAll(address, '/time-entries', entries),
    invoiceIds: await makeAll(
      address,
      '/invoices',
      numbered(invoicesALane, () => bill),
    ),
  };
}

const hourly = { costPerHour: 48.25, overheadCostPerHour: 6 };
const monthly = { costMethodId: 'fixed_monthly', costPerMonth: 6100, overheadCostPerMonth: 900 };

/** Two days off, in the week of the allocations that are compared. */
async function vacation(address: string, memberId: string): Promise<object> {
  const { body } = await ask(address, '/time-off-types?limit=1');
  const [type] = (body as { results: { id: string }[] }).results;
  const days = { start: '2026-03-04', end: '2026-03-05', unit: 'day', hoursPerDay: 8 };
  return { resourceTypeId: 'member', assignmentTypeId: 'time_off', memberId, timeOffTypeId: type?.id, ...days };
}

/** Phases and, in the first, tasks that take time. */
async function makeTasks(address: string, projectId: string) {
  const { body } = await ask(address, '/task-categories?limit=100');
  const categories = (body as { results: { id: string; type: string }[] }).results;
  const taskCategoryId = categories.find(({ type }) => type === 'rollup')?.id;
  const phases = numbered(phasesALane, (place) => ({ projectId, name: `Phase ${place}`, taskCategoryId }));
  const [first = {}, ...others] = phases;
  // Alone, so that its place is the same in every lane.
  const phaseId = await make(address, '/tasks', first);
  const phaseIds = [phaseId, ...(await makeAll(address, '/tasks', others))];
  const tasks = numbered(tasksALane, (place) => ({ projectId, name: `Build ${place}`, parentId: phaseId }));
  const taskIds = await makeAll(address, '/tasks', tasks);
  return { phaseId, phaseIds, taskId: taskIds[0] ?? '', taskIds };
}

/** Projects whose rates and budgets go by member. */
async function makeStaffed(address: string, terms: object, memberIds: readonly string[]) {
  const detailed = { ...terms, useRoles: false, useBudget: true, budgetMode: 'detailed', timeApprovalMode: 'auto' };
  const projects = numbered(staffedALane, (place) => ({
    ...{ name: `Staffed ${place}`, ...detailed },
    ...(place === 0 ? { capMaxMemberHoursPerDay: true, maxMemberHoursPerDay: 8 } : {}),
  }));
  const staffed = (await makeAll(address, '/projects', projects)).map((projectId) => ({ projectId }));
  const projectId = staffed[0]?.projectId ?? '';
  const costs = { overrideCostRate: true, costCurrency: 'EUR', costPerHour: 70, overheadCostPerHour: 2.5 };
  const [first, second] = memberIds;
  await make(address, '/project-members', { projectId, memberId: first, rate: 90, budget: { billableHours: 20 } });
  await make(address, '/project-members', { projectId, memberId: second, ...costs });
  const task = { projectId, name: 'Ten hours', budgetedHours: 10, capHours: true };
  const cappedTaskId = await make(address, '/tasks', task);
  const entry = { projectId, memberId: first, date: '2026-01-13', minutes: 45 };
  return { staffed, cappedTaskId, autoEntryId: await make(address, '/time-entries', entry) };
}

const rowsAStatement = 500;
const oldestMs = Date.UTC(2026, 0, 1);
let copies = 0;

/** Copies of a service item, straight into its table. @returns their ids */
async function copyServiceItem(databaseUrl: string, pattern: string, count: number): Promise<string[]> {
  const database = await openDatabase(databaseUrl);
  const columns =
    'date, description, quantity, rate, fee, invoiced, created_at, project_id, invoice_item_id, version, guard';
  try {
    const [row = []] = await database.all(`select ${columns} from project_service_item where id = ?`, [pattern]);
    const ids = numbered(count, () => {
      copies += 1;
      return newIdAt(oldestMs + copies, copies);
    });
    const place = `(?, ${row.map(() => '?').join(', ')})`;
    for (let first = 0; first < count; first += rowsAStatement) {
      const part = ids.slice(first, first + rowsAStatement);
      const places = part.map(() => place).join(', ');
      await database.run(
        `insert into project_service_item (id, ${columns}) values ${places}`,
        part.flatMap((id) => [id, ...row]),
      );
    }
    return ids;
  } finally {
    await database.close();
  }
}

const draftsWithSources = `select distinct i.id from invoice i join invoice_lines_sources s on s.owner_id = i.id
  where i.status_id = 'draft'`;
const draftTables = ['invoice_lines_sources', 'invoice_lines', 'invoice_projects'];

/** Deletes all drafts with sources, so that these can be billed again, and no shot meets more than the one before. */
export async function freeSources(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    const ids = (await database.all(draftsWithSources, [])).map(([id]) => String(id));
    for (let first = 0; first < ids.length; first += rowsAStatement) {
      const part = ids.slice(first, first + rowsAStatement);
      const places = part.map(() => '?').join();
      for (const table of draftTables) await database.run(`delete from ${table} where owner_id in (${places})`, part);
      await database.run(`delete from invoice where id in (${places})`, part);
    }
  } finally {
    await database.close();
  }
}

const measuredPayments = `select id from payment where reference_number like 'T-%'`;
const paid = '(select coalesce(sum(p.amount), 0) from invoice_payments p where p.owner_id = invoice.id)';
const undoPayments = [
  `delete from invoice_payments where id in (${measuredPayments})`,
  `delete from payment_invoices where owner_id in (${measuredPayments})`,
  `delete from payment where reference_number like 'T-%'`,
  `update invoice set amount_due = total - amount_credited - ${paid}, amount_paid = ${paid} where amount_paid <> 0`,
];

/** Deletes the payments that were measured: nobody pays one invoice hundreds of times. */
export async function undoMeasuredPayments(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    for (const sql of undoPayments) await database.run(sql, []);
  } finally {
    await database.close();
  }
}

/** Lines that bill some service items, four each. */
export const sourcedLines = (ids: readonly string[], projectId: string): object[] =>
  numbered(linesAnInvoice, (nth) => ({
    amount: 200,
    projectId,
    description: `Workshops, part ${nth + 1}`,
    sources: ids
      .slice(nth * sourcesALine, (nth + 1) * sourcesALine)
      .map((id) => ({ typeId: 'project_service_item', id })),
  }));
