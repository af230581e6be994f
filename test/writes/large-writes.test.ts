// Writes that many other records hang on: what they take grows with the number of portions, never with each record, and
// what is too much is told before anything is done.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { type Endpoint, endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Operation } from '../../src/registry/model/model.ts';
import { parseBody } from '../../src/request/body.ts';
import { parseAddress } from '../../src/request/parse.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { copyRecord } from '../support/databases/many.ts';
import { noteTransactions } from '../support/databases/noted.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { folders, grounds, isObject, type Json } from '../support/service/praxis.ts';

const recordsPerWrite = 5000;

for (const { name, open } of grounds) {
  describe.skipIf(open === undefined)(`large writes (${name})`, () => {
    const asked: string[] = [];
    let workspace: Workspace;
    let close: () => Promise<void>;
    let endpoints: readonly Endpoint[];

    beforeAll(async () => {
      const made = await open?.();
      if (made === undefined) throw new Error('There is no database.');
      workspace = await openQuietly({
        databaseUrl: made.url,
        resources: folders.large,
        recordsPerWrite,
        setup: { workspaceName: 'Archive', workspaceCurrency: 'EUR', adminName: undefined, adminEmail: undefined },
      });
      close = async () => {
        await workspace.close();
        await made.close();
      };
      endpoints = endpointsOf(workspace.registry);
      noteTransactions(workspace.database, asked);
    }, 60_000);
    afterAll(() => close(), 60_000);

    /** Does what a request would. @returns the body of the answer */
    async function execute(operation: Operation, group: string, { id = '', body }: { id?: string; body?: Json } = {}) {
      const endpoint = endpoints.find((each) => each.resource.name === group && each.operation === operation);
      if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
      const mode = operation === 'create' ? 'create' : 'update';
      const parsed = body && parseBody(endpoint.resource, mode, body);
      asked.length = 0;
      const outcome = await workspace.engine.execute({
        endpoint,
        caller: { tokenId: 'T', memberId: null },
        ...parseAddress(endpoint, id, ''),
        body: parsed,
      });
      const answer: unknown = outcome.body === undefined ? {} : JSON.parse(outcome.body.toString());
      return isObject(answer) ? answer : {};
    }
    const make = async (group: string, body: Json): Promise<string> =>
      String((await execute('create', group, { body: { name: group, ...body } }))['id']);
    const many = (group: string, id: string, count: number, change?: (place: number) => Record<string, Bound>) =>
      copyRecord(workspace, { group, id, count: count - 1 }, change);
    const countOf = async (table: string, where = '1 = 1', values: readonly Bound[] = []): Promise<number> =>
      Number((await workspace.database.all(`select count(*) from ${table} where ${where}`, values))[0]?.[0]);
    const shown = (group: string, id: string) => execute('get', group, { id });

    /** A box of so many leaves, of which so many lie on another one and each has a mark. */
    async function boxOf(count: number) {
      const boxId = await make('box', {});
      const leafId = await make('leaf', { boxId });
      const ids = await many('leaf', leafId, count);
      await many('mark', await make('mark', { leafId }), count, (place) => ({ leaf_id: ids[place] ?? leafId }));
      return { boxId, ids };
    }

    test('a delete takes as many statements as it has portions, however many records go along', async () => {
      const counts: number[] = [];
      for (const count of [1000, 2000]) {
        const { boxId } = await boxOf(count);
        await execute('delete', 'box', { id: boxId });
        counts.push(asked.length);
        expect([await countOf('box', 'id = ?', [boxId]), await countOf('leaf'), await countOf('mark')]).toEqual([
          0, 0, 0,
        ]);
      }
      const [few = 0, more = 0] = counts;
      expect(few).toBeLessThan(60);
      expect(more).toBeLessThan(2 * few);
    }, 60_000);

    test('records that lie on each other go from the top down', async () => {
      const { boxId, ids } = await boxOf(600);
      for (const [place, id] of ids.entries())
        if (place % 3 > 0)
          await workspace.database.run('update leaf set above_id = ? where id = ?', [ids[place - 1] ?? null, id]);
      await execute('delete', 'box', { id: boxId });
      expect([await countOf('leaf'), await countOf('mark')]).toEqual([0, 0]);
    }, 60_000);

    test('records that lie on each other in a circle go together, and so does one that lies on itself', async () => {
      const boxId = await make('box', {});
      const leaf = (aboveId: string | null) => make('leaf', { boxId, aboveId });
      const left = () => countOf('leaf', 'box_id = ?', [boxId]);
      const change = (id: string, aboveId: string) => execute('update', 'leaf', { id, body: { aboveId } });
      const first = await leaf(null);
      const third = await leaf(await leaf(first));
      await change(first, third);
      const alone = await leaf(null);
      await change(alone, alone);
      const other = await leaf(null);
      for (const id of [first, alone]) await execute('delete', 'leaf', { id });
      expect(await left()).toBe(1);
      await change(other, await leaf(other));
      await execute('delete', 'box', { id: boxId });
      expect(await left()).toBe(0);
    });

    test('what names the record and stays is let go of in portions', async () => {
      const counts: number[] = [];
      for (const count of [1000, 4000]) {
        const boxId = await make('box', {});
        await many('pin', await make('pin', { boxId }), count);
        await execute('delete', 'box', { id: boxId });
        counts.push(asked.length);
        expect(await countOf('pin', 'box_id is not null')).toBe(0);
      }
      const [few = 0, more = 0] = counts;
      expect([few < 20, more <= 4 * few]).toEqual([true, true]);
    }, 60_000);

    test('sums of others are brought up to date once, by what has gone', async () => {
      const folderId = await make('folder', {});
      const [drawerId, other] = [await make('drawer', {}), await make('drawer', {})];
      const paperId = await make('paper', { amount: 2, folderId, drawerId });
      await make('paper', { amount: 5, folderId: await make('folder', {}), drawerId });
      await many('paper', paperId, 1000);
      await workspace.database.run(`update drawer set worth = ${name === 'SQLite' ? 20_050_000 : 2005} where id = ?`, [
        drawerId,
      ]);
      await execute('delete', 'folder', { id: folderId });
      expect(asked.filter((sql) => /^update .drawer. set .worth/.test(sql))).toHaveLength(1);
      expect([(await shown('drawer', drawerId))['worth'], (await shown('drawer', other))['worth']]).toEqual([5, 0]);
    }, 60_000);

    test('figures that look at one record are computed in portions, each to a value of its own', async () => {
      const counts: number[] = [];
      for (const count of [1000, 4000]) {
        const folderId = await make('folder', {});
        const rateId = await make('rate', { factor: 2 });
        const paperId = await make('paper', { amount: 1, folderId, rateId });
        const scale = name === 'SQLite' ? 10_000 : 1;
        const ids = await many('paper', paperId, count, (place) => ({ amount: (place + 2) * scale }));
        await execute('update', 'rate', { id: rateId, body: { factor: 3 } });
        counts.push(asked.length);
        for (const place of [0, 249, 250, 998])
          expect(await shown('paper', ids[place] ?? '')).toMatchObject({ amount: place + 2, cost: (place + 2) * 3 });
        expect(await shown('paper', paperId)).toMatchObject({ cost: 3 });
        await execute('delete', 'folder', { id: folderId });
      }
      const [few = 0, more = 0] = counts;
      expect([few < 40, more <= 4 * few]).toEqual([true, true]);
    }, 120_000);

    describe('too much', () => {
      const refused = (message: string) => ({ status: 409, code: 'too-many-records', message });

      test('a delete that would take too much along is refused, and nothing is done', async () => {
        const { boxId } = await boxOf(recordsPerWrite / 2 + 1);
        const before = [await countOf('leaf'), await countOf('mark')];
        const deleting = execute('delete', 'box', { id: boxId });
        await expect(deleting).rejects.toMatchObject(refused('The Box has too many Marks to be deleted at once.'));
        expect(asked.filter((sql) => /^(?:update|delete|insert)/.test(sql))).toEqual([]);
        expect([await countOf('leaf'), await countOf('mark')]).toEqual(before);
        // As many as may go do.
        await workspace.database.run('delete from mark where leaf_id = (select max(id) from leaf)', []);
        await workspace.database.run(
          'delete from leaf where id = (select id from (select max(id) as id from leaf) as l)',
          [],
        );
        await execute('delete', 'box', { id: boxId });
        expect([await countOf('leaf'), await countOf('mark')]).toEqual([0, 0]);
      }, 120_000);

      test('so is one that would let go of too many', async () => {
        const boxId = await make('box', {});
        await many('pin', await make('pin', { boxId }), recordsPerWrite + 1);
        await expect(execute('delete', 'box', { id: boxId })).rejects.toMatchObject(
          refused('The Box has too many Pins to be deleted at once.'),
        );
        expect(await countOf('pin', 'box_id = ?', [boxId])).toBe(recordsPerWrite + 1);
      }, 120_000);

      test('what is brought up to date beside it does not count as what goes along', async () => {
        const folderId = await make('folder', {});
        const drawerId = await make('drawer', {});
        await many('paper', await make('paper', { amount: 0, folderId, drawerId }), recordsPerWrite);
        await execute('delete', 'folder', { id: folderId });
        expect(await countOf('paper', 'folder_id = ?', [folderId])).toBe(0);
      }, 120_000);

      test('and a change that would have too much computed again', async () => {
        const rateId = await make('rate', { factor: 2 });
        const paperId = await make('paper', { amount: 1, folderId: await make('folder', {}), rateId });
        await many('paper', paperId, recordsPerWrite + 1);
        await expect(execute('update', 'rate', { id: rateId, body: { factor: 3 } })).rejects.toMatchObject(
          refused('The Rate has too many Papers to be changed at once.'),
        );
        expect(await shown('rate', rateId)).toMatchObject({ factor: 2 });
        expect(await countOf('paper', `cost = ${name === 'SQLite' ? 20_000 : 2}`)).toBe(recordsPerWrite + 1);
      }, 120_000);
    });
  });
}
