// What an invoice amounts to.
import { draftFor, line } from './billing-scenes.ts';
import { type Case, done, type Expected, example, refused, type World } from './case.ts';

interface Bill {
  readonly lines: readonly object[];
  /** In dollars, unless it says otherwise. */
  readonly currency?: string;
  /** Rate of the tax; without it there is none. */
  readonly tax?: number;
  readonly discount?: object;
}

const taxed = (amount: number): object => ({ amount, taxable: true });
const share = (discountRatio: number) => ({ discountMethod: 'percentage', discountRatio });
const off = (discountAmount: number) => ({ discountMethod: 'amount', discountAmount });

const billed = (says: string, { lines, currency = 'USD', tax, discount }: Bill, gives: Expected): Case =>
  example({
    says,
    given: async ({ make }) => ({
      clientId: (await make('client')).id,
      taxRateId: tax === undefined ? null : (await make('tax-rate', { rate: tax })).id,
    }),
    when: (ids) => ['POST', '/invoices', { ...ids, currency, lines, ...discount }],
    gives,
  });

const sums: readonly Case[] = [
  billed(
    'An invoice adds up all its lines',
    { lines: [{ quantity: 3, rate: 33.5 }, line(49.5), { quantity: 2, rate: 10 }] },
    // 100.5 + 49.5 + 20
    done({
      lines: [{ amount: 100.5 }, { amount: 49.5 }, { amount: 20 }],
      ...{ subtotal: 170, totalDiscount: 0, taxRatio: 0, totalTax: 0, total: 170 },
      ...{ amountPaid: 0, amountCredited: 0, amountDue: 170, payments: [], creditNotes: [] },
    }),
  ),
  billed(
    'An invoice without lines amounts to nothing',
    { lines: [], tax: 0.2 },
    done({ subtotal: 0, totalDiscount: 0, taxRatio: 0.2, totalTax: 0, total: 0, amountDue: 0 }),
  ),
  billed(
    'Half a cent is rounded away from zero, up and down',
    {
      lines: [
        { quantity: 0.5, rate: 0.05 },
        { quantity: 0.5, rate: -0.05 },
        { quantity: 0.5, rate: 0.0498 },
      ],
    },
    // 0.025, −0.025 and 0.0249
    done({ lines: [{ amount: 0.03 }, { amount: -0.03 }, { amount: 0.02 }], subtotal: 0.02 }),
  ),
  billed(
    'Yen have no decimals',
    { currency: 'JPY', lines: [{ quantity: 3, rate: 33.5, taxable: false }, taxed(50)], tax: 0.05 },
    // 100.5 is 101; 5 % of 50 is 2.5, which is 3.
    done({ lines: [{ amount: 101 }, { amount: 50 }], subtotal: 151, totalTax: 3, total: 154 }),
  ),
  example({
    says: 'A client who pays in yen is billed in yen, where nothing is said',
    given: ({ make }) => make('client', { currency: 'JPY' }),
    when: ({ id }) => ['POST', '/invoices', { clientId: id, taxRateId: null, lines: [{ quantity: 3, rate: 33.5 }] }],
    gives: done({ currency: 'JPY', lines: [{ amount: 101 }], total: 101 }),
  }),
  billed(
    'Kuwaiti dinars have three decimals',
    { currency: 'KWD', lines: [{ quantity: 0.5, rate: 0.001, taxable: false }, taxed(0.05)], tax: 0.05 },
    // 0.0005 is 0.001; 5 % of 0.05 is 0.0025, which is 0.003.
    done({ lines: [{ amount: 0.001 }, { amount: 0.05 }], subtotal: 0.051, totalTax: 0.003, total: 0.054 }),
  ),
  billed(
    'Euros have two decimals',
    { currency: 'EUR', lines: [{ quantity: 0.5, rate: 0.05, taxable: false }, taxed(0.5)], tax: 0.05 },
    // 0.025 is 0.03; 5 % of 0.5 is 0.025, which is 0.03.
    done({ lines: [{ amount: 0.03 }, { amount: 0.5 }], subtotal: 0.53, totalTax: 0.03, total: 0.56 }),
  ),
  billed(
    'An amount that is sent keeps its decimals, and so does the sum',
    { lines: [taxed(10.1234), taxed(0.0001)], tax: 0.2 },
    // 20 % of 10.1235 is 2.0247.
    done({ lines: [{ amount: 10.1234 }, { amount: 0.0001 }], subtotal: 10.1235, totalTax: 2.02, total: 12.1435 }),
  ),
  billed(
    'A quantity of 0 is a quantity',
    { lines: [{ quantity: 0, rate: 5 }, line(1)] },
    done({
      lines: [
        { quantity: 0, rate: 5, amount: 0 },
        { quantity: null, rate: null },
      ],
      subtotal: 1,
    }),
  ),
  billed(
    'A rate of 0 is a rate',
    { lines: [{ quantity: 5, rate: 0 }] },
    done({ lines: [{ quantity: 5, rate: 0, amount: 0 }], subtotal: 0 }),
  ),
  billed(
    'A line has quantity and rate or an amount, not both, even where one is 0',
    { lines: [line(1), { quantity: 2, rate: 10, amount: 20 }, { quantity: 0, rate: 10, amount: 7 }] },
    refused("'lines[1].amount' is not allowed", "'lines[2].amount' is not allowed"),
  ),
  billed(
    'A line without quantity and rate needs an amount, and one of the two needs the other',
    { lines: [{}, { quantity: 1 }, { rate: 0 }] },
    refused("'lines[0].amount' is required", "'lines[1].rate' is required", "'lines[2].quantity' is required"),
  ),
  billed(
    'A line amounts to no more than can be written',
    { lines: [line(1), { quantity: 9_999_999_999, rate: 9_999_999_999 }] },
    refused(
      "'subtotal' must be a number with at most 15 digits",
      "'total' must be a number with at most 15 digits",
      "'amountDue' must be a number with at most 15 digits",
      "'lines[1].amount' must be a number with at most 15 digits",
    ),
  ),
  billed(
    'An invoice amounts to no more than can be written',
    { lines: [line(99_999_999_999_999), line(1)] },
    refused(
      "'subtotal' must be a number with at most 15 digits",
      "'total' must be a number with at most 15 digits",
      "'amountDue' must be a number with at most 15 digits",
    ),
  ),
];

const taxes: readonly Case[] = [
  billed(
    'Tax is taken of the taxable lines alone',
    { lines: [taxed(100), line(50), taxed(10.5)], tax: 0.2 },
    // 20 % of 110.5
    done({ subtotal: 160.5, taxRatio: 0.2, totalTax: 22.1, total: 182.6, amountDue: 182.6 }),
  ),
  billed(
    'Without a tax rate taxable lines bear no tax',
    { lines: [taxed(100)] },
    done({ taxRatio: 0, totalTax: 0, total: 100 }),
  ),
  billed(
    'Tax on what is given back is given back, rounded away from zero',
    { lines: [taxed(-0.25)], tax: 0.1 },
    done({ subtotal: -0.25, totalTax: -0.03, total: -0.28, amountDue: -0.28 }),
  ),
  billed(
    'Tax is rounded once for the invoice, not line by line',
    { lines: [taxed(0.12), taxed(0.12), taxed(0.12)], tax: 0.1 },
    // 0.036; 0.012 each would be 0.03.
    done({ subtotal: 0.36, totalTax: 0.04, total: 0.4 }),
  ),
  example({
    says: 'A draft takes the tax rate anew at each write',
    given: async (world) => {
      const rate = await world.make('tax-rate', { rate: 0.2 });
      const invoice = await taxedDraft(world, rate.id);
      await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.1 });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'The new rate holds' }],
    gives: done({ taxRatio: 0.1, totalTax: 10, total: 110, amountDue: 110 }),
  }),
  example({
    says: 'An issued invoice keeps the tax that it was issued with',
    given: async (world) => {
      const rate = await world.make('tax-rate', { rate: 0.2 });
      const invoice = await taxedDraft(world, rate.id, { statusId: 'issued' });
      await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.1 });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Too late' }],
    gives: done({ statusId: 'issued', taxRatio: 0.2, totalTax: 20, total: 120, amountDue: 120 }),
  }),
  example({
    says: 'The rate of the day of issue holds, not that of the draft before',
    given: async (world) => {
      const rate = await world.make('tax-rate', { rate: 0.2 });
      const invoice = await taxedDraft(world, rate.id);
      await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.1 });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'issued', taxRatio: 0.1, total: 110, amountDue: 110 }),
  }),
  example({
    says: 'An invoice that becomes a draft again takes the rate of now',
    given: async (world) => {
      const rate = await world.make('tax-rate', { rate: 0.2 });
      const invoice = await taxedDraft(world, rate.id, { statusId: 'issued' });
      await world.send('PATCH', `/tax-rates/${rate.id}`, { rate: 0.1 });
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'draft' }],
    gives: done({ statusId: 'draft', taxRatio: 0.1, total: 110, amountDue: 110 }),
  }),
  example({
    says: 'A draft that loses its tax rate bears no tax',
    given: async (world) => taxedDraft(world, (await world.make('tax-rate', { rate: 0.2 })).id),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { taxRateId: null }],
    gives: done({ taxRatio: 0, totalTax: 0, total: 100 }),
  }),
  example({
    says: 'Another currency rounds quantity and rate anew, and leaves sent amounts',
    given: async (world) => {
      const { id: clientId } = await world.make('client');
      return draftFor(world, clientId, { lines: [{ quantity: 3, rate: 33.5, taxable: false }, line(7)] });
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { currency: 'JPY' }],
    // 100.5 dollars were 101.
    gives: done({ currency: 'JPY', lines: [{ amount: 101 }, { amount: 7 }], subtotal: 108, total: 108 }),
  }),
];

const discounts: readonly Case[] = [
  billed(
    'A discount in percent lowers the tax in the same share',
    { lines: [taxed(100), line(100)], tax: 0.2, discount: share(0.1) },
    // 10 % of 200 is 20; 100 × 0.9 × 0.2 is 18.
    done({ subtotal: 200, totalDiscount: 20, totalTax: 18, total: 198, amountDue: 198 }),
  ),
  billed(
    'A discount as an amount lowers the tax by its share of the subtotal',
    { lines: [taxed(100), line(100)], tax: 0.2, discount: off(30) },
    // 100 × (1 − 30 ÷ 200) × 0.2 is 17.
    done({ subtotal: 200, totalDiscount: 30, totalTax: 17, total: 187 }),
  ),
  billed(
    'Nothing is rounded on the way to the tax',
    { lines: [taxed(199), line(101)], tax: 0.015, discount: off(200) },
    // 199 × (1 − 200 ÷ 300) × 0.015 is 0.995 exactly; a third in decimals would make less of it.
    done({ totalTax: 1, total: 101 }),
  ),
  billed(
    'A discount in percent is rounded to cents, half away from zero',
    { lines: [line(0.5)], discount: share(0.05) },
    // 0.025
    done({ totalDiscount: 0.03, total: 0.47 }),
  ),
  billed(
    'A discount in percent is rounded to whole yen',
    { currency: 'JPY', lines: [line(50)], discount: share(0.05) },
    // 2.5
    done({ totalDiscount: 3, total: 47 }),
  ),
  billed(
    'A discount in percent is rounded to the third decimal of dinars',
    { currency: 'KWD', lines: [line(0.05)], discount: share(0.05) },
    // 0.0025
    done({ totalDiscount: 0.003, total: 0.047 }),
  ),
  billed(
    'A discount as an amount is not rounded',
    { lines: [line(10)], discount: off(0.1234) },
    done({ totalDiscount: 0.1234, total: 9.8766 }),
  ),
  billed(
    'A discount may take all',
    { lines: [taxed(200)], tax: 0.2, discount: off(200) },
    done({ statusId: 'draft', totalDiscount: 200, totalTax: 0, total: 0 }),
  ),
  billed(
    'A discount of 100 % takes all',
    { lines: [taxed(200)], tax: 0.2, discount: share(1) },
    done({ totalDiscount: 200, totalTax: 0, total: 0 }),
  ),
  billed(
    'A discount takes no more than there is',
    { lines: [line(150), line(50)], discount: off(200.01) },
    refused("'discountAmount' must be at most 200"),
  ),
  billed(
    'A discount in percent lowers the tax by its ratio, and not by the rounded discount',
    { lines: [line(-9999.93), taxed(10_000)], tax: 0.19, discount: share(0.1) },
    // 10 % of 0.07 is 0.01; 10,000 × 0.9 × 0.19 is 1,710.
    done({ subtotal: 0.07, totalDiscount: 0.01, totalTax: 1710, total: 1710.06 }),
  ),
  billed(
    'The tax of a discount in percent is rounded once',
    { lines: [taxed(0.49)], tax: 0.19, discount: share(0.15) },
    // 0.49 × 0.85 × 0.19 is 0.0791…; with the discount of 0.07 it were 0.0798.
    done({ subtotal: 0.49, totalDiscount: 0.07, totalTax: 0.08, total: 0.5 }),
  ),
  billed(
    'A discount as an amount lowers the tax by its share of the subtotal, however small that is',
    { lines: [line(-9999.93), taxed(10_000)], tax: 0.19, discount: off(0.01) },
    // 10,000 × (1 − 0.01 ÷ 0.07) × 0.19 is 1,628.571…
    done({ subtotal: 0.07, totalDiscount: 0.01, totalTax: 1628.57, total: 1628.63 }),
  ),
  billed(
    'Lines that cancel each other leave nothing to discount, and the tax that the ratio leaves',
    { lines: [taxed(100), line(-100)], tax: 0.2, discount: share(0.1) },
    done({ subtotal: 0, totalDiscount: 0, totalTax: 18, total: 18 }),
  ),
  billed(
    'Lines that cancel each other leave the tax whole with a discount of no amount',
    { lines: [taxed(100), line(-100)], tax: 0.2, discount: off(0) },
    done({ subtotal: 0, totalDiscount: 0, totalTax: 20, total: 20 }),
  ),
  billed(
    'What is given back has no discount in percent, and its tax is whole',
    { lines: [taxed(50), line(-150)], tax: 0.2, discount: share(0.1) },
    done({ subtotal: -100, totalDiscount: 0, totalTax: 10, total: -90 }),
  ),
  billed(
    'What is given back takes no discount as an amount, not even of 0',
    { lines: [line(-100)], discount: off(0) },
    refused("'discountAmount' must be at most -100"),
  ),
  example({
    says: 'Fewer lines make a discount too great',
    given: async (world) => draftFor(world, (await world.make('client')).id, off(100)),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { lines: [line(99.99)] }],
    gives: refused("'discountAmount' must be at most 99.99"),
  }),
  example({
    says: 'A draft that loses its discount costs its lines',
    given: async (world) => draftFor(world, (await world.make('client')).id, share(0.1)),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { discountMethod: null }],
    gives: done({ discountMethod: null, discountRatio: null, totalDiscount: 0, total: 100, amountDue: 100 }),
  }),
  example({
    says: 'Other lines make other sums',
    given: async (world) => draftFor(world, (await world.make('client')).id, share(0.1)),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { lines: [line(10), { quantity: 2, rate: 5, taxable: false }] }],
    gives: done({ subtotal: 20, totalDiscount: 2, total: 18, amountDue: 18 }),
  }),
];

/** 100 dollars that bear the tax. */
async function taxedDraft(world: World, taxRateId: string, more: object = {}) {
  const { id: clientId } = await world.make('client');
  return draftFor(world, clientId, { taxRateId, lines: [taxed(100)], ...more });
}

export const billingTotals: readonly Case[] = [...sums, ...taxes, ...discounts];
