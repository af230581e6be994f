// A database server that does not answer for some time, while a command of a deployment runs.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { status } from '../../src/commands/database/migrate.ts';
import { report } from '../../src/commands/output/report.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { createProxy } from '../support/databases/proxy.ts';

const name = { type: 'string', maxLength: 100 };
const note = (more: object = {}): Groups => ({ note: { properties: { name, ...more } } });
const downMs = 700;

describe.each(dialects.filter((dialect) => dialect !== 'SQLite'))('a server that is away (%s)', (dialect) => {
  let project: Project;
  let proxy: Awaited<ReturnType<typeof createProxy>>;
  let behindProxy: string;
  const said: string[] = [];
  beforeEach(async () => {
    project = await Project.open(dialect);
    const url = new URL(project.url);
    proxy = await createProxy(url.hostname, Number(url.port || 3306));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    behindProxy = url.href;
    said.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      said.push(String(chunk));
      return true;
    });
    project.describe(note());
    project.generate();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await proxy.stop().catch(() => {});
    await project.close();
  });
  const apply = (wait = '1min'): Promise<string> =>
    project.apply({}, { DATABASE_URL: behindProxy, DATABASE_WAIT: wait });

  test('holds migrate apply up until it answers', { timeout: 30_000 }, async () => {
    await proxy.stop();
    const applying = apply();
    await delay(downMs);
    await proxy.start();
    expect(await applying).toContain('Created all tables');
    expect(said.join('')).toMatch(/^No database server answers at .* \(connection refused\); waiting up to 1 min\.\n$/);
  });

  test('lets migrate apply go on in the middle of its steps', { timeout: 30_000 }, async () => {
    await project.apply();
    await project.serve((call) => call('POST', '/notes', { name: 'Ada' }));
    project.describe(note({ loud: { ...name, formula: "name + '!'" }, size: { type: 'integer', default: 0 } }));
    project.generate();
    // Connections are cut when the first value is written, and refused for some time.
    let isCut = false;
    proxy.set((data, server) => {
      if (isCut || !data.includes('Ada!')) {
        server.write(data);
        return;
      }
      isCut = true;
      void proxy.stop().then(async () => {
        await delay(downMs);
        await proxy.start();
      });
    });
    expect(await apply()).toMatch(/[34] steps\.$/m);
    expect(isCut).toBe(true);
    expect(said.join('')).toContain('; waiting up to 1 min.');
    expect(await project.withDatabase((database) => database.all('select loud from note', []))).toEqual([['Ada!']]);
    expect(await project.status()).toMatchObject({ state: 'current' });
  });

  test('ends commands with one sentence and the next command, if it stays away', { timeout: 30_000 }, async () => {
    await proxy.stop();
    await expect(apply('1s')).rejects.toThrow(
      /^No database server [^\n]*, for 1 s; run "praxis migrate apply" again\.$/,
    );
    const config = project.config({ DATABASE_URL: behindProxy, DATABASE_WAIT: '1s' });
    await expect(status(config, {})).rejects.toThrow(/, for 1 s; run "praxis migrate status" again\.$/);
  });

  test('is reported in one sentence if it stops while a command runs', { timeout: 30_000 }, async () => {
    const database = await openDatabase(behindProxy);
    const unit = createUnitOfWork(database, { deadlineMs: 1000 });
    await proxy.stop();
    const sentence = /^The database does not answer \([^\n]+\); run "praxis export" again\.$/;
    for (const work of [() => database.all('select 1', []), () => unit.read('select 1', [])])
      expect(report(await work().catch((error: unknown) => error), 'praxis export')).toMatch(sentence);
    await database.close();
  });
});
