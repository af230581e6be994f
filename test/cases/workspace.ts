import { type Case, conflict, done, type Expected, example, refused, type World } from './case.ts';
import { aMomentAgo, dayAfter, laterThan, todayOf } from './days.ts';
import { oneDefault } from './one-default.ts';

const path = '/workspace-settings';
const settings = (world: World, values: object) => world.send('PATCH', path, values);

/** The settings as they are then, when this is sent. */
const setting = (says: string, values: object, sent: object, gives: Expected) =>
  example({
    says,
    given: (world) => settings(world, { currency: 'USD', currencies: ['USD'], ...values }),
    when: () => ['PATCH', path, sent],
    gives,
  });

const groups = {
  'time-entry': '/time-entries',
  'expense-item': '/expense-items',
  invoice: '/invoices',
  payment: '/payments',
};

/** A workspace whose amounts are in this currency, and that has none of the records that hold it to that. */
async function free(world: World, currency = 'USD'): Promise<void> {
  for (const [group, at] of Object.entries(groups))
    for (const { id } of await world.all(group)) await world.send('DELETE', `${at}/${id}`);
  await settings(world, { currency, currencies: [currency] });
}
const using = (says: string, group: string, sent: object, gives: Expected) =>
  example({
    says,
    given: async (world) => {
      await free(world);
      return world.make(group);
    },
    when: () => ['PATCH', path, sent],
    gives,
  });
const held = conflict('The Workspace Settings is read-only.');

/** They hold as long as no area has recorded amounts, and so come first. */
const mainCurrency: readonly Case[] = [
  example({
    says: 'The main currency can change while no amounts are recorded',
    given: async (world) => {
      await free(world);
      await world.make('project');
    },
    when: () => ['PATCH', path, { currency: 'EUR' }],
    gives: done({ currency: 'EUR', currencies: ['USD', 'EUR'] }),
  }),
  using('The main currency stays once there is a time entry', 'time-entry', { currency: 'EUR' }, held),
  using('The main currency stays once there is an expense item', 'expense-item', { currency: 'EUR' }, held),
  using('The main currency stays once there is an invoice', 'invoice', { currency: 'EUR' }, held),
  using('The main currency stays once there is a payment', 'payment', { currency: 'EUR' }, held),
  using('That the currency stays is said before what is wrong with it', 'payment', { currency: 'euro' }, held),
  using(
    'The main currency may be sent again while amounts are recorded',
    'invoice',
    { currency: 'USD', streetAddress: '1 Main Street' },
    done({ currency: 'USD', streetAddress: '1 Main Street' }),
  ),
  example({
    says: 'The main currency can change again when the last amount is gone',
    given: (world) => free(world, 'EUR'),
    when: () => ['PATCH', path, { currency: 'USD' }],
    gives: done({ currency: 'USD', currencies: ['EUR', 'USD'] }),
  }),
];

const currencies: readonly Case[] = [
  setting(
    'The main currency is added behind the other currencies where it is missing',
    {},
    { currencies: ['SEK', 'NOK'] },
    done({ currencies: ['SEK', 'NOK', 'USD'] }),
  ),
  setting(
    'The currencies keep their order and hold the main one once',
    {},
    { currencies: ['SEK', 'USD', 'NOK'] },
    done({ currencies: ['SEK', 'USD', 'NOK'] }),
  ),
  setting(
    'The main currency is all that is left of no currencies',
    { currencies: ['SEK', 'USD'] },
    { currencies: [] },
    done({ currencies: ['USD'] }),
  ),
];

const modified: readonly Case[] = [
  example({
    says: 'A change of the settings has its time',
    given: async (world) => ({ before: await aMomentAgo(settings(world, {})), name: `Workspace ${world.unique}` }),
    when: ({ name }) => ['PATCH', path, { companyName: name }],
    gives: ({ before, name }) => done({ companyName: name, modifiedAt: laterThan(before['modifiedAt']) }),
  }),
  example({
    says: 'A change of the currencies has its time',
    given: (world) => aMomentAgo(settings(world, { currency: 'USD', currencies: ['USD'] })),
    when: () => ['PATCH', path, { currencies: ['NOK'] }],
    gives: (before) => done({ currencies: ['NOK', 'USD'], modifiedAt: laterThan(before['modifiedAt']) }),
  }),
  example({
    says: 'Currencies that come to be the same leave the time of the settings',
    given: (world) => settings(world, { currency: 'USD', currencies: ['NOK', 'USD'] }),
    when: () => ['PATCH', path, { currencies: ['NOK'] }],
    gives: (before) => done({ currencies: ['NOK', 'USD'], modifiedAt: before['modifiedAt'] }),
  }),
  example({
    says: 'What changes nothing in the settings leaves their time',
    given: (world) => settings(world, { companyName: 'Acme' }),
    when: () => ['PATCH', path, { companyName: 'Acme' }],
    gives: (before) => done({ modifiedAt: before['modifiedAt'] }),
  }),
];

const ratePath = '/exchange-rate-periods';
const period = (fromCurrency: string, toCurrency: string, [start, end]: readonly [string, string], rate = 1.5) => ({
  ...{ fromCurrency, toCurrency, start, end, rate },
});
/** Ten days that no other case has: from the first to the tenth. */
const tenDays = ({ unique }: World): [string, string] => {
  const first = dayAfter('2101-01-01', unique * 20);
  return [first, dayAfter(first, 9)];
};

/** A period of ten days is there; another one runs from and to these days, counted from its first. */
const beside = (
  says: string,
  [from, to]: readonly [number, number],
  pair: readonly [string, string],
  gives: Expected,
) =>
  example({
    says,
    given: async (world) => {
      const days = tenDays(world);
      await world.send('POST', ratePath, period('NOK', 'SEK', days));
      return days[0];
    },
    when: (first) => ['POST', ratePath, period(...pair, [dayAfter(first, from), dayAfter(first, to)])],
    gives,
  });
const overlap = conflict('An Exchange Rate Period with overlapping dates already exists.');
/** Two periods of ten days with a gap of ten; of the second this is sent, with days counted from the first. */
const moved = (says: string, sent: (first: string) => object, gives: Expected) =>
  example({
    says,
    given: async (world) => {
      const [first, last] = tenDays(world);
      // The days of the next number are behind these.
      const second: [string, string] = [dayAfter(first, 12), dayAfter(first, 15)];
      await world.send('POST', ratePath, period('NOK', 'DKK', [first, last]));
      const { id } = await world.send('POST', ratePath, period('NOK', 'DKK', second));
      return { id, first };
    },
    when: ({ id, first }) => ['PATCH', `${ratePath}/${id}`, sent(first)],
    gives,
  });
const pair = ['NOK', 'SEK'] as const;
const ownCurrency = refused("'toCurrency' must be another currency than fromCurrency");
const backwards = refused("'end' must be on or after start");

const ratePeriods: readonly Case[] = [
  example({
    says: 'A rate may hold for a single day',
    given: async (world) => tenDays(world)[0],
    when: (day) => ['POST', ratePath, period('NOK', 'SEK', [day, day])],
    gives: (day) => done({ start: day, end: day }),
  }),
  example({
    says: 'A rate does not end before it begins',
    given: async (world) => tenDays(world)[0],
    when: (day) => ['POST', ratePath, period('NOK', 'SEK', [day, dayAfter(day, -1)])],
    gives: backwards,
  }),
  example({
    says: 'A currency has no rate in itself',
    given: async (world) => tenDays(world),
    when: (days) => ['POST', ratePath, period('NOK', 'NOK', days)],
    gives: ownCurrency,
  }),
  moved('A rate does not come to be one in itself by its target', () => ({ toCurrency: 'NOK' }), ownCurrency),
  moved('A rate does not come to be one in itself by its source', () => ({ fromCurrency: 'DKK' }), ownCurrency),
  moved('The end of a rate does not move before its start', (first) => ({ end: dayAfter(first, 11) }), backwards),
  moved('The start of a rate does not move behind its end', (first) => ({ start: dayAfter(first, 16) }), backwards),
  beside('Two rates of a pair may hold on neighbouring days', [10, 12], pair, done()),
  beside('Two rates of a pair may hold on neighbouring days, the later known first', [-5, -1], pair, done()),
  beside('Two rates of a pair do not share the last day of the first', [9, 12], pair, overlap),
  beside('Two rates of a pair do not share the first day of the second', [-5, 0], pair, overlap),
  beside('A rate does not hold inside the days of another one of its pair', [3, 4], pair, overlap),
  beside('A rate does not hold around the days of another one of its pair', [-1, 10], pair, overlap),
  beside('The other direction is a pair of its own', [0, 9], ['SEK', 'NOK'], done()),
  beside('A source has rates in several targets on one day', [0, 9], ['NOK', 'ISK'], done()),
  beside('A target has rates from several sources on one day', [0, 9], ['ISK', 'SEK'], done()),
  beside('What is wrong with the days themselves is said first', [5, 3], pair, backwards),
  moved('A rate may move up to the days of another one', (first) => ({ start: dayAfter(first, 10) }), done()),
  moved('A rate does not move into the days of another one', (first) => ({ start: dayAfter(first, 9) }), overlap),
  moved('A rate may move within its own days', (first) => ({ start: dayAfter(first, 13) }), done()),
  moved('A rate can change without its days', () => ({ rate: 1.25 }), done({ rate: 1.25 })),
  example({
    says: 'A rate does not come to be another pair that has one on these days',
    given: async (world) => {
      const days = tenDays(world);
      await world.send('POST', ratePath, period('NOK', 'SEK', days));
      return world.send('POST', ratePath, period('NOK', 'ISK', days));
    },
    when: ({ id }) => ['PATCH', `${ratePath}/${id}`, { toCurrency: 'SEK' }],
    gives: overlap,
  }),
];

type Known = readonly (readonly [from: string, to: string, rate: number])[];
/** The rates of these currencies on the first of ten days, where these are known for all ten; or on another day. */
const rated = (
  says: string,
  known: Known,
  {
    from,
    into,
    day = 0,
    main = 'USD',
    rates,
  }: { from: string; into: readonly string[]; day?: number; main?: string; rates: Record<string, number> },
) =>
  example({
    says,
    given: async (world) => {
      const days = tenDays(world);
      for (const [source, target, rate] of known)
        await world.send('POST', ratePath, period(source, target, days, rate));
      await settings(world, { currency: main, currencies: into });
      return dayAfter(days[0], day);
    },
    when: (date) => ['GET', `/exchange-rate?date=${date}&fromCurrency=${from}`],
    gives: (date) =>
      done({
        ...{ date, fromCurrency: from },
        rates: Object.entries(rates).map(([currency, rate]) => ({ currency, rate })),
      }),
  });
const nokSek = { from: 'NOK', into: ['SEK', 'USD'] };
const known: Known = [['NOK', 'SEK', 0.95]];
const rates: readonly Case[] = [
  rated('One unit of a currency is one of itself', [], { from: 'NOK', into: ['NOK', 'USD'], rates: { NOK: 1 } }),
  rated('A rate is that of its days', known, { ...nokSek, rates: { SEK: 0.95 } }),
  rated('A rate holds on its last day', known, { ...nokSek, day: 9, rates: { SEK: 0.95 } }),
  rated('A rate is not known on the day after its last', known, { ...nokSek, day: 10, rates: {} }),
  rated('A rate is not known on the day before its first', known, { ...nokSek, day: -1, rates: {} }),
  // 1 ÷ 1.05 = 0.952380952…
  rated('A rate of the other direction is turned round', [['SEK', 'NOK', 1.05]], {
    ...nokSek,
    rates: { SEK: 0.95238095 },
  }),
  rated(
    'A rate of this direction goes before one of the other',
    [
      ['SEK', 'NOK', 1.05],
      ['NOK', 'SEK', 0.97],
    ],
    { ...nokSek, rates: { SEK: 0.97 } },
  ),
  // 0.1 × 137.5 = 13.75
  rated(
    'Two currencies without a rate meet over the main currency',
    [
      ['NOK', 'USD', 0.1],
      ['USD', 'ISK', 137.5],
    ],
    { from: 'NOK', into: ['ISK', 'USD'], rates: { ISK: 13.75, USD: 0.1 } },
  ),
  // 1 ÷ 10.4 × (1 ÷ 0.0072) = 13.354700854…; 1 ÷ 10.4 = 0.096153846…
  rated(
    'Each of the two steps may be turned round, and only their product is rounded',
    [
      ['USD', 'NOK', 10.4],
      ['ISK', 'USD', 0.0072],
    ],
    { from: 'NOK', into: ['ISK', 'USD'], rates: { ISK: 13.35470085, USD: 0.09615385 } },
  ),
  rated(
    'A rate of the pair goes before two steps',
    [
      ['NOK', 'USD', 0.1],
      ['USD', 'SEK', 10],
      ['NOK', 'SEK', 0.95],
    ],
    { ...nokSek, rates: { SEK: 0.95, USD: 0.1 } },
  ),
  // 0.08 × 11.5 = 0.92, while 0.1 × 9 would be 0.9
  rated(
    'Two currencies meet over whatever is the main currency',
    [
      ['NOK', 'EUR', 0.08],
      ['EUR', 'SEK', 11.5],
      ['NOK', 'USD', 0.1],
      ['USD', 'SEK', 9],
    ],
    { main: 'EUR', from: 'NOK', into: ['SEK', 'EUR'], rates: { EUR: 0.08, SEK: 0.92 } },
  ),
  rated('One of the two steps alone gives nothing', [['NOK', 'USD', 0.1]], {
    ...{ from: 'NOK', into: ['SEK', 'USD'], rates: { USD: 0.1 } },
  }),
  rated(
    'No other currency than the main one stands between two',
    [
      ['NOK', 'DKK', 0.65],
      ['DKK', 'SEK', 1.5],
    ],
    { from: 'NOK', into: ['SEK', 'DKK', 'USD'], rates: { DKK: 0.65 } },
  ),
  // 0.5 × 1.00000001 = 0.500000005
  rated(
    'A rate is rounded half up to eight decimals',
    [
      ['NOK', 'USD', 0.5],
      ['USD', 'SEK', 1.00000001],
    ],
    { ...nokSek, rates: { SEK: 0.50000001, USD: 0.5 } },
  ),
  // 12345678.5 × 1.00000001 = 12345678.623456785: eight decimals would make 16 digits.
  rated(
    'A rate has at most fifteen digits',
    [
      ['NOK', 'USD', 12345678.5],
      ['USD', 'SEK', 1.00000001],
    ],
    { ...nokSek, rates: { SEK: 12345678.6234568, USD: 12345678.5 } },
  ),
  rated(
    'The currencies of the workspace come by code, and no others',
    [
      ['NOK', 'SEK', 0.95],
      ['NOK', 'DKK', 0.65],
      ['NOK', 'ISK', 13],
    ],
    { from: 'NOK', into: ['SEK', 'NOK', 'ISK', 'USD'], rates: { ISK: 13, NOK: 1, SEK: 0.95 } },
  ),
  example({
    says: 'Without a day and a currency the rates are those of today and the main currency',
    given: async (world) => {
      const today = await todayOf(world);
      await settings(world, { currency: 'USD', currencies: ['ISK', 'USD'] });
      await world.send('POST', ratePath, period('USD', 'ISK', [today, today], 139.25));
      await world.send('POST', ratePath, period('USD', 'ISK', [dayAfter(today, 1), dayAfter(today, 1)], 140));
      return today;
    },
    when: () => ['GET', '/exchange-rate'],
    gives: (today) =>
      done({
        ...{ date: today, fromCurrency: 'USD' },
        rates: [
          { currency: 'ISK', rate: 139.25 },
          { currency: 'USD', rate: 1 },
        ],
      }),
  }),
];

export const workspace: readonly Case[] = [
  ...[...mainCurrency, ...currencies, ...modified, ...ratePeriods, ...rates],
  ...oneDefault({ path: '/security-roles', human: 'Security Role' }),
];
