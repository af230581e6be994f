// The rates of a day from one currency to those of the workspace, whose own is the dollar.
import { type Case, done, example, type World } from './case.ts';

type Pair = `${string}/${string}`;

/** A day that no other case has, on which these rates hold. */
async function day({ send, unique }: World, rates: Readonly<Record<Pair, number>>): Promise<string> {
  const date = `${4000 + unique}-03-15`;
  for (const [pair, rate] of Object.entries(rates)) await keep(send, { pair, rate, start: date, end: date });
  return date;
}

async function keep(
  send: World['send'],
  { pair, ...period }: { pair: string; rate: number; start: string; end: string },
): Promise<void> {
  const [fromCurrency, toCurrency] = pair.split('/');
  await send('POST', '/exchange-rate-periods', { fromCurrency, toCurrency, ...period });
}

interface Asked {
  /** Currencies of the workspace. */
  readonly currencies: readonly string[];
  readonly rates: Readonly<Record<Pair, number>>;
  readonly from?: string;
}

const rates = (says: string, { currencies, rates: known, from = 'EUR' }: Asked, gives: Record<string, number>): Case =>
  example({
    says,
    given: async (world) => {
      await world.send('PATCH', '/workspace-settings', { currencies });
      return day(world, known);
    },
    when: (date) => ['GET', `/exchange-rate?date=${date}&fromCurrency=${from}`],
    gives: (date) => done({ date, fromCurrency: from, rates: listOf(gives) }),
  });

const listOf = (found: Record<string, number>) => Object.entries(found).map(([currency, rate]) => ({ currency, rate }));

const days = { start: '-03-10', end: '-03-20' };

/** Rates from one day to another, asked for on a third. */
const within = (says: string, asked: string, gives: Record<string, number>): Case =>
  example({
    says,
    given: async ({ send, unique }) => {
      await send('PATCH', '/workspace-settings', { currencies: ['EUR', 'USD'] });
      const year = 4000 + unique;
      const [start, end] = [`${year}${days.start}`, `${year}${days.end}`];
      await keep(send, { pair: 'EUR/USD', rate: 1.25, start, end });
      return `${year}${asked}`;
    },
    when: (date) => ['GET', `/exchange-rate?date=${date}&fromCurrency=EUR`],
    gives: (date) => done({ date, rates: listOf(gives) }),
  });

export const exchangeRate: readonly Case[] = [
  rates(
    'Known rates are listed by currency: its own, the one kept, the one kept the other way round, the one over dollars',
    {
      currencies: ['USD', 'JPY', 'GBP', 'EUR', 'CHF'],
      rates: { 'EUR/USD': 1.25, 'GBP/EUR': 1.2, 'USD/JPY': 150 },
    },
    // 1 ÷ 1.2; 1.25 × 150. Nothing is known of francs.
    { EUR: 1, GBP: 0.83333333, JPY: 187.5, USD: 1.25 },
  ),
  rates(
    'A rate that is kept goes before the one kept the other way round',
    { currencies: ['GBP', 'USD'], rates: { 'EUR/GBP': 0.8, 'GBP/EUR': 1.2 } },
    { GBP: 0.8 },
  ),
  rates(
    'A rate that is kept goes before the one over dollars',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 1.25, 'USD/JPY': 150, 'EUR/JPY': 160 } },
    { JPY: 160, USD: 1.25 },
  ),
  rates(
    'A rate that is kept the other way round goes before the one over dollars',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 1.25, 'USD/JPY': 150, 'JPY/EUR': 0.005 } },
    // 1 ÷ 0.005
    { JPY: 200, USD: 1.25 },
  ),
  rates(
    'Both steps over dollars may be kept the other way round',
    { currencies: ['JPY', 'USD'], rates: { 'USD/EUR': 0.8, 'JPY/USD': 0.01 } },
    // 1 ÷ 0.8 × 1 ÷ 0.01
    { JPY: 125, USD: 1.25 },
  ),
  rates(
    'Two steps are rounded once',
    { currencies: ['JPY', 'USD'], rates: { 'USD/EUR': 3, 'JPY/USD': 0.007 } },
    // 1 ÷ 0.021 is 47.619047619…; with the steps rounded it were 47.61904714.
    { JPY: 47.61904762, USD: 0.33333333 },
  ),
  rates(
    'No other currency than the dollar stands between two',
    { currencies: ['CHF', 'GBP', 'USD'], rates: { 'EUR/GBP': 0.8, 'GBP/CHF': 1.1 } },
    { GBP: 0.8 },
  ),
  rates(
    'One step alone leads nowhere',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 1.25, 'JPY/GBP': 0.005 } },
    { USD: 1.25 },
  ),
  rates(
    'Half of the eighth decimal is rounded up',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 1.00000001, 'USD/JPY': 1.5 } },
    // 1.500000015
    { JPY: 1.50000002, USD: 1.00000001 },
  ),
  rates(
    'A rate of which eight decimals hold less than six digits shows six',
    { from: 'IDR', currencies: ['EUR', 'USD'], rates: { 'USD/IDR': 16_300, 'EUR/USD': 1.0852 } },
    // 1 ÷ 16300 is 0.0000613496932…; ÷ 1.0852 it is 0.0000565331…
    { EUR: 0.0000565331, USD: 0.0000613497 },
  ),
  rates(
    'A rate of a thousandth has six digits in eight decimals',
    { from: 'KRW', currencies: ['EUR', 'USD'], rates: { 'USD/KRW': 999.5, 'EUR/KRW': 1000.5 } },
    // 0.0010005002… and 0.00099950024…
    { EUR: 0.0009995, USD: 0.0010005 },
  ),
  rates(
    'No rate is 0, however small',
    { from: 'VND', currencies: ['EUR', 'USD'], rates: { 'USD/VND': 9_999_999_999, 'EUR/USD': 9_999_999_999 } },
    { EUR: 0.000_000_000_000_000_000_01, USD: 0.000_000_000_1 },
  ),
  rates(
    'A small rate that is kept is shown with its digits',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 0.00000001, 'USD/JPY': 0.5 } },
    { JPY: 0.000_000_005, USD: 0.00000001 },
  ),
  rates(
    'A rate is as great as two of the greatest make it',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 9_999_999_999, 'USD/JPY': 9_999_999_999 } },
    // 99999999980000000001, of which fifteen digits are shown
    { JPY: 99_999_999_980_000_000_000, USD: 9_999_999_999 },
  ),
  rates(
    'A rate shows fifteen digits at most',
    { currencies: ['JPY', 'USD'], rates: { 'EUR/USD': 1_234_567.1234, 'USD/JPY': 1000.1234 } },
    // 1234567123.4 + 1234567.1234 × 0.1234 is 1234719468.98302756.
    { JPY: 1_234_719_468.98303, USD: 1_234_567.1234 },
  ),
  rates(
    'Dollars lead to others in one step',
    { from: 'USD', currencies: ['EUR', 'JPY', 'USD'], rates: { 'EUR/USD': 1.25, 'USD/JPY': 150 } },
    { EUR: 0.8, JPY: 150, USD: 1 },
  ),
  rates(
    'A currency in which the workspace does not count has rates too, and is not listed',
    { from: 'NOK', currencies: ['EUR', 'USD'], rates: { 'NOK/USD': 0.1, 'EUR/USD': 1.25 } },
    // 0.1 ÷ 1.25
    { EUR: 0.08, USD: 0.1 },
  ),
  within('A rate holds on its first day', days.start, { EUR: 1, USD: 1.25 }),
  within('A rate holds on its last day', days.end, { EUR: 1, USD: 1.25 }),
  within('A rate does not hold on the day before', '-03-09', { EUR: 1 }),
  within('A rate does not hold on the day after', '-03-21', { EUR: 1 }),
  example({
    says: 'Where no day is named it is today, and where no currency is named it is the dollar',
    given: async ({ send }) => {
      await send('PATCH', '/workspace-settings', { currencies: ['SEK', 'USD'] });
      // Whatever day it is: no other case keeps a rate of Swedish crowns.
      await keep(send, { pair: 'SEK/USD', rate: 0.125, start: '2020-01-01', end: '2999-12-31' });
    },
    when: () => ['GET', '/exchange-rate'],
    gives: done({ fromCurrency: 'USD', rates: listOf({ SEK: 8, USD: 1 }) }),
  }),
];
