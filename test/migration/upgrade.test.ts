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

async function load(url: string, dump: string): Promise<void> {
  const sql = brotliDecompressSync(readFileSync(dump)).toString();
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(sql);
    database.close();
    return;
  }
  const connection = await createConnection({ uri: url, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
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
      await load(project.url, dumpOf(dialect));
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

    test('is brought up to date, once, and every figure is right', { timeout: 240_000 }, async () => {
      // An embedded database takes in by itself what is added.
      if (dialect !== 'SQLite')
        await expect(project.serve(async () => {}, product)).rejects.toThrow('praxis migrate apply');
      expect(await project.apply({}, product)).toMatch(/^\d+ steps? done/m);
      expect(await project.apply({}, product)).not.toMatch(/[1-9]\d* steps? done/);
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
        const made = await call('POST', '/clients', { name: 'A client of today', currency: 'EUR' });
        expect(made.status, made.text).toBe(200);
      }, product);
      expect(await differences()).toEqual([]);
    });
  },
);
