// What everyday writes refer to: some firms' clients, projects, teams and invoices, made by Praxis through its interface.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/storage/database.ts';
import { faultOf } from '../../src/storage/faults.ts';
import { newIdAt } from '../../src/values/id.ts';
import { ask } from './services.ts';

/** A client with a running project: of each caller its own, as everyday work is spread. */
export interface Lane {
  readonly clientId: string;
  readonly projectId: string;
  readonly roleId: string;
  readonly taskId: string;
  readonly phaseId: string;
  /** Members of the team, with a report of each for expenses. */
  readonly seats: readonly { readonly memberId: string; readonly reportId: string }[];
  /** Time entries that can be changed. */
  readonly entryIds: readonly string[];
  /** Issued, with much to pay. */
  readonly invoiceIds: readonly string[];
  /** Other projects, whose teams nobody has joined. */
  readonly open: readonly { readonly projectId: string; readonly roleId: string }[];
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
async function makeLane(address: string, nth: number): Promise<Omit<Lane, 'billable'>> {
  const clientId = await make(address, '/clients', { name: 'Harbour Works', currency: 'EUR', streetAddress: '1 Quay' });
  const terms = { clientId, billingTypeId: 'tm', statusId: 'in_progress' };
  const projects = numbered(openALane + 1, (place) => ({ name: `Project ${place}`, ...terms }));
  const projectIds = await makeAll(address, '/projects', projects);
  const roles = projectIds.map((projectId) => ({ projectId, name: 'Engineer', rate: 120 }));
  const roleIds = await makeAll(address, '/project-roles', roles);
  const [open0, ...open] = projectIds.map((projectId, place) => ({ projectId, roleId: roleIds[place] ?? '' }));
  const { projectId, roleId } = open0 ?? { projectId: '', roleId: '' };
  const memberIds = await makeAll(
    address,
    '/members',
    numbered(seatsALane, (place) => ({ name: `Member ${place}`, email: `member.${place}@lane-${nth}.example` })),
  );
  const seats = memberIds.map((memberId) => ({ projectId, memberId, projectRoleIds: [roleId] }));
  await makeAll(address, '/project-members', seats);
  const reports = memberIds.map((memberId) => ({ memberId, title: 'Spring' }));
  const reportIds = await makeAll(address, '/expense-reports', reports);
  const { body } = await ask(address, '/task-categories?limit=100');
  const categories = (body as { results: { id: string; type: string }[] }).results;
  const taskCategoryId = categories.find(({ type }) => type === 'rollup')?.id;
  const phaseId = await make(address, '/tasks', { projectId, name: 'Phase', taskCategoryId });
  const taskId = await make(address, '/tasks', { projectId, name: 'Build', parentId: phaseId });
  const entry = { projectId, projectRoleId: roleId, taskId, date: '2026-01-12', minutes: 60 };
  const entries = numbered(entriesALane, (place) => ({ ...entry, memberId: memberIds[place % seatsALane] }));
  const bill = { clientId, statusId: 'issued', lines: [{ amount: 10_000_000, projectId }] };
  return {
    ...{ clientId, projectId, roleId, taskId, phaseId, open },
    seats: memberIds.map((memberId, place) => ({ memberId, reportId: reportIds[place] ?? '' })),
    entryIds: await makeAll(address, '/time-entries', entries),
    invoiceIds: await makeAll(
      address,
      '/invoices',
      numbered(invoicesALane, () => bill),
    ),
  };
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

const settledMs = 100;
const makeVoid = `update invoice set status_id = 'void', amount_due = 0
  where status_id = 'draft' and id in (select owner_id from invoice_lines_sources)`;

/** Makes all drafts with sources void, so that these can be billed again: also those that are under way until now. */
export async function freeSources(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    let isFree = false;
    while (!isFree) {
      await delay(settledMs);
      isFree = await database.run(makeVoid, []).then(
        (count) => count === 0,
        (error) => {
          if (faultOf(error).kind === 'retry') return false;
          throw error;
        },
      );
    }
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
