// Where the log of changes is switched off there is none: no path, no table, no statement.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'a log that is switched off',
  (on) => {
    it('answers none of its paths', async () => {
      const { id } = (await send(on, 'POST /notes', { body: { text: 'a' } })).body;
      for (const path of ['/changes', `/history/notes/${id}`, `/writes/${id}`, '/webhooks'])
        expect(await send(on, `GET ${path}`)).toMatchObject({
          status: 404,
          body: { status: 404, message: 'No such path.' },
        });
    });

    it('has no table', async () => {
      const database = await openDatabase(on.databaseUrl);
      try {
        expect(await database.all(database.dialect.tablesAmong(['praxis_change', 'praxis_log']), [])).toEqual([]);
      } finally {
        await database.close();
      }
    });
  },
  'log',
);
