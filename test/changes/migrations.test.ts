// The log of changes and migrations: entries of before are read by the names of today, and groups are read anew whose values a migration
// has changed.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareState } from '../../src/storage/counters.ts';
import { createToken, prepareTokens } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { isOfPart } from '../support/run/part.ts';
import type { Json } from '../support/service/client.ts';
import { Receiver } from '../support/service/receiver.ts';
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

/** A group that is renamed twice, whose fields and values are, too; names that were given away are given anew. Another one goes. */
const first: Groups = {
  tag: { properties: { name: text } },
  stamp: { properties: { name: text } },
  note: {
    properties: {
      title: text,
      size: { type: 'integer', default: 1 },
      worn: { ...text, default: '' },
      kind: { type: 'string', enum: ['short', 'long'], default: 'short' },
      tags: { references: 'tag', description: 'Tags.' },
      office: {
        type: 'object',
        properties: { phone: { ...text, default: '' }, street: { ...text, default: '' } },
      },
      lines: {
        type: 'array',
        maxItems: 9,
        items: { type: 'object', properties: { label: text, sort: { type: 'string', enum: ['a', 'b'] } } },
      },
    },
    resource: { shownAs: '{title}' },
  },
};
const [tag = {}] = [first['tag']];
const second: Groups = {
  tag,
  memo: {
    properties: {
      name: { ...text, renamedFrom: 'title' },
      size: { type: 'integer', default: 1 },
      kind: { type: 'string', enum: ['brief', 'long'], default: 'brief', renamedValues: { brief: 'short' } },
      labels: { references: 'tag', description: 'Tags.', renamedFrom: 'tags' },
      place: {
        type: 'object',
        renamedFrom: 'office',
        properties: { call: { ...text, default: '', renamedFrom: 'phone' }, street: { ...text, default: '' } },
      },
      lines: {
        type: 'array',
        maxItems: 9,
        items: {
          type: 'object',
          properties: {
            text: { ...text, renamedFrom: 'label' },
            sort: { type: 'string', enum: ['c', 'b'], renamedValues: { c: 'a' } },
          },
        },
      },
    },
    renamedFrom: 'note',
    resource: { shownAs: '{name}' },
  },
};
const third: Groups = {
  tag,
  paper: {
    properties: {
      heading: { ...text, renamedFrom: 'name' },
      title: { type: 'integer', default: 1, renamedFrom: 'size' },
      sort: {
        type: 'string',
        enum: ['terse', 'long'],
        default: 'terse',
        renamedFrom: 'kind',
        renamedValues: { terse: 'brief' },
      },
      marks: { references: 'tag', description: 'Tags.', renamedFrom: 'labels' },
      place: {
        type: 'object',
        properties: { ring: { ...text, default: '', renamedFrom: 'call' }, street: { ...text, default: '' } },
      },
      rows: {
        type: 'array',
        maxItems: 9,
        renamedFrom: 'lines',
        items: {
          type: 'object',
          properties: { text, sort: { type: 'string', enum: ['d', 'b'], renamedValues: { d: 'c' } } },
        },
      },
    },
    renamedFrom: 'memo',
    resource: { shownAs: '{heading}' },
  },
  note: { properties: { name: text, worn: { type: 'integer', default: 0 } } },
};

/** How migrations are applied; one of them in `npm test`. */
const courses = [
  ['one at a time', false],
  ['all at once', true],
] as const;

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
      expect(await project.apply({}, on)).toContain('computes the field');
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

    /** A token that is kept to something. */
    const tokenFor = (allow: string): Promise<string> =>
      project.withDatabase(async (database) => {
        await prepareState(database);
        await prepareTokens(database);
        const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
        const limits = { readOnly: false, allow: [allow] };
        return (await createToken(unit, { name: 'limited', limits })).token;
      });
    const statuses = async (address: string, token: string, paths: readonly string[]): Promise<number[]> => {
      const found: number[] = [];
      for (const path of paths)
        found.push((await send({ address }, `GET ${path}`, { headers: { Authorization: `Bearer ${token}` } })).status);
      return found;
    };

    /** What an entry tells of the fields of its descriptor. */
    const told = (entry: Json | undefined): Json => {
      const { createdAt: _made, ...changes } = Object(entry?.['changes']) as Json;
      return changes;
    };

    it.each(courses.filter(([, areTogether]) => isOfPart(areTogether)))(
      'shows names of today through any number of migrations, %s',
      async (_how, areTogether) => {
        const migrate = async (groups: Groups, name: string): Promise<void> => {
          project.describe(groups);
          project.generate(name, { allowDrop: true });
          if (!areTogether) await project.apply({ allowDrop: true }, on);
        };
        project.describe(first);
        project.generate();
        await project.apply({}, on);
        const limited = await tokenFor('read:note,tag');
        const one = { title: 'one', size: 1, worn: 'w', office: { phone: '1', street: 's' } };
        const lines = [{ label: 'l', sort: 'a' }];
        const { cursor, id, tagId, write, hook } = await project.serve(async (call, address) => {
          const post = async (path: string, body: Json): Promise<Json> =>
            (await send({ address }, `POST ${path}`, { body })).body;
          const made = await post('/tags', { name: 't' });
          const kept = await post('/notes', { ...one, kind: 'short', tagIds: [made['id']], lines });
          expect(kept['id']).toBeTypeOf('string');
          const change = { title: 'two', size: 2, worn: 'v', kind: 'long', office: { phone: '2' }, lines: [] };
          expect((await call('PATCH', `/notes/${String(kept['id'])}`, change)).status).toBe(200);
          const { results, cursor: end } = await feed(address, '&group=note');
          const hooked = await post('/webhooks', { url: 'https://example.com/', groups: ['tag', 'stamp', 'note'] });
          await send({ address }, `PATCH /webhooks/${String(hooked['id'])}`, { body: { state: 'paused' } });
          const [, changed] = results as Json[];
          return {
            ...{ cursor: end, id: String(kept['id']), tagId: made['id'] },
            ...{ write: String(changed?.['write']), hook: String(hooked['id']) },
          };
        }, on);
        await migrate(second, 'second');
        if (!areTogether)
          await project.serve(async (call) => {
            expect((await call('PATCH', `/memos/${id}`, { name: 'three', kind: 'brief' })).status).toBe(200);
          }, on);
        await migrate(third, 'third');
        if (areTogether) await project.apply({ allowDrop: true }, on);
        await project.serve(async (call, address) => {
          const { id: other } = (await send({ address }, 'POST /notes', { body: { name: 'another group', worn: 7 } }))
            .body;
          const { results } = (await feed(address, '&operation=create,update&group=paper')) as { results: Json[] };
          const [made, changed, renamed] = results;
          expect(made).toMatchObject({ group: 'paper', path: `/papers/${id}`, id });
          const changes = told(made);
          expect(changes).toEqual({
            heading: { to: 'one' },
            title: { to: 1 },
            sort: { to: 'terse' },
            markIds: { to: [tagId] },
            place: { to: { ring: '1', street: 's' } },
            rows: { to: [{ text: 'l', sort: 'd' }] },
          });
          const update = told(changed);
          expect(update).toEqual({
            heading: { from: 'one', to: 'two' },
            title: { from: 1, to: 2 },
            sort: { from: 'terse', to: 'long' },
            place: { from: { ring: '1', street: 's' }, to: { ring: '2', street: 's' } },
            rows: { from: [{ text: 'l', sort: 'd' }], to: [] },
          });
          if (!areTogether)
            expect(renamed).toMatchObject({
              changes: { heading: { from: 'two', to: 'three' }, sort: { from: 'long', to: 'terse' } },
            });
          // What has come to bear a name of before is another group, and nobody is told of migrations by other entries than resets.
          const named = (await feed(address, '&group=note'))['results'] as Json[];
          expect(named.filter(({ operation }) => operation !== 'reset').map((entry) => entry['id'])).toEqual([other]);
          const all = (await feed(address, `&after=${String(cursor)}`))['results'] as Json[];
          expect(new Set(all.map(({ operation }) => operation))).toEqual(
            new Set(['reset', 'create', ...(areTogether ? [] : ['update'])]),
          );
          const history = (await send({ address }, `GET /history/papers/${id}`)).body;
          expect(history.isComplete).toBe(true);
          expect(history.results.at(-1)).toMatchObject({ operation: 'create', group: 'paper', changes });
          const [written] = (await send({ address }, `GET /writes/${write}`)).body.results;
          expect(written).toMatchObject({ group: 'paper', changes: update });
          // Limits of tokens go on with their group.
          expect(await statuses(address, limited, ['/papers', '/tags', '/notes'])).toEqual([200, 200, 403]);
          // Webhooks go on with the groups that they have named and that are left, and not with the one that has such a name by now.
          expect((await send({ address }, `GET /webhooks/${hook}`)).body.groups).toEqual(['tag', 'paper']);
          if (!areTogether) return;
          const undone = await send({ address }, `POST /writes/${write}/undo`);
          expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
          const now = (await call('GET', `/papers/${id}`)).body;
          expect(now).toMatchObject({ heading: 'one', title: 1, sort: 'terse', rows: [{ text: 'l', sort: 'd' }] });
        }, on);
      },
      60_000,
    );

    it('leaves a token nothing of a group that is gone, whatever comes under its name', async () => {
      const [note = {}, kept = {}] = [before['note'], before['tag']];
      project.describe({ note, tag: kept });
      project.generate();
      await project.apply();
      const limited = await tokenFor('read:note,tag');
      project.describe({ tag: kept });
      project.generate('second', { allowDrop: true });
      project.describe({ tag: kept, note });
      project.generate('third');
      await project.apply({ allowDrop: true });
      await project.serve(async (_call, address) => {
        expect(await statuses(address, limited, ['/notes', '/tags'])).toEqual([403, 200]);
      });
    }, 60_000);

    it.each([
      ['renames a group', { memo: { ...before['note'], renamedFrom: 'note' } }, 'memo'],
      ['adds one', { note: before['note'] ?? {}, tag: before['tag'] ?? {} }, 'tag'],
    ] as const)(
      'is told no further by a service that began before a migration that %s',
      async (_what, groups, group) => {
        project.describe({ note: before['note'] ?? {} });
        project.generate();
        await project.apply({}, on);
        await project.serve(async (_call, address) => {
          const start = String((await feed(address, '&after=now'))['cursor']);
          const { id } = (await send({ address }, 'POST /notes', { body: { title: 'one' } })).body;
          project.describe(groups);
          project.generate('second');
          await project.apply({}, on);
          await project.serve(async (_call, newer) => {
            const path = group === 'memo' ? '/memos' : '/tags';
            const body = group === 'memo' ? { title: 'two' } : { name: 'two' };
            const made = (await send({ address: newer }, `POST ${path}`, { body })).body;
            const known = await feed(address, `&after=${start}`);
            expect((known['results'] as Json[]).map((entry) => entry['id'])).toEqual([id]);
            const cursor = String(known['cursor']);
            for (const accept of ['application/json', 'text/event-stream']) {
              const line = `GET /changes?after=${cursor}`;
              const refused = await send({ address }, line, { headers: { Accept: accept } });
              expect([refused.status, refused.body]).toEqual([
                503,
                {
                  status: 503,
                  message: 'The service is older than its database; try again.',
                },
              ]);
            }
            // Whoever asks a service of now goes on from there, and has missed nothing.
            const { results } = await feed(newer, `&after=${cursor}`);
            expect((results as Json[]).map((entry) => [entry['group'], entry['id']])).toEqual([[group, made.id]]);
          }, on);
        }, on);
      },
      60_000,
    );

    it('sends webhooks nothing, and passes nothing by, where the service began before it', async () => {
      const receiver = new Receiver();
      await receiver.start();
      const hooked = { ...on, WEBHOOK_HOSTS: receiver.host };
      const told = () => receiver.received.map(({ body }) => body.data.group);
      try {
        const [note = {}, tag = {}] = [before['note'], before['tag']];
        project.describe({ note, tag });
        project.generate();
        await project.apply({}, hooked);
        await project.serve(async (_call, address) => {
          const wish = { url: `http://${receiver.host}/`, groups: ['note', 'tag'] };
          const { id } = (await send({ address }, 'POST /webhooks', { body: wish })).body;
          const turn = (state: string) => send({ address }, `PATCH /webhooks/${id}`, { body: { state } });
          expect((await turn('paused')).status).toBe(200);
          await send({ address }, 'POST /notes', { body: { title: 'one' } });
          // Whoever took `note` for gone would go on behind this one.
          await send({ address }, 'POST /tags', { body: { name: 'of that name still' } });
          project.describe({ memo: { ...note, renamedFrom: 'note' }, tag });
          project.generate('second');
          await project.apply({}, hooked);
          expect((await turn('active')).status).toBe(200);
          // More than it takes to look for what is due.
          await delay(2500);
          expect(told()).toEqual([]);
        }, hooked);
        await project.serve(async (_call, address) => {
          await send({ address }, 'POST /memos', { body: { title: 'two' } });
          await vi.waitFor(() => expect(told()).toEqual(['memo', 'tag', 'memo']), 20_000);
        }, hooked);
      } finally {
        await receiver.stop();
      }
    }, 60_000);

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
