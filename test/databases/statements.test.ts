// How many statements each operation takes, whatever the number of records, and along which index pages are read.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { type Endpoint, endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Field, Operation } from '../../src/registry/model/model.ts';
import { parseBody } from '../../src/request/body.ts';
import type { Intent } from '../../src/request/intent.ts';
import { parseAddress } from '../../src/request/parse.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { inPages } from '../../src/storage/schema/in-pages.ts';
import { type Database, oneByOne, type Session, type Together } from '../../src/storage/schema/session.ts';
import { orderIndex, tableName, tablesOf } from '../../src/storage/schema/tables.ts';
import { newIdAt } from '../../src/values/id.ts';
import { everydayRecords, everydayWrites } from '../support/data/everyday.ts';
import { RecordMaker } from '../support/data/records.ts';
import { databases } from '../support/databases/databases.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { folders, isObject, type Json } from '../support/service/praxis.ts';

interface Asked {
  readonly sql: string;
  readonly values: readonly Bound[];
  /** How many rows came back; 0 until then. */
  rows: number;
}

/** What happens behind the next statement that writes to a table, as another caller might do it. */
interface Meanwhile {
  act: ((sql: string) => Promise<void>) | undefined;
}

/** Notes every statement that goes to a database, inside transactions and outside. */
function watch(database: Database, asked: Asked[], meanwhile: Meanwhile): void {
  const watched = (session: Session): Session => ({
    all: async (sql, values) => {
      const one: Asked = { sql, values, rows: 0 };
      asked.push(one);
      const rows = await session.all(sql, values);
      one.rows = rows.length;
      return rows;
    },
    run: async (sql, values) => {
      asked.push({ sql, values, rows: 0 });
      const count = await session.run(sql, values);
      await meanwhile.act?.(sql);
      return count;
    },
  });
  const { all, run, transact } = database;
  const outside = watched({ all: all.bind(database), run: run.bind(database) });
  Object.assign(database, {
    ...outside,
    together: (statements: Together) => oneByOne(outside, statements),
    transact: (work: Parameters<typeof transact>[0]) => transact.call(database, (session) => work(watched(session))),
  });
}

const caller = { tokenId: 'T', memberId: null };
const rowCount = 2400;
const ownerCount = 12;
const isList = (field: Field): boolean =>
  field.shown && (field.kind === 'references' || (field.kind === 'objects' && !field.isEmbedded));

for (const { name, isThere, isServer, open } of databases) {
  describe.skipIf(!isThere)(`statements (${name})`, () => {
    const asked: Asked[] = [];
    const meanwhile: Meanwhile = { act: undefined };
    const closing: (() => Promise<void> | void)[] = [];
    let workspace: Workspace;
    let endpoints: readonly Endpoint[] = [];
    let owners: string[] = [];
    let ids: string[] = [];

    beforeAll(async () => {
      const made = await open('praxis_statements');
      workspace = await openQuietly({
        databaseUrl: made.url,
        resources: folders.product,
      });
      closing.push(() => workspace.close(), made.drop);
      endpoints = endpointsOf(workspace.registry);
      owners = [];
      for (let n = 0; n < ownerCount; n += 1)
        owners.push(
          String(
            (await execute('create', 'member', { body: { name: `Owner ${n}`, email: `o${n}@example.com` } }))['id'],
          ),
        );
      const tags = [String((await execute('create', 'client-tag', { body: { name: 'One' } }))['id'])];
      const client = await execute('create', 'client', { body: { name: 'Pattern', ownerId: owners[0], tagIds: tags } });
      ids = await multiply(workspace, String(client['id']), owners);
      watch(workspace.database, asked, meanwhile);
    }, 60_000);

    afterAll(async () => {
      for (const close of closing) await close();
    }, 60_000);

    /** Does what a request would, without HTTP. @returns the body of the answer. */
    async function execute(
      operation: Operation,
      group: string,
      { id = '', query = '', body }: { id?: string; query?: string; body?: Json } = {},
    ): Promise<Json> {
      const endpoint = endpoints.find((each) => each.resource.name === group && each.operation === operation);
      if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
      const parsed =
        body === undefined
          ? undefined
          : parseBody(endpoint.resource, operation === 'create' ? 'create' : 'update', body);
      asked.length = 0;
      const outcome = await workspace.engine.execute({
        endpoint,
        caller,
        ...parseAddress(endpoint, id, query),
        body: parsed,
      });
      const answer: unknown = outcome.body === undefined ? {} : JSON.parse(outcome.body.toString());
      return isObject(answer) ? answer : {};
    }

    const countLists = (fields: readonly Field[]): number =>
      fields
        .filter(isList)
        .reduce((sum, field) => sum + 1 + (field.kind === 'objects' ? countLists(field.fields) : 0), 0);
    /** Lists of a group, and of the items of these. */
    const listsOf = (group: string): number => countLists(workspace.registry.resources.get(group)?.fields ?? []);

    test('a page takes one statement, and one more for each list and each figure at read, whatever its size', async () => {
      for (const { name: group, operations } of workspace.registry.resources.values()) {
        if (!operations.has('list')) continue;
        for (const limit of [1, 10, 100]) {
          const page = await execute('list', group, { query: `limit=${limit}` });
          const atRead = workspace.registry.resources
            .get(group)
            ?.fields.filter(({ figure }) => figure?.taken === 'atRead');
          expect(asked.length, `${group}, limit ${limit}`).toBeLessThanOrEqual(
            1 + listsOf(group) + (atRead?.length ?? 0),
          );
          if (group === 'client') expect(page['results']).toHaveLength(limit);
          if (group === 'client') expect(asked).toHaveLength(1 + listsOf(group));
        }
      }
    });

    test('no statement reads more rows than others can wait for, but for one record', async () => {
      const clientId = (await execute('create', 'client', { body: { name: 'Long' } }))['id'];
      const lines = Array.from({ length: 900 }, () => ({ kindId: 'services', quantity: 1, rate: 1, taxable: false }));
      for (let n = 0; n < 5; n += 1) await execute('create', 'invoice', { body: { clientId, lines } });
      const page = await execute('list', 'invoice', { query: `limit=100&clientId=${String(clientId)}` });
      expect((page['results'] as Json[]).map((invoice) => (invoice['lines'] as Json[]).length)).toEqual(
        Array.from({ length: 5 }, () => 900),
      );
      expect(Math.max(...asked.map(({ rows }) => rows))).toBeLessThanOrEqual(2001);
      // Other tests look at pages of invoices of their own.
      for (const { id } of page['results'] as { id: string }[]) await execute('delete', 'invoice', { id });
    }, 60_000);

    test('a page with filters and cursors takes no more', async () => {
      for (const query of [
        `ownerId=${owners[3]}`,
        'nameContains=tt',
        'nameEndsWith=tern&recordStatusId=active',
        `startingAfter=${ids[500]}`,
        `endingBefore=${ids[500]}`,
        `startingAfter=${ids[500]}&ownerId=${owners[3]}&recordStatusId=active`,
      ]) {
        await execute('list', 'client', { query: `limit=100&${query}` });
        expect(asked.length, query).toBeLessThanOrEqual(1 + listsOf('client'));
      }
    });

    test('a search that finds nothing reads in slices, between which others read', async () => {
      const search = execute('list', 'client', { query: 'nameContains=nowhere' });
      await execute('get', 'client', { id: String(ids[0]) });
      expect(await search).toEqual({ results: [], hasMore: false });
      // Noted from the record on, which was asked for after the first slice.
      expect(asked.findLastIndex(({ sql }) => /instr|locate/.test(sql))).toBeGreaterThan(0);
      expect(asked[0]?.sql).not.toMatch(/instr|locate/);
    });

    test('a record takes one statement, and one more for each list', async () => {
      await execute('get', 'client', { id: String(ids[0]) });
      expect(asked).toHaveLength(1 + listsOf('client'));
      await execute('get', 'workspace-settings');
      expect(asked).toHaveLength(1);
    });

    test('lists inside lists, and what names them, take as many statements for many as for few', async () => {
      const clientId = (await execute('create', 'client', { body: { name: 'Billed' } }))['id'];
      const project = { name: 'Billed', clientId, billingTypeId: 'tm', currency: 'USD' };
      const projectId = (await execute('create', 'project', { body: project }))['id'];
      const invoiceItemId = (await execute('create', 'invoice-item', { body: { name: 'Billed' } }))['id'];
      const item = { date: '2026-02-02', description: 'Item', fee: 1, projectId, invoiceItemId };
      const made: unknown[] = [];
      for (let n = 0; n < 64 + 16; n += 1)
        made.push((await execute('create', 'project-service-item', { body: item }))['id']);
      const linesOf = (ids: readonly unknown[], lines: number) =>
        Array.from({ length: lines }, (_value, place) => ({
          ...{ amount: 1, taxable: false, projectId },
          sources: ids.filter((_id, n) => n % lines === place).map((id) => ({ typeId: 'project_service_item', id })),
        }));
      const counts: number[][] = [];
      for (const [ids, lines] of [
        [made.slice(0, 16), 4],
        [made.slice(16), 16],
      ] as const) {
        const body = { clientId, lines: linesOf(ids, lines) };
        const count = [];
        const { id } = await execute('create', 'invoice', { body });
        count.push(asked.length);
        await execute('update', 'invoice', { id: String(id), body: { statusId: 'issued' } });
        count.push(asked.length);
        await execute('get', 'invoice', { id: String(id) });
        expect(asked).toHaveLength(1 + listsOf('invoice'));
        counts.push(count);
      }
      expect(counts[1]).toEqual(counts[0]);
      await execute('list', 'invoice', { query: 'limit=100' });
      expect(asked).toHaveLength(1 + listsOf('invoice'));
      // Lines, their sources, projects, payments and credit notes.
      expect(listsOf('invoice')).toBe(5);
    });

    test('the other side of a reference takes one statement a page', async () => {
      const memberId = owners[1];
      const { id: timeOffTypeId } = await execute('create', 'time-off-type', { body: { name: 'Study' } });
      for (const date of ['2026-02-02', '2026-02-09']) {
        await execute('create', 'time-entry', { body: { memberId, timeOffTypeId, date, minutes: 60 } });
        await execute('create', 'timesheet', { body: { memberId, start: date, end: date } });
      }
      await execute('list', 'timesheet');
      expect(asked).toHaveLength(2);
    });

    test('the rates of a day take the settings and two statements, however many currencies there are', async () => {
      const currencies = ['AUD', 'BRL', 'CAD', 'CHF', 'EUR', 'GBP', 'USD'];
      await execute('update', 'workspace-settings', { body: { currencies } });
      for (const toCurrency of currencies.slice(0, -1)) {
        const period = { fromCurrency: 'USD', toCurrency, start: '2026-01-01', end: '2026-12-31', rate: 2 };
        await execute('create', 'exchange-rate-period', { body: period });
      }
      const { rates } = await execute('get', 'exchange-rate', { query: 'date=2026-06-30&fromCurrency=EUR' });
      expect(rates).toHaveLength(currencies.length);
      expect(asked).toHaveLength(3);
      await execute('get', 'exchange-rate');
      expect(asked).toHaveLength(3);
    });

    test('an update of plain fields takes one statement and the reading of the answer', async () => {
      await execute('update', 'client', { id: String(ids[0]), body: { notes: 'New', code: 'C1' } });
      expect(asked).toHaveLength(2 + listsOf('client'));
      const { id } = await execute('create', 'job-title', { body: { name: 'Plain' } });
      await execute('update', 'job-title', { id: String(id), body: { name: 'Plainer', isActive: false } });
      expect(asked).toHaveLength(2);
      await execute('update', 'job-title', { id: String(id), body: {} });
      expect(asked).toHaveLength(1);
    });

    test('a create of one row takes one statement', async () => {
      await execute('create', 'job-title', { body: { name: 'Single' } });
      expect(asked).toHaveLength(1);
    });

    test('a create whose record goes before it is read answers as one that came too late, not 404', async () => {
      const { id } = await execute('create', 'client', { body: { name: 'Short-lived' } });
      meanwhile.act = async (sql) => {
        if (!/^insert into .project_group/.test(sql)) return;
        meanwhile.act = undefined;
        await execute('delete', 'client', { id: String(id) });
      };
      await expect(execute('create', 'project-group', { body: { name: 'Late', clientId: id } })).rejects.toMatchObject({
        status: 400,
        errors: ["'clientId' does not refer to an existing Client"],
      });
    });

    test('a key is found in few statements, however many are taken', async () => {
      const counts: number[] = [];
      for (let count = 1; count <= 40; count += 1) {
        const made = await execute('create', 'client', { body: { name: 'Twin' } });
        expect(made['key']).toBe(count === 1 ? 'twin' : `twin-${count}`);
        counts.push(asked.length);
      }
      expect((counts.at(-1) ?? 0) - (counts[0] ?? 0)).toBeLessThanOrEqual(5);
    });

    test('a payment takes as many statements as the one before, whatever has been paid', async () => {
      const client = await execute('create', 'client', { body: { name: 'Payer' } });
      const body = { clientId: client['id'], statusId: 'issued', lines: [{ amount: 500 }] };
      const invoice = await execute('create', 'invoice', { body });
      const counts: number[] = [];
      for (let count = 1; count <= 10; count += 1) {
        const part = { id: invoice['id'], amount: 7 };
        await execute('create', 'payment', { body: { clientId: client['id'], amount: 7, invoices: [part] } });
        counts.push(asked.length);
      }
      const paid = await execute('get', 'invoice', { id: String(invoice['id']) });
      expect(paid['amountPaid']).toBe(70);
      expect(paid['payments']).toHaveLength(10);
      // The texts of statements that write many rows come in powers of two.
      expect((counts.at(-1) ?? 0) - (counts[0] ?? 0)).toBeLessThanOrEqual(4);
    });

    test('writes take so many statements, and no more', async () => {
      const make = async (group: string, body: Json): Promise<string> =>
        String((await execute('create', group, { body }))['id']);
      const counts: Readonly<Record<string, readonly [create: number, update: number]>> = {
        // The first reads the revision of the schema. Where others write too, what records have in common is locked, and what is
        // locked late is read again behind that.
        'project-member': isServer ? [9, 8] : [8, 7],
        // Tasks and invoices look at the day that was reached.
        task: [isServer ? 12 : 7, 7],
        'time-entry': isServer ? [13, 13] : [12, 12],
        allocation: [isServer ? 15 : 12, 11],
        'expense-item': [7, 7],
        invoice: [isServer ? 17 : 16, 19],
        // The last is a version for a list that changes alone.
        payment: [14, isServer ? 16 : 14],
      };
      const counted: Record<string, readonly number[]> = {};
      for (const { group, create, update } of await everydayWrites(make)) {
        const { id } = await execute('create', group, { body: create });
        const made = asked.length;
        await execute('update', group, { id: String(id), body: update });
        counted[group] = [made, asked.length];
      }
      // Without the beginning and the end of the transaction, which are one each.
      expect(counted).toEqual(counts);
    });

    test('a create of each group takes as many statements as the text says that is checked in', async () => {
      const resources = [...workspace.registry.resources.values()];
      const operationOf: Readonly<Record<string, Operation>> = { GET: 'list', POST: 'create', PATCH: 'update' };
      const maker = new RecordMaker(workspace.registry, async (method, line, sent) => {
        const [path, query = ''] = line.split('?');
        const group = resources.find((resource) => resource.path === path)?.name ?? '';
        const request = { query, ...(sent !== undefined && { body: sent as Json }) };
        return {
          status: 200,
          headers: {},
          body: await execute(operationOf[method] ?? 'get', group, request),
          text: '',
        };
      });
      const lines: string[] = [];
      for (const { name: group, operations } of resources) {
        if (!operations.has('create')) continue;
        const body = await maker.bodyOf(group, {}, 'all');
        await execute('create', group, { body });
        lines.push(`${group} ${asked.length}\n`);
      }
      await expect(lines.join('')).toMatchFileSnapshot(`statements-${isServer ? 'server' : 'sqlite'}.txt`);
    }, 180_000);

    test('creates of a batch are one transaction and few statements, however many they are', async () => {
      const transact = vi.spyOn(workspace.database, 'transact');
      try {
        const endpoint = endpoints.find(({ operationId }) => operationId === 'createJobTitle');
        if (endpoint === undefined) throw new Error('there are no job titles');
        const counts: number[] = [];
        for (const count of [10, 1000]) {
          const intentOf = (place: number): Intent => ({
            endpoint,
            caller,
            ...parseAddress(endpoint, '', ''),
            body: parseBody(endpoint.resource, 'create', { name: `Title ${place} of ${count}` }),
          });
          transact.mockClear();
          asked.length = 0;
          const plan = {
            problemFormat: 'plain' as const,
            count,
            isAtomic: true,
            isReading: false,
            writes: Array<boolean>(count).fill(true),
            intentOf,
          };
          await workspace.engine.executeAll(plan, { caller, options: { isTrial: false } });
          expect(transact).toHaveBeenCalledOnce();
          counts.push(asked.length);
        }
        const made = await workspace.database.all("select count(*) from job_title where name like 'Title %'", []);
        expect(Number(made[0]?.[0])).toBe(1010);
        // One of them reads the revision of the schema.
        expect(counts).toEqual([2, 11]);
      } finally {
        transact.mockRestore();
      }
    });

    test('what the record alone tells guards nothing, and what is refused is never written', async () => {
      const make = async (group: string, body: Json): Promise<string> =>
        String((await execute('create', group, { body }))['id']);
      const { member, project, role } = await everydayRecords(make);
      const hours = { memberId: member, projectId: project, projectRoleId: role, date: '2026-02-03' };
      const guards = () => asked.filter(({ sql }) => /guard = guard/.test(sql)).length;
      const { id } = await execute('create', 'time-entry', { body: { ...hours, minutes: 600 } });
      // The day of the member, who is looked at by all that count; where one writes at a time there is nothing to guard.
      const once = isServer ? 1 : 0;
      expect(guards()).toBe(once);
      await execute('update', 'time-entry', { id: String(id), body: { minutes: 700 } });
      expect(guards()).toBe(once);
      // Neither the notes nor less time can fill a day.
      for (const body of [{ notes: 'Less' }, { minutes: 500 }, { statusId: 'pending_approval' }]) {
        await execute('update', 'time-entry', { id: String(id), body });
        expect([body, guards()]).toEqual([body, 0]);
      }
      await expect(execute('create', 'time-entry', { body: { ...hours, minutes: 1000 } })).rejects.toThrow();
      expect(asked.filter(({ sql }) => /^insert/.test(sql))).toEqual([]);
    });

    test('the flag that one record has is guarded by the row of the workspace', async () => {
      const guards = () => asked.filter(({ sql }) => /^update .workspace_settings. set guard/.test(sql)).length;
      await execute('create', 'holiday-schedule', { body: { name: 'First', isDefault: true } });
      expect(guards()).toBe(isServer ? 1 : 0);
      await execute('create', 'holiday-schedule', { body: { name: 'Second' } });
      expect(guards()).toBe(0);
    });

    test('a delete looks at the records that it would leave wanting page by page', async () => {
      const { id } = await execute('create', 'business-unit', { body: { name: 'Large' } });
      await workspace.database.run('update client set business_unit_id = ?', [String(id)]);
      const [newest] = ids;
      await execute('update', 'client', { id: String(newest), body: { invoiceDetailsSource: 'business_unit' } });
      await expect(execute('delete', 'business-unit', { id: String(id) })).rejects.toMatchObject({ status: 409 });
      expect(asked.filter(({ sql }) => /from .client/.test(sql)).length).toBeLessThan(10);
      await execute('update', 'client', { id: String(newest), body: { invoiceDetailsSource: 'workspace' } });
      await execute('delete', 'business-unit', { id: String(id) });
      const client = await execute('get', 'client', { id: String(newest) });
      expect(client['businessUnit']).toBeNull();
    });

    test('features that are switched at the same time are all switched', async () => {
      const names = ['pipeline', 'project_rate_cards', 'business_units'];
      for (const isOn of [false, true]) {
        await Promise.all(names.map((feature) => workspace.engine.switchFeature(feature, isOn)));
        const { features } = await execute('get', 'workspace-settings');
        expect(Array.isArray(features) && features.toSorted()).toEqual(isOn ? names.toSorted() : []);
      }
    });

    const place = (): string => String(ids[1200]);
    test.each([
      ['the first page', () => 'limit=100', orderIndex('client')],
      ['the next page', () => `limit=100&startingAfter=${place()}`, orderIndex('client')],
      ['the page before', () => `limit=100&endingBefore=${place()}`, orderIndex('client')],
      ['the first page of an owner', () => `ownerId=${owners[3]}`, 'client__owner_id_list'],
      ['the next page of an owner', () => `ownerId=${owners[3]}&startingAfter=${place()}`, 'client__owner_id_list'],
      ['the page before of an owner', () => `ownerId=${owners[3]}&endingBefore=${place()}`, 'client__owner_id_list'],
    ])('%s is read along its index, without sorting', async (_title, query, index) => {
      await execute('list', 'client', { query: query() });
      const [page] = asked;
      if (page === undefined) throw new Error('nothing was asked');
      if (workspace.database.dialect.name === 'sqlite') {
        const plan = (await workspace.database.all(`explain query plan ${page.sql}`, page.values)).map((row) =>
          String(row[3]),
        );
        expect(plan[0], plan.join('\n')).toMatch(new RegExp(`^(SEARCH|SCAN) t USING INDEX ${index}\\b`));
        expect(plan.join('\n')).not.toMatch(/TEMP B-TREE/);
        // Everything else is looked up by its id; the settings are one row.
        for (const line of plan.slice(1))
          expect(line).toMatch(
            /^SEARCH \w+ USING INDEX sqlite_autoindex_\w+ \(id=\?\)|^SCALAR SUBQUERY|^SCAN workspace_settings/,
          );
      } else {
        // id, select_type, table, type, possible_keys, key, key_len, ref, rows, Extra; MySQL has partitions and filtered too
        const own = (row: readonly unknown[]) =>
          name === 'MySQL' ? row.filter((_cell, n) => n !== 3 && n !== 10) : row;
        const plan = (
          await workspace.database.all(
            `explain ${name === 'MySQL' ? 'format=traditional ' : ''}${page.sql}`,
            page.values,
          )
        )
          .map(own)
          .map((row) => ({
            table: row[2],
            type: row[3],
            key: row[5],
            extra: String(row[9]),
          }));
        const main = plan.find(({ table }) => table === 't');
        expect(main?.key, JSON.stringify(plan)).toBe(index);
        expect(main?.type).not.toBe('ALL');
        for (const { extra } of plan) expect(extra).not.toMatch(/filesort|temporary/);
      }
    });
  });
}

/** Copies of one client, spread over the owners, straight into its tables. @returns their ids, newest first. */
async function multiply(
  { registry, database }: Workspace,
  pattern: string,
  owners: readonly string[],
): Promise<string[]> {
  const table = tablesOf(registry).find(({ name }) => name === tableName('client'));
  const columns = table?.columns.map((column) => column.name) ?? [];
  const mark = database.dialect.name === 'sqlite' ? '"' : '`';
  const names = columns.map((column) => `${mark}${column}${mark}`).join(', ');
  const [row] = await database.all(`select ${names} from client where id = ?`, [pattern]);
  const start = Date.UTC(2024, 0, 1);
  const ids = Array.from({ length: rowCount }, (_value, n) => newIdAt(start + Math.floor(n / 4) * 1000, n));
  const change = (n: number): Record<string, Bound> => ({
    id: String(ids[n]),
    key: `copy-${n}`,
    key_key: randomBytes(32),
    created_at:
      database.dialect.name === 'sqlite'
        ? new Date(start + Math.floor(n / 4) * 1000).toISOString()
        : new Date(start + Math.floor(n / 4) * 1000).toISOString().slice(0, 23).replace('T', ' '),
    owner_id: owners[n % owners.length] ?? null,
  });
  const size = 100;
  for (let n = 0; n < rowCount; n += size) {
    const values = Array.from({ length: size }, (_value, at) => {
      const changed = change(n + at);
      return columns.map((column, position): Bound => changed[column] ?? row?.[position] ?? null);
    });
    const places = values.map((each) => `(${each.map(() => '?').join(', ')})`).join(', ');
    await database.transact((session) => session.run(`insert into client (${names}) values ${places}`, values.flat()));
  }
  if (database.dialect.name === 'mysql') await database.script(['analyze table client']);
  return ids.toReversed();
}

test.each([
  [
    'as many statements as there are parts',
    { hasOneWriter: true, limit: 20_000, there: 7000 },
    [
      [5000, 0],
      [5000, 5000],
    ],
  ],
  [
    'one more where the last part is whole',
    { hasOneWriter: true, limit: 20_000, there: 5000 },
    [
      [5000, 0],
      [5000, 5000],
    ],
  ],
  [
    'no more than the limit',
    { hasOneWriter: true, limit: 6000, there: 9000 },
    [
      [5000, 0],
      [1000, 5000],
    ],
  ],
  ['one where the limit is a part', { hasOneWriter: true, limit: 5000, there: 9000 }, [[5000, 0]]],
  ['one of a server', { hasOneWriter: false, limit: 20_000, there: 7000 }, [[20_000, 0]]],
] as const)('very many rows take %s', async (_takes, { hasOneWriter, limit, there }, expected) => {
  const asked: (readonly [limit: number, offset: number])[] = [];
  const pages = inPages({ hasOneWriter }, limit, async (page) => {
    asked.push([page.limit, page.offset]);
    return Array(Math.max(0, Math.min(page.limit, there - page.offset))).fill([1]);
  });
  let rows = 0;
  for await (const page of pages) rows += page.length;
  expect(asked).toEqual(expected);
  expect(rows).toBe(Math.min(limit, there));
});
