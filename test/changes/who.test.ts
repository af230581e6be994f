// Who wrote: the member whose token was used, by the name that it has now; and single rows that are refused, which leave nothing.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { endOf, entriesAfter } from '../support/data/changes.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'who wrote',
  (on) => {
    it('is a member and a token, until the member is gone', async () => {
      const body = { name: 'Ada', email: 'ada@example.com' };
      const { id } = (await send(on, 'POST /members', { body })).body;
      const database = await openDatabase(on.databaseUrl);
      const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
      const { id: tokenId, token } = await createToken(unit, { name: 'of Ada', memberId: id });
      await database.close();
      const headers = { Authorization: `Bearer ${token}` };
      const start = await endOf(on);
      const client = (await send(on, 'POST /clients', { headers, body: { name: 'Acme' } })).body;
      await send(on, `PATCH /clients/${client.id}`, { headers, body: { name: 'Acme 2' } });
      const operations = [{ method: 'POST', path: '/clients', body: { name: 'Other' } }];
      await send(on, 'POST /batch', { headers, body: { operations } });
      await send(on, `PATCH /members/${id}`, { body: { name: 'Ada B.' } });
      const by = { member: { id, name: 'Ada B.' }, token: { id: tokenId, name: 'of Ada' } };
      const { entries } = await entriesAfter(on, start);
      expect(entries.slice(0, 3).map((entry) => entry.by)).toEqual([by, by, by]);
      expect(entries[3]?.by.member).toBeNull();
      const own = (await entriesAfter(on, start, `&member=${id}`)).entries;
      expect(own).toEqual(entries.slice(0, 3));
      const history = (await send(on, `GET /history/clients/${client.id}`)).body.results;
      expect(history.map((entry: { by: object }) => entry.by)).toEqual([by, by]);
      expect((await send(on, `DELETE /members/${id}`)).status).toBe(204);
      const [gone] = (await entriesAfter(on, start)).entries;
      expect(gone?.by).toEqual({ ...by, member: { id } });
    });

    it('is nobody where a single row is refused, which is told as without a log', async () => {
      const create = (name: string) => send(on, 'POST /clients', { body: { name } });
      await create('Taken');
      const { id } = (await create('Free')).body;
      const start = await endOf(on);
      const taken = { status: 409, body: { message: 'A Client with the same name already exists.' } };
      expect(await create('Taken')).toMatchObject(taken);
      expect(await send(on, `PATCH /clients/${id}`, { body: { name: 'Taken' } })).toMatchObject(taken);
      const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
      expect(await send(on, `PATCH /clients/${unknown}`, { body: { name: 'New' } })).toMatchObject({ status: 404 });
      expect((await entriesAfter(on, start)).entries).toEqual([]);
      expect((await send(on, `GET /clients/${id}`)).body.name).toBe('Free');
    });
  },
  'studio',
  { parts: { changes: 90 } },
);
