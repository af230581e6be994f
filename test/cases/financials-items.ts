// What is billed on a project beside time: services, products, other items, and the planned amounts of fixed-fee projects.
import { type Case, done, type Expected, example, refused, type World } from './case.ts';

interface Kind {
  readonly name: string;
  readonly path: string;
  /** The field of the text on the invoice line. */
  readonly text: string;
}
const kinds: readonly Kind[] = [
  { name: 'service', path: '/project-service-items', text: 'description' },
  { name: 'product', path: '/project-product-items', text: 'description' },
  { name: 'other item', path: '/project-other-items', text: 'description' },
  { name: 'planned amount', path: '/project-billing-schedule-items', text: 'name' },
];
const planned: Kind = { name: 'planned amount', path: '/project-billing-schedule-items', text: 'name' };

/** A fixed-fee project, on which each kind may be billed, and the body of an item of it. */
async function ground({ make }: World, { text }: Kind, project: object = {}) {
  const { id: projectId } = await make('project', { billingTypeId: 'fixed', currency: 'USD', ...project });
  const { id: invoiceItemId } = await make('invoice-item', { typeId: 'income' });
  return { projectId, invoiceItemId, date: '2026-03-01', [text]: 'Set up' };
}

/** An item that is there. */
const item = async (world: World, kind: Kind, more: object) =>
  world.send('POST', kind.path, { ...(await ground(world, kind)), ...more });

interface Fee {
  readonly currency?: string;
  readonly body: object;
}

const charged = (kind: Kind, says: string, { currency = 'USD', body }: Fee, gives: Expected): Case =>
  example({
    says,
    given: (world) => ground(world, kind, { currency }),
    when: (base) => ['POST', kind.path, { ...base, ...body }],
    gives,
  });

const changed = (kind: Kind, says: string, { stored, body }: { stored: object; body: object }, gives: Expected): Case =>
  example({
    says,
    given: (world) => item(world, kind, stored),
    when: ({ id }) => ['PATCH', `${kind.path}/${id}`, body],
    gives,
  });

const feesOf = (kind: Kind): readonly Case[] => [
  charged(
    kind,
    `A ${kind.name} costs its quantity at its rate, half a cent rounded up`,
    { body: { quantity: 0.5, rate: 0.05 } },
    // 0.025
    done({ quantity: 0.5, rate: 0.05, fee: 0.03 }),
  ),
  charged(
    kind,
    `A ${kind.name} of a project in yen costs whole yen`,
    { currency: 'JPY', body: { quantity: 3, rate: 33.5 } },
    // 100.5
    done({ fee: 101 }),
  ),
  charged(
    kind,
    `A ${kind.name} of a project in dinars has three decimals`,
    { currency: 'KWD', body: { quantity: 0.5, rate: 0.001 } },
    // 0.0005
    done({ fee: 0.001 }),
  ),
  charged(
    kind,
    `A ${kind.name} of quantity 0 costs 0`,
    { body: { quantity: 0, rate: 10 } },
    done({ quantity: 0, rate: 10, fee: 0 }),
  ),
  charged(
    kind,
    `A ${kind.name} at rate 0 costs 0, whatever the quantity`,
    { body: { quantity: 3, rate: 0, fee: 0 } },
    done({ quantity: 3, rate: 0, fee: 0 }),
  ),
  charged(
    kind,
    `The fee of a ${kind.name} may be sent with quantity and rate when it is their product`,
    { body: { quantity: 3, rate: 10.005, fee: 30.02 } },
    // 30.015
    done({ fee: 30.02 }),
  ),
  charged(
    kind,
    `Another fee of a ${kind.name} than quantity and rate make is refused`,
    { body: { quantity: 3, rate: 10, fee: 30.01 } },
    refused("'fee' must be 30"),
  ),
  charged(
    kind,
    `A fee of 0 is refused for a ${kind.name} whose quantity and rate make another`,
    { body: { quantity: 3, rate: 10, fee: 0 } },
    refused("'fee' must be 30"),
  ),
  charged(
    kind,
    `A ${kind.name} may have a fee alone, with the decimals that are sent`,
    { body: { fee: 12.3456 } },
    done({ quantity: null, rate: null, fee: 12.3456 }),
  ),
  charged(kind, `A ${kind.name} may cost nothing`, { body: { fee: 0 } }, done({ fee: 0 })),
  charged(kind, `A ${kind.name} needs a fee`, { body: {} }, refused("'fee' is required")),
  charged(
    kind,
    `A ${kind.name} that needs a fee says so beside what else is wrong`,
    { body: { date: '2026-02-30' } },
    refused("'date' must be a date (YYYY-MM-DD)", "'fee' is required"),
  ),
  charged(
    kind,
    `A ${kind.name} with a quantity needs a rate`,
    { body: { quantity: 0, fee: 10 } },
    refused("'rate' is required"),
  ),
  charged(
    kind,
    `A ${kind.name} with a rate needs a quantity`,
    { body: { rate: 0, fee: 10 } },
    refused("'quantity' is required"),
  ),
  charged(
    kind,
    `A ${kind.name} costs no more than can be written`,
    { body: { quantity: 9_999_999_999, rate: 9_999_999_999 } },
    refused("'fee' must be a number with at most 15 digits"),
  ),
  changed(
    kind,
    `Another rate of a ${kind.name} makes another fee`,
    { stored: { quantity: 3, rate: 10 }, body: { rate: 11 } },
    done({ quantity: 3, rate: 11, fee: 33 }),
  ),
  changed(
    kind,
    `Another quantity of a ${kind.name} makes another fee`,
    { stored: { quantity: 3, rate: 10 }, body: { quantity: 0 } },
    done({ quantity: 0, rate: 10, fee: 0 }),
  ),
  changed(
    kind,
    `The fee of a ${kind.name} with quantity and rate is not changed alone`,
    { stored: { quantity: 3, rate: 10 }, body: { fee: 31 } },
    refused("'fee' must be 30"),
  ),
  changed(
    kind,
    `The fee of a ${kind.name} without quantity and rate is`,
    { stored: { fee: 10 }, body: { fee: 31 } },
    done({ quantity: null, rate: null, fee: 31 }),
  ),
  changed(
    kind,
    `A ${kind.name} that loses quantity and rate keeps its fee`,
    { stored: { quantity: 3, rate: 10 }, body: { quantity: null, rate: null } },
    done({ quantity: null, rate: null, fee: 30 }),
  ),
  changed(
    kind,
    `A ${kind.name} that gets quantity and rate costs their product`,
    { stored: { fee: 10 }, body: { quantity: 3, rate: 10 } },
    done({ fee: 30 }),
  ),
  changed(
    kind,
    `A ${kind.name} does not lose its rate alone`,
    { stored: { quantity: 3, rate: 10 }, body: { rate: null } },
    refused("'rate' is required"),
  ),
  changed(
    kind,
    `A ${kind.name} with a fee does not get a quantity alone`,
    { stored: { fee: 10 }, body: { quantity: 3 } },
    refused("'rate' is required"),
  ),
  changed(
    kind,
    `Another text of a ${kind.name} leaves what it costs`,
    { stored: { quantity: 3, rate: 10 }, body: { [kind.text]: 'Set up twice' } },
    done({ [kind.text]: 'Set up twice', quantity: 3, rate: 10, fee: 30 }),
  ),
];

const income = refused("'invoiceItemId' must be an income item");
const itemsOf = (kind: Kind): readonly Case[] => [
  example({
    says: `A ${kind.name} is billed under an item of income, not of expenses`,
    given: async (world) => ({
      ...(await ground(world, kind)),
      invoiceItemId: (await world.make('invoice-item', { typeId: 'expense' })).id,
    }),
    when: (base) => ['POST', kind.path, { ...base, fee: 1 }],
    gives: income,
  }),
  example({
    says: `A ${kind.name} does not come under an item of expenses`,
    given: async (world) => ({
      made: await item(world, kind, { fee: 1 }),
      costs: await world.make('invoice-item', { typeId: 'expense' }),
    }),
    when: ({ made, costs }) => ['PATCH', `${kind.path}/${made.id}`, { invoiceItemId: costs.id }],
    gives: income,
  }),
  example({
    says: `A ${kind.name} may come under another item of income`,
    given: async (world) => ({
      made: await item(world, kind, { fee: 1 }),
      other: await world.make('invoice-item', { typeId: 'income' }),
    }),
    when: ({ made, other }) => ['PATCH', `${kind.path}/${made.id}`, { invoiceItemId: other.id }],
    gives: ({ other }) => done({ invoiceItem: { id: other.id } }),
  }),
];

const notBillable = refused("'projectId' must be a billable project");
const projectsOf = (kind: Kind): readonly Case[] => [
  example({
    says: `A ${kind.name} is billed on a project by time spent`,
    given: (world) => ground(world, kind, { billingTypeId: 'tm' }),
    when: (base) => ['POST', kind.path, { ...base, fee: 1 }],
    gives: done({ fee: 1 }),
  }),
  example({
    says: `No ${kind.name} is billed on a project that is not`,
    given: (world) => ground(world, kind, { billingTypeId: 'non_billable' }),
    when: (base) => ['POST', kind.path, { ...base, fee: 1 }],
    gives: notBillable,
  }),
  example({
    says: `The fee of a ${kind.name} is changed once its project is not billed any more`,
    given: async (world) => {
      const made = await item(world, kind, { fee: 1 });
      const { id } = made['project'] as { id: string };
      await world.send('PATCH', `/projects/${id}`, { billingTypeId: 'non_billable' });
      return made;
    },
    when: ({ id }) => ['PATCH', `${kind.path}/${id}`, { fee: 2 }],
    gives: done({ fee: 2 }),
  }),
];

const notFixed = refused("'projectId' must be a fixed-fee project");
const onlyCustom = refused("'typeId' must be custom unless the project has a fee per month");
const plan: readonly Case[] = [
  ...['tm', 'non_billable'].map((billingTypeId) =>
    example({
      says: `Nothing is planned to be billed on a project that is billed as ${billingTypeId}`,
      given: (world) => ground(world, planned, { billingTypeId }),
      when: (base) => ['POST', planned.path, { ...base, fee: 1 }],
      gives: notFixed,
    }),
  ),
  example({
    says: 'A planned amount is changed once its project is billed by time spent',
    given: async (world) => {
      const made = await item(world, planned, { fee: 1 });
      const { id } = made['project'] as { id: string };
      await world.send('PATCH', `/projects/${id}`, { billingTypeId: 'tm' });
      return made;
    },
    when: ({ id }) => ['PATCH', `${planned.path}/${id}`, { fee: 2 }],
    gives: done({ fee: 2 }),
  }),
  ...['custom', 'recurring'].map((typeId) =>
    example({
      says: `A project with a fee per month has planned amounts that are ${typeId}`,
      given: (world) => ground(world, planned, { billingTypeId: 'fixed_recurring' }),
      when: (base) => ['POST', planned.path, { ...base, fee: 1, typeId }],
      gives: done({ typeId }),
    }),
  ),
  example({
    says: 'A project with one fee has no monthly series of planned amounts',
    given: (world) => ground(world, planned),
    when: (base) => ['POST', planned.path, { ...base, fee: 1, typeId: 'recurring' }],
    gives: onlyCustom,
  }),
  example({
    says: 'A planned amount of a project with one fee does not become part of a series',
    given: (world) => item(world, planned, { fee: 1 }),
    when: ({ id }) => ['PATCH', `${planned.path}/${id}`, { typeId: 'recurring' }],
    gives: onlyCustom,
  }),
  example({
    says: 'A planned amount is billed under the item of its project type',
    given: async (world) => {
      const { id: invoiceItemId } = await world.make('invoice-item', { typeId: 'income' });
      const { id: projectTypeId } = await world.make('project-type', { invoiceItemId });
      return { invoiceItemId, base: await ground(world, planned, { projectTypeId }) };
    },
    when: ({ base }) => ['POST', planned.path, { ...base, fee: 1, invoiceItemId: null }],
    gives: ({ invoiceItemId }) => done({ invoiceItem: { id: invoiceItemId } }),
  }),
];

const inYen = (kind: Kind): Case =>
  example({
    says: `A ${kind.name} costs whole yen where the client of the project pays in yen`,
    given: async (world) => {
      const { id: clientId } = await world.make('client', { currency: 'JPY' });
      return ground(world, kind, { clientId, currency: undefined });
    },
    when: (base) => ['POST', kind.path, { ...base, quantity: 3, rate: 33.5 }],
    // 100.5
    gives: done({ fee: 101 }),
  });

export const financialsItems: readonly Case[] = [
  ...kinds.flatMap((kind) => [...feesOf(kind), inYen(kind), ...itemsOf(kind)]),
  ...kinds.filter(({ path }) => path !== planned.path).flatMap(projectsOf),
  ...plan,
];
