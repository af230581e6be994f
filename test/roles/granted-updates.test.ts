// Updates that one statement decides and writes: what it must not grant, and what it must not wait for.
import { beforeAll, expect, test } from 'vitest';
import { withRoles } from '../access/callers.ts';
import type { Json } from '../support/service/praxis.ts';

const staffed = 'staffings.exists(s, s.project == project && s.member == me)';
const roles = {
  self: {
    allow: [
      { on: ['member'], to: ['read', 'update'], when: 'id == actor', fields: { hide: ['salary'] } },
      { on: ['profile'], to: ['read'], when: "name == 'Worker'" },
    ],
  },
  // Reads other rows of the table that the update changes.
  peer: {
    allow: [{ on: ['member'], to: ['read', 'update'], when: 'manager.manager == me || managerId == me.managerId' }],
  },
  staffed: { allow: [{ on: ['entry'], to: ['read', 'update'], when: staffed }] },
  anyone: { allow: [{ on: ['entry'], to: ['read', 'update'], when: 'actor != null' }] },
  open: { allow: [{ on: ['entry'], to: ['read', 'update'], when: "notes != 'closed'" }] },
};

const deletedId = '01890a5d-ac96-774b-bcce-b302099a8057';

withRoles('updates that a condition grants', { folder: 'studio', roles }, (context) => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { make } = context;
    const add = async (name: string, group: string, body: Json): Promise<void> => {
      ids[name] = (await make(group, body)).id;
    };
    const person = (name: string, more: Json = {}) =>
      add(name, 'member', {
        name,
        email: `${name}@example.com`,
        salary: 5000,
        profileId: null,
        managerId: null,
        ...more,
      });
    await add('worker', 'profile', { name: 'Worker' });
    await add('chief', 'profile', { name: 'Chief' });
    await person('ada');
    await person('ben', { managerId: ids['ada'] });
    await person('cleo', { managerId: ids['ben'] });
    await person('dan', { managerId: ids['ada'] });
    await add('project', 'project', { name: 'P' });
    await add('staffing', 'staffing', { projectId: ids['project'], memberId: ids['ben'] });
    await add('entry', 'entry', { projectId: ids['project'], memberId: ids['ada'], notes: 'none' });
  });
  const stored = async (path: string) => (await context.call('GET', path)).body as Json;
  const member = (name: string): string => `/members/${ids[name]}`;

  test('refuse a reference to a hidden record as one to none', async () => {
    const ben = context.as(ids['ben'] ?? '', 'self');
    expect((await ben('PATCH', member('ben'), { profileId: ids['worker'] })).status).toBe(200);
    const [hidden, none] = [
      await ben('PATCH', member('ben'), { profileId: ids['chief'] }),
      await ben('PATCH', member('ben'), { profileId: deletedId }),
    ];
    expect(hidden.status).toBe(400);
    expect(hidden.text).toBe(none.text);
    expect(await stored(member('ben'))).toMatchObject({ profile: { id: ids['worker'] } });
  });

  test('raise the version for a hidden field, whatever is sent, and for a shown one only if it changes', async () => {
    const ben = context.as(ids['ben'] ?? '', 'self');
    const tagAfter = async (body: Json) => {
      expect((await ben('PATCH', member('ben'), body)).status).toBe(200);
      return (await context.call('GET', member('ben'))).headers['etag'];
    };
    const first = await tagAfter({ salary: 1 });
    const second = await tagAfter({ salary: 1 });
    expect(second).not.toBe(first);
    const third = await tagAfter({ profileId: null });
    expect(await tagAfter({ profileId: null })).toBe(third);
  });

  test('read other rows of the same table', async () => {
    const [ada, ben] = ['ada', 'ben'].map((name) => context.as(ids[name] ?? '', 'peer'));
    expect((await ada?.('PATCH', member('cleo'), { salary: 6000 }))?.status).toBe(200);
    expect((await ben?.('PATCH', member('dan'), { salary: 6000 }))?.status).toBe(200);
    expect((await ben?.('PATCH', member('ada'), { salary: 6000 }))?.status).toBe(404);
  });

  test('count a deleted member as none', async () => {
    const path = `/entries/${ids['entry']}`;
    expect((await context.as(deletedId, 'anyone')('PATCH', path, { notes: 'by none' })).status).toBeGreaterThan(399);
    expect(await stored(path)).toMatchObject({ notes: 'none' });
    expect((await context.as(ids['ada'] ?? '', 'anyone')('PATCH', path, { notes: 'by ada' })).status).toBe(200);
  });

  test('check new values that the condition reads', async () => {
    const path = `/entries/${ids['entry']}`;
    const call = context.as(ids['ada'] ?? '', 'open');
    expect((await call('PATCH', path, { notes: 'closed' })).body).toMatchObject({
      message: "Operation 'update' would leave this 'Entry' where it is not granted.",
    });
    expect((await call('PATCH', path, { notes: 'still open' })).status).toBe(200);
  });

  test('do not wait for the records that the condition reads', async () => {
    const { database } = context.workspace;
    if (database.dialect.hasOneWriter) return;
    const ben = context.as(ids['ben'] ?? '', 'staffed');
    await database.transact(async (session) => {
      await session.run('update staffing set guard = guard + 1', []);
      await session.run('update project set guard = guard + 1', []);
      expect((await ben('PATCH', `/entries/${ids['entry']}`, { notes: 'at once' })).status).toBe(200);
    });
  });
});
