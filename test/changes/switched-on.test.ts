// A log that is switched on in a database that holds records: its tables come by `migrate apply`, or at the start of an embedded one.
import { describe, expect, it } from 'vitest';
import { dialects, Project } from '../support/commands/project.ts';
import { send } from '../support/service/send.ts';

const on = { CHANGES: '90d' };

for (const dialect of dialects) {
  describe(`a log that is switched on later (${dialect})`, () => {
    it('has the writes from then on, once its tables are made', async () => {
      const project = await Project.open(dialect);
      try {
        project.describe({ note: { properties: { name: { type: 'string', maxLength: 100 } } } });
        project.generate();
        await project.serve((call) => call('POST', '/notes', { name: 'before' }));
        const isServer = dialect !== 'SQLite';
        if (isServer) await expect(project.serve(async () => {}, on)).rejects.toThrow('Run: praxis migrate apply.');
        const made = 'creates the tables of the log of changes';
        expect(await project.apply({}, on)).toContain(made);
        expect(await project.apply({}, on)).not.toContain(made);
        await project.serve((call) => call('POST', '/notes', { name: 'after' }), on);
        const entries = await project.withDatabase((database) =>
          database.all('select operation, data from praxis_change', []),
        );
        expect(entries).toEqual([['create', expect.stringContaining('"after"')]]);
        // What is written while it is off is in no entry, and who follows is told to read everything again.
        await project.serve((call) => call('POST', '/notes', { name: 'unseen' }));
        await project.serve(async (_call, address) => {
          const [, ...later] = (await send({ address }, 'GET /changes')).body.results;
          expect(later).toMatchObject([
            {
              ...{ operation: 'reset', group: null, path: null, id: null, name: null, version: null },
              ...{ cause: { kind: 'switch' }, by: null, request: null, trace: null },
            },
          ]);
          expect((await send({ address }, 'GET /changes?group=note&operation=reset')).body.results).toEqual(later);
        }, on);
      } finally {
        await project.close();
      }
    });
  });
}
