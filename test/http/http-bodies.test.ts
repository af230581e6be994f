import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  bearer,
  expectProblem,
  host,
  id,
  json,
  type Running,
  readReplies,
  start,
  token,
  wire,
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

describe('bodies', () => {
  const unsupported = 'The request body must be application/json.';
  it.each([
    ['no type', [], '{}', 415, unsupported],
    ['another type', ['Content-Type: text/plain'], '{}', 415, unsupported],
    ['merge patches', ['Content-Type: application/merge-patch+json'], '{}', 415, unsupported],
    ['another charset', [`${json}; charset=latin1`], '{}', 415, unsupported],
    ['gzip', [json, 'Content-Encoding: gzip'], '\x1f\x8b', 415, unsupported],
    ['the type before the size', ['Content-Type: x/y'], ' '.repeat(1001), 415, unsupported],
    ['no body', [json], '', 400, 'The request body is not valid JSON.'],
    ['half an object', [json], '{"a":', 400, 'The request body is not valid JSON.'],
    ['bytes that are not UTF-8', [json], '{"a":"\xff"}', 400, 'The request body is not valid JSON.'],
    ['an array', [json], '[]', 400, 'The request body must be a JSON object.'],
    ['null', [json], 'null', 400, 'The request body must be a JSON object.'],
    ['a wide number', [json], '1e999', 400, 'The request body must be a JSON object.'],
    ['a byte too many', [json], `{"a":"${'x'.repeat(993)}"}`, 413, 'The request body is too large.'],
    [
      'a chunked byte too many',
      [json, 'Transfer-Encoding: chunked'],
      `3e9\r\n${' '.repeat(1001)}\r\n0\r\n\r\n`,
      413,
      'The request body is too large.',
    ],
  ])('refuses %s', async (_title, headers, body, status, message) => {
    expectProblem(await ask(server.port, 'POST /api/clients', headers, body), status, message);
  });

  it.each([
    [json],
    ['content-type: Application/JSON ; Charset="UTF-8"'],
    [`${json};charset=utf-8`, 'Content-Encoding: Identity'],
    [`${json}; v=1`],
  ])('takes %s', async (...headers) => {
    expect((await ask(server.port, 'POST /api/clients', headers, '{"a":1}')).body).toContain('"body":{"a":1}');
    const chunked = await ask(
      server.port,
      'POST /api/clients',
      [...headers, 'Transfer-Encoding: chunked'],
      '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    expect(chunked.body).toContain('"body":{"a":1}');
  });

  it('takes a body of exactly the limit', async () => {
    expect((await ask(server.port, 'POST /api/clients', [json], `{"a":"${'x'.repeat(992)}"}`)).status).toBe(200);
  });

  it('stops an endless body and closes', async () => {
    const head = `POST /api/clients HTTP/1.1\r\n${host}${bearer}${json}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { socket, ended } = wire(server.port, head);
    const timer = setInterval(() => socket.writable && socket.write(`64\r\n${' '.repeat(100)}\r\n`), 2);
    const [reply] = readReplies(await ended);
    clearInterval(timer);
    if (reply) expectProblem(reply, 413);
    expect(reply?.headers.connection).toBe('close');
  });

  it('answers before the body of a length that is refused', async () => {
    const { socket, ended } = wire(
      server.port,
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}${json}\r\nContent-Length: 9000000000\r\n\r\n`,
    );
    socket.once('data', () => socket.end());
    const [reply] = readReplies(await ended);
    if (reply) expectProblem(reply, 413);
    expect(reply?.headers.connection).toBe('close');
  });

  it('asks for a body only when it will be read', async () => {
    const head = (authorization: string) =>
      `POST /api/clients HTTP/1.1\r\n${host}${authorization}${json}\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const going = wire(server.port, head(bearer));
    going.socket.once('data', () => going.socket.write('{}'));
    expect(readReplies(await going.ended).map((reply) => reply.status)).toEqual([100, 200]);
    expect(readReplies(await wire(server.port, head('')).ended).map((reply) => reply.status)).toEqual([401]);
  });

  it('ignores a body where none is due, and goes on with the connection', async () => {
    const first = `GET /api/clients HTTP/1.1\r\n${host}${bearer}Content-Length: 5\r\n\r\nhello`;
    const refused = `POST /api/clients HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`;
    const last = `DELETE /api/clients/${id} HTTP/1.1\r\n${host}${bearer}Content-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const replies = readReplies(await wire(server.port, first + refused + last).ended);
    expect(replies.map((reply) => reply.status)).toEqual([200, 401, 204]);
  });

  it('takes no note of a caller who leaves while sending', async () => {
    const seen = server.logs.length;
    const { socket } = wire(
      server.port,
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}${json}\r\nContent-Length: 10\r\n\r\n{`,
    );
    await delay(50);
    socket.resetAndDestroy();
    const lines = () => server.logs.slice(seen).map((line) => JSON.parse(line));
    await expect
      .poll(() =>
        lines()
          .filter(({ level }) => level >= 30)
          .map(({ status }) => status),
      )
      .toEqual([499]);
  });
});
