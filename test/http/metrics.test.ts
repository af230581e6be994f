// What /metrics tells of requests, the database, lines and the process.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { textOf } from '../support/browser/guides.ts';
import { servers } from '../support/databases/databases.ts';
import { holdWrites } from '../support/databases/hold.ts';
import { createProxy } from '../support/databases/proxy.ts';
import { onEachDatabase, type Seen, startSeen } from '../support/service/seen.ts';

/** What a client of MariaDB sends to have a prepared statement carried out, behind length and number of the packet. */
const comStmtExecute = 0x17;

/** A sample by its name and labels, as the text has them: `praxis_queue_length{queue="turn"}`. */
type Samples = ReadonlyMap<string, number>;

async function samplesOf({ ask }: Seen): Promise<Samples> {
  const { status, headers, text } = await ask('GET', '/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, sample = '', value = ''] = /^(praxis_[a-z_]+(?:\{[^{}]*\})?) (\S+)$/.exec(line) ?? expect.fail(line);
        return [sample, Number(value)];
      }),
  );
}

const requests = (group: string, operation: string, status: number): string =>
  `praxis_requests_total{group="${group}",operation="${operation}",status="${status}"}`;
const endpoint = (name: string, group: string, operation: string): string =>
  `${name}{group="${group}",operation="${operation}"}`;

onEachDatabase('metrics', (open) => {
  let seen: Seen;
  let url = '';
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const ground = await open();
    url = ground.url;
    seen = await startSeen(url, { rateLimit: { requests: 100_000, seconds: 3600 } });
    closing.push(seen.stop, ground.close);
  }, 60_000);
  afterAll(async () => {
    for (const close of closing) await close();
  }, 30_000);

  /** By how much samples grow while something is done. */
  const growth = async (work: () => Promise<unknown>): Promise<(sample: string) => number> => {
    const before = await samplesOf(seen);
    await work();
    const after = await samplesOf(seen);
    return (sample) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
  };

  test('needs a token, and is read alone', async () => {
    for (const token of ['', 'not-a-token-that-anybody-has']) {
      const answer = await seen.ask('GET', '/metrics', { token });
      expect([answer.status, answer.headers.get('www-authenticate')?.slice(0, 6)]).toEqual([401, 'Bearer']);
      expect(answer.text).not.toContain('praxis_');
    }
    const posted = await seen.ask('POST', '/metrics');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await seen.ask('GET', '/api/metrics')).status).toBe(404);
    const head = await seen.ask('HEAD', '/metrics');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('counts batches that are repeated with care, and tells of each in a debug line', async () => {
    const missing = '/labels/01890000-0000-7000-8000-000000000000';
    const batch = (path: string) => async () => {
      const operations = [
        { method: 'POST', path: '/labels', body: { name: `Of ${path.slice(-4)}` } },
        { method: 'PATCH', path, body: { name: 'Changed' } },
      ];
      const { status, text } = await seen.ask('POST', '/api/batch', { body: { atomic: false, operations } });
      expect([status, text]).toEqual([200, expect.any(String)]);
    };
    const made = await seen.ask('POST', '/api/labels', { body: { name: 'Pulp' } });
    const sample = 'praxis_batch_second_passes_total';
    expect((await growth(batch(`/labels/${JSON.parse(made.text).id}`)))(sample)).toBe(0);
    expect((await growth(batch(missing)))(sample)).toBe(1);
    const lines = seen.log().filter(({ msg }) => msg === 'batch repeated step by step');
    expect(lines).toEqual([expect.objectContaining({ level: 20, operations: 2 })]);
  });

  test('counts requests by group, operation and status, with their times and those of the database', async () => {
    const grown = await growth(async () => {
      const { text } = await seen.ask('POST', '/api/genres', { body: { name: 'Almanacs' } });
      const path = `/api/genres/${JSON.parse(text).id}`;
      const label = await seen.ask('POST', '/api/labels', { body: { name: 'Red' } });
      const labelPath = `/api/labels/${JSON.parse(label.text).id}`;
      await seen.ask('POST', '/api/genres', { body: { name: 'Almanacs' } });
      for (let nth = 0; nth < 3; nth += 1) await seen.ask('GET', path);
      await seen.ask('GET', '/api/genres?limit=0');
      await seen.ask('HEAD', '/api/genres');
      await seen.ask('DELETE', labelPath);
      await seen.ask('DELETE', labelPath);
    });
    expect(grown(requests('genre', 'create', 200))).toBe(1);
    expect(grown(requests('genre', 'create', 409))).toBe(1);
    expect(grown(requests('genre', 'get', 200))).toBe(3);
    expect(grown(requests('genre', 'list', 400))).toBe(1);
    expect(grown(requests('genre', 'list', 200))).toBe(1);
    expect(grown(requests('label', 'delete', 204))).toBe(1);
    expect(grown(requests('label', 'delete', 404))).toBe(1);
    expect(grown(endpoint('praxis_request_duration_seconds_count', 'genre', 'get'))).toBe(3);
    for (const [group, operation] of [
      ['genre', 'create'],
      ['genre', 'get'],
      ['label', 'delete'],
    ] as const) {
      const all = grown(endpoint('praxis_request_duration_seconds_sum', group, operation));
      const ofDatabase = grown(endpoint('praxis_request_database_seconds_total', group, operation));
      expect(ofDatabase, operation).toBeGreaterThan(0);
      expect(ofDatabase, operation).toBeLessThanOrEqual(all);
    }
    expect(grown('praxis_unit_duration_seconds_count{unit="read"}')).toBeGreaterThanOrEqual(4);
    const written = ['write', 'transaction'].map((unit) => grown(`praxis_unit_duration_seconds_count{unit="${unit}"}`));
    expect(Math.max(...written)).toBeGreaterThan(0);
    // Those of /metrics are requests too: the first is counted in the second.
    expect(grown('praxis_request_wait_seconds_count')).toBe(11);
  });

  test('counts what is no endpoint under names that callers cannot make up', async () => {
    const before = await samplesOf(seen);
    const grown = await growth(async () => {
      for (let nth = 0; nth < 50; nth += 1) {
        await seen.ask('GET', `/api/made-up-${nth}`);
        await seen.ask('GET', `/made-up-${nth}`);
        await seen.ask('GET', `/api/genres/${nth}/more`);
      }
      await seen.ask('GET', '/readyz');
      await seen.ask('POST', '/api/batch', { body: { operations: [{ method: 'GET', path: '/genres' }] } });
      await seen.ask('GET', '/api/genres', { token: '' });
      await seen.ask('PUT', '/api/genres');
    });
    expect(grown(requests('', 'none', 404))).toBe(150);
    expect(grown(requests('', 'none', 401))).toBe(1);
    expect(grown(requests('', 'none', 405))).toBe(1);
    expect(grown(requests('', 'open', 200))).toBe(2);
    expect(grown(requests('', 'batch', 200))).toBe(1);
    expect(grown(endpoint('praxis_request_database_seconds_total', '', 'batch'))).toBeGreaterThan(0);
    const names = [...(await samplesOf(seen)).keys()].filter((name) => !before.has(name));
    expect(names.filter((name) => !/operation="(?:none|batch)"/.test(name))).toEqual([]);
  });

  test('counts refusals by their cause', async () => {
    const grown = await growth(async () => {
      await seen.ask('GET', '/api/genres', { token: '' });
      await seen.ask('GET', '/api/genres?limit=0');
      await seen.ask('POST', '/api/genres', { body: { nothing: 1 } });
      await seen.ask('POST', '/api/genres', { body: { nothing: 1 } });
      await seen.ask('GET', '/api/nowhere');
    });
    const of = (cause: string): number => grown(`praxis_refusals_total{cause="${cause}"}`);
    expect(['token-missing', 'parameter-invalid', 'body-invalid', 'path-unknown', 'unforeseen'].map(of)).toEqual([
      1, 1, 2, 1, 0,
    ]);
  });

  test('shows who waits and how long while nobody can write, and what is begun again', async () => {
    const release = await holdWrites(url, 'genre');
    const writes = Array.from({ length: 60 }, (_value, nth) =>
      seen.ask('POST', '/api/genres', { body: { name: `Held ${nth}` } }),
    );
    // A lock of the whole database is a conflict; that of a table is waited for by the server itself.
    const conflicts = url.startsWith('sqlite:') ? 1 : 0;
    let held = await samplesOf(seen);
    const isHeld = async (): Promise<boolean> => {
      held = await samplesOf(seen);
      const oldest = held.get('praxis_queue_oldest_seconds{queue="write"}') ?? 0;
      return oldest > 0.5 && (held.get('praxis_retries_total{cause="conflict"}') ?? 0) >= conflicts;
    };
    await expect.poll(isHeld, { timeout: 10_000 }).toBe(true);
    await release();
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([200]));
    const free = await samplesOf(seen);
    expect(held.get('praxis_queue_length{queue="write"}')).toBeGreaterThan(10);
    expect(held.get('praxis_database_connections{state="busy"}')).toBeGreaterThan(0);
    expect(held.get('praxis_connections')).toBeGreaterThan(50);
    for (const queue of ['turn', 'read', 'write', 'connection', 'alone']) {
      expect(free.get(`praxis_queue_length{queue="${queue}"}`), queue).toBe(0);
      expect(free.get(`praxis_queue_oldest_seconds{queue="${queue}"}`), queue).toBe(0);
    }
    expect(free.get('praxis_database_connections{state="busy"}')).toBe(0);
    expect(free.get('praxis_request_wait_seconds_sum')).toBeGreaterThan(1);
  }, 30_000);

  test('tells of connections, prepared statements, the event loop and the process', async () => {
    const before = await samplesOf(seen);
    const until = performance.now() + 200;
    while (performance.now() < until);
    const samples = await samplesOf(seen);
    const of = (name: string): number => samples.get(name) ?? Number.NaN;
    expect(of('praxis_prepared_statements')).toBeGreaterThan(0);
    expect(of('praxis_database_connections{state="open"}')).toBeGreaterThan(0);
    expect(of('praxis_database_connections{state="open"}')).toBeLessThanOrEqual(
      of('praxis_database_connections{state="limit"}'),
    );
    const late = (samples: Samples): number =>
      (samples.get('praxis_event_loop_delay_seconds_count') ?? 0) -
      (samples.get('praxis_event_loop_delay_seconds_bucket{le="0.1"}') ?? 0);
    expect(late(samples) - late(before)).toBeGreaterThanOrEqual(1);
    const busy = (samples: Samples): number => samples.get('praxis_event_loop_busy_seconds_total') ?? Number.NaN;
    expect(busy(samples) - busy(before)).toBeGreaterThan(0.15);
    expect(of('praxis_process_cpu_seconds_total')).toBeGreaterThan(
      before.get('praxis_process_cpu_seconds_total') ?? Number.NaN,
    );
    expect(of('praxis_memory_bytes{kind="resident"}')).toBeGreaterThan(of('praxis_memory_bytes{kind="heap_used"}'));
    expect(Date.now() / 1000 - of('praxis_start_time_seconds')).toBeLessThan(3600);
    expect([...samples.keys()].filter((name) => name.startsWith('praxis_info'))).toHaveLength(1);
  });

  test('has histograms that add up', async () => {
    const samples = await samplesOf(seen);
    const counts = [...samples].filter(([name]) => /_seconds_count(?:\{|$)/.test(name));
    expect(counts.length).toBeGreaterThan(5);
    for (const [name, count] of counts) {
      const [bare = '', labels = ''] = name.replace('_count', '_bucket').replace('}', '').split('{');
      const start = `${bare}{${labels === '' ? '' : `${labels},`}le="`;
      const buckets = [...samples].filter(([each]) => each.startsWith(start)).map(([, value]) => value);
      expect(buckets, name).toEqual(buckets.toSorted((one, other) => one - other));
      expect(buckets.at(-1), name).toBe(count);
    }
  });

  /** What services have where there is a log of changes, where something hangs on the day, and where people sign in. */
  const elsewhere = [
    ...['praxis_change_streams', 'praxis_changes_head', 'praxis_changes_kept', 'praxis_changes_unordered'],
    ...['praxis_webhook_lag', 'praxis_webhook_tries_total'],
    'praxis_day_ahead',
    'praxis_day_behind',
    'praxis_day_refused_total',
    'praxis_password_hashes_total',
    // Of a service that writes its log itself.
    'praxis_log_lines_dropped_total',
  ];

  test('is told of in its guide, each by its name', async () => {
    const { text } = await seen.ask('GET', '/metrics');
    const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    const told = [...textOf('metrics').matchAll(/`(praxis_[a-z_]+)(?:\{[a-z, ]+\})?`/g)].map(([, name]) => name);
    expect(told.toSorted()).toEqual([...names, ...elsewhere].toSorted());
  });
});

describe.each(servers)('a server behind a connection that breaks ($name)', ({ isThere, open }) => {
  test.skipIf(!isThere)(
    'is told of: outcomes that nobody knows, and what was begun again',
    async () => {
      const made = await open('praxis_unknown');
      const target = new URL(made.url);
      const proxy = await createProxy(target.hostname, Number(target.port || 3306));
      target.port = String(proxy.port);
      const seen = await startSeen(target.href);
      onTestFinished(async () => {
        await seen.stop();
        await proxy.stop();
        await made.drop();
      });
      const before = await samplesOf(seen);
      proxy.set((data, to, client) => {
        if (data.includes('Lost')) client.destroy();
        else to.write(data);
      });
      const lost = await seen.ask('POST', '/api/genres', { body: { name: 'Lost' } });
      proxy.set();
      expect(lost.status).toBe(503);
      const after = await samplesOf(seen);
      const grown = (sample: string): number => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
      const isUnknown = lost.text.includes('outcome of the request is unknown');
      expect(isUnknown).toBe(true);
      expect(grown('praxis_unknown_outcomes_total')).toBe(1);
      expect(grown('praxis_refusals_total{cause="outcome-unknown"}')).toBe(1);
      expect(grown(requests('genre', 'create', 503))).toBe(1);
      // A read whose connection has died goes again on another one.
      let isCut = false;
      proxy.set((data, to, client) => {
        if (!isCut && data[4] === comStmtExecute) {
          isCut = true;
          client.destroy();
        } else to.write(data);
      });
      expect((await seen.ask('GET', '/api/genres')).status).toBe(200);
      expect((await samplesOf(seen)).get('praxis_retries_total{cause="reconnect"}')).toBeGreaterThan(0);
    },
    60_000,
  );
});
