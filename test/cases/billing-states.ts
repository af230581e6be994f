// The numbers of invoices, and the states that they go through.
import { expect } from 'vitest';
import { draftFor, issuedFor, line, numberBehind } from './billing-scenes.ts';
import { type Case, done, example, refused, type World } from './case.ts';

/** Invoices are numbered with a prefix of their own from here on; `last` is the one made last. */
async function numbered({ make, send, unique }: World) {
  const prefix = `N${unique}-`;
  await send('PATCH', '/workspace-settings', { invoiceNumberPrefix: prefix });
  const { id: clientId } = await make('client');
  return { prefix, clientId, last: await make('invoice', { clientId }) };
}

const numbers: readonly Case[] = [
  example({
    says: 'Invoices are numbered one by one, behind the prefix, with four digits at least',
    given: numbered,
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
  example({
    says: 'A number that is sent is kept',
    given: numbered,
    when: ({ clientId, prefix }) => ['POST', '/invoices', { clientId, number: `${prefix}X` }],
    gives: ({ prefix }) => done({ number: `${prefix}X` }),
  }),
  example({
    says: 'A number that somebody has taken is left out',
    given: async (world) => {
      const scene = await numbered(world);
      const { clientId, prefix, last } = scene;
      for (const steps of [1, 2]) await draftFor(world, clientId, { number: numberBehind(prefix, last, steps) });
      return scene;
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 3) }),
  }),
  example({
    says: 'A number that somebody has taken in small letters is left out',
    given: async (world) => {
      const scene = await numbered(world);
      const { clientId, prefix, last } = scene;
      await draftFor(world, clientId, { number: numberBehind(prefix, last, 1).toLowerCase() });
      return scene;
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 2) }),
  }),
  example({
    says: 'The number of a deleted draft is not used again',
    given: async (world) => {
      const scene = await numbered(world);
      await world.send('DELETE', `/invoices/${scene.last.id}`);
      return scene;
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
  example({
    says: 'A number that is sent uses up none of the sequence',
    given: async (world) => {
      const scene = await numbered(world);
      await draftFor(world, scene.clientId, { number: `${scene.prefix}Y` });
      return scene;
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
  example({
    says: 'An invoice that is refused uses up no number',
    given: async (world) => {
      const scene = await numbered(world);
      const { clientId } = scene;
      await expect(world.send('POST', '/invoices', { clientId, statusId: 'issued' })).rejects.toThrow(
        'must be not empty',
      );
      return scene;
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
  example({
    says: 'The sequence goes on under another prefix',
    given: async (world) => {
      const { clientId, last } = await numbered(world);
      const prefix = `M${world.unique}/`;
      await world.send('PATCH', '/workspace-settings', { invoiceNumberPrefix: prefix });
      return { clientId, last, prefix };
    },
    when: ({ clientId }) => ['POST', '/invoices', { clientId }],
    gives: ({ prefix, last }) => done({ number: numberBehind(prefix, last, 1) }),
  }),
];

const states: readonly Case[] = [
  ...['paid', 'void'].map((statusId) =>
    example({
      says: `An invoice does not begin as ${statusId}`,
      given: ({ make }) => make('client'),
      when: ({ id }) => ['POST', '/invoices', { clientId: id, statusId, lines: [line(100)] }],
      gives: refused("'statusId' must be one of draft, issued"),
    }),
  ),
  example({
    says: 'An invoice may begin as issued',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, statusId: 'issued', lines: [line(100)] }],
    gives: done({ statusId: 'issued', amountDue: 100 }),
  }),
  example({
    says: 'An invoice begins as a draft where nothing is said',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, lines: [line(100)] }],
    gives: done({ statusId: 'draft', amountDue: 100 }),
  }),
  example({
    says: 'A draft needs no lines',
    given: async (world) => draftFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { lines: [] }],
    gives: done({ statusId: 'draft', lines: [], subtotal: 0 }),
  }),
  example({
    says: 'An invoice without lines is not made as issued',
    given: ({ make }) => make('client'),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, statusId: 'issued' }],
    gives: refused("'lines' must be not empty unless the invoice is a draft"),
  }),
  example({
    says: 'An invoice without lines is not issued later',
    given: async (world) => draftFor(world, (await world.make('client')).id, { lines: [] }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'issued' }],
    gives: refused("'lines' must be not empty unless the invoice is a draft"),
  }),
  example({
    says: 'What costs nothing is paid as soon as it is issued',
    given: async (world) => draftFor(world, (await world.make('client')).id, { lines: [line(0)] }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'paid', amountDue: 0 }),
  }),
  example({
    says: 'What was paid at once does not become a draft again',
    given: async (world) => issuedFor(world, (await world.make('client')).id, { lines: [line(0)] }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'draft' }],
    gives: refused("'statusId' cannot change from 'paid' to 'draft'"),
  }),
  example({
    says: 'What gives money back is paid as soon as it is issued',
    given: ({ make }) => make('client'),
    when: ({ id }) => [
      'POST',
      '/invoices',
      { clientId: id, taxRateId: null, statusId: 'issued', lines: [line(-0.01)] },
    ],
    gives: done({ statusId: 'paid', amountDue: -0.01 }),
  }),
  example({
    says: 'The smallest amount is due',
    given: ({ make }) => make('client'),
    when: ({ id }) => [
      'POST',
      '/invoices',
      { clientId: id, taxRateId: null, statusId: 'issued', lines: [line(0.0001)] },
    ],
    gives: done({ statusId: 'issued', amountDue: 0.0001 }),
  }),
  example({
    says: 'Nothing is due on a void invoice, though it keeps its sums',
    given: async (world) => issuedFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'void' }],
    gives: done({ statusId: 'void', subtotal: 100, total: 100, amountDue: 0 }),
  }),
  example({
    says: 'An issued invoice on which nothing is paid becomes a draft again',
    given: async (world) => issuedFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'draft' }],
    gives: done({ statusId: 'draft', amountDue: 100 }),
  }),
  ...['draft', 'void'].flatMap((statusId) => [
    example({
      says: `An invoice that is paid in part does not become ${statusId}`,
      given: async (world) => {
        const { id: clientId } = await world.make('client');
        const invoice = await issuedFor(world, clientId);
        const invoices = [{ id: invoice.id, amount: 0.01 }];
        await world.make('payment', { clientId, currency: 'USD', amount: 1, invoices });
        return invoice;
      },
      when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId }],
      gives: refused(`'statusId' cannot change from 'issued' to '${statusId}'`),
    }),
    example({
      says: `An invoice that is credited in part does not become ${statusId}`,
      given: async (world) => {
        const { id: clientId } = await world.make('client');
        const invoice = await issuedFor(world, clientId);
        const invoices = [{ id: invoice.id, amount: 0.01 }];
        const credit = { clientId, currency: 'USD', statusId: 'issued', lines: [line(1)], invoices };
        await world.make('credit-note', credit);
        return invoice;
      },
      when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId }],
      gives: refused(`'statusId' cannot change from 'issued' to '${statusId}'`),
    }),
  ]),
  example({
    says: 'A change of an invoice is dated',
    given: async (world) => draftFor(world, (await world.make('client')).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Changed' }],
    gives: ({ modifiedAt }) => done({ modifiedAt: expect.not.stringContaining(String(modifiedAt)) }),
  }),
  example({
    says: 'What says the same again is no change',
    given: async (world) => draftFor(world, (await world.make('client')).id, { notes: 'Same' }),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Same', statusId: 'draft' }],
    gives: ({ modifiedAt }) => done({ modifiedAt }),
  }),
];

export const billingStates: readonly Case[] = [...numbers, ...states];
