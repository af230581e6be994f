// Figures that come to records which are there already, or equal another formula than before.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { figuresOf } from '../../src/app/figures.ts';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { applyMigrations } from '../../src/migration/run/apply.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { verifiedBy } from '../support/databases/verify.ts';
import type { Call, Json } from '../support/service/client.ts';

const name = { type: 'string', maxLength: 100 };
const money = { type: 'number', format: 'money', signed: true };
const itemsOf = (properties: Json): Json => ({ type: 'array', maxItems: 20, items: { type: 'object', properties } });

const before: Groups = {
  client: { properties: { name, size: { type: 'integer' }, score: { type: 'integer', formula: 'size * 2' } } },
  bill: {
    properties: {
      name,
      client: { reference: 'client', filter: 'exact' },
      on: { type: 'string', format: 'date', default: '2026-01-01' },
      lines: itemsOf({ hours: { type: 'integer' }, rate: money }),
      statusId: { type: 'string', enum: ['open', 'paid'], default: 'open', filter: 'exact' },
    },
  },
  payment: { properties: { name, parts: itemsOf({ bill: { reference: 'bill' }, amount: money }) } },
  part: {
    properties: { name, parent: { reference: 'part', nullable: true, onDelete: 'clear' }, own: money },
    resource: { rules: [{ use: 'noCircle', field: 'parent' }] },
  },
};

const after: Groups = {
  client: {
    properties: {
      ...(before['client']?.['properties'] as Json),
      score: { type: 'integer', formula: 'size * factor' },
      balance: { ...money, formula: 'bills.filter(b, b.clientId == id).sum(b, b.due)' },
      openBills: { type: 'integer', formula: "bills.filter(b, b.clientId == id && b.statusId == 'open').count()" },
    },
    resource: { formulas: { factor: { is: 'openBills > 1 ? 3 : 4' } } },
  },
  bill: {
    properties: {
      name,
      client: { reference: 'client', filter: 'exact' },
      on: { type: 'string', format: 'date', default: '2026-01-01' },
      lines: itemsOf({
        hours: { type: 'integer' },
        rate: money,
        amount: { ...money, formula: 'hours * rate' },
        place: { type: 'integer', formula: 'index + 1' },
      }),
      statusId: {
        ...{ type: 'string', enum: ['open', 'paid'], default: 'open', filter: 'exact' },
        becomes: [{ to: 'paid', when: 'due <= 0' }],
      },
      due: { ...money, formula: 'total - paid' },
      total: { ...money, formula: 'lines.sum(l, l.amount)' },
      paid: { ...money, formula: 'all.payments.parts.filter(p, p.billId == id).sum(p, p.amount)' },
      payer: { reference: 'client', formula: 'clientId' },
      label: { ...name, formula: "name + '!'", filter: 'text' },
      isLarge: { type: 'boolean', formula: 'total > 100', filter: 'exact' },
      day: { type: 'string', format: 'date', formula: 'on' },
      terms: { type: ['object', 'null'], properties: { days: { type: 'integer' } } },
      client2: { type: ['string', 'null'], maxLength: 100, formula: 'client.name', compute: 'onWrite' },
      madeFor: { ...name, default: '', formula: 'client.name', compute: 'onCreate' },
    },
  },
  payment: {
    properties: {
      ...(before['payment']?.['properties'] as Json),
      clients: { references: 'client', formula: 'parts.map(p, p.bill.payerId)', compute: 'always' },
      shares: {
        ...itemsOf({ bill: { reference: 'bill' }, half: money }),
        formula: "parts.map(p, {'bill': p.bill, 'half': p.amount / 2})",
      },
      words: {
        ...{ type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9 } },
        formula: "parts.map(p, p.amount > 2 ? 'much' : 'little')",
      },
    },
  },
  part: {
    properties: {
      ...(before['part']?.['properties'] as Json),
      whole: { ...money, formula: 'own + parts.filter(p, p.parentId == id).sum(p, p.whole)' },
    },
    resource: { rules: [{ use: 'noCircle', field: 'parent' }] },
  },
};
const make = async (call: Call, path: string, body: Json): Promise<Json & { id: string }> => {
  const made = await call('POST', path, body);
  expect(made.status, made.text).toBe(200);
  return made.body as Json & { id: string };
};

/** Makes records in one batch. @returns their ids */
async function makeAll(call: Call, path: string, bodies: readonly Json[]): Promise<string[]> {
  const operations = bodies.map((body) => ({ method: 'POST', path, body }));
  const { status, body, text } = await call('POST', '/batch', { operations });
  expect(status, text).toBe(200);
  return (body as { results: { body: { id: string } }[] }).results.map((result) => result.body.id);
}

const billCount = 230;

/** Bills of two clients, payments of every third, and a tree of parts. */
async function fill(call: Call): Promise<void> {
  const clients = [
    await make(call, '/clients', { name: 'Ada', size: 5 }),
    await make(call, '/clients', { name: 'Bob', size: 7 }),
    await make(call, '/clients', { name: 'Cy', size: 9 }),
  ];
  const numbers = Array.from({ length: billCount }, (_value, n) => n);
  const bills = await makeAll(
    call,
    '/bills',
    numbers.map((n) => ({
      name: `Bill ${n}`,
      clientId: clients[n % 2]?.id,
      lines: Array.from({ length: n % 4 }, (_value, place) => ({ hours: n, rate: place + 0.5 })),
    })),
  );
  await makeAll(
    call,
    '/payments',
    numbers
      .filter((n) => n % 3 === 0)
      .map((n) => ({ name: 'P', parts: [{ billId: bills[n], amount: n % 6 === 0 ? 100_000 : 1.25 }] })),
  );
  // Children before their parents and after these.
  const root = await make(call, '/parts', { name: 'Root', own: 1 });
  const leaf = await make(call, '/parts', { name: 'Leaf', own: 8 });
  const middle = await make(call, '/parts', { name: 'Middle', own: 2, parentId: root.id });
  const low = await make(call, '/parts', { name: 'Low', own: 4, parentId: middle.id });
  expect((await call('PATCH', `/parts/${leaf.id}`, { parentId: low.id })).status).toBe(200);
}

const listOf = async (call: Call, path: string): Promise<Json[]> => {
  const { body, text } = await call('GET', path);
  expect(body, text).toHaveProperty('results');
  return (body as { results: Json[] }).results;
};

const differences = (project: Project) =>
  verifiedBy({ databaseUrl: project.url, resources: join(project.folder, 'resources') });

for (const dialect of dialects) {
  describe(`figures that come later (${dialect})`, () => {
    let project: Project;
    beforeEach(async () => {
      project = await Project.open(dialect);
    });
    afterEach(() => project.close());

    const begin = async (groups: Groups = before): Promise<void> => {
      project.describe(groups);
      project.generate();
      await project.apply();
      await project.serve(fill);
    };

    /** What the records show in the end. */
    const check = async (): Promise<void> => {
      expect(await differences(project)).toEqual([]);
      expect(await project.status()).toMatchObject({ state: 'current' });
      expect(project.generate()).toContain('no migration is needed');
      await project.serve(async (call) => {
        const parts = Object.fromEntries((await listOf(call, '/parts')).map((part) => [part['name'], part['whole']]));
        expect(parts).toEqual({ Root: 15, Middle: 14, Low: 12, Leaf: 8 });
        const [nine] = await listOf(call, '/bills?labelContains=bILL 9!');
        expect(nine).toMatchObject({
          ...{
            total: 4.5,
            paid: 1.25,
            due: 3.25,
            label: 'Bill 9!',
            isLarge: false,
            day: '2026-01-01',
          },
          ...{ payer: { name: 'Bob' }, client2: 'Bob', madeFor: 'Bob', terms: null },
          lines: [{ hours: 9, rate: 0.5, amount: 4.5, place: 1 }],
        });
        const [payment] = await listOf(call, '/payments?limit=1');
        expect(payment).toMatchObject({ clients: [{ name: 'Ada' }], shares: [{ half: 50_000 }], words: ['much'] });
        const clients = await listOf(call, '/clients');
        // Open bills of Cy are none, and of the others many.
        expect(clients.map(({ name: who, score }) => [who, score])).toEqual([
          ['Cy', 36],
          ['Bob', 21],
          ['Ada', 15],
        ]);
        // Those that are paid, and those of nothing.
        expect((await listOf(call, '/bills?limit=100&statusId=paid')).length).toBeGreaterThan(75);
      });
    };

    test('are computed from the records, in the order in which they look at each other', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      expect(await project.status()).toMatchObject({ state: 'pending' });
      expect(await project.apply()).toContain('computes the field');
      expect(await project.apply()).toContain('No migrations are pending');
      await check();
    }, 60_000);

    test('are computed in portions, and those that are done are not lost when the process ends', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      const migrations = readMigrations(project.migrations);
      const registry = loadRegistry(join(project.folder, 'resources'), rules);
      const applyUntil = (last: number): Promise<number> =>
        project.withDatabase(async (database) => {
          let portions = 0;
          const figures = figuresOf(registry, database, rules);
          await applyMigrations({
            ...{ database, migrations, consent: { allowDrop: false, allowRebuild: true } },
            figures:
              (schema) =>
              async (columns, { portion }) =>
                figures(schema)(columns, {
                  portion: async (session) => {
                    await portion(session);
                    portions += 1;
                    if (portions > last) throw new Error('the process ends');
                  },
                }),
          });
          return portions;
        });
      const filled = (): Promise<number> =>
        project.withDatabase(async (database) =>
          Number((await database.all("select count(*) from bill where label <> ''", []))[0]?.[0]),
        );
      await expect(applyUntil(1)).rejects.toThrow('the process ends');
      const first = await filled();
      await expect(applyUntil(5)).rejects.toThrow('the process ends');
      const second = await filled();
      expect(second).toBeGreaterThanOrEqual(first);
      expect(second).toBeLessThanOrEqual(billCount);
      expect(await applyUntil(Infinity)).toBeGreaterThan(6);
      await check();
    }, 60_000);

    test('are computed at a start that may add to the database', async () => {
      await begin();
      project.describe(after);
      await project.serve(async () => {}, { APPLY_ADDITIONS: 'true', MIGRATIONS: join(project.folder, 'none') });
      expect(project.log.join()).toContain('computes the field');
      expect(await differences(project)).toEqual([]);
      // The file that is written later finds nothing left to do.
      project.generate('figures');
      expect(await project.apply()).toMatch(/already done by a start of the service/);
      await check();
    }, 60_000);

    test('are filled once where they are taken at times, and never again', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      await project.apply();
      await project.serve(async (call) => {
        const [client] = await listOf(call, '/clients');
        expect((await call('PATCH', `/clients/${String(client?.['id'])}`, { name: 'Cynthia' })).status).toBe(200);
      });
      const bill = after['bill']?.['properties'] as Json;
      project.describe({
        ...after,
        bill: { properties: { ...bill, client2: { ...(bill['client2'] as Json), formula: "client.name + '?'" } } },
      });
      expect(project.generate()).toContain('no migration is needed');
    }, 60_000);

    test('that another field takes the place of stay as they are, and come back when they are a formula again', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      await project.apply();
      const bill = after['bill']?.['properties'] as Json;
      project.describe({ ...after, bill: { properties: { ...bill, total: { ...money, default: 0 } } } });
      project.generate('typed');
      await project.apply();
      await project.serve(async (call) => {
        const [nine] = await listOf(call, '/bills?labelContains=bill 9!');
        expect(nine?.['total']).toBe(4.5);
        expect((await call('PATCH', `/bills/${String(nine?.['id'])}`, { total: 7 })).body).toMatchObject({ due: 5.75 });
      });
      expect(await differences(project)).toEqual([]);
      project.describe(after);
      expect(project.generate('formula')).toContain('computes the field "total" of "bill"');
      await project.apply();
      await check();
    }, 60_000);

    test('that their field cannot hold are told with the record, and nothing is noted', async () => {
      await begin();
      const { client } = before;
      project.describe({
        ...before,
        client: {
          properties: { ...(client?.['properties'] as Json), tenth: { type: 'integer', maximum: 8, formula: 'size' } },
        },
      });
      project.generate('tenth');
      const record = await project
        .serve(async (call) => (await listOf(call, '/clients'))[0], {
          MIGRATIONS: join(project.folder, 'none'),
          APPLY_ADDITIONS: 'true',
        })
        .catch((error: unknown) => String(error));
      expect(String(record)).toMatch(/client [0-9a-f-]{36}: 'tenth' must be from 0 to 8/);
      await expect(project.apply()).rejects.toThrow(/client [0-9a-f-]{36}: 'tenth' must be from 0 to 8/);
      expect((await project.status()).state).toBe('pending');
    }, 60_000);

    test('are not computed by descriptors that ask for other tables', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      const bill = after['bill']?.['properties'] as Json;
      project.describe({ ...after, bill: { properties: { ...bill, more: { type: ['integer', 'null'] } } } });
      await expect(project.apply()).rejects.toThrow(
        'Fields cannot be computed: the migrations do not create "more" of "bill" as the descriptors require.',
      );
    }, 60_000);

    test('follow what later migrations rename', async () => {
      await begin();
      project.describe(after);
      project.generate('figures');
      const bill = after['bill']?.['properties'] as Json;
      const { label: _gone, total: _other, ...rest } = bill;
      project.describe({
        ...after,
        bill: {
          properties: {
            ...rest,
            sum: { ...(bill['total'] as Json), renamedFrom: 'total' },
            due: { ...(bill['due'] as Json), formula: 'sum - paid' },
            isLarge: { ...(bill['isLarge'] as Json), formula: 'sum > 100' },
          },
        },
      });
      project.generate('renamed', { allowDrop: true });
      await project.apply({ allowDrop: true });
      expect(await differences(project)).toEqual([]);
      expect(await project.status()).toMatchObject({ state: 'current' });
    }, 60_000);
  });
}

test('a step that computes figures is read strictly', async () => {
  const project = await Project.open('SQLite');
  try {
    project.describe(before);
    project.generate();
    const step = { do: 'computeFigures', table: 'client', formulas: { score: 3 } };
    writeFileSync(join(project.migrations, '0002_x.jsonc'), JSON.stringify({ format: 1, steps: [step] }));
    await expect(project.apply()).rejects.toThrow('must be a text');
  } finally {
    await project.close();
  }
});
