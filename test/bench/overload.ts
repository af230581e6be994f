// Four times as many callers as a service can bear: how much of what it could do it still does, how soon the others are
// told, and whether those who only ask how it is are answered meanwhile.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import autocannon, { type Request } from 'autocannon';
import { creating } from './load.ts';
import type { Cell } from './report.ts';
import { ask, type Running, token } from './services.ts';
import { type Lane, makeLane } from './write-data.ts';

/** Callers who send without a pause, and so keep a service at its limit. */
const bearable = 400;
const times = 4;

export const overloadHeads = [
  'at once',
  'borne /s',
  'then /s',
  'kept',
  'refused',
  'refused p50, p99 ms',
  'probes p99, max ms',
];

interface Shot {
  readonly perSecond: number;
  readonly refused: number;
  readonly refusedMs: readonly number[];
  readonly failed: number;
}

/** Rows of a table: for each kind of request what is borne, and what is left of it under four times that. */
export async function measureOverload({ address }: Running, seconds: number): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const [name, requests] of Object.entries(await worksOf(address))) {
    await fire(address, requests, { connections: 50, seconds: seconds / 4 });
    const borne = await fire(address, requests, { connections: bearable, seconds });
    await delay(3000);
    const probe = new Worker(new URL('./probe.ts', import.meta.url), {
      workerData: { address, paths: ['/healthz', '/readyz'] },
    });
    const under = await fire(address, requests, { connections: bearable * times, seconds: seconds * 2 });
    probe.postMessage('over');
    const [waits] = (await once(probe, 'message')) as [number[]];
    await delay(3000);
    rows.push([
      name,
      Math.round(borne.perSecond),
      Math.round(under.perSecond),
      (under.perSecond / borne.perSecond).toFixed(2),
      `${under.refused}${under.failed > 0 ? `, FAILED ${under.failed}` : ''}`,
      `${at(under.refusedMs, 0.5)}, ${at(under.refusedMs, 0.99)}`,
      `${at(waits, 0.99)}, ${at(waits, 1)}`,
    ]);
  }
  return rows;
}

const at = (values: readonly number[], part: number): string =>
  values
    .toSorted((one, other) => one - other)
    .at(Math.min(values.length - 1, Math.floor(values.length * part)))
    ?.toFixed(0) ?? '-';

/** Requests by what they are: reads, and writes that need many statements. */
async function worksOf(address: string): Promise<Record<string, readonly Request[]>> {
  const clients = await list(address, '/clients');
  const lanes = [];
  for (let nth = 0; nth < laneCount; nth += 1) lanes.push(await makeLane(address, nth));
  return {
    get: clients.map(({ id }) => ({ method: 'GET', path: `/api/clients/${String(id)}` })),
    'list of 100': [{ method: 'GET', path: '/api/clients?limit=100' }],
    'create time entry': [creatingEntries(lanes)],
  };
}

const laneCount = 8;
const days = 2500;

/** Creates that can never be too many: each of another member and day than the last ones, and of one minute. */
function creatingEntries(lanes: readonly Omit<Lane, 'billable'>[]): Request {
  const places = lanes.flatMap(({ projectId, roleId, taskIds, seats }) =>
    seats.flatMap(({ memberId }) =>
      taskIds.map((taskId) => ({ memberId, projectId, projectRoleId: roleId, taskId, minutes: 1 })),
    ),
  );
  let count = 0;
  return creating('/time-entries', () => {
    count += 1;
    const date = new Date(Date.UTC(2026, 1, 2 + (Math.floor(count / places.length) % days)));
    return { ...places[count % places.length], date: date.toISOString().slice(0, 10) };
  });
}

async function list(address: string, path: string): Promise<Record<string, unknown>[]> {
  const { body } = await ask(address, `${path}?limit=100`);
  return (body as { results: Record<string, unknown>[] }).results;
}

async function fire(
  url: string,
  requests: readonly Request[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Shot> {
  let answered = 0;
  let refused = 0;
  const others = new Map<number, number>();
  const refusedMs: number[] = [];
  let startedAt = 0;
  let endedAt = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const instance = autocannon(
      { url, connections, duration: seconds, headers, requests: [...requests], timeout: 20 },
      (error: Error | null, done: autocannon.Result) => (error ? reject(error) : resolve(done)),
    );
    instance.on('response', (_client, status, _bytes, ms) => {
      endedAt = performance.now();
      startedAt ||= endedAt;
      if (status === 200) answered += 1;
      else if (status === 503) {
        refused += 1;
        refusedMs.push(ms);
      } else others.set(status, (others.get(status) ?? 0) + 1);
    });
  });
  if (others.size > 0) throw new Error(`statuses ${JSON.stringify([...others])} where 200 or 503 is due`);
  const perSecond = answered / ((endedAt - startedAt) / 1000);
  return { perSecond, refused, refusedMs, failed: result.errors };
}
