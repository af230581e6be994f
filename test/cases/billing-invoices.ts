// Who sends an invoice, and to whom.
import { draftFor, internalClient } from './billing-scenes.ts';
import { ownClient, plain, saysOf, senders, wordsOf } from './billing-senders.ts';
import { type Case, done, example, refused } from './case.ts';

const settings: readonly Case[] = [
  example({
    says: 'An invoice is written in the name of the workspace',
    given: async (world) => {
      await senders(world);
      return world.make('client', { invoiceDetailsSource: 'workspace' });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ ...saysOf('House'), ...wordsOf('House'), paymentTerm: { days: 7 }, taxRate: { rate: 0.07 } }),
  }),
  example({
    says: 'A client of the workspace is billed in its name, whatever its business unit',
    given: async (world) => {
      const { unit } = await senders(world);
      return world.make('client', { invoiceDetailsSource: 'workspace', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ ...saysOf('House'), ...wordsOf('House'), paymentTerm: { days: 7 }, taxRate: { rate: 0.07 } }),
  }),
  example({
    says: 'A client of a business unit is billed in the name of the unit',
    given: async (world) => {
      const { unit } = await senders(world);
      return world.make('client', { invoiceDetailsSource: 'business_unit', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ ...saysOf('Unit'), ...wordsOf('Unit'), paymentTerm: { days: 8 }, taxRate: { rate: 0.08 } }),
  }),
  example({
    says: 'A client with words of its own has the sender of its business unit',
    given: async (world) => {
      const { unit, ownTerm } = await senders(world);
      return ownClient(world, { businessUnitId: unit.id, invoicePaymentTermId: ownTerm.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ ...saysOf('Unit'), ...wordsOf('Own'), paymentTerm: { days: 9 }, taxRate: { rate: 0.08 } }),
  }),
  example({
    says: 'A client with words of its own and no business unit has the sender of the workspace',
    given: async (world) => {
      const { ownTerm } = await senders(world);
      return ownClient(world, { invoicePaymentTermId: ownTerm.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({ ...saysOf('House'), ...wordsOf('Own'), paymentTerm: { days: 9 }, taxRate: { rate: 0.07 } }),
  }),
  example({
    says: 'A client with settings of its own that are empty has none, whatever the workspace says',
    given: async (world) => {
      await senders(world);
      return world.make('client', { invoiceDetailsSource: 'custom' });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({
      ...{ ...saysOf('House'), subject: null, notes: null, emailSubject: null, emailBody: null },
      ...{ paymentTerm: null, taxRate: { rate: 0.07 } },
    }),
  }),
  example({
    says: 'What a business unit does not say, no workspace says for it',
    given: async (world) => {
      await senders(world);
      const unit = await world.make('business-unit', { ...plain, companyName: '' });
      return world.make('client', { invoiceDetailsSource: 'business_unit', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: done({
      ...{ companyName: null, companyStreetAddress: null, subject: null, notes: null, emailSubject: null },
      ...{ emailBody: null, emailFromName: null, emailReplyTo: null, paymentTerm: null, taxRate: null, taxRatio: 0 },
    }),
  }),
  example({
    says: 'What is sent is kept, and what is sent as nothing is nothing',
    given: async (world) => {
      await senders(world);
      return world.make('client');
    },
    when: ({ id }) => [
      'POST',
      '/invoices',
      { clientId: id, subject: 'March', companyName: null, notes: '', paymentTermId: null, taxRateId: null },
    ],
    gives: done({
      ...{ ...saysOf('House'), companyName: null, subject: 'March', notes: null, emailSubject: 'Bill of House' },
      ...{ paymentTerm: null, taxRate: null, taxRatio: 0 },
    }),
  }),
  example({
    says: 'A draft keeps what it says when the settings change',
    given: async (world) => {
      await senders(world);
      const { id } = await world.make('client');
      const invoice = await world.make('invoice', { clientId: id });
      await world.send('PATCH', '/workspace-settings', plain);
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { poNumber: 'PO 7' }],
    gives: done({ ...saysOf('House'), ...wordsOf('House'), paymentTerm: { days: 7 }, taxRate: { rate: 0.07 } }),
  }),
];

const receivers: readonly Case[] = [
  example({
    says: 'An invoice is addressed to the client at its street',
    given: ({ make, unique }) => make('client', { name: `Ada ${unique}`, streetAddress: 'Row 1\n10117 Berlin' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: ({ name }) => done({ billTo: `${name}\nRow 1\n10117 Berlin` }),
  }),
  example({
    says: 'A client without a street is addressed by its name alone',
    given: ({ make, unique }) => make('client', { name: `Ada ${unique}`, streetAddress: '' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: ({ name }) => done({ billTo: name }),
  }),
  example({
    says: 'An address that is sent is kept',
    given: ({ make }) => make('client', { streetAddress: 'Row 1' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, billTo: 'c/o Byron' }],
    gives: done({ billTo: 'c/o Byron' }),
  }),
  example({
    says: 'An invoice may be addressed to nobody',
    given: ({ make }) => make('client', { streetAddress: 'Row 1' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, billTo: null }],
    gives: done({ billTo: null }),
  }),
  example({
    says: 'Name and street fit in 5000 characters',
    given: ({ make, unique }) => make('client', { name: nameOf(unique), streetAddress: 'x'.repeat(4979) }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    // 20 characters, a new line, 4979 characters.
    gives: ({ name }) => done({ billTo: `${name}\n${'x'.repeat(4979)}` }),
  }),
  example({
    says: 'Name and street of more than 5000 characters are refused',
    given: ({ make, unique }) => make('client', { name: nameOf(unique), streetAddress: 'x'.repeat(4980) }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: refused("'billTo' must be at most 5000 characters"),
  }),
  example({
    says: 'The firm does not bill itself',
    given: internalClient,
    when: (clientId) => ['POST', '/invoices', { clientId }],
    gives: refused("'clientId' must be a client other than the internal one"),
  }),
  example({
    says: 'An archived client gets no invoice',
    given: ({ make }) => make('client', { recordStatusId: 'archived' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id }],
    gives: refused("'clientId' must be an active client"),
  }),
  example({
    says: 'An invoice that is there outlives the archiving of its client',
    given: async (world) => {
      const { id } = await world.make('client');
      const invoice = await draftFor(world, id);
      await world.send('PATCH', `/clients/${id}`, { recordStatusId: 'archived' });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'issued' }),
  }),
];

/** 20 characters. */
const nameOf = (unique: number) => `Ada ${unique}`.padEnd(20, '-');

export const billingInvoices: readonly Case[] = [...settings, ...receivers];
