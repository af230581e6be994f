// Figures beside the five requests: how long a start takes, what a page costs deep in a table, and whether the number of
// groups is felt.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { clientId, fill, ownerId } from './data.ts';
import { fire } from './load.ts';
import { type Cell, median } from './report.ts';
import { ask, praxis, type Running, start, token } from './services.ts';

const startsEach = 3;

/** Median time of some starts on a database that is set up, and the memory of a process that has done nothing yet. */
export async function measureStart(
  databaseUrl: string,
  folder: string,
  env: Record<string, string> = {},
): Promise<Cell[]> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let nth = 0; nth < startsEach; nth += 1) {
    const service = await start({ name: 'start', command: praxis, databaseUrl, folder, env });
    times.push(service.startMs);
    memory.push(service.residentMib() ?? Number.NaN);
    await service.stop();
  }
  return [Math.round(median(times)), Math.round(median(memory))];
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

/** Start, memory and the time of a request with many groups, on SQLite: copies of one small descriptor. */
export async function measureGroups(groups: number, folder: string, seconds: number): Promise<Cell[]> {
  const resources = join(folder, `groups-${groups}`);
  mkdirSync(resources);
  for (let number = 1; number <= groups; number += 1) {
    writeFileSync(join(resources, `part${number}.json`), JSON.stringify(partDescriptor(number)));
  }
  const databaseUrl = `sqlite:${join(folder, `groups-${groups}.sqlite`)}`;
  const env = { RESOURCES: resources };
  const first = await start({ name: 'groups set-up', command: praxis, databaseUrl, folder, env });
  await first.stop();
  const [startMs, residentMib] = await measureStart(databaseUrl, folder, env);
  const service = await start({ name: 'groups', command: praxis, databaseUrl, folder, env });
  const path = `/parts${groups}`;
  const { body } = await ask(service.address, path, { method: 'POST', body: JSON.stringify({ name: 'One' }) });
  const { id } = body as { id: string };
  const timeOf = async (target: string): Promise<string> => {
    const work = { name: target, requests: () => [{ method: 'GET' as const, path: `/api${target}` }] };
    const options = { address: service.address, work, round: { clients: 0, mark: '' }, connections: 1 };
    await fire({ ...options, seconds });
    return (1000 / (await fire({ ...options, seconds })).perSecond).toFixed(3);
  };
  const row = [groups, startMs, residentMib, await timeOf(`${path}/${id}`), await timeOf(path)];
  await service.stop();
  return row;
}

const partDescriptor = (number: number): object => ({
  $schema: '../src/registry/dialect.json',
  title: `Part ${number}`,
  description: 'A part.',
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 255, filter: 'exact', description: 'Name' },
    isActive: { type: 'boolean', default: true, description: 'Active flag' },
    createdAt: true,
  },
  required: ['name'],
  resource: {
    path: `/parts${number}`,
    area: 'Parts',
    shownAs: '{name}',
    operations: ['list', 'get', 'create', 'update', 'delete'],
    unique: [['name']],
  },
});
