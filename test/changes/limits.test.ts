// What a token with limits is shown of the log: the entries of groups whose history it may see, and no undo of what it may not write.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { endOf, entriesAfter } from '../support/data/changes.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'the log under limits of tokens',
  (on) => {
    it('shows what the limits allow, and undoes nothing else', async () => {
      const database = await openDatabase(on.databaseUrl);
      const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
      const limits = { readOnly: false, allow: ['read,history:note', 'may:changes'] };
      const limited = await createToken(unit, { name: 'limited', limits });
      const other = await createToken(unit, {
        name: 'other',
        limits: { readOnly: false, allow: ['read,history:note'] },
      });
      const tagging = await createToken(unit, { name: 'tagging', limits: { readOnly: false, allow: ['*:tag'] } });
      await database.close();
      const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
      const start = await endOf(on);
      const note = (await send(on, 'POST /notes', { body: { text: 'seen' } })).body;
      const tag = (await send(on, 'POST /tags', { body: { name: 'not seen' } })).body;
      const { entries, cursor } = await entriesAfter(on, start);
      const page = await send(on, `GET /changes?after=${start}`, as(limited.token));
      expect(page.body.results.map(({ id }: { id: string }) => id)).toEqual([note.id]);
      expect(page.body.cursor).toBe(cursor);
      expect((await send(on, 'GET /changes', as(other.token))).status).toBe(403);
      expect((await send(on, `GET /history/notes/${note.id}`, as(other.token))).body.results).toHaveLength(1);
      expect((await send(on, `GET /history/tags/${tag.id}`, as(limited.token))).status).toBe(403);
      const [ofNote, ofTag] = entries.map(({ write }) => write);
      expect((await send(on, `GET /writes/${ofTag}`, as(limited.token))).status).toBe(404);
      expect((await send(on, `POST /writes/${ofNote}/undo`, as(limited.token))).status).toBe(403);
      expect((await send(on, `GET /notes/${note.id}`)).status).toBe(200);
      // A write that is not seen is unknown; of one that is seen in part, the rest is not named.
      const undo = (write: string | undefined, token: string) => send(on, `POST /writes/${write}/undo`, as(token));
      for (const { token } of [limited, other]) {
        const { status, body } = await undo(ofTag, token);
        expect([status, body]).toEqual([404, (await send(on, `GET /writes/${ofTag}`, as(token))).body]);
      }
      const operations = [
        { method: 'PATCH', path: `/notes/${note.id}`, body: { text: 'other' } },
        { method: 'PATCH', path: `/tags/${tag.id}`, body: { name: 'other' } },
      ];
      await send(on, 'POST /batch', { body: { operations } });
      const [both] = (await entriesAfter(on, cursor)).entries;
      expect(await undo(both?.write, tagging.token)).toMatchObject({
        status: 403,
        body: { message: "Operation 'undo' of this 'Write' is not granted." },
      });
    });
  },
  'log',
  { parts: { changes: 90 } },
);
