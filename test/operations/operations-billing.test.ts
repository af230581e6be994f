// Operation 11 of the interface: payments, and what they do to invoices.
import { expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  pageOf,
  recordOf,
  type Shown,
  unknownId,
} from '../support/service/answers.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const paymentFields = [
  'id',
  'referenceNumber',
  'receivedOn',
  'notes',
  'currency',
  'amount',
  'createdAt',
  'client',
  'paymentMethod',
  'invoices',
];
const named = ({ id, name }: Json) => ({ id, name });

const issue = (context: Context, clientId: string, amount = 100, more: Json = {}) =>
  context.make('invoice', {
    clientId,
    statusId: 'issued',
    lines: [{ quantity: 1, rate: amount, taxable: false }],
    ...more,
  });

onEveryDatabase(
  'payments',
  (context) => {
    const create = (body: unknown) => context.call('POST', '/payments', body);
    const patch = (id: string, body: unknown) => context.call('PATCH', `/payments/${id}`, body);
    const stateOf = async (invoice: Shown) => {
      const { statusId, amountPaid, amountDue } = recordOf(await context.call('GET', `/invoices/${invoice.id}`));
      return [statusId, amountPaid, amountDue];
    };

    test('refuses a credit that no field can hold, whatever it is applied to, and makes none', async () => {
      const client = await context.make('client', { currency: 'EUR' });
      const invoice = await issue(context, client.id, 100, { currency: 'EUR' });
      const lines = [{ quantity: 1e11, rate: 1e11, taxable: false }];
      const credit = { clientId: client.id, currency: 'EUR', statusId: 'issued', lines };
      const before = await context.all('credit-note');
      for (const invoices of [[], [{ id: invoice.id, amount: 1 }]]) {
        const { status, text } = await context.call('POST', '/credit-notes', { ...credit, invoices });
        expect(status, text).toBe(400);
        expect(text).toContain("'lines[0].amount' must be a number with at most 15 digits");
      }
      expect(await context.all('credit-note')).toEqual(before);
    });

    test('shows every field, and lists the payments of one client', async () => {
      const client = await context.make('client', { currency: 'EUR' });
      const method = await context.make('payment-method');
      const invoice = await issue(context, client.id);
      const body = { referenceNumber: 'R-1', receivedOn: '2026-01-31', notes: 'n', currency: 'EUR', amount: 100.5 };
      const invoices = [{ id: invoice.id, amount: 99.99 }];
      const payment = recordOf(await create({ ...body, clientId: client.id, paymentMethodId: method.id, invoices }));
      expect(Object.keys(payment)).toEqual(paymentFields);
      expect(payment).toEqual({
        ...{
          id: payment.id,
          createdAt: payment.createdAt,
          ...body,
          client: named(client),
          paymentMethod: named(method),
        },
        invoices: [{ id: invoice.id, number: invoice.number, amount: 99.99 }],
      });
      expect(Object.keys((payment.invoices as Json[])[0] ?? {})).toEqual(['id', 'number', 'amount']);
      const plain = recordOf(await create({ clientId: client.id, amount: 1 }));
      const today = new Date().toISOString().slice(0, 10);
      expect(plain).toMatchObject({
        referenceNumber: '',
        receivedOn: today,
        notes: '',
        currency: 'EUR',
        paymentMethod: null,
        invoices: [],
      });
      await context.make('payment');
      const page = (query: string) => context.call('GET', `/payments?${query}`);
      expect(pageOf(await page(`clientId=${client.id}`))).toEqual({ results: [plain, payment], hasMore: false });
      expect(pageOf(await page(`clientId=${unknownId}`))).toEqual({ results: [], hasMore: false });
      expectProblem(await page('clientId=x'), 400, "Parameter 'clientId' is not a valid UUID.");
    });

    test('pays invoices and takes it back', async () => {
      const { id: clientId } = await context.make('client');
      const [one, other] = [await issue(context, clientId), await issue(context, clientId)];
      const part = (invoice: Shown, amount: number) => ({ id: invoice.id, amount });
      const payment = recordOf(await create({ clientId, amount: 150, invoices: [part(one, 100), part(other, 40)] }));
      expect([await stateOf(one), await stateOf(other)]).toEqual([
        ['paid', 100, 0],
        ['issued', 40, 60],
      ]);
      recordOf(await patch(payment.id, { invoices: [part(other, 100), part(one, 50)] }));
      expect([await stateOf(one), await stateOf(other)]).toEqual([
        ['issued', 50, 50],
        ['paid', 100, 0],
      ]);
      const second = recordOf(
        await create({ clientId, amount: 50, receivedOn: '2026-02-01', invoices: [part(one, 50)] }),
      );
      const shown = recordOf(await context.call('GET', `/invoices/${one.id}`));
      expect(shown).toMatchObject({
        statusId: 'paid',
        payments: [
          { id: payment.id, amount: 50 },
          { id: second.id, receivedOn: '2026-02-01', amount: 50 },
        ],
      });
      expectProblem(
        await context.call('DELETE', `/clients/${clientId}`),
        409,
        'The Client is in use and cannot be deleted.',
      );
      expectGone(await context.call('DELETE', `/payments/${second.id}`));
      recordOf(await patch(payment.id, { invoices: null }));
      expect([await stateOf(one), await stateOf(other)]).toEqual([
        ['issued', 0, 100],
        ['issued', 0, 100],
      ]);
    });

    test('pays no more than is due, no more than it has, and only what it may', async () => {
      const { id: clientId } = await context.make('client');
      const foreign = await issue(context, (await context.make('client')).id);
      const [invoice, euros] = [
        await issue(context, clientId),
        await issue(context, clientId, 100, { currency: 'EUR' }),
      ];
      const draft = await context.make('invoice', { clientId });
      const refused = async (invoices: unknown, ...errors: string[]) =>
        expectFaults(await create({ clientId, amount: 200, invoices }), ...errors);
      await refused([{ id: invoice.id, amount: 100.01 }], "'invoices[0].amount' must be at most 100");
      expectFaults(
        await create({ clientId, amount: 50, invoices: [{ id: invoice.id, amount: 50.01 }] }),
        "'invoices' must add up to at most 50",
      );
      await refused(
        [
          { id: invoice.id, amount: 1 },
          { id: invoice.id, amount: 1 },
        ],
        "'invoices' must be without duplicates",
      );
      await refused([{ id: foreign.id, amount: 1 }], "'invoices[0].id' must be of the same client and currency");
      await refused([{ id: euros.id, amount: 1 }], "'invoices[0].id' must be of the same client and currency");
      await refused([{ id: draft.id, amount: 1 }], "'invoices[0].id' must be an issued or paid invoice");
      await refused([{ id: unknownId, amount: 1 }], "'invoices[0].id' does not refer to an existing Invoice");
      await refused(
        [{ id: 'x', number: 'x', amount: 0, x: 1 }, {}, 5, null, []],
        ...[
          "'invoices[0].id' must be a UUID",
          "'invoices[0].number' is not allowed",
          "'invoices[0].amount' must be greater than 0",
        ],
        ...["'invoices[0].x' is not allowed", "'invoices[1].id' is required", "'invoices[1].amount' is required"],
        ...[2, 3, 4].map((index) => `'invoices[${index}]' must be an object`),
      );
      expect(await stateOf(invoice)).toEqual(['issued', 0, 100]);
      const payment = recordOf(await create({ clientId, amount: 100, invoices: [{ id: invoice.id, amount: 60 }] }));
      const both = ["'invoices' must add up to at most 100", "'invoices[0].amount' must be at most 100"];
      expectFaults(await patch(payment.id, { invoices: [{ id: invoice.id, amount: 100.5 }] }), ...both);
      expectFaults(await patch(payment.id, { amount: 59 }), "'invoices' must add up to at most 59");
      expectFaults(
        await create({ clientId, amount: 100, invoices: [{ id: invoice.id, amount: 41 }] }),
        "'invoices[0].amount' must be at most 40",
      );
      const answer = await patch(payment.id, { currency: 'EUR' });
      expect([answer.status, (answer.body as { errors: string[] }).errors[0]]).toEqual([
        400,
        "'currency' cannot change from 'USD' to 'EUR'",
      ]);
      expectFaults(await patch(payment.id, { clientId }), "'clientId' is not allowed");
      expect(recordOf(await patch(payment.id, { invoices: [], currency: 'EUR' })).currency).toBe('EUR');
    });

    test.each([
      ['0', 'must be greater than 0'],
      ['-0', 'must be greater than 0'],
      ['-1', 'must be greater than 0'],
      ['-1e999', 'must be greater than 0'],
      ['1.00001', 'must be a number with at most 4 decimals'],
      ['1e-999', 'must be a number with at most 4 decimals'],
      ['100000000000000', 'must be a number with at most 15 digits'],
      ['1e999', 'must be a number with at most 15 digits'],
      ['123456789012.3456', 'must be a number with at most 15 digits'],
      ['null', 'is required'],
      ['"1"', 'must be a number'],
      ['[]', 'must be a number'],
    ])('refuses an amount of %s', async (amount, words) => {
      const client = await context.make('client');
      expectFaults(await create(`{"clientId":"${client.id}","amount":${amount}}`), `'amount' ${words}`);
    });

    test('invoices and credit notes start as drafts or issued; one over nothing is paid at once', async () => {
      const { id: clientId } = await context.make('client');
      const lines = [{ amount: 0 }];
      for (const [path, state] of [
        ['/invoices', 'paid'],
        ['/invoices', 'void'],
        ['/credit-notes', 'applied'],
        ['/credit-notes', 'void'],
      ] as const) {
        const answer = await context.call('POST', path, { clientId, statusId: state, lines });
        expectFaults(answer, "'statusId' must be one of draft, issued");
      }
      const invoice = (statusId: string | null) => context.call('POST', '/invoices', { clientId, statusId, lines });
      expect(recordOf(await invoice(null)).statusId).toBe('draft');
      expect(recordOf(await invoice('issued')).statusId).toBe('paid');
    });

    test('keeps amounts exactly', async () => {
      const { id: clientId } = await context.make('client');
      for (const amount of [0.0001, 0.1, 1.005, 99_999_999_999.9999, 99_999_999_999_999]) {
        expect(recordOf(await create({ clientId, amount })).amount).toBe(amount);
      }
      expect(recordOf(await create(`{"clientId":"${clientId}","amount":1.50000000000000000000}`)).amount).toBe(1.5);
      expect(recordOf(await create(`{"clientId":"${clientId}","amount":0.1e1}`)).amount).toBe(1);
    });
  },
  'product',
);
