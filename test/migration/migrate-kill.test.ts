// Processes that are killed while they apply migrations, at every point of a migration that has steps of all kinds: run
// again, the database is as if nothing had happened. A sample of the points by default, a larger one with KILL_POINTS=100, all
// of them with KILL_POINTS=all.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLive } from '../../src/migration/editors/live.ts';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Row } from '../../src/storage/schema/cells.ts';
import type { Ended } from '../support/commands/command.ts';
import { runNode } from '../support/commands/praxis-line.ts';
import { type Dialect, dialects, type Groups, Project, tableShapes } from '../support/commands/project.ts';
import { databases } from '../support/databases/databases.ts';
import { copyTables } from '../support/databases/mariadb.ts';
import { isObject, type Json } from '../support/service/client.ts';

const asked = process.env['KILL_POINTS'] ?? '8';
const isWhole = asked === 'all';
const sample = isWhole ? 8 : Number(asked);

const text = { type: 'string', maxLength: 100 };
const place = { properties: { name: text } };
const money = { type: 'number', format: 'decimal', precision: 9, scale: 2 };
const kinds = (...values: string[]): Json => ({ type: 'string', enum: values });
const before: Groups = {
  place,
  other: { properties: { name: text } },
  note: {
    properties: {
      name: text,
      kind: { ...kinds('a', 'b'), filter: 'exact' },
      days: { type: 'array', maxItems: 9, items: kinds('mon', 'tue'), default: [] },
      n: money,
      gone: text,
      size: { ...text, filter: 'text' },
      code: { ...text, filter: 'text' },
      mood: { type: ['string', 'null'], maxLength: 20 },
      tone: { ...text, default: '' },
      other: { reference: 'other', nullable: true },
      spot: { reference: 'place', nullable: true },
      home: { reference: 'place', nullable: true },
      lines: { type: 'array', maxItems: 5, items: { type: 'object', properties: { t: { ...text, default: '' } } } },
    },
    unique: [['code']],
  },
};
const after: Groups = {
  place: {
    properties: {
      name: text,
      memo: { reference: 'memo', nullable: true },
      worth: { ...money, formula: 'memos.filter(m, m.homeId == id).sum(m, m.twice)' },
    },
  },
  memo: {
    renamedFrom: 'note',
    properties: {
      name: { ...text, filter: 'text' },
      sort: { ...kinds('a', 'bigger'), filter: 'exact', renamedFrom: 'kind', renamedValues: { bigger: 'b' } },
      days: {
        type: 'array',
        maxItems: 9,
        items: { ...kinds('monday', 'tue'), renamedValues: { monday: 'mon' } },
        default: [],
      },
      n: { ...money, precision: 12, scale: 4 },
      twice: { ...money, formula: 'n * 2 + parts.size() + lines.size()' },
      made: { type: ['string', 'null'], maxLength: 200, formula: "name + ' ' + home.name", compute: 'onWrite' },
      sign: { ...text, filter: 'text', renamedFrom: 'code' },
      mood: { type: 'string', maxLength: 20, default: 'calm' },
      was: { ...text, filter: 'text' },
      size: { type: 'integer', filter: 'exact' },
      tone: { type: ['string', 'null'], maxLength: 100 },
      spot: { reference: 'area', nullable: true },
      home: { reference: 'place', nullable: true },
      parts: { type: 'array', maxItems: 5, items: { type: 'object', properties: { t: text } } },
      lines: { type: 'array', maxItems: 9, items: { type: 'object', properties: { t: { ...text, default: '' } } } },
    },
    unique: [['sign'], ['name']],
  },
  area: { properties: { name: text } },
};

const kindsOfSteps = [
  ...[
    'createTable',
    'dropTable',
    'renameTable',
    'addColumn',
    'dropColumn',
    'renameColumn',
    'changeColumn',
    'renameValues',
  ],
  ...[
    'fillColumn',
    'computeColumn',
    'computeFigures',
    'addIndex',
    'dropIndex',
    'renameIndex',
    'addForeignKey',
    'dropForeignKey',
    'changeLimits',
  ],
];

for (const dialect of dialects) {
  describe(`an apply that is killed (${dialect})`, () => {
    let project: Project;
    beforeAll(async () => {
      project = await Project.open(dialect);
      project.describe(before);
      project.generate();
      await project.serve(async (call) => {
        const { body } = await call('POST', '/places', { name: 'Here' });
        const homeId = isObject(body) ? body['id'] : '';
        for (const name of ['One', 'Straße', 'Three']) {
          const more = name === 'One' ? {} : { mood: 'gay', tone: 'low', homeId, days: ['mon', 'tue'] };
          const sent = {
            name,
            kind: 'b',
            n: 1.25,
            gone: 'x',
            size: '07',
            code: `${name}!`,
            lines: [{ t: 'x' }],
            ...more,
          };
          const made = await call('POST', '/notes', sent);
          expect(made.status, made.text).toBe(200);
        }
      });
      project.describe(after);
      project.generate('all', {
        allowDrop: true,
        fill: ["memo.was=upper(gone) + ' ' + sort", 'memo.size=number(size)'],
      });
    }, 60_000);
    afterAll(() => project.close());

    test('at any point is as if it had not been', { timeout: asked === '8' ? 120_000 : 3_600_000 }, async () => {
      const steps = readMigrations(project.migrations).at(-1)?.steps ?? [];
      expect(new Set(steps.map((step) => step.do))).toEqual(new Set(kindsOfSteps));
      const undisturbed = await withCopy(dialect, project, async (url) => ({
        ended: await apply(url, project),
        content: await contentOf(url),
      }));
      expect(undisturbed.ended).toMatchObject({ code: 0, stderr: '' });
      expect(undisturbed.content['memo']).toHaveLength(3);
      expect(JSON.stringify(undisturbed.content['memo'])).toContain('Three Here');
      expect(JSON.stringify(undisturbed.content['memo'])).toContain('X bigger');
      for (const row of undisturbed.content['memo'] ?? []) expect(row.map(String)).toContain('7');
      expect(undisturbed.content['praxis_migration']?.length).toBeGreaterThan(steps.length + 2);
      const points = Number(undisturbed.ended.stdout);
      expect(points).toBeGreaterThan(100);

      const first = 1 + Math.floor(Math.random() * (points / sample));
      const every = isWhole ? 1 : points / sample;
      const todo = Array.from({ length: isWhole ? points : sample }, (_value, nth) =>
        isWhole ? nth + 1 : first + Math.floor(nth * every),
      );
      const worker = async (): Promise<void> => {
        for (let point = todo.shift(); point !== undefined; point = todo.shift()) await killAt(point);
      };
      const killAt = (point: number): Promise<void> =>
        withCopy(dialect, project, async (url) => {
          const killed = await apply(url, project, point);
          expect(killed, `killed at point ${point}`).toMatchObject({ code: null, stdout: '' });
          const again = await apply(url, project);
          expect(again, `killed at point ${point}`).toMatchObject({ code: 0, stderr: '' });
          expect(await contentOf(url), `killed at point ${point}`).toEqual(undisturbed.content);
        });
      await Promise.all([worker(), worker()]);
    });
  });
}

const program = join(import.meta.dirname, '../support/commands/dying-apply.ts');
/** Most of what such a process does is to load the program, so what is compiled of it is kept for the next. */
const apply = (url: string, { migrations, folder }: Project, point?: number): Promise<Ended> =>
  runNode([program, url, migrations, join(folder, 'resources'), ...(point === undefined ? [] : [String(point)])], {
    NODE_COMPILE_CACHE: join(migrations, '../compiled'),
  });

/** Runs on a copy of the project's database. */
async function withCopy<T>(dialect: Dialect, { url, folder }: Project, use: (url: string) => Promise<T>): Promise<T> {
  const server = databases.find(({ name, isServer }) => isServer && name === dialect);
  if (server === undefined) {
    const file = join(folder, `copy-${Math.random()}.sqlite`);
    copyFileSync(url.replace('sqlite:', ''), file);
    try {
      return await use(`sqlite:${file}`);
    } finally {
      rmSync(file);
    }
  }
  const copy = await server.open('praxis_kill');
  try {
    await copyTables(url, copy.url);
    return await use(copy.url);
  } finally {
    await copy.drop();
  }
}

/** All rows of all tables, and how these are made, without moments and names that count for nothing. */
async function contentOf(url: string): Promise<Readonly<Record<string, readonly Row[]>>> {
  const database = await openDatabase(url);
  try {
    const live = await readLive(database, database.dialect);
    const content: Record<string, readonly Row[]> = {};
    for (const [table, { columns }] of live) {
      if (table === 'praxis_lock' || table.startsWith('sqlite_')) continue;
      const names = [...columns.keys()].filter((name) => name !== 'done_at' && name !== 'fingerprint').sort();
      const list = names.map((name) => `\`${name}\``).join(', ');
      content[table] = await database.all(`select ${list} from \`${table}\` order by ${list}`, []);
    }
    return { ...content, schema: [[JSON.stringify(tableShapes(live))]] };
  } finally {
    await database.close();
  }
}
