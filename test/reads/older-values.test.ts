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
  'amounts in currencies without minor units',
  (context) => {
    test('stay readable, and updates that do not change them pass', async () => {
      const body = { ...(await context.bodyOf('payment')), currency: 'JPY', amount: 1234, invoices: [] };
      const { id } = recordOf(await context.call('POST', '/payments', body));
      await store(context, ['payment', 'amount'], id, '1234.99', { kind: 'decimal', precision: 18, scale: 4 });
      const path = `/payments/${id}`;
      expect(recordOf(await context.call('GET', path)).amount).toBe(1234.99);
      for (const update of [{ notes: 'Old' }, { notes: 'Sent', amount: 1234.99, currency: 'JPY' }])
        expect(recordOf(await context.call('PATCH', path, update))).toMatchObject({ amount: 1234.99 });
      expect((await context.call('PATCH', path, { amount: 1234.98 })).status).toBe(400);
      expect(recordOf(await context.call('PATCH', path, { amount: 1235 })).amount).toBe(1235);
    });
  },
  'product',
);
