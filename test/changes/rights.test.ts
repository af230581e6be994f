// What callers with roles see of the log: entries of records that they see, with the fields that they see of these.
import { beforeAll, expect, it } from 'vitest';
import { appendEntries } from '../../src/storage/log/append.ts';
import { newId } from '../../src/values/id.ts';
import { type RoleContext, withRoles } from '../access/callers.ts';
import { endOf, entriesAfter } from '../support/data/changes.ts';
import { isOfPart } from '../support/run/part.ts';
import { isObject, type Json } from '../support/service/praxis.ts';

const reads = ['read', 'history'];
const roles = {
  worker: {
    allow: [
      {
        on: ['entry'],
        to: reads,
        when: 'memberId == actor || member.managerId == actor',
        fields: { hide: ['rate'] },
      },
      { on: ['entry'], to: reads, when: 'memberId == actor && statusId == "approved"' },
      { on: ['project'], to: reads, when: 'staffings.exists(s, s.projectId == id && s.memberId == actor)' },
      { on: ['member'], to: ['read'], fields: { show: ['name', 'email', 'manager'] } },
    ],
    may: ['changes'],
  },
  plain: { allow: [{ on: ['entry'], to: reads, when: 'memberId == actor' }], may: ['changes'] },
  // Sees records, and not what became of them.
  reader: { allow: [{ on: ['entry', 'project'], to: ['read'] }], may: ['changes'] },
  namer: { allow: [{ on: ['project'], to: reads, fields: { show: ['name'] } }], may: ['changes'] },
  counter: { allow: [{ on: ['project'], to: reads, fields: { hide: ['name'] } }], may: ['changes'] },
  careful: {
    allow: [{ on: ['entry'], to: reads }],
    forbid: [{ on: ['entry'], to: ['read'], when: 'statusId == "rejected"' }],
    may: ['changes'],
  },
};

interface People {
  readonly ada: string;
  readonly ben: string;
  readonly cleo: string;
}

withRoles(
  'what callers see of the log',
  { folder: 'studio', roles, parts: { changes: 90 } },
  (context: RoleContext) => {
    let people: People;
    beforeAll(async () => {
      const person = async (name: string, more: Json = {}) =>
        (await context.make('member', { name, email: `${name.toLowerCase()}@example.com`, ...more })).id;
      const ada = await person('Ada');
      people = { ada, ben: await person('Ben', { managerId: ada }), cleo: await person('Cleo') };
    });

    const entry = (memberId: string, more: Json = {}) =>
      context.make('entry', { memberId, date: '2026-03-02', minutes: 60, rate: 90, notes: null, ...more });
    const patch = async (id: string, body: Json, path = '/entries') => {
      const { status, text } = await context.call('PATCH', `${path}/${id}`, body);
      expect([status, text]).toEqual([200, text]);
    };
    /** What a caller is told behind a cursor: `update entry` with its changes. */
    const told = async (call: RoleContext['call'], after: string) => {
      const { status, body, text } = await call('GET', `/changes?after=${after}&limit=1000`);
      if (status !== 200 || !isObject(body)) throw new Error(text);
      return { results: body['results'] as readonly Json[], cursor: String(body['cursor']) };
    };
    const brief = ({ operation, id, changes }: Json) => [
      operation,
      id,
      ...(changes === undefined ? [] : [Object.keys(changes as object).toSorted()]),
    ];

    it('is entries of records that they see, without fields that are hidden of these', async () => {
      const { ada, ben, cleo } = people;
      const start = await endOf(context);
      const own = await entry(ben);
      const other = await entry(cleo);
      await patch(own.id, { rate: 100 });
      await patch(own.id, { rate: 110, minutes: 90 });
      await patch(other.id, { minutes: 30 });
      const made = ['createdAt', 'date', 'memberId', 'minutes', 'notes', 'projectId', 'statusId'];
      const ofOwn = [
        ['create', own.id, made],
        ['update', own.id, ['minutes']],
      ];
      for (const member of [ben, ada]) {
        const { results, cursor } = await told(context.as(member, 'worker'), start);
        expect(results.map(brief)).toEqual(ofOwn);
        expect(cursor).toBe(await endOf(context));
      }
      // Of one that is approved, its own member sees what it is worth, of before too.
      await patch(own.id, { statusId: 'approved' });
      const seen = (await told(context.as(ben, 'worker'), start)).results.map(brief);
      expect(seen).toEqual([
        ['create', own.id, [...made, 'rate'].toSorted()],
        ['update', own.id, ['rate']],
        ['update', own.id, ['minutes', 'rate']],
        ['update', own.id, ['statusId']],
      ]);
      expect((await told(context.as(ada, 'worker'), start)).results.map(brief)).toEqual([
        ...ofOwn,
        ['update', own.id, ['statusId']],
      ]);
      expect(JSON.stringify(await told(context.as(ada, 'worker'), start))).not.toContain('rate');
    });

    it('tells that a record has left their sight, and nothing of it from then on', async () => {
      const { ben, cleo } = people;
      const { id } = await entry(ben);
      const start = await endOf(context);
      await patch(id, { minutes: 61 });
      await patch(id, { memberId: cleo });
      await patch(id, { minutes: 62 });
      await patch(id, { memberId: people.ada });
      expect((await told(context.as(ben, 'plain'), start)).results).toEqual([
        {
          ...{ position: expect.any(String), write: expect.any(String), at: expect.any(String) },
          ...{ operation: 'gone', group: 'entry', id },
        },
      ]);
      expect((await told(context.as(cleo, 'plain'), start)).results.map(brief)).toEqual([['gone', id]]);
      expect((await told(context.as(people.ada, 'plain'), start)).results).toHaveLength(4);
      const only = await context.as(ben, 'plain')('GET', `/changes?after=${start}&operation=gone`);
      expect((only.body as Json)['results']).toHaveLength(1);
      const careful = context.as(ben, 'careful');
      await patch(id, { statusId: 'rejected' });
      expect((await told(careful, start)).results.map(brief)).toEqual([['gone', id]]);
    });

    it.runIf(isOfPart(false))(
      'does not tell what has left their sight more than 10,000 changes ago',
      async () => {
        const { ben, cleo } = people;
        const { id } = await entry(ben);
        const start = await endOf(context);
        await patch(id, { memberId: cleo });
        const ofBen = async () => (await told(context.as(ben, 'plain'), start)).results.map(brief);
        expect(await ofBen()).toEqual([['gone', id]]);
        const { unit, database } = context.workspace;
        const change = async (count: number) => {
          const changes = { minutes: { from: 1, to: 2 } };
          const data = { changes, cause: { kind: 'caller' }, name: null, by: null, request: null, trace: null };
          const later = { group: 'entry', record: id, version: 2, operation: 'update', cause: 'caller' } as const;
          const made = { ...later, part: 1, step: null, undoes: null, at: new Date().toISOString() };
          const entries = Array.from({ length: count }, () => ({
            ...made,
            write: newId(),
            data: JSON.stringify(data),
          }));
          await unit.transact((session) => appendEntries(session, database.dialect, entries));
        };
        await change(9000);
        expect(await ofBen()).toEqual([['gone', id]]);
        await change(1000);
        expect(await ofBen()).toEqual([]);
      },
      60_000,
    );

    it('is of deleted records what hangs on their last values alone', async () => {
      const { ben, cleo } = people;
      const start = await endOf(context);
      const [own, other] = [await entry(ben), await entry(cleo)];
      for (const { id } of [own, other]) await context.call('DELETE', `/entries/${id}`);
      const kinds = async (role: string) =>
        (await told(context.as(ben, role), start)).results.map(({ operation, id }) => [operation, id]);
      const ofOwn = [
        ['create', own.id],
        ['delete', own.id],
      ];
      expect(await kinds('plain')).toEqual(ofOwn);
      // One of its rules looks at the member, and so does not hold; the other does where it is approved.
      expect(await kinds('worker')).toEqual([]);
      expect(await kinds('careful')).toHaveLength(4);
    });

    it('is nothing without the right, and their cursor moves on', async () => {
      const start = await endOf(context);
      await entry(people.ben);
      const { results, cursor } = await told(context.as(people.ben, 'reader'), start);
      expect([results, cursor]).toEqual([[], await endOf(context)]);
    });

    it('is the history of records that they see', async () => {
      const { ben, cleo } = people;
      const start = await endOf(context);
      const [own, other] = [await entry(ben), await entry(cleo)];
      await patch(own.id, { minutes: 5, rate: 1 });
      const history = (id: string, role: string) => context.as(ben, role)('GET', `/history/entries/${id}`);
      const { body } = await history(own.id, 'worker');
      expect((body as { results: Json[] }).results.map(brief)[0]).toEqual(['update', own.id, ['minutes']]);
      expect(await history(other.id, 'worker')).toMatchObject({
        status: 404,
        body: { status: 404, message: `Object with id '${other.id}' not found.` },
      });
      expect((await history(own.id, 'reader')).status).toBe(403);
      const [ofOwn, ofOther] = (await entriesAfter(context, start)).entries.map(({ write }) => write);
      const writeOf = (write = '') => context.as(ben, 'worker')('GET', `/writes/${write}`);
      expect([(await writeOf(ofOwn)).status, (await writeOf(ofOther)).status]).toEqual([200, 404]);
    });

    it('is of a project what its staffing says', async () => {
      const client = await context.make('client', { name: 'Acme' });
      const project = await context.make('project', { name: 'Shared', clientId: client.id });
      const start = await endOf(context);
      await patch(project.id, { name: 'Renamed' }, '/projects');
      const worker = context.as(people.ben, 'worker');
      expect((await told(worker, start)).results).toEqual([]);
      await context.make('staffing', { projectId: project.id, memberId: people.ben });
      expect((await told(worker, start)).results.map(brief)).toEqual([['update', project.id, ['name']]]);
    });

    it('names a record where all is seen that its name is made of', async () => {
      const client = await context.make('client', { name: 'Apex' });
      const start = await endOf(context);
      const { id } = await context.make('project', { name: 'Shared', clientId: client.id });
      await patch(id, { name: 'Renamed' }, '/projects');
      const namesFor = async (role: string) =>
        (await told(context.as(people.ben, role), start)).results.map(({ operation, name }) => [operation, name]);
      expect(await namesFor('namer')).toEqual([
        ['create', 'Shared'],
        ['update', 'Renamed'],
      ]);
      expect(await namesFor('counter')).toEqual([['create', null]]);
    });
  },
);
