// The writes of every day in the product's workspace, and what they refer to.
import type { Json } from '../service/client.ts';

/** A record that is made, and a change of it. */
interface EverydayWrite {
  readonly group: string;
  readonly create: Json;
  readonly update: Json;
}

/**
 * One write of each of seven groups, over records of their own.
 * @param make Creates a record. @returns its id
 */
export async function everydayWrites(
  make: (group: string, body: Json) => Promise<string>,
): Promise<readonly EverydayWrite[]> {
  const ids = await everydayRecords(make);
  const line = { amount: 10, projectId: ids.project };
  const lines = Array.from({ length: 10 }, () => line);
  const days = { start: '2026-02-02', end: '2026-02-08', unit: 'day', hoursPerDay: 4 };
  const hours = { memberId: ids.member, projectId: ids.project, projectRoleId: ids.role, date: '2026-02-02' };
  const assigned = { resourceTypeId: 'member', assignmentTypeId: 'project', projectId: ids.project };
  const spent = { expenseReportId: ids.report, projectId: ids.project, expenseCategoryId: ids.category };
  const parts = ids.invoices.map((id) => ({ id, amount: 10 }));
  const other = { projectId: ids.project, memberId: ids.newcomer };
  return [
    { group: 'project-member', create: { ...other, projectRoleIds: [ids.role] }, update: { isActive: false } },
    { group: 'task', create: { projectId: ids.project, name: 'Task' }, update: { name: 'Another' } },
    { group: 'time-entry', create: { ...hours, minutes: 60 }, update: { minutes: 90 } },
    { group: 'allocation', create: { ...assigned, ...days, memberId: ids.outsider }, update: { end: '2026-02-10' } },
    { group: 'expense-item', create: { ...spent, date: '2026-02-02', amount: 5 }, update: { amount: 6 } },
    { group: 'invoice', create: { clientId: ids.client, lines }, update: { lines: lines.slice(1).concat(line) } },
    {
      group: 'payment',
      create: { clientId: ids.client, amount: 20, invoices: parts },
      update: { invoices: parts.slice(1) },
    },
  ];
}

let count = 0;

/** A project with a role, a member who has it, and what else everyday writes refer to. */
export async function everydayRecords(make: (group: string, body: Json) => Promise<string>) {
  count += 1;
  const people: string[] = [];
  for (const name of ['everyday', 'newcomer', 'outsider'])
    people.push(await make('member', { name, email: `${name}${count}@example.com` }));
  const [member = '', newcomer = '', outsider = ''] = people;
  const client = await make('client', { name: `Everyday ${count}` });
  const terms = { billingTypeId: 'tm', currency: 'USD', useRoles: true };
  const project = await make('project', { name: 'Everyday', clientId: client, ...terms });
  const role = await make('project-role', { projectId: project, name: 'Role', rate: 5 });
  await make('project-member', { projectId: project, memberId: member, projectRoleIds: [role] });
  const category = await make('expense-category', { name: `Everyday ${count}` });
  const report = await make('expense-report', { memberId: member, title: 'Everyday' });
  const issued = { clientId: client, statusId: 'issued', lines: [{ amount: 100, projectId: project }] };
  const invoices = [await make('invoice', issued), await make('invoice', issued)];
  return { member, newcomer, outsider, client, project, role, category, report, invoices };
}
