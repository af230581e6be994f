// The trace of a caller, taken up and handed on; and what the time of an answer went to.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { holdWrites } from '../support/databases/hold.ts';
import { onEachDatabase, type Seen, startSeen, type Told } from '../support/service/seen.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const parent = `00-${traceId}-${parentId}-01`;

onEachDatabase('a trace', (open) => {
  let seen: Seen;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const { url, close } = await open();
    seen = await startSeen(url);
    closing.push(seen.stop, close);
  }, 60_000);
  afterAll(async () => {
    for (const close of closing) await close();
  });
  const asking = (headers: Record<string, string>, path = '/api/genres') => seen.ask('GET', path, { headers });
  const lineOf = (headers: Headers) =>
    seen.log().find(({ requestId }) => requestId === headers.get('x-request-id')) ?? expect.fail('no line in the log');

  test.each([
    ['an answer', '/api/genres', 200],
    ['a refusal', '/api/genres?limit=0', 400],
    ['an unknown path', '/api/nowhere', 404],
    ['a probe', '/readyz', 200],
  ])('goes into the log and is handed on with a span of our own: %s', async (_what, path, status) => {
    const answer = await asking({ traceparent: parent }, path);
    expect(answer.status).toBe(status);
    const [version, trace, spanId, flags] = answer.headers.get('traceparent')?.split('-') ?? [];
    expect([version, trace, flags]).toEqual(['00', traceId, '01']);
    expect(spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
    expect(spanId).not.toBe(parentId);
    expect(lineOf(answer.headers)).toMatchObject({ msg: 'request', traceId, spanId, status });
    const again = await asking({ traceparent: parent }, path);
    expect(again.headers.get('traceparent')).not.toBe(answer.headers.get('traceparent'));
  });

  test.each([
    ['none', undefined],
    ['another length', `${parent}0`],
    ['more behind version 00', `${parent}-x`],
    ['version ff', parent.replace(/^00/, 'ff')],
    ['capital letters', parent.toUpperCase()],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['flags that are none', `00-${traceId}-${parentId}-zz`],
    ['two of them', `${parent}, ${parent}`],
    ['an empty one', ''],
  ])('is not made up where there is %s', async (_what, traceparent) => {
    const answer = await asking({ ...(traceparent === undefined ? {} : { traceparent }), tracestate: 'a=b' });
    expect(answer.status).toBe(200);
    expect([answer.headers.get('traceparent'), answer.headers.get('tracestate')]).toEqual([null, null]);
    expect(Object.keys(lineOf(answer.headers))).not.toContain('traceId');
  });

  test.each([
    [`cc-${traceId}-${parentId}-01-of.a.later.version`, '01'],
    [`01-${traceId}-${parentId}-ff`, '03'],
    [`00-${traceId}-${parentId}-00`, '00'],
    [`00-${traceId}-${parentId}-fe`, '02'],
  ])('is handed on as far as this version knows: %s', async (traceparent, flags) => {
    const answer = await asking({ traceparent });
    expect(answer.headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${flags}$`));
  });

  test.each([
    'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    'a=1, b=2 ,,c@d=~',
    Array.from({ length: 32 }, (_value, nth) => `k${nth}=v`).join(','),
  ])('keeps its state as it came: %s', async (tracestate) => {
    const answer = await asking({ traceparent: parent, tracestate });
    expect(answer.headers.get('tracestate')).toBe(tracestate);
  });

  test.each(['', ',', 'A=1', 'a', 'a=1,a=2', 'a==', 'a=b=c', `a=${'x'.repeat(257)}`, '1@2=x', `${'k=v,'.repeat(33)}`])(
    'leaves a state out that cannot be read: %s',
    async (tracestate) => {
      const answer = await asking({ traceparent: parent, tracestate });
      expect(answer.headers.get('traceparent')).toContain(traceId);
      expect(answer.headers.get('tracestate')).toBe(null);
    },
  );
});

onEachDatabase('what the time of an answer went to', (open) => {
  const form = /^wait;dur=(\d+\.\d\d), db;dur=(\d+\.\d\d), total;dur=(\d+\.\d\d)$/;
  const timesOf = ({ headers }: Told): number[] =>
    (form.exec(headers.get('server-timing') ?? '') ?? []).slice(1).map(Number);

  test('is told where it is asked for, and by default is not', async () => {
    const { url, close } = await open();
    const telling = await startSeen(url, { serverTiming: true });
    const asked = [
      ['GET', '/api/genres', undefined],
      ['POST', '/api/genres', { name: 'Almanacs' }],
      ['GET', '/api/genres?limit=0', undefined],
      ['GET', '/api/nowhere', undefined],
    ] as const;
    for (const [method, path, body] of asked) {
      const answer = await telling.ask(method, path, { body });
      const [wait = Number.NaN, db = Number.NaN, total = Number.NaN] = timesOf(answer);
      expect(total).toBeGreaterThan(0);
      expect(wait + db).toBeLessThanOrEqual(total + 0.02);
      // What is refused for its address alone asks the database nothing.
      if (answer.status === 200) expect(db).toBeGreaterThan(0);
      else expect(db).toBe(0);
    }
    await telling.stop();
    const silent = await startSeen(url);
    expect((await silent.ask('GET', '/api/genres')).headers.get('server-timing')).toBe(null);
    await silent.stop();
    await close();
  }, 60_000);

  test('holds the time that was waited in line', async () => {
    const { url, close } = await open();
    const telling = await startSeen(url, { serverTiming: true });
    const release = await holdWrites(url, 'genre');
    // More than begin at once, on either database.
    const asked = Array.from({ length: 60 }, (_value, nth) =>
      telling.ask('POST', '/api/genres', { body: { name: `Nth ${nth}` } }),
    );
    await delay(500);
    await release();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const longest = Math.max(...answers.map((answer) => timesOf(answer)[0] ?? 0));
    expect(longest).toBeGreaterThan(200);
    await telling.stop();
    await close();
  }, 60_000);
});

describe('the command', { timeout: 60_000 }, () => {
  test.each([
    ['', true],
    ['development', true],
    ['production', false],
  ])('tells times with NODE_ENV=%s: %s', async (mode, isTold) => {
    const folder = new Folder({ PORT: '0', DATABASE_URL: 'sqlite::memory:', ACCESS_TOKEN: 'twenty-four-letters-long' });
    const { child, output, ended } = folder.start('serve', { NODE_ENV: mode });
    const address = await expect
      .poll(() => /http:\S+\/api$/m.exec(output.stdout)?.[0], { timeout: 30_000 })
      .toBeDefined()
      .then(() => /http:\S+\/api$/m.exec(output.stdout)?.[0] ?? '');
    const { headers } = await fetch(new URL('/healthz', address));
    expect(headers.has('server-timing')).toBe(isTold);
    child.kill('SIGTERM');
    await ended;
    folder.remove();
  });
});
