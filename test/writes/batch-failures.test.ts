// What nobody has foreseen in the middle of a batch whose operations stand for themselves: each has its own answer, and what is
// committed by then is never hidden behind the failure.
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { CommitError } from '../../src/storage/schema/error-kinds.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { onEachDatabase } from '../support/service/seen.ts';
import { serveOn } from '../support/service/serve-on.ts';

const unforeseen = { status: 500, body: { status: 500, message: 'Something went wrong.' } };
const notDone = {
  status: 503,
  body: { status: 503, message: 'An operation before this one has failed, and this one was not done.' },
};
const message = 'The database went away while saving; the outcome of the request is unknown.';
const unknown = { status: 503, body: { status: 503, message } };

/** Happens to the transaction of a statement that is given a text. */
interface Accident {
  readonly text: string;
  /** At that statement, when all else of the transaction is done, or when it may be committed already. */
  readonly when: 'statement' | 'end' | 'commit';
}

/** The same database, on which something goes wrong, and which takes its time over every question for a pause. */
function unreliable(database: Database, { text, when }: Accident): Database {
  const transact: Database['transact'] = async (work, terms) => {
    let isMeant = false;
    const done = await database.transact(async ({ all, run }) => {
      const session: Session = {
        all: async (sql, values) => {
          if (values.some((value) => String(value).includes(pause))) await delay(60);
          return all(sql, values);
        },
        run: async (sql, values) => {
          isMeant ||= values.includes(text);
          if (when === 'statement' && values.includes(text)) throw new TypeError(`nobody has thought of ${text}`);
          return run(sql, values);
        },
      };
      const result = await work(session);
      if (isMeant && when === 'end') throw new TypeError(`nobody has thought of ${text}`);
      return result;
    }, terms);
    if (isMeant && when === 'commit') throw new CommitError(new Error('connection lost'));
    return done;
  };
  return { ...database, transact };
}

interface Answer {
  readonly status: number;
  readonly body: { readonly name?: string };
}

/** Longer than a portion takes in operations: it ends behind it. */
const pause = 'pause';
const names = Array.from({ length: 300 }, (_value, n) => `Genre ${n}`);
/** Portions end behind the hundredth and the two hundredth at the latest. */
const operations = names.map((name, n) =>
  n === 100 || n === 200
    ? { method: 'GET', path: `/genres?name=${pause}` }
    : { method: 'POST', path: '/genres', body: { name } },
);

onEachDatabase('a batch in which something goes wrong', (open) => {
  const lines: string[] = [];
  const start = async (accident: Accident) => {
    const { url, close } = await open();
    const database = unreliable(await openDatabase(url), accident);
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    onTestFinished(close);
    const ask = await serveOn(database, { logger });
    return async (method: string, path: string, body?: unknown) => {
      const { status, headers, text } = await ask(method, path, body);
      const answer = JSON.parse(text) as { readonly results: readonly Answer[] };
      return { status, body: answer, id: headers.get('x-request-id') };
    };
  };
  /** Which of them are there, as far as they have been created. */
  const countThere = async (ask: Awaited<ReturnType<typeof start>>, among: readonly string[]): Promise<number> => {
    let count = 0;
    for (const name of among)
      count += (await ask('GET', `/genres?name=${encodeURIComponent(name)}`)).body.results.length;
    return count;
  };

  test.each([
    ['in a later portion', 150],
    ['among the first', 3],
  ])('answers what is done before it, what has failed, and what is not done behind it: %s', async (_place, place) => {
    const ask = await start({ text: `Genre ${place}`, when: 'statement' });
    const { status, body, id } = await ask('POST', '/batch', { atomic: false, operations });
    const { results } = body;
    expect([status, results.length]).toEqual([200, 300]);
    const [before, behind] = [results.slice(0, place), results.slice(place + 1)];
    expect(before.map((each) => each.status)).toEqual(before.map(() => 200));
    expect(before[2]?.body.name).toBe('Genre 2');
    expect(results[place]).toEqual(unforeseen);
    expect(behind).toEqual(behind.map(() => notDone));
    expect(await countThere(ask, names.slice(place - 3, place))).toBe(3);
    expect(await countThere(ask, names.slice(place, place + 3))).toBe(0);
    expect(lines.find((line) => line.includes(String(id)))).toContain(`nobody has thought of Genre ${place}`);
  });

  test('nothing is done of one that is a whole', async () => {
    const ask = await start({ text: 'Genre 150', when: 'statement' });
    expect(await ask('POST', '/batch', { operations })).toMatchObject(unforeseen);
    expect(await countThere(ask, names.slice(0, 3))).toBe(0);
  });

  test('of a portion that comes to nothing as a whole, its first operation tells of it', async () => {
    const ask = await start({ text: 'Genre 150', when: 'end' });
    const { status, body } = await ask('POST', '/batch', { atomic: false, operations });
    const { results } = body;
    expect([status, results.length]).toEqual([200, 300]);
    const first = results.findIndex((each) => each.status !== 200);
    expect([first > 100, first <= 150]).toEqual([true, true]);
    expect(results[first]).toEqual(unforeseen);
    expect(results.slice(first + 1)).toEqual(results.slice(first + 1).map(() => notDone));
    expect(await countThere(ask, names.slice(97, 100))).toBe(3);
    expect(await countThere(ask, names.slice(first, first + 3))).toBe(0);
    expect(lines.join('')).toContain('nobody has thought of Genre 150');
  });

  test('tells what nobody knows of from what was never begun', async () => {
    const ask = await start({ text: 'Genre 150', when: 'commit' });
    const { status, body } = await ask('POST', '/batch', { atomic: false, operations });
    const { results } = body;
    expect([status, results.length]).toEqual([200, 300]);
    const isUnknown = (each: Answer): boolean => JSON.stringify(each) === JSON.stringify(unknown);
    const [first, last] = [results.findIndex(isUnknown), results.findLastIndex(isUnknown)];
    expect(first).toBeGreaterThan(100);
    expect(last).toBeLessThanOrEqual(200);
    expect([first <= 150, last >= 150]).toEqual([true, true]);
    expect(results.slice(0, first).map((each) => each.status)).toEqual(results.slice(0, first).map(() => 200));
    expect(results.slice(first, last + 1)).toEqual(results.slice(first, last + 1).map(() => unknown));
    expect(results.slice(last + 1)).toEqual(results.slice(last + 1).map(() => notDone));
    expect(await countThere(ask, names.slice(97, 100))).toBe(3);
    expect(await countThere(ask, names.slice(201, 204))).toBe(0);
  });
});
