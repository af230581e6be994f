// Responses stored for idempotency keys: none if nothing was written, and a bounded number of bytes for each caller.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ByteBudget } from '../../src/admission/byte-budget.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, type Context, onEveryDatabase } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const unknownId = '01890000-0000-7000-8000-000000000000';
const read = { method: 'GET', path: '/clients?limit=100' };
const refusedUpdate = { method: 'PATCH', path: `/clients/${unknownId}`, body: { name: 'Refused' } };
const create = (name: string) => ({ method: 'POST', path: '/clients', body: { name } });
const isReplayed = ({ headers }: Sent): boolean => headers.get('idempotent-replayed') === 'true';

interface KeyedBatch {
  readonly operations: readonly object[];
  readonly atomic?: boolean;
}

const sendBatch = (on: Context, key: string, body: KeyedBatch, token = accessToken): Promise<Sent> =>
  send(on, 'POST /batch', { body, headers: { 'Idempotency-Key': key, Authorization: `Bearer ${token}` } });

const sendCreate = (on: Context, key: string, name: string, token = accessToken): Promise<Sent> =>
  send(on, 'POST /clients', { body: { name }, headers: { 'Idempotency-Key': key, Authorization: `Bearer ${token}` } });

/** Lengths of the bodies stored under a key: at most one. */
async function storedLengths({ workspace }: Context, key: string): Promise<readonly number[]> {
  const rows = await workspace.unit.read('select body from praxis_answer where request_key = ?', [key]);
  return rows.map(([body]) => (typeof body === 'string' ? body.length : 0));
}

onEveryDatabase(
  'a batch with an idempotency key',
  (on) => {
    test.each([
      ['if all operations read', { operations: [read, read] }],
      ['if the only write is refused', { operations: [read, refusedUpdate], atomic: false }],
    ] as const)('stores nothing %s', async (_condition, body) => {
      const key = randomUUID();
      for (let sent = 0; sent < 2; sent += 1) {
        const reply = await sendBatch(on, key, body);
        expect(reply.status).toBe(200);
        expect(isReplayed(reply)).toBe(false);
      }
      expect(await storedLengths(on, key)).toEqual([]);
    });

    test('stores nothing for a token that may only read', async () => {
      const token = await newToken(on, { limits: { readOnly: true, allow: [] } });
      for (const [body, status] of [
        [{ operations: [read, read] }, 200],
        [{ operations: [read, create('Not allowed')], atomic: false }, 200],
        [{ operations: [read, create('Not allowed')] }, 403],
      ] as const) {
        const key = randomUUID();
        expect((await sendBatch(on, key, body, token)).status).toBe(status);
        expect(await storedLengths(on, key)).toEqual([]);
      }
    });

    test('stores the response if one operation wrote', async () => {
      const key = randomUUID();
      const body = { operations: [read, refusedUpdate, create('Written')], atomic: false };
      const first = await sendBatch(on, key, body);
      const again = await sendBatch(on, key, body);
      expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
      expect(await storedLengths(on, key)).toEqual([first.text.length]);
    });
  },
  'product',
);

const maxBytes = 4000;

onEveryDatabase(
  'responses stored for one caller',
  (on) => {
    test('are bounded in bytes: later writes are done once, and their replay answers 409', async () => {
      const keys = Array.from({ length: 12 }, () => randomUUID());
      const replies: Sent[] = [];
      for (const [n, key] of keys.entries()) replies.push(await sendCreate(on, key, `Bounded ${n}`));
      expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 200));
      const lengths = (await Promise.all(keys.map((key) => storedLengths(on, key)))).flat();
      const [longest = 0] = lengths.toSorted((one, other) => other - one);
      const total = lengths.reduce((sum, length) => sum + length, 0);
      expect(lengths).toHaveLength(keys.length);
      expect(total).toBeGreaterThanOrEqual(maxBytes);
      expect(total).toBeLessThan(maxBytes + longest);

      const first = await sendCreate(on, keys[0] ?? '', 'Bounded 0');
      expect([first.text, isReplayed(first)]).toEqual([replies[0]?.text, true]);
      expect(await sendCreate(on, keys.at(-1) ?? '', 'Bounded 11')).toMatchObject({
        status: 409,
        body: {
          message: 'The request with this Idempotency-Key was done, but its response is not stored; read the records.',
        },
      });
      expect((await send(on, 'GET /clients?name=Bounded%2011')).body.results).toHaveLength(1);
      expect((await sendCreate(on, keys.at(-1) ?? '', 'Another')).status).toBe(422);
    });

    test('are counted for each caller', async () => {
      const [token, key] = [await newToken(on), randomUUID()];
      const first = await sendCreate(on, key, 'Other caller', token);
      const again = await sendCreate(on, key, 'Other caller', token);
      expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
    });
  },
  'product',
  { parts: { storedResponseBytes: maxBytes } },
);

describe('a budget of bytes', () => {
  test('ends 24 hours after the bytes were added', () => {
    const hourMs = 60 * 60 * 1000;
    let now = 1000 * hourMs;
    const budget = new ByteBudget(100, () => now);
    budget.add('ada', 60);
    now += 10 * hourMs;
    budget.add('ada', 60);
    expect([budget.isUsedUp('ada'), budget.isUsedUp('bob')]).toEqual([true, false]);
    now += 13 * hourMs;
    expect(budget.isUsedUp('ada')).toBe(true);
    now += hourMs;
    expect(budget.isUsedUp('ada')).toBe(false);
  });
});
