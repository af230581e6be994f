// Free JSON is stored and returned as it was sent: its tokens and their order, without the white space around them.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import { type ImportOptions, importRows } from '../../codegen/import/import-rows.ts';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';

const spaced = String.raw`{ "price": 1.10, "big":1E5 , "huge":[1e400, 123.456e-789,-0, 12345678901234567890.0],
  "2":1,"1":{"b":" \u00e9\/ ","10":2,"9":1.0}, "text":"a \"b\" :, c" }`;
const sent = String.raw`{"price":1.10,"big":1E5,"huge":[1e400,123.456e-789,-0,12345678901234567890.0],"2":1,"1":{"b":" \u00e9\/ ","10":2,"9":1.0},"text":"a \"b\" :, c"}`;
const other = '{"2":1.0,"1":1.00}';

onEveryDatabase(
  'free JSON',
  (context) => {
    const request = async (method: string, path: string, body?: string): Promise<string> => {
      const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${context.address}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      expect([response.status, response.ok ? '' : text]).toEqual([response.status, '']);
      return text;
    };
    const idIn = (text: string): string => /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';
    const create = async (title: string, extra = spaced): Promise<string> =>
      idIn(await request('POST', '/talks', `{"title":"${title}","extra":${extra}}`));
    const newKey = (): string => randomUUID();

    test('is returned as sent by a create, a read, a list and an expanded reference', async () => {
      const created = await request('POST', '/talks', `{"title":"Sent","extra":${spaced},"options":${other}}`);
      const id = idIn(created);
      expect(created).toContain(`"extra":${sent},"options":${other}`);
      expect(await request('GET', `/talks/${id}`)).toBe(created);
      expect(await request('GET', '/talks?limit=1')).toContain(created);
      const rival = await request('POST', '/talks', `{"title":"Rival","rivalIds":["${id}"]}`);
      const expanded = await request('GET', `/talks/${idIn(rival)}?expand=rivals`);
      expect(expanded).toContain(`"extra":${sent},"options":${other}`);
    });

    test('is returned as sent by updates, upserts and batches, also in a long body', async () => {
      const id = await create('Changed', '{"a":1}');
      expect(await request('PATCH', `/talks/${id}`, `{"extra":${spaced}}`)).toContain(`"extra":${sent},`);
      expect(await request('PATCH', `/talks/${id}`, '{"speaker":"Ada"}')).toContain(`"extra":${sent},`);
      expect(await request('PATCH', `/talks/${id}`, '{"extra":{"a":1.1}}')).toContain('"extra":{"a":1.1},');
      expect(await request('PATCH', `/talks/${id}`, '{"extra":{"a":1.10}}')).toContain('"extra":{"a":1.10},');
      const key = newKey();
      for (const extra of [other, spaced])
        expect(await request('PUT', `/talks?key=${key}`, `{"title":"Put","extra":${extra}}`)).toContain(
          `"extra":${extra === other ? other : sent},`,
        );
      const operations = [
        `{"method":"POST","path":"/talks","as":"first","body":{"title":"One","extra":${spaced},"hallId":null}}`,
        `{"method":"POST","path":"/talks","body":{"title":"Two","extra":{"$from":"first.extra"},"options":${other},"rivalIds":[{"$from":"first.id"}]}}`,
      ];
      const batch = await request('POST', '/batch', `{"operations":[${operations.join()}]}`);
      expect(batch.split(`"extra":${sent},`)).toHaveLength(3);
      expect(batch).toContain(`"options":${other},`);
      const long = `{"title":"Long",${' '.repeat(70_000)}"extra":${spaced}}`;
      expect(await request('POST', '/talks', long)).toContain(`"extra":${sent},`);
    });

    test('is as sent in the history, in the feed, and after an undo', async () => {
      const id = await create('Undone');
      await request('PATCH', `/talks/${id}`, `{"extra":${other}}`);
      const change = `"extra":{"from":${sent},"to":${other}}`;
      const history = await request('GET', `/history/talks/${id}`);
      expect(history).toContain(change);
      expect(await request('GET', '/changes?limit=1000')).toContain(change);
      const write = /"write":"([^"]+)"/.exec(history)?.[1] ?? '';
      await request('POST', `/writes/${write}/undo`, '{}');
      expect(await request('GET', `/talks/${id}`)).toContain(`"extra":${sent},`);
    });

    test('is as sent in exports, and after their import', async () => {
      const key = newKey();
      const id = idIn(await request('POST', '/talks', `{"title":"Moved","key":"${key}","extra":${spaced}}`));
      const service = { url: context.address, token: accessToken };
      const base = { call: callOf(service), document: await documentOf(service), group: 'talk' };
      const ndjson = await request('GET', '/export/talks?title=moved');
      expect(ndjson).toContain(`"extra":${sent},`);
      const csv = await request('GET', '/export/talks?title=moved&format=csv');
      expect(csv).toContain(`"${sent.replaceAll('"', '""')}"`);
      async function* bytes(text: string): AsyncGenerator<Uint8Array> {
        yield Buffer.from(text);
      }
      const run = async (text: string, options: Pick<ImportOptions, 'format' | 'key' | 'mapping'>) =>
        importRows({ ...base, ...options, source: bytes(text) });
      for (const [text, format] of [
        [ndjson, 'ndjson'],
        [csv, 'csv'],
      ] as const) {
        expect(await run(text, { format, key: 'id' })).toMatchObject({ unchanged: 1, refused: 0 });
        await request('PATCH', `/talks/${id}`, '{"extra":{"price":1.1}}');
        expect(await run(text, { format, key: 'id' })).toMatchObject({ updated: 1, refused: 0 });
        expect(await request('GET', `/talks/${id}`)).toContain(`"extra":${sent},`);
        const renamed = text.replaceAll(key, newKey());
        expect(await run(renamed, { format, key: 'key' })).toMatchObject({ created: 1, refused: 0 });
        expect(await request('GET', '/talks?title=moved&limit=1')).toContain(`"extra":${sent},`);
      }
      const mapped = `{"k":"${newKey()}","t":"Mapped","x":${sent}}\n`;
      const columns = { k: 'key', t: 'title', x: 'extra' };
      expect(await run(mapped, { format: 'ndjson', key: 'key', mapping: { columns } })).toMatchObject({ created: 1 });
      expect(await request('GET', '/talks?title=mapped')).toContain(`"extra":${sent},`);
    });

    test('may have 16,384 code points', async () => {
      const filled = (count: number): string => `{"a":"${'😀'.repeat(count - 8)}"}`;
      expect(await request('POST', '/talks', `{"title":"Long","extra":${filled(16_384)}}`)).toContain(filled(16_384));
      const { status, body } = await context.call('POST', '/talks', {
        title: 'Long',
        extra: JSON.parse(filled(16_385)),
      });
      const errors = ["'extra' must be an object with at most 16384 characters as JSON"];
      expect([status, body]).toEqual([400, expect.objectContaining({ errors })]);
    });
  },
  'fair',
  { parts: { changes: 'forever' } },
);
