// What callers with roles see of records: lists, records, fields, references, and what is told of the rest.
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Json } from '../support/service/praxis.ts';
import { type RoleContext, withRoles } from './callers.ts';

const roles = {
  // One column says what is seen, so that its index holds the list.
  recluse: { allow: [{ on: ['entry'], to: ['read'], when: 'memberId == actor' }] },
  // Entries are called by their dates.
  dateless: {
    allow: [
      { on: ['entry'], to: ['read'], when: 'memberId == actor', fields: { hide: ['date'] } },
      { on: ['project'], to: ['read'] },
    ],
  },
  worker: {
    allow: [
      {
        on: ['entry'],
        to: ['read'],
        when: 'memberId == actor || member.managerId == actor',
        fields: { hide: ['rate'] },
      },
      { on: ['entry'], to: ['read'], when: 'memberId == actor && statusId == "approved"' },
      {
        on: ['project'],
        to: ['read'],
        when: 'staffings.exists(s, s.projectId == id && s.memberId == actor)',
        fields: { hide: ['budget'] },
      },
      { on: ['member'], to: ['read'], fields: { show: ['name', 'email', 'manager'] } },
    ],
  },
};

/** A figure of a record, as it is explained. */
interface Told {
  readonly value: unknown;
  readonly parts: readonly { readonly sources: readonly Json[] }[];
}

interface Firm {
  readonly ada: string;
  readonly ben: string;
  readonly cleo: string;
  readonly shared: string;
  readonly secret: string;
  readonly client: string;
  readonly entries: Readonly<Record<string, string>>;
}

async function firmIn({ make }: RoleContext): Promise<Firm> {
  const person = async (name: string, more: Json = {}) =>
    (await make('member', { name, email: `${name.toLowerCase()}@example.com`, salary: 5000, ...more })).id;
  const ada = await person('Ada');
  const ben = await person('Ben', { managerId: ada });
  const cleo = await person('Cleo');
  const client = (await make('client', { name: 'Acme', code: 'A1' })).id;
  const shared = (await make('project', { name: 'Shared', clientId: client, budget: 100 })).id;
  const secret = (await make('project', { name: 'Secret', clientId: client, budget: 900 })).id;
  for (const memberId of [ada, ben]) await make('staffing', { projectId: shared, memberId });
  const entries: Record<string, string> = {};
  const entry = async (name: string, memberId: string, more: Json) => {
    entries[name] = (await make('entry', { memberId, date: '2026-03-02', minutes: 60, rate: 90, ...more })).id;
  };
  await entry('ben1', ben, { projectId: shared });
  await entry('cleo1', cleo, { projectId: secret, rate: 10 });
  await entry('ben2', ben, { projectId: secret, statusId: 'approved' });
  await entry('ada1', ada, { projectId: shared });
  await entry('cleo2', cleo, { projectId: shared });
  await entry('ben3', ben, { projectId: null, minutes: 30 });
  return { ada, ben, cleo, shared, secret, client, entries };
}

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

withRoles('what roles show', { folder: 'studio', roles }, (context) => {
  let firm: Firm;
  beforeAll(async () => {
    firm = await firmIn(context);
  });

  const idsIn = (body: unknown): string[] => (body as { results: { id: string }[] }).results.map(({ id }) => id);
  const named = (ids: readonly string[]): string[] =>
    ids.map((id) => Object.entries(firm.entries).find(([, each]) => each === id)?.[0] ?? id);

  test('a list holds what a rule allows, in every direction and at any length of page', async () => {
    const ben = context.as(firm.ben, 'worker');
    const { body } = await ben('GET', '/entries?limit=100');
    expect(named(idsIn(body))).toEqual(['ben3', 'ben2', 'ben1']);
    expect(body).toMatchObject({ hasMore: false });
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = (await ben('GET', `/entries?limit=1${after}`)).body as {
        results: { id: string }[];
        hasMore: boolean;
      };
      seen.push(...idsIn(page));
      if (!page.hasMore) break;
      after = `&startingAfter=${seen.at(-1)}`;
    }
    expect(named(seen)).toEqual(['ben3', 'ben2', 'ben1']);
    const back: string[] = [];
    for (let before = firm.entries['ben1']; ; before = back.at(-1)) {
      const page = (await ben('GET', `/entries?limit=1&endingBefore=${before}`)).body as { hasMore: boolean };
      back.push(...idsIn(page));
      if (!page.hasMore) break;
    }
    expect(named(back)).toEqual(['ben2', 'ben3']);
    // A place that is not visible is a place: what is seen on either side of it.
    const foreign = firm.entries['ada1'];
    const [after, before] = [`startingAfter=${foreign}`, `endingBefore=${foreign}`].map((each) => `/entries?${each}`);
    expect(named(idsIn((await ben('GET', after ?? '')).body))).toEqual(['ben2', 'ben1']);
    expect(named(idsIn((await ben('GET', before ?? '')).body))).toEqual(['ben3']);
    const ada = context.as(firm.ada, 'worker');
    expect(named(idsIn((await ada('GET', '/entries?limit=100')).body))).toEqual(['ben3', 'ada1', 'ben2', 'ben1']);
    expect((await context.as(null, 'worker')('GET', '/entries')).body).toEqual({ results: [], hasMore: false });
  });

  test('a record that is not seen is answered as one that there is not', async () => {
    const ben = context.as(firm.ben, 'worker');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const [hidden, unknown] = [firm.entries['cleo1'] ?? '', unknownId];
      const of = async (id: string) => {
        const answer = await ben(method, `/entries/${id}`, method === 'PATCH' ? { minutes: 'x' } : undefined);
        return `${answer.status} ${answer.text.replaceAll(id, 'ID')}`;
      };
      expect(await of(hidden), method).toBe(await of(unknown));
    }
  });

  test('a record that is not seen takes what one takes that there is not', async () => {
    const ben = context.as(firm.ben, 'worker');
    const statementsFor = async (path: string, id: string) => {
      const before = context.reads.length;
      await ben('GET', path.replace('ID', id));
      // Not those by which a service follows what others change.
      return context.reads.slice(before).filter((text) => !/praxis_state|\bsettings\b/.test(text));
    };
    const paths = ['/entries/ID', '/entries/ID?fields=notes', '/entries/ID?expand=member', '/projects/ID'];
    for (const path of [...paths, '/explain/projects/ID/minutes', '/access/projects/ID', '/access/entries/ID']) {
      const hidden = path.includes('entries') ? firm.entries['cleo1'] : firm.secret;
      await statementsFor(path, unknownId);
      const unknown = await statementsFor(path, unknownId);
      // Servers are asked for some of them together, which is not among these.
      if (!context.isServer) expect(unknown.length, path).toBeGreaterThan(0);
      expect(await statementsFor(path, hidden ?? ''), path).toEqual(unknown);
    }
  });

  test('an explanation keeps the sum, and tells what is not seen in one line', async () => {
    const path = `/explain/projects/${firm.shared}/minutes`;
    const recordIn = ({ body }: { readonly body: unknown }) => {
      const [number] = (body as { readonly record: { readonly numbers: readonly Told[] } }).record.numbers;
      return { value: number?.value, sources: number?.parts.flatMap(({ sources }) => sources) };
    };
    expect(recordIn(await context.call('GET', path)).sources).toHaveLength(3);
    const ben = await context.as(firm.ben, 'worker')('GET', path);
    expect(recordIn(ben).value).toBe(180);
    expect(recordIn(ben).sources).toEqual([
      expect.objectContaining({
        id: firm.entries['ben1'],
        name: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        value: '60',
      }),
      { hidden: true, value: '120' },
    ]);
    for (const name of ['ada1', 'cleo2']) expect(ben.text).not.toContain(firm.entries[name]);
    const nameless = await context.as(firm.ben, 'dateless')('GET', path);
    expect(recordIn(nameless).sources).toMatchObject([
      { id: firm.entries['ben1'], name: '', value: '60' },
      { hidden: true, value: '120' },
    ]);
  });

  test('an id that is no place by itself leads as a cursor to what is seen alone', async () => {
    const [hidden, own, unknown] = ['1', '2', '3'].map((first) => `${first}bb1b0a3-9d9e-4c6f-9f7a-6f7c6f1d2a10`);
    const made = [
      await context.make('entry', { memberId: firm.ada }),
      await context.make('entry', { memberId: firm.ben }),
    ];
    const database = await openDatabase(context.databaseUrl);
    await database.script(
      [hidden, own].map((id, place) => `update entry set id = '${id}' where id = '${made[place]?.id}'`),
    );
    await database.close();
    for (const call of [context.call, context.as(firm.ben, 'worker'), context.as(firm.ben, 'recluse')]) {
      const list = async (cursor: string) => idsIn((await call('GET', `/entries?limit=100${cursor}`)).body);
      const all = await list('');
      const place = all.indexOf(own ?? '');
      const [before, after] = [all.slice(0, place), all.slice(place + 1)];
      expect([place >= 0, after.length >= 3]).toEqual([true, true]);
      expect(await list(`&startingAfter=${own}`)).toEqual(after);
      expect(await list(`&endingBefore=${own}`)).toEqual(before);
    }
    for (const role of ['worker', 'recluse']) {
      const ben = context.as(firm.ben, role);
      for (const query of ['', '&sort=createdAt', '&sort=date', `&memberId=${firm.ben}`]) {
        const of = async (cursor: string) => {
          const { status, text } = await ben('GET', `/entries?${cursor}${query}`);
          return [status, status === 200 ? '' : text];
        };
        for (const word of ['startingAfter', 'endingBefore']) {
          expect(await of(`${word}=${hidden}`), `${role} ${word}${query}`).toEqual(await of(`${word}=${unknown}`));
          expect((await of(`${word}=${own}`))[0], `${role} ${word}${query}`).toBe(200);
        }
      }
    }
    for (const id of [hidden, own]) await context.call('DELETE', `/entries/${id}`);
  });

  test('fields are shown by the rules that hold for the record', async () => {
    const ben = context.as(firm.ben, 'worker');
    const { body } = await ben('GET', '/entries?limit=100');
    const rates = (body as { results: Json[] }).results.map((entry) => ('rate' in entry ? entry['rate'] : 'absent'));
    expect(rates).toEqual(['absent', 90, 'absent']);
    expect((await ben('GET', `/entries/${firm.entries['ben1']}`)).body).not.toHaveProperty('rate');
    expect((await ben('GET', `/entries/${firm.entries['ben2']}`)).body).toMatchObject({ rate: 90 });
    expect((await ben('GET', `/members/${firm.ada}`)).body).toEqual({
      id: firm.ada,
      name: 'Ada',
      email: 'ada@example.com',
      manager: null,
    });
  });

  test('filters and orders by hidden fields are unknown, by partly hidden ones hold what shows them', async () => {
    const ben = context.as(firm.ben, 'worker');
    expect((await ben('GET', '/members?salaryAbove=1')).body).toMatchObject({
      message: "Parameter 'salaryAbove' is not allowed.",
    });
    expect((await ben('GET', '/members?sort=salary')).body).toMatchObject({
      message: "Parameter 'sort' must be one of name, -name.",
    });
    expect(named(idsIn((await ben('GET', '/entries?rateAbove=1')).body))).toEqual(['ben2']);
    expect(named(idsIn((await ben('GET', '/entries?sort=rate')).body))).toEqual(['ben2']);
    expect(named(idsIn((await ben('GET', '/entries?sort=-minutes')).body))).toEqual(['ben2', 'ben1', 'ben3']);
    expect(named(idsIn((await ben('GET', '/entries?dateOnAfter=2026-01-01')).body))).toEqual(['ben3', 'ben2', 'ben1']);
    expect(named(idsIn((await ben('GET', `/entries?memberId=${firm.cleo}`)).body))).toEqual([]);
    expect(named(idsIn((await ben('GET', `/entries?projectId=${firm.shared}&memberId=${firm.ben}`)).body))).toEqual([
      'ben1',
    ]);
  });

  test('references show the names of what is seen', async () => {
    const ben = context.as(firm.ben, 'worker');
    expect((await ben('GET', `/entries/${firm.entries['ben1']}`)).body).toMatchObject({
      project: { id: firm.shared, name: 'Shared' },
      member: { id: firm.ben, name: 'Ben' },
    });
    expect((await ben('GET', `/entries/${firm.entries['ben2']}`)).body).toMatchObject({ project: { id: firm.secret } });
    expect((await ben('GET', `/entries/${firm.entries['ben2']}`)).text).not.toContain('Secret');
    expect((await ben('GET', `/projects/${firm.shared}`)).body).toMatchObject({ client: { id: firm.client } });
    const shown = await ben('GET', `/entries?expand=project,project.client&limit=100`);
    expect(shown.text).not.toContain('Secret');
    expect(shown.text).not.toContain('budget');
    expect(shown.text).not.toContain('Acme');
    expect((await ben('GET', '/members?fields=name,salary')).status).toBe(400);
    expect((await ben('GET', '/entries?fields=rate,minutes')).body).toMatchObject({
      results: [{ minutes: 30 }, { rate: 90, minutes: 60 }, { minutes: 60 }],
    });
  });

  test('an export holds what the list shows', async () => {
    const ben = context.as(firm.ben, 'worker');
    const rows = (await ben('GET', '/export/entries')).text.trim().split('\n').slice(0, -1);
    const listed = (await ben('GET', '/entries?limit=100')).body as { results: Json[] };
    const inOrder = (records: readonly Json[]) =>
      records.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
    expect(inOrder(rows.map((row) => JSON.parse(row) as Json))).toEqual(inOrder(listed.results));
    expect((await ben('GET', '/export/members?fields=salary')).status).toBe(400);
  });

  test('counts and summaries are those of what is seen', async () => {
    const ben = context.as(firm.ben, 'worker');
    expect((await ben('GET', '/entries?count=true')).body).toMatchObject({ count: 3 });
    expect((await ben('GET', '/summary/entries?sum=minutes')).body).toMatchObject({
      results: [{ count: 3, sum: { minutes: 150 } }],
    });
    expect((await ben('GET', '/summary/entries?sum=rate')).body).toMatchObject({
      results: [{ count: 1, sum: { rate: 90 } }],
    });
    expect((await ben('GET', '/summary/members?max=salary')).status).toBe(400);
    const byProject = await ben('GET', '/summary/entries?by=project');
    expect(byProject.text).not.toContain('Secret');
    const byClient = await ben('GET', '/summary/entries?by=project.client');
    expect(byClient.body).toMatchObject({ rows: 2 });
  });
});
