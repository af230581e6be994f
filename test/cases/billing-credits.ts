// What credit notes do to invoices.
import { creditFor } from './billing-credit-notes.ts';
import { draftFor, issuedFor, line } from './billing-scenes.ts';
import { type Case, done, example, type Made, refused, type World } from './case.ts';

const part = ({ id }: Made, amount: number) => ({ id, amount });
const path = ({ id }: Made) => `/invoices/${id}`;

/** Two issued invoices over 100 dollars each, and an issued credit over 150. */
async function credit(world: World) {
  const { id: clientId } = await world.make('client');
  const [one, two] = [await issuedFor(world, clientId), await issuedFor(world, clientId)];
  const note = await creditFor(world, clientId, { statusId: 'issued', lines: [line(100), line(50)] });
  return { clientId, one, two, note };
}

/** 120 of the credit are applied: 100 to the first invoice, which is paid with it, and 20 to the second. */
async function applied(world: World) {
  const scene = await credit(world);
  const { one, two, note } = scene;
  await world.send('PATCH', `/credit-notes/${note.id}`, { invoices: [part(one, 100), part(two, 20)] });
  return scene;
}

const state = (statusId: string, amountCredited: number, amountDue: number, creditNotes: readonly object[]) => ({
  ...{ statusId, amountPaid: 0, amountCredited, amountDue, creditNotes },
});
const open = state('issued', 0, 100, []);

const effects: readonly Case[] = [
  example({
    says: 'A credit is applied to invoices, and what is left remains',
    given: credit,
    when: ({ one, two, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(two, 20), part(one, 100)] }],
    gives: ({ one, two }) =>
      done({
        ...{ statusId: 'issued', amountApplied: 120, amountRemaining: 30 },
        invoices: [
          { id: two.id, number: two['number'], amount: 20 },
          { id: one.id, number: one['number'], amount: 100 },
        ],
      }),
    also: ({ one, two, note }) => [
      [path(one), state('paid', 100, 0, [{ id: note.id, number: note['number'], amount: 100 }])],
      [path(two), state('issued', 20, 80, [{ id: note.id, number: note['number'], amount: 20 }])],
    ],
  }),
  example({
    says: 'A credit is applied as it is made and issued',
    given: credit,
    when: ({ clientId, one }) => [
      'POST',
      '/credit-notes',
      { clientId, currency: 'USD', statusId: 'issued', taxRateId: null, lines: [line(9)], invoices: [part(one, 4.5)] },
    ],
    gives: done({ statusId: 'issued', amountApplied: 4.5, amountRemaining: 4.5 }),
    also: ({ one }) => [[path(one), state('issued', 4.5, 95.5, [{ amount: 4.5 }])]],
  }),
  example({
    says: 'A credit of which nothing remains is applied',
    given: credit,
    when: ({ one, two, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(one, 75), part(two, 75)] }],
    gives: done({ statusId: 'applied', amountApplied: 150, amountRemaining: 0 }),
    also: ({ one, two }) => [
      [path(one), { amountCredited: 75, amountDue: 25 }],
      [path(two), { amountCredited: 75, amountDue: 25 }],
    ],
  }),
  example({
    says: 'An applied credit is issued again when a part of it is taken back',
    given: async (world) => {
      const scene = await credit(world);
      const { one, two, note } = scene;
      await world.send('PATCH', `/credit-notes/${note.id}`, { invoices: [part(one, 75), part(two, 75)] });
      return scene;
    },
    when: ({ one, two, note }) => [
      'PATCH',
      `/credit-notes/${note.id}`,
      { invoices: [part(one, 74.99), part(two, 75)] },
    ],
    gives: done({ statusId: 'issued', amountApplied: 149.99, amountRemaining: 0.01 }),
    also: ({ one }) => [[path(one), { amountCredited: 74.99, amountDue: 25.01 }]],
  }),
  example({
    says: 'A credit that moves from one invoice to another opens the one and pays the other',
    given: applied,
    when: ({ two, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(two, 100)] }],
    gives: done({ amountApplied: 100, amountRemaining: 50 }),
    also: ({ one, two, note }) => [
      [path(one), open],
      [path(two), state('paid', 100, 0, [{ id: note.id, amount: 100 }])],
    ],
  }),
  example({
    says: 'A credit that is taken from all invoices becomes a draft at once, and every invoice is open',
    given: applied,
    when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [], statusId: 'draft' }],
    gives: done({ statusId: 'draft', amountApplied: 0, amountRemaining: 150 }),
    also: ({ one, two }) => [
      [path(one), open],
      [path(two), open],
    ],
  }),
  example({
    says: 'A credit note that is shown on an invoice may get other notes',
    given: applied,
    when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, { notes: 'As agreed' }],
    gives: done({ notes: 'As agreed', amountApplied: 120, amountRemaining: 30 }),
    also: ({ one, note }) => [
      [path(one), state('paid', 100, 0, [{ id: note.id, number: note['number'], amount: 100 }])],
    ],
  }),
  example({
    says: 'A payment and a credit pay an invoice together',
    given: async (world) => {
      const scene = await credit(world);
      const { clientId, one } = scene;
      await world.make('payment', { clientId, currency: 'USD', amount: 40, invoices: [part(one, 40)] });
      return scene;
    },
    when: ({ one, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(one, 60)] }],
    gives: done(),
    also: ({ one, note }) => [
      [
        path(one),
        {
          ...{ statusId: 'paid', amountPaid: 40, amountCredited: 60, amountDue: 0 },
          ...{ payments: [{ amount: 40 }], creditNotes: [{ id: note.id, amount: 60 }] },
        },
      ],
    ],
  }),
];

const atMost = (place: number, most: number) => `'invoices[${place}].amount' must be at most ${most}`;
const onlyIssued = refused("'invoices' must be empty unless the credit note is issued or applied");

const limits: readonly Case[] = [
  example({
    says: 'A draft credit is applied to nothing',
    given: credit,
    when: ({ clientId, one }) => [
      'POST',
      '/credit-notes',
      { clientId, currency: 'USD', lines: [line(100)], invoices: [part(one, 1)] },
    ],
    gives: onlyIssued,
  }),
  example({
    says: 'A credit that is applied does not become a draft with its invoices',
    given: applied,
    when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, { statusId: 'draft' }],
    gives: refused(
      "'statusId' cannot change from 'issued' to 'draft'",
      "'invoices' must be empty unless the credit note is issued or applied",
    ),
  }),
  example({
    says: 'A credit that is applied does not become void',
    given: applied,
    when: ({ note }) => ['PATCH', `/credit-notes/${note.id}`, { statusId: 'void' }],
    gives: refused(
      "'statusId' cannot change from 'issued' to 'void'",
      "'invoices' must be empty unless the credit note is issued or applied",
    ),
  }),
  example({
    says: 'A credit is issued and applied at once',
    given: async (world) => {
      const scene = await credit(world);
      return { ...scene, draft: await creditFor(world, scene.clientId) };
    },
    when: ({ draft, one }) => [
      'PATCH',
      `/credit-notes/${draft.id}`,
      { statusId: 'issued', invoices: [part(one, 100)] },
    ],
    gives: done({ statusId: 'applied', amountApplied: 100, amountRemaining: 0 }),
    also: ({ one }) => [[path(one), { statusId: 'paid', amountCredited: 100 }]],
  }),
  example({
    says: 'No more is applied than the credit amounts to',
    given: credit,
    when: ({ one, two, note }) => [
      'PATCH',
      `/credit-notes/${note.id}`,
      { invoices: [part(one, 75), part(two, 75.01)] },
    ],
    gives: refused("'invoices' must add up to at most 150"),
  }),
  example({
    says: 'No more is applied to an invoice than is due on it',
    given: credit,
    when: ({ one, two, note }) => [
      'PATCH',
      `/credit-notes/${note.id}`,
      { invoices: [part(one, 1), part(two, 100.01)] },
    ],
    gives: refused(atMost(1, 100)),
  }),
  example({
    says: 'What is paid already leaves less to credit',
    given: async (world) => {
      const scene = await credit(world);
      const { clientId, one } = scene;
      await world.make('payment', { clientId, currency: 'USD', amount: 40, invoices: [part(one, 40)] });
      return scene;
    },
    when: ({ one, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(one, 60.01)] }],
    gives: refused(atMost(0, 60)),
  }),
  example({
    says: 'A credit may give more to an invoice that it has credited in part',
    given: applied,
    when: ({ one, two, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(two, 50), part(one, 100)] }],
    gives: done({ statusId: 'applied' }),
    also: ({ two }) => [[path(two), { amountCredited: 50, amountDue: 50 }]],
  }),
  example({
    says: 'A credit gives no more to an invoice than was due before it',
    given: applied,
    when: ({ two, note }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(two, 100.01)] }],
    gives: refused(atMost(0, 100)),
  }),
  ...['draft', 'void'].map((statusId) =>
    example({
      says: `Nothing is credited on an invoice that is ${statusId}`,
      given: async (world) => {
        const scene = await credit(world);
        const invoice = await draftFor(world, scene.clientId, { statusId: statusId === 'void' ? 'issued' : 'draft' });
        if (statusId === 'void') await world.send('PATCH', path(invoice), { statusId });
        return { ...scene, invoice };
      },
      when: ({ note, invoice }) => ['PATCH', `/credit-notes/${note.id}`, { invoices: [part(invoice, 1)] }],
      gives: refused("'invoices[0].id' must be an issued or paid invoice"),
    }),
  ),
  example({
    says: 'A credit is applied to no invoice of another client or in another currency',
    given: async (world) => {
      const scene = await credit(world);
      const { id: other } = await world.make('client');
      const foreign = await issuedFor(world, other);
      const euros = await issuedFor(world, scene.clientId, { currency: 'EUR' });
      return { ...scene, invoices: [part(scene.one, 1), part(foreign, 1), part(euros, 1)] };
    },
    when: ({ note, invoices }) => ['PATCH', `/credit-notes/${note.id}`, { invoices }],
    gives: refused(
      "'invoices[1].id' must be of the same client and currency",
      "'invoices[2].id' must be of the same client and currency",
    ),
  }),
  example({
    says: 'A new credit is applied to no invoice of another client',
    given: async (world) => ({ ...(await credit(world)), other: await world.make('client') }),
    when: ({ other, one }) => [
      'POST',
      '/credit-notes',
      {
        ...{ clientId: other.id, currency: 'USD', taxRateId: null, statusId: 'issued', lines: [line(10)] },
        invoices: [part(one, 1)],
      },
    ],
    gives: refused("'invoices[0].id' must be of the same client and currency"),
  }),
];

export const billingCredits: readonly Case[] = [...effects, ...limits];
