// `praxis verify` on records that SQL has changed: differences, output, exit status, repairs and their log entries.
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { runVerify } from '../support/commands/verify.ts';
import { entriesOf } from '../support/data/changes.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'praxis verify',
  (context) => {
    const ids: Record<string, string> = {};
    const post = async (path: string, body: Json): Promise<string> =>
      String(((await context.call('POST', path, body)).body as Json)['id']);

    // More than two pages of accounts, so that those in the middle and at the end count as those at the beginning.
    beforeAll(async () => {
      const names = Array.from({ length: 450 }, (_value, n) => `A${n}`);
      const operations = names.map((name) => ({ method: 'POST', path: '/accounts', body: { name } }));
      const { body } = await context.call('POST', '/batch', { operations });
      for (const [n, name] of names.entries()) ids[name] = Object(body).results[n].body.id;
      ids['top'] = await post('/accounts', { name: 'top' });
      for (const name of ['A0', 'A449'])
        await context.call('PATCH', `/accounts/${ids[name]}`, { parentId: ids['top'], sides: {} });
      ids['period'] = await post('/periods', { start: '2026-01-01', end: '2026-12-31' });
      await post('/journals', {
        periodId: ids['period'],
        date: '2026-03-01',
        statusId: 'posted',
        lines: [
          { accountId: ids['A0'], debit: 12.5 },
          { accountId: ids['A1'], credit: 12.5 },
        ],
      });
    }, 120_000);
    const run = (line = '') => runVerify(context, 'books', line);

    const spoil = async (...statements: readonly string[]): Promise<void> => {
      const database = await openDatabase(context.databaseUrl);
      for (const sql of statements) expect(await database.run(sql, []), sql).toBe(1);
      await database.close();
    };
    const sorted = (text: string): string[] => text.trimEnd().split('\n').sort();

    test('finds no difference if no row was changed by SQL', async () => {
      expect(await run()).toEqual({
        code: 0,
        stdout: '3 groups, 453 records: no differences\n',
      });
      expect((await run('journal closing')).stdout).toBe('1 group, 1 record: no differences\n');
    }, 60_000);

    test('lists each value that differs from its formula, and repairs all of them', async () => {
      await spoil(
        "update account set line_count = 7, state_id = 'overdrawn' where name = 'A0'",
        "update account set last_used_on = '2026-01-01' where name = 'A300'",
        "update account set balance = balance * 2 where name = 'A1'",
        "update account set sides_debits = sides_debits * 2 where name = 'A0'",
        'update period set is_reached = 1',
      );
      const { code, stdout } = await run();
      expect([code, ...sorted(stdout)]).toEqual([
        1,
        ...[
          '3 groups, 453 records: 6 differences; to repair: praxis verify --repair',
          `account ${ids['A0']} lineCount: 7 is stored, 1 is correct`,
          `account ${ids['A0']} stateId: overdrawn is stored, used is correct`,
          `account ${ids['A0']} sides.debits: 25 is stored, 12.5 is correct`,
          `account ${ids['A300']} lastUsedOn: 2026-01-01 is stored, null is correct`,
          `account ${ids['A1']} balance: -25 is stored, -12.5 is correct`,
          `period ${ids['period']} isReached: true is stored, false is correct`,
        ].sort(),
      ]);
      expect((await run('period')).code).toBe(1);
      expect((await run('journal')).code).toBe(0);
      const mended = await run('--repair');
      expect([mended.code, sorted(mended.stdout)[0]]).toEqual([
        0,
        '3 groups, 453 records: 6 differences, all repaired',
      ]);
      expect((await run()).stdout).toBe('3 groups, 453 records: no differences\n');
      const { body } = await context.call('GET', `/accounts/${ids['A1']}`);
      expect(body).toMatchObject({ balance: -12.5, total: -12.5, stateId: 'overdrawn' });
    }, 60_000);

    test('repairs sums of sums, including the sum that is read first', async () => {
      await spoil(
        "update account set total = balance where name = 'A449'",
        "update account set balance = total * 3 where name = 'A0'",
        "update account set total = 0 where name = 'top'",
      );
      const mended = await run('account --repair --json');
      const lines = mended.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json);
      expect(lines.at(-1)).toEqual({ groups: 1, records: 451, differences: lines.length - 1, left: 0, frozen: 0 });
      expect(lines).toContainEqual({
        group: 'account',
        id: ids['A0'],
        field: 'balance',
        kept: '37.5',
        right: '12.5',
        repaired: true,
      });
      expect((await context.call('GET', `/accounts/${ids['top']}`)).body).toMatchObject({ balance: 0, total: 12.5 });
      expect((await run()).code).toBe(0);
    }, 60_000);

    test('logs repairs, and the changes of other records that follow', async () => {
      const above = await post('/accounts', { name: 'above' });
      const below = await post('/accounts', { name: 'below', parentId: above });
      // The sum above fits what is kept below, and moves with it.
      await spoil(
        "update account set total = 9 where name = 'below'",
        "update account set total = 9 where name = 'above'",
      );
      const entries = await entriesOf(context, () => run('account --repair'));
      expect(entries).toMatchObject([
        { id: below, cause: { kind: 'repair' }, changes: { total: { to: 0 } } },
        {
          id: above,
          cause: { kind: 'figure', rule: 'formula', of: { group: 'account', id: below } },
          changes: { total: { to: 0 } },
        },
      ]);
    }, 60_000);

    test('suggests the nearest group for an unknown name', async () => {
      expect(await run('acount')).toEqual({
        code: 1,
        stdout: '',
        fault: '"acount" is not a group; did you mean "account"?',
      });
    }, 60_000);
  },
  'books',
  { parts: { changes: 90 } },
);
