// What may be written and not read is guessed at: neither an answer, nor a tag, nor a refusal tells a right guess from a wrong one.
import { expect, test } from 'vitest';
import { withRoles } from '../access/callers.ts';
import type { Answer, Call } from '../support/service/client.ts';
import type { Json } from '../support/service/praxis.ts';

const trial = { headers: { Prefer: 'tx=rollback' } };
/** The number of the version, before the digest of what is shown. */
const versionOf = ({ headers }: Answer): string => String(headers['etag']).split('-')[0] ?? '';

withRoles(
  'guesses',
  {
    folder: 'studio',
    parts: { changes: 90 },
    roles: {
      blind: {
        allow: [
          { on: ['member'], to: ['read', 'history'], fields: { hide: ['salary', 'manager'] } },
          { on: ['member'], to: ['update'] },
        ],
        may: ['changes'],
      },
    },
  },
  (context) => {
    test('of a value are answered alike, and count as changes', async () => {
      const { id: managerId } = await context.make('member', { managerId: null });
      const { id } = await context.make('member', { salary: 4100, managerId });
      const blind = context.as(null, 'blind');
      const path = `/members/${id}`;
      const told = async (body: Json, options: Parameters<Call>[3] = trial): Promise<readonly unknown[]> => {
        const answer = await blind('PATCH', path, body, options);
        return [answer.status, answer.text, versionOf(answer)];
      };
      const first = versionOf(await blind('GET', path));
      const wrong = await told({ salary: 4101 });
      expect(wrong[2]).not.toBe(first);
      expect(await told({ salary: 4100 })).toEqual(wrong);
      expect(await told({ managerId: null })).toEqual(wrong);
      expect(await told({ managerId })).toEqual(wrong);
      // What is shown is compared as ever.
      expect((await told({ isActive: true }))[2]).toBe(first);
      expect((await told({ salary: 4100 }, {})).slice(0, 2)).toEqual(wrong.slice(0, 2));
      expect(versionOf(await blind('GET', path))).toBe(wrong[2]);
      for (const each of [`/history${path}`, '/changes'])
        expect((await blind('GET', each)).text).not.toContain('salary');
    }, 60_000);
  },
);

withRoles(
  'states that are hidden',
  {
    folder: 'product',
    roles: {
      clerk: {
        allow: [
          { on: ['time-entry', 'expense-item'], to: ['read'], fields: { hide: ['statusId'] } },
          { on: ['time-entry', 'expense-item'], to: ['update'] },
        ],
      },
    },
  },
  (context) => {
    test('are told by no refusal of a step', async () => {
      const { id } = await context.make('time-entry', { statusId: 'pending_approval' });
      await context.call('PATCH', `/time-entries/${id}`, { statusId: 'rejected' });
      const clerk = context.as(null, 'clerk');
      const { status, body } = await clerk('PATCH', `/time-entries/${id}`, { statusId: 'approved' });
      expect([status, (body as Json)['errors']]).toEqual([400, ["'statusId' cannot change from … to 'approved'"]]);
      expect((await context.call('PATCH', `/time-entries/${id}`, { statusId: 'approved' })).body).toMatchObject({
        errors: ["'statusId' cannot change from 'rejected' to 'approved'"],
      });
    }, 60_000);
  },
);
