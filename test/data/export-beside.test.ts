// Exports while others write: a figure that is kept, and what it adds up, are of one moment.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accessToken, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const accounts = 1200;
const inOneRequest = 100;
const writers = 4;
/** A hundred writes a second, as far as the machine can. */
const pauseMs = 40;

onEveryDatabase(
  'exports beside writers',
  (context) => {
    const make = async (path: string, body: Json): Promise<string> => {
      const { status, body: made } = await context.call('POST', path, body);
      expect([status, made]).toMatchObject([200, { id: expect.any(String) }]);
      return (made as { id: string }).id;
    };
    /** @returns the ids of the accounts below an account */
    const below = async (parentId: string): Promise<readonly string[]> => {
      const ids: string[] = [];
      while (ids.length < accounts / 2) {
        const operations = Array.from({ length: inOneRequest }, (_one, place) => ({
          ...{ method: 'POST', path: '/accounts', body: { name: `${ids.length + place}`, parentId } },
        }));
        const { status, body } = await send(context, 'POST /batch', { body: { operations } });
        expect(status).toBe(200);
        ids.push(...body.results.map((result: { body: { id: string } }) => result.body.id));
      }
      return ids;
    };

    test('have every total with its parts, though a hundred writes a second move them', async () => {
      const [spent, earned] = [await make('/accounts', { name: 'Spent' }), await make('/accounts', { name: 'Earned' })];
      const [debited, credited] = [await below(spent), await below(earned)];
      const periodId = await make('/periods', { start: '2026-01-01', end: '2026-12-31' });
      const anyOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
      let written = 0;
      let isOver = false;
      const write = async (): Promise<void> => {
        while (!isOver) {
          const amount = 1 + (written % 100);
          const lines = [
            { accountId: anyOf(debited), debit: amount },
            { accountId: anyOf(credited), credit: amount },
          ];
          await make('/journals', { periodId, date: '2026-03-01', statusId: 'posted', lines });
          written += 1;
          await delay(pauseMs);
        }
      };
      const writing = Promise.all(Array.from({ length: writers }, write));
      try {
        for (let round = 0; round < 10; round += 1) {
          const before = written;
          await expect.poll(() => written).toBeGreaterThan(before + 10);
          const response = await fetch(`${context.address}/export/accounts`, {
            headers: { Authorization: `Bearer ${accessToken}` },
          });
          const lines = (await response.text()).trimEnd().split('\n');
          const rows = lines.slice(0, -1).map((line) => JSON.parse(line));
          expect([response.status, rows.length]).toEqual([200, accounts + 2]);
          for (const [place, above] of [spent, earned].entries()) {
            const parts = rows.filter(({ parent }) => parent?.id === above);
            const sum = parts.reduce((total, { balance }) => total + balance, 0);
            expect(parts.length).toBe(accounts / 2);
            expect(rows.find(({ id }) => id === above)).toMatchObject({ balance: 0, total: sum });
            expect(Math.sign(sum)).toBe(place === 0 ? 1 : -1);
          }
        }
      } finally {
        isOver = true;
        await writing;
      }
    });
  },
  'books',
);
