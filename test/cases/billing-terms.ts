import { draftFor, issuedFor, line } from './billing-scenes.ts';
import { type Case, done, type Expected, example, refused, type World } from './case.ts';

const term = ({ make }: World, type: string, days: number) => make('payment-term', { type, days });

const noDays = refused("'days' must be 0 for due_on_receipt");
const paymentTerms: readonly Case[] = [
  example({
    says: 'A payment term on receipt has no days',
    when: () => ['POST', '/payment-terms', { name: 'At once with days', type: 'due_on_receipt', days: 1 }],
    gives: noDays,
  }),
  example({
    says: 'A payment term on receipt is made with 0 days',
    given: async ({ unique }) => unique,
    when: (unique) => ['POST', '/payment-terms', { name: `At once ${unique}`, type: 'due_on_receipt', days: 0 }],
    gives: done({ type: 'due_on_receipt', days: 0 }),
  }),
  example({
    says: 'A payment term on receipt needs no word about days',
    given: async ({ unique }) => unique,
    when: (unique) => ['POST', '/payment-terms', { name: `At once ${unique}`, type: 'due_on_receipt' }],
    gives: done({ days: 0 }),
  }),
  example({
    says: 'Net terms may have days, and none',
    given: (world) => term(world, 'net', 15),
    when: ({ id }) => ['PATCH', `/payment-terms/${id}`, { days: 0 }],
    gives: done({ type: 'net', days: 0 }),
  }),
  example({
    says: 'Terms at the end of a month may have days',
    given: (world) => term(world, 'end_of_month', 0),
    when: ({ id }) => ['PATCH', `/payment-terms/${id}`, { days: 1 }],
    gives: done({ type: 'end_of_month', days: 1 }),
  }),
  example({
    says: 'A term with days does not become one on receipt',
    given: (world) => term(world, 'net', 15),
    when: ({ id }) => ['PATCH', `/payment-terms/${id}`, { type: 'due_on_receipt' }],
    gives: noDays,
  }),
  example({
    says: 'A term with days becomes one on receipt when it loses them',
    given: (world) => term(world, 'net', 15),
    when: ({ id }) => ['PATCH', `/payment-terms/${id}`, { type: 'due_on_receipt', days: 0 }],
    gives: done({ type: 'due_on_receipt', days: 0 }),
  }),
  example({
    says: 'A term on receipt gets no days later',
    given: (world) => term(world, 'due_on_receipt', 0),
    when: ({ id }) => ['PATCH', `/payment-terms/${id}`, { days: 30 }],
    gives: noDays,
  }),
];

interface Due {
  readonly type: string;
  readonly days: number;
  readonly issuedOn: string;
}

const due = (says: string, { type, days, issuedOn }: Due, gives: Expected): Case =>
  example({
    says,
    given: async (world) => {
      const { id: clientId } = await world.make('client');
      return { clientId, paymentTermId: (await term(world, type, days)).id };
    },
    when: (ids) => ['POST', '/invoices', { ...ids, issuedOn }],
    gives,
  });

/** A draft of 2026-01-15 at 30 days net, due on 2026-02-14. */
async function dated(world: World, more: object = {}) {
  const { id: clientId } = await world.make('client');
  const { id: paymentTermId } = await term(world, 'net', 30);
  return draftFor(world, clientId, { issuedOn: '2026-01-15', paymentTermId, ...more });
}

const tooEarly = refused("'dueOn' must be on or after issuedOn");
const dueDays: readonly Case[] = [
  due(
    'At net 30 an invoice is due 30 days after its issue',
    { type: 'net', days: 30, issuedOn: '2026-01-15' },
    // 16 days are left of January: 14 more.
    done({ dueOn: '2026-02-14' }),
  ),
  due(
    'On receipt an invoice is due on the day of its issue',
    { type: 'due_on_receipt', days: 0, issuedOn: '2026-01-15' },
    done({ dueOn: '2026-01-15' }),
  ),
  due(
    'At the end of the month it is due on the last day of the month of its issue',
    { type: 'end_of_month', days: 0, issuedOn: '2026-01-01' },
    done({ dueOn: '2026-01-31' }),
  ),
  due(
    'The last day of a month is the end of that month',
    { type: 'end_of_month', days: 0, issuedOn: '2026-04-30' },
    done({ dueOn: '2026-04-30' }),
  ),
  due(
    'The days are counted first, then the month is filled up',
    { type: 'end_of_month', days: 30, issuedOn: '2026-01-15' },
    // 2026-02-14, and February 2026 has 28 days.
    done({ dueOn: '2026-02-28' }),
  ),
  due(
    'In a leap year February ends on the 29th',
    { type: 'end_of_month', days: 1, issuedOn: '2028-01-31' },
    done({ dueOn: '2028-02-29' }),
  ),
  due(
    'The end of December is the 31st of the same year',
    { type: 'end_of_month', days: 0, issuedOn: '2026-12-10' },
    done({ dueOn: '2026-12-31' }),
  ),
  due(
    'Days that lead into the next year fill up its January',
    { type: 'end_of_month', days: 30, issuedOn: '2026-12-10' },
    // 21 days are left of December: 2027-01-09.
    done({ dueOn: '2027-01-31' }),
  ),
  due(
    'The last date that there is may be a due date',
    { type: 'net', days: 1, issuedOn: '9999-12-30' },
    done({ dueOn: '9999-12-31' }),
  ),
  due(
    'A due date beyond the last date that there is is refused',
    { type: 'net', days: 1, issuedOn: '9999-12-31' },
    refused("'dueOn' must be at most 9999-12-31"),
  ),
  example({
    says: 'Without a payment term an invoice is due on the day of its issue',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, paymentTermId: null, issuedOn: '2026-01-15' }],
    gives: done({ dueOn: '2026-01-15', paymentTerm: null }),
  }),
  example({
    says: 'A due date that is sent goes before the payment term',
    given: async (world) => ({
      clientId: (await world.make('client')).id,
      paymentTermId: (await term(world, 'net', 30)).id,
    }),
    when: (ids) => ['POST', '/invoices', { ...ids, issuedOn: '2026-01-15', dueOn: '2026-01-20' }],
    gives: done({ dueOn: '2026-01-20' }),
  }),
  example({
    says: 'A due date that is sent as nothing follows the payment term',
    given: async (world) => ({
      clientId: (await world.make('client')).id,
      paymentTermId: (await term(world, 'net', 30)).id,
    }),
    when: (ids) => ['POST', '/invoices', { ...ids, issuedOn: '2026-01-15', dueOn: null }],
    gives: done({ dueOn: '2026-02-14' }),
  }),
  example({
    says: 'Another day of issue gives another due date',
    given: (world) => dated(world, { dueOn: '2026-03-01' }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { issuedOn: '2026-03-02' }],
    // 29 days are left of March.
    gives: done({ dueOn: '2026-04-01' }),
  }),
  example({
    says: 'Another payment term gives another due date',
    given: async (world) => ({ invoice: await dated(world), term: await term(world, 'net', 5) }),
    when: ({ invoice, term: other }) => ['PATCH', `/invoices/${invoice.id}`, { paymentTermId: other.id }],
    gives: done({ dueOn: '2026-01-20' }),
  }),
  example({
    says: 'A draft that loses its payment term is due on the day of its issue',
    given: (world) => dated(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { paymentTermId: null }],
    gives: done({ dueOn: '2026-01-15' }),
  }),
  example({
    says: 'A due date that is sent with another day of issue is kept',
    given: (world) => dated(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { issuedOn: '2026-03-02', dueOn: '2026-03-03' }],
    gives: done({ issuedOn: '2026-03-02', dueOn: '2026-03-03' }),
  }),
  example({
    says: 'The same day of issue, sent again, leaves the due date alone',
    given: (world) => dated(world, { dueOn: '2026-03-01' }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { issuedOn: '2026-01-15', notes: 'As agreed' }],
    gives: done({ dueOn: '2026-03-01' }),
  }),
  example({
    says: 'An invoice may be due on the day of its issue, whatever its term',
    given: (world) => dated(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { dueOn: '2026-01-15' }],
    gives: done({ dueOn: '2026-01-15' }),
  }),
  example({
    says: 'An invoice is not due before its issue',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, issuedOn: '2026-01-15', dueOn: '2026-01-14' }],
    gives: tooEarly,
  }),
  example({
    says: 'An issued invoice may be due later, but not before its issue',
    given: async (world) => {
      const { id: clientId } = await world.make('client');
      return issuedFor(world, clientId, { issuedOn: '2026-01-15', lines: [line(10)] });
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { dueOn: '2026-01-14' }],
    gives: tooEarly,
  }),
  example({
    says: 'The day of issue does not move behind a due date that is sent with it',
    given: (world) => dated(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { issuedOn: '2026-02-15', dueOn: '2026-02-14' }],
    gives: tooEarly,
  }),
];

export const billingTerms: readonly Case[] = [...paymentTerms, ...dueDays];
