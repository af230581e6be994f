// Who wrote: the member whose token was used, by the name that it has now, with all that the write brought about.
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
  },
  'studio',
  { parts: { changes: 90 } },
);
