// What can still be changed of invoices and credit notes once they are out, and who holds what they refer to.
import { expect } from 'vitest';
import { creditFor } from './billing-credit-notes.ts';
import { billable, billing, draftFor, engagement, issuedFor, line, numberBehind } from './billing-scenes.ts';
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

const held = conflict('The Invoice is read-only.');
const creditHeld = conflict('The Credit Note is read-only.');

/** An invoice over 100 dollars in this state. */
async function invoiceIn(world: World, statusId: string): Promise<Made> {
  const { id: clientId } = await world.make('client', { currency: 'USD' });
  if (statusId === 'draft') return draftFor(world, clientId);
  const invoice = await issuedFor(world, clientId);
  if (statusId === 'paid') {
    const invoices = [{ id: invoice.id, amount: 100 }];
    await world.make('payment', { clientId, currency: 'USD', amount: 100, invoices });
  }
  if (statusId === 'void') await world.send('PATCH', `/invoices/${invoice.id}`, { statusId });
  return invoice;
}

const idOf = async (made: Promise<Made>): Promise<string> => (await made).id;
/** Another value for each field that is no longer open once a bill is issued. */
const closed: Readonly<Record<string, (world: World) => unknown>> = {
  number: ({ unique }) => `Other ${unique}`,
  companyName: () => 'Other',
  companyStreetAddress: () => 'Other Street 1',
  billTo: () => 'Somebody else',
  subject: () => 'Other work',
  issuedOn: () => '2020-02-29',
  emailSubject: () => 'Other',
  emailBody: () => 'Other',
  emailFromName: () => 'Other',
  emailReplyTo: () => 'other@example.com',
  currency: () => 'JPY',
  taxRateId: ({ make }) => idOf(make('tax-rate')),
  lines: () => [line(99)],
};
const closedInInvoices: typeof closed = {
  ...closed,
  servicesThrough: () => '2020-02-29',
  discountMethod: () => 'percentage',
  discountRatio: () => 0.5,
  paymentTermId: ({ make }) => idOf(make('payment-term')),
};
/** What stays open. */
const open = {
  ...{ notes: 'Late', emails: ['late@example.com'], ccEmails: ['copy@example.com'], sentOn: '2026-03-01' },
  poNumber: 'PO late',
};

/** The lines of a bill, sent again by their ids over another amount. */
const linesOver = ({ lines }: Made, amount: number): readonly object[] =>
  (lines as readonly Made[]).map(({ id, kindId, taxable, invoiceItem }) => {
    const { id: invoiceItemId } = invoiceItem as Made;
    return { id, kindId, taxable, invoiceItemId, amount };
  });

const invoices: readonly Case[] = [
  ...(
    [
      [99, held],
      [100, done({ total: 100 })],
    ] as const
  ).map(([amount, gives]) =>
    example({
      says: `A line of an issued invoice over 100 keeps its amount: ${amount} is sent`,
      given: (world) => invoiceIn(world, 'issued'),
      when: (invoice) => ['PATCH', `/invoices/${invoice.id}`, { lines: linesOver(invoice, amount) }],
      gives,
    }),
  ),
  ...['issued', 'paid'].flatMap((statusId) =>
    Object.entries(closedInInvoices).map(([key, value]) =>
      example({
        says: `An invoice that is ${statusId} keeps its ${key}`,
        given: async (world) => ({ invoice: await invoiceIn(world, statusId), sent: { [key]: await value(world) } }),
        when: ({ invoice, sent }) => ['PATCH', `/invoices/${invoice.id}`, { notes: 'Not kept', ...sent }],
        gives: held,
      }),
    ),
  ),
  ...['issued', 'paid'].map((statusId) =>
    example({
      says: `An invoice that is ${statusId} may be sent, noted and due otherwise`,
      given: (world) => invoiceIn(world, statusId),
      when: ({ id }) => ['PATCH', `/invoices/${id}`, { ...open, dueOn: '2099-12-31' }],
      gives: done({ ...open, dueOn: '2099-12-31', statusId, total: 100 }),
    }),
  ),
  example({
    says: 'What an issued invoice says already is no change of it',
    given: (world) => invoiceIn(world, 'issued'),
    when: (invoice) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { number: invoice['number'], issuedOn: invoice['issuedOn'], currency: 'USD', statusId: 'issued' },
    ],
    gives: (invoice) => done({ modifiedAt: invoice['modifiedAt'] }),
  }),
  example({
    says: 'What is wrong in a field that an issued invoice keeps is read-only all the same',
    given: (world) => invoiceIn(world, 'issued'),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { currency: 'dollars', notes: 5 }],
    gives: held,
  }),
  ...[{ notes: 'Late' }, { statusId: 'draft' }, {}].map((body) =>
    example({
      says: `A void invoice takes nothing: ${JSON.stringify(body)}`,
      given: (world) => invoiceIn(world, 'void'),
      when: ({ id }) => ['PATCH', `/invoices/${id}`, body],
      gives: held,
    }),
  ),
  ...['issued', 'paid', 'void'].map((statusId) =>
    example({
      says: `An invoice that is ${statusId} is not deleted`,
      given: (world) => invoiceIn(world, statusId),
      when: ({ id }) => ['DELETE', `/invoices/${id}`],
      gives: held,
    }),
  ),
  example({
    says: 'An invoice that was issued and is a draft again is deleted',
    given: async (world) => {
      const invoice = await invoiceIn(world, 'issued');
      return world.send('PATCH', `/invoices/${invoice.id}`, { statusId: 'draft' });
    },
    when: ({ id }) => ['DELETE', `/invoices/${id}`],
    gives: done(),
  }),
  example({
    says: 'A draft that was issued takes everything again, and may be issued with it',
    given: async (world) => {
      const invoice = await invoiceIn(world, 'issued');
      return world.send('PATCH', `/invoices/${invoice.id}`, { statusId: 'draft' });
    },
    when: ({ id }) => [
      'PATCH',
      `/invoices/${id}`,
      { statusId: 'issued', currency: 'JPY', lines: [line(7), line(8)], discountMethod: 'amount', discountAmount: 5 },
    ],
    // 15 - 5
    gives: done({ statusId: 'issued', currency: 'JPY', subtotal: 15, totalDiscount: 5, total: 10, amountDue: 10 }),
  }),
  ...(
    [
      ['draft', 'void'],
      ['draft', 'paid'],
      ['issued', 'paid'],
      ['paid', 'issued'],
      ['paid', 'void'],
      ['paid', 'draft'],
    ] as const
  ).map(([from, to]) =>
    example({
      says: `Nobody makes an invoice that is ${from} one that is ${to}`,
      given: (world) => invoiceIn(world, from),
      when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: to }],
      gives: refused(`'statusId' cannot change from '${from}' to '${to}'`),
    }),
  ),
];

const credits: readonly Case[] = [
  ...Object.entries(closed).map(([key, value]) =>
    example({
      says: `A credit note that is issued keeps its ${key}`,
      given: async (world) => {
        const { id: clientId } = await world.make('client');
        return { note: await creditFor(world, clientId, { statusId: 'issued' }), sent: { [key]: await value(world) } };
      },
      when: ({ note, sent }) => ['PATCH', `/credit-notes/${note.id}`, { notes: 'Not kept', ...sent }],
      gives: creditHeld,
    }),
  ),
  example({
    says: 'A credit note that is applied may be sent and noted otherwise',
    given: async (world) => applied(world),
    when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, open],
    gives: done({ ...open, statusId: 'applied', amountRemaining: 0 }),
  }),
  ...['draft', 'issued', 'void'].map((statusId) =>
    example({
      says: `Nobody makes an applied credit note one that is ${statusId}`,
      given: async (world) => applied(world),
      when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, { statusId, invoices: [] }],
      gives: refused(`'statusId' cannot change from 'applied' to '${statusId}'`),
    }),
  ),
  example({
    says: 'A draft credit note does not become void: it is deleted',
    given: async (world) => creditFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/credit-notes/${id}`, { statusId: 'void' }],
    gives: refused("'statusId' cannot change from 'draft' to 'void'"),
  }),
  example({
    says: 'A draft credit note is deleted',
    given: async (world) => creditFor(world, (await world.make('client')).id),
    when: ({ id }) => ['DELETE', `/credit-notes/${id}`],
    gives: done(),
  }),
  ...['issued', 'applied', 'void'].map((statusId) =>
    example({
      says: `A credit note that is ${statusId} is not deleted, and the invoice stays as it is`,
      given: async (world) => {
        const scene = await applied(world);
        if (statusId === 'applied') return scene;
        const note = await creditFor(world, scene.clientId, { statusId: 'issued' });
        if (statusId === 'void') await world.send('PATCH', `/credit-notes/${note.id}`, { statusId });
        return { ...scene, note };
      },
      when: ({ note }) => ['DELETE', `/credit-notes/${note.id}`],
      gives: creditHeld,
      also: ({ invoice }) => [[`/invoices/${invoice.id}`, { statusId: 'paid', amountCredited: 100 }]],
    }),
  ),
  example({
    says: 'A credit note with the number of another is refused',
    given: async (world) => creditFor(world, (await world.make('client')).id, { number: `Credit ${world.unique}` }),
    when: ({ client, number }) => [
      'POST',
      '/credit-notes',
      { clientId: (client as Made).id, number: String(number).toUpperCase() },
    ],
    gives: conflict('A Credit Note with the same number already exists.'),
  }),
];

/** A credit note that pays an invoice whole. */
async function applied(world: World) {
  const invoice = await invoiceIn(world, 'issued');
  const { id: clientId } = invoice['client'] as Made;
  const invoices = [{ id: invoice.id, amount: 100 }];
  return { clientId, invoice, note: await creditFor(world, clientId, { statusId: 'issued', invoices }) };
}

const numbers: readonly Case[] = [
  example({
    says: 'An invoice with the number of another is refused, in any letter case',
    given: async (world) => draftFor(world, (await world.make('client')).id, { number: `Bill ${world.unique}` }),
    when: ({ client, number }) => [
      'POST',
      '/invoices',
      { clientId: (client as Made).id, number: ` ${String(number).toLowerCase()}` },
    ],
    gives: conflict('An Invoice with the same number already exists.'),
  }),
  example({
    says: 'A draft does not take the number of another invoice',
    given: async (world) => {
      const { id } = await world.make('client');
      const other = await draftFor(world, id, { number: `Bill ${world.unique}` });
      return { other, invoice: await draftFor(world, id) };
    },
    when: ({ other, invoice }) => ['PATCH', `/invoices/${invoice.id}`, { number: other['number'] }],
    gives: conflict('An Invoice with the same number already exists.'),
  }),
  example({
    says: 'An invoice keeps a number',
    given: async (world) => draftFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { number: null }],
    gives: refused("'number' is required"),
  }),
  example({
    says: 'A number that is sent as nothing is the next one, where another invoice took a number in between',
    given: async (world) => {
      const prefix = `Q${world.unique}-`;
      await world.send('PATCH', '/workspace-settings', { invoiceNumberPrefix: prefix });
      const { id: clientId } = await world.make('client');
      const last = await draftFor(world, clientId);
      // A draft that gives its own number away takes the one after the next.
      await world.send('PATCH', `/invoices/${last.id}`, { number: numberBehind(prefix, last, 2) });
      await draftFor(world, clientId);
      return { clientId, prefix, last };
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId, number: '' }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 3) }),
  }),
];

const receivers: readonly Case[] = [
  example({
    says: 'An invoice goes to the addresses of the client',
    given: ({ make }) => make('client', { emails: ['b@example.com', 'a@example.com'] }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ emails: ['b@example.com', 'a@example.com'], ccEmails: [], sentOn: null, poNumber: null }),
  }),
  example({
    says: 'An invoice goes to nobody where that is said',
    given: ({ make }) => make('client', { emails: ['a@example.com'] }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, emails: [] }],
    gives: done({ emails: [] }),
  }),
  example({
    says: 'A draft keeps its addresses when the client moves',
    given: async (world) => {
      const { id } = await world.make('client', { emails: ['a@example.com'], streetAddress: 'Row 1', currency: 'CHF' });
      const invoice = await world.make('invoice', { clientId: id });
      await world.send('PATCH', `/clients/${id}`, {
        emails: [],
        streetAddress: 'Row 2',
        currency: 'EUR',
        name: 'Moved',
      });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Kept' }],
    gives: ({ billTo }) => done({ emails: ['a@example.com'], billTo, currency: 'CHF', client: { name: 'Moved' } }),
  }),
  example({
    says: 'A credit note goes to the addresses of the client, a payment is in its currency',
    given: ({ make }) => make('client', { emails: ['a@example.com'], currency: 'CHF' }),
    when: ({ id }) => ['POST', '/credit-notes', { clientId: id }],
    gives: done({ emails: ['a@example.com'], currency: 'CHF', poNumber: null, subject: null }),
  }),
];

const inUse = (title: string) => conflict(`The ${title} is in use and cannot be deleted.`);
const deletes: readonly Case[] = [
  example({
    says: 'A payment term that an invoice has is not deleted, and no setting forgets it',
    given: async (world) => {
      const term = await world.make('payment-term', { type: 'net', days: 9 });
      const client = await world.make('client', { invoiceDetailsSource: 'custom', invoicePaymentTermId: term.id });
      await world.make('invoice', { clientId: client.id });
      return { term, client };
    },
    when: ({ term }) => ['DELETE', `/payment-terms/${term.id}`],
    gives: inUse('Payment Term'),
    also: ({ term, client }) => [[`/clients/${client.id}`, { invoicePaymentTerm: { id: term.id } }]],
  }),
  example({
    says: 'A payment term that no invoice has is deleted, and all settings forget it',
    given: async (world) => {
      const { id } = await world.make('payment-term', { type: 'net', days: 9 });
      const client = await world.make('client', { invoiceDetailsSource: 'custom', invoicePaymentTermId: id });
      const unit = await world.make('business-unit', { invoicePaymentTermId: id });
      const before = await world.send('PATCH', '/workspace-settings', { invoicePaymentTermId: id });
      return { id, client, unit, before };
    },
    when: ({ id }) => ['DELETE', `/payment-terms/${id}`],
    gives: done(),
    also: ({ client, unit, before }) => [
      [`/clients/${client.id}`, { invoicePaymentTerm: null, modifiedAt: client['modifiedAt'] }],
      [`/business-units/${unit.id}`, { invoicePaymentTerm: null }],
      ['/workspace-settings', { invoicePaymentTerm: null, modifiedAt: before['modifiedAt'] }],
    ],
  }),
  ...(['invoice', 'credit-note'] as const).map((group) =>
    example({
      says: `A tax rate that a ${group} has is not deleted`,
      given: async (world) => {
        const rate = await world.make('tax-rate');
        await world.make(group, { clientId: (await world.make('client')).id, taxRateId: rate.id });
        return rate;
      },
      when: ({ id }) => ['DELETE', `/tax-rates/${id}`],
      gives: inUse('Tax Rate'),
    }),
  ),
  example({
    says: 'A tax rate that no bill has is deleted, and all settings forget it',
    given: async (world) => {
      const { id } = await world.make('tax-rate');
      const unit = await world.make('business-unit', { invoiceTaxRateId: id });
      await world.send('PATCH', '/workspace-settings', { invoiceTaxRateId: id });
      return { id, unit };
    },
    when: ({ id }) => ['DELETE', `/tax-rates/${id}`],
    gives: done(),
    also: ({ unit }) => [
      [`/business-units/${unit.id}`, { invoiceTaxRate: null }],
      ['/workspace-settings', { invoiceTaxRate: null }],
    ],
  }),
  example({
    says: 'A payment method by which somebody has paid is not deleted',
    given: async (world) => {
      const method = await world.make('payment-method');
      await world.make('payment', { paymentMethodId: method.id });
      return method;
    },
    when: ({ id }) => ['DELETE', `/payment-methods/${id}`],
    gives: inUse('Payment Method'),
  }),
  example({
    says: 'A payment method that nobody uses any more may still be named',
    given: ({ make }) => make('payment-method', { isActive: false }),
    when: ({ id }) => ['PATCH', `/payment-methods/${id}`, { name: `Old ${id}` }],
    gives: done({ isActive: false }),
  }),
  example({
    says: 'An advance that a draft uses up is not deleted',
    given: async (world) => {
      const ids = await engagement(world);
      const prepayment = await billable(world, 'project_prepayment', { ...ids, ...{ amount: 100 } });
      const lines = [billing(ids.projectId, 100, ['project_prepayment', prepayment])];
      const first = await issuedFor(world, ids.clientId, { lines });
      const use = line(-10, { projectId: ids.projectId, projectPrepaymentId: prepayment.id });
      const draft = await draftFor(world, ids.clientId, { lines: [line(50), use] });
      // Nothing bills it any more.
      await world.send('PATCH', `/invoices/${first.id}`, { statusId: 'void' });
      return { prepayment, draft };
    },
    when: ({ prepayment }) => ['DELETE', `/project-prepayments/${prepayment.id}`],
    gives: inUse('Project Prepayment'),
    also: ({ prepayment, draft }) => [
      [`/invoices/${draft.id}`, { lines: [{}, { projectPrepayment: { id: prepayment.id } }] }],
    ],
  }),
  example({
    says: 'A project that a draft bills is not deleted',
    given: async (world) => {
      const { clientId, projectId } = await engagement(world);
      await draftFor(world, clientId, { lines: [line(1, { projectId })] });
      return projectId;
    },
    when: (projectId) => ['DELETE', `/projects/${projectId}`],
    gives: inUse('Project'),
  }),
  ...(['draftFor', 'creditFor'] as const).map((make) =>
    example({
      says: `An item that a line of ${make === 'draftFor' ? 'an invoice' : 'a credit note'} is billed under is not deleted`,
      given: async (world) => {
        const item = await world.make('invoice-item');
        const { id } = await world.make('client');
        await { draftFor, creditFor }[make](world, id, { lines: [line(1, { invoiceItemId: item.id })] });
        return item;
      },
      when: ({ id }) => ['DELETE', `/invoice-items/${id}`],
      gives: inUse('Invoice Item'),
    }),
  ),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    example({
      says: `Service is not ${method === 'PATCH' ? 'renamed' : 'deleted'}`,
      given: async ({ all }) => (await all('invoice-item', '&name=Service'))[0]?.id,
      when: (id) =>
        method === 'PATCH' ? [method, `/invoice-items/${id}`, { name: 'Work' }] : [method, `/invoice-items/${id}`],
      gives: conflict('The Invoice Item is read-only.'),
    }),
  ),
  example({
    says: 'Time whose approval is taken back is not deleted while a draft bills it',
    given: async (world) => {
      const { clientId, projectId } = await engagement(world);
      const entry = await billable(world, 'time_entry', { projectId });
      const invoice = await draftFor(world, clientId, { lines: [billing(projectId, 1, ['time_entry', entry])] });
      await world.send('PATCH', `/time-entries/${entry.id}`, { statusId: 'not_submitted' });
      return { entry, invoice };
    },
    when: ({ entry }) => ['DELETE', `/time-entries/${entry.id}`],
    gives: inUse('Time Entry'),
    also: ({ entry, invoice }) => [[`/invoices/${invoice.id}`, { lines: [{ sources: [{ id: entry.id }] }] }]],
  }),
];

const payments: readonly Case[] = [
  example({
    says: 'What an invoice is paid with is not sent to it',
    given: (world) => invoiceIn(world, 'draft'),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { amountPaid: 1, taxRatio: 0.1, payments: [], creditNotes: [] }],
    gives: refused(...['taxRatio', 'amountPaid', 'payments', 'creditNotes'].map((key) => `'${key}' is not allowed`)),
  }),
  example({
    says: 'An invoice that is open again has changed',
    given: async (world) => {
      const invoice = await invoiceIn(world, 'issued');
      const { id: clientId } = invoice['client'] as Made;
      const invoices = [{ id: invoice.id, amount: 100 }];
      const payment = await world.make('payment', { clientId, currency: 'USD', amount: 100, invoices });
      return { payment, paid: await world.send('GET', `/invoices/${invoice.id}`) };
    },
    when: ({ payment }) => ['DELETE', `/payments/${payment.id}`],
    gives: done(),
    also: ({ paid }) => [
      [
        `/invoices/${paid.id}`,
        { statusId: 'issued', modifiedAt: expect.not.stringContaining(String(paid['modifiedAt'])) },
      ],
    ],
  }),
];

export const billingLocks: readonly Case[] = [
  ...invoices,
  ...credits,
  ...numbers,
  ...receivers,
  ...deletes,
  ...payments,
];
