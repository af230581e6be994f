import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  ask,
  expectProblem,
  failingId,
  id,
  json,
  type Reply,
  type Running,
  start,
  token,
} from '../support/service/http.ts';

let server: Running;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server.stop(1000);
  // After all that was sent with it, in each place where a text is made of a request.
  expect(server.logs.join('')).not.toContain(token);
});

describe('headers and callers', () => {
  const missing = 'Authentication is required.';
  const invalid = 'The access token is not valid.';
  it.each([
    ['Host', ['Host: x', 'Host: y']],
    ['Authorization', [`Authorization: Bearer ${token}`, `authorization: Bearer ${token}`]],
    ['Content-Type', [json, json]],
  ])('refuses %s given twice', async (name, headers) => {
    expectProblem(await ask(server.port, 'GET /api/clients', headers), 400, `Header '${name}' is given twice.`);
  });

  it.each([
    ['Authorization: -', missing, 'Bearer'],
    ['Authorization: Basic eDp5', missing, 'Bearer'],
    ['Authorization: Bearer', missing, 'Bearer'],
    ['Authorization: Bearer wrong', invalid, 'Bearer error="invalid_token"'],
    [`Authorization: Bearer ${token} x`, invalid, 'Bearer error="invalid_token"'],
    [`Authorization: Bearer ${token.toUpperCase()}`, invalid, 'Bearer error="invalid_token"'],
  ])('answers 401 to %s', async (header, message, challenge) => {
    const lines = [
      'GET /api/clients',
      'GET /api/nowhere',
      'GET /api',
      'PUT /api/clients',
      'TRACE /api/x',
      'GET /api/companies',
      'OPTIONS /api/clients',
    ];
    // Wrong tokens are counted.
    const server = await start();
    onTestFinished(() => server.stop(500));
    for (const line of [...lines, `GET /api/clients?access_token=${token}`, 'POST /api/clients']) {
      const reply = await ask(server.port, line, [header]);
      expectProblem(reply, 401, message);
      expect(reply.headers['www-authenticate']).toBe(challenge);
    }
  });

  it('takes the scheme in any case', async () => {
    expect((await ask(server.port, 'GET /api/clients', [`AUTHORIZATION: bEARER  ${token}`])).status).toBe(200);
  });

  it('refuses a token in the query', async () => {
    const reply = await ask(server.port, `GET /api/clients?access_token=${token}`);
    expectProblem(reply, 400, "Parameter 'access_token' is not allowed.");
  });

  it('finds a second Authorization behind thousands of headers', async () => {
    const padding = Array.from({ length: 2500 }, () => 'a:');
    const headers = [`Authorization: Bearer ${token}`, ...padding, 'Authorization: Bearer x'];
    expectProblem(await ask(server.port, 'GET /api/clients', headers), 400);
  });

  it('answers 417 to other expectations', async () => {
    expectProblem(await ask(server.port, 'GET /api/clients', ['Expect: x']), 417, 'The expectation cannot be met.');
  });

  it('ignores the wish for another protocol', async () => {
    const reply = await ask(server.port, 'GET /api/clients', ['Connection: Upgrade, close', 'Upgrade: websocket']);
    expect(reply.status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    '/api',
    '/api/',
    '/api/clients/',
    '/api/Clients',
    '/api//clients',
    '/api/client%73',
    `/api/clients/${id}/`,
    `/api/clients/${id}/x`,
    '/api/constructor',
    '/api/clients#x',
    '/API/clients',
    '/apix',
    '/',
    '*',
    'http://x',
    'http://[bad',
  ])('does not know %s', async (path) => {
    expectProblem(await ask(server.port, `GET ${path}`), 404, 'No such path.');
  });

  it.each(['%E0%A4%A', '%00', 'a%2Fb', '..', 'x'.repeat(7900)])('takes %s for a malformed id', async (text) => {
    expectProblem(await ask(server.port, `GET /api/clients/${text}`), 400, "Parameter 'id' is not a valid UUID.");
  });

  it.each([
    ['GET /api/clients?name=', 401, ['Authorization: -']],
    ['GET /', 404, ['Accept: text/html']],
    ['POST /healthz?', 405, []],
    ['GET http://', 404, []],
    ['OPTIONS /', 204, ['Origin: https://app.example', 'Access-Control-Request-Method: GET']],
  ] as const)('refuses a target of more than 8,000 bytes: %s', async (start, status, headers) => {
    const length = 8000 - (start.length - start.indexOf(' ') - 1);
    expect((await ask(server.port, `${start}${'x'.repeat(length)}`, headers)).status).toBe(status);
    const reply = await ask(server.port, `${start}${'x'.repeat(length + 1)}`, headers);
    expectProblem(reply, 414, 'The request target is too long.');
  });

  it('takes a target with an authority', async () => {
    expect((await ask(server.port, 'GET http://[bad/api/clients?limit=1')).body).toContain('"query":"limit=1"');
  });

  it('knows every route and, on it, every method of Node or 405 with Allow', async () => {
    const paths = Map.groupBy(server.endpoints, (endpoint) => endpoint.path.replace('{id}', id));
    for (const [path, members] of paths) {
      const isGated = path.startsWith('/companies');
      const methods = new Set<string>(['OPTIONS', ...members.map((endpoint) => endpoint.method)]);
      if (methods.has('GET')) methods.add('HEAD');
      const allow = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']
        .filter((method) => methods.has(method))
        .join(', ');
      for (const method of METHODS.filter((method) => method !== 'CONNECT')) {
        const body = method === 'QUERY' || method === 'POST' || method === 'PATCH' ? '{}' : '';
        const reply = await ask(server.port, `${method} /api${path}`, [json], body);
        if (method === 'OPTIONS') expect([reply.status, reply.headers.allow, reply.body]).toEqual([204, allow, '']);
        else if (!methods.has(method)) expectProblem(reply, 405, 'Method not allowed.');
        else if (isGated && method === 'HEAD') expect(reply.status).toBe(403);
        else if (isGated) expectProblem(reply, 403, "Feature 'Pipeline' is not enabled.");
        else expect(reply.status, `${method} ${path}`).toBe(method === 'DELETE' ? 204 : 200);
        if (reply.status === 405) expect(reply.headers.allow).toBe(allow);
      }
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const path of ['/api/clients', '/api/nowhere', '/openapi.json', '/healthz']) {
      const [get, head] = [await ask(server.port, `GET ${path}`), await ask(server.port, `HEAD ${path}`)];
      const { 'x-request-id': _one, date: _then, ...expected } = get.headers;
      const { 'x-request-id': _other, date: _now, ...headers } = head.headers;
      expect([head.status, headers]).toEqual([get.status, expected]);
    }
  });

  it('answers probes and the description without a token', async () => {
    const bare = ['Authorization: -'];
    expect((await ask(server.port, 'GET /healthz', bare)).body).toBe('{"status":"ok"}');
    expect((await ask(server.port, 'GET /readyz', bare)).status).toBe(200);
    server.isReady = false;
    expectProblem(await ask(server.port, 'GET /readyz', bare), 503, 'The database is not available.');
    server.isReady = true;
    const reply = await ask(server.port, 'POST /healthz', bare);
    expectProblem(reply, 405);
    expect(reply.headers.allow).toBe('GET, HEAD');
    const described = await ask(server.port, 'GET /openapi.json', bare);
    expect([described.status, described.headers.etag, described.headers['cache-control']]).toEqual([
      200,
      'W/"v1"',
      'no-cache',
    ]);
    for (const tags of ['W/"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const cached = await ask(server.port, 'GET /openapi.json', [...bare, `If-None-Match: ${tags}`]);
      expect([cached.status, cached.headers.etag, cached.body]).toEqual([304, 'W/"v1"', '']);
    }
  });
});

describe('logs and failures', () => {
  it('writes one line a request, without the query', async () => {
    const seen = server.logs.length;
    const reply = await ask(server.port, 'GET /api/clients?limit=7');
    const lines = server.logs.slice(seen).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    const requestId = reply.headers['x-request-id'];
    expect(lines[0]).toMatchObject({
      level: 30,
      requestId,
      method: 'GET',
      path: '/api/clients',
      status: 200,
      tokenId: 'T1',
    });
    expect(Object.keys(lines[0])).not.toContain('query');
  });

  it('hides what stands in a path and is no part of ours', async () => {
    const seen = server.logs.length;
    await ask(server.port, `GET /api/clients/${token}`);
    expect(JSON.parse(server.logs[seen] ?? '{}').path).toBe('/api/clients/*');
  });

  it('tells the cause of a 500 to the log alone', async () => {
    const seen = server.logs.length;
    const reply = await ask(server.port, `GET /api/clients/${failingId}`);
    expectProblem(reply, 500, 'Something went wrong.');
    const line = server.logs.slice(seen).find((text) => text.includes('"cause"')) ?? '{}';
    expect(JSON.parse(line).requestId).toBe(reply.headers['x-request-id']);
    expect(line).toContain('boom [token]');
    expect(line).not.toContain('"sql"');
  });
});

describe('calls from pages', () => {
  const origin = 'Origin: https://app.example';
  const preflight = 'Access-Control-Request-Method: PATCH';
  const corsOf = (reply: Reply) => Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));

  it('lets pages of a named origin read every answer', async () => {
    for (const line of ['GET /api/clients', 'GET /api/nowhere', 'GET /healthz', `GET /api/clients/${failingId}`]) {
      const { headers } = await ask(server.port, line, [origin]);
      expect(headers['access-control-allow-origin']).toBe('https://app.example');
      expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
      expect(headers['access-control-expose-headers']).toContain('Content-Disposition');
      expect(headers.vary?.split(', ')).toContain('Origin');
    }
  });

  it('answers their preflights without a token, whatever the path', async () => {
    for (const path of ['/api/clients', '/api/nowhere']) {
      const reply = await ask(server.port, `OPTIONS ${path}`, ['Authorization: -', origin, preflight]);
      expect([reply.status, reply.body]).toEqual([204, '']);
      expect(reply.headers['access-control-allow-methods']).toContain('PATCH');
      expect(reply.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, Praxis-Member, Last-Event-ID, traceparent, tracestate',
      );
    }
  });

  it('gives other origins nothing', async () => {
    for (const other of ['https://app.example.evil', 'null', 'https://APP.example']) {
      expect(corsOf(await ask(server.port, 'GET /api/clients', [`Origin: ${other}`]))).toEqual([]);
      const reply = await ask(server.port, 'OPTIONS /api/clients', ['Authorization: -', `Origin: ${other}`, preflight]);
      expectProblem(reply, 401);
      expect(corsOf(reply)).toEqual([]);
    }
  });
});
