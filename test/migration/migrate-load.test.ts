// Tables that change while others use them: what waits, for how long, and that nothing which was acknowledged is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { applyMigrations } from '../../src/migration/run/apply.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { measureChanges } from '../bench/change.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { isObject } from '../support/service/client.ts';

const text = { type: 'string', maxLength: 100 };
const notes = (more: object = {}): Groups => ({ note: { properties: { name: text, ...more } } });

test.each(dialects)('changes of a table of 20,000 rows lose no write (%s)', { timeout: 180_000 }, async (dialect) => {
  const project = await Project.open(dialect);
  const folder = mkdtempSync(join(tmpdir(), 'praxis-changes-'));
  try {
    const changes = await measureChanges({ databaseUrl: project.url, folder, rows: 20_000, say: () => {} });
    expect(changes.steps.map(({ words }) => words.replace(/ .*/, ''))).toEqual([
      ...['nothing', 'adds', 'changes', 'adds', 'adds', 'computes', 'adds', 'adds'],
    ]);
    expect(changes).toMatchObject({ lost: 0, failed: 0 });
    expect(changes.refused).toBeGreaterThan(0);
    expect(changes.acknowledged).toBeGreaterThan(300);
    // A request that waits for longer than 10 seconds is refused.
    expect(Math.max(...changes.steps.map(({ longestMs }) => longestMs))).toBeLessThan(10_000);
  } finally {
    rmSync(folder, { recursive: true });
    await project.close();
  }
});

describeOnServers('a change of a table that is in use', ({ name }) => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.open(name);
    project.describe(notes());
    project.generate();
    await project.serve(async (call) => {
      await call('POST', '/notes', { name: 'One' });
    });
  });
  afterEach(() => project.close());

  test('gives way to writers while a long transaction holds the table', { timeout: 60_000 }, async () => {
    project.describe(notes({ mood: { ...text, default: 'calm' } }));
    project.generate();
    const [reader, writer] = [await createConnection(project.url), await createConnection(project.url)];
    try {
      await reader.query('start transaction');
      await reader.query('select * from note');
      const applied = project.apply();
      let isDone = false;
      const write = async (): Promise<number[]> => {
        const times: number[] = [];
        while (!isDone) {
          const from = performance.now();
          await writer.query("update note set name = concat('Two', ?)", [times.length]);
          times.push(performance.now() - from);
          await delay(20);
        }
        return times;
      };
      const writing = write();
      await delay(8000);
      await reader.query('commit');
      expect(await applied).toContain('Applied 1 step.');
      isDone = true;
      const times = await writing;
      // A change waits for a second, which is less than the deadline of a request; then writers go on for 3 seconds.
      expect(Math.max(...times)).toBeGreaterThan(500);
      expect(Math.max(...times)).toBeLessThan(2500);
      expect(times.filter((ms) => ms > 500).length).toBeLessThan(5);
      expect(times.length).toBeGreaterThan(40);
    } finally {
      await reader.end();
      await writer.end();
    }
  });

  const late = [
    {
      title: 'a number that is too large',
      after: { desks: { type: 'integer', default: 1, maximum: 30 } },
      says: '"desks" is above 30',
    },
    { title: 'null', after: { nick: text }, more: { required: ['name', 'nick'] }, says: '"nick" is null' },
    {
      title: 'a long text',
      after: { word: { ...text, maxLength: 5, default: '' } },
      says: '"word" is too long for text(5)',
    },
    {
      title: 'a twin',
      after: {},
      more: { unique: [['word']] },
      misfit: "update note set word_key = repeat('x', 32)",
      says: 'have the same "word"',
    },
    {
      title: 'a lost reference',
      after: { place: { reference: 'area', nullable: true } },
      says: '"place_id" refers to no row of "area"',
    },
  ];

  test.each(late)('names $title that an older process has written after the rows were looked at', async (change) => {
    const { after, more = {}, says, misfit } = change;
    const fields = {
      desks: { type: 'integer', default: 1 },
      nick: { type: ['string', 'null'], maxLength: 100 },
      word: { ...text, default: '' },
      place: { reference: 'place', nullable: true },
    };
    const places = { place: { properties: { name: text } }, area: { properties: { name: text } } };
    const groups = (properties: object, rest: object = {}): Groups => ({
      ...places,
      note: { properties: { name: text, ...fields, ...properties }, ...rest },
    });
    project.describe(groups({}));
    project.generate('fields');
    await project.apply();
    const old = await project.serve(async (call) => {
      const { body } = await call('POST', '/places', { name: 'Here' });
      const placeId = isObject(body) ? String(body['id']) : '';
      for (const word of ['a', 'b']) await call('POST', '/notes', { name: word, word, nick: 'x' });
      return placeId;
    });
    project.describe(groups(after, more));
    project.generate('tight');
    const migrations = readMigrations(project.migrations);
    const consent = { allowDrop: false, allowRebuild: true };
    const usual = `update note set desks = 31, nick = null, word = 'longer than that', place_id = '${old}'`;
    const applied = project.withDatabase((database) =>
      applyMigrations({ database: writingLate(database, misfit ?? usual), migrations, consent }),
    );
    await expect(applied).rejects.toThrow(says);
    expect((await project.status()).files.at(-1)).toMatchObject({ state: expect.stringMatching(/pending|partly/) });
    // As long as the row is there it is named again; when it has gone, the step is done.
    await expect(project.apply({ allowRebuild: true })).rejects.toThrow(says);
    await project.withDatabase((database) => database.run('delete from note', []));
    await project.apply({ allowRebuild: true });
    expect(await project.status()).toMatchObject({ state: 'current', drift: [] });
  });

  test('fills a null that an older process has written after all were filled', async () => {
    project.describe(notes({ nick: { type: ['string', 'null'], maxLength: 100 } }));
    project.generate('nick');
    await project.apply();
    project.describe(notes({ nick: { ...text, default: 'none' } }));
    project.generate('filled');
    const migrations = readMigrations(project.migrations);
    const consent = { allowDrop: false, allowRebuild: true };
    const sql = "insert into note (id, created_at, version, guard, name) values ('x', now(), 0, 0, 'Late')";
    let count = 0;
    await project.withDatabase((database) => {
      const late: Database['restructure'] = (work) =>
        database.restructure((session) =>
          work({
            ...session,
            run: async (statement, values) => {
              const rows = await session.run(statement, values);
              if (statement.startsWith('update `note` set `nick`') && rows === 0) count += 1;
              if (rows === 0 && count === 1) await database.run(sql, []);
              return rows;
            },
          }),
        );
      return applyMigrations({ database: { ...database, restructure: late }, migrations, consent });
    });
    expect(count).toBe(2);
    expect(await project.withDatabase((database) => database.all('select nick from note', []))).toEqual([
      ['none'],
      ['none'],
    ]);
  });
});

/** A database in which rows change right after they have been looked at for the first time. */
function writingLate(database: Database, sql: string): Database {
  let isWritten = false;
  const restructure: Database['restructure'] = (work) =>
    database.restructure((session) =>
      work({
        ...session,
        all: async (query, values) => {
          const rows = await session.all(query, values);
          if (!isWritten && /from `note` where .*limit|from `note` .*having/.test(query)) {
            isWritten = true;
            await database.run(sql, []);
          }
          return rows;
        },
      }),
    );
  return { ...database, restructure };
}
