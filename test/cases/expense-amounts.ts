// What expenses amount to: units at a price, and what is added when they are billed.
import { type Case, done, example, type Made, refused, type World } from './case.ts';
import { change, enter, entered, projectScene, scene } from './expense-scene.ts';

/** A category that counts units at a price, by default kilometres at 0.30. */
const counted = (unitAmount = 0.3) => ({ unitName: 'km', unitAmount });
const perUnit = async (world: World, unitAmount?: number) => {
  const found = await scene(world, { category: counted(unitAmount) });
  return { ...found, expense: { ...found.expense, amount: undefined } };
};
/** The same, with 100 units entered. */
const hundred = async (world: World) => entered(world, await perUnit(world), { unitCount: 100 });

type Priced = readonly [says: string, currency: string, unitCount: number, unitAmount: number, amount: number];

const priced: readonly Priced[] = [
  ['two factors are multiplied', 'EUR', 12.5, 0.3, 3.75],
  // 3 × 0.335 = 1.005
  ['half a cent counts as one', 'EUR', 3, 0.335, 1.01],
  // 3 × 0.3349 = 1.0047
  ['less than half a cent counts as none', 'EUR', 3, 0.3349, 1],
  // 5 × 0.3 = 1.5
  ['yen have no cents, and half of one counts as one', 'JPY', 5, 0.3, 2],
  // 1 × 0.4999 = 0.4999
  ['less than half a yen counts as none', 'JPY', 1, 0.4999, 0],
  // 3 × 0.3335 = 1.0005
  ['dinars of Kuwait have a thousand fils, and half of one counts as one', 'KWD', 3, 0.3335, 1.001],
  // 0.0333 × 33.3333 = 1.10999889
  ['it is rounded once', 'EUR', 0.0333, 33.3333, 1.11],
  ['no units cost nothing', 'EUR', 0, 0.3, 0],
  ['units may be free', 'EUR', 7, 0, 0],
];

const units: readonly Case[] = [
  example({
    says: 'A category that there is not says nothing of units',
    given: (world) => perUnit(world),
    when: (given) => enter(given, { expenseCategoryId: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    gives: refused("'expenseCategoryId' does not refer to an existing Expense Category"),
  }),
  ...priced.map(([says, currency, unitCount, unitAmount, amount]) =>
    example({
      says: `Units cost what the category says for each: ${says}`,
      given: (world) => perUnit(world, unitAmount),
      when: (given) => enter(given, { unitCount, currency }),
      gives: done({ unitCount, unitAmount, currency, amount, total: amount, markup: null }),
    }),
  ),
  example({
    says: 'A price that is sent goes before that of the category',
    given: perUnit,
    when: (given) => enter(given, { unitCount: 10, unitAmount: 0.42 }),
    gives: done({ unitAmount: 0.42, amount: 4.2 }),
  }),
  ...(
    [
      ['JPY', 4],
      ['KWD', 3.703],
    ] as const
  ).map(([currency, amount]) =>
    example({
      says: `What units cost is rounded anew in another currency: ${currency}`,
      given: async (world) => entered(world, await perUnit(world, 0.3), { unitCount: 12.3432, currency: 'EUR' }),
      when: (given) => change(given, { currency }),
      gives: done({ currency, unitCount: 12.3432, unitAmount: 0.3, amount, total: amount }),
    }),
  ),
  example({
    says: 'A price of 0 that is sent goes before that of the category, too',
    given: perUnit,
    when: (given) => enter(given, { unitCount: 10, unitAmount: 0 }),
    gives: done({ unitAmount: 0, amount: 0 }),
  }),
  example({
    says: 'A price that is sent as none is that of the category',
    given: perUnit,
    when: (given) => enter(given, { unitCount: 10, unitAmount: null }),
    gives: done({ unitAmount: 0.3, amount: 3 }),
  }),
  example({
    says: 'Units must be counted where the category counts them',
    given: perUnit,
    when: (given) => enter(given),
    gives: refused("'unitCount' is required"),
  }),
  example({
    says: 'What units cost is not sent, not even as it is',
    given: perUnit,
    when: (given) => enter(given, { unitCount: 10, amount: 3 }),
    gives: refused("'amount' is not allowed"),
  }),
  example({
    says: 'Another count costs its own, at the price of the item and not at a new one of the category',
    given: async (world) => {
      const found = await hundred(world);
      await world.send('PATCH', `/expense-categories/${found.expenseCategoryId}`, { unitAmount: 0.5 });
      return found;
    },
    when: (given) => change(given, { unitCount: 10 }),
    gives: done({ unitAmount: 0.3, amount: 3, total: 3 }),
  }),
  example({
    says: 'Another price of an item changes its amount',
    given: hundred,
    when: (given) => change(given, { unitAmount: 0.335 }),
    gives: done({ unitAmount: 0.335, amount: 33.5 }),
  }),
  example({
    says: 'An item without a price of its own any more takes that of the category as it is now',
    given: async (world) => {
      const found = await hundred(world);
      await world.send('PATCH', `/expense-categories/${found.expenseCategoryId}`, { unitAmount: 0.5 });
      return found;
    },
    when: (given) => change(given, { unitAmount: null }),
    gives: done({ unitAmount: 0.5, amount: 50 }),
  }),
  example({
    says: 'A count does not go while the category counts units',
    given: hundred,
    when: (given) => change(given, { unitCount: null }),
    gives: refused("'unitCount' is required"),
  }),
  example({
    says: 'What units cost is not changed by hand',
    given: hundred,
    when: (given) => change(given, { amount: 20 }),
    gives: refused("'amount' is not allowed"),
  }),
  example({
    says: 'Units that cost more than an amount can hold are refused',
    given: (world) => perUnit(world, 10_000_000_000),
    when: (given) => enter(given, { unitCount: 100_000 }),
    gives: refused("'amount' must be a number with at most 15 digits"),
  }),
  example({
    says: 'A category that counts no units takes an amount alone',
    given: scene,
    when: (given) => enter(given, { amount: 12.3456 }),
    gives: done({ amount: 12.3456, total: 12.3456, unitCount: null, unitAmount: null }),
  }),
  example({
    says: 'A category that counts no units needs an amount',
    given: scene,
    when: (given) => enter(given, { amount: undefined }),
    gives: refused("'amount' is required"),
  }),
  ...(['unitCount', 'unitAmount'] as const).flatMap((field) => [
    example({
      says: `A category that counts no units takes no ${field}, not even 0`,
      given: scene,
      when: (given) => enter(given, { [field]: 0 }),
      gives: refused(`'${field}' is not allowed`),
    }),
    example({
      says: `An item of a category that counts no units does not get a ${field}`,
      given: async (world) => entered(world, await scene(world)),
      when: (given) => change(given, { [field]: 5 }),
      gives: refused(`'${field}' is not allowed`),
    }),
  ]),
  example({
    says: 'An item that goes to a category that counts no units keeps its amount, and loses count and price',
    given: async (world) => ({ ...(await hundred(world)), other: await world.make('expense-category') }),
    when: (given) => change(given, { expenseCategoryId: given.other.id }),
    gives: done({ amount: 30, total: 30, unitCount: null, unitAmount: null }),
  }),
  example({
    says: 'An item that goes to a category that counts units needs their count',
    given: async (world) => ({
      ...(await entered(world, await scene(world))),
      other: await world.make('expense-category', counted()),
    }),
    when: (given) => change(given, { expenseCategoryId: given.other.id }),
    gives: refused("'unitCount' is required"),
  }),
  example({
    says: 'An item that goes to a category that counts units costs what they do',
    given: async (world) => ({
      ...(await entered(world, await scene(world))),
      other: await world.make('expense-category', counted()),
    }),
    when: (given) => change(given, { expenseCategoryId: given.other.id, unitCount: 40 }),
    gives: done({ unitCount: 40, unitAmount: 0.3, amount: 12, total: 12 }),
  }),
];

type Share = readonly [says: string, currency: string, amount: number, ratio: number, markup: number, total: number];

const shares: readonly Share[] = [
  ['a share of it', 'EUR', 200, 0.25, 50, 250],
  // 10.01 × 0.5 = 5.005, 10.01 + 5.01
  ['half a cent counts as one', 'EUR', 10.01, 0.5, 5.01, 15.02],
  // 10.0099 × 0.5 = 5.00495, 10.0099 + 5
  ['less than half a cent counts as none', 'EUR', 10.0099, 0.5, 5, 15.0099],
  // 101 × 0.5 = 50.5
  ['yen have no cents, and half of one counts as one', 'JPY', 101, 0.5, 51, 152],
  // 1.001 × 0.5 = 0.5005
  ['dinars of Kuwait have a thousand fils, and half of one counts as one', 'KWD', 1.001, 0.5, 0.501, 1.502],
  // 100 × 0.333333 = 33.3333
  ['a third of it', 'EUR', 100, 0.333333, 33.33, 133.33],
  ['all of it again', 'EUR', 12.34, 1, 12.34, 24.68],
  ['no share of it', 'EUR', 200, 0, 0, 200],
  ['a share of nothing', 'EUR', 0, 0.25, 0, 0],
];

const share = { isBillable: true, markupMethod: 'percentage', markupRatio: 0.25 };
const sum = { isBillable: true, markupMethod: 'amount', markupAmount: 7.5 };
/** An expense of 100 that is billed with what is said. */
const marked = (markup: object) => async (world: World) => entered(world, await projectScene(world), markup);

const markups: readonly Case[] = [
  ...shares.map(([says, currency, amount, markupRatio, markup, total]) =>
    example({
      says: `An expense is billed with a share on top: ${says}`,
      given: projectScene,
      when: (given) => enter(given, { ...share, markupRatio, amount, currency }),
      gives: done({ markupMethod: 'percentage', markupRatio, markupAmount: null, markup, total, amount }),
    }),
  ),
  ...(
    [
      ['as it is sent', 'EUR', 7.5, 107.5],
      ['to the last of its decimals', 'KWD', 0.0049, 100.0049],
      ['even when it is 0', 'EUR', 0, 100],
    ] as const
  ).map(([says, currency, markupAmount, total]) =>
    example({
      says: `An expense is billed with an amount on top, ${says}`,
      given: projectScene,
      when: (given) => enter(given, { ...sum, markupAmount, currency }),
      gives: done({ markupMethod: 'amount', markupRatio: null, markupAmount, markup: markupAmount, total }),
    }),
  ),
  example({
    says: 'An expense that is billed as it is has nothing on top',
    given: projectScene,
    when: (given) => enter(given, { isBillable: true }),
    gives: done({ markupMethod: null, markupRatio: null, markupAmount: null, markup: null, total: 100 }),
  }),
  example({
    says: 'A share must be told',
    given: projectScene,
    when: (given) => enter(given, { ...share, markupRatio: null }),
    gives: refused("'markupRatio' is required"),
  }),
  example({
    says: 'An amount on top must be told',
    given: projectScene,
    when: (given) => enter(given, { ...sum, markupAmount: null }),
    gives: refused("'markupAmount' is required"),
  }),
  example({
    says: 'An expense that is not billed has nothing on top',
    given: projectScene,
    when: (given) => enter(given, { isBillable: false, markupMethod: 'percentage' }),
    gives: refused("'markupMethod' is not allowed"),
  }),
  example({
    says: 'An expense that is billed no more loses what was on top',
    given: marked(share),
    when: (given) => change(given, { isBillable: false }),
    gives: done({ markupMethod: null, markupRatio: null, markup: null, total: 100 }),
  }),
  example({
    says: 'Another amount changes the share on top',
    given: marked(share),
    when: (given) => change(given, { amount: 50.02 }),
    // 50.02 × 0.25 = 12.505
    gives: done({ markup: 12.51, total: 62.53 }),
  }),
  example({
    says: 'Another amount leaves an amount on top',
    given: marked(sum),
    when: (given) => change(given, { amount: 50 }),
    gives: done({ markup: 7.5, total: 57.5 }),
  }),
  example({
    says: 'Another share changes what is billed',
    given: marked(share),
    when: (given) => change(given, { markupRatio: 0.1 }),
    gives: done({ markup: 10, total: 110 }),
  }),
  example({
    says: 'In another currency the share on top is rounded as it is',
    given: async (world) => entered(world, await projectScene(world), { ...share, amount: 10 }),
    when: (given) => change(given, { currency: 'JPY' }),
    // 10 × 0.25 = 2.5
    gives: done({ markup: 3, total: 13 }),
  }),
  example({
    says: 'From a share to an amount on top the share goes',
    given: marked(share),
    when: (given) => change(given, { markupMethod: 'amount', markupAmount: 7.5 }),
    gives: done({ markupRatio: null, markupAmount: 7.5, markup: 7.5, total: 107.5 }),
  }),
  example({
    says: 'Without a way to set it nothing is on top any more',
    given: marked(sum),
    when: (given) => change(given, { markupMethod: null }),
    gives: done({ markupAmount: null, markup: null, total: 100 }),
  }),
  example({
    says: 'Units are counted first, and the share on top is one of what they cost',
    given: async (world) => {
      const found = await projectScene(world, { category: counted() });
      return { ...found, expense: { ...found.expense, amount: undefined } };
    },
    when: (given) => enter(given, { ...share, unitCount: 100 }),
    // 100 × 0.30 = 30, 30 × 0.25 = 7.5
    gives: done({ amount: 30, markup: 7.5, total: 37.5 }),
  }),
  example({
    says: 'An amount and a share on top that are more than an amount can hold are refused',
    given: projectScene,
    when: (given) => enter(given, { ...share, markupRatio: 1, amount: 99_999_999_999_999 }),
    gives: refused("'total' must be a number with at most 15 digits"),
  }),
];

const currencies: readonly Case[] = [
  example({
    says: 'An expense on a project is in its currency unless it says otherwise',
    given: (world) => projectScene(world, { project: { currency: 'JPY' } }),
    when: (given) => enter(given, { ...share, amount: 10, currency: undefined }),
    // 10 × 0.25 = 2.5
    gives: done({ currency: 'JPY', markup: 3, total: 13 }),
  }),
  example({
    says: 'An expense without a project is in the currency of the workspace unless it says otherwise',
    given: async (world) => ({ ...(await scene(world)), settings: await world.send('GET', '/workspace-settings') }),
    when: (given) => enter(given, { currency: undefined }),
    gives: ({ settings }: { settings: Made }) => done({ currency: settings['currency'] }),
  }),
];

export const expenseAmounts: readonly Case[] = [...units, ...markups, ...currencies];
