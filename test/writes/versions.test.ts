// Nobody overwrites what they have not seen: `ETag`, `If-Match` and `If-None-Match`, on every kind of record.
import { expect, it } from 'vitest';
import { type Context, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const changed = { status: 412, message: 'The record has changed since it was read.' };
const versionOf = (etag: string | null): number => Number(/^"(\d+)-[\w-]{16}"$/.exec(etag ?? '')?.[1]);
const tagOf = async (on: Context, path: string): Promise<string> =>
  String((await send(on, `GET ${path}`)).headers.get('etag'));

onEveryDatabase(
  'versions of records',
  (on) => {
    it('shows a tag with one record, and with nothing else', async () => {
      const made = await send(on, 'POST /clients', { body: { name: 'Tagged' } });
      const path = `/clients/${made.body.id}`;
      const first = String(made.headers.get('etag'));
      expect(versionOf(first)).toBe(0);
      expect(await tagOf(on, path)).toBe(first);
      const updated = await send(on, `PATCH ${path}`, { body: { name: 'Tagged again' } });
      expect(versionOf(updated.headers.get('etag'))).toBe(1);
      expect(await tagOf(on, path)).toBe(updated.headers.get('etag'));
      expect((await send(on, 'GET /clients')).headers.get('etag')).toBeNull();
      expect((await send(on, `DELETE ${path}`)).headers.get('etag')).toBeNull();
      expect((await send(on, `GET ${path}`)).headers.get('etag')).toBeNull();
    });

    it('has a new version for each request that changes something, and for no other', async () => {
      const { id } = await on.make('job-title', { name: 'Versioned' });
      const path = `/job-titles/${id}`;
      const before = await tagOf(on, path);
      const same = await send(on, `PATCH ${path}`, { body: { name: 'Versioned' } });
      expect(same.headers.get('etag')).toBe(before);
      expect((await send(on, `PATCH ${path}`, { body: {} })).headers.get('etag')).toBe(before);
      const other = await send(on, `PATCH ${path}`, { body: { name: 'Versioned 2' } });
      expect(versionOf(other.headers.get('etag'))).toBe(versionOf(before) + 1);
      expect((await send(on, `PATCH ${path}`, { body: { name: 5 } })).status).toBe(400);
      expect(await tagOf(on, path)).toBe(other.headers.get('etag'));
    });

    it('has one for lists alone, and for items that a delete takes out of them', async () => {
      const tag = await on.make('client-tag');
      const client = await on.make('client', { tagIds: [tag.id] });
      const path = `/clients/${client.id}`;
      const first = await tagOf(on, path);
      const without = await send(on, `PATCH ${path}`, { body: { tagIds: [] } });
      expect(versionOf(without.headers.get('etag'))).toBe(versionOf(first) + 1);
      await send(on, `PATCH ${path}`, { body: { tagIds: [tag.id] } });
      const before = await tagOf(on, path);
      expect((await send(on, `DELETE /client-tags/${tag.id}`)).status).toBe(204);
      expect(versionOf(await tagOf(on, path))).toBe(versionOf(before) + 1);
    });

    it('takes a tag for the next write, and only once', async () => {
      const { id } = await on.make('client');
      const path = `/clients/${id}`;
      const seen = await tagOf(on, path);
      const first = await send(on, `PATCH ${path}`, { body: { name: 'A' }, headers: { 'If-Match': seen } });
      expect(first.status).toBe(200);
      const second = await send(on, `PATCH ${path}`, { body: { name: 'B' }, headers: { 'If-Match': seen } });
      expect(second).toMatchObject({ status: 412, body: changed });
      expect(await send(on, `DELETE ${path}`, { headers: { 'If-Match': seen } })).toMatchObject({ body: changed });
      expect((await send(on, `GET ${path}`)).body.name).toBe('A');
      const next = String(first.headers.get('etag'));
      expect((await send(on, `DELETE ${path}`, { headers: { 'If-Match': `W/${next}` } })).status).toBe(204);
    });

    it('compares versions alone: a tag stays good when only a name that is shown has changed', async () => {
      const client = await on.make('client', { name: 'Before' });
      const project = await on.make('project', { clientId: client.id });
      const path = `/projects/${project.id}`;
      const seen = await tagOf(on, path);
      await send(on, `PATCH /clients/${client.id}`, { body: { name: 'After' } });
      const now = await tagOf(on, path);
      expect(now).not.toBe(seen);
      expect(versionOf(now)).toBe(versionOf(seen));
      const renamed = await send(on, `PATCH ${path}`, { body: { name: 'X' }, headers: { 'If-Match': seen } });
      expect(renamed.status).toBe(200);
    });

    it.each([
      ['*', true],
      ['"77-x", {tag}', true],
      [' {tag} ,"a"', true],
      ['"77-x", "abc"', false],
      ['"abc"', false],
    ])('understands If-Match: %s', async (header, isMet) => {
      const { id } = await on.make('client');
      const path = `/clients/${id}`;
      const headers = { 'If-Match': header.replace('{tag}', await tagOf(on, path)) };
      expect((await send(on, `PATCH ${path}`, { body: { name: 'New' }, headers })).status).toBe(isMet ? 200 : 412);
    });

    it('refuses what is no tag, before it looks for the record', async () => {
      const unknown = '/clients/01890a5d-ac96-774b-bcce-b302099a8057';
      for (const header of ['abc', '"a" "b"', '"a', '3', '*, "a"', ',', 'w/"a"']) {
        const message = "Header 'If-Match' must be an entity tag.";
        const sent = await send(on, `PATCH ${unknown}`, { body: { name: 'x' }, headers: { 'If-Match': header } });
        expect(sent).toMatchObject({ status: 400, body: { status: 400, message } });
        expect((await send(on, `DELETE ${unknown}`, { headers: { 'If-Match': header } })).body.message).toBe(message);
        const read = await send(on, `GET ${unknown}`, { headers: { 'If-None-Match': header } });
        expect(read.body.message).toBe("Header 'If-None-Match' must be an entity tag.");
      }
    });

    it('answers 404 for what is not there, whatever tag is sent', async () => {
      for (const tag of ['*', '"0-x"'])
        for (const line of ['PATCH', 'DELETE'])
          expect(
            await send(on, `${line} /clients/01890a5d-ac96-774b-bcce-b302099a8057`, {
              ...(line === 'PATCH' && { body: { name: 'x' } }),
              headers: { 'If-Match': tag },
            }),
          ).toMatchObject({ status: 404 });
    });

    it('tells 412 before locks and faults of the body', async () => {
      const { id } = await on.make('client');
      const sent = await send(on, `PATCH /clients/${id}`, { body: { name: 5 }, headers: { 'If-Match': '"9-x"' } });
      expect(sent.body).toEqual(changed);
    });

    it('answers 304 for what the caller has, by the whole tag', async () => {
      const client = await on.make('client', { name: 'Same' });
      const project = await on.make('project', { clientId: client.id });
      const path = `/projects/${project.id}`;
      const seen = await tagOf(on, path);
      for (const header of [seen, '*', `"a", W/${seen}`]) {
        const read = await send(on, `GET ${path}`, { headers: { 'If-None-Match': header } });
        expect(read).toMatchObject({ status: 304, text: '' });
        expect(read.headers.get('etag')).toBe(seen);
        expect((await send(on, `HEAD ${path}`, { headers: { 'If-None-Match': header } })).status).toBe(304);
      }
      await send(on, `PATCH /clients/${client.id}`, { body: { name: 'Another' } });
      expect((await send(on, `GET ${path}`, { headers: { 'If-None-Match': seen } })).status).toBe(200);
    });

    it.each([
      ['{tag}', false],
      ['W/{tag}', false],
      ['"0-other", "9-x"', false],
      ['*', false],
      ['"9-x"', true],
    ])('evaluates If-None-Match of a write by the version: %s', async (header, isMet) => {
      const { id } = await on.make('client', { name: 'Seen' });
      const path = `/clients/${id}`;
      const headers = { 'If-None-Match': header.replace('{tag}', await tagOf(on, path)) };
      const refused = { status: 412, message: "The condition of header 'If-None-Match' is false." };
      const patched = await send(on, `PATCH ${path}`, { body: { notes: 'New' }, headers });
      expect(patched).toMatchObject(isMet ? { status: 200 } : { status: 412, body: refused });
      const current = isMet ? headers : { 'If-None-Match': header.replace('{tag}', await tagOf(on, path)) };
      const deleted = await send(on, `DELETE ${path}`, { headers: current });
      expect(deleted).toMatchObject(isMet ? { status: 204 } : { status: 412, body: refused });
      if (!isMet) expect((await send(on, `GET ${path}`)).body.notes).not.toBe('New');
    });

    it('evaluates If-Match before If-None-Match, and neither if the record does not exist', async () => {
      const { id } = await on.make('client');
      const both = { 'If-Match': '"9-x"', 'If-None-Match': '*' };
      expect((await send(on, `PATCH /clients/${id}`, { body: {}, headers: both })).body).toEqual(changed);
      const unknown = 'PATCH /clients/01890a5d-ac96-774b-bcce-b302099a8057';
      expect((await send(on, unknown, { body: {}, headers: { 'If-None-Match': '*' } })).status).toBe(404);
    });

    it('evaluates If-Match of a read by the whole tag', async () => {
      const { id } = await on.make('client');
      const path = `/clients/${id}`;
      const seen = await tagOf(on, path);
      for (const line of [`GET ${path}`, `HEAD ${path}`]) {
        for (const header of [seen, '*', `"a", ${seen}`])
          expect((await send(on, line, { headers: { 'If-Match': header } })).status, header).toBe(200);
        expect((await send(on, line, { headers: { 'If-Match': '"0-other"' } })).status).toBe(412);
        expect((await send(on, line, { headers: { 'If-Match': seen, 'If-None-Match': seen } })).status).toBe(304);
      }
      const refused = await send(on, `GET ${path}`, { headers: { 'If-Match': '"0-other"' } });
      expect(refused.body).toEqual({ status: 412, message: "The condition of header 'If-Match' is false." });
      expect(refused.headers.get('etag')).toBeNull();
    });

    it('matches lists, summaries, exports and creates by * only, and batches not at all', async () => {
      for (const line of ['GET /clients', 'GET /summary/clients', 'GET /export/clients']) {
        expect((await send(on, line, { headers: { 'If-Match': '"0-x"' } })).status, line).toBe(412);
        expect((await send(on, line, { headers: { 'If-None-Match': '*' } })).status, line).toBe(304);
      }
      const passed = { 'If-Match': '*', 'If-None-Match': '"0-x"' };
      expect((await send(on, 'GET /clients', { headers: passed })).status).toBe(200);
      const create = (headers: Readonly<Record<string, string>>) =>
        send(on, 'POST /job-titles', { body: { name: `Conditional ${headers['If-Match']}` }, headers });
      expect((await create({ 'If-None-Match': '*' })).status).toBe(412);
      expect((await create({ 'If-Match': '"0-x"' })).status).toBe(412);
      expect((await create(passed)).status).toBe(200);
      const batch = { body: { operations: [{ method: 'GET', path: '/clients' }] } };
      expect((await send(on, 'POST /batch', { ...batch, headers: { 'If-Match': '*' } })).status).toBe(412);
      expect((await send(on, 'POST /batch', { ...batch, headers: { 'If-None-Match': '*' } })).status).toBe(200);
    });

    it('has tags of single records, and of computed ones without a version', async () => {
      const seen = await tagOf(on, '/workspace-settings');
      const updated = await send(on, 'PATCH /workspace-settings', {
        body: { name: 'Tagged workspace' },
        headers: { 'If-Match': seen },
      });
      expect(updated.status).toBe(200);
      expect(versionOf(updated.headers.get('etag'))).toBe(versionOf(seen) + 1);
      const again = { body: { name: 'Twice' }, headers: { 'If-Match': seen } };
      expect((await send(on, 'PATCH /workspace-settings', again)).body).toEqual(changed);
      const rate = await send(on, 'GET /exchange-rate?fromCurrency=USD');
      const [, digest] = /^"([\w-]{16})"$/.exec(rate.headers.get('etag') ?? '') ?? [];
      expect(rate.status === 200 ? digest : rate.text).toHaveLength(16);
    });

    it('rises once a request for states that follow, and not for figures', async () => {
      const client = await on.make('client');
      const lines = [{ kindId: 'services', amount: 10, taxable: false }];
      const invoice = await send(on, 'POST /invoices', { body: { clientId: client.id, lines } });
      expect(invoice.status, invoice.text).toBe(200);
      const path = `/invoices/${invoice.body.id}`;
      await send(on, `PATCH ${path}`, { body: { statusId: 'issued' } });
      const issued = await tagOf(on, path);
      expect(versionOf(issued)).toBe(1);
      const pay = (amount: number) => ({ clientId: client.id, amount, invoices: [{ id: invoice.body.id, amount }] });
      // What is due is less then; nobody can overwrite that.
      expect((await send(on, 'POST /payments', { body: pay(4) })).status).toBe(200);
      const paidInPart = await tagOf(on, path);
      expect(versionOf(paidInPart)).toBe(1);
      expect(paidInPart).not.toBe(issued);
      expect((await send(on, 'POST /payments', { body: pay(6) })).status).toBe(200);
      expect((await send(on, `GET ${path}`)).body.statusId).toBe('paid');
      expect(versionOf(await tagOf(on, path))).toBe(2);
    });

    it('rises where another record takes what only one may have', async () => {
      const first = await on.make('holiday-schedule', { isDefault: true });
      const path = `/holiday-schedules/${first.id}`;
      const seen = await tagOf(on, path);
      await on.make('holiday-schedule', { isDefault: true });
      expect((await send(on, `GET ${path}`)).body.isDefault).toBe(false);
      expect(versionOf(await tagOf(on, path))).toBe(versionOf(seen) + 1);
      const headers = { 'If-Match': seen };
      expect((await send(on, `PATCH ${path}`, { body: { isDefault: true }, headers })).body).toEqual(changed);
    });

    it('lets each version be overwritten once by fifty at once', async () => {
      const { id } = await on.make('client');
      const path = `/clients/${id}`;
      let seen = await tagOf(on, path);
      for (let round = 0; round < 3; round += 1) {
        const headers = { 'If-Match': seen };
        const sent = await Promise.all(
          Array.from({ length: 50 }, (_value, n) =>
            send(on, `PATCH ${path}`, { body: { name: `${round} by ${n}` }, headers }),
          ),
        );
        const won = sent.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 412]));
        expect((await send(on, `GET ${path}`)).body.name).toBe(won[0]?.body.name);
        seen = String(won[0]?.headers.get('etag'));
        expect(versionOf(seen)).toBe(round + 1);
      }
    });
  },
  'product',
);

onEveryDatabase(
  'records that ask for a tag',
  (on) => {
    it('are changed and deleted with one alone', async () => {
      const { id, etag } = await send(on, 'POST /documents', { body: { name: 'Deed' } }).then(({ body, headers }) => ({
        id: String(body.id),
        etag: String(headers.get('etag')),
      }));
      const required = { status: 428, message: "Header 'If-Match' is required." };
      expect(await send(on, `PATCH /documents/${id}`, { body: { name: 5 } })).toMatchObject({
        status: 428,
        body: required,
      });
      expect((await send(on, `DELETE /documents/${id}`)).body).toEqual(required);
      expect((await send(on, 'DELETE /documents/01890a5d-ac96-774b-bcce-b302099a8057')).status).toBe(404);
      const headers = { 'If-Match': etag };
      const updated = await send(on, `PATCH /documents/${id}`, { body: { name: 'Will' }, headers });
      expect(updated).toMatchObject({ status: 200, body: { name: 'Will' } });
      expect((await send(on, `DELETE /documents/${id}`, { headers })).status).toBe(412);
      expect((await send(on, `DELETE /documents/${id}`, { headers: { 'If-Match': '*' } })).status).toBe(204);
    });

    it('go with what they belong to', async () => {
      const folder = await send(on, 'POST /folders', { body: { name: 'Deeds' } });
      await send(on, 'POST /documents', { body: { name: 'Deed', folderId: folder.body.id } });
      expect((await send(on, `DELETE /folders/${folder.body.id}`)).status).toBe(204);
    });
  },
  'archive',
);
