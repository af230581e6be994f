import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/http/server/server.ts';
import {
  ask,
  bearer,
  expectProblem,
  host,
  json,
  large,
  largeId,
  type Running,
  readReplies,
  slowId,
  start,
  token,
  wire,
} from '../support/service/http.ts';

setFlagsFromString('--expose-gc');
/** For a machine that has much else to do. */
const patient = { timeout: 20_000 };
const collectGarbage = runInNewContext('gc') as () => void;

let server: Running;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server.stop(1000);
  // After all that was sent with it, in each place where a text is made of a request.
  expect(server.logs.join('')).not.toContain(token);
});

describe('connections without a readable request', () => {
  const rows: [title: string, bytes: string, status: number][] = [
    ['an unknown verb', `FOO / HTTP/1.1\r\n${host}\r\n`, 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['the start of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['headers of 20 kB', `GET /api/clients HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    [
      'both framings',
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two lengths',
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
      400,
    ],
    ['a negative length', `POST /api/clients HTTP/1.1\r\n${host}${bearer}Content-Length: -1\r\n\r\n`, 400],
    ['a folded header', `GET /api/clients HTTP/1.1\r\n${host}X: a\r\n b: c\r\n\r\n`, 400],
    ['a header with a space in its name', `GET /api/clients HTTP/1.1\r\n${host}X y: a\r\n\r\n`, 400],
    ['a NUL in a header', `GET /api/clients HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
    ['CONNECT with a path', `CONNECT /api/clients HTTP/1.1\r\n${host}\r\n`, 405],
    ['a target of another scheme', `GET urn:x HTTP/1.1\r\n${host}\r\n`, 400],
    ['a target that is not ASCII', `GET /api/clients\xa0 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a later version', `GET / HTTP/3.0\r\n${host}\r\n`, 400],
    ['no Host', `GET /api/clients HTTP/1.1\r\nConnection: close\r\n${bearer}\r\n`, 400],
    [
      'a transfer coding that we do not undo',
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}Transfer-Encoding: gzip, chunked\r\n\r\n`,
      400,
    ],
    [
      'a bad chunk',
      `POST /api/clients HTTP/1.1\r\n${host}${bearer}${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
  ];
  it.each(rows)('answers %s in our shape and closes', async (_title, bytes, status) => {
    const replies = readReplies(await wire(server.port, bytes).ended);
    expect(replies).toHaveLength(1);
    for (const reply of replies) {
      expectProblem(reply, status);
      expect(reply.headers.connection).toBe('close');
      expect(reply.headers['content-length']).toBe(String(reply.body.length));
    }
  });

  it('answers the request before a broken one, and only that', async () => {
    const replies = readReplies(
      await wire(server.port, `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\nFOO\r\n\r\n`).ended,
    );
    expect(replies.map((reply) => reply.status)).toEqual([200]);
  });

  it('answers pipelined requests in order', async () => {
    const one = (query: string, more = '') => `GET /api/clients?limit=${query} HTTP/1.1\r\n${host}${bearer}${more}\r\n`;
    const text = await wire(server.port, one('1') + one('2') + one('3', 'Connection: close\r\n')).ended;
    expect(readReplies(text).map((reply) => JSON.parse(reply.body).query)).toEqual(['limit=1', 'limit=2', 'limit=3']);
  });

  it('answers a caller who ends its side behind the request', async () => {
    const { socket, ended } = wire(server.port, `GET /api/clients/${slowId} HTTP/1.1\r\n${host}${bearer}\r\n`);
    socket.end();
    await expect.poll(() => server.waiting.length).toBe(1);
    server.waiting.pop()?.();
    // Those before ask whether anybody is still there.
    const statuses = readReplies(await ended).map(({ status }) => status);
    expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([102]), 200]);
  });
});

describe('limits of time and number', () => {
  let strict: Running;
  beforeAll(async () => {
    strict = await start({ headersTimeoutMs: 150, requestTimeoutMs: 300, checkEveryMs: 50, maximumConnections: 3 });
  });
  afterAll(() => strict.stop(500));
  const post = `POST /api/clients HTTP/1.1\r\n${host}${bearer}${json}\r\nContent-Length: 10\r\n\r\n{`;

  it.each([
    ['headers', `GET /api/clients HTTP/1.1\r\nHost: x\r\n`],
    ['a body', post],
  ])('answers 408 when %s do not come', async (_title, bytes) => {
    const [reply, ...more] = readReplies(await wire(strict.port, bytes).ended);
    expect(more).toEqual([]);
    if (reply) expectProblem(reply, 408, 'The request took too long.');
    expect(reply?.headers.connection).toBe('close');
  });

  it('does not answer a second time when a refused body does not come', async () => {
    const replies = readReplies(await wire(strict.port, post.replace(token, 'wrong')).ended);
    expect(replies.map((reply) => reply.status)).toEqual([401]);
  });

  it('answers 503 to connections above the limit', async () => {
    const held = [1, 2, 3].map(() => wire(strict.port));
    await delay(50);
    const reply = await ask(strict.port, 'GET /api/clients');
    expectProblem(reply, 503, 'The service is overloaded.');
    expect(reply.headers['retry-after']).toBe('1');
    for (const { socket } of held) socket.destroy();
    await expect.poll(async () => (await ask(strict.port, 'GET /api/clients')).status).toBe(200);
  });

  it('explains in one line why it cannot listen', async () => {
    const options = { listener: () => {}, host: '127.0.0.1', port: server.port, logger: undefined as never };
    await expect(startServer(options)).rejects.toThrow(/^cannot listen on 127\.0\.0\.1:\d+: another program uses .*$/);
    await expect(startServer({ ...options, host: '192.0.2.1' })).rejects.toThrow(/HOST/);
  });
});

interface Caller {
  /** What each answer has said of the connection. */
  readonly answers: (string | undefined)[];
  readonly ended: Promise<{ error: string | undefined; unanswered: number }>;
}

/** Sends one request after the other on one connection, until an answer says that it was the last. */
function callSteadily(port: number, pauseMs: number): Caller {
  const answers: Caller['answers'] = [];
  const socket = connect(port, '127.0.0.1');
  let unanswered = 0;
  let error: string | undefined;
  let text = '';
  const send = (): void => {
    if (socket.destroyed) return;
    unanswered += 1;
    socket.write(`GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`);
  };
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (!(text.length >= text.indexOf('\r\n\r\n') + 4 + length)) return;
    const [reply] = readReplies(text);
    text = '';
    unanswered -= 1;
    answers.push(reply?.headers.connection);
    if (reply?.headers.connection !== 'close') setTimeout(send, pauseMs);
  });
  socket.on('error', ({ message }) => {
    error = message;
  });
  const ended = new Promise<Awaited<Caller['ended']>>((resolve) => {
    socket.on('close', () => resolve({ error, unanswered }));
  });
  return { answers, ended };
}

describe('the end', () => {
  const slow = `GET /api/clients/${slowId} HTTP/1.1\r\n${host}${bearer}\r\n`;

  it('answers a hundred running requests, takes no new connection, and resolves', async () => {
    const ending = await start();
    const idle = [wire(ending.port), wire(ending.port, `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`)];
    const wires = Array.from({ length: 100 }, () => wire(ending.port, slow));
    await expect.poll(() => ending.waiting.length).toBe(100);
    const stopped = ending.stop();
    expect(ending.stop()).toBe(stopped);
    await Promise.all(idle.map(({ ended }) => ended));
    const refused = await new Promise((resolve) => {
      connect(ending.port, '127.0.0.1')
        .on('error', resolve)
        .on('connect', () => resolve(undefined));
    });
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    for (const release of ending.waiting) release();
    for (const { ended } of wires) {
      const [reply] = readReplies(await ended);
      expect([reply?.status, reply?.headers.connection]).toEqual([200, 'close']);
    }
    await stopped;
  });

  it('resets none of the callers who send one request after the other', async () => {
    const ending = await start();
    const callers = Array.from({ length: 60 }, (_caller, nth) => callSteadily(ending.port, nth));
    await expect.poll(() => callers.every(({ answers }) => answers.length > 3), patient).toBe(true);
    await ending.stop();
    for (const { ended } of callers) expect(await ended).toEqual({ error: undefined, unanswered: 0 });
    // Each was told that its connection ends, and by nothing but its last answer.
    for (const { answers } of callers) {
      expect(answers.at(-1)).toBe('close');
      expect(answers.slice(0, -1)).not.toContain('close');
    }
  }, 30_000);

  it('lets those in who have connected just before', async () => {
    const ending = await start();
    const request = `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`;
    const wires = Array.from({ length: 20 }, () => wire(ending.port, request));
    // By now they have asked the system for a connection, and the server has not looked yet.
    await new Promise((resolve) => process.nextTick(resolve));
    await ending.stop();
    for (const { ended } of wires) expect(readReplies(await ended).map(({ status }) => status)).toEqual([200]);
  });

  it('answers the request behind an answer that promised to keep the connection', async () => {
    const ending = await start();
    const { socket, ended } = wire(ending.port, `GET /api/clients/${largeId} HTTP/1.1\r\n${host}${bearer}\r\n`);
    let missing = large;
    socket.once('data', (chunk) => {
      missing += chunk.indexOf('\r\n\r\n') + 4;
      void ending.stop();
    });
    socket.on('data', (chunk) => {
      missing -= chunk.length;
      if (missing === 0) setTimeout(() => socket.write(`GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`), 50);
    });
    const replies = readReplies(await ended);
    expect(replies.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    await ending.stop();
  });

  it('closes connections on which nothing comes, and waits for no more than their callers', async () => {
    const ending = await start();
    const idle = wire(ending.port, `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`);
    const fresh = wire(ending.port);
    const ends = [idle, fresh].map(({ socket }) => new Promise((resolve) => socket.once('end', resolve)));
    await new Promise((resolve) => idle.socket.once('data', resolve));
    // Only a clean end is read as one; the callers close their side when they see it.
    await Promise.all([ending.stop(60_000), ...ends]);
  }, 20_000);

  it('answers requests that are sent behind a running one, all of them', async () => {
    const ending = await start();
    const { socket, ended } = wire(ending.port, slow);
    await expect.poll(() => ending.waiting.length).toBe(1);
    const stopped = ending.stop();
    await delay(20);
    socket.write(slow);
    await expect.poll(() => ending.waiting.length).toBe(2);
    for (const release of ending.waiting) release();
    expect(readReplies(await ended).map((reply) => reply.status)).toEqual([200, 200]);
    await stopped;
  });

  it('lets a request come in that had begun', async () => {
    const ending = await start();
    const { socket, ended } = wire(ending.port, 'GET /api/clients HTTP/1.1\r\n');
    await delay(50);
    const stopped = ending.stop();
    await delay(50);
    socket.write(`${host}${bearer}\r\n`);
    expect(readReplies(await ended)[0]?.headers.connection).toBe('close');
    await stopped;
  });

  it('does not cut an answer that a slow reader still takes', async () => {
    const ending = await start();
    const { socket, ended } = wire(ending.port, `GET /api/clients/${largeId} HTTP/1.1\r\n${host}${bearer}\r\n`);
    socket.pause();
    await delay(100);
    const stopped = ending.stop();
    await delay(100);
    socket.resume();
    expect((await ended).length).toBeGreaterThan(large);
    await stopped;
  });

  it('hangs up when its time is over', async () => {
    const ending = await start();
    const { ended } = wire(ending.port, slow);
    await expect.poll(() => ending.waiting.length).toBe(1);
    await ending.stop(50);
    expect(await ended).toBe('');
  });
});

describe('a connection that is kept', () => {
  it.each([
    ['401', 'wrong'],
    ['404', token],
  ])(
    'does not hold up the end where a body was answered %s without being read',
    async (status, sent) => {
      const ending = await start();
      const request = `POST /api/nowhere HTTP/1.1\r\n${host}Authorization: Bearer ${sent}\r\n${json}\r\nContent-Length: 2\r\n\r\n{}`;
      const { socket, ended } = wire(ending.port, request);
      await once(socket, 'data');
      // With more time for the end than the test has.
      await ending.stop(60_000);
      expect(await ended).toContain(`HTTP/1.1 ${status} `);
    },
    20_000,
  );
});

describe('connections of one address', () => {
  it('are answered 503 above the limit, and let in again when others have left', async () => {
    const strict = await start({ connectionsPerAddress: 2 });
    const held = [1, 2].map(() => wire(strict.port));
    await delay(50);
    const reply = await ask(strict.port, 'GET /api/clients');
    expectProblem(reply, 503, 'There are too many connections from this address.');
    expect(reply.headers['retry-after']).toBe('1');
    // Another address of this machine.
    const socket = connect({ port: strict.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    const [first] = await once(
      socket.end(`GET /api/clients HTTP/1.1\r\n${host}${bearer}Connection: close\r\n\r\n`),
      'data',
    );
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket: own } of held) own.destroy();
    await expect.poll(async () => (await ask(strict.port, 'GET /api/clients')).status).toBe(200);
    await strict.stop(500);
  });
});

describe('readers that take a little now and then', () => {
  it('are ended when the time of an answer is over, and others are not', async () => {
    const strict = await start({ answerTimeoutMs: 1000, checkEveryMs: 50 });
    const slow = wire(strict.port).socket.pause();
    slow.write(`GET /api/clients/${largeId} HTTP/1.1\r\n${host}${bearer}\r\n`);
    const kept = wire(strict.port, `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`);
    await expect.poll(() => strict.logs.filter((line) => line.includes('"request"')).length, patient).toBe(2);
    const since = performance.now();
    // Never silent for long, which would be another reason to hang up.
    const timer = setInterval(() => slow.read(1000), 20);
    await expect.poll(() => strict.connections.open, patient).toBe(1);
    expect(performance.now() - since).toBeGreaterThan(900);
    clearInterval(timer);
    // Who has taken all of it may stay.
    await delay(300);
    expect(strict.connections.open).toBe(1);
    for (const socket of [slow, kept.socket]) socket.destroy();
    await strict.stop(500);
  }, 30_000);
});

describe('work that takes long', () => {
  it('is no silence of its caller, whose connection is kept', async () => {
    const patientOnes = await start({ silenceTimeoutMs: 200, checkEveryMs: 50 });
    const { socket, ended } = wire(patientOnes.port, `GET /api/clients HTTP/1.1\r\n${host}${bearer}\r\n`);
    await once(socket, 'data');
    socket.write(`GET /api/clients/${slowId} HTTP/1.1\r\n${host}${bearer}Connection: close\r\n\r\n`);
    await expect.poll(() => patientOnes.waiting.length, patient).toBe(1);
    await delay(1000);
    for (const release of patientOnes.waiting) release();
    expect(readReplies(await ended).map(({ status }) => status)).toEqual([200, 200]);
    await patientOnes.stop(500);
  });

  it.each([
    ['GET', 'The service took too long, and nothing was done.'],
    ['PATCH', 'The service took too long; the outcome of the request is unknown.'],
  ])(
    'is answered 503 when nothing is heard of it: %s',
    async (method, message) => {
      const strict = await start({ workTimeoutMs: 200 });
      const body = method === 'PATCH' ? '{}' : '';
      const reply = await ask(strict.port, `${method} /api/clients/${slowId}`, [json], body);
      expectProblem(reply, 503, message);
      expect(reply.headers['retry-after']).toBe('1');
      for (const release of strict.waiting) release();
      expect((await ask(strict.port, 'GET /api/clients')).status).toBe(200);
      await strict.stop(500);
    },
    20_000,
  );
});

describe('readers that take nothing', () => {
  /** Bytes outside of the heap that something still holds. */
  const heldBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };

  it('are ended when nothing has gone out for a while, and what was theirs is given back', async () => {
    const silent = await start({ silenceTimeoutMs: 3000 });
    const before = heldBytes();
    const request = `GET /api/clients/${largeId} HTTP/1.1\r\n${host}${bearer}\r\n`;
    const readers = Array.from({ length: 5 }, () => {
      const { socket } = wire(silent.port);
      socket.pause();
      socket.write(request);
      return socket;
    });
    const statuses = (): number[] =>
      silent.logs.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line).status);
    await expect.poll(() => statuses().toSorted(), patient).toEqual([200, 429, 429, 429, 429]);
    // One response is in flight. The others are refused, because the caller would hold more than 40 MiB.
    // V8 counts the buffers that it frees a moment after the collection.
    await expect.poll(() => heldBytes() - before, patient).toBeLessThan(1.5 * large);
    expect(heldBytes() - before).toBeGreaterThan(0.9 * large);
    // Nobody of them has read or left, so this ends only when all have been hung up on.
    await silent.stop(600_000);
    expect(readers.every(({ destroyed }) => !destroyed)).toBe(true);
    await expect.poll(() => heldBytes() - before, patient).toBeLessThan(0.5 * large);
    for (const socket of readers) socket.destroy();
  }, 60_000);
});
