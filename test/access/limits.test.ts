// Limits of tokens: what a token is kept to, in single requests, in batches, and beside the groups.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenLimits } from '../../src/access/limits.ts';
import { prepareState } from '../../src/storage/counters.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { createToken, listTokens, prepareTokens, renameInLimits } from '../../src/storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase('tokens with limits', (context) => {
  let database: Database;
  let unit: UnitOfWork;
  let labelId = '';
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    database = await openDatabase(context.databaseUrl);
    unit = createUnitOfWork(database, { deadlineMs: 10_000 });
    ({ id: labelId } = await context.make('label'));
  });
  afterAll(() => database.close());

  /** A token that is kept to this: made once. */
  const tokenOf = async (limits: TokenLimits | undefined, roles?: readonly string[]): Promise<string> => {
    const name = JSON.stringify([limits, roles]);
    const token = tokens.get(name) ?? (await newToken(context, { limits, roles }));
    tokens.set(name, token);
    return token;
  };
  const allow = (...texts: string[]): TokenLimits => ({ readOnly: false, allow: texts });
  const readOnly: TokenLimits = { readOnly: true, allow: [] };
  /** What a request is answered; the document of a service without roles knows no limits. */
  const ask = async (limits: TokenLimits, line: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${await tokenOf(limits)}` };
    const { status, text, body: answer } = await send(context, line, { body, headers });
    return { status, text, body: answer, message: answer?.message };
  };
  const refused = (act: string, title: string) => ({
    status: 403,
    message: `The access token does not allow '${act}' of '${title}'.`,
    text: `{"status":403,"message":"The access token does not allow '${act}' of '${title}'."}`,
  });

  test('are none of a token that may do everything', async () => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { groups } = (await (await fetch(`${context.address}/access`, { headers })).json()) as {
      readonly groups: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    expect(Object.keys(groups).length).toBe(context.registry.resources.size);
    for (const [group, { hidden, kept, ...operations }] of Object.entries(groups)) {
      expect([hidden, kept], group).toEqual([[], []]);
      expect([...new Set(Object.values(operations))], group).toEqual(['all']);
    }
  });

  test('that only read are refused each write, and read all', async () => {
    const at = `/labels/${labelId}`;
    expect((await ask(readOnly, 'GET /labels')).status).toBe(200);
    expect((await ask(readOnly, `GET ${at}`)).status).toBe(200);
    expect((await ask(readOnly, 'GET /summary/labels')).status).toBe(200);
    expect(await ask(readOnly, 'POST /labels', { name: 'new' })).toMatchObject(refused('create', 'Label'));
    expect(await ask(readOnly, `PATCH ${at}`, { name: 'new' })).toMatchObject(refused('update', 'Label'));
    expect(await ask(readOnly, 'PUT /labels?name=new', {})).toMatchObject(refused('create', 'Label'));
    expect(await ask(readOnly, `DELETE ${at}`)).toMatchObject(refused('delete', 'Label'));
    expect(await context.all('label')).toMatchObject([{ id: labelId }]);
  });

  test.each<[what: string, limits: TokenLimits, may: readonly string[]]>([
    ['words for several operations', allow('read:label'), ['list', 'get']],
    ['operations and groups in a row', allow('create, get:genre,label'), ['create', 'get']],
    ['several of them', allow('list:genre', 'delete:label', 'update:label'), ['update', 'delete']],
    ['every group', allow('write:*'), ['create', 'update', 'put', 'delete']],
    ['every operation', allow('*:label'), ['list', 'get', 'create', 'update', 'put', 'delete']],
    ['an area', allow('list:area:Resources'), ['list']],
    ['what there is not', allow('read:labels', 'get:area:Nowhere', 'red:label', 'label'), []],
    ['both limits', { readOnly: true, allow: ['*:label'] }, ['list', 'get']],
  ])('are kept to %s', async (_what, limits, may) => {
    // None of these gets as far as a record: the id and the bodies are wrong.
    const asked: [act: string, status: number, line: string, body?: unknown][] = [
      ['list', 200, 'GET /labels?limit=1'],
      ['get', 400, 'GET /labels/x'],
      ['create', 400, 'POST /labels', { x: 1 }],
      ['update', 400, 'PATCH /labels/x', { x: 1 }],
      ['put', 400, 'PUT /labels?x=1', { x: 1 }],
      ['delete', 400, 'DELETE /labels/x'],
    ];
    const found = await Promise.all(
      asked.map(async ([act, , line, body]) => [act, (await ask(limits, line, body)).status]),
    );
    expect(found).toEqual(asked.map(([act, status]) => [act, may.includes(act) ? status : 403]));
  });

  test('are told behind the path, the method and the feature, and before the id, parameters and the body', async () => {
    const limits = allow('list:genre');
    expect((await ask(limits, 'GET /nowhere')).status).toBe(404);
    expect((await ask(limits, 'POST /settings', {})).status).toBe(405);
    expect(await ask(limits, 'GET /labels/x?y=1')).toMatchObject(refused('get', 'Label'));
    expect(await ask(limits, 'POST /labels?y=1', '{')).toMatchObject(refused('create', 'Label'));
    const text = { 'Content-Type': 'text/plain', Authorization: `Bearer ${await tokenOf(limits)}` };
    expect((await send(context, 'POST /labels', { body: 'x', headers: text })).status).toBe(403);
    await context.call('PATCH', '/settings', { features: ['selling'] });
    const off = await ask(limits, 'GET /readers');
    await context.call('PATCH', '/settings', { features: ['selling', 'lending'] });
    expect(off.message).toBe("Feature 'Lending' is not enabled.");
    expect(await ask(limits, 'GET /readers')).toMatchObject(refused('list', 'Reader'));
  });

  test('hold for each operation of a batch', async () => {
    const limits = allow('create:genre,label', 'read:genre');
    const operations = [
      { method: 'POST', path: '/genres', body: { name: 'of a batch' } },
      { method: 'GET', path: '/labels' },
    ];
    const all = await ask(limits, 'POST /batch', { operations });
    expect(all.body).toEqual({
      status: 403,
      message: 'Operation 2 was refused, and nothing was done.',
      errors: ["The access token does not allow 'list' of 'Label'."],
    });
    expect(await context.all('genre', '&name=of a batch')).toEqual([]);
    const each = await ask(limits, 'POST /batch', { operations, atomic: false });
    expect(each.body).toMatchObject({ results: [{ status: 200 }, { status: 403, body: { status: 403 } }] });
    expect(await context.all('genre', '&name=of a batch')).toHaveLength(1);
  });

  test('hold for explanations and summaries', async () => {
    const limits = allow('get:genre');
    expect(await ask(limits, `GET /explain/books/${labelId}/total`)).toMatchObject(refused('get', 'Book'));
    expect(await ask(limits, 'GET /summary/genres')).toMatchObject(refused('list', 'Genre'));
    // The book is not there, but one may ask.
    expect((await ask(readOnly, `GET /explain/books/${labelId}/total`)).status).toBe(404);
  });

  test('leave out the metrics unless they name them', async () => {
    const metrics = async (limits: TokenLimits) => {
      const headers = { Authorization: `Bearer ${await tokenOf(limits)}` };
      const answer = await fetch(context.address.replace('/api', '/metrics'), { headers });
      return [answer.status, answer.status === 403 && (await answer.json())];
    };
    const notGranted = [403, { status: 403, message: "'metrics' is not granted." }];
    expect(await Promise.all([readOnly, allow('may:metrics'), allow('may:*')].map(metrics))).toEqual(
      Array.from({ length: 3 }, () => [200, false]),
    );
    expect(await Promise.all([allow('*:*'), allow('may:access')].map(metrics))).toEqual([notGranted, notGranted]);
    expect(await ask(allow('may:metrics'), 'GET /labels')).toMatchObject(refused('list', 'Label'));
  });

  test('are kept with the token, as they were typed', async () => {
    const limits = { readOnly: true, allow: ['read: label,genre'] };
    const { id } = await createToken(unit, { name: 'kept', limits, roles: ['billing'] });
    const found = (await listTokens(unit)).find((each) => each.id === id);
    expect(found).toMatchObject({ limits, roles: ['billing'] });
    const { id: free } = await createToken(unit, { name: 'free' });
    expect((await listTokens(unit)).find((each) => each.id === free)).toMatchObject({ limits: null, roles: null });
  });

  test('with roles grant nothing where there are no roles', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf(undefined, ['billing'])}` };
    const answer = await send(context, 'GET /labels', { headers });
    expect(answer.body).toEqual({ status: 403, message: "Operation 'list' of 'Label' is not granted." });
    const metrics = await fetch(context.address.replace('/api', '/metrics'), { headers });
    expect(metrics.status).toBe(403);
  });

  describe('in a table of before', () => {
    test('are added with their columns, once, by several processes at a time, and tokens stay as they are', async () => {
      const { token } = await createToken(unit, { name: 'of before' });
      for (const column of ['roles', 'limits'])
        await database.script([`alter table praxis_token drop column ${column}`]);
      await Promise.all([prepareTokens(database), prepareTokens(database)]);
      await prepareTokens(database);
      const headers = { Authorization: `Bearer ${token}` };
      // The service may have looked while they were gone: it looks again.
      const status = async () => (await context.call('GET', '/labels', undefined, { headers })).status;
      await expect.poll(status, { timeout: 10_000, interval: 250 }).toBe(200);
      expect((await listTokens(unit)).find(({ name }) => name === 'of before')).toMatchObject({ limits: null });
    }, 30_000);
  });
});

test('limits go on with a group under its new name, and cover nothing under that of one that is gone', async () => {
  const database = await openDatabase('sqlite::memory:');
  await prepareState(database);
  await prepareTokens(database);
  const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
  for (const allow of [['read:book,label', 'may:book'], ['*:label'], []])
    await createToken(unit, { name: allow.join(' '), limits: { readOnly: allow.length === 1, allow } });
  const renamed = async (to: string | undefined): Promise<unknown> => {
    await unit.transact((session) => renameInLimits(session, 'book', to));
    return (await listTokens(unit)).map(({ limits }) => [limits?.readOnly, ...(limits?.allow ?? [])]);
  };
  expect(await renamed('volume')).toEqual([[false, 'read:volume,label', 'may:book'], [true, '*:label'], [false]]);
  expect(await renamed('other')).toEqual([[false, 'read:volume,label', 'may:book'], [true, '*:label'], [false]]);
  await unit.transact((session) => renameInLimits(session, 'label', undefined));
  expect(await renamed(undefined)).toEqual([
    [false, 'read:volume,label (gone)', 'may:book'],
    [true, '*:label (gone)'],
    [false],
  ]);
  await database.close();
});
