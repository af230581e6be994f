// A write is a value: what a request changes in the database is what its changes say, and nothing else.
import { afterEach, expect, test, vi } from 'vitest';
import type { Change } from '../../src/engine/changes/change.ts';
import { Writer } from '../../src/engine/changes/writer.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import type { Values } from '../../src/registry/model/model.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { isStored, listTablesOf } from '../../src/storage/schema/tables.ts';
import { type Context, onEveryDatabase } from '../support/service/praxis.ts';

type Snapshot = Map<string, Values>;

/** All records of all groups with their lists, as `group/id`. */
async function snapshotOf({ registry, databaseUrl }: Context): Promise<Snapshot> {
  const database = await openDatabase(databaseUrl);
  const groups = new Groups(registry, rules, database.dialect);
  const all: Snapshot = new Map();
  for (const resource of registry.resources.values()) {
    if (!isStored(resource)) continue;
    const { rows } = groups.get(resource.name);
    const records = await rows.list(database, {});
    const ids = records.map(({ id }) => String(id));
    for (const { field } of listTablesOf(resource)) {
      const lists = await rows.listOf(field)?.readMany(database, ids);
      for (const record of records) record[field.key] = lists?.get(String(record['id'])) ?? [];
    }
    for (const record of records) all.set(`${resource.name}/${record['id']}`, record);
  }
  await database.close();
  return all;
}

/** What the changes make of the records. */
function applied(before: Snapshot, changes: readonly Change[], after: Snapshot): Snapshot {
  const made = structuredClone(before);
  for (const change of changes) {
    const name = `${change.group}/${change.id}`;
    if (change.kind === 'delete') made.delete(name);
    else {
      const keys = change.kind === 'create' ? Object.keys(after.get(name) ?? {}) : change.keys;
      const known = change.kind === 'create' ? {} : made.get(name);
      if (known === undefined) throw new Error(`${name} is changed, and is not there`);
      made.set(name, { ...known, ...Object.fromEntries(keys.map((key) => [key, change.after[key] ?? null])) });
    }
  }
  return made;
}

/** A change in few words: `update invoice (amountPaid, payments) as a figure of settlement on payment`. */
function wordsOf(change: Change): string {
  const { kind, group, cause } = change;
  const keys = kind === 'update' ? ` (${change.keys.toSorted().join(', ')})` : '';
  if (cause.kind === 'caller') return `${kind} ${group}${keys}`;
  const rule = 'rule' in cause ? ` of ${cause.rule}` : '';
  return `${kind} ${group}${keys}: ${cause.kind}${rule} on ${cause.of.group}`;
}

onEveryDatabase(
  'a write is a value',
  (context) => {
    afterEach(() => void vi.restoreAllMocks());

    /** What a request changes, once it is seen that the database holds just that. */
    async function changesOf(method: string, path: string, body?: object): Promise<readonly Change[]> {
      const before = await snapshotOf(context);
      const carryOut = vi.spyOn(Writer.prototype, 'carryOut');
      const alone = [vi.spyOn(Writer.prototype, 'insertion'), vi.spyOn(Writer.prototype, 'blindUpdate')];
      const answer = await context.call(method, path, body);
      expect(answer.status, answer.text).toBeLessThan(300);
      const statements = alone.flatMap(({ mock }) => mock.calls.map(([change]): Change => change));
      const changes = [...carryOut.mock.calls.flatMap(([, carried]) => carried), ...statements];
      for (const spy of [carryOut, ...alone]) spy.mockRestore();
      const after = await snapshotOf(context);
      expect(applied(before, changes, after)).toEqual(after);
      for (const change of changes)
        if (change.kind === 'update' && change.before !== undefined)
          for (const key of change.keys)
            expect(change.before[key], `${change.group}.${key}`).not.toEqual(change.after[key]);
      return changes;
    }

    const inWords = async (method: string, path: string, body?: object): Promise<string[]> =>
      (await changesOf(method, path, body)).map(wordsOf);

    test('a record of one row is one change, made or updated', async () => {
      expect(await inWords('POST', '/industries', { name: 'Glass' })).toEqual(['create industry']);
      const { id } = await context.make('industry');
      expect(await inWords('PATCH', `/industries/${id}`, { name: 'Steel' })).toEqual(['update industry (name)']);
      expect(await inWords('PATCH', `/industries/${id}`, {})).toEqual([]);
      expect(await inWords('DELETE', `/industries/${id}`)).toEqual(['delete industry']);
    });

    test('a payment changes the figures of its invoices, and their state only where it does', async () => {
      const client = await context.make('client');
      const lines = [{ amount: 100 }];
      const invoice = await context.make('invoice', { clientId: client.id, statusId: 'issued', lines });
      const pay = (amount: number) => ({ clientId: client.id, amount, invoices: [{ id: invoice.id, amount }] });
      expect(await inWords('POST', '/payments', pay(40))).toEqual([
        'create payment',
        'update invoice (amountDue, amountPaid, payments): figure of formula on payment',
      ]);
      expect(await inWords('POST', '/payments', pay(60))).toEqual([
        'create payment',
        'update invoice (amountDue, amountPaid, dueStatusId, modifiedAt, payments, statusId): effect of formula on payment',
      ]);
    });

    test('an invoice marks what it bills, all in one run', async () => {
      const project = await context.make('project', { billingTypeId: 'tm', useRoles: false });
      const member = await context.make('member');
      await context.make('project-member', { projectId: project.id, memberId: member.id });
      const entries = [];
      for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
        const hours = { projectId: project.id, memberId: member.id, date, minutes: 60, isBillable: true };
        entries.push(await context.make('time-entry', { ...hours, statusId: 'approved' }));
      }
      const sources = entries.map(({ id }) => ({ typeId: 'time_entry', id }));
      const lines = [{ projectId: project.id, amount: 300, sources }];
      const { id: clientId } = project['client'] as { id: string };
      expect(await inWords('POST', '/invoices', { clientId, statusId: 'issued', lines })).toEqual([
        'create invoice',
        ...entries.map(() => 'update time-entry (invoiceId, invoiced): figure of formula on invoice'),
      ]);
    });

    test('what an effect makes and changes passes its own stages, each told with its cause', async () => {
      const words = await inWords('POST', '/members', { name: 'Grace', email: `grace-${Date.now()}@example.com` });
      expect(words[0]).toBe('create member');
      expect(words.slice(1).every((word) => /^create \S+: effect of effects on member$/.test(word))).toBe(true);
      expect(words.length).toBeGreaterThan(2);
    });

    test('the flag that moves is taken from its holder', async () => {
      await context.make('holiday-schedule', { isDefault: true });
      const { id } = await context.make('holiday-schedule');
      expect(await inWords('PATCH', `/holiday-schedules/${id}`, { isDefault: true })).toEqual([
        'update holiday-schedule (isDefault)',
        'update holiday-schedule (isDefault): effect of oneDefault on holiday-schedule',
      ]);
    });

    test('a delete tells of all that goes with the record, and of all that forgets it', async () => {
      const tag = await context.make('client-tag');
      const other = await context.make('client-tag');
      for (const tagIds of [[tag.id], [other.id, tag.id], [other.id]]) await context.make('client', { tagIds });
      const changes = await changesOf('DELETE', `/client-tags/${tag.id}`);
      expect(changes.map(wordsOf)).toEqual([
        ...['update client (tagIds): clear on client-tag', 'update client (tagIds): clear on client-tag'],
        'delete client-tag',
      ]);
      const lists = changes.flatMap((change) => (change.kind === 'update' ? [[change.before, change.after]] : []));
      expect(lists).toContainEqual([{ tagIds: [other.id, tag.id] }, { tagIds: [other.id] }]);

      const industry = await context.make('industry');
      for (let count = 0; count < 3; count += 1) await context.make('client', { industryId: industry.id });
      expect(await inWords('DELETE', `/industries/${industry.id}`)).toEqual([
        ...['', '', ''].map(() => 'update client (industryId): clear on industry'),
        'delete industry',
      ]);

      const member = await context.make('member');
      const words = await inWords('DELETE', `/members/${member.id}`);
      expect(words.at(-1)).toBe('delete member');
      expect(words.slice(0, -1).every((word) => /^delete \S+: cascade on member$/.test(word))).toBe(true);
      expect(words.length).toBeGreaterThan(3);
    });

    test('what is refused changes nothing', async () => {
      const carryOut = vi.spyOn(Writer.prototype, 'carryOut');
      const client = await context.make('client');
      carryOut.mockClear();
      const body = { clientId: client.id, amount: 10, invoices: [{ id: client.id, amount: 20 }] };
      expect((await context.call('POST', '/payments', body)).status).toBe(400);
      expect(carryOut.mock.calls).toEqual([]);
    });
  },
  'product',
);
