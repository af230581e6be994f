// Receipts of expenses, and expenses on their way to an invoice.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';
import { change, enter, entered, projectScene, scene } from './expense-scene.ts';

const needing = { category: { requireReceipt: true } };
/** An expense in a category that asks for receipts: with one or without, in a state. */
const receipted =
  (count: number, more: object = {}) =>
  async (world: World) => {
    const found = await entered(world, await scene(world, needing), more);
    const receipts: Made[] = [];
    for (let number = 0; number < count; number++)
      receipts.push(await world.make('expense-receipt', { memberId: found.memberId, expenseItemId: found.item.id }));
    return { ...found, receipts };
  };
const none = "'statusId' must be not_submitted until the item has a receipt";

const asked: readonly Case[] = [
  example({
    says: 'An expense is submitted with a receipt where the category asks for one',
    given: receipted(1),
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: ({ receipts }) => done({ statusId: 'pending_approval', receipts: [{ id: receipts[0]?.id }] }),
  }),
  example({
    says: 'An expense is not submitted without a receipt where the category asks for one',
    given: receipted(0),
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: refused(none),
  }),
  example({
    says: 'A receipt of another expense does not count',
    given: async (world) => {
      const found = await receipted(1)(world);
      return entered(world, found);
    },
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: refused(none),
  }),
  example({
    says: 'An expense without a receipt is submitted where the category asks for none',
    given: async (world) => entered(world, await scene(world)),
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: done({ statusId: 'pending_approval', receipts: [] }),
  }),
  example({
    says: 'An expense without a receipt is entered, and may wait for it',
    given: (world) => scene(world, needing),
    when: (given) => enter(given),
    gives: done({ statusId: 'not_submitted' }),
  }),
  example({
    says: 'An expense without a receipt may change while it is not submitted',
    given: receipted(0),
    when: (given) => change(given, { vendor: 'Rail' }),
    gives: done({ vendor: 'Rail' }),
  }),
  example({
    says: 'An expense that was approved elsewhere comes without its receipt',
    given: (world) => scene(world, needing),
    when: (given) => enter(given, { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
  }),
  example({
    says: 'An expense that waits without a receipt is not approved, either',
    given: receipted(0, { statusId: 'pending_approval' }),
    when: (given) => change(given, { statusId: 'approved' }),
    gives: refused(none),
  }),
  example({
    says: 'An expense that waits without a receipt goes on waiting',
    given: receipted(0, { statusId: 'pending_approval' }),
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'An expense that waits without a receipt is sent back',
    given: receipted(0, { statusId: 'pending_approval' }),
    when: (given) => change(given, { statusId: 'rejected' }),
    gives: done({ statusId: 'rejected' }),
  }),
];

const proof = { fileName: 'taxi.pdf', contentType: 'application/pdf', url: 'https://example.com/taxi.pdf' };
const attach = (more: object) => ['POST', '/expense-receipts', { ...proof, ...more }] as const;
/** An expense, and another member. */
const others = async (world: World) => ({
  ...(await entered(world, await scene(world))),
  stranger: await world.make('member'),
});

const receipts: readonly Case[] = [
  example({
    says: 'A receipt is that of the member of its expense',
    given: others,
    when: ({ item }) => attach({ expenseItemId: item.id }),
    gives: ({ memberId, item }) => done({ member: { id: memberId }, expenseItem: { id: item.id } }),
  }),
  example({
    says: 'A receipt does not prove an expense of another member',
    given: others,
    when: ({ item, stranger }) => attach({ expenseItemId: item.id, memberId: stranger.id }),
    gives: refused("'expenseItemId' must be an item of the same member"),
  }),
  example({
    says: 'A receipt may wait for its expense',
    given: others,
    when: ({ stranger }) => attach({ memberId: stranger.id }),
    gives: ({ stranger }) => done({ member: { id: stranger.id }, expenseItem: null }),
  }),
  example({
    says: 'A receipt comes to an expense of its member',
    given: async (world) => {
      const found = await others(world);
      return { ...found, receipt: await world.send(...attach({ memberId: found.memberId })) };
    },
    when: ({ receipt, item }) => ['PATCH', `/expense-receipts/${receipt.id}`, { expenseItemId: item.id }],
    gives: ({ item }) => done({ expenseItem: { id: item.id } }),
    also: ({ item, receipt }) => [[`/expense-items/${item.id}`, { receipts: [{ id: receipt.id, name: 'taxi.pdf' }] }]],
  }),
  example({
    says: 'A receipt does not come to an expense of another member',
    given: async (world) => {
      const found = await others(world);
      return { ...found, receipt: await world.send(...attach({ memberId: found.stranger.id })) };
    },
    when: ({ receipt, item }) => ['PATCH', `/expense-receipts/${receipt.id}`, { expenseItemId: item.id }],
    gives: refused("'expenseItemId' must be an item of the same member"),
  }),
  ...(['pending_approval', 'approved'] as const).map((statusId) =>
    example({
      says: `A receipt of an expense that is ${statusId} is not deleted`,
      given: receipted(1, { statusId }),
      when: ({ receipts }) => ['DELETE', `/expense-receipts/${receipts[0]?.id}`],
      gives: conflict('The Expense Receipt is read-only.'),
    }),
  ),
  ...(['not_submitted', 'rejected'] as const).map((statusId) =>
    example({
      says: `A receipt of an expense that is ${statusId} may be deleted, and only that one`,
      given: receipted(2, { statusId }),
      when: ({ receipts }) => ['DELETE', `/expense-receipts/${receipts[0]?.id}`],
      gives: done(),
      also: ({ item, receipts }) => [[`/expense-items/${item.id}`, { statusId, receipts: [{ id: receipts[1]?.id }] }]],
    }),
  ),
  example({
    says: 'A receipt of an approved expense may still get another name',
    given: receipted(1, { statusId: 'approved' }),
    when: ({ receipts }) => ['PATCH', `/expense-receipts/${receipts[0]?.id}`, { fileName: 'train.pdf' }],
    gives: done({ fileName: 'train.pdf' }),
  }),
  example({
    says: 'A receipt without an expense may be deleted',
    given: ({ make }) => make('expense-receipt'),
    when: ({ id }) => ['DELETE', `/expense-receipts/${id}`],
    gives: done(),
  }),
];

/** An expense on an invoice of a state. */
const billed = (statusId: 'draft' | 'issued') => async (world: World) => {
  const found = await entered(world, await projectScene(world), { statusId: 'approved' });
  const sources = [{ typeId: 'expense_item', id: found.item.id }];
  const lines = [{ amount: 100, taxable: false, projectId: found.projectId, sources }];
  const clientId = (found.on['client'] as Made).id;
  return { ...found, invoice: await world.make('invoice', { clientId, statusId, lines }) };
};
const opened = async (world: World) => {
  const found = await billed('draft')(world);
  await world.send('PATCH', `/expense-items/${found.item.id}`, { statusId: 'not_submitted' });
  return found;
};
const remove = ({ item }: { readonly item: Made }) => ['DELETE', `/expense-items/${item.id}`] as const;

const invoices: readonly Case[] = [
  example({
    says: 'An expense on a draft of an invoice is not deleted',
    given: opened,
    when: remove,
    gives: conflict('The Expense Item is in use and cannot be deleted.'),
  }),
  example({
    says: 'A report with an expense on a draft of an invoice is not deleted, either',
    given: opened,
    when: ({ report }) => ['DELETE', `/expense-reports/${report.id}`],
    gives: conflict('The Expense Item is in use and cannot be deleted.'),
  }),
  example({
    says: 'An expense is deleted once the draft is gone',
    given: async (world) => {
      const found = await opened(world);
      await world.send('DELETE', `/invoices/${found.invoice.id}`);
      return found;
    },
    when: remove,
    gives: done(),
    also: ({ memberId }) => [[`/expense-items?memberId=${memberId}`, { results: [] }]],
  }),
  example({
    says: 'An expense is deleted once its invoice is void',
    given: async (world) => {
      const found = await billed('issued')(world);
      await world.send('PATCH', `/invoices/${found.invoice.id}`, { statusId: 'void' });
      await world.send('PATCH', `/expense-items/${found.item.id}`, { statusId: 'not_submitted' });
      return found;
    },
    when: remove,
    gives: done(),
  }),
  example({
    says: 'An expense that is invoiced is not opened again',
    given: billed('issued'),
    when: (given) => change(given, { statusId: 'not_submitted' }),
    gives: conflict('The Expense Item is read-only.'),
  }),
  example({
    says: 'A report with an expense that is invoiced is not deleted',
    given: billed('issued'),
    when: ({ report }) => ['DELETE', `/expense-reports/${report.id}`],
    gives: conflict('The Expense Report is in use and cannot be deleted.'),
  }),
];

export const expenseReceipts: readonly Case[] = [...asked, ...receipts, ...invoices];
