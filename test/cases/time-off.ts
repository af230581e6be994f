// Days of a member, time off, and the way of time through its approval.

import type { Json } from '../support/service/praxis.ts';
import { approval } from './approval.ts';
import { type Case, conflict, done, example, refused, type World } from './case.ts';
import { change, day, enter, entered, scene } from './time-scene.ts';

const bounded = (world: World) =>
  scene(world, { member: { activeStartDate: '2026-03-02', activeEndDate: '2026-03-06' } });

const days: readonly Case[] = [
  example({
    says: 'The first day of a member takes time',
    given: bounded,
    when: (given) => enter(given, { date: '2026-03-02' }),
    gives: done({ date: '2026-03-02' }),
  }),
  example({
    says: 'The last day of a member takes time',
    given: bounded,
    when: (given) => enter(given, { date: '2026-03-06' }),
    gives: done({ date: '2026-03-06' }),
  }),
  example({
    says: 'The day before the first of a member takes no time',
    given: bounded,
    when: (given) => enter(given, { date: '2026-03-01' }),
    gives: refused("'date' must be on or after the member's activeStartDate"),
  }),
  example({
    says: 'Time does not move behind the last day of a member',
    given: async (world) => entered(world, await bounded(world)),
    when: (given) => change(given, { date: '2026-03-07' }),
    gives: refused("'date' must be on or before the member's activeEndDate"),
  }),
  example({
    says: 'Time does not move to a member who does not work on the project',
    given: async (world) => ({ ...(await entered(world, await scene(world))), other: await world.make('member') }),
    when: (given) => change(given, { memberId: given.other.id }),
    gives: refused("'memberId' must be an active member of the project"),
  }),
  example({
    says: 'Time may move to a colleague on the project',
    given: async (world) => {
      const found = await entered(world, await scene(world));
      const other = await world.make('member');
      await world.make('project-member', { projectId: found.projectId, memberId: other.id });
      return { ...found, other };
    },
    when: (given) => change(given, { memberId: given.other.id }),
    gives: ({ other }) => done({ member: { id: other.id } }),
  }),
];

/** A member who takes a day off, of a type of time off that they may take or not. */
async function off({ make }: World, member: Json = {}) {
  const [holiday, sick] = [await make('time-off-type'), await make('time-off-type')];
  const { id: memberId } = await make('member', member);
  return { memberId, holiday, sick, hour: { date: day, minutes: 480, memberId, timeOffTypeId: holiday.id } };
}
/** The same, with one type of two allowed. */
async function allowedOff(world: World) {
  const found = await off(world);
  await world.send('PATCH', `/members/${found.memberId}`, {
    allowedTimeOffTypes: 'custom',
    timeOffTypeIds: [found.holiday.id],
  });
  return found;
}

const timeOff: readonly Case[] = [
  example({
    says: 'Time off is told by its type, is on no project and is not billed',
    given: off,
    when: (given) => enter(given),
    gives: ({ holiday }) =>
      done({ typeId: 'time_off', timeOffType: { id: holiday.id }, project: null, task: null, isBillable: false }),
  }),
  example({
    says: 'Time off is never billed',
    given: off,
    when: (given) => enter(given, { isBillable: true }),
    gives: refused("'isBillable' must be false unless project, project member, role and task are billable"),
  }),
  example({
    says: 'Time off needs no project membership and may be sent as not billed',
    given: off,
    when: (given) => enter(given, { typeId: 'time_off', isBillable: false }),
    gives: done({ isBillable: false, minutes: 480 }),
  }),
  example({
    says: 'A member who takes no time off here enters none',
    given: (world) => off(world, { timeOffAllowed: false }),
    when: (given) => enter(given),
    gives: refused("'typeId' must be project_time: the member takes no time off here"),
  }),
  example({
    says: 'A member who takes no time off here works all the same',
    given: (world) => scene(world, { member: { timeOffAllowed: false } }),
    when: (given) => enter(given),
    gives: done({ typeId: 'project_time' }),
  }),
  example({
    says: 'The minutes of time off are changed once the member takes none here',
    given: async (world) => {
      const found = await entered(world, await off(world));
      await world.send('PATCH', `/members/${found.memberId}`, { timeOffAllowed: false });
      return found;
    },
    when: (given) => change(given, { minutes: 240 }),
    gives: done({ minutes: 240 }),
  }),
  example({
    says: 'Time off that waits for it is still approved once the member takes none here',
    given: async (world) => {
      const found = await entered(world, await off(world), { statusId: 'pending_approval' });
      await world.send('PATCH', `/members/${found.memberId}`, { timeOffAllowed: false });
      return found;
    },
    when: (given) => change(given, { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'A member with types of time off of their own takes one of them',
    given: allowedOff,
    when: (given) => enter(given),
    gives: ({ holiday }) => done({ timeOffType: { id: holiday.id } }),
  }),
  example({
    says: 'A member with types of time off of their own takes no other',
    given: allowedOff,
    when: (given) => enter(given, { timeOffTypeId: given.sick.id }),
    gives: refused("'timeOffTypeId' must be a type that the member may take"),
  }),
  example({
    says: 'Time off does not change to a type that the member may not take',
    given: async (world) => entered(world, await allowedOff(world)),
    when: (given) => change(given, { timeOffTypeId: given.sick.id }),
    gives: refused("'timeOffTypeId' must be a type that the member may take"),
  }),
  example({
    says: 'Time off of a type that the member may take no more is still approved',
    given: async (world) => {
      const found = await entered(world, await allowedOff(world), { statusId: 'pending_approval' });
      await world.send('PATCH', `/members/${found.memberId}`, { timeOffTypeIds: [found.sick.id] });
      return found;
    },
    when: (given) => change(given, { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'A list of allowed types binds nobody who may take them all',
    given: off,
    when: (given) => enter(given, { timeOffTypeId: given.sick.id }),
    gives: ({ sick }) => done({ timeOffType: { id: sick.id } }),
  }),
  example({
    says: 'Project time may become time off, and then is on nothing and not billed',
    given: async (world) => {
      const found = await entered(world, await scene(world), { isBillable: false });
      return { ...found, holiday: await world.make('time-off-type') };
    },
    when: (given) => change(given, { typeId: 'time_off', timeOffTypeId: given.holiday.id }),
    gives: ({ holiday }) => done({ typeId: 'time_off', project: null, timeOffType: { id: holiday.id } }),
  }),
];

const approvals = approval({
  name: 'Time',
  title: 'Time Entry',
  path: '/time-entries',
  made: async (world, statusId) => (await entered(world, await scene(world), { statusId })).entry,
  edit: { minutes: 90 },
});

/** An hour that is to be billed, on an invoice of a state. */
async function billed(world: World, statusId: 'draft' | 'issued') {
  const found = await entered(world, await scene(world), { isBillable: true, statusId: 'approved' });
  const project = await world.send('GET', `/projects/${found.projectId}`);
  const line = { amount: 100, taxable: false, projectId: found.projectId };
  const invoice = await world.make('invoice', {
    clientId: (project['client'] as { id: string }).id,
    statusId,
    lines: [{ ...line, sources: [{ typeId: 'time_entry', id: found.entry.id }] }],
  });
  return { ...found, invoice };
}
const opened = async (world: World) => {
  const found = await billed(world, 'draft');
  await world.send('PATCH', `/time-entries/${found.entry.id}`, { statusId: 'not_submitted' });
  return found;
};

const billing: readonly Case[] = [
  example({
    says: 'Time on a draft of an invoice is not deleted',
    given: opened,
    when: ({ entry }) => ['DELETE', `/time-entries/${entry.id}`],
    gives: conflict('The Time Entry is in use and cannot be deleted.'),
  }),
  example({
    says: 'Time on a draft of an invoice may change',
    given: opened,
    when: (given) => change(given, { minutes: 90 }),
    gives: done({ minutes: 90, invoiced: false, invoice: null }),
  }),
  example({
    says: 'Time is deleted once the draft is gone',
    given: async (world) => {
      const found = await opened(world);
      await world.send('DELETE', `/invoices/${found.invoice.id}`);
      return found;
    },
    when: ({ entry }) => ['DELETE', `/time-entries/${entry.id}`],
    gives: done(),
    also: ({ projectId }) => [[`/time-entries?projectId=${projectId}`, { results: [] }]],
  }),
  example({
    says: 'Time is deleted once its invoice is void',
    given: async (world) => {
      const found = await billed(world, 'issued');
      await world.send('PATCH', `/invoices/${found.invoice.id}`, { statusId: 'void' });
      await world.send('PATCH', `/time-entries/${found.entry.id}`, { statusId: 'not_submitted' });
      return found;
    },
    when: ({ entry }) => ['DELETE', `/time-entries/${entry.id}`],
    gives: done(),
  }),
  example({
    says: 'Time that is invoiced is not opened again',
    given: (world) => billed(world, 'issued'),
    when: (given) => change(given, { statusId: 'not_submitted' }),
    gives: conflict('The Time Entry is read-only.'),
  }),
  example({
    says: 'Time that is invoiced is not deleted',
    given: (world) => billed(world, 'issued'),
    when: ({ entry }) => ['DELETE', `/time-entries/${entry.id}`],
    gives: conflict('The Time Entry is read-only.'),
  }),
];

export const timeOfMembers: readonly Case[] = [...days, ...timeOff, ...approvals, ...billing];
