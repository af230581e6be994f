// A workspace of the version before becomes one of today. It begins with databases that commit 075c660b of 25 November 2026 has made,
// the last one before figures of the day: `praxis demo --months 1 --until 2026-11-20`, dumped as it stood, without tokens.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialects, Project } from '../support/commands/project.ts';
import { verified } from '../support/databases/verify.ts';
import type { Call, Json } from '../support/service/client.ts';
import { folders, registryOf } from '../support/service/praxis.ts';

const product = { RESOURCES: folders.product, MIGRATIONS: join(folders.product, '../migrations') };
const dumpOf = (dialect: string): string => join(import.meta.dirname, 'upgrade', `${dialect.toLowerCase()}.sql.br`);

/** Runs statements, byte by byte: the dumps of servers hold hashes. */
async function run(url: string, sql: Buffer): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(sql.toString());
    database.close();
    return;
  }
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'latin1_bin' });
  await connection.query(sql.toString('latin1'));
  await connection.end();
}

/** A time entry that is approved. */
const [longEntry, longMinutes] = ['01a15efc-7208-7000-800d-5a40a3d3bffa', 195];

/**
 * Changes two lines of an invoice, one of them taxed, with a discount of 10 percent: 10 % of 0.07 is 0.01, and the version before took
 * the tax in the share that the discount leaves of the subtotal.
 */
function discounted(dialect: string, number: string, statusId: string): readonly string[] {
  const units = (value: number, decimals: number): string =>
    dialect === 'SQLite' ? String(Math.round(value * 10 ** decimals)) : String(value);
  const money = (value: number): string => units(value, 4);
  const owner = `(select id from invoice where number = '${number}')`;
  const total = money(1628.63);
  return [
    `update invoice_lines set quantity = null, rate = null, amount = 0, taxable = 0 where owner_id = ${owner}`,
    `update invoice_lines set amount = ${money(10_000)}, taxable = 1 where owner_id = ${owner} and position = 0`,
    `update invoice_lines set amount = ${money(-9999.93)} where owner_id = ${owner} and position = 1`,
    `update invoice set subtotal = ${money(0.07)}, discount_method = 'percentage', discount_ratio = ${units(0.1, 6)},
      total_discount = ${money(0.01)}, tax_ratio = ${units(0.19, 6)}, total_tax = ${money(1628.57)}, total = ${total},
      amount_due = ${statusId === 'void' ? 0 : total} where number = '${number}' and status_id = '${statusId}'`,
  ];
}

/** How many rows a table had in the version before. */
const counts: Readonly<Record<string, number>> = {
  ...{ 'time-entries': 713, timesheets: 92, clients: 21, contacts: 50, tasks: 76, invoices: 8, allocations: 100 },
  ...{ 'pipeline-activities': 95, members: 23, companies: 30 },
};

describe.each(dialects.filter((dialect) => existsSync(dumpOf(dialect))))(
  'a workspace of the version before (%s)',
  (dialect) => {
    let project: Project;
    beforeAll(async () => {
      project = await Project.open(dialect);
      await run(project.url, brotliDecompressSync(readFileSync(dumpOf(dialect))));
      const changes = [
        ...discounted(dialect, 'INV-0001', 'draft'),
        ...discounted(dialect, 'INV-0003', 'void'),
        ...discounted(dialect, 'INV-0004', 'issued'),
        // More minutes than from its start to its end.
        `update time_entry set start_time = '12:00', end_time = '12:10' where id = '${longEntry}'`,
      ];
      await run(project.url, Buffer.from(`${changes.join(';\n')};`));
    });
    afterAll(() => project?.close());

    const differences = () => verified({ databaseUrl: project.url }, 'product');
    /** All records of a list, as they are answered. */
    async function all(call: Call, path: string): Promise<readonly Json[]> {
      const records: Json[] = [];
      for (let after = ''; ; ) {
        const { status, body, text } = await call('GET', `/${path}?limit=100${after && `&startingAfter=${after}`}`);
        expect(status, text).toBe(200);
        const page = body as { results: Json[]; hasMore: boolean };
        records.push(...page.results);
        if (!page.hasMore) return records;
        after = String(page.results.at(-1)?.['id']);
      }
    }

    /** What is issued, void or approved is as it was; drafts are computed by the rules of today. */
    async function expectAmounts(call: Call): Promise<void> {
      const invoice = async (number: string) => {
        const { results } = (await call('GET', `/invoices?number=${number}`)).body as { results: Json[] };
        const { statusId, totalDiscount, totalTax, total, amountDue } = results[0] ?? {};
        return { statusId, totalDiscount, totalTax, total, amountDue };
      };
      const before = { totalDiscount: 0.01, totalTax: 1628.57, total: 1628.63 };
      expect(await invoice('INV-0003')).toEqual({ statusId: 'void', ...before, amountDue: 0 });
      expect(await invoice('INV-0004')).toEqual({ statusId: 'issued', ...before, amountDue: 1628.63 });
      const now = { totalDiscount: 0.01, totalTax: 1710, total: 1710.06, amountDue: 1710.06 };
      expect(await invoice('INV-0001')).toEqual({ statusId: 'draft', ...now });
      const { minutes, statusId } = (await call('GET', `/time-entries/${longEntry}`)).body as Json;
      expect({ minutes, statusId }).toEqual({ minutes: longMinutes, statusId: 'approved' });
      const { results } = (await call('GET', '/invoices?number=INV-0004')).body as { results: Json[] };
      const changed = await call('PATCH', `/invoices/${results[0]?.['id']}`, { notes: 'As agreed' });
      expect(changed.body).toMatchObject({ notes: 'As agreed', ...before });
    }

    test('is brought up to date, once, and every figure is right', { timeout: 240_000 }, async () => {
      // An embedded database takes in by itself what is added.
      if (dialect !== 'SQLite')
        await expect(project.serve(async () => {}, product)).rejects.toThrow('praxis migrate apply');
      expect(await project.apply({}, product)).toMatch(/^Applied \d+ steps?\b/m);
      expect(await project.apply({}, product)).not.toMatch(/^Applied [1-9]/m);
      expect(await differences()).toEqual([]);
    });

    test('answers with all that it had, and takes what is written', { timeout: 240_000 }, async () => {
      await project.serve(async (call) => {
        for (const { path, operations } of registryOf('product').resources.values())
          if (operations.has('list') && !path.includes('{')) expect((await call('GET', path)).status, path).toBe(200);
        for (const [path, count] of Object.entries(counts)) expect(await all(call, path), path).toHaveLength(count);
        // What is new since is kept, and filtered by.
        const { results } = (await call('GET', '/invoices?dueStatusId=none')).body as { results: Json[] };
        expect(results.map(({ statusId }) => statusId)).not.toContain('issued');
        expect(results).toHaveLength(3);
        const [entry] = (await all(call, 'time-entries')).filter(({ statusId }) => statusId === 'not_submitted');
        const changed = await call('PATCH', `/time-entries/${entry?.['id']}`, { minutes: 45 });
        expect([changed.status, (changed.body as Json)['minutes']], changed.text).toEqual([200, 45]);
        await expectAmounts(call);
        const made = await call('POST', '/clients', { name: 'A client of today', currency: 'EUR' });
        expect(made.status, made.text).toBe(200);
      }, product);
      expect(await differences()).toEqual([]);
    });
  },
);
