// How much a token may ask: counted a token, told with every answer, refused with 429.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { Contract } from '../support/service/contract.ts';
import { accessToken, registryOf } from '../support/service/praxis.ts';
import { onEachDatabase, type Seen, startSeen, type Told } from '../support/service/seen.ts';

const contract = new Contract(registryOf('test'));
const refused = '{"status":429,"message":"Too many requests."}';

/** `"default";r=3;t=60` → 3 and 60 */
function left({ headers }: Told): { r: number; t: number } {
  const [, r, t] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { r: Number(r), t: Number(t) };
}

onEachDatabase('a rate limit a token', (open) => {
  const start = async (
    rateLimit: { requests: number; seconds: number } | undefined,
  ): Promise<Seen & { url: string }> => {
    const { url, close } = await open();
    const seen = await startSeen(url, { rateLimit, corsOrigins: ['https://app.example'] });
    onTestFinished(async () => {
      await seen.stop();
      await close();
    });
    return { ...seen, url };
  };

  test('refuses what is beyond it, whatever was asked, and says when to come again', async () => {
    const { ask } = await start({ requests: 4, seconds: 60 });
    const answers = [
      await ask('GET', '/api/genres'),
      await ask('POST', '/api/genres', { body: { name: 'Almanacs' } }),
      await ask('GET', '/api/nowhere'),
      await ask('POST', '/api/genres', { body: { nothing: 1 } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400]);
    expect(answers.map((answer) => left(answer).r)).toEqual([3, 2, 1, 0]);
    for (const [method, path] of [
      ['GET', '/api/genres'],
      ['POST', '/api/genres'],
      ['GET', '/api/nowhere'],
      ['GET', '/metrics'],
    ] as const) {
      const answer = await ask(method, path, method === 'POST' ? { body: { name: 'Prose' } } : {});
      expect([answer.status, answer.text]).toEqual([429, refused]);
      const { r, t } = left(answer);
      expect(r).toBe(0);
      expect(t).toBeGreaterThan(50);
      expect(answer.headers.get('retry-after')).toBe(String(t));
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=4;w=60');
    }
  });

  test('answers 429 as the document says, before anything is done', async () => {
    const { ask } = await start({ requests: 1, seconds: 1 });
    await ask('GET', '/api/genres');
    const { status, headers, text } = await ask('POST', '/api/genres', { body: { name: 'Dramolets' } });
    expect(status).toBe(429);
    const exchange = { method: 'POST', path: '/genres', sent: undefined, status, headers: Object.fromEntries(headers) };
    expect(contract.faultsOf({ ...exchange, body: JSON.parse(text) })).toEqual([]);
    await delay(1100);
    const { text: list } = await ask('GET', '/api/genres?name=Dramolets');
    expect(JSON.parse(list).results).toEqual([]);
  });

  test('counts the operations of a batch, where all of them fit', async () => {
    const { ask } = await start({ requests: 12, seconds: 60 });
    const batch = (length: number) => {
      const body = { name: `Batch of ${length}` };
      const operations = Array.from({ length }, () => ({ method: 'POST', path: '/genres', body }));
      return ask('POST', '/api/batch', { body: { operations, atomic: false } });
    };
    const answer = await batch(9);
    expect([answer.status, left(answer).r]).toEqual([200, 3]);
    // Counted as a request, and nothing of it is done.
    const beyond = await batch(4);
    expect([beyond.status, beyond.text, left(beyond).r]).toEqual([429, refused, 2]);
    expect(beyond.headers.get('retry-after')).toBe(String(left(beyond).t));
    const never = await batch(13);
    expect([never.status, left(never).r]).toEqual([400, 1]);
    expect(JSON.parse(never.text).errors).toEqual([
      "'operations' must be at most 12 items, as many as may be asked at a time",
    ]);
    const last = await ask('GET', '/api/genres?limit=100');
    expect([last.status, left(last).r]).toEqual([200, 0]);
    expect(last.text).not.toContain('Batch of 4');
    expect((await batch(0)).status).toBe(429);
  });

  test('takes a batch as large as the limit', async () => {
    const { ask } = await start({ requests: 5, seconds: 60 });
    const operations = Array.from({ length: 5 }, () => ({ method: 'GET', path: '/genres' }));
    const answer = await ask('POST', '/api/batch', { body: { operations } });
    expect([answer.status, left(answer).r]).toEqual([200, 0]);
  });

  test('begins anew when its time is over', async () => {
    const { ask } = await start({ requests: 2, seconds: 1 });
    const statuses = async (): Promise<number[]> => [
      (await ask('GET', '/api/genres')).status,
      (await ask('GET', '/api/genres')).status,
      (await ask('GET', '/api/genres')).status,
    ];
    expect(await statuses()).toEqual([200, 200, 429]);
    await delay(1100);
    expect(await statuses()).toEqual([200, 200, 429]);
  });

  test('counts each token for itself, and nobody who has none', async () => {
    const { ask, url } = await start({ requests: 1, seconds: 60 });
    const database = await openDatabase(url);
    const { token } = await createToken(createUnitOfWork(database, { deadlineMs: 5000 }), { name: 'other' });
    await database.close();
    expect((await ask('GET', '/api/genres', { token: accessToken })).status).toBe(200);
    expect((await ask('GET', '/api/genres', { token: accessToken })).status).toBe(429);
    // Known to a process within five seconds.
    await expect
      .poll(async () => (await ask('GET', '/api/genres', { token })).status, { timeout: 6000, interval: 500 })
      .toBe(200);
    expect((await ask('GET', '/api/genres', { token })).status).toBe(429);
    for (const wrong of ['', 'not-a-token-that-anybody-has']) {
      const answer = await ask('GET', '/api/genres', { token: wrong });
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([401, null]);
    }
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      const answer = await ask('GET', path);
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
    }
  });

  test('tells pages of other origins too, and counts no preflight', async () => {
    const { ask } = await start({ requests: 1, seconds: 60 });
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    expect((await ask('OPTIONS', '/api/genres', { token: '', headers: preflight })).status).toBe(204);
    const { status, headers } = await ask('GET', '/api/genres', { headers: { origin: 'https://app.example' } });
    expect(status).toBe(200);
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
  });

  test('is off by default', async () => {
    const { ask } = await start(undefined);
    for (let nth = 0; nth < 20; nth += 1) {
      const { status, headers } = await ask('GET', '/api/genres');
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null]);
    }
  });
});

onEachDatabase('wrong tokens', (open) => {
  test('are refused beyond twenty an address and minute, and right ones never', async () => {
    const { url, close } = await open();
    const seen = await startSeen(url);
    onTestFinished(async () => {
      await seen.stop();
      await close();
    });
    const guess = (nth: number) =>
      seen.ask('GET', nth % 2 === 0 ? '/api/genres' : '/metrics', { token: `guess-${nth}` });
    for (let nth = 0; nth < 20; nth += 1) expect((await guess(nth)).status).toBe(401);
    const exchange = { method: 'GET', path: '/genres', sent: undefined };
    for (let nth = 20; nth < 23; nth += 1) {
      const { status, headers, text } = await guess(nth);
      expect([status, text]).toEqual([429, refused]);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds > 0 && seconds <= 60, String(seconds)).toBe(true);
      expect(
        contract.faultsOf({ ...exchange, status, headers: Object.fromEntries(headers), body: JSON.parse(text) }),
      ).toEqual([]);
      // Who has none has guessed nothing.
      expect((await seen.ask('GET', '/api/genres', { token: '' })).status).toBe(401);
      expect((await seen.ask('GET', '/api/genres')).status).toBe(200);
    }
    // Another address of this machine.
    const other = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { Authorization: 'Bearer guess-of-another' };
      const asked = request(new URL('/api/genres', seen.address), { localAddress: '127.0.0.2', headers }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      asked.once('error', reject).end();
    });
    expect(other).toBe(401);
  });
});

test('every operation of the document may answer 429', () => {
  for (const { method, path } of [...endpointsOf(registryOf('test')), { method: 'POST', path: '/batch' }]) {
    const exchange = { method, path: path.replace('{id}', 'x'), sent: undefined, body: JSON.parse(refused) };
    const headers = { 'x-request-id': '01890a5d-ac96-774b-bcce-b302099a8057', 'retry-after': '1' };
    expect(contract.faultsOf({ ...exchange, status: 429, headers }), `${method} ${path}`).toEqual([]);
  }
});
