// What is approved as soon as it is submitted, and what waits for somebody.
import { type Case, done, example, type World } from './case.ts';
import * as expense from './expense-scene.ts';
import * as time from './time-scene.ts';

const submit = { statusId: 'pending_approval' };

const timeOn =
  (timeApprovalMode: string, more: object = {}) =>
  async (world: World) =>
    time.entered(world, await time.scene(world, { project: { timeApprovalMode } }), more);

/** A member who is off on a day, whose time off is approved in a way. */
const timeOff = (mode: string) => async (world: World) => {
  const { make, actor } = world;
  const { id: timeOffTypeId } = await make('time-off-type');
  const { id: memberId } = await make('member', {
    timeOffApprovalMode: mode,
    ...(mode === 'member' && { timeOffApproverId: actor.id }),
    ...(mode === 'manager' && { managerId: actor.id }),
  });
  return time.entered(world, { hour: { date: time.day, minutes: 480, memberId, timeOffTypeId } });
};

const times: readonly Case[] = [
  example({
    says: 'Time on a project that approves by itself is approved when it is submitted',
    given: timeOn('auto'),
    when: (given) => time.change(given, submit),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'Time that was rejected is approved when it is submitted again, where the project approves by itself',
    given: timeOn('auto', { statusId: 'rejected' }),
    when: (given) => time.change(given, submit),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'Time on other projects waits',
    given: timeOn('manual'),
    when: (given) => time.change(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'Time that is entered as waiting is taken as it is, as by an import',
    given: (world) => time.scene(world, { project: { timeApprovalMode: 'auto' } }),
    when: (given) => time.enter(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'Time that waits goes on waiting when its project comes to approve by itself',
    given: timeOn('manual', submit),
    when: ({ projectId }) => ['PATCH', `/projects/${projectId}`, { timeApprovalMode: 'auto' }],
    gives: done({ timeApprovalMode: 'auto' }),
    also: ({ entry }) => [[`/time-entries/${entry.id}`, { statusId: 'pending_approval' }]],
  }),
  example({
    says: 'Time that waits is rejected all the same where the project approves by itself',
    given: timeOn('auto', submit),
    when: (given) => time.change(given, { statusId: 'rejected' }),
    gives: done({ statusId: 'rejected' }),
  }),
  example({
    says: 'How time off is approved is no matter of time on a project',
    given: async (world) => time.entered(world, await time.scene(world, { member: { timeOffApprovalMode: 'auto' } })),
    when: (given) => time.change(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  ...(
    [
      ['auto', 'approved'],
      ['manager', 'pending_approval'],
      ['member', 'pending_approval'],
    ] as const
  ).map(([mode, statusId]) =>
    example({
      says: `Time off of a member whose time off is approved by ${mode} is ${statusId} when it is submitted`,
      given: timeOff(mode),
      when: (given) => time.change(given, submit),
      gives: done({ statusId }),
    }),
  ),
];

/** A member with an expense on no project. */
const internal = (mode: string) => async (world: World) =>
  expense.entered(
    world,
    await expense.scene(world, {
      member: {
        internalExpenseApprovalMode: mode,
        internalExpenseApproverId: mode === 'member' ? world.actor.id : undefined,
        ...(mode === 'manager' && { managerId: world.actor.id }),
      },
    }),
  );
const expenseOn =
  (expenseApprovalMode: string, more: object = {}) =>
  async (world: World) =>
    expense.entered(world, await expense.projectScene(world, { project: { expenseApprovalMode } }), more);

const expenses: readonly Case[] = [
  example({
    says: 'An expense on a project that approves by itself is approved when it is submitted',
    given: expenseOn('auto'),
    when: (given) => expense.change(given, submit),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'An expense on another project waits',
    given: expenseOn('manual'),
    when: (given) => expense.change(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'An expense on a project waits although the member’s own would not',
    given: async (world) =>
      expense.entered(
        world,
        await expense.projectScene(world, {
          member: { internalExpenseApprovalMode: 'auto', internalExpenseApproverId: undefined },
        }),
      ),
    when: (given) => expense.change(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'An expense that is entered as waiting is taken as it is, as by an import',
    given: (world) => expense.projectScene(world, { project: { expenseApprovalMode: 'auto' } }),
    when: (given) => expense.enter(given, submit),
    gives: done({ statusId: 'pending_approval' }),
  }),
  ...(
    [
      ['auto', 'approved'],
      ['manager', 'pending_approval'],
      ['member', 'pending_approval'],
    ] as const
  ).map(([mode, statusId]) =>
    example({
      says: `An expense without a project, of a member whose expenses are approved by ${mode}, is ${statusId} when it is submitted`,
      given: internal(mode),
      when: (given) => expense.change(given, submit),
      gives: done({ statusId }),
    }),
  ),
];

export const timeApproval = times;
export const expenseApproval = expenses;
