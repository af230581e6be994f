// Amounts that callers send are whole in currencies without minor units (ISO 4217).
import { expect, test } from 'vitest';
import { recordOf } from '../support/service/answers.ts';
import { type Answer, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const whole = (field: string, currency: string): string =>
  `'${field}' must be a whole number, because ${currency} has no minor units`;

onEveryDatabase(
  'amounts in currencies without minor units',
  (context) => {
    const create = async (group: string, path: string, values: Json): Promise<Answer> =>
      context.call('POST', path, { ...(await context.bodyOf(group)), ...values });

    test.each([
      ['JPY', 1234.99],
      ['ISK', 0.5],
      ['KRW', 0.0001],
    ])('are rejected in %s with a fraction: %d', async (currency, amount) => {
      const { status, body } = await create('payment', '/payments', { currency, amount, invoices: [] });
      expect([status, body]).toEqual([400, expect.objectContaining({ errors: [whole('amount', currency)] })]);
    });

    test.each([
      ['JPY', 1234],
      ['KWD', 1.2345],
      ['EUR', 0.0001],
    ])('are accepted in %s: %d', async (currency, amount) => {
      const record = recordOf(await create('payment', '/payments', { currency, amount, invoices: [] }));
      expect(record).toMatchObject({ currency, amount });
    });

    test('are rejected in lists, discounts, and in the currency of a project', async () => {
      const client = await context.make('client', { currency: 'JPY' });
      const lines = [
        { description: 'Whole', amount: 10 },
        { description: 'Price', quantity: 3, rate: 1.2345 },
        { description: 'Fraction', amount: 10.25 },
      ];
      const discount = { discountMethod: 'amount', discountAmount: 0.5 };
      const invoice = await context.call('POST', '/invoices', {
        clientId: client.id,
        currency: 'JPY',
        ...discount,
        lines,
      });
      expect(invoice.body).toMatchObject({
        status: 400,
        errors: [whole('discountAmount', 'JPY'), whole('lines[2].amount', 'JPY')],
      });
      const values = { clientId: client.id, currency: 'JPY', billingTypeId: 'tm' };
      const project = await context.make('project', values);
      const expense = await create('project-expense', '/project-expenses', { projectId: project.id, amount: 10.5 });
      expect(expense.body).toMatchObject({ status: 400, errors: [whole('amount', 'JPY')] });
    });

    test('may be results and prices per unit', async () => {
      const client = await context.make('client', { currency: 'JPY' });
      const lines = [{ description: 'Price', quantity: 3, rate: 1.2345 }];
      const invoice = recordOf(
        await context.call('POST', '/invoices', { clientId: client.id, currency: 'JPY', lines }),
      );
      expect(invoice).toMatchObject({ subtotal: 4, lines: [{ rate: 1.2345, amount: 4 }] });
    });

    test('are rejected if only the currency changes', async () => {
      const values = { currency: 'EUR', amount: 12.5, invoices: [] };
      const { id } = recordOf(await create('payment', '/payments', values));
      const { status, body } = await context.call('PATCH', `/payments/${id}`, { currency: 'JPY' });
      expect([status, body]).toEqual([400, expect.objectContaining({ errors: [whole('amount', 'JPY')] })]);
    });
  },
  'product',
);

onEveryDatabase(
  'amounts inside a record',
  (context) => {
    const create = (values: Json): Promise<Answer> => context.call('POST', '/deals', { name: 'Deal', ...values });

    test('are rejected by the currency of the object, of the item and of the record', async () => {
      const { status, body } = await create({
        currency: 'JPY',
        price: 1.5,
        terms: { coin: 'EUR', bonus: 1.5, fee: 1.5 },
        parts: [
          { coin: 'KRW', worth: 1.5, rest: 2.5, shares: [{ inDeal: 1, inPart: 1 }] },
          { coin: 'EUR', worth: 1, rest: 2, shares: [{ inDeal: 0.5, inPart: 0.5 }] },
        ],
      });
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({
          errors: [
            whole('terms.fee', 'JPY'),
            whole('parts[0].worth', 'JPY'),
            whole('parts[0].rest', 'JPY'),
            whole('parts[1].shares[0].inDeal', 'JPY'),
          ],
        }),
      ]);
    });

    test('are rejected by the currency of the item if that of the record has minor units', async () => {
      const { body } = await create({
        currency: 'EUR',
        terms: { coin: 'JPY', bonus: 1.5, fee: 1.5 },
        parts: [{ coin: 'KRW', worth: 1.5, rest: 2.5, shares: [{ inDeal: 0.5, inPart: 0.5 }] }],
      });
      expect(body).toMatchObject({
        status: 400,
        errors: [whole('terms.bonus', 'JPY'), whole('parts[0].shares[0].inPart', 'KRW')],
      });
    });

    test('are accepted if they are whole', async () => {
      const values = {
        ...{ currency: 'JPY', price: 1.5, terms: { coin: 'JPY', bonus: 1, fee: 2 } },
        parts: [{ coin: 'JPY', worth: 1, rest: 2, shares: [{ inDeal: 1, inPart: 1 }] }],
      };
      expect(recordOf(await create(values))).toMatchObject(values);
    });
  },
  'money',
);
