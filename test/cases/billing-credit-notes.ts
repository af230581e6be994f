// Credits to clients: what they say and amount to.
import { expect } from 'vitest';
import { draftFor, engagement, internalClient, line, numberBehind } from './billing-scenes.ts';
import { ownClient, saysOf, senders } from './billing-senders.ts';
import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';

/** A credit note over 100 dollars without tax. */
export const creditFor = ({ make }: World, clientId: string, more: object = {}): Promise<Made> =>
  make('credit-note', { clientId, currency: 'USD', taxRateId: null, lines: [line(100)], ...more });

const texts: readonly Case[] = [
  example({
    says: 'A credit note is written in the name of the workspace, with its tax rate and no words',
    given: async (world) => {
      await senders(world);
      return world.make('client', { name: `Ada ${world.unique}`, streetAddress: 'Row 1' });
    },
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: ({ name }) =>
      done({
        ...{ ...saysOf('House'), taxRate: { rate: 0.07 }, billTo: `${name}\nRow 1` },
        ...{ subject: null, notes: null, emailSubject: null, emailBody: null },
      }),
  }),
  example({
    says: 'For a client of a business unit, in the name of the unit',
    given: async (world) => {
      const { unit } = await senders(world);
      return world.make('client', { invoiceDetailsSource: 'business_unit', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: done({ ...saysOf('Unit'), taxRate: { rate: 0.08 } }),
  }),
  example({
    says: 'For a client with words of its own, in the name of its business unit too',
    given: async (world) => {
      const { unit } = await senders(world);
      return ownClient(world, { businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: done({ ...saysOf('Unit'), taxRate: { rate: 0.08 }, subject: null }),
  }),
  example({
    says: 'A credit note keeps what is sent',
    given: async (world) => {
      await senders(world);
      return world.make('client');
    },
    when: ({ id }) => [
      'POST',
      '/credit-notes',
      { clientId: id, companyName: 'Other', emailFromName: null, taxRateId: null, billTo: 'c/o Byron' },
    ],
    gives: done({
      ...{ ...saysOf('House'), companyName: 'Other', emailFromName: null, billTo: 'c/o Byron' },
      ...{ taxRate: null, taxRatio: 0 },
    }),
  }),
  example({
    says: 'Name and street of more than 5000 characters are refused on a credit note',
    given: ({ make }) => make('client', { streetAddress: 'x'.repeat(5000) }),
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: refused("'billTo' must be at most 5000 characters"),
  }),
  example({
    says: 'Credit notes are numbered one by one, behind a prefix of their own',
    given: async (world) => {
      const prefix = `C${world.unique}-`;
      await world.send('PATCH', '/workspace-settings', { creditNoteNumberPrefix: prefix });
      const { id: clientId } = await world.make('client');
      const last = await creditFor(world, clientId);
      // Invoices have numbers of their own.
      await draftFor(world, clientId);
      return { prefix, clientId, last };
    },
    when: ({ clientId }) => ['POST', '/credit-notes', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
  example({
    says: 'A credit note number that somebody has taken is left out',
    given: async (world) => {
      const prefix = `C${world.unique}-`;
      await world.send('PATCH', '/workspace-settings', { creditNoteNumberPrefix: prefix });
      const { id: clientId } = await world.make('client');
      const last = await creditFor(world, clientId);
      await creditFor(world, clientId, { number: numberBehind(prefix, last, 1) });
      return { prefix, clientId, last };
    },
    when: ({ clientId }) => ['POST', '/credit-notes', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 2) }),
  }),
  example({
    says: 'The firm credits itself nothing',
    given: internalClient,
    when: (clientId) => ['POST', '/credit-notes', { clientId }],
    gives: refused("'clientId' must be a client other than the internal one"),
  }),
  example({
    says: 'An archived client gets no credit note',
    given: ({ make }) => make('client', { recordStatusId: 'archived' }),
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: refused("'clientId' must be an active client"),
  }),
  example({
    says: 'A credit note that is there outlives the archiving of its client',
    given: async (world) => {
      const { id } = await world.make('client');
      const credit = await creditFor(world, id);
      await world.send('PATCH', `/clients/${id}`, { recordStatusId: 'archived' });
      return credit;
    },
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'issued' }),
  }),
  example({
    says: 'A line credits a project of the client',
    given: engagement,
    when: ({ clientId, projectId }) => [
      'POST',
      '/credit-notes',
      { clientId, lines: [line(1, { projectId }), line(2)] },
    ],
    gives: ({ projectId }) =>
      done({
        lines: [
          { lineNumber: 1, project: { id: projectId } },
          { lineNumber: 2, project: null },
        ],
      }),
  }),
  example({
    says: 'A line credits no project of another client',
    given: async (world) => ({ client: await world.make('client'), ...(await engagement(world)) }),
    when: ({ client, projectId }) => [
      'POST',
      '/credit-notes',
      { clientId: client.id, lines: [line(1), line(2, { projectId })] },
    ],
    gives: refused("'lines[1].projectId' must be of the same client"),
  }),
  example({
    says: 'A draft credit gets no line for a project of another client',
    given: async (world) => {
      const { id } = await world.make('client');
      return { credit: await creditFor(world, id), ...(await engagement(world)) };
    },
    when: ({ credit, projectId }) => ['PATCH', `/credit-notes/${credit.id}`, { lines: [line(2, { projectId })] }],
    gives: refused("'lines[0].projectId' must be of the same client"),
  }),
];

interface Credit {
  readonly lines: readonly object[];
  readonly currency?: string;
  readonly tax?: number;
}
const credited = (says: string, { lines, currency = 'USD', tax }: Credit, gives: Expected): Case =>
  example({
    says,
    given: async ({ make }) => ({
      clientId: (await make('client')).id,
      taxRateId: tax === undefined ? null : (await make('tax-rate', { rate: tax })).id,
    }),
    when: (ids) => ['POST', '/credit-notes', { ...ids, currency, lines }],
    gives,
  });
const taxed = (amount: number): object => ({ amount, taxable: true });

const sums: readonly Case[] = [
  credited(
    'A credit note adds up its lines and the tax on those that bear it',
    { lines: [{ quantity: 3, rate: 33.5 }, taxed(49.5), { quantity: 2, rate: 10, taxable: true }], tax: 0.2 },
    // 100.5 + 49.5 + 20 is 170; 20 % of 69.5 is 13.9.
    done({
      lines: [{ amount: 100.5, taxable: false }, { amount: 49.5 }, { amount: 20 }],
      ...{ subtotal: 170, taxRatio: 0.2, totalTax: 13.9, total: 183.9, amountApplied: 0, amountRemaining: 183.9 },
    }),
  ),
  credited(
    'Half a cent of a credit is rounded away from zero',
    { lines: [{ quantity: 0.5, rate: 0.05 }, taxed(0.5)], tax: 0.05 },
    // 0.025 each
    done({ lines: [{ amount: 0.03 }, { amount: 0.5 }], subtotal: 0.53, totalTax: 0.03, total: 0.56 }),
  ),
  credited(
    'Credits in yen have no decimals',
    { currency: 'JPY', lines: [{ quantity: 3, rate: 33.5 }, taxed(50)], tax: 0.05 },
    // 100.5 and 2.5
    done({ lines: [{ amount: 101 }, { amount: 50 }], subtotal: 151, totalTax: 3, total: 154 }),
  ),
  example({
    says: 'A client who pays in yen is credited in yen, where nothing is said',
    given: ({ make }) => make('client', { currency: 'JPY' }),
    when: ({ id }) => [
      'POST',
      '/credit-notes',
      { clientId: id, taxRateId: null, lines: [{ quantity: 3, rate: 33.5 }] },
    ],
    gives: done({ currency: 'JPY', lines: [{ amount: 101 }], total: 101 }),
  }),
  credited(
    'Credits in dinars have three decimals',
    { currency: 'KWD', lines: [{ quantity: 0.5, rate: 0.001 }, taxed(0.05)], tax: 0.05 },
    // 0.0005 and 0.0025
    done({ lines: [{ amount: 0.001 }, { amount: 0.05 }], subtotal: 0.051, totalTax: 0.003, total: 0.054 }),
  ),
  credited(
    'A credit without a tax rate bears no tax',
    { lines: [taxed(100)] },
    done({ taxRatio: 0, totalTax: 0, total: 100, amountRemaining: 100 }),
  ),
  credited(
    'A credited line has quantity and rate or an amount, not both, even where one is 0',
    { lines: [line(1), { quantity: 0, rate: 10, amount: 7 }] },
    refused("'lines[1].amount' is not allowed"),
  ),
  credited(
    'A credited line without quantity and rate needs an amount, and one of the two needs the other',
    { lines: [{}, { rate: 0 }] },
    refused("'lines[0].amount' is required", "'lines[1].quantity' is required"),
  ),
  credited(
    'A credit amounts to no more than can be written',
    { lines: [line(99_999_999_999_999), line(1)] },
    refused(
      "'subtotal' must be a number with at most 15 digits",
      "'total' must be a number with at most 15 digits",
      "'amountRemaining' must be a number with at most 15 digits",
    ),
  ),
  example({
    says: 'A draft credit takes lines, tax rate and currency anew',
    given: async (world) => {
      const rate = await world.make('tax-rate', { rate: 0.2 });
      const { id } = await world.make('client');
      const credit = await creditFor(world, id, { taxRateId: rate.id });
      await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.05 });
      return credit;
    },
    when: ({ id }) => [
      'PATCH',
      `/credit-notes/${id}`,
      { currency: 'JPY', lines: [{ quantity: 3, rate: 33.5 }, taxed(50)] },
    ],
    gives: done({ taxRatio: 0.05, subtotal: 151, totalTax: 3, total: 154, amountRemaining: 154 }),
  }),
  ...(['notes', 'statusId'] as const).map((key) =>
    example({
      says: `An issued credit ${key === 'notes' ? 'keeps its tax' : 'that becomes a draft again takes the rate of now'}`,
      given: async (world) => {
        const rate = await world.make('tax-rate', { rate: 0.2 });
        const { id } = await world.make('client');
        const credit = await creditFor(world, id, { statusId: 'issued', taxRateId: rate.id, lines: [taxed(100)] });
        await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.1 });
        return credit;
      },
      when: ({ id }) => ['PATCH', `/credit-notes/${id}`, key === 'notes' ? { notes: 'Kept' } : { statusId: 'draft' }],
      gives:
        key === 'notes'
          ? done({ taxRatio: 0.2, total: 120, amountRemaining: 120 })
          : done({ taxRatio: 0.1, total: 110, amountRemaining: 110 }),
    }),
  ),
];

const states: readonly Case[] = [
  ...['applied', 'void'].map((statusId) =>
    example({
      says: `A credit note does not begin as ${statusId}`,
      given: ({ make }) => make('client'),
      when: ({ id }) => ['POST', '/credit-notes', { clientId: id, statusId, lines: [line(100)] }],
      gives: refused("'statusId' must be one of draft, issued"),
    }),
  ),
  example({
    says: 'A credit note may begin as issued',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id, statusId: 'issued', lines: [line(100)] }],
    gives: done({ statusId: 'issued', amountRemaining: 100 }),
  }),
  example({
    says: 'A draft credit needs no lines',
    given: async (world) => creditFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { lines: [] }],
    gives: done({ statusId: 'draft', total: 0, amountRemaining: 0 }),
  }),
  example({
    says: 'A credit note without lines is not made as issued',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id, statusId: 'issued' }],
    gives: refused("'lines' must be not empty unless the credit note is a draft"),
  }),
  example({
    says: 'A credit note without lines is not issued later',
    given: async (world) => creditFor(world, (await world.make('client')).id, { lines: [] }),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'issued' }],
    gives: refused("'lines' must be not empty unless the credit note is a draft"),
  }),
  example({
    says: 'A credit of nothing is applied as soon as it is issued',
    given: async (world) => creditFor(world, (await world.make('client')).id, { lines: [line(0)] }),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'applied', amountRemaining: 0 }),
  }),
  example({
    says: 'Nothing remains of a void credit, though it keeps its sums',
    given: async (world) => creditFor(world, (await world.make('client')).id, { statusId: 'issued' }),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'void' }],
    gives: done({ statusId: 'void', total: 100, amountApplied: 0, amountRemaining: 0 }),
  }),
  example({
    says: 'An issued credit of which nothing is applied becomes a draft again',
    given: async (world) => creditFor(world, (await world.make('client')).id, { statusId: 'issued' }),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'draft' }],
    gives: done({ statusId: 'draft', amountRemaining: 100 }),
  }),
  example({
    says: 'A change of a credit note is dated',
    given: async (world) => creditFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { notes: 'Changed' }],
    gives: ({ modifiedAt }) => done({ modifiedAt: expect.not.stringContaining(String(modifiedAt)) }),
  }),
  example({
    says: 'A credit note that says the same again has not changed',
    given: async (world) => creditFor(world, (await world.make('client')).id, { notes: 'Same' }),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { notes: 'Same', statusId: 'draft' }],
    gives: ({ modifiedAt }) => done({ modifiedAt }),
  }),
  example({
    says: 'A void credit note cannot be changed',
    given: async (world) => {
      const { id } = await creditFor(world, (await world.make('client')).id, { statusId: 'issued' });
      return world.send('PATCH', `/credit-notes/${id}`, { statusId: 'void' });
    },
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { notes: 'Late' }],
    gives: conflict('The Credit Note is read-only.'),
  }),
];

export const billingCreditNotes: readonly Case[] = [...texts, ...sums, ...states];
