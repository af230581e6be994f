// Reads, locks and writes of a migration that adds or changes a computed field or a computed state.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { figuresOf } from '../../src/app/figures.ts';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { applyMigrations } from '../../src/migration/run/apply.ts';
import type { StepProgress } from '../../src/migration/run/progress.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { rules } from '../../src/rules/catalogue.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { verifiedBy } from '../support/databases/verify.ts';
import type { Call, Json } from '../support/service/client.ts';

const name = { type: 'string', maxLength: 100 };
const project: Json = { name, isLocked: { type: 'boolean', default: false } };
/** An entry is locked while its project is: a state that reads other records. */
const entry = (when = 'project.isLocked'): Json => ({
  name,
  project: { reference: 'project', filter: 'exact' },
  minutes: { type: 'integer' },
  statusId: {
    ...{ type: 'string', enum: ['open', 'locked'], default: 'open', filter: 'exact' },
    becomes: [
      { to: 'locked', when },
      { to: 'open', when: `!(${when})` },
    ],
  },
});
const groups = (more: Json = {}, when?: string): Groups => ({
  project: { properties: { ...project, ...more } },
  entry: { properties: entry(when) },
});
const minutes = {
  minutes: { type: 'integer', formula: 'entrys.filter(e, e.projectId == id).sum(e, e.minutes)' },
};

const projectCount = 3;

async function fill(call: Call): Promise<void> {
  for (let n = 0; n < projectCount; n += 1) {
    const made = await call('POST', '/projects', { name: `Project ${n}`, isLocked: n === 0 });
    expect(made.status, made.text).toBe(200);
    for (let e = 0; e < 4; e += 1) {
      const body = { name: 'Entry', projectId: (made.body as Json)['id'], minutes: n * 10 };
      expect((await call('POST', '/entrys', body)).status).toBe(200);
    }
  }
}

/** A database that notes statements with their values. */
function noted(database: Database, statements: string[]): Database {
  const watched = (session: Pick<Session, 'all' | 'run'>): Session => ({
    all: (sql, values) => {
      statements.push(`${sql} ${JSON.stringify(values)}`);
      return session.all(sql, values);
    },
    run: (sql, values) => {
      statements.push(`${sql} ${JSON.stringify(values)}`);
      return session.run(sql, values);
    },
  });
  const { together: _oneByOne, ...rest } = database;
  return {
    ...rest,
    ...watched(database),
    transact: (work) => database.transact((session) => work(watched(session))),
    restructure: (work, options) => database.restructure((session) => work(watched(session)), options),
  };
}

describe.each(dialects)('a migration of computed fields and states (%s)', { timeout: 60_000 }, (dialect) => {
  let workspace: Project;
  beforeEach(async () => {
    workspace = await Project.open(dialect);
  });
  afterEach(() => workspace.close());

  const begin = async (): Promise<void> => {
    workspace.describe(groups());
    workspace.generate();
    await workspace.apply();
    await workspace.serve(fill);
  };

  /** Applies what is pending. @returns the statements, and the progress that was shown */
  const apply = (): Promise<{ readonly statements: string[]; readonly progress: StepProgress[] }> =>
    workspace.withDatabase(async (database) => {
      const statements: string[] = [];
      const progress: StepProgress[] = [];
      const watched = noted(database, statements);
      const registry = loadRegistry(join(workspace.folder, 'resources'), rules);
      await applyMigrations({
        database: watched,
        migrations: readMigrations(workspace.migrations),
        consent: { allowDrop: false, allowRebuild: false },
        figures: figuresOf(registry, watched, rules),
        onProgress: (each) => progress.push(each),
      });
      return { statements, progress };
    });

  const statuses = (): Promise<unknown> =>
    workspace.withDatabase((database) =>
      database.all('select status_id, count(*) from entry group by status_id order by status_id', []),
    );
  const differences = () => verifiedBy({ databaseUrl: workspace.url, resources: join(workspace.folder, 'resources') });
  /** Statements that read or write rows of a group. */
  const of = (group: string, statements: readonly string[]): readonly string[] =>
    statements.filter((sql) => new RegExp(`(from|update|into) [\`"]?${group}[\`"]?\\b`).test(sql));

  test('reads only the groups that it changes, and none with unchanged states', async () => {
    await begin();
    workspace.describe(groups({ label: { ...name, formula: "name + '!'" } }));
    expect(workspace.generate()).not.toMatch(/entry/);
    const { statements, progress } = await apply();
    expect(of('entry', statements)).toEqual([]);
    expect(of('project', statements)).not.toEqual([]);
    // While older processes write, and once more without them.
    const progressOfOnePass = { doneRows: projectCount, totalRows: projectCount };
    expect(progress).toEqual([progressOfOnePass, progressOfOnePass]);
    expect(await differences()).toEqual([]);
  });

  test('locks only records that change, a few in each transaction', async () => {
    await begin();
    // A field becomes a computed one: two of three projects have the right value already.
    workspace.describe(groups({ minutes: { type: 'integer', default: 40 } }));
    workspace.generate();
    await workspace.apply();
    await workspace.withDatabase((database) =>
      database.script([
        "update project set minutes = 0 where name = 'Project 0'",
        "update project set minutes = 80 where name = 'Project 2'",
      ]),
    );
    workspace.describe(groups(minutes));
    workspace.generate();
    expect(of('project', (await apply()).statements).filter((sql) => /^update|for update/i.test(sql))).toEqual([]);
    await workspace.withDatabase((database) =>
      database.script(["update project set minutes = 7 where name = 'Project 2'"]),
    );
    workspace.describe(groups({ minutes: { ...minutes.minutes, formula: `${minutes.minutes.formula} + 0` } }));
    workspace.generate();
    const { statements } = await apply();
    const ids = new Set(
      of('project', statements)
        .filter((sql) => /^update|for update/i.test(sql))
        .flatMap((sql) => sql.match(/[0-9a-f-]{36}/g) ?? []),
    );
    expect(ids.size).toBe(1);
    expect(await differences()).toEqual([]);
  });

  test('decides states again if their conditions have changed', async () => {
    await begin();
    expect(await statuses()).toEqual([
      ['locked', 4],
      ['open', 8],
    ]);
    workspace.describe(groups({}, 'project.isLocked || minutes > 10'));
    expect(workspace.generate()).toContain('computes the state "status_id" of "entry"');
    await workspace.apply();
    expect(await statuses()).toEqual([
      ['locked', 8],
      ['open', 4],
    ]);
    expect(await differences()).toEqual([]);
    expect(await workspace.status()).toMatchObject({ state: 'current' });
    expect(workspace.generate()).toContain('no migration is needed');
  });

  test('takes the states of a schema that stores no conditions as unchanged', async () => {
    workspace.describe(groups());
    workspace.generate();
    const initial = join(workspace.migrations, '0001_initial.jsonc');
    const source = readFileSync(initial, 'utf8');
    writeFileSync(
      initial,
      source.replace('"format": 2', '"format": 1').replaceAll(/, "becomes": "(?:[^"\\]|\\.)*"/g, ''),
    );
    expect(readMigrations(workspace.migrations)[0]?.after.hasStates).toBeUndefined();
    await workspace.apply();
    // The new version starts, and asks for nothing.
    await workspace.serve(fill);
    expect(await workspace.status()).toMatchObject({ state: 'current' });
    expect(workspace.generate()).toContain('no migration is needed');
    workspace.describe(groups(minutes));
    expect(workspace.generate()).toContain('stores the conditions of computed states, which are unchanged');
    const { statements } = await apply();
    expect(of('entry', statements).filter((sql) => !sql.includes('sum('))).toEqual([]);
    expect(await differences()).toEqual([]);
    workspace.describe(groups(minutes, 'minutes > 10'));
    expect(workspace.generate()).toContain('computes the state "status_id" of "entry"');
  });
});
