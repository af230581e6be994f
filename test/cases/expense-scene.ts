// Expenses of members, as cases about them need them.
import type { Asked, Made, World } from './case.ts';

/** A report of a member, a category with what is said of it, and the body of an expense of 100 euros. */
export async function scene({ make, actor }: World, { category, member }: Record<string, object> = {}) {
  // Else what is submitted would be approved at once.
  const waiting = { internalExpenseApprovalMode: 'member', internalExpenseApproverId: actor.id };
  const { id: memberId } = await make('member', { ...waiting, ...member });
  const report = await make('expense-report', { memberId });
  const { id: expenseCategoryId } = await make('expense-category', { ...category });
  const expense = { date: '2026-03-02', expenseReportId: report.id, expenseCategoryId, amount: 100, currency: 'EUR' };
  return { memberId, report, expenseCategoryId, expense };
}

/** The same for a project of the member in euros. */
export async function projectScene(world: World, { project, assigned, ...parts }: Record<string, object> = {}) {
  const found = await scene(world, parts);
  const { make } = world;
  const on = await make('project', { billingTypeId: 'tm', currency: 'EUR', ...project });
  const { id: assignmentId } = await make('project-member', {
    projectId: on.id,
    memberId: found.memberId,
    ...assigned,
  });
  return { ...found, projectId: on.id, on, assignmentId, expense: { ...found.expense, projectId: on.id } };
}

interface WithExpense {
  readonly expense: object;
}

export const enter = ({ expense }: WithExpense, more: object = {}): Asked => [
  'POST',
  '/expense-items',
  { ...expense, ...more },
];

/** The scene with an item that is made of its expense. */
export async function entered<S extends WithExpense>({ send }: World, found: S, more: object = {}) {
  return { ...found, item: await send('POST', '/expense-items', { ...found.expense, ...more }) };
}

export const change = ({ item }: { readonly item: Made }, body: object): Asked => [
  'PATCH',
  `/expense-items/${item.id}`,
  body,
];
