import { type Case, conflict, done, type Expected, example, type Made, type World } from './case.ts';
import { onAnotherDay, todayOf } from './days.ts';
import { at, body, creating, project } from './projects.ts';

const line = ({ id }: Made) => ({ kindId: 'services', quantity: 1, rate: 100, taxable: false, projectId: id });
/** A project that the second line of an invoice names, beside another project of the client. */
const invoiced = async (world: World) => {
  const client = await world.make('client');
  const [first, one] = [await project(world, {}, client), await project(world, {}, client)];
  const invoice = await world.make('invoice', { clientId: client.id, lines: [line(first), line(one)] });
  return { client, one, invoice, first, another: await world.make('client') };
};
type Invoiced = Awaited<ReturnType<typeof invoiced>>;
const locked = (says: string, sent: (scene: Invoiced) => object, gives: Expected) =>
  example({ says, given: invoiced, when: (scene) => ['PATCH', at(scene.one), sent(scene)], gives });
const held = conflict('The Project is read-only.');
const onInvoices: readonly Case[] = [
  locked('A project on an invoice keeps its client', ({ another }) => ({ clientId: another.id }), held),
  locked('A project on an invoice keeps its currency', () => ({ currency: 'EUR' }), held),
  locked('A project on an invoice keeps the way in which it is billed', () => ({ billingTypeId: 'fixed' }), held),
  locked('That a project is held is said before what is wrong with the change', () => ({ currency: 'euro' }), held),
  locked(
    'A project on an invoice can change in everything else',
    ({ client }) => ({ name: 'Shop', billingTypeId: 'tm', currency: 'USD', clientId: client.id }),
    done({ name: 'Shop', billingTypeId: 'tm', currency: 'USD' }),
  ),
  example({
    says: 'A project that is on no invoice can change in all of that',
    given: async (world: World) => {
      const { another, client } = await invoiced(world);
      return { another, one: await project(world, {}, client) };
    },
    when: ({ another, one }) => ['PATCH', at(one), { clientId: another.id, currency: 'EUR', billingTypeId: 'fixed' }],
    gives: ({ another }) => done({ client: { id: another.id }, currency: 'EUR', billingTypeId: 'fixed' }),
  }),
  example({
    says: 'A project that has left its invoice can change again',
    given: async (world: World) => {
      const scene = await invoiced(world);
      await world.send('PATCH', `/invoices/${scene.invoice.id}`, { lines: [line(scene.first)] });
      return scene;
    },
    when: ({ one }) => ['PATCH', at(one), { currency: 'EUR' }],
    gives: done({ currency: 'EUR' }),
  }),
  example({
    says: 'A credit note does not hold a project',
    given: async (world: World) => {
      const one = await project(world);
      const client = one['client'] as Made;
      await world.make('credit-note', {
        clientId: client.id,
        lines: [{ amount: 10, taxable: false, projectId: one.id }],
      });
      return one;
    },
    when: (one) => ['PATCH', at(one), { currency: 'EUR' }],
    gives: done({ currency: 'EUR' }),
  }),
];

const dated = (says: string, values: object, sent: object, isToday: boolean) =>
  example({
    says,
    given: async (world: World) => ({ today: await todayOf(world), one: await project(world, values) }),
    when: ({ one }) => ['PATCH', at(one), sent],
    gives: ({ today }) => done({ completedOn: isToday ? today : null }),
  });
const earlier = (world: World) => onAnotherDay(world, () => project(world, { statusId: 'completed' }));
const completed: readonly Case[] = [
  example({
    says: 'A project that is completed when it is made was completed today',
    given: async (world: World) => ({ today: await todayOf(world), client: await world.make('client') }),
    when: ({ client }) => ['POST', '/projects', body(client, { statusId: 'completed' })],
    gives: ({ today }) => done({ completedOn: today }),
  }),
  creating('A new project has not been completed', {}, done({ statusId: 'not_started', completedOn: null })),
  dated('A project is completed on the day on which that is said', {}, { statusId: 'completed' }, true),
  dated('A project that goes on is no longer completed', { statusId: 'completed' }, { statusId: 'in_progress' }, false),
  dated('A cancelled project is not completed', { statusId: 'completed' }, { statusId: 'cancelled' }, false),
  example({
    says: 'A completed project keeps its day through other changes',
    given: earlier,
    when: (one) => ['PATCH', at(one), { notes: 'Well done', statusId: 'completed' }],
    gives: ({ completedOn }) => done({ completedOn, notes: 'Well done' }),
  }),
  example({
    says: 'A project that is completed again has the day of that',
    given: async (world: World) => {
      const one = await earlier(world);
      const today = await todayOf(world);
      expectOther(today, one['completedOn']);
      await world.send('PATCH', at(one), { statusId: 'paused' });
      return { one, today };
    },
    when: ({ one }) => ['PATCH', at(one), { statusId: 'completed' }],
    gives: ({ today }) => done({ completedOn: today }),
  }),
];

/** The scene is worth something only where the two days differ. */
function expectOther(today: string, day: unknown): void {
  if (today === day) throw new Error('it is the same day there');
}

export const projectStates: readonly Case[] = [...onInvoices, ...completed];
