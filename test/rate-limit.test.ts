// How much a token may ask: counted a token, told with every answer, refused with 429.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endpointsOf } from '../src/endpoints/endpoint.ts';
import { openDatabase } from '../src/storage/database.ts';
import { createUnitOfWork } from '../src/storage/run.ts';
import { createToken } from '../src/storage/tokens.ts';
import { Contract } from './support/contract.ts';
import { accessToken, registryOf } from './support/praxis.ts';
import { onEachDatabase, type Seen, startSeen, type Told } from './support/seen.ts';

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

  test('counts a batch as one', async () => {
    const { ask } = await start({ requests: 2, seconds: 60 });
    const operations = Array.from({ length: 10 }, (_value, nth) => ({
      method: 'POST',
      path: '/genres',
      body: { name: `Batch ${nth}` },
    }));
    const answer = await ask('POST', '/api/batch', { body: { operations } });
    expect([answer.status, left(answer).r]).toEqual([200, 1]);
    expect((await ask('POST', '/api/batch', { body: { operations: [] } })).headers.get('ratelimit')).toContain('r=0');
    const beyond = await ask('POST', '/api/batch', { body: { operations } });
    expect([beyond.status, beyond.text]).toEqual([429, refused]);
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
    await expect.poll(async () => (await ask('GET', '/api/genres', { token })).status, { timeout: 6000 }).toBe(200);
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

test('every operation of the document may answer 429', () => {
  for (const { method, path } of [...endpointsOf(registryOf('test')), { method: 'POST', path: '/batch' }]) {
    const exchange = { method, path: path.replace('{id}', 'x'), sent: undefined, body: JSON.parse(refused) };
    const headers = { 'x-request-id': '01890a5d-ac96-774b-bcce-b302099a8057', 'retry-after': '1' };
    expect(contract.faultsOf({ ...exchange, status: 429, headers }), `${method} ${path}`).toEqual([]);
  }
});
