// Answers are packed for callers who can unpack them; what they say is the same.
import { beforeAll, expect, test } from 'vitest';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'compression',
  (on) => {
    beforeAll(async () => {
      for (let place = 0; place < 20; place += 1) await on.make('client-tag', { name: `A tag of clients, ${place}` });
    });

    const asked = async (path: string, encoding: string) => {
      const response = await fetch(on.address + path, {
        headers: { Authorization: `Bearer ${accessToken}`, 'Accept-Encoding': encoding },
      });
      return { headers: response.headers, text: await response.text() };
    };

    test('packs lists, summaries and batches by what the caller takes', async () => {
      const plain = await asked('/client-tags?limit=20', 'identity');
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(Number(plain.headers.get('content-length'))).toBeGreaterThan(1024);
      for (const [encoding, coding] of [
        ['gzip', 'gzip'],
        ['br', 'br'],
        ['gzip, br', 'br'],
        ['br;q=0.5, gzip', 'gzip'],
      ] as const) {
        const { headers, text } = await asked('/client-tags?limit=20', encoding);
        expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
        expect(Number(headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
        expect(text).toBe(plain.text);
      }
      const operations = [{ method: 'GET', path: '/client-tags?limit=20' }];
      const batch = await send(on, 'POST /batch', { body: { operations }, headers: { 'Accept-Encoding': 'br' } });
      expect(batch.headers.get('content-encoding')).toBe('br');
      expect(batch.body.results[0].body).toEqual(JSON.parse(plain.text));
    });

    test('packs what a caller may do, and the document, whose tags are weak', async () => {
      for (const path of ['/access', '/../openapi.json']) {
        const [plain, packed] = [await asked(path, 'identity'), await asked(path, 'gzip')];
        expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip']);
        expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 5);
        expect(packed.text).toBe(plain.text);
        const tag = packed.headers.get('etag') ?? '';
        expect([tag.startsWith('W/"'), plain.headers.get('etag')]).toEqual([true, tag]);
        const again = await send(on, `GET ${path}`, { headers: { 'If-None-Match': tag } });
        expect(again.status).toBe(304);
      }
    });

    test('sends as it is what is short, what nobody can unpack, and what has a tag', async () => {
      const one = await asked('/client-tags?limit=1', 'br, gzip');
      expect(one.headers.get('content-encoding')).toBeNull();
      for (const encoding of ['deflate', 'gzip;q=0, br;q=0', '*'])
        expect((await asked('/client-tags?limit=20', encoding)).headers.get('content-encoding'), encoding).toBeNull();
      const { id } = await on.make('client', { notes: 'long '.repeat(800) });
      const record = await asked(`/clients/${id}`, 'br, gzip');
      expect(record.headers.get('content-encoding')).toBeNull();
      expect(record.headers.get('etag')).toMatch(/^"\d+-[\w-]{16}"$/);
    });
  },
  'product',
);
