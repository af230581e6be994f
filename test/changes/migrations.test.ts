// The log of changes and migrations: entries of before are read by the names of today, and groups are read anew whose values a migration
// has changed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import type { Json } from '../support/service/client.ts';
import { send } from '../support/service/send.ts';

const text = { type: 'string', maxLength: 100 };
const before: Groups = {
  note: {
    properties: {
      title: text,
      kind: { type: 'string', enum: ['short', 'long'], default: 'short' },
      size: { type: 'integer', default: 1 },
    },
    resource: { shownAs: '{title}' },
  },
  tag: { properties: { name: text } },
};
const after: Groups = {
  note: {
    properties: {
      name: { ...text, renamedFrom: 'title' },
      kind: { type: 'string', enum: ['brief', 'long'], default: 'brief', renamedValues: { brief: 'short' } },
      size: { type: 'integer', default: 1 },
      double: { type: 'integer', formula: 'size * 2' },
    },
  },
  tag: { properties: { name: text, label: { ...text, default: '' } } },
};
for (const dialect of dialects)
  describe(`the log of changes and migrations (${dialect})`, () => {
    let project: Project;
    beforeEach(async () => {
      project = await Project.open(dialect);
    });
    afterEach(() => project.close());

    const on = { CHANGES: '90d' };
    const feed = async (address: string, query = ''): Promise<Json> =>
      (await send({ address }, `GET /changes?limit=1000${query}`)).body;

    it('shows names of today, and tells once of each group whose values are other ones', async () => {
      project.describe(before);
      project.generate();
      await project.apply({}, on);
      const cursor = await project.serve(async (call, address) => {
        expect((await call('POST', '/notes', { title: 'one', kind: 'short' })).status).toBe(200);
        return (await feed(address, '&after=now'))['cursor'];
      }, on);
      project.describe(after);
      project.generate('second');
      expect(await project.apply({}, on)).toContain('computes the figure');
      await project.serve(async (_call, address) => {
        const [made, ...others] = (await feed(address, '&group=note'))['results'] as Json[];
        expect(made).toMatchObject({
          operation: 'create',
          changes: { name: { to: 'one' }, kind: { to: 'brief' }, size: { to: 1 } },
        });
        expect(Object.keys(made?.['changes'] as Json)).not.toContain('title');
        expect(others).toMatchObject([{ operation: 'reset' }]);
        const { results } = (await feed(address, `&after=${String(cursor)}`)) as { results: Json[] };
        const resets = results.map(({ operation, group, id, version, cause }) => [
          operation,
          group,
          id,
          version,
          cause,
        ]);
        const cause = { kind: 'migration', name: '0002_second' };
        expect(resets.toSorted()).toEqual([
          ['reset', 'note', null, null, cause],
          ['reset', 'tag', null, null, cause],
        ]);
      }, on);
    });

    it('says nothing where there is no log', async () => {
      project.describe({ tag: before['tag'] ?? {} });
      project.generate();
      await project.apply();
      await project.serve(async (call) => void (await call('POST', '/tags', { name: 'one' })));
      project.describe({ tag: after['tag'] ?? {} });
      project.generate('second');
      await project.apply();
      await project.withDatabase(async (database) => {
        expect(await database.all(database.dialect.tablesAmong(['praxis_change']), [])).toEqual([]);
      });
    });
  });
