// Writes that both services must answer alike, and leave alike in the tables: each service works in a lane of its own, and
// both lanes look the same but for their ids. What is kept is read through Praxis, whoever has written it.
import { isDeepStrictEqual } from 'node:util';
import { ask, type Running } from './services.ts';
import { type Ground, type Lane, make, sourcedLines } from './write-data.ts';

interface Probe {
  readonly method?: 'POST' | 'PATCH';
  readonly path: string;
  readonly sent: object;
  readonly status: 200 | 400 | 409;
  /** What else is read afterwards, because the write changes it too. */
  readonly reads?: readonly string[];
}

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';

/** What is sent, in order: some of it changes what the next ones meet. */
function probesIn(lane: Lane, { categoryId, joinerIds }: Ground): readonly Probe[] {
  const { clientId, projectId, roleId, taskId, phaseId, seats, entryIds, invoiceIds, open, billable } = lane;
  const project = `/projects/${projectId}`;
  const phase = `/tasks/${phaseId}`;
  const [seat, other] = seats;
  const [joinerId, second] = joinerIds;
  const [apart] = open;
  const [sources, fewer] = billable;
  if (!seat || !other || !joinerId || !second || !apart || !sources || !fewer) throw new Error('the lane is too small');
  const entry = { memberId: seat.memberId, projectId, date: '2026-03-02', minutes: 95 };
  const task = { projectId, name: 'Ümläut – “quoted”' };
  const days = { start: '2026-03-02', end: '2026-03-06', unit: 'week', hoursPerWeek: 20.5 };
  const assigned = { resourceTypeId: 'member', assignmentTypeId: 'project', projectId, ...days };
  const spent = { expenseReportId: seat.reportId, expenseCategoryId: categoryId, date: '2026-03-02' };
  const [one, two] = invoiceIds;
  const seatsOf = (memberId: string): string => `/project-members?projectId=${projectId}&memberId=${memberId}`;
  const entries = '/time-entries';
  const invoices = '/invoices';
  return [
    { path: entries, sent: { ...entry, projectRoleId: roleId, taskId, notes: 'New\nline' }, status: 200 },
    { path: entries, sent: { ...entry, isBillable: false }, status: 200 },
    { path: entries, sent: { ...entry, memberId: joinerId, projectRoleId: roleId }, status: 400 },
    { path: entries, sent: { ...entry, taskId: phaseId }, status: 400 },
    { path: entries, sent: { ...entry, taskId: nobody }, status: 400 },
    { method: 'PATCH', path: `${entries}/${entryIds[0]}`, sent: { minutes: 125, notes: 'Longer' }, status: 200 },

    ...timeProbes(lane),

    { path: '/expense-items', sent: { ...spent, projectId, amount: 12.34, vendor: 'Railways' }, status: 200 },
    { path: '/expense-items', sent: { ...spent, amount: 5, isReimbursable: false }, status: 200 },
    { path: '/expense-items', sent: { ...spent, projectId: apart.projectId, amount: 5 }, status: 400 },
    { path: '/expense-items', sent: { ...spent, amount: 5, unitCount: 3 }, status: 400 },

    {
      path: '/allocations',
      sent: { ...assigned, memberId: seat.memberId, projectRoleId: roleId, taskId },
      status: 200,
    },
    { path: '/allocations', sent: { ...assigned, memberId: second }, status: 200, reads: [seatsOf(second)] },
    { path: '/allocations', sent: { ...assigned, memberId: seat.memberId, end: '2026-03-01' }, status: 400 },
    { path: '/allocations', sent: { ...assigned, memberId: seat.memberId, taskId: phaseId }, status: 400 },

    ...hoursProbes(lane),

    ...invoiceProbes(lane, { sources, fewer }),

    {
      path: '/payments',
      sent: { clientId, amount: 30, invoices: [two, one].map((id) => ({ id, amount: 10.25 })) },
      status: 200,
      reads: [`${invoices}/${one}`, `${invoices}/${two}`],
    },
    {
      path: '/payments',
      sent: { clientId, amount: 10_000_000, invoices: [{ id: two, amount: 9_999_989.75 }] },
      status: 200,
      reads: [`${invoices}/${two}`],
    },
    { path: '/payments', sent: { clientId, amount: 5, invoices: [{ id: two, amount: 5 }] }, status: 400 },
    { path: '/payments', sent: { clientId, amount: 5, invoices: [{ id: one, amount: 6 }] }, status: 400 },

    {
      path: '/project-members',
      sent: { projectId: apart.projectId, memberId: joinerId, projectRoleIds: [apart.roleId] },
      status: 200,
    },
    { path: '/project-members', sent: { projectId, memberId: other.memberId }, status: 409 },
    {
      path: '/project-members',
      sent: { projectId, memberId: joinerId, projectRoleIds: [apart.roleId] },
      status: 400,
    },

    ...teamProbes(lane, { joinerId, second }),

    { path: '/tasks', sent: { ...task, parentId: phaseId, projectRoles: [{ id: roleId, hours: 4.5 }] }, status: 200 },
    { path: '/tasks', sent: { ...task, budgetedHours: 12, start: '2026-03-02', end: '2026-03-02' }, status: 200 },
    {
      path: '/tasks',
      sent: { ...task, parentId: phaseId, budgetedHours: 7.75, budgetedServicesRevenue: 812.5 },
      status: 200,
      reads: [project, phase],
    },
    {
      path: '/tasks',
      sent: { ...task, parentId: phaseId, budgetedHours: 3.5, isBillable: false },
      status: 200,
      reads: [project, phase],
    },
    { path: '/tasks', sent: { ...task, parentId: taskId }, status: 400 },
    { path: '/tasks', sent: { ...task, projectId: apart.projectId, parentId: phaseId }, status: 400 },
  ];
}

/** Rates, costs, caps, and what is approved at once. */
function timeProbes(lane: Lane): Probe[] {
  const { projectId, roleId, cardRoleId, seats, staffed, cappedTaskId, entryIds, autoEntryId } = lane;
  const path = '/time-entries';
  const [byHour, other, , byMonth] = seats.map(({ memberId }) => memberId);
  const entry = { memberId: byHour, projectId, date: '2026-04-01', minutes: 600 };
  const capped = { ...entry, projectId: staffed[0]?.projectId, minutes: 400 };
  const entryOf = (nth: number): string => `${path}/${entryIds[nth]}`;
  const statusId = 'pending_approval';
  return [
    { path, sent: { ...entry, projectRoleId: roleId }, status: 200 },
    { path, sent: { ...entry, projectRoleId: cardRoleId }, status: 200 },
    { path, sent: { ...entry, projectRoleId: cardRoleId, date: '2025-12-31' }, status: 200 },
    { path, sent: { ...entry, minutes: 241 }, status: 400 },
    { path, sent: { ...entry, minutes: 240, isBillable: false }, status: 200 },
    { path, sent: { ...entry, memberId: byMonth, date: '2026-02-17' }, status: 200 },
    { path, sent: { ...entry, memberId: byMonth, date: '2026-12-17' }, status: 200 },
    { path, sent: { ...capped, date: '2026-04-02', taskId: cappedTaskId }, status: 200 },
    { path, sent: { ...capped, date: '2026-04-02', minutes: 81 }, status: 400 },
    { path, sent: { ...capped, date: '2026-04-03', minutes: 201, taskId: cappedTaskId }, status: 400 },
    { path, sent: { ...capped, date: '2026-04-03', minutes: 200, taskId: cappedTaskId }, status: 200 },
    { path, sent: { ...capped, memberId: other }, status: 200 },
    { method: 'PATCH', path: entryOf(1), sent: { minutes: 1440 }, status: 200 },
    { method: 'PATCH', path: `${path}/${autoEntryId}`, sent: { statusId }, status: 200 },
    { method: 'PATCH', path: `${path}/${autoEntryId}`, sent: { statusId }, status: 400 },
    { method: 'PATCH', path: entryOf(2), sent: { statusId }, status: 200 },
    { method: 'PATCH', path: entryOf(2), sent: { statusId, minutes: 5 }, status: 409 },
  ];
}

/** Hours over a holiday, time off and the months. */
function hoursProbes({ projectId, seats }: Lane): Probe[] {
  const path = '/allocations';
  const [one, two] = seats.map(({ memberId }) => memberId);
  const assigned = { resourceTypeId: 'member', assignmentTypeId: 'project', projectId };
  const christmas = { ...assigned, memberId: one, start: '2026-12-21', end: '2027-01-08' };
  const away = { ...assigned, memberId: two, start: '2026-03-02', end: '2026-03-10', unit: 'day', hoursPerDay: 6.5 };
  return [
    { path, sent: { ...christmas, unit: 'day', hoursPerDay: 6 }, status: 200 },
    { path, sent: { ...christmas, unit: 'week', hoursPerWeek: 16 }, status: 200 },
    { path, sent: { ...christmas, unit: 'month', hoursPerMonth: 100 }, status: 200 },
    { path, sent: { ...christmas, unit: 'allocation', hoursPerAllocation: 77.25 }, status: 200 },
    { path, sent: { ...christmas, unit: 'ratio_of_capacity', hoursRatioOfCapacity: 0.3333 }, status: 200 },
    { path, sent: away, status: 200 },
    { path, sent: { ...away, allocateOnTimeOffDays: true }, status: 200 },
  ];
}

/** Members whose hours are in the budget of their project. */
function teamProbes({ staffed, open }: Lane, { joinerId, second }: { joinerId: string; second: string }): Probe[] {
  const path = '/project-members';
  const projectId = staffed[0]?.projectId;
  const reads = [`/projects/${projectId}`];
  const budget = { billableHours: 10.25, nonBillableHours: 2 };
  return [
    { path, sent: { projectId, memberId: joinerId, rate: 100.5, budget }, status: 200, reads },
    { path, sent: { projectId, memberId: second, isBillable: false, budget }, status: 200, reads },
    { path, sent: { projectId: open[1]?.projectId, memberId: second, rate: 5 }, status: 400 },
    { path, sent: { projectId: open[1]?.projectId, memberId: second, budget }, status: 400 },
    { path, sent: { projectId, memberId: joinerId, monthlyBudget: budget }, status: 400 },
  ];
}

function invoiceProbes(
  { clientId, projectId, phaseId }: Lane,
  { sources, fewer }: { sources: readonly string[]; fewer: readonly string[] },
): Probe[] {
  const path = '/invoices';
  const priced = { quantity: 1.5, rate: 33.33, projectId, taxable: true };
  const [source] = sources;
  const billed = { clientId, statusId: 'issued', lines: sourcedLines(fewer, projectId) };
  return [
    { path, sent: { clientId, lines: [priced, { amount: -5, description: 'Rebate' }, priced] }, status: 200 },
    { path, sent: { clientId, lines: sourcedLines(sources, projectId) }, status: 200 },
    { path, sent: billed, status: 200, reads: [`/project-service-items/${fewer[3]}`] },
    { path, sent: { clientId, lines: sourcedLines([source ?? ''], projectId).slice(0, 1) }, status: 409 },
    { path, sent: { clientId, lines: [priced, { amount: 5, projectId: phaseId }] }, status: 400 },
    { path, sent: { clientId, issuedOn: '2026-03-02', dueOn: '2026-03-01', lines: [priced] }, status: 400 },
  ];
}

interface Compared {
  readonly praxis: Running;
  readonly byHand: Running;
  readonly ground: Ground;
  /** Of either service, where nobody else writes. */
  readonly lanes: { readonly praxis: Lane; readonly byHand: Lane };
}

/**
 * Sends all probes to both services.
 * @returns how many there are
 * @throws Error at the first one that is not answered alike, or does not leave the same
 */
export async function compareWrites({ praxis, byHand, ground, lanes }: Compared): Promise<number> {
  const [own, other] = [probesIn(lanes.praxis, ground), probesIn(lanes.byHand, ground)];
  for (const [nth, probe] of own.entries()) {
    const counterpart = other[nth];
    if (counterpart === undefined) throw new Error('both lanes have the same probes');
    const expected = await tryProbe(probe, praxis, { reader: praxis, lane: lanes.praxis });
    const found = await tryProbe(counterpart, byHand, { reader: praxis, lane: lanes.byHand });
    if (isDeepStrictEqual(found, expected)) continue;
    const [one, two] = [expected, found].map((all) => JSON.stringify(all).slice(0, 6000));
    throw new Error(
      `${JSON.stringify(probe).slice(0, 300)} is not answered alike:\n${praxis.name}: ${one}\n${byHand.name}: ${two}`,
    );
  }
  await compareNumbers(byHand.address, praxis.address, lanes.byHand.clientId);
  return own.length;
}

/** The answer, and what is kept after it, without what belongs to this lane and this moment alone. */
async function tryProbe(
  { method = 'POST', path, sent, status, reads = [] }: Probe,
  { name, address }: Running,
  { reader, lane }: { reader: Running; lane: Lane },
): Promise<unknown> {
  const answer = await ask(address, path, { method, body: JSON.stringify(sent) });
  if (answer.status !== status)
    throw new Error(`${name} answers ${method} ${path} with ${JSON.stringify(answer)} instead of ${status}`);
  const read: unknown[] = [];
  if (status === 200) {
    const record = method === 'POST' ? `${path}/${(answer.body as { id: string }).id}` : path;
    const kept = await ask(reader.address, record);
    if (!isDeepStrictEqual(kept.body, answer.body)) {
      const [one, two] = [answer.body, kept.body].map((body) => JSON.stringify(body));
      throw new Error(`${name} answers ${method} ${path} with something else than it keeps:\n${one}\n${two}`);
    }
  }
  for (const each of reads) read.push((await ask(reader.address, each)).body);
  return steady({ answer, read }, lane);
}

/** With ids of the lane as places in it, and whatever is new as such. */
function steady(value: unknown, lane: Lane): unknown {
  const places = new Map<string, string>();
  JSON.stringify(lane).replaceAll(uuid, (id) => {
    places.set(id, `#${places.size}`);
    return id;
  });
  const text = JSON.stringify(value)
    .replaceAll(uuid, (id) => places.get(id) ?? (id < firstOf(lane) ? id : '#new'))
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"#time"')
    .replaceAll(/"INV-\d{4,}"/g, '"INV-#"');
  return JSON.parse(text);
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Ids rise: those from before the lane are the same for both services. */
const firstOf = ({ clientId }: Lane): string => clientId;

/** Numbers have no twins, whoever gives them. @throws Error */
async function compareNumbers(byHand: string, praxis: string, clientId: string): Promise<void> {
  const numbers: unknown[] = [];
  for (const address of [byHand, praxis, byHand, praxis]) {
    const id = await make(address, '/invoices', { clientId });
    const { body } = await ask(praxis, `/invoices/${id}`);
    numbers.push((body as { number: string }).number);
  }
  const digits = numbers.map((number) => Number(String(number).replace('INV-', '')));
  if (digits.some((number, nth) => number !== (digits[0] ?? 0) + nth))
    throw new Error(`numbers of invoices are not in order: ${numbers.join(', ')}`);
}
