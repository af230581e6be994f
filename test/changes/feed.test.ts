// The feed of changes and the history of records: pages, cursors that are good for ever or refused, and waiting.
import { expect, it, test } from 'vitest';
import type { NamesOfToday } from '../../src/past/names.ts';
import { readFeedRequest } from '../../src/past/parameters.ts';
import { sweepLog } from '../../src/past/sweep.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { readNewWebhook } from '../../src/webhooks/wish.ts';
import { endOf, entriesAfter, listeners } from '../support/data/changes.ts';
import { accessToken, type Context, onEveryDatabase, registryOf } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const note = async (on: Context, text: string) => (await send(on, 'POST /notes', { body: { text } })).body;
const tooOld = { status: 410, body: { status: 410, message: "Parameter 'after' is too old; read the records again." } };

onEveryDatabase(
  'the feed of changes',
  (on) => {
    it('pages through all entries once, in order', async () => {
      const start = await endOf(on);
      for (const text of ['1', '2', '3', '4', '5']) await note(on, text);
      const texts: string[] = [];
      let cursor = start;
      for (const hasMore of [true, true, false]) {
        const { body } = await send(on, `GET /changes?limit=2&after=${cursor}`);
        expect(body.hasMore).toBe(hasMore);
        // biome-ignore lint/suspicious/noExplicitAny: entries
        texts.push(...body.results.map((entry: any) => entry.changes.text.to));
        cursor = body.cursor;
      }
      expect(texts).toEqual(['1', '2', '3', '4', '5']);
      expect(await send(on, `GET /changes?after=${cursor}`)).toMatchObject({
        body: { results: [], cursor, hasMore: false },
      });
    });

    it('goes back from the newest entry to the oldest, past what is left out', async () => {
      const start = await endOf(on);
      for (const text of ['1', '2', '3', '4', '5']) {
        await note(on, text);
        await send(on, 'POST /tags', { body: { name: `between ${text} ${start}` } });
      }
      const texts: string[] = [];
      let before = 'now';
      for (const hasMore of [true, true, true]) {
        const { body } = await send(on, `GET /changes?limit=2&group=note&before=${before}`);
        expect(body.hasMore).toBe(hasMore);
        // biome-ignore lint/suspicious/noExplicitAny: entries
        texts.push(...body.results.map((entry: any) => entry.changes.text.to));
        before = body.cursor;
      }
      expect(texts.slice(0, 5)).toEqual(['5', '4', '3', '2', '1']);
      // A cursor parts the log in two, whichever way it is read.
      const { entries } = await entriesAfter(on, start);
      const part = await send(on, `GET /changes?before=${await endOf(on)}&limit=${entries.length}`);
      expect(part.body.results).toEqual(entries.toReversed());
      const oldest = (await send(on, 'GET /changes?limit=1')).body;
      const last = await send(on, `GET /changes?before=${oldest.cursor}`);
      expect(last.body).toMatchObject({ results: oldest.results, hasMore: false });
      expect((await send(on, `GET /changes?before=${last.body.cursor}`)).body).toMatchObject({
        ...{ results: [], cursor: last.body.cursor, hasMore: false },
      });
    });

    it('narrows by group, record, operation, cause and time, and its cursor passes over the rest', async () => {
      const start = await endOf(on);
      const one = await note(on, 'one');
      const author = (await send(on, 'POST /authors', { body: { name: `Feed ${one.id}` } })).body;
      await send(on, 'POST /pieces', { body: { title: 'P', authorId: author.id } });
      await send(on, `DELETE /notes/${one.id}`);
      const told = async (query: string) => {
        const { entries, cursor } = await entriesAfter(on, start, query);
        expect(cursor).toBe(await endOf(on));
        return entries.map(({ operation, group }) => `${operation} ${group}`);
      };
      expect(await told('&group=note,author')).toEqual([
        'create note',
        'create author',
        'update author',
        'delete note',
      ]);
      expect(await told(`&group=note&id=${one.id}&operation=delete`)).toEqual(['delete note']);
      expect(await told('&cause=figure')).toEqual(['update author']);
      expect(await told('&since=2999-01-01T00:00:00.000Z')).toEqual([]);
      expect(await told('&until=2000-01-01T00:00:00.000Z')).toEqual([]);
      expect(await told(`&until=${new Date(Date.now() + 60_000).toISOString()}&group=note`)).toHaveLength(2);
    });

    it('goes on where an export ends: what it holds is not missed, and what came behind it comes', async () => {
      const before = await note(on, 'before the export');
      const response = await fetch(`${on.address}/export/notes`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      const cursor = response.headers.get('praxis-moment') ?? '';
      expect(await response.text()).toContain('"before the export"');
      const after = await note(on, 'behind it');
      const { entries } = await entriesAfter(on, cursor);
      // Where positions are given later, what the export holds may come once more.
      expect(entries.map(({ id }) => id).filter((id) => id !== before.id)).toEqual([after.id]);
    });

    it('refuses what it does not understand', async () => {
      const wrong: Record<string, string> = {
        'limit=0': "Parameter 'limit' must be an integer from 1 to 1000.",
        'wait=61': "Parameter 'wait' must be an integer from 0 to 60.",
        'group=noet': "Parameter 'group' must be one of author, tag, piece, note.",
        'id=01890a5d-ac96-774b-bcce-b302099a8057': "Parameter 'id' must be given with one 'group'.",
        'group=note&id=5': "Parameter 'id' is not a valid UUID.",
        'operation=made': "Parameter 'operation' must be one of create, update, delete, gone, reset.",
        'after=yesterday': "Parameter 'after' must be a cursor of this log.",
        'before=yesterday': "Parameter 'before' must be a cursor of this log.",
        'before=now&after=now': "Parameter 'before' must be given without 'after' and 'wait'.",
        'before=now&wait=1': "Parameter 'before' must be given without 'after' and 'wait'.",
        'since=yesterday': "Parameter 'since' must be a date-time in UTC (YYYY-MM-DDTHH:mm:ss.sssZ).",
        'colour=blue': "Parameter 'colour' is not allowed.",
      };
      for (const [query, message] of Object.entries(wrong))
        expect(await send(on, `GET /changes?${query}`)).toMatchObject({ status: 400, body: { message } });
      expect(await send(on, 'POST /changes', { body: {} })).toMatchObject({ status: 405 });
      expect((await send(on, 'OPTIONS /changes')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      const head = await fetch(`${on.address}/changes?after=now&wait=60`, {
        method: 'HEAD',
        headers: { Authorization: 'Bearer token-of-the-tests-0123456789' },
      });
      expect(head.status).toBe(200);
    });

    it('answers who waits as soon as there is an entry', async () => {
      const waiting = send(on, 'GET /changes?after=now&wait=60');
      await expect.poll(() => listeners(on), { timeout: 10_000 }).toBe(1);
      const made = await note(on, 'awaited');
      // Long before its time is over: nobody waits for this test so long.
      expect((await waiting).body).toMatchObject({
        results: [{ operation: 'create', id: made.id }],
        cursor: await endOf(on),
      });
      expect(await listeners(on)).toBe(0);
      expect(await send(on, 'GET /changes?after=now&wait=0')).toMatchObject({ body: { results: [] } });
    });

    it('refuses cursors of another log, beyond the end, and behind which entries were forgotten', async () => {
      await note(on, 'a');
      const end = await endOf(on);
      const [log = '', position] = end.split('.');
      expect(await send(on, `GET /changes?after=${'0'.repeat(log.length)}.1`)).toMatchObject(tooOld);
      expect(await send(on, `GET /changes?after=${log}.${Number(position) + 1}`)).toMatchObject(tooOld);
      const first = (await send(on, 'GET /changes?limit=1')).body;
      const database = await openDatabase(on.databaseUrl);
      try {
        const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
        const before = new Date(Date.now() + 60_000).toISOString();
        expect(await sweepLog(unit, database.dialect, before)).toBeGreaterThan(2);
        expect(await sweepLog(unit, database.dialect, before)).toBe(0);
      } finally {
        await database.close();
      }
      expect(await send(on, `GET /changes?after=${first.cursor}`)).toMatchObject(tooOld);
      expect(await send(on, `GET /changes?after=${end}`)).toMatchObject({
        status: 200,
        body: { results: [], cursor: end },
      });
      expect(await send(on, `GET /writes/${first.results[0].write}`)).toMatchObject({
        ...{ status: 410, body: { message: 'The write is older than the log.' } },
      });
      const { id } = await note(on, 'b');
      const { entries } = await entriesAfter(on, undefined);
      expect(entries.map((entry) => entry.id)).toEqual([id]);
      expect(Number(entries[0]?.position)).toBe(Number(position) + 1);
    });
  },
  'log',
  { parts: { changes: 90 } },
);

onEveryDatabase(
  'the history of a record',
  (on) => {
    it('shows the newest first, without figures unless they are asked for, and outlives the record', async () => {
      const author = (await send(on, 'POST /authors', { body: { name: 'Past' } })).body;
      const path = `/history/authors/${author.id}`;
      const piece = (await send(on, 'POST /pieces', { body: { title: 'P', authorId: author.id } })).body;
      await send(on, `PATCH /authors/${author.id}`, { body: { name: 'Past 2' } });
      await send(on, `DELETE /pieces/${piece.id}`);
      await send(on, `DELETE /authors/${author.id}`);
      const { body } = await send(on, `GET ${path}`);
      // biome-ignore lint/suspicious/noExplicitAny: entries
      const operations = ({ results }: any) => results.map((each: any) => each.operation);
      expect(operations(body)).toEqual(['delete', 'update', 'create']);
      expect(body).toMatchObject({ hasMore: false, isComplete: true });
      expect(operations((await send(on, `GET ${path}?figures=true`)).body)).toEqual([
        ...['delete', 'update', 'update', 'update', 'create'],
      ]);
      const first = (await send(on, `GET ${path}?limit=1`)).body;
      expect(first).toMatchObject({ hasMore: true, isComplete: false });
      expect(first.results[0]).not.toHaveProperty('position');
      const next = (await send(on, `GET ${path}?startingAfter=${first.results[0].entry}`)).body;
      expect(operations(next)).toEqual(['update', 'create']);
      const back = (await send(on, `GET ${path}?endingBefore=${next.results[1].entry}`)).body;
      expect(operations(back)).toEqual(['delete', 'update']);
      const write = (await send(on, `GET /writes/${next.results[1].write}`)).body;
      expect(write.results).toHaveLength(1);
      expect(write.results[0]).toMatchObject({ operation: 'create', id: author.id });
    });

    it('says which records and parameters it does not know', async () => {
      const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
      expect(await send(on, `GET /history/authors/${unknown}`)).toMatchObject({ status: 404 });
      expect(await send(on, 'GET /history/authors/5')).toMatchObject({ status: 400 });
      expect(await send(on, `GET /history/nothing/${unknown}`)).toMatchObject({ status: 404 });
      expect(await send(on, `GET /history/readings/${unknown}`)).toMatchObject({ status: 404 });
      expect(await send(on, `GET /history/authors/${unknown}?limit=101`)).toMatchObject({ status: 400 });
      expect(await send(on, `DELETE /history/authors/${unknown}`)).toMatchObject({ status: 405 });
      expect(await send(on, `GET /writes/${unknown}`)).toMatchObject({ status: 404 });
    });
  },
  'log',
  { parts: { changes: 'forever' } },
);

test('an unknown group among many is refused with the three nearest', () => {
  const registry = registryOf('product');
  const none = "'clients' is none; did you mean 'client', 'client-tag' or 'client-role'?";
  expect(() => readFeedRequest('group=client,clients', { registry } as NamesOfToday)).toThrow(
    `Parameter 'group' must be groups that keep a log; ${none}`,
  );
  const wish = { url: 'https://receiver.example/', groups: ['clients'] };
  const faults = [{ text: `'groups' must hold groups that keep a log; ${none}` }];
  expect(caughtBy(() => readNewWebhook(wish, { registry, hosts: [] }))).toMatchObject({ faults });
});

function caughtBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
