// Statements of writes under roles, counted next to those of the same write by a role without conditions.
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { rolesIn } from '../access/callers.ts';
import { askedText, type Noted, note } from '../support/databases/noted.ts';
import { grounds, type Json, registryOf, startService } from '../support/service/praxis.ts';

const staffed = 'staffings.exists(s, s.project == project && s.member == me)';
const others = { on: ['member'], to: ['read'] };
const projects = { on: ['project'], to: ['read'], when: 'staffings.exists(s, s.projectId == id && s.member == me)' };
const roles = {
  all: { allow: [{ on: ['*'], to: ['*'] }] },
  own: { allow: [{ on: ['entry'], to: ['*'], when: 'memberId == actor' }, projects, others] },
  fields: {
    allow: [{ on: ['entry'], to: ['*'], when: 'member == me', fields: { keep: ['statusId'] } }, projects, others],
  },
  after: {
    allow: [
      { on: ['entry'], to: ['read', 'create', 'delete'] },
      { on: ['entry'], to: ['update'], when: 'member == me', after: "statusId != 'approved' || minutes < 999" },
      projects,
      others,
    ],
  },
  staffed: { allow: [{ on: ['entry'], to: ['*'], when: staffed }, projects, others] },
};

/**
 * Statements more than by `all`, for an update of notes, of minutes, of minutes and project, a create and a delete. A log adds a check
 * before the lock to the first one; on servers, a lock on the new project makes the third read its staffings again.
 */
const expectedOf = (hasLog: boolean, isServer: boolean): Readonly<Record<string, readonly number[]>> => {
  const checked = hasLog ? 1 : 0;
  return {
    all: [0, 0, 0, 0, 0],
    own: [checked, 0, 0, 0, 0],
    fields: [checked, 0, 0, 0, 0],
    after: [checked, 0, 0, 0, 0],
    staffed: [checked, 1, isServer ? 2 : 1, 1, 1],
  };
};

for (const changes of [undefined, 90])
  for (const ground of grounds)
    test.skipIf(ground.open === undefined)(
      `${ground.name}, ${changes === undefined ? 'without' : 'with'} a log of changes`,
      async () => {
        if (ground.open === undefined) return;
        const { url, close } = await ground.open();
        const database = await openDatabase(url);
        const noted: Noted[] = [];
        note(database, noted);
        const book = rolesIn(registryOf('studio'), roles);
        const service = await startService('studio', url, { database, roles: book.roles, ...(changes && { changes }) });
        try {
          const { make, workspace } = service;
          const member = await make('member', { name: 'A', email: 'a@example.com' });
          const [one, other] = [await make('project', { name: 'One' }), await make('project', { name: 'Other' })];
          for (const { id } of [one, other]) await make('staffing', { projectId: id, memberId: member.id });
          const body = { date: '2026-03-02', minutes: 60, memberId: member.id, projectId: one.id };
          const counts: Record<string, readonly string[][]> = {};
          for (const role of Object.keys(roles)) {
            const entry = await make('entry', body);
            const { token } = await createToken(workspace.unit, { name: role, roles: [role], memberId: member.id });
            const send = async (method: string, path: string, sent?: Json): Promise<readonly [string, string[]]> => {
              noted.length = 0;
              const response = await fetch(`${service.address}${path}`, {
                method,
                headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
                ...(sent && { body: JSON.stringify(sent) }),
              });
              const text = await response.text();
              expect(response.status, `${role} ${method} ${path} ${text}`).toBeLessThan(300);
              const taken = noted.filter(
                ({ sql }) => !/^(?!update|insert).*praxis_(?:state|token|session)|settings[`"] {2}limit 1/.test(sql),
              );
              return [text, taken.map(({ sql }) => askedText(sql))];
            };
            const path = `/entries/${entry.id}`;
            // The first of each finds out what later ones know.
            await send('PATCH', path, { notes: 'first' });
            const [created, create] = await send('POST', '/entries', body);
            counts[role] = [
              (await send('PATCH', path, { notes: 'second' }))[1],
              (await send('PATCH', path, { minutes: 61 }))[1],
              (await send('PATCH', path, { minutes: 62, projectId: other.id }))[1],
              create,
              (await send('DELETE', `/entries/${(JSON.parse(created) as { id: string }).id}`))[1],
            ];
          }
          const base = counts['all'] ?? [];
          const more = Object.entries(counts).map(([role, all]) => [
            role,
            all.map((each, place) => each.length - (base[place]?.length ?? 0)),
          ]);
          expect(Object.fromEntries(more)).toEqual(expectedOf(changes !== undefined, ground.name !== 'SQLite'));
          expect(base.map(({ length }) => length)).toEqual(changes === undefined ? [2, 6, 7, 5, 5] : [4, 7, 8, 6, 7]);
        } finally {
          await service.stop();
          await close();
        }
      },
      60_000,
    );
