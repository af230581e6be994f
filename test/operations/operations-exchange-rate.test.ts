// Exchange rates: computed at each request from the exchange rate periods and the settings of the workspace.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectFaults, expectGone, expectProblem, recordOf } from '../support/service/answers.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';

const day = '2026-03-15';
type Pair = `${string}/${string}`;

// Ids go on from the greatest time that there was: the files that come after this one in the same process begin anew.
afterAll(() => void vi.resetModules());

onEveryDatabase(
  'exchange rates',
  (context) => {
    const settings = async (body: object): Promise<void> => {
      recordOf(await context.call('PATCH', '/workspace-settings', body));
    };
    /** Keeps a rate for some days, one by default. */
    const rate = async (pair: Pair, value: number, start = day, end = start): Promise<void> => {
      const [fromCurrency, toCurrency] = pair.split('/');
      const body = { fromCurrency, toCurrency, rate: value, start, end };
      recordOf(await context.call('POST', '/exchange-rate-periods', body));
    };
    const ask = (query: string) => context.call('GET', `/exchange-rate?${query}`);
    /** The rates of the day as `{EUR: 0.9}`. */
    const ratesOf = async (from: string, date = day): Promise<Record<string, number>> => {
      const { rates } = recordOf(await ask(`date=${date}&fromCurrency=${from}`));
      return Object.fromEntries(
        (rates as { currency: string; rate: number }[]).map((item) => [item.currency, item.rate]),
      );
    };

    beforeAll(() => settings({ currencies: ['USD', 'EUR', 'CHF', 'JPY'] }));
    beforeEach(async () => {
      for (const { id } of await context.all('exchange-rate-period'))
        expectGone(await context.call('DELETE', `/exchange-rate-periods/${id}`));
    });

    describe('what is asked', () => {
      afterEach(() => {
        vi.useRealTimers();
      });

      test('is shown with the rates, and nothing else is', async () => {
        await rate('EUR/CHF', 0.0000005);
        const { text } = await ask(`fromCurrency=EUR&date=${day}`);
        expect(text).toBe(
          `{"date":"${day}","fromCurrency":"EUR","rates":[{"currency":"CHF","rate":0.0000005},{"currency":"EUR","rate":1}]}`,
        );
      });

      test('is today in the zone of the workspace and the main currency where nothing is said', async () => {
        await settings({ timeZoneId: 'Pacific/Kiritimati' });
        vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 5, 23, 30) });
        try {
          await rate('USD/EUR', 0.5, '2031-05-06');
          const rates = [
            { currency: 'EUR', rate: 0.5 },
            { currency: 'USD', rate: 1 },
          ];
          const answer = { date: '2031-05-06', fromCurrency: 'USD', rates };
          expect((await context.call('GET', '/exchange-rate')).body).toEqual(answer);
          expect((await ask('')).body).toEqual(answer);
          expect((await ask('fromCurrency=USD')).body).toEqual(answer);
          expect((await ask('date=2031-05-06')).body).toEqual(answer);
        } finally {
          await settings({ timeZoneId: 'UTC' });
        }
        expect((await context.call('GET', '/exchange-rate')).body).toMatchObject({ date: '2031-05-05' });
      });

      test('follows the main currency', async () => {
        await settings({ currency: 'CHF' });
        try {
          expect((await ask(`date=${day}`)).body).toMatchObject({ fromCurrency: 'CHF' });
        } finally {
          await settings({ currency: 'USD' });
        }
      });

      test.each([
        ['date=2026-02-29', "Parameter 'date' must be a date (YYYY-MM-DD)."],
        ['date=', "Parameter 'date' must be a date (YYYY-MM-DD)."],
        ['date=today', "Parameter 'date' must be a date (YYYY-MM-DD)."],
        ['fromCurrency=eur', "Parameter 'fromCurrency' must be an ISO 4217 currency code."],
        ['fromCurrency=XXX', "Parameter 'fromCurrency' must be an ISO 4217 currency code."],
        ['fromCurrency=', "Parameter 'fromCurrency' must be an ISO 4217 currency code."],
        ['fromCurrency=%FF', "Parameter 'fromCurrency' must be percent-encoded UTF-8."],
        ['date=2026-02-29&fromCurrency=eur', "Parameter 'date' must be a date (YYYY-MM-DD)."],
        ['fromCurrency=EUR&fromCurrency=EUR', "Parameter 'fromCurrency' is given twice."],
        ['date=2026-01-01&date=x', "Parameter 'date' is given twice."],
        ['toCurrency=EUR', "Parameter 'toCurrency' is not allowed; did you mean 'fromCurrency'?"],
        ['date=x&limit=1', "Parameter 'limit' is not allowed."],
        ['dateAfter=2026-01-01', "Parameter 'dateAfter' is not allowed; did you mean 'date'?"],
      ])('is refused: %s', async (query, message) => expectProblem(await ask(query), 400, message));
    });

    describe('a rate', () => {
      test('is 1 for the currency itself, and others are left out where nothing is known', async () => {
        expect(await ratesOf('EUR')).toEqual({ EUR: 1 });
        // A currency that the workspace does not use can be asked for, and is not shown.
        await rate('GBP/EUR', 1.2);
        expect(await ratesOf('GBP')).toEqual({ EUR: 1.2 });
      });

      test('is that of the period that holds the day, its first and last day among them', async () => {
        await rate('EUR/CHF', 0.9, '2026-01-01', '2026-01-31');
        await rate('EUR/CHF', 0.8, '2026-02-02', '2026-02-02');
        const chf = async (date: string) => (await ratesOf('EUR', date))['CHF'];
        expect(await chf('2025-12-31')).toBeUndefined();
        expect([await chf('2026-01-01'), await chf('2026-01-31')]).toEqual([0.9, 0.9]);
        expect([await chf('2026-02-01'), await chf('2026-02-02'), await chf('2026-02-03')]).toEqual([
          undefined,
          0.8,
          undefined,
        ]);
      });

      test('is 1 through that of the other direction, unless its own direction is known', async () => {
        await rate('EUR/CHF', 0.8);
        expect(await ratesOf('CHF')).toEqual({ CHF: 1, EUR: 1.25 });
        await rate('CHF/EUR', 1.3);
        expect(await ratesOf('CHF')).toEqual({ CHF: 1, EUR: 1.3 });
        expect(await ratesOf('EUR')).toEqual({ CHF: 0.8, EUR: 1 });
      });

      test.each([
        ['EUR/USD', 2, 'USD/CHF', 3, 6],
        ['EUR/USD', 2, 'CHF/USD', 4, 0.5],
        ['USD/EUR', 4, 'USD/CHF', 3, 0.75],
        ['USD/EUR', 4, 'CHF/USD', 5, 0.05],
      ] as const)(
        'is the product of two steps over the main currency: %s %d, %s %d',
        async (first, one, second, two, product) => {
          await rate(first, one);
          expect(await ratesOf('EUR')).not.toHaveProperty('CHF');
          await rate(second, two);
          expect(await ratesOf('EUR')).toMatchObject({ CHF: product });
        },
      );

      test('is found directly, in either direction, before it is found in two steps', async () => {
        await rate('EUR/USD', 2);
        await rate('USD/CHF', 3);
        await rate('CHF/EUR', 0.2);
        expect(await ratesOf('EUR')).toMatchObject({ CHF: 5 });
        await rate('EUR/CHF', 7);
        expect(await ratesOf('EUR')).toMatchObject({ CHF: 7 });
      });

      test('takes no steps over another currency than the main one, and none of another day', async () => {
        await rate('EUR/JPY', 150);
        await rate('JPY/CHF', 0.01);
        expect(await ratesOf('EUR')).toEqual({ EUR: 1, JPY: 150 });
        await rate('EUR/USD', 2);
        await rate('USD/CHF', 3, '2026-03-16');
        expect(await ratesOf('EUR')).toEqual({ EUR: 1, JPY: 150, USD: 2 });
      });

      test('steps over the main currency of now', async () => {
        await rate('EUR/JPY', 150);
        await rate('JPY/CHF', 0.01);
        await settings({ currency: 'JPY' });
        try {
          expect(await ratesOf('EUR')).toMatchObject({ CHF: 1.5 });
        } finally {
          await settings({ currency: 'USD' });
        }
      });

      test.each([
        ['EUR/CHF', 3, 'CHF/EUR', 0.33333333],
        ['EUR/CHF', 6, 'CHF/EUR', 0.16666667],
        // Eight decimals hold less than six digits of these: 1 ÷ 200,000,001 is 0.000000004999999975.
        ['EUR/CHF', 64_000_000, 'CHF/EUR', 0.000000015625],
        ['EUR/CHF', 26_000, 'CHF/EUR', 0.0000384615],
        ['EUR/CHF', 200_000_001, 'CHF/EUR', 0.000000005],
        ['EUR/CHF', 1000, 'CHF/EUR', 0.001],
        ['EUR/CHF', 1001, 'CHF/EUR', 0.000999001],
        ['EUR/CHF', 0.00000003, 'CHF/EUR', 33_333_333.3333333],
        ['EUR/CHF', 1_234_567.89012345, 'EUR/CHF', 1_234_567.89012345],
      ] as const)(
        'is rounded to 8 decimals or 6 digits, and to 15 digits: of %s %d, %s',
        async (pair, value, asked, expected) => {
          await rate(pair, value);
          const [from, to = ''] = asked.split('/');
          expect((await ratesOf(from ?? ''))[to]).toBe(expected);
        },
      );

      test('is rounded once, after both steps', async () => {
        // Each step alone would be 0.33333333.
        await rate('USD/EUR', 3);
        await rate('CHF/USD', 3);
        expect(await ratesOf('EUR')).toMatchObject({ CHF: 0.11111111 });
        await settings({ currency: 'JPY' });
        try {
          await rate('EUR/JPY', 123_456.789);
          await rate('CHF/JPY', 0.00007);
          // 123456.789 ÷ 0.00007 = 1763668414.2857142857…
          expect(await ratesOf('EUR')).toMatchObject({ CHF: 1_763_668_414.28571 });
        } finally {
          await settings({ currency: 'USD' });
        }
      });
    });

    test('shows the currencies of the workspace, sorted by code', async () => {
      for (const pair of ['USD/JPY', 'USD/EUR', 'USD/AUD', 'USD/CHF'] as const) await rate(pair, 2);
      expect(Object.keys(await ratesOf('USD'))).toEqual(['CHF', 'EUR', 'JPY', 'USD']);
      await settings({ currencies: ['JPY', 'AUD'] });
      try {
        expect(Object.keys(await ratesOf('USD'))).toEqual(['AUD', 'JPY', 'USD']);
      } finally {
        await settings({ currencies: ['USD', 'EUR', 'CHF', 'JPY'] });
      }
    });

    test('has no other method and no records', async () => {
      const { headers } = await context.call('OPTIONS', '/exchange-rate');
      expect(headers.allow).toBe('GET, HEAD, OPTIONS');
      const head = await context.call('HEAD', `/exchange-rate?date=${day}`);
      expect([head.status, head.headers['content-length']]).toEqual([
        200,
        String((await ask(`date=${day}`)).text.length),
      ]);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expectProblem(await context.call(method, '/exchange-rate', {}), 405, 'Method not allowed.');
      expectProblem(await context.call('GET', '/exchange-rate/x'), 404, 'No such path.');
      const wrong = { headers: { authorization: 'Bearer nobody-knows-this' } };
      expectProblem(
        await context.call('GET', '/exchange-rate?x=1', undefined, wrong),
        401,
        'The access token is not valid.',
      );
    });

    test('needs rates above 0', async () => {
      const body = { fromCurrency: 'EUR', toCurrency: 'CHF', start: day, end: day, rate: 0 };
      expectFaults(await context.call('POST', '/exchange-rate-periods', body), "'rate' must be greater than 0");
    });
  },
  'product',
);
