// Tokens and the members whom they act for: who may act no longer is let in no longer.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { prepareState } from '../../src/storage/counters.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { createToken, prepareTokens, TokenBook } from '../../src/storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { accessToken, onEveryDatabase, startService } from '../support/service/praxis.ts';

onEveryDatabase(
  'tokens of members',
  (context) => {
    let database: Database;
    let unit: UnitOfWork;
    beforeAll(async () => {
      database = await openDatabase(context.databaseUrl);
      unit = createUnitOfWork(database, { deadlineMs: 10_000 });
    });
    afterAll(() => database.close());

    const tokenOf = async (memberId: string): Promise<string> =>
      (await createToken(unit, { name: 'test', memberId })).token;
    const statusOf = async (token: string, on: Pick<typeof context, 'call'> = context): Promise<number> =>
      (await on.call('GET', '/clients?limit=1', undefined, { headers: { authorization: `Bearer ${token}` } })).status;
    const member = async () => {
      const { id } = await context.make('member', { loginEnabled: true });
      return { path: `/members/${id}`, id, token: await tokenOf(id) };
    };

    test.concurrent('are taken with the first request after they were made', async () => {
      const { token } = await member();
      expect(await statusOf(token)).toBe(200);
    });

    test.concurrent.each([
      ['made inactive', { isActive: false }, { isActive: true, loginEnabled: true }],
      ['kept from signing in', { loginEnabled: false }, { loginEnabled: true }],
    ])('end at once when the member is %s, for good', async (_case, off, on) => {
      const { id, path, token } = await member();
      expect(await statusOf(token)).toBe(200);
      expect((await context.call('PATCH', path, off)).status).toBe(200);
      expect(await statusOf(token)).toBe(401);
      expect((await context.call('PATCH', path, on)).status).toBe(200);
      expect([await statusOf(token), await statusOf(await tokenOf(id))]).toEqual([401, 200]);
    });

    test.concurrent('of a member who never signs in end when it is made inactive', async () => {
      const { id } = await context.make('member');
      const token = await tokenOf(id);
      expect(await statusOf(token)).toBe(200);
      expect((await context.call('PATCH', `/members/${id}`, { internalNotes: 'x' })).status).toBe(200);
      expect(await statusOf(token)).toBe(200);
      expect((await context.call('PATCH', `/members/${id}`, { isActive: false })).status).toBe(200);
      expect(await statusOf(token)).toBe(401);
    });

    test.concurrent('are refused at once when a batch changes the member, or the member itself does', async () => {
      const [one, other] = [await member(), await member()];
      expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([200, 200]);
      const off = { method: 'PATCH', path: one.path, body: { isActive: false } };
      const batch = await fetch(`${context.address}/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ operations: [off] }),
      });
      expect(batch.status).toBe(200);
      const headers = { authorization: `Bearer ${other.token}` };
      expect((await context.call('PATCH', other.path, { isActive: false }, { headers })).status).toBe(200);
      expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([401, 401]);
    });

    test.concurrent('are refused at once when the member is deleted', async () => {
      const { path, token } = await member();
      expect(await statusOf(token)).toBe(200);
      expect((await context.call('DELETE', path)).status).toBe(204);
      expect(await statusOf(token)).toBe(401);
    });

    test.concurrent('outlive a change that is only tried, and one of other fields', async () => {
      const { path, token } = await member();
      expect(await statusOf(token)).toBe(200);
      const headers = { prefer: 'tx=rollback' };
      const tried = await fetch(`${context.address}${path}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      expect(tried.status).toBe(200);
      expect((await context.call('PATCH', path, { internalNotes: 'x' })).status).toBe(200);
      expect(await statusOf(token)).toBe(200);
    });

    // Beside others, so `expect` is this test's own: that of the file knows one test at a time.
    test.concurrent('are refused within 5 seconds by another process', async ({ expect }) => {
      const other = await startService('product', context.databaseUrl);
      try {
        const { path, token } = await member();
        expect(await statusOf(token, other)).toBe(200);
        expect((await context.call('PATCH', path, { loginEnabled: false })).status).toBe(200);
        await expect.poll(() => statusOf(token, other), { timeout: 5000, interval: 100 }).toBe(401);
      } finally {
        await other.stop();
      }
    }, 30_000);

    describe('that nobody has made', () => {
      const wrong = (name: number): string => `praxis_${String(name).padStart(43, 'x')}`;

      test('make a process look once a second, however many there are', async () => {
        const read = vi.spyOn(unit, 'read');
        onTestFinished(() => read.mockRestore());
        await prepareState(database);
        await prepareTokens(database);
        const book = new TokenBook({ accessToken: undefined });
        book.start(unit, 3_600_000);
        const lookUp = (count: number) =>
          Promise.all(Array.from({ length: count }, (_, name) => book.lookUp(wrong(name))));
        const since = performance.now();
        expect(new Set(await lookUp(500))).toEqual(new Set([undefined]));
        const first = read.mock.calls.length;
        const { token, id } = await createToken(unit, { name: 'new' });
        const found = await Promise.all([lookUp(500), book.lookUp(token)]);
        expect(found[1]).toEqual({ tokenId: id, memberId: null });
        expect(read.mock.calls.length - first).toBeLessThanOrEqual(2);
        expect(performance.now() - since).toBeGreaterThanOrEqual(990);
        await book.stop();
      });

      test('are refused without a look where they have not the form of a token', () => {
        const book = new TokenBook({ accessToken: undefined });
        book.start(unit, 3_600_000);
        for (const token of ['', 'x', wrong(1).slice(1), `${wrong(1)}x`]) expect(book.lookUp(token)).toBeUndefined();
        return book.stop();
      });
    });
  },
  'product',
);
