// Descriptors that a start has followed before a migration was written: what the next one says stands on what is there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Project } from '../support/commands/project.ts';

let project: Project;
beforeEach(async () => {
  project = await Project.open('SQLite');
});
afterEach(() => project.close());

const text = { type: 'string', maxLength: 40, description: 'Text' };
const number = { type: 'integer', description: 'Number' };
const group = (properties: object, required: readonly string[], more: object = {}) => ({
  properties,
  required,
  ...more,
});
const shelf = group({ name: text }, ['name']);
const lastMigration = (): string => {
  const name = readdirSync(project.migrations).toSorted().at(-1) ?? '';
  return readFileSync(join(project.migrations, name), 'utf8');
};
const records = (group: string) =>
  project.serve(async (call) => {
    const { body } = await call('GET', `/${group}s`);
    return (body as { results: Record<string, unknown>[] }).results;
  });
const add = (group: string, body: object) =>
  project.serve(async (call) => expect((await call('POST', `/${group}s`, body)).status).toBe(200));

test.each([
  ['no migration was written yet', false],
  ['there are migrations', true],
])('a field that is renamed after a start has made its group keeps its values: %s', async (_case, hasMigrations) => {
  if (hasMigrations) {
    project.describe({ shelf });
    project.generate();
    await project.apply();
  }
  project.describe({ shelf, box: group({ name: text, size: number }, ['name', 'size']) });
  await add('box', { name: 'Crate', size: 12 });
  const renamed = { ...number, renamedFrom: 'size' };
  project.describe({ shelf, box: group({ name: text, weight: renamed }, ['name', 'weight']) });
  const printed = project.generate();
  expect(printed).toContain(
    '  renames the column "size" of "box" to "weight"\nA start of the service has already run the first ',
  );
  expect(await project.apply()).toMatch(/already done by a start of the service/);
  expect(await records('box')).toMatchObject([{ name: 'Crate', weight: 12 }]);
  expect(project.generate()).toContain('no migration is needed');
  expect((await project.status()).state).toBe('current');
});

test('a field that a start has added is renamed with what its records were given', async () => {
  project.describe({ shelf });
  project.generate();
  await project.apply();
  await add('shelf', { name: 'Old' });
  const level = { ...number, default: 3 };
  project.describe({ shelf: group({ name: text, level }, ['name']) });
  await add('shelf', { name: 'New', level: 5 });
  project.describe({ shelf: group({ name: text, floor: { ...level, renamedFrom: 'level' } }, ['name']) });
  project.generate();
  await project.apply();
  expect(await records('shelf')).toMatchObject([
    { name: 'New', floor: 5 },
    { name: 'Old', floor: 3 },
  ]);
});

test('a required field that is new to a group of a start asks for a value of its records', async () => {
  project.describe({ box: group({ name: text }, ['name']) });
  await add('box', { name: 'Crate' });
  project.describe({ box: group({ name: text, size: number }, ['name', 'size']) });
  expect(() => project.generate()).toThrow('--fill box.size=');
  project.generate(undefined, { fill: ['box.size=4'] });
  await project.apply();
  expect(await records('box')).toMatchObject([{ name: 'Crate', size: 4 }]);
});

test('what a start has made as the descriptors ask is written as it always was', async () => {
  project.describe({ shelf });
  project.generate();
  await project.apply();
  project.describe({ shelf, box: group({ name: text, size: number }, ['name', 'size']) });
  const printed = project.generate();
  const before = lastMigration();
  expect(printed).not.toContain('A start');
  await add('box', { name: 'Crate', size: 12 });
  expect(project.generate()).toContain('no migration is needed');
  expect(lastMigration()).toBe(before);
});

test('a database that has not seen all migrations is left out of it', async () => {
  project.describe({ shelf });
  project.generate();
  await project.apply();
  project.describe({ shelf: group({ name: text, level: { ...number, default: 3 } }, ['name']) });
  project.generate('pending');
  project.describe({
    shelf: group({ name: text, floor: { ...number, default: 3, renamedFrom: 'level' } }, ['name']),
  });
  expect(project.generate('renamed')).not.toContain('A start');
  expect(lastMigration()).toContain('renameColumn');
});

test('a group that a start has made, and that is gone again, is dropped where that is allowed', async () => {
  project.describe({ shelf, box: group({ name: text }, ['name']) });
  await add('box', { name: 'Crate' });
  project.describe({ shelf });
  expect(() => project.generate()).toThrow('--allow-drop');
  project.generate(undefined, { allowDrop: true });
  await project.apply({ allowDrop: true });
  expect(await records('shelf')).toEqual([]);
  expect((await project.status()).state).toBe('current');
});
