// What happens to records of a project once an invoice bills them.
import { billable, billing, draftFor, engagement, issuedFor, type SourceType } from './billing-scenes.ts';
import { type Case, conflict, done, example, type World } from './case.ts';

interface Kind {
  readonly type: SourceType;
  readonly title: string;
  readonly path: string;
}
const kinds: readonly Kind[] = [
  { type: 'project_prepayment', title: 'Project Prepayment', path: '/project-prepayments' },
  { type: 'project_expense', title: 'Project Expense', path: '/project-expenses' },
  {
    type: 'project_billing_schedule_item',
    title: 'Project Billing Schedule Item',
    path: '/project-billing-schedule-items',
  },
  { type: 'project_service_item', title: 'Project Service Item', path: '/project-service-items' },
  { type: 'project_product_item', title: 'Project Product Item', path: '/project-product-items' },
  { type: 'project_other_item', title: 'Project Other Item', path: '/project-other-items' },
];

/** A record, and an invoice in this state on whose last line it is. */
async function billed(world: World, { type, path }: Kind, statusId: string) {
  const { clientId, projectId } = await engagement(world, { billingTypeId: 'fixed' });
  const [record, other] = [await billable(world, type, { projectId }), await billable(world, type, { projectId })];
  const lines = [billing(projectId, 10, [type, other]), billing(projectId, 20, [type, record])];
  const make = statusId === 'draft' ? draftFor : issuedFor;
  const invoice = await make(world, clientId, { lines });
  if (statusId === 'void') await world.send('PATCH', `/invoices/${invoice.id}`, { statusId });
  return { projectId, record: `${path}/${record.id}`, invoice: `/invoices/${invoice.id}` };
}

const heldOf = (kind: Kind): readonly Case[] => [
  example({
    says: `A ${kind.title} that no invoice bills is deleted`,
    given: async (world) => billable(world, kind.type, await engagement(world, { billingTypeId: 'fixed' })),
    when: ({ id }) => ['DELETE', `${kind.path}/${id}`],
    gives: done(),
  }),
  example({
    says: `A ${kind.title} that a draft bills is not deleted`,
    given: (world) => billed(world, kind, 'draft'),
    when: ({ record }) => ['DELETE', record],
    gives: conflict(`The ${kind.title} is in use and cannot be deleted.`),
  }),
  example({
    says: `A ${kind.title} that a draft bills may still be changed`,
    given: (world) => billed(world, kind, 'draft'),
    when: ({ record }) => ['PATCH', record, { date: '2026-03-09' }],
    gives: done({ date: '2026-03-09', invoiced: false }),
  }),
  example({
    says: `A ${kind.title} is deleted once no line of the draft bills it`,
    given: async (world) => {
      const scene = await billed(world, kind, 'draft');
      await world.send('PATCH', scene.invoice, { lines: [] });
      return scene;
    },
    when: ({ record }) => ['DELETE', record],
    gives: done(),
  }),
  example({
    says: `A ${kind.title} that a void invoice has billed is deleted, and the invoice forgets it`,
    given: (world) => billed(world, kind, 'void'),
    when: ({ record }) => ['DELETE', record],
    gives: done(),
    also: ({ invoice }) => [[invoice, { lines: [{ sources: [{ typeId: kind.type }] }, { amount: 20, sources: [] }] }]],
  }),
  example({
    says: `A ${kind.title} that an issued invoice bills is not changed`,
    given: (world) => billed(world, kind, 'issued'),
    when: ({ record }) => ['PATCH', record, { date: '2026-03-09' }],
    gives: conflict(`The ${kind.title} is read-only.`),
  }),
  example({
    says: `A ${kind.title} that an issued invoice bills is not deleted`,
    given: (world) => billed(world, kind, 'issued'),
    when: ({ record }) => ['DELETE', record],
    gives: conflict(`The ${kind.title} is read-only.`),
  }),
  example({
    says: `A project is not deleted while a draft bills a ${kind.title} of it`,
    given: (world) => billed(world, kind, 'draft'),
    when: ({ projectId }) => ['DELETE', `/projects/${projectId}`],
    gives: conflict('The Project is in use and cannot be deleted.'),
  }),
];

export const financialsHeld: readonly Case[] = kinds.flatMap(heldOf);
