// Payments of clients, and what they do to invoices.
import { expect } from 'vitest';
import { draftFor, internalClient, issuedFor, line } from './billing-scenes.ts';
import { type Case, done, example, type Made, refused, type World } from './case.ts';

/** A client with two issued invoices over 100 dollars each. */
async function twoInvoices(world: World, more: object = {}) {
  const { id: clientId } = await world.make('client', { currency: 'USD' });
  return { clientId, one: await issuedFor(world, clientId, more), two: await issuedFor(world, clientId, more) };
}

const part = ({ id }: Made, amount: number) => ({ id, amount });
const path = ({ id }: Made) => `/invoices/${id}`;

/** A payment of 150 dollars: 100 for the first of two invoices, which is paid with it, and 20 for the second. */
async function paid(world: World) {
  const scene = await twoInvoices(world);
  const { clientId, one, two } = scene;
  const invoices = [part(one, 100), part(two, 20)];
  const body = { clientId, currency: 'USD', amount: 150, receivedOn: '2026-03-01', invoices };
  return { ...scene, payment: await world.make('payment', body) };
}

const state = (statusId: string, amountPaid: number, amountDue: number, payments: readonly object[]) => ({
  ...{ statusId, amountPaid, amountDue, payments },
});
const open = state('issued', 0, 100, []);

const effects: readonly Case[] = [
  example({
    says: 'A payment pays one invoice and part of another, and keeps the rest on account',
    given: twoInvoices,
    when: ({ clientId, one, two }) => [
      'POST',
      '/payments',
      { clientId, amount: 150, receivedOn: '2026-03-01', invoices: [part(two, 20), part(one, 100)] },
    ],
    gives: ({ one, two }) =>
      done({
        ...{ currency: 'USD', amount: 150 },
        invoices: [
          { id: two.id, number: two['number'], amount: 20 },
          { id: one.id, number: one['number'], amount: 100 },
        ],
      }),
    also: ({ one, two }) => [
      [path(one), state('paid', 100, 0, [{ receivedOn: '2026-03-01', amount: 100 }])],
      [path(two), state('issued', 20, 80, [{ receivedOn: '2026-03-01', amount: 20 }])],
    ],
  }),
  example({
    says: 'Of the payments of an invoice that part is shown which is asked for',
    given: paid,
    when: ({ two }) => ['GET', `${path(two)}?fields=payments.amount`],
    gives: done({ payments: [{ amount: 20 }] }),
  }),
  example({
    says: 'Several payments add up on an invoice, exactly, the first made first',
    given: async (world) => {
      const scene = await twoInvoices(world, { lines: [line(0.3)] });
      const { clientId, one } = scene;
      const body = { clientId, currency: 'USD', amount: 0.1, receivedOn: '2026-03-02', invoices: [part(one, 0.1)] };
      return { ...scene, first: await world.make('payment', body) };
    },
    when: ({ clientId, one }) => [
      'POST',
      '/payments',
      { clientId, currency: 'USD', amount: 0.2, receivedOn: '2026-03-01', invoices: [part(one, 0.2)] },
    ],
    gives: done(),
    also: ({ one, first }) => [
      [
        path(one),
        state('paid', 0.3, 0, [
          { id: first.id, receivedOn: '2026-03-02', amount: 0.1 },
          { receivedOn: '2026-03-01', amount: 0.2 },
        ]),
      ],
    ],
  }),
  example({
    says: 'A payment without invoices stays on account',
    given: ({ make }) => make('client', { currency: 'EUR' }),
    when: ({ id }) => ['POST', '/payments', { clientId: id, amount: 5 }],
    gives: done({ currency: 'EUR', amount: 5, invoices: [] }),
  }),
  example({
    says: 'What is on account pays an invoice later',
    given: async (world) => {
      const scene = await twoInvoices(world);
      const { clientId } = scene;
      return { ...scene, payment: await world.make('payment', { clientId, currency: 'USD', amount: 100 }) };
    },
    when: ({ payment, one }) => ['PATCH', `/payments/${payment.id}`, { invoices: [part(one, 100)] }],
    gives: done(),
    also: ({ payment, one, two }) => [
      [path(one), state('paid', 100, 0, [{ id: payment.id, amount: 100 }])],
      [path(two), open],
    ],
  }),
  example({
    says: 'A payment that moves from one invoice to another opens the one and pays the other',
    given: paid,
    when: ({ payment, two }) => ['PATCH', `/payments/${payment.id}`, { invoices: [part(two, 100)] }],
    gives: ({ two }) => done({ invoices: [{ id: two.id, amount: 100 }] }),
    also: ({ payment, one, two }) => [
      [path(one), open],
      [path(two), state('paid', 100, 0, [{ id: payment.id, amount: 100 }])],
    ],
  }),
  example({
    says: 'A payment that takes all back opens every invoice',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { invoices: [] }],
    gives: done({ invoices: [] }),
    also: ({ one, two }) => [
      [path(one), open],
      [path(two), open],
    ],
  }),
  example({
    says: 'A deleted payment leaves nothing on any invoice',
    given: paid,
    when: ({ payment }) => ['DELETE', `/payments/${payment.id}`],
    gives: done(),
    also: ({ one, two }) => [
      [path(one), open],
      [path(two), open],
    ],
  }),
  example({
    says: 'A deleted payment leaves what others have paid',
    given: async (world) => {
      const scene = await paid(world);
      const { clientId, two } = scene;
      const body = { clientId, currency: 'USD', amount: 80, receivedOn: '2026-03-02', invoices: [part(two, 80)] };
      return { ...scene, second: await world.make('payment', body) };
    },
    when: ({ second }) => ['DELETE', `/payments/${second.id}`],
    gives: done(),
    also: ({ payment, two }) => [
      [path(two), state('issued', 20, 80, [{ id: payment.id, receivedOn: '2026-03-01', amount: 20 }])],
    ],
  }),
  example({
    says: 'Another day of receipt is shown on every invoice that is paid with it',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { receivedOn: '2026-02-28' }],
    gives: done({ receivedOn: '2026-02-28' }),
    also: ({ one, two }) => [
      [path(one), state('paid', 100, 0, [{ receivedOn: '2026-02-28', amount: 100 }])],
      [path(two), state('issued', 20, 80, [{ receivedOn: '2026-02-28', amount: 20 }])],
    ],
  }),
  example({
    says: 'Other notes on a payment leave its invoices alone',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { notes: 'By wire' }],
    gives: done({ notes: 'By wire' }),
    also: ({ one, two }) => [
      [path(one), state('paid', 100, 0, [{ receivedOn: '2026-03-01', amount: 100 }])],
      [path(two), state('issued', 20, 80, [{ receivedOn: '2026-03-01', amount: 20 }])],
    ],
  }),
  example({
    says: 'An invoice that is paid whole has changed',
    given: twoInvoices,
    when: ({ clientId, one }) => ['POST', '/payments', { clientId, amount: 100, invoices: [part(one, 100)] }],
    gives: done(),
    also: ({ one }) => [
      [path(one), { statusId: 'paid', modifiedAt: expect.not.stringContaining(String(one['modifiedAt'])) }],
    ],
  }),
  example({
    says: 'An invoice that is paid in part has not changed',
    given: twoInvoices,
    when: ({ clientId, one }) => ['POST', '/payments', { clientId, amount: 99.99, invoices: [part(one, 99.99)] }],
    gives: done(),
    also: ({ one }) => [[path(one), { statusId: 'issued', amountDue: 0.01, modifiedAt: one['modifiedAt'] }]],
  }),
];

const together = (most: number) => `'invoices' must add up to at most ${most}`;
const atMost = (place: number, most: number) => `'invoices[${place}].amount' must be at most ${most}`;

const limits: readonly Case[] = [
  example({
    says: 'An invoice takes no more than is due on it',
    given: twoInvoices,
    when: ({ clientId, one, two }) => [
      'POST',
      '/payments',
      { clientId, amount: 300, invoices: [part(one, 100), part(two, 100.01)] },
    ],
    gives: refused(atMost(1, 100)),
  }),
  example({
    says: 'An invoice takes no more than others have left to pay',
    given: paid,
    when: ({ clientId, two }) => ['POST', '/payments', { clientId, amount: 100, invoices: [part(two, 80.01)] }],
    gives: refused(atMost(0, 80)),
  }),
  example({
    says: 'A paid invoice takes nothing',
    given: paid,
    when: ({ clientId, one }) => ['POST', '/payments', { clientId, amount: 100, invoices: [part(one, 0.01)] }],
    gives: refused(atMost(0, 0)),
  }),
  example({
    says: 'A payment may give more to an invoice that it has paid in part',
    given: paid,
    when: ({ payment, two }) => ['PATCH', `/payments/${payment.id}`, { invoices: [part(two, 100)] }],
    gives: done(),
  }),
  example({
    says: 'A payment gives no more to an invoice than was due before it',
    given: paid,
    when: ({ payment, two }) => ['PATCH', `/payments/${payment.id}`, { invoices: [part(two, 100.01)] }],
    gives: refused(atMost(0, 100)),
  }),
  example({
    says: 'All parts together are no more than the payment',
    given: twoInvoices,
    when: ({ clientId, one, two }) => [
      'POST',
      '/payments',
      { clientId, amount: 150, invoices: [part(one, 75), part(two, 75.01)] },
    ],
    gives: refused(together(150)),
  }),
  example({
    says: 'All parts together may be the whole payment',
    given: twoInvoices,
    when: ({ clientId, one, two }) => [
      'POST',
      '/payments',
      { clientId, amount: 150, invoices: [part(one, 75), part(two, 75)] },
    ],
    gives: done(),
    also: ({ one, two }) => [
      [path(one), { amountDue: 25 }],
      [path(two), { amountDue: 25 }],
    ],
  }),
  example({
    says: 'A payment does not shrink below its parts',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { amount: 119.99 }],
    gives: refused(together(119.99)),
  }),
  example({
    says: 'A payment may shrink to its parts',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { amount: 120 }],
    gives: done({ amount: 120 }),
  }),
  ...['draft', 'void'].map((statusId) =>
    example({
      says: `Nothing is paid on an invoice that is ${statusId}`,
      given: async (world) => {
        const { id: clientId } = await world.make('client');
        const invoice = await draftFor(world, clientId, { statusId: statusId === 'void' ? 'issued' : 'draft' });
        if (statusId === 'void') await world.send('PATCH', `/invoices/${invoice.id}`, { statusId });
        return { clientId, invoice };
      },
      when: ({ clientId, invoice }) => [
        'POST',
        '/payments',
        { clientId, currency: 'USD', amount: 100, invoices: [part(invoice, 1)] },
      ],
      gives: refused("'invoices[0].id' must be an issued or paid invoice"),
    }),
  ),
  example({
    says: 'A client pays no invoice of another, and dollars pay no euros',
    given: async (world) => {
      const { clientId, one } = await twoInvoices(world);
      const { id: other } = await world.make('client');
      const [foreign, euros] = [await issuedFor(world, other), await issuedFor(world, clientId, { currency: 'EUR' })];
      return { clientId, invoices: [part(one, 1), part(foreign, 1), part(euros, 1)] };
    },
    when: ({ clientId, invoices }) => ['POST', '/payments', { clientId, amount: 100, invoices }],
    gives: refused(
      "'invoices[1].id' must be of the same client and currency",
      "'invoices[2].id' must be of the same client and currency",
    ),
  }),
  example({
    says: 'A payment comes to pay no invoice of another client',
    given: async (world) => {
      const { id: other } = await world.make('client');
      return { ...(await paid(world)), foreign: await issuedFor(world, other) };
    },
    when: ({ payment, two, foreign }) => [
      'PATCH',
      `/payments/${payment.id}`,
      { invoices: [part(two, 20), part(foreign, 1)] },
    ],
    gives: refused("'invoices[1].id' must be of the same client and currency"),
  }),
  example({
    says: 'A payment that pays invoices keeps its currency',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { currency: 'EUR' }],
    gives: refused(
      "'currency' cannot change from 'USD' to 'EUR'",
      "'invoices[0].id' must be of the same client and currency",
      "'invoices[1].id' must be of the same client and currency",
    ),
  }),
  example({
    says: 'A payment that gives up its invoices may change its currency',
    given: paid,
    when: ({ payment }) => ['PATCH', `/payments/${payment.id}`, { currency: 'EUR', invoices: [] }],
    gives: done({ currency: 'EUR', invoices: [] }),
    also: ({ one, two }) => [
      [path(one), open],
      [path(two), open],
    ],
  }),
  example({
    says: 'A payment on account may change its currency and pay invoices in it at once',
    given: async (world) => {
      const scene = await twoInvoices(world);
      const { clientId } = scene;
      return { ...scene, payment: await world.make('payment', { clientId, currency: 'EUR', amount: 100 }) };
    },
    when: ({ payment, one }) => ['PATCH', `/payments/${payment.id}`, { currency: 'USD', invoices: [part(one, 1)] }],
    gives: done({ currency: 'USD' }),
    also: ({ one }) => [[path(one), { amountPaid: 1, amountDue: 99 }]],
  }),
  example({
    says: 'The firm pays itself nothing',
    given: internalClient,
    when: (clientId) => ['POST', '/payments', { clientId, amount: 1 }],
    gives: refused("'clientId' must be a client other than the internal one"),
  }),
  example({
    says: 'Payments of an archived client are not taken',
    given: ({ make }) => make('client', { recordStatusId: 'archived' }),
    when: ({ id }) => ['POST', '/payments', { clientId: id, amount: 1 }],
    gives: refused("'clientId' must be an active client"),
  }),
  example({
    says: 'A payment that is there may be given to invoices after its client is archived',
    given: async (world) => {
      const scene = await paid(world);
      await world.send('PATCH', `/clients/${scene.clientId}`, { recordStatusId: 'archived' });
      return scene;
    },
    when: ({ payment, two }) => ['PATCH', `/payments/${payment.id}`, { invoices: [part(two, 100)] }],
    gives: done(),
    also: ({ two }) => [[path(two), { statusId: 'paid' }]],
  }),
];

export const billingPayments: readonly Case[] = [...effects, ...limits];
