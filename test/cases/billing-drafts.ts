// What a draft must say together, and which of its lines are still the same ones.
import { draftFor, line } from './billing-scenes.ts';
import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';

const draft = async (world: World, more: object = {}): Promise<Made> =>
  draftFor(world, (await world.make('client')).id, more);
const share = { discountMethod: 'percentage', discountRatio: 0.1 };

const made = (says: string, sent: object, gives: Expected): Case =>
  example({
    says,
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, taxRateId: null, lines: [line(100)], ...sent }],
    gives,
  });
const changed = (says: string, sent: object, gives: Expected): Case =>
  example({
    says,
    given: (world) => draft(world, share),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, sent],
    gives,
  });

const discounts: readonly Case[] = [
  made(
    'A discount in percent needs its share',
    { discountMethod: 'percentage' },
    refused("'discountRatio' is required"),
  ),
  made(
    'A discount as an amount needs the amount',
    { discountMethod: 'amount' },
    refused("'discountAmount' is required"),
  ),
  made(
    'A discount as an amount takes no share, which does not stand for the amount',
    { discountMethod: 'amount', discountRatio: 0.1 },
    refused("'discountRatio' is not allowed", "'discountAmount' is required"),
  ),
  made(
    'Without a discount there is neither share nor amount',
    { discountRatio: 0.1, discountAmount: 10 },
    refused("'discountRatio' is not allowed", "'discountAmount' is not allowed"),
  ),
  made(
    'What there is not may be said to be nothing',
    { discountMethod: null, discountRatio: null, discountAmount: null },
    done({ discountMethod: null, discountRatio: null, discountAmount: null, totalDiscount: 0, total: 100 }),
  ),
  made(
    'Nobody discounts more than all in percent',
    { discountMethod: 'percentage', discountRatio: 1.000001 },
    refused("'discountRatio' must be from 0 to 1"),
  ),
  changed(
    'A discount that becomes an amount loses its share',
    { discountMethod: 'amount', discountAmount: 30 },
    done({ discountMethod: 'amount', discountRatio: null, discountAmount: 30, totalDiscount: 30, total: 70 }),
  ),
  changed(
    'A discount that becomes an amount needs one',
    { discountMethod: 'amount' },
    refused("'discountAmount' is required"),
  ),
  changed('A discount keeps its share', { discountRatio: null }, refused("'discountRatio' is required")),
  changed('Another share is another discount', { discountRatio: 0.25 }, done({ totalDiscount: 25, total: 75 })),
  changed(
    'A draft without lines discounts nothing in percent',
    { lines: null },
    done({ lines: [], subtotal: 0, totalDiscount: 0, total: 0 }),
  ),
];

const idsOf = (invoice: Made): readonly string[] => (invoice['lines'] as Made[]).map(({ id }) => id);

const lines: readonly Case[] = [
  example({
    says: 'A line that is sent with its id stays the same one, on another place with another amount',
    given: (world) => draft(world, { lines: [line(1), line(2)] }),
    when: (invoice) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [line(5), line(3, { id: idsOf(invoice)[1] }), line(4, { id: idsOf(invoice)[0] })] },
    ],
    gives: (invoice) =>
      done({
        lines: [
          { lineNumber: 1, amount: 5 },
          { id: idsOf(invoice)[1], lineNumber: 2, amount: 3 },
          { id: idsOf(invoice)[0], lineNumber: 3, amount: 4 },
        ],
        subtotal: 12,
      }),
  }),
  example({
    says: 'A line of another invoice is none of this one',
    given: async (world) => ({ invoice: await draft(world), other: await draft(world) }),
    when: ({ invoice, other }) => ['PATCH', `/invoices/${invoice.id}`, { lines: [line(1, { id: idsOf(other)[0] })] }],
    gives: refused("'lines[0].id' must be the id of an item of the stored list"),
  }),
  example({
    says: 'A new invoice has no lines yet that could stay',
    given: (world) => draft(world),
    when: (invoice) => [
      'POST',
      '/invoices',
      { clientId: (invoice['client'] as Made).id, lines: [line(1), line(1, { id: idsOf(invoice)[0] })] },
    ],
    gives: refused("'lines[1].id' must be the id of an item of the stored list"),
  }),
  example({
    says: 'A line is sent once',
    given: (world) => draft(world),
    when: (invoice) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [line(1, { id: idsOf(invoice)[0] }), line(2, { id: idsOf(invoice)[0] })] },
    ],
    gives: refused("'lines' must be without duplicates"),
  }),
  example({
    says: 'A line that has an amount of its own gives it up for quantity and rate, and takes one again',
    given: async (world) => {
      const invoice = await draft(world);
      const id = idsOf(invoice)[0];
      const lines = [{ id, quantity: 3, rate: 0.5, taxable: false }];
      return world.send('PATCH', `/invoices/${invoice.id}`, { lines });
    },
    when: (invoice) => ['PATCH', `/invoices/${invoice.id}`, { lines: [line(7, { id: idsOf(invoice)[0] })] }],
    gives: done({ lines: [{ quantity: null, rate: null, amount: 7 }], subtotal: 7 }),
  }),
];

export const billingDrafts: readonly Case[] = [...discounts, ...lines];
