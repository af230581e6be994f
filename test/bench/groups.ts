// Whether the number of groups is felt: copies of one small descriptor on SQLite, few and many side by side. A start and
// memory may grow with them; finding the route of a request and answering it may not.
import { mkdirSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';
import { Timings } from '../../src/admission/deadline.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Exchange, HttpContext } from '../../src/http/request/context.ts';
import { createRouter } from '../../src/http/router.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { fire } from './load.ts';
import { type Cell, median } from './report.ts';
import { ask, praxis, type Running, start } from './services.ts';

/** Few, as many as the product has, and many. */
const sizes = [8, 82, 500] as const;
const lookups = 200_000;
const pathsEach = 1000;

/** A get of one group over and over, and of all groups in turn: until the answer is there, and processor time of the service. */
const getHeads = ['get µs', 'cpu µs', 'all in turn µs', 'cpu µs'];
export const groupHeads = ['groups', 'ready ms', 'cpu ms', 'RSS MiB', 'heap MiB', 'route µs', ...getHeads];

const noFigures = () => ({
  startMs: [],
  startCpuMs: [],
  residentMib: [],
  heapMib: [],
  routeUs: [],
  getUs: [],
  getCpuUs: [],
  turnsUs: [],
  turnsCpuUs: [],
});
type Figure = keyof ReturnType<typeof noFigures>;

interface GroupsOptions {
  readonly folder: string;
  readonly rounds: number;
  /** Of one shot of requests. */
  readonly seconds: number;
}

/** One number of groups: its descriptors, its database with a record in each group, and what was measured. */
interface Subject {
  readonly size: number;
  readonly resources: string;
  readonly databaseUrl: string;
  /** Paths of the records, group by group. */
  readonly paths: readonly string[];
  readonly route: () => Promise<number>;
  readonly found: Readonly<Record<Figure, number[]>>;
}

/** Medians of some rounds, in each of which the sizes take turns, for each size a row under `groupHeads`. */
export async function measureGroups({ folder, rounds, seconds }: GroupsOptions): Promise<Cell[][]> {
  const subjects: Subject[] = [];
  for (const size of sizes) subjects.push(await prepare(size, folder));
  await inTurns(subjects, rounds, async (subject, counts) => {
    const us = await subject.route();
    if (counts) subject.found.routeUs.push(us);
  });
  await inTurns(subjects, rounds, async (subject, counts) => {
    const plain = await launch(subject, folder);
    const [startCpuMs, residentMib] = [plain.cpuMs() ?? Number.NaN, plain.residentMib() ?? Number.NaN];
    await plain.stop();
    // Another process, so that what looks at the heap has no part in the time and the memory of the first.
    const watched = await launch(subject, folder, 'heap');
    const { heapMib } = await watched.memory();
    await watched.stop();
    if (!counts) return;
    subject.found.startMs.push(plain.startMs);
    subject.found.startCpuMs.push(startCpuMs);
    subject.found.residentMib.push(residentMib);
    subject.found.heapMib.push(heapMib);
  });
  await measureRequests(subjects, { folder, rounds, seconds });
  return subjects.map(({ size, found }) => [
    size,
    ...[found.startMs, found.startCpuMs, found.residentMib].map((values) => Math.round(median(values))),
    median(found.heapMib).toFixed(1),
    median(found.routeUs).toFixed(2),
    ...[found.getUs, found.getCpuUs, found.turnsUs, found.turnsCpuUs].map((values) => Math.round(median(values))),
  ]);
}

/** One connection that waits for each answer: of one group over and over, and of all groups in turn. */
async function measureRequests(
  subjects: readonly Subject[],
  { folder, rounds, seconds }: GroupsOptions,
): Promise<void> {
  const services = new Map<Subject, Running>();
  for (const subject of subjects) services.set(subject, await launch(subject, folder));
  await inTurns(subjects, rounds, async (subject, counts) => {
    const service = services.get(subject);
    if (service === undefined) return;
    const shoot = async (paths: readonly string[], us: Figure, cpuUs: Figure): Promise<void> => {
      const requests = paths.map((path) => ({ method: 'GET' as const, path: `/api${path}` }));
      const work = { name: `get of ${subject.size} groups`, requests: () => requests };
      const { address } = service;
      const before = service.cpuMs() ?? Number.NaN;
      const shot = await fire({ address, work, round: { clients: 0, mark: '' }, connections: 1, seconds });
      const cpuMs = (service.cpuMs() ?? Number.NaN) - before;
      if (!counts) return;
      subject.found[us].push(1_000_000 / shot.perSecond);
      subject.found[cpuUs].push((cpuMs * 1000) / shot.requests);
    };
    await shoot(subject.paths.slice(-1), 'getUs', 'getCpuUs');
    await shoot(subject.paths, 'turnsUs', 'turnsCpuUs');
  });
  for (const service of services.values()) await service.stop();
}

/** Every subject in every round, in an order that turns; a round before the first warms up and does not count. */
async function inTurns(
  subjects: readonly Subject[],
  rounds: number,
  act: (subject: Subject, counts: boolean) => Promise<void>,
): Promise<void> {
  for (let round = -1; round < rounds; round += 1) {
    const first = (round + 1) % subjects.length;
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)]) await act(subject, round >= 0);
  }
}

const launch = (
  { size, resources, databaseUrl }: Pick<Subject, 'size' | 'resources' | 'databaseUrl'>,
  folder: string,
  probe?: 'heap',
): Promise<Running> =>
  start({ name: `${size} groups`, command: praxis, databaseUrl, folder, env: { RESOURCES: resources }, probe });

/** Writes the descriptors, lets Praxis make the tables, and makes a record in each group. */
async function prepare(size: number, folder: string): Promise<Subject> {
  const resources = join(folder, `groups-${size}`);
  mkdirSync(resources);
  for (let number = 1; number <= size; number += 1)
    writeFileSync(join(resources, `part${number}.json`), JSON.stringify(partDescriptor(number)));
  const databaseUrl = `sqlite:${join(folder, `groups-${size}.sqlite`)}`;
  const service = await launch({ size, resources, databaseUrl }, folder);
  const paths: string[] = [];
  for (let number = 1; number <= size; number += 1) {
    const { body } = await ask(service.address, `/parts${number}`, { method: 'POST', body: '{"name":"One"}' });
    paths.push(`/parts${number}/${(body as { id: string }).id}`);
  }
  await service.stop();
  return { size, resources, databaseUrl, paths, route: routeTimer(resources, paths), found: noFigures() };
}

/** Times the router by itself: from method and path of a get to its endpoint, over all groups in turn. */
function routeTimer(resources: string, paths: readonly string[]): () => Promise<number> {
  let met = 0;
  const route = createRouter(endpointsOf(loadRegistry(resources, ruleSignatures)), async (_ctx, endpoint) => {
    if (endpoint.operation === 'get') met += 1;
  });
  const ctx = contextOf('GET');
  // As many texts for few groups as for many.
  const states = Array.from({ length: pathsEach }, (_value, nth): Exchange => {
    const deadline = { until: Number.POSITIVE_INFINITY, since: 0, isDisconnected: () => false, timings: new Timings() };
    const path = `/api${paths[nth % paths.length]}`;
    return {
      requestId: '',
      path,
      query: '',
      caller: undefined,
      bytes: undefined,
      what: 'none',
      deadline,
      trace: undefined,
      refusedBy: undefined,
    };
  });
  return async () => {
    met = 0;
    const startedAt = performance.now();
    for (let round = 0; round < lookups / pathsEach; round += 1) {
      for (const state of states) {
        ctx.state = state;
        await route(ctx);
      }
    }
    const ms = performance.now() - startedAt;
    if (met !== lookups) throw new Error(`the router has found ${met} of ${lookups} gets`);
    return (ms * 1000) / lookups;
  };
}

/** A context of Koa as a request makes one, without a connection. */
function contextOf(method: string): HttpContext {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  return new Koa<Exchange>().createContext(request, new ServerResponse(request));
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
