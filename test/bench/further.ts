// Figures beside the five requests: how long a start takes, and what a page costs deep in a table.
import { Agent, get } from 'node:http';
import { clientId, fill, ownerId } from './data.ts';
import { type Cell, median } from './report.ts';
import { praxis, type Running, start, token } from './services.ts';

/** Starts of each kind; the median counts. */
const startsEach = 5;

interface StartOptions {
  readonly folder: string;
  /** A database whose second start is a usual one. */
  readonly databaseUrl: string;
  /** Makes an empty one. */
  readonly makeEmpty: () => Promise<string>;
}

/** Time until a start is ready, on an empty database and on one that is set up, and the memory of a process that has done nothing yet. */
export async function measureStart({ folder, databaseUrl, makeEmpty }: StartOptions): Promise<Cell[]> {
  const empty: number[] = [];
  const existing: number[] = [];
  const memory: number[] = [];
  // Whatever was there before, now it is set up.
  await (await start({ name: 'start', command: praxis, databaseUrl, folder })).stop();
  for (let nth = 0; nth < startsEach; nth += 1) {
    const first = await start({ name: 'first start', command: praxis, databaseUrl: await makeEmpty(), folder });
    empty.push(first.startMs);
    await first.stop();
    const service = await start({ name: 'start', command: praxis, databaseUrl, folder });
    existing.push(service.startMs);
    memory.push(service.residentMib() ?? Number.NaN);
    await service.stop();
  }
  return [empty, existing, memory].map((values) => Math.round(median(values)));
}

const depths = [1, 10_000, 900_000] as const;
const looksEach = 31;
const agent = new Agent({ keepAlive: true });

/** Time of a page of 100 at several depths of a large table, without and with a filter. Ratios are to the first page. */
export async function measureDepth(databaseUrl: string, folder: string, rows: number): Promise<Cell[][]> {
  const first = await start({ name: 'depth set-up', command: praxis, databaseUrl, folder });
  await first.stop();
  await fill(databaseUrl, { clients: rows, isLean: true });
  const service = await start({ name: 'depth', command: praxis, databaseUrl, folder });
  const table: Cell[][] = [];
  for (const filter of ['', `&ownerId=${ownerId()}`]) {
    const places = depths.map((depth) => Math.min(depth, Math.floor(rows * 0.9)));
    const paths = places.map(
      (place) => `/api/clients?limit=100${filter}${place === 1 ? '' : `&startingAfter=${clientId(place)}`}`,
    );
    const times = await lookInTurns(service, paths);
    const base = times[0] ?? Number.NaN;
    for (const [index, ms] of times.entries()) {
      const ratio = ms / base;
      table.push([
        filter === '' ? 'all' : 'of one owner',
        places[index],
        ms.toFixed(2),
        ratio.toFixed(2),
        '1.30',
        ratio <= 1.3 ? 'met' : 'MISSED',
      ]);
    }
  }
  await service.stop();
  return table;
}

/** Median time of each path, one request at a time; the paths take turns, so that noise meets all of them. */
async function lookInTurns({ address }: Running, paths: readonly string[]): Promise<number[]> {
  const times = paths.map((): number[] => []);
  for (let turn = -5; turn < looksEach; turn += 1) {
    for (const [index, path] of paths.entries()) {
      const ms = await look(`${address}${path}`);
      if (turn >= 0) times[index]?.push(ms);
    }
  }
  return times.map(median);
}

function look(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedAt));
    });
    request.once('error', reject);
  });
}
