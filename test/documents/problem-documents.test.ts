// Errors as problem documents (RFC 9457): for callers that ask for them, wherever an error arises.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { chooseProblemFormat } from '../../src/http/reply/problem-format.ts';
import { fieldCodes, problemCodes } from '../../src/problems/codes.ts';
import { ask, host, type Running, start, wire } from '../support/service/http.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const documents = { Accept: 'application/problem+json' };

describe('the format of errors', () => {
  it.each([
    [undefined, 'plain'],
    ['*/*', 'plain'],
    ['application/*', 'plain'],
    ['application/json', 'plain'],
    ['application/problem+xml', 'plain'],
    ['application/problem+json', 'document'],
    ['Application/Problem+JSON', 'document'],
    ['application/json, application/problem+json', 'document'],
    ['application/problem+json, */*;q=0.1', 'document'],
    ['application/problem+json;q=0.5, application/json', 'plain'],
    ['application/problem+json;q=0.5, application/json;q=0.4', 'document'],
    ['application/problem+json; charset=utf-8; q=0.3', 'document'],
    ['application/problem+json;q=0', 'plain'],
    ['application/problem+json;q=0.000, application/json;q=0', 'plain'],
    ['application/problem+json;q=x', 'plain'],
    ['text/html,application/problem+json;q=0.9,*/*;q=0.8', 'document'],
  ])('follows from Accept: %s', (accept, format) => {
    expect(chooseProblemFormat(accept)).toBe(format);
  });
});

describe('problem documents of any request', () => {
  let server: Running;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop(1000));

  it.each([
    ['GET /api/clients', ['Authorization: -'], 401, 'token-missing'],
    ['GET /api/nowhere', [], 404, 'path-unknown'],
    ['GET /nowhere', [], 404, 'path-unknown'],
    ['PUT /api/clients', [], 405, 'method-not-allowed'],
    ['POST /healthz', [], 405, 'method-not-allowed'],
    ['POST /api/clients', [], 415, 'media-type-unsupported'],
    ['POST /api/clients', ['Content-Type: application/json', 'Content-Length: 2000000'], 413, 'body-too-large'],
    [`GET /api/clients?${'x'.repeat(9000)}`, [], 414, 'target-too-long'],
    ['GET /api/clients', ['Expect: x'], 417, 'expectation-failed'],
  ] as const)('have the code: %s %j is %d %s', async (line, headers, status, code) => {
    const reply = await ask(server.port, line, ['Accept: application/problem+json', ...headers]);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(reply.headers['vary']).toContain('Accept');
    const { cause } = problemCodes[code];
    expect(JSON.parse(reply.body)).toMatchObject({ type: `/docs/guides/errors#${code}`, title: cause, status, code });
    const plain = await ask(server.port, line, headers);
    expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(plain.headers['vary']).toContain('Accept');
    expect(Object.keys(JSON.parse(plain.body))).toEqual(['status', 'message']);
  });

  it.each([
    ['a malformed header', `GET /api/clients HTTP/1.1\r\n${host}Accept: application/problem+json\r\nX y: a\r\n\r\n`],
    [
      'too large headers',
      `GET / HTTP/1.1\r\n${host}Accept: application/problem+json\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('are written for connections too, after %s', async (_title, bytes) => {
    const text = await wire(server.port, bytes).ended;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain('Content-Type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ code: expect.stringMatching(/^request-malformed$|^headers-too-large$/) });
  });
});

const documentOf = ({ headers, body }: Sent): Json => {
  expect(headers.get('content-type')).toBe('application/problem+json');
  return body;
};
const faultsOf = (sent: Sent): unknown => documentOf(sent)['errors'];

onEveryDatabase('problem documents of a record', (context: Context) => {
  let genreId = '';
  const book = (body: Json, line = 'POST /books') => send(context, line, { body, headers: documents });
  beforeAll(async () => {
    genreId = (await context.make('genre')).id;
  });

  test('name each field by a pointer and a code', async () => {
    const chapters = [{ heading: 'One' }, { heading: 5, 'a/b~': 1 }];
    const sent = await book({ genreId, pages: 0, number: 5, titel: 'x', chapters });
    expect(documentOf(sent)).toMatchObject({
      ...{ status: 400, code: 'body-invalid', type: '/docs/guides/errors#body-invalid' },
      detail: 'There was a problem processing your request. See errors for more details.',
    });
    expect(faultsOf(sent)).toEqual([
      { detail: "'number' is not allowed", pointer: '/number', code: 'not-allowed' },
      { detail: "'title' is required", pointer: '/title', code: 'required' },
      { detail: "'pages' must be from 1 to 100000", pointer: '/pages', code: 'invalid-value' },
      expect.objectContaining({ pointer: '/chapters/1/heading', code: 'invalid-value' }),
      { detail: "'chapters[1].a/b~' is not allowed", pointer: '/chapters/1/a~1b~0', code: 'unknown-field' },
      {
        detail: "'titel' is not allowed; did you mean 'title'?",
        pointer: '/titel',
        code: 'unknown-field',
      },
    ]);
    const plain = await send(context, 'POST /books', { body: { genreId } });
    expect(plain.body).toEqual({
      status: 400,
      message: 'There was a problem processing your request. See errors for more details.',
      errors: ["'title' is required"],
    });
  });

  test('have different codes for references, transitions, keys and unknown records', async () => {
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(faultsOf(await book({ title: 'x', genreId: unknown }))).toEqual([
      { detail: "'genreId' does not refer to an existing Genre", pointer: '/genreId', code: 'reference-unknown' },
    ]);
    const { body: made } = await send(context, 'POST /books', { body: { title: 'x', genreId, key: 'documents' } });
    expect(faultsOf(await book({ statusId: 'sold' }, `PATCH /books/${made.id}`))).toMatchObject([
      { pointer: '/statusId', code: 'transition-refused' },
    ]);
    expect(faultsOf(await book({ key: 'other' }, 'PUT /books?key=documents'))).toEqual([
      { detail: "'key' must be documents", pointer: '/key', code: 'invalid-value' },
    ]);
    const taken = await book({ title: 'y', genreId, key: 'documents' });
    expect(documentOf(taken)).toMatchObject({ status: 409, code: 'key-taken' });
    const missing = await send(context, `GET /books/${unknown}`, { headers: documents });
    expect(documentOf(missing)).toMatchObject({ status: 404, code: 'record-unknown' });
    const { readerId } = await context.make('loan').then(({ reader }) => ({ readerId: (reader as Json)['id'] }));
    const inUse = await send(context, `DELETE /readers/${readerId}`, { headers: documents });
    expect(documentOf(inUse)).toMatchObject({ code: 'record-in-use', usedBy: [{ group: 'loans', count: 1 }] });
    const query = await send(context, 'GET /books?limit=x', { headers: documents });
    expect(documentOf(query)).toMatchObject({ status: 400, code: 'parameter-invalid' });
  });

  test('lead into the operations of a batch, and into the bodies of its results', async () => {
    const operations = [
      { method: 'POST', path: '/genres', body: { name: 'Documents', colour: 1 } },
      { method: 'POST', path: '/books', body: { genreId, chapters: [{ heading: 5 }] } },
    ];
    const batch = (body: Json) => send(context, 'POST /batch', { body, headers: documents });
    const whole = await batch({ operations });
    expect(documentOf(whole)).toMatchObject({
      ...{ status: 400, code: 'body-invalid', detail: 'Operation 1 was refused, and nothing was done.' },
      errors: [{ pointer: '/operations/0/body/colour', code: 'unknown-field' }],
    });
    const each = await batch({ operations, atomic: false });
    expect(each.headers.get('vary')).toContain('Accept');
    expect(each.body.results.map(({ body }: { body: unknown }) => body)).toMatchObject([
      { code: 'body-invalid', errors: [{ pointer: '/colour' }] },
      { code: 'body-invalid', errors: [{ pointer: '/title' }, { pointer: '/chapters/0/heading' }] },
    ]);
    expect(faultsOf(await batch({ operations: [{ method: 'GET' }], 'a.b': 1 }))).toEqual([
      { detail: "'operations[0].path' is required", pointer: '/operations/0/path', code: 'required' },
      { detail: "'a.b' is not allowed", pointer: '/a.b', code: 'unknown-field' },
    ]);
    const unknown = { method: 'PATCH', path: '/books/01890a5d-ac96-774b-bcce-b302099a8057', body: {} };
    expect(documentOf(await batch({ operations: [unknown] }))).toMatchObject({
      ...{ status: 404, code: 'record-unknown' },
      errors: [{ pointer: '/operations/0', code: 'record-unknown' }],
    });
    const noTag = { ...unknown, ifMatch: 'x' };
    expect(faultsOf(await batch({ operations: [noTag] }))).toMatchObject([{ pointer: '/operations/0/ifMatch' }]);
    const plain = await send(context, 'POST /batch', { body: { operations, atomic: false } });
    expect(plain.body.results[0].body).toMatchObject({ status: 400, errors: [expect.any(String)] });
    expect(Object.keys(plain.body.results[0].body)).toEqual(['status', 'message', 'errors']);
  });
});

test('every code is in kebab case, and has one meaning', () => {
  const codes = [...Object.keys(problemCodes), ...Object.keys(fieldCodes)];
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});
