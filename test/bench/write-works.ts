// The writes that are measured, on a ground of their own.
import { changing, creating, type Work } from './load.ts';
import {
  freeSources,
  type Ground,
  type Lane,
  linesAnInvoice,
  sourcedLines,
  undoMeasuredPayments,
} from './write-data.ts';

export interface WriteWork extends Work {
  /** What is to be done after each shot, unmeasured. */
  readonly after?: () => Promise<void>;
}

/** The item whose turn it is. @throws Error where there is none */
const turn = <T>(items: readonly T[], nth: number): T => {
  const item = items[nth % items.length];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
};

const lastDay = 2500;
const dayAt = (nth: number): string => new Date(Date.UTC(2026, 1, 2 + nth)).toISOString().slice(0, 10);
const day = (nth: number): string => dayAt(nth % lastDay);
/** Of each member, so that no day fills up. */
const entriesADay = 3;
const note = 'Went through the open points with the client; the rest is for next week.';

/** Creates, each caller in a lane of its own, and updates of time entries. */
export function writeWorks(ground: Ground, databaseUrl: string): readonly WriteWork[] {
  const { lanes, categoryId, joinerIds } = ground;
  const laneOf = (connection: number): Lane => turn(lanes, connection);
  /** Creates whose bodies must not come again in a later shot: `nth` rises, from 0, as long as the lane is there. */
  const createsOnce = (name: string, path: string, bodyOf: (lane: Lane, nth: number) => object): WriteWork => {
    const counts = new Map<number, number>();
    const next = (connection: number): number => {
      const nth = counts.get(connection) ?? 0;
      counts.set(connection, nth + 1);
      return nth;
    };
    return {
      name,
      requests: (connection) => [creating(path, () => bodyOf(laneOf(connection), next(connection)))],
    };
  };
  const creates = (name: string, path: string, bodyOf: (lane: Lane, nth: number) => object): WriteWork => ({
    name,
    requests: (connection) => [creating(path, (count) => bodyOf(laneOf(connection), count))],
  });
  return [
    createsOnce('time entry', '/time-entries', ({ projectId, roleId, cardRoleId, taskIds, seats }, nth) => {
      const assigned = { memberId: turn(seats, nth).memberId, projectId, taskId: turn(taskIds, nth) };
      const round = Math.floor(nth / seats.length);
      const projectRoleId = round % 2 === 0 ? roleId : cardRoleId;
      const date = day(Math.floor(round / entriesADay));
      return { ...assigned, projectRoleId, date, minutes: 15 + (nth % 400), notes: note };
    }),
    {
      name: 'time entry, update',
      requests: (connection, { mark }) =>
        laneOf(connection).entryIds.map((id, place) =>
          changing(`/time-entries/${id}`, (count) => ({
            minutes: 15 + ((count + place) % 400),
            notes: `${note} ${mark} ${count}`,
          })),
        ),
    },
    createsOnce('expense item', '/expense-items', ({ projectId, seats }, nth) => {
      const spent = { date: day(nth), vendor: 'Railways', notes: note, amount: (1000 + (nth % 1000)) / 100 };
      return { expenseReportId: turn(seats, nth).reportId, expenseCategoryId: categoryId, projectId, ...spent };
    }),
    createsOnce('allocation', '/allocations', ({ projectId, roleId, taskIds, seats }, nth) => {
      const { memberId } = turn(seats, nth);
      const assigned = { projectId, projectRoleId: roleId, taskId: turn(taskIds, nth), memberId };
      const monday = (Math.floor(nth / seats.length) * 7) % lastDay;
      const days = { start: dayAt(monday), end: dayAt(monday + 4), unit: 'day', hoursPerDay: 1 + (nth % 7) };
      return { resourceTypeId: 'member', assignmentTypeId: 'project', ...assigned, ...days };
    }),
    creates('invoice, 10 lines', '/invoices', ({ clientId, projectId }, nth) => ({
      clientId,
      lines: Array.from({ length: linesAnInvoice }, (_value, place) => ({
        ...{ projectId, description: `Week ${place + 1}: ${note}`, quantity: 8 + place / 4, rate: 120.5 + (nth % 10) },
      })),
    })),
    {
      ...createsOnce('invoice, 40 sources', '/invoices', ({ clientId, projectId, billable }, nth) => ({
        clientId,
        lines: sourcedLines(turn(billable, nth), projectId),
      })),
      after: () => freeSources(databaseUrl),
    },
    {
      ...creates('payment of 2 invoices', '/payments', ({ clientId, invoiceIds }, nth) => {
        const parts = [0, 1].map((place) => ({ id: turn(invoiceIds, 2 * nth + place), amount: 0.5 + place }));
        return { clientId, amount: 2, referenceNumber: `T-${nth}`, invoices: parts };
      }),
      after: () => undoMeasuredPayments(databaseUrl),
    },
    createsOnce('project member', '/project-members', ({ open }, nth) => {
      const { projectId, roleId } = turn(open, nth);
      return { projectId, memberId: turn(joinerIds, Math.floor(nth / open.length)), projectRoleIds: [roleId] };
    }),
    createsOnce('project member, budget', '/project-members', ({ staffed }, nth) => {
      const { projectId } = turn(staffed, nth);
      const planned = { rate: 80 + (nth % 50), budget: { billableHours: 20 + (nth % 80), nonBillableHours: nth % 10 } };
      return { projectId, memberId: turn(joinerIds, Math.floor(nth / staffed.length)), ...planned };
    }),
    createsOnce('task', '/tasks', ({ projectId, phaseIds, roleId }, nth) => {
      const planned = { budgetedHours: 4 + (nth % 40), projectRoles: [{ id: roleId, hours: 4 }] };
      return { projectId, parentId: turn(phaseIds, nth), name: `Build part ${nth}`, notes: note, ...planned };
    }),
  ];
}
