// The feed as server-sent events: nothing is lost where the connection is cut, and nobody listens for longer than they may.
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken, revokeToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { endOf, listeners } from '../support/data/changes.ts';
import { databases } from '../support/databases/databases.ts';
import { openStream, type Stream } from '../support/service/events.ts';
import { start, token as tokenOfHttp } from '../support/service/http.ts';
import { type Context, onEveryDatabase, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const note = async (on: Pick<Context, 'address'>, text: string) =>
  (await send(on, 'POST /notes', { body: { text } })).body;

async function withUnit<T>(on: Context, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  const database = await openDatabase(on.databaseUrl);
  try {
    return await work(createUnitOfWork(database, { deadlineMs: 10_000 }));
  } finally {
    await database.close();
  }
}

onEveryDatabase(
  'the stream of changes',
  (on) => {
    it('tells entries as they come, with the cursor of each', async () => {
      const stream = await openStream(on, '?after=now&group=note');
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      await send(on, 'POST /tags', { body: { name: 'not told' } });
      const { id } = await note(on, 'told');
      const event = await stream.next();
      expect(event).toMatchObject({ event: 'change', id: await endOf(on) });
      expect(JSON.parse(event?.data ?? '')).toMatchObject({
        operation: 'create',
        id,
        changes: { text: { to: 'told' } },
      });
      stream.cut();
    });

    it('goes on behind the last event that was seen, however often it is cut', async () => {
      const texts = Array.from({ length: 120 }, (_, nth) => `cut ${nth}`);
      let lastEventId = await endOf(on);
      const writing = (async () => {
        for (const text of texts) await note(on, text);
      })();
      const seen: string[] = [];
      // The address says where it began, and what was seen goes before that.
      const address = `?after=${lastEventId}`;
      for (let cuts = 0; seen.length < texts.length; cuts += 1) {
        const stream = await openStream(on, address, { lastEventId });
        // Of what one connection brings, one entry is taken in, and now and then all.
        for (let taken = 0; taken < (cuts < 100 ? 1 : texts.length) && seen.length < texts.length; taken += 1) {
          const event = await stream.next();
          seen.push(JSON.parse(event?.data ?? '').changes.text.to);
          lastEventId = event?.id ?? '';
        }
        stream.cut();
      }
      await writing;
      expect(seen).toEqual(texts);
    });

    it('refuses what it does not understand, before it begins', async () => {
      const end = await endOf(on);
      const refused = async (query: string, lastEventId?: string) => {
        const { status, text } = await openStream(on, query, { lastEventId });
        return [status, JSON.parse(text).message];
      };
      expect(await refused('', 'yesterday')).toEqual([400, "Header 'Last-Event-ID' must be a cursor of this log."]);
      expect(await refused('?before=now')).toEqual([400, "Parameter 'before' is not allowed."]);
      expect(await refused('?group=noet')).toEqual([400, "Parameter 'group' must be one of author, tag, piece, note."]);
      const tooOld = "Parameter 'after' is too old; read the records again.";
      const lastTooOld = "Header 'Last-Event-ID' is too old; read the records again.";
      expect(await refused('', `${end}0`)).toEqual([410, lastTooOld]);
      expect(await refused(`?after=${end}`, '000000000000.1')).toEqual([410, lastTooOld]);
      expect(await refused(`?after=000000000000.1`)).toEqual([410, tooOld]);
    });

    it('has as many listeners of a token as are good for all, and lets each go that is cut', async () => {
      const { token } = await withUnit(on, (unit) => createToken(unit, { name: 'listens' }));
      const open = () => openStream(on, '?after=now', { token });
      const streams: Stream[] = [];
      for (let nth = 0; nth < 20; nth += 1) streams.push(await open());
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      const refused = await open();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('5');
      const headers = { Authorization: `Bearer ${token}` };
      expect((await send(on, 'GET /changes?after=now&wait=30', { headers })).status).toBe(429);
      // Others are not concerned, nor is who does not wait.
      expect((await send(on, 'GET /changes?after=now', { headers })).status).toBe(200);
      const other = await openStream(on, '?after=now');
      expect(other.status).toBe(200);
      for (const stream of [...streams, other]) stream.cut();
      await expect.poll(() => listeners(on), { timeout: 10_000 }).toBe(0);
      const again = await open();
      expect(again.status).toBe(200);
      again.cut();
    });

    it('ends when its token does', async () => {
      const made = await withUnit(on, (unit) => createToken(unit, { name: 'ends' }));
      const stream = await openStream(on, '?after=now', { token: made.token });
      const ended = stream.next();
      await withUnit(on, (unit) => revokeToken(unit, made.id));
      expect(await ended).toBeUndefined();
    });
  },
  'log',
  { parts: { changes: 90 } },
);

onEveryDatabase(
  'a stream of changes in its course',
  (on) => {
    it('gives signs of life, a cursor of what it passes over, and ends after its time', async () => {
      const stream = await openStream(on, '?after=now&group=tag');
      await note(on, 'passed over');
      const event = await stream.next();
      const end = await endOf(on);
      expect(event).toEqual({ id: end, event: 'cursor', data: end });
      expect(await stream.next()).toBeUndefined();
      expect(stream.comments()).toBeGreaterThan(1);
    });
  },
  'log',
  { parts: { changes: 90, streamTimes: { commentMs: 200, cursorMs: 500, longestMs: 2000 } } },
);

for (const { name, isThere, open } of databases) {
  describe.skipIf(!isThere)(`streams of changes and other processes (${name})`, () => {
    it('tells soon what another process writes, and ends in order with its own', async () => {
      const { url, drop } = await open();
      const parts = { changes: 90 } as const;
      const [one, other] = [await startService('log', url, parts), await startService('log', url, parts)];
      try {
        const stream = await openStream(one, '?after=now');
        const { id } = await note(other, 'elsewhere');
        expect(JSON.parse((await stream.next())?.data ?? '').id).toBe(id);
        const ended = stream.next();
        one.workspace.log?.watch.end();
        expect(await ended).toBeUndefined();
      } finally {
        await one.stop();
        await other.stop();
        await drop();
      }
    });
  });
}

describe('a stream that nobody takes', () => {
  it('is cut, and let go', async () => {
    const running = await start({ exportStallMs: 300 });
    try {
      const response = await fetch(`http://127.0.0.1:${running.port}/api/changes`, {
        headers: { Authorization: `Bearer ${tokenOfHttp}`, Accept: 'text/event-stream' },
      });
      expect(response.status).toBe(200);
      await expect.poll(() => running.streams(), { timeout: 10_000 }).toEqual({ begun: 1, over: 1 });
      await expect(response.text()).rejects.toThrow();
    } finally {
      await running.stop();
    }
  });
});
