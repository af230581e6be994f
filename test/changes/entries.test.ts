// The log of changes: what each write leaves in it, and what leaves nothing.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { byCaller, type Change } from '../../src/engine/changes/change.ts';
import { entriesOf as entriesOfChanges } from '../../src/engine/log/entries.ts';
import { ownOrigin, WriteLog } from '../../src/engine/log/write-log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { endOf, entriesAfter, entriesOf } from '../support/data/changes.ts';
import { type Context, onEveryDatabase, registryOf } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

let count = 0;
const author = async (on: Context, body: object = {}) => {
  count += 1;
  return (await send(on, 'POST /authors', { body: { name: `Author ${count}`, ...body } })).body;
};
const made = async (on: Context, path: string, body: object) => (await send(on, `POST ${path}`, { body })).body;

onEveryDatabase(
  'entries of the log',
  (on) => {
    it('has an entry for a create, an update and a delete, with from and to, token and request', async () => {
      const cursor = await endOf(on);
      const create = await send(on, 'POST /tags', { body: { name: 'Sea' } });
      const { id } = create.body;
      const note = await send(on, 'POST /notes', { body: { text: 'First' } });
      const update = await send(on, `PATCH /notes/${note.body.id}`, { body: { text: 'Second' } });
      const remove = await send(on, `DELETE /tags/${id}`);
      const { entries } = await entriesAfter(on, cursor);
      expect(entries.map(({ operation, group }) => `${operation} ${group}`)).toEqual([
        ...['create tag', 'create note', 'update note', 'delete tag'],
      ]);
      const [made, , changed, gone] = entries;
      expect(made).toMatchObject({
        ...{
          part: 1,
          parts: 1,
          group: 'tag',
          path: `/tags/${id}`,
          id,
          name: 'Sea',
          version: 0,
          cause: { kind: 'caller' },
        },
        changes: { name: { to: 'Sea' }, createdAt: { to: create.body.createdAt } },
        by: { member: null, token: { id: null, name: 'ACCESS_TOKEN' } },
        request: create.headers.get('x-request-id'),
      });
      expect(Object.keys(made ?? {})).not.toContain('step');
      expect(changed).toMatchObject({ version: 1, changes: { text: { from: 'First', to: 'Second' } } });
      expect(changed?.request).toBe(update.headers.get('x-request-id'));
      expect(gone).toMatchObject({ name: 'Sea', version: 0, changes: { name: { from: 'Sea' } } });
      expect(gone?.request).toBe(remove.headers.get('x-request-id'));
      expect(new Set(entries.map(({ write }) => write)).size).toBe(4);
      expect(entries.map(({ position }) => Number(position))).toEqual(
        entries.map((_entry, index) => Number(entries[0]?.position) + index),
      );
    });

    it('has none for what changes nothing, is tried, refused, or answered from before', async () => {
      const { id } = await made(on, '/notes', { text: 'Same' });
      const repeated = { body: { text: 'Once' }, headers: { 'Idempotency-Key': 'once-1' } };
      await send(on, 'POST /notes', repeated);
      const entries = await entriesOf(on, async () => {
        expect((await send(on, `PATCH /notes/${id}`, { body: { text: 'Same' } })).status).toBe(200);
        expect((await send(on, `PATCH /notes/${id}`, { body: {} })).status).toBe(200);
        const trial = { headers: { Prefer: 'tx=rollback' } };
        expect((await send(on, `PATCH /notes/${id}`, { body: { text: 'Tried' }, ...trial })).status).toBe(200);
        expect((await send(on, `DELETE /notes/${id}`, trial)).status).toBe(200);
        expect((await send(on, `PATCH /notes/${id}`, { body: { text: 5 } })).status).toBe(400);
        const replay = await send(on, 'POST /notes', repeated);
        expect(replay.headers.get('idempotent-replayed')).toBe('true');
        const refused = {
          operations: [
            { method: 'DELETE', path: `/notes/${id}` },
            { method: 'POST', path: '/notes', body: {} },
          ],
        };
        expect((await send(on, 'POST /batch', { body: refused })).status).toBe(400);
      });
      expect(entries).toEqual([]);
    });

    it('tells figures of others with the record that brought them about, in the same write', async () => {
      const owner = await author(on);
      const piece = await made(on, '/pieces', { title: 'Waves', authorId: owner.id, price: 2.5 });
      const entries = await entriesOf(on, () =>
        send(on, `PATCH /pieces/${piece.id}`, { body: { price: 12345678901.25 } }),
      );
      expect(entries).toHaveLength(2);
      const [own, figure] = entries;
      expect(own).toMatchObject({
        part: 1,
        parts: 2,
        cause: { kind: 'caller' },
        changes: { price: { from: 2.5, to: 12345678901.25 } },
      });
      expect(figure).toMatchObject({
        ...{ part: 2, parts: 2, write: own?.write, group: 'author', id: owner.id, name: owner.name, version: 0 },
        cause: { kind: 'figure', rule: 'formula', of: { group: 'piece', id: piece.id } },
        changes: { worth: { from: 2.5, to: 12345678901.25 } },
      });
    });

    it('has one entry for each record that a delete takes along, and for each that lets go of one', async () => {
      const owner = await author(on);
      const tag = await made(on, '/tags', { name: 'Old' });
      const piece = await made(on, '/pieces', {
        ...{ title: 'Gone', authorId: owner.id, tagIds: [tag.id], lines: [{ label: 'a', amount: 1.5, tagId: tag.id }] },
      });
      const note = await made(on, '/notes', { text: 'About it', pieceId: piece.id });
      const cleared = await entriesOf(on, () => send(on, `DELETE /tags/${tag.id}`));
      expect(cleared.map(({ operation, group, cause }) => [operation, group, cause.kind])).toEqual([
        ['update', 'piece', 'clear'],
        ['delete', 'tag', 'caller'],
      ]);
      expect(cleared[0]).toMatchObject({
        cause: { kind: 'clear', of: { group: 'tag', id: tag.id } },
        changes: { tagIds: { removed: [tag.id] }, lines: { removed: { field: 'tagId', id: tag.id } } },
      });
      const entries = await entriesOf(on, () => send(on, `DELETE /authors/${owner.id}`));
      const told = entries.map(({ operation, group, cause }) => `${operation} ${group} ${cause.kind}`);
      expect(told.toSorted()).toEqual(['delete author caller', 'delete piece cascade', 'update note clear']);
      expect(entries.find(({ group }) => group === 'note')).toMatchObject({
        ...{ id: note.id, version: 1, changes: { pieceId: { from: piece.id, to: null } } },
        cause: { kind: 'clear', of: { group: 'piece', id: piece.id } },
      });
      expect(entries.map(({ parts }) => parts)).toEqual([3, 3, 3]);
    });

    it('tells which items a list loses that name records of several groups, and an undo brings them back', async () => {
      const [tag, owner] = [await made(on, '/tags', { name: 'Mentioned' }), await author(on)];
      const mentions = [
        { kindId: 'an_author', id: owner.id },
        { kindId: 'a_tag', id: tag.id },
      ];
      const { id } = await made(on, '/notes', { text: 'Of both', mentions });
      const entries = await entriesOf(on, () => send(on, `DELETE /tags/${tag.id}`));
      expect(entries.map(({ operation, group }) => `${operation} ${group}`)).toEqual(['update note', 'delete tag']);
      expect(entries[0]).toMatchObject({
        ...{ id, cause: { kind: 'clear', of: { group: 'tag', id: tag.id } } },
        changes: { mentions: { removed: { field: 'id', id: tag.id } } },
      });
      const shown = async () => (await send(on, `GET /notes/${id}`)).body.mentions;
      expect(await shown()).toEqual(mentions.slice(0, 1));
      await send(on, `POST /writes/${entries[0]?.write}/undo`);
      expect(await shown()).toEqual(mentions);
    });

    it('counts the operations of a batch, whose entries are of one write', async () => {
      const note = await made(on, '/notes', { text: '0' });
      const operation = (text: string) => ({ method: 'PATCH', path: `/notes/${note.id}`, body: { text } });
      const entries = await entriesOf(on, () =>
        send(on, 'POST /batch', {
          body: {
            operations: [operation('1'), { method: 'POST', path: '/notes', body: { text: 'new' } }, operation('2')],
          },
        }),
      );
      expect(new Set(entries.map(({ write }) => write)).size).toBe(1);
      expect(entries.map(({ step, part, parts, version }) => [step, part, parts, version])).toEqual([
        [1, 1, 3, 1],
        [2, 2, 3, 0],
        [3, 3, 3, 2],
      ]);
      const apart = await entriesOf(on, () =>
        send(on, 'POST /batch', {
          body: { atomic: false, operations: [operation('3'), operation('x'.repeat(300)), operation('4')] },
        }),
      );
      expect(new Set(apart.map(({ write }) => write)).size).toBe(1);
      expect(apart.map(({ step, part, parts, version }) => [step, part, parts, version])).toEqual([
        [1, 1, 2, 3],
        [3, 2, 2, 4],
      ]);
    });

    it('never keeps what must not be kept twice, and shows nobody what nobody is shown', async () => {
      const secret = 'canary-of-the-notes';
      const entries = await entriesOf(on, async () => {
        const { id } = await author(on, { notes: secret, pin: 'canary-pin' });
        await send(on, `PATCH /authors/${id}`, { body: { notes: `${secret} 2`, pin: 'canary-pin-2' } });
        await send(on, `DELETE /authors/${id}`);
      });
      expect(entries.map(({ changes }) => changes['notes'])).toEqual([{}, {}, {}]);
      expect(JSON.stringify(entries)).not.toContain('canary');
      const database = await openDatabase(on.databaseUrl);
      try {
        const rows = await database.all('select data from praxis_change', []);
        expect(rows.length).toBeGreaterThan(2);
        expect(rows.join()).not.toContain(secret);
        expect(rows.join()).toContain('canary-pin');
      } finally {
        await database.close();
      }
    });

    it('leaves out groups that their descriptor leaves out', async () => {
      const entries = await entriesOf(on, async () => {
        const { id } = await made(on, '/readings', { value: 3 });
        await send(on, `PATCH /readings/${id}`, { body: { value: 4 } });
        await send(on, `DELETE /readings/${id}`);
      });
      expect(entries).toEqual([]);
      expect((await send(on, 'GET /changes?group=reading')).body.message).toMatch(/^Parameter 'group' must be one of /);
    });
  },
  'log',
  { parts: { changes: 90 } },
);

it('a record that is gone has the whole name that references showed of it', async () => {
  const nameOf = async (before: object): Promise<unknown> => {
    const change = { kind: 'delete', group: 'span', id: 's1', before: { ...before }, cause: byCaller, together: {} };
    return (await entriesOfChanges([change as Change], registryOf('narrowing')))[0]?.name;
  };
  expect(await nameOf({ start: '2026-03-02', end: '2026-03-06' })).toBe('2026-03-02 to 2026-03-06');
  expect(await nameOf({ start: '2026-03-02' })).toBe(null);
});

it('a record that changes and goes within one write is called as before it', () => {
  const [before, after] = [
    { start: '2026-03-02', end: '2026-03-06' },
    { start: '2026-03-03', end: '2026-03-06' },
  ];
  const of = { group: 'span', id: 's1', cause: byCaller };
  const changes = [
    { ...of, kind: 'update', before, after, keys: ['start'] },
    { ...of, kind: 'delete', before: after, together: {} },
  ] as Change[];
  expect(entriesOfChanges(changes, registryOf('narrowing'))).toMatchObject([
    { operation: 'delete', name: '2026-03-02 to 2026-03-06', changes: { start: { from: '2026-03-02' } } },
  ]);
});

it('versions that cannot be read fail who keeps the entries, and nobody else', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const log = new WriteLog({} as ConstructorParameters<typeof WriteLog>[0], ownOrigin);
  log.noteGoing('note', Promise.reject(new Error('Lost.')));
  await turn();
  await turn();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
