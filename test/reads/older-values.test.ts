// Values that an older version accepted, and this one refuses: they stay readable, and other fields can be updated.
import { expect, test } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import { importRows } from '../../codegen/import/import-rows.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { ColumnType } from '../../src/storage/schema/column-types.ts';
import { encode } from '../../src/storage/schema/columns.ts';
import { recordOf } from '../support/service/answers.ts';
import { accessToken, type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

/** Stores a value as an older version did, without its check. */
async function store(
  { databaseUrl }: Context,
  [table, column]: readonly [string, string],
  id: string,
  value: string,
  type: ColumnType = { kind: 'text', length: 255 },
) {
  const database = await openDatabase(databaseUrl);
  const { quote } = database.dialect;
  const statement = `update ${quote(table)} set ${quote(column)} = ? where ${quote('id')} = ?`;
  await database.transact((session) => session.run(statement, [encode(value, type, database.dialect), id]));
  await database.close();
}

/** Sends a request without comparing the answer with the document, which describes the values of today. */
async function request({ address }: Context, method: string, path: string, body?: Json): Promise<Json> {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

onEveryDatabase(
  'URLs that are not RFC 3986',
  (context) => {
    const oldUrl = 'http://example.com/{folder}|%';

    test.each(['%', '%2', '{}', '<>', '|', '^', '`', '"', '\\', 'ä', '[1]', 'a b', '#a#b'])(
      'rejects %s in a path with 400',
      async (part) => {
        const { id } = await context.make('project');
        const body = { cloudFolderUrl: `http://example.com/${part}` };
        const { status, body: answer } = await context.call('PATCH', `/projects/${id}`, body);
        expect([status, answer]).toEqual([
          400,
          expect.objectContaining({ errors: ["'cloudFolderUrl' must be an http or https URL"] }),
        ]);
      },
    );

    test.each(['', '?a=%7B%7D', "/a;b=1/~c!$&'()*+,:@-._", '//', '?q=/?#/?'])('accepts %s', async (rest) => {
      const { id } = await context.make('project');
      const cloudFolderUrl = `HTTP://user:x@example.com:8080${rest}`;
      const record = recordOf(await context.call('PATCH', `/projects/${id}`, { cloudFolderUrl }));
      expect(record.cloudFolderUrl).toBe(cloudFolderUrl);
    });

    test('stay readable, and other fields are updated by a request and an import', async () => {
      const { id } = await context.make('project', { notes: 'First' });
      await store(context, ['project', 'cloud_folder_url'], id, oldUrl);
      const updated = await request(context, 'PATCH', `/projects/${id}`, { notes: 'Second' });
      expect(updated).toMatchObject({ notes: 'Second', cloudFolderUrl: oldUrl });
      const record = await request(context, 'GET', `/projects/${id}`);
      expect(record).toEqual(updated);

      const service = { url: context.address, token: accessToken };
      async function* source(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(JSON.stringify({ ...record, notes: 'Third' }));
      }
      const options = { call: callOf(service), document: await documentOf(service), group: 'project', key: 'id' };
      const result = await importRows({ ...options, format: 'ndjson', source: source() });
      expect(result).toMatchObject({ updated: 1, refused: 0 });
      const imported = { notes: 'Third', cloudFolderUrl: oldUrl };
      expect(await request(context, 'GET', `/projects/${id}`)).toMatchObject(imported);
    });
  },
  'product',
);

onEveryDatabase(
  'amounts with more decimals than their currency',
  (context) => {
    const decimals = (field: string, most: number, currency: string): string =>
      `'${field}' must be a number with at most ${most} decimals in ${currency}`;

    test.each([
      ['JPY', 1234.99, 0],
      ['JPY', 0.5, 0],
      ['KWD', 1.2345, 3],
      ['EUR', 0.001, 2],
    ])('are rejected in %s: %d', async (currency, amount, most) => {
      const payment = { ...(await context.bodyOf('payment')), currency, amount, invoices: [] };
      const { status, body } = await context.call('POST', '/payments', payment);
      expect([status, body]).toEqual([400, expect.objectContaining({ errors: [decimals('amount', most, currency)] })]);
    });

    test.each([
      ['JPY', 1234],
      ['KWD', 1.234],
      ['EUR', 0.01],
    ])('are not those in %s: %d', async (currency, amount) => {
      const payment = { ...(await context.bodyOf('payment')), currency, amount, invoices: [] };
      expect(recordOf(await context.call('POST', '/payments', payment))).toMatchObject({ currency, amount });
    });

    test('are rejected in lines, discounts, and amounts of a project, and prices per unit are not', async () => {
      const client = await context.make('client', { currency: 'JPY' });
      const invoice = { clientId: client.id, currency: 'JPY', discountMethod: 'amount', discountAmount: 0.5 };
      const lines = [
        { description: 'Whole', amount: 10.25 },
        { description: 'Price', quantity: 3, rate: 1.2345 },
      ];
      const refused = await context.call('POST', '/invoices', { ...invoice, lines });
      expect(refused.body).toMatchObject({
        status: 400,
        errors: [decimals('discountAmount', 0, 'JPY'), decimals('lines[0].amount', 0, 'JPY')],
      });
      const project = await context.make('project', { clientId: client.id, currency: 'JPY', billingTypeId: 'tm' });
      const expense = { ...(await context.bodyOf('project-expense')), projectId: project.id, amount: 10.5 };
      const { body } = await context.call('POST', '/project-expenses', expense);
      expect(body).toMatchObject({ status: 400, errors: [decimals('amount', 0, 'JPY')] });
    });

    test('stay readable, and updates of other fields keep them', async () => {
      const body = { ...(await context.bodyOf('payment')), currency: 'JPY', amount: 1234, invoices: [] };
      const { id } = recordOf(await context.call('POST', '/payments', body));
      const type = { kind: 'decimal', precision: 18, scale: 4 } as const;
      await store(context, ['payment', 'amount'], id, '1234.99', type);
      const updated = recordOf(await context.call('PATCH', `/payments/${id}`, { notes: 'Old' }));
      expect(updated).toMatchObject({ notes: 'Old', amount: 1234.99 });
      const { status } = await context.call('PATCH', `/payments/${id}`, { amount: 1234.98 });
      expect(status).toBe(400);
      const settled = recordOf(await context.call('PATCH', `/payments/${id}`, { amount: 1235 }));
      expect(settled.amount).toBe(1235);
    });
  },
  'product',
);
