// More than can be served at once: who waits, who is refused, and who need not wait at all.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { onSqliteFile } from '../support/databases/grounds.ts';
import { holdWrites } from '../support/databases/hold.ts';
import { accessToken, type Context, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 60_000;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
let runs = 0;
const marked = (word: string): string => {
  runs += 1;
  return `${word} ${runs}`;
};

/** A create whose caller can leave. */
function creating(context: Context, name: string): Socket {
  const url = new URL(context.address);
  const body = JSON.stringify({ name });
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  const head = [
    'POST /api/genres HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${accessToken}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
/** As many connections as requests: who waits, waits in the service. */
const each = new Agent({ keepAlive: true });
afterAll(() => each.destroy());

interface Reply {
  readonly status: number;
  readonly text: string;
}

interface Asked {
  readonly sent?: object;
  readonly agent?: Agent;
}

const ask = (context: Context, path: string, { sent, agent = each }: Asked = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const method = sent === undefined ? 'GET' : 'POST';
    const asked = request(new URL(path, context.address), { method, agent, headers }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve({ status: response.statusCode ?? 0, text });
    });
    asked.once('error', reject).end(sent && JSON.stringify(sent));
  });

const probe = async (context: Context, path: string): Promise<number> => (await ask(context, path)).status;

onEveryDatabase('more than can be served', (context) => {
  let release: (() => Promise<void>) | undefined;
  const hold = async (): Promise<void> => {
    release = await holdWrites(context.databaseUrl, 'genre');
  };
  const letGo = async (): Promise<void> => {
    await release?.();
    release = undefined;
  };
  afterEach(letGo);

  test(
    'what callers who have left wanted is not done',
    async () => {
      const mark = marked('Left');
      await hold();
      const sockets = times(300, (n) => creating(context, `${mark} ${n}`));
      // All of them stand in line: those who are further back than the line is long are not there yet.
      await delay(600);
      for (const socket of sockets) socket.destroy();
      // Answers to others show that the service has looked at its sockets meanwhile.
      for (const _look of times(20, () => 0)) {
        await probe(context, '/healthz');
        await delay(20);
      }
      await letGo();
      expect((await context.call('POST', '/genres', { name: `${mark} stays` })).status).toBe(200);
      const made = (await context.all('genre')).filter(({ name }) => String(name).startsWith(mark));
      // Those that had begun when their callers left.
      expect(made.length).toBeLessThanOrEqual(64);
    },
    timeout,
  );

  test(
    'who waits too long is told that the service is overloaded, and probes wait for nobody',
    async () => {
      const mark = marked('Late');
      await hold();
      const answers = times(150, (n) => ask(context, '/api/genres', { sent: { name: `${mark} ${n}` } }));
      await delay(300);
      const probes = [];
      for (const _look of times(10, () => 0)) {
        probes.push(await probe(context, '/healthz'), await probe(context, '/readyz'));
        await delay(100);
      }
      expect(new Set(probes)).toEqual(new Set([200]));
      await delay(3500);
      await letGo();
      const found = await Promise.all(answers);
      const texts = found.filter(({ status }) => status === 503).map(({ text }) => text);
      expect(found.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(texts).toContain('{"status":503,"message":"The service is overloaded."}');
      // Nothing of what was refused is done, and all that was acknowledged is.
      const made = (await context.all('genre')).filter(({ name }) => String(name).startsWith(mark));
      expect(made).toHaveLength(found.filter(({ status }) => status === 200).length);
    },
    timeout,
  );

  test(
    'a read beside many writes is answered before most of them',
    async () => {
      const mark = marked('Many');
      const own = new Agent({ keepAlive: true });
      await ask(context, '/api/genres', { agent: own });
      await hold();
      let answered = 0;
      const writes = times(500, async (n) => {
        const { status } = await ask(context, '/api/genres', { sent: { name: `${mark} ${n}` } });
        answered += 1;
        return status;
      });
      // All of them are there before the first can begin.
      await delay(1000);
      await letGo();
      const { status } = await ask(context, '/api/genres', { agent: own });
      const before = answered;
      own.destroy();
      expect(new Set(await Promise.all(writes))).toEqual(new Set([200]));
      expect(status).toBe(200);
      expect(before).toBeLessThan(250);
    },
    timeout,
  );

  test(
    'reads go on while somebody else holds the lock of the writes',
    async () => {
      await hold();
      const writes = times(15, (n) => ask(context, '/api/genres', { sent: { name: `${marked('Held')} ${n}` } }));
      let reads = 0;
      const end = performance.now() + 1000;
      while (performance.now() < end) {
        expect((await ask(context, '/api/genres')).status).toBe(200);
        reads += 1;
      }
      await letGo();
      await Promise.all(writes);
      // Waiting in the driver, for a quarter of a second at a time, four would be answered.
      expect(reads).toBeGreaterThan(context.isServer ? 0 : 10);
    },
    timeout,
  );
});

describe('writes of an embedded database', () => {
  /** Commits in a write-ahead log: its frames that tell the size of the database (SQLite file format, section 4.1). */
  function commitsOf(file: string): number {
    const log = readFileSync(`${file}-wal`);
    const pageSize = log.readUInt32BE(8);
    const salt = log.subarray(16, 24);
    let commits = 0;
    for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize) {
      const isOfThisLog = log.subarray(at + 8, at + 16).equals(salt);
      if (isOfThisLog && log.readUInt32BE(at + 4) > 0) commits += 1;
    }
    return commits;
  }

  const fileOf = async (database: Awaited<ReturnType<typeof openDatabase>>): Promise<string> =>
    String((await database.all('pragma database_list', []))[0]?.[2]);

  test('are on disk when they are acknowledged, unless the address says otherwise', async () => {
    const { database, close } = await onSqliteFile();
    const mode = (opened: typeof database) => opened.transact((session) => session.all('pragma synchronous', []));
    expect(await mode(database)).toEqual([[2]]);
    const file = await fileOf(database);
    const other = await openDatabase(`sqlite:${file}?synchronous=normal`);
    expect(await mode(other)).toEqual([[1]]);
    await other.close();
    await expect(openDatabase(`sqlite:${file}?synchronous=off`)).rejects.toThrow('must be one of: full, normal');
    await expect(openDatabase(`sqlite:${file}?sync=full`)).rejects.toThrow("Unknown option 'sync'");
    await close();
  });

  test('share commits when they come together, and each is all or nothing', async () => {
    const { database, unit, close } = await onSqliteFile();
    await database.script(['create table t (n integer primary key) strict']);
    const file = await fileOf(database);
    const before = commitsOf(file);
    const outcomes = await Promise.allSettled(
      times(200, (n) =>
        unit.transact(async (session) => {
          await session.run('insert into t values (?)', [n]);
          if (n % 10 === 3) throw new Error('changed its mind');
          if (n % 10 === 4) await session.run('insert into t values (?)', [n - 2]);
          await session.run('insert into t values (?)', [1000 + n]);
        }),
      ),
    );
    const failed = outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n % 10] : []));
    expect(failed).toHaveLength(40);
    expect(new Set(failed)).toEqual(new Set([3, 4]));
    const rows = (await database.all('select n from t order by n', [])).map(([n]) => Number(n));
    const done = times(200, (n) => n).filter((n) => n % 10 !== 3 && n % 10 !== 4);
    expect(rows).toEqual([...done, ...done.map((n) => 1000 + n)]);
    expect(commitsOf(file) - before).toBeLessThan(100);
    await close();
  });

  test('are done by themselves when one spoils the commit that they would share', async () => {
    const { database, unit, close } = await onSqliteFile();
    await database.script([
      'create table p (id integer primary key) strict',
      'create table c (p integer references p (id) deferrable initially deferred) strict',
      'insert into p values (1)',
    ]);
    const outcomes = await Promise.allSettled(
      [1, 2, 1].map((p) => unit.transact((session) => session.run('insert into c values (?)', [p]))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await database.all('select p from c', [])).toEqual([[1], [1]]);
    await close();
  });
});
