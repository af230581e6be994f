// Figures over records that hold ids in a list, and over what lies behind these.
import { expect, test } from 'vitest';
import { Project } from '../support/commands/project.ts';

test('a change behind records that are found by a list of references brings the figure up to date', async () => {
  const project = await Project.open('SQLite');
  const name = { type: 'string', maxLength: 20 };
  const worth = { type: 'integer', default: 0 };
  const least = 'coalesce(berths.filter(b, id in b.markIds).min(b, b.area.worth), 0)';
  project.describe({
    area: { properties: { name, worth } },
    mark: { properties: { name, least: { type: 'integer', formula: least, compute: 'always' } } },
    berth: {
      properties: {
        name,
        area: { reference: 'area', onDelete: 'restrict' },
        marks: { references: 'mark', onDelete: 'clear' },
      },
    },
  });
  await project.serve(async (call) => {
    const made = async (path: string, body: object) =>
      (await call('POST', path, { name: 'A', ...body })).body as { id: string };
    const [{ id: areaId }, { id: markId }] = [await made('/areas', { worth: 3 }), await made('/marks', {})];
    await made('/berths', { areaId, markIds: [markId] });
    expect((await call('GET', `/marks/${markId}`)).body).toMatchObject({ least: 3 });
    await call('PATCH', `/areas/${areaId}`, { worth: 5 });
    expect((await call('GET', `/marks/${markId}`)).body).toMatchObject({ least: 5 });
  });
  await project.close();
});
