import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { todayOf } from './days.ts';
import { project, at as projectAt } from './projects.ts';

const path = '/project-roles';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;

/** A new role of a project that is so, of which this is sent. */
const adding = (says: string, { of = {} }: { of?: object }, sent: object, gives: Expected) =>
  example({
    says,
    given: (world: World) => project(world, of),
    when: ({ id }) => ['POST', path, { name: 'Architect', projectId: id, ...sent }],
    gives,
  });
/** A role of a project that is so, and became different then, of which this is sent. */
const keeping = (
  says: string,
  { of = {}, values = {}, later }: { of?: object; values?: object; later?: object },
  sent: object,
  gives: Expected,
) =>
  example({
    says,
    given: async (world: World) => {
      const one = await project(world, of);
      const role = await world.send('POST', path, { name: 'Architect', projectId: one.id, ...values });
      if (later !== undefined) await world.send('PATCH', projectAt(one), later);
      return role;
    },
    when: (role) => ['PATCH', at(role), sent],
    gives,
  });

const internal = { billingTypeId: 'non_billable' };
const withoutRoles = refused("'projectId' must be a project that uses roles");
const notBilled = refused("'isBillable' must be false on a project that is not billable");
const projectsOwn: readonly Case[] = [
  adding(
    'A project with roles takes new ones',
    {},
    { rate: 150 },
    done({ name: 'Architect', isBillable: true, rate: 150 }),
  ),
  adding('A project without roles takes none', { of: { useRoles: false } }, {}, withoutRoles),
  keeping(
    'The name of a role is changed once its project has no roles, too',
    { later: { useRoles: false } },
    { name: 'Lead' },
    done({ name: 'Lead' }),
  ),
  keeping('A role can be changed while its project has roles', {}, { name: 'Lead' }, done({ name: 'Lead' })),
  adding('A role is billed as its project is', { of: internal }, {}, done({ isBillable: false, rate: null })),
  adding('A role need not be billed', {}, { isBillable: false }, done({ isBillable: false })),
  adding('No role is billed on a project that is not', { of: internal }, { isBillable: true }, notBilled),
  keeping('No role comes to be billed on a project that is not', { of: internal }, { isBillable: true }, notBilled),
  keeping(
    'The name of a billed role is changed once the project is not billed',
    { later: internal },
    { name: 'Lead' },
    done({ name: 'Lead' }),
  ),
  keeping(
    'That a role is billed can be sent again once the project is not billed',
    { later: internal },
    { isBillable: true },
    done({ isBillable: true }),
  ),
];

const hours = { billableHours: 12.5, nonBillableHours: 1 };
const budgets = (['budget', 'monthlyBudget'] as const).flatMap((key) => {
  const title = key === 'budget' ? 'budget' : 'monthly budget';
  const [use, mode] = key === 'budget' ? ['useBudget', 'budgetMode'] : ['useMonthlyBudget', 'monthlyBudgetMode'];
  const none = refused(`'${key}' is not allowed`);
  const of = { [use]: true, [mode]: 'detailed' };
  const sent = { [key]: hours };
  return [
    adding(`Hours of a role are planned in a detailed ${title}`, { of }, sent, done(sent)),
    adding(`No hours of a role are planned in a summary (${title})`, { of: { ...of, [mode]: 'summary' } }, sent, none),
    adding(`No hours of a role are planned without a ${title}`, {}, sent, none),
    keeping(`Hours of a role are planned in a detailed ${title} later`, { of }, sent, done(sent)),
    keeping(`No hours of a role come to be planned without a ${title}`, {}, sent, none),
    keeping(
      `Planned hours of a role can be taken away (${title})`,
      { of, values: sent },
      { [key]: null },
      done({ [key]: null }),
    ),
    keeping(
      `Planned hours of a role go with the next change once the ${title} is a summary`,
      { of, values: sent, later: { [mode]: 'summary' } },
      { name: 'Lead' },
      done({ name: 'Lead', [key]: null }),
    ),
  ];
});

/** Work is priced in this currency; a role of the client is agreed in another, and one unit of it is worth so much today. */
interface Agreed {
  readonly role?: object;
  /** The currency of the project. */
  readonly currency?: string;
  /** Rates that hold today, beside those that other scenes have made. */
  readonly known?: readonly (readonly [from: string, to: string, rate: number])[];
  readonly of?: object;
}
const places = ['discipline', 'practice', 'location'] as const;

async function agreed(world: World, { role = {}, currency = 'USD', known = [], of = {} }: Agreed) {
  const client = await world.make('client');
  const placed: Record<string, string> = {};
  for (const group of places) placed[`${group}Id`] = (await world.make(group)).id;
  const clientRole = await world.send('POST', '/client-roles', {
    ...{ clientId: client.id, name: `Agreed ${world.unique}`, currency: 'USD' },
    ...{ ...placed, ...role },
  });
  if (known.length > 0) {
    const start = await todayOf(world);
    for (const [fromCurrency, toCurrency, rate] of known) {
      const periods = await world.all(
        'exchange-rate-period',
        `&fromCurrency=${fromCurrency}&toCurrency=${toCurrency}&start=${start}`,
      );
      for (const { id } of periods) await world.send('DELETE', `/exchange-rate-periods/${id}`);
      await world.send('POST', '/exchange-rate-periods', { fromCurrency, toCurrency, rate, start, end: start });
    }
  }
  return { client, clientRole, placed, one: await project(world, { currency, ...of }, client) };
}
type Scene = Awaited<ReturnType<typeof agreed>>;
const copying = (says: string, scene: Agreed, sent: object, gives: Expected | ((scene: Scene) => Expected)) =>
  example({
    says,
    given: (world: World) => agreed(world, scene),
    when: ({ one, clientRole }) => ['POST', path, { projectId: one.id, clientRoleId: clientRole.id, ...sent }],
    gives,
  });
const unknown = (from: string, into: string) =>
  refused(`'rate' must be sent: no exchange rate from ${from} to ${into} is known`);
const priced = { rate: 140.55 };

const copies: readonly Case[] = [
  copying(
    'A role is taken over from the client with all that was agreed',
    { role: priced },
    {},
    ({ clientRole, placed }) =>
      done({
        ...{ name: clientRole['name'], isBillable: true, rate: 140.55 },
        ...Object.fromEntries(places.map((group) => [group, { id: placed[`${group}Id`] }])),
      }),
  ),
  copying(
    'What is said of the role goes before what was agreed',
    { role: priced },
    { name: 'Lead', rate: 99, practiceId: null },
    ({ placed }) => done({ name: 'Lead', rate: 99, practice: null, discipline: { id: placed['disciplineId'] } }),
  ),
  copying(
    'A rate that is said not to be there is not taken over',
    { role: priced },
    { rate: null },
    done({ rate: null }),
  ),
  copying(
    'A role that is not billed is taken over as such',
    { role: { isBillable: false, currency: undefined } },
    {},
    done({ isBillable: false, rate: null }),
  ),
  copying(
    'A role that is not to be billed takes over no rate',
    { role: priced },
    { isBillable: false },
    done({ isBillable: false, rate: null }),
  ),
  copying(
    'On a project that is not billed an agreed role must be said not to be',
    { role: priced, of: internal },
    {},
    notBilled,
  ),
  copying(
    'An agreed role without a rate gives none',
    { role: { currency: 'NOK' } },
    {},
    done({ isBillable: true, rate: null }),
  ),
  example({
    says: 'Another client has not agreed to the role',
    given: async (world: World) => ({ ...(await agreed(world, { role: priced })), foreign: await project(world) }),
    when: ({ foreign, clientRole }) => ['POST', path, { projectId: foreign.id, clientRoleId: clientRole.id }],
    gives: refused("'clientRoleId' must be a role of the project's client"),
  }),
  example({
    says: 'A role of the client that stands for one of the workspace gives what that one has',
    given: async (world: World) => {
      const workspaceRole = await world.send('POST', '/workspace-roles', { name: `House ${world.unique}`, rate: 77 });
      const client = await world.make('client');
      const clientRole = await world.send('POST', '/client-roles', {
        clientId: client.id,
        workspaceRoleId: workspaceRole.id,
      });
      return { workspaceRole, clientRole, one: await project(world, {}, client) };
    },
    when: ({ one, clientRole }) => ['POST', path, { projectId: one.id, clientRoleId: clientRole.id }],
    gives: ({ workspaceRole }) => done({ name: (workspaceRole as Made)['name'], isBillable: true, rate: 77 }),
  }),
];

const converted: readonly Case[] = [
  // 140.55 × 0.87654321 = 123.198148…
  copying(
    'An agreed rate comes into the currency of the project at the rate of today',
    { role: priced, currency: 'CZK', known: [['USD', 'CZK', 0.87654321]] },
    {},
    done({ rate: 123.1981 }),
  ),
  // 0.5 × 0.0005 = 0.00025
  copying(
    'A rate is rounded half up to four decimals',
    { role: { rate: 0.5 }, currency: 'CZK', known: [['USD', 'CZK', 0.0005]] },
    {},
    done({ rate: 0.0003 }),
  ),
  // 140.55 × 148.333333 = 20848.24995…
  copying(
    'A rate in yen has four decimals as well',
    { role: priced, currency: 'JPY', known: [['USD', 'JPY', 148.333333]] },
    {},
    done({ rate: 20848.25 }),
  ),
  // 10 × 0.307712 = 3.07712
  copying(
    'A rate in dinar has four decimals as well',
    { role: { rate: 10 }, currency: 'KWD', known: [['USD', 'KWD', 0.307712]] },
    {},
    done({ rate: 3.0771 }),
  ),
  // 100 ÷ 3 = 33.33333…
  copying(
    'A rate that is known in the other direction serves as well',
    { role: { rate: 100 }, currency: 'HUF', known: [['HUF', 'USD', 3]] },
    {},
    done({ rate: 33.3333 }),
  ),
  // 1,000,000 ÷ 16,300 = 61.34969…; by a rate of eight decimals it were 61.35.
  copying(
    'A rate in a weak currency is divided exactly',
    { role: { rate: 1_000_000, currency: 'IDR' }, currency: 'USD', known: [['USD', 'IDR', 16_300]] },
    {},
    done({ rate: 61.3497 }),
  ),
  // 1,000,000 ÷ 25,400 × 0.92 = 36.22047…
  copying(
    'A rate in a weak currency is divided exactly over the main currency',
    {
      ...{ role: { rate: 1_000_000, currency: 'VND' }, currency: 'NZD' },
      known: [
        ['USD', 'VND', 25_400],
        ['USD', 'NZD', 0.92],
      ],
    },
    {},
    done({ rate: 36.2205 }),
  ),
  // 0.06 ÷ 1200 = 0.00005; by a rate of eight decimals, 0.00083333, it were 0.
  copying(
    'Half of the fourth decimal by a division is rounded up',
    { role: { rate: 0.06, currency: 'LAK' }, currency: 'USD', known: [['USD', 'LAK', 1200]] },
    {},
    done({ rate: 0.0001 }),
  ),
  // 100 × 0.25 × 4.5 = 112.5
  copying(
    'A rate comes over the main currency where there is no direct one',
    {
      ...{ role: { rate: 100, currency: 'RON' }, currency: 'PLN' },
      known: [
        ['RON', 'USD', 0.25],
        ['USD', 'PLN', 4.5],
      ],
    },
    {},
    done({ rate: 112.5 }),
  ),
  copying(
    'A rate in the currency of the project stays as it is',
    { role: { rate: 12.3456, currency: 'TRY' }, currency: 'TRY' },
    {},
    done({ rate: 12.3456 }),
  ),
  copying(
    'Without an exchange rate the rate must be said',
    { role: { ...priced, currency: 'ALL' }, currency: 'MKD' },
    {},
    unknown('ALL', 'MKD'),
  ),
  copying(
    'Also a rate of 0 must be said then',
    { role: { rate: 0, currency: 'ALL' }, currency: 'MKD' },
    {},
    unknown('ALL', 'MKD'),
  ),
  copying(
    'A rate that is said needs no exchange rate',
    { role: { ...priced, currency: 'ALL' }, currency: 'MKD' },
    { rate: 5 },
    done({ rate: 5 }),
  ),
  copying(
    'A role that is not to be billed needs no exchange rate',
    { role: { ...priced, currency: 'ALL' }, currency: 'MKD' },
    { isBillable: false },
    done({ rate: null }),
  ),
  copying(
    'An agreed rate of 0 stays 0',
    { role: { rate: 0 }, currency: 'CZK', known: [['USD', 'CZK', 20]] },
    {},
    done({ rate: 0 }),
  ),
];

export const projectRoles: readonly Case[] = [...projectsOwn, ...budgets, ...copies, ...converted];
