// What the doctor tells of the log of changes, and of webhooks that wait for somebody.
import { expect, it } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import { renewLog } from '../../src/past/renewal.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { folders, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'the doctor and the log of changes',
  (on) => {
    const found = async (more: Record<string, string> = {}) => {
      const env = { DATABASE_URL: on.databaseUrl, RESOURCES: folders.log, CHANGES: '90d', PORT: '0', ...more };
      return (await examine(env)).filter(({ code }) => code === 'changes' || code === 'webhooks');
    };

    it('tells its size, what is not forgotten, and whom nothing is sent', async () => {
      await send(on, 'POST /notes', { body: { text: 'x'.repeat(200) } });
      const { id } = (await send(on, 'POST /webhooks', { body: { url: 'https://hooks.example.com:8443/x' } })).body;
      const [size, ...others] = await found();
      expect(size).toMatchObject({ state: 'fine' });
      expect(size?.says).toMatch(/^the log of changes has 1 entry since \d{4}-.*Z, about \d+\.\d MiB/);
      expect(others).toEqual([]);
      const database = await openDatabase(on.databaseUrl);
      const end = (await send(on, 'GET /changes?after=now')).body.cursor;
      for (const _twice of [1, 2]) expect((await send(on, `GET /changes?after=${end}0`)).status).toBe(410);
      const old = new Date(Date.now() - 100 * 24 * 3_600_000).toISOString().slice(0, 23);
      const text = on.isServer ? old.replace('T', ' ') : `${old}Z`;
      await database.run(`update praxis_change set ${database.dialect.quote('at')} = ?`, [text]);
      await database.run("update praxis_webhook set state = 'lost'", []);
      await database.run('update praxis_log set is_on = 0', []);
      const all = await found();
      const state = await database.all('select is_on from praxis_log', []);
      await database.close();
      expect(state.map(([isOn]) => Number(isOn))).toEqual([0]);
      expect(all.slice(1)).toEqual([
        {
          ...{ code: 'changes', state: 'note', says: 'the log is disabled, so no entries are written' },
          todo: 'to enable it, set CHANGES=90d',
        },
        {
          ...{ code: 'changes', state: 'act', says: 'its first entry is 10 days older than CHANGES allows' },
          todo: 'start the service: it deletes old entries at its start and each hour',
        },
        {
          ...{ code: 'changes', state: 'note' },
          says: 'a caller sent a cursor beyond the end of the log, as after a restored backup',
          todo: 'if the database was restored, run "praxis changes renew": followers of the log then read the records again',
        },
        {
          ...{ code: 'webhooks', state: 'act', says: `the webhook ${id} to hooks.example.com:8443 is lost` },
          todo: 'read the records again, then POST …/replay with a cursor of the feed',
        },
      ]);
      expect(JSON.stringify(await found({ CHANGES: 'forever' }))).not.toContain('it begins');
      const renewed = await openDatabase(on.databaseUrl);
      await renewLog(renewed);
      await renewed.close();
      expect(JSON.stringify(await found())).not.toContain('somebody had a cursor');
    });
  },
  'log',
  { parts: { changes: 90 } },
);
