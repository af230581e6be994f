// Five processes that start, or apply, at the same moment: the tables are made once, and first records exist once.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ended, Folder, type Started } from '../support/commands/command.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import type { Json } from '../support/service/client.ts';

const count = 5;
const timeout = 120_000;
const text = { type: 'string', maxLength: 100 };
const notes = (properties: Json, more: Json = {}): Groups => ({
  place: { properties: { name: text }, setup: [{ name: 'Here' }, { name: 'There' }] },
  note: { properties: { name: text, ...properties }, unique: [['name']], setup: [{ name: 'First' }], ...more },
});
const more: Groups = {
  ...notes({ mood: { ...text, default: 'calm', filter: 'text' }, place: { reference: 'place', nullable: true } }),
  area: { properties: { name: text }, setup: [{ name: 'North' }] },
};

for (const dialect of dialects) {
  describe(`${count} processes at once (${dialect})`, () => {
    let project: Project;
    let folder: Folder;
    beforeEach(async () => {
      project = await Project.open(dialect);
      folder = new Folder({ ...project.env, PORT: '0', HOST: '127.0.0.1' });
    });
    afterEach(async () => {
      folder.remove();
      await project.close();
    });

    /** Starts that many, lets those that come up serve until all have, and ends them. */
    async function serveTogether(env: Readonly<Record<string, string>> = {}): Promise<Ended[]> {
      const all = Array.from({ length: count }, () => folder.start('serve', env));
      await Promise.all(all.map(isSettled));
      for (const { child } of all) child.kill('SIGTERM');
      return Promise.all(all.map(({ ended }) => ended));
    }

    const applyTogether = (): Promise<Ended[]> =>
      Promise.all(Array.from({ length: count }, () => folder.run('migrate apply')));

    const rowsOf = (sql: string): Promise<unknown> => project.withDatabase((database) => database.all(sql, []));

    test('an empty database is set up once', { timeout }, async () => {
      project.describe(more);
      const ended = await serveTogether();
      for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
      expect(ended.filter(({ stdout }) => stdout.includes('Access token, shown this once'))).toHaveLength(1);
      expect(await rowsOf('select name from praxis_setup order by name')).toEqual([['area'], ['note'], ['place']]);
      expect(await rowsOf('select name, mood from note')).toEqual([['First', 'calm']]);
      expect(await rowsOf('select name from place order by name')).toEqual([['Here'], ['There']]);
      project.generate();
      await project.apply();
      expect(await project.status()).toMatchObject({ state: 'current', drift: [] });
    });

    test('starts on a database of an older version add to it once, or all say what to run', { timeout }, async () => {
      project.describe(notes({}));
      project.generate();
      await project.serve(async () => {});
      project.describe(more);
      if (dialect !== 'SQLite') {
        for (const { code, stderr } of await serveTogether()) {
          expect(code, stderr).toBe(1);
          expect(stderr).toContain('Run "praxis migrate generate", then "praxis migrate apply".');
        }
      }
      const ended = await serveTogether({ APPLY_ADDITIONS: 'true' });
      for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
      const added = ended.filter(({ stderr }) => stderr.includes('adds the column \\"mood\\"'));
      expect(added).toHaveLength(1);
      expect(await rowsOf('select name from area')).toEqual([['North']]);
      expect(await rowsOf('select name, mood from note')).toEqual([['First', 'calm']]);
      expect(await rowsOf('select name from place order by name')).toEqual([['Here'], ['There']]);
      project.generate();
      await project.apply();
      expect(await project.status()).toMatchObject({ state: 'current', drift: [] });
    });

    test('of applies one works, the others find nothing pending', { timeout }, async () => {
      project.describe(notes({}));
      project.generate();
      const first = (await applyTogether()).map(said);
      expect(new Set(first)).toEqual(new Set([nothing, '0 Created all tables in the empty database.\n']));
      expect(first.filter((line) => line === nothing)).toHaveLength(count - 1);
      await project.serve(async () => {});
      project.describe(more);
      project.generate();
      const ended = await applyTogether();
      expect(ended.filter(({ stdout }) => /Applied \d+ steps/.test(stdout))).toHaveLength(1);
      expect(ended.map(said).filter((line) => line === nothing)).toHaveLength(count - 1);
      expect(await project.status()).toMatchObject({ state: 'current', drift: [] });
    });
  });
}

const nothing = '0 No migrations are pending.\n';
const said = ({ code, stdout }: Ended): string => `${code} ${stdout}`;

/** Waits until a service listens or has given up. */
async function isSettled({ child, output }: Started): Promise<void> {
  while (child.exitCode === null && !output.stdout.includes('Praxis listens')) await delay(20);
}
