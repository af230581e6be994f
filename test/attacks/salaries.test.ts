// Somebody has a member's token of a firm and wants the salaries: every way that the interface has of telling a number is tried, and
// none tells it.
import { beforeAll, expect, test } from 'vitest';
import ofMembers from '../../.package/new-access/member.json' with { type: 'json' };
import { type RoleContext, withRoles } from '../access/callers.ts';
import { isObject } from '../support/service/praxis.ts';

const roles = {
  // As `praxis new access` writes it.
  starter: ofMembers,
  member: {
    allow: [
      { on: ['client', 'project'], to: ['read'] },
      {
        on: ['time-entry'],
        to: ['read'],
        when: 'memberId == actor',
        fields: { hide: ['rate', 'rateCurrency', 'costPerHour', 'costCurrency'] },
      },
      {
        on: ['time-entry'],
        to: ['create', 'update', 'delete'],
        when: 'memberId == actor',
        fields: { write: ['memberId', 'projectId', 'taskId', 'date', 'minutes', 'notes'] },
      },
      { on: ['member'], to: ['read'], fields: { show: ['name', 'email'] } },
    ],
  },
};

// A number that stands nowhere else.
const salary = '7391.37';
const overhead = '613.91';
const secrets = [salary, overhead, '8005.28'];

withRoles('a member who wants the salaries', { folder: 'product', roles }, (context: RoleContext) => {
  let call: ReturnType<RoleContext['as']>;
  let own: string;
  let boss: string;
  let period: string;
  let entry: string;

  beforeAll(async () => {
    const { make, call: all } = context;
    own = (await make('member')).id;
    boss = (await make('member')).id;
    const costs = { costMethodId: 'hourly', costPerHour: Number(salary), overheadCostPerHour: Number(overhead) };
    for (const memberId of [own, boss])
      period = (await make('cost-period', { memberId, start: '2020-01-01', ...costs })).id;
    entry = (await make('time-entry', { memberId: own })).id;
    await make('time-entry', { memberId: boss });
    call = context.as(own, 'member');
    expect((await all('GET', `/cost-periods/${period}`)).text).toContain('8005.28');
  });

  /** Answers in which none of the numbers stands, and no refusal that a guess would change. */
  async function asks(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) {
    const answer = await call(method, path, body, headers === undefined ? {} : { headers });
    for (const secret of secrets) expect(answer.text, `${method} ${path}`).not.toContain(secret);
    return answer;
  }

  test('reading what is kept from members tells nothing', async () => {
    for (const path of ['/members', '/projects', '/clients', '/time-entries'])
      for (const query of ['', '&count=true', '&sort=-createdAt']) {
        const { status } = await asks('GET', `${path}?limit=100${query}`);
        expect([200, 400]).toContain(status);
      }
    for (const id of [own, boss]) await asks('GET', `/members/${id}`);
    expect(Object.keys((await asks('GET', `/time-entries/${entry}`)).body as object)).not.toContain('costPerHour');
    const { body } = await asks('GET', `/members/${boss}`);
    expect(Object.keys(body as object).sort()).toEqual(expect.arrayContaining(['id']));
    expect(Object.keys(body as object)).not.toContain('costMethodId');
  });

  test('neither a filter, an order, a part nor a sum goes by it', async () => {
    const queries = [
      'costPerHourAtLeast=1',
      'costPerHour=8005.28',
      'rateAbove=1',
      'sort=costPerHour',
      'sort=-rate',
      'fields=costPerHour',
      'fields=rate',
      'expand=costPeriods',
      'expand=member.costPeriods',
      'costMethodId=hourly',
    ];
    for (const query of queries)
      expect([400, 200], query).toContain((await asks('GET', `/time-entries?${query}`)).status);
    for (const query of queries.slice(0, 7))
      expect((await asks('GET', `/time-entries?${query}`)).status, query).toBe(400);
    for (const kind of ['sum', 'avg', 'min', 'max'])
      for (const field of ['costPerHour', 'rate'])
        expect((await asks('GET', `/summary/time-entries?${kind}=${field}`)).status).toBe(400);
    await asks('GET', '/summary/time-entries?by=member&sum=minutes');
    for (const by of ['costCurrency', 'rateCurrency', 'member.costMethodId'])
      expect((await asks('GET', `/summary/time-entries?by=${by}`)).status, by).toBe(400);
    for (const format of ['ndjson', 'csv']) {
      await asks('GET', `/export/time-entries?format=${format}`);
      expect((await asks('GET', `/export/time-entries?format=${format}&fields=costPerHour`)).status).toBe(400);
    }
  });

  test('explanations, expansions and cursors lead to nothing', async () => {
    expect((await asks('GET', `/explain/time-entries/${entry}/costPerHour`)).body).toMatchObject({ status: 404 });
    expect((await asks('GET', `/explain/members/${boss}/costMethodId`)).body).toMatchObject({ status: 404 });
    for (const depth of ['1', '9']) await asks('GET', `/explain/time-entries/${entry}/duration?depth=${depth}`);
    for (const field of ['servicesRevenue', 'servicesCost', 'budget', 'name'])
      await asks('GET', `/explain/projects/${period}/${field}?depth=9`);
    await asks('GET', '/time-entries?expand=member,project,project.client&limit=100');
    await asks('GET', `/time-entries?startingAfter=${period}`);
    await asks('GET', `/time-entries?endingBefore=${period}&limit=1`);
  });

  test('nobody makes time that is approved already, as nobody approves time of one’s own', async () => {
    const known = (await context.call('GET', `/time-entries/${entry}`)).body;
    const { project } = isObject(known) ? known : {};
    const projectId = isObject(project) ? project['id'] : undefined;
    const body = await context.bodyOf('time-entry', { memberId: own, projectId });
    const starter = context.as(own, 'starter');
    for (const statusId of ['approved', 'rejected'])
      expect((await starter('POST', '/time-entries', { ...body, statusId })).body).toEqual({
        status: 403,
        message: "Nobody approves one's own.",
      });
    const made = await starter('POST', '/time-entries', { ...body, statusId: 'pending_approval' });
    expect([made.status, made.text.includes('costPerHour')], made.text).toEqual([200, false]);
  });

  test('writes tell a guess neither by their answers nor by their refusals', async () => {
    const answers = new Set<string>();
    for (const guess of [8005.28, 8005.29, 0, null]) {
      const { status, text } = await asks('PATCH', `/time-entries/${entry}`, { costPerHour: guess });
      answers.add(`${status} ${text}`);
    }
    expect(answers.size).toBe(1);
    const rates = new Set<string>();
    for (const guess of [1, 2, null]) {
      const { status, text } = await asks('PATCH', `/time-entries/${entry}`, { rate: guess });
      rates.add(`${status} ${text}`);
    }
    expect(rates.size).toBe(1);
    const made = await asks('POST', '/time-entries', {
      ...(await context.bodyOf('time-entry', { memberId: own })),
      rate: undefined,
    });
    expect([200, 400, 403]).toContain(made.status);
    for (const body of [{ memberId: boss }, { memberId: period }, { projectId: period }])
      expect([400, 403], JSON.stringify(body)).toContain((await asks('PATCH', `/time-entries/${entry}`, body)).status);
    await asks('PATCH', `/time-entries/${entry}`, { notes: 'x' }, { Prefer: 'tx=rollback' });
    await asks('PATCH', `/time-entries/${entry}`, { notes: 'x' }, { 'If-Match': '"0-x"' });
    await asks('PATCH', `/time-entries/${entry}`, { notes: 'y' }, { 'Idempotency-Key': 'salaries-1' });
    await asks('PATCH', `/time-entries/${entry}`, { notes: 'y' }, { 'Idempotency-Key': 'salaries-1' });
    const operations = [
      { method: 'GET', path: `/time-entries/${entry}`, as: 'mine' },
      { method: 'PATCH', path: `/time-entries/${entry}`, body: { notes: { $from: 'mine.costPerHour' } } },
      { method: 'GET', path: '/time-entries?limit=100' },
      { method: 'GET', path: `/members/${boss}` },
    ];
    await asks('POST', '/batch', { atomic: false, operations });
    await asks('DELETE', `/members/${boss}`);
    await asks('DELETE', `/time-entries/${entry}`, undefined, { Prefer: 'tx=rollback' });
  });
});
