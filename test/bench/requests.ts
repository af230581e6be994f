// The requests of everyday, of Praxis on each database and of the service written by hand: answered alike first, then timed in turns.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { clientId, fill } from './data.ts';
import { fire, type Round, type WorkName, works } from './load.ts';
import { type Measured, printTable, ratioCells, shotCells, targets } from './report.ts';
import { ask, handwritten, kindOf, praxis, type Running, start, stopAll } from './services.ts';

/** What is compared. */
interface RequestWork {
  readonly folder: string;
  readonly sqliteUrl: string;
  /** Without it, only Praxis on SQLite is measured, and compared with nothing. */
  readonly mariadb: string | undefined;
  readonly names: readonly WorkName[];
  /** Rows in the table that is read. */
  readonly clients: number;
  readonly rounds: number;
  /** Of each round. */
  readonly seconds: number;
  say(text: string): void;
}

type Contestant = 'handwritten' | 'mariadb' | 'sqlite';
type Contestants = ReadonlyMap<Contestant, Running>;
type Results = ReadonlyMap<Contestant, readonly Measured[]>;

/** The requests that are compared with the service written by hand. */
export async function reportRequests(asked: RequestWork): Promise<void> {
  const { sqliteUrl, mariadb, names, clients, rounds, seconds, say } = asked;
  const urls = mariadb === undefined ? [sqliteUrl] : [mariadb, sqliteUrl];
  say(`${clients} clients on ${urls.length} databases; ${rounds} rounds of ${seconds} s`);
  for (const databaseUrl of urls) await prepare(asked, databaseUrl);

  const contestants = await startAll(asked);
  await compareAnswers(asked, contestants);
  const results = new Map<WorkName, Results>();
  for (const name of names) results.set(name, await measure(asked, name, contestants));
  printRequests(results);
  const memory = [...contestants.values()].map(({ name, residentMib }) => [
    name,
    Math.round(residentMib() ?? Number.NaN),
  ]);
  printTable('Resident memory after all this', ['service', 'MiB'], memory);
  await stopAll();
}

/** Lets Praxis make its tables, then fills them. */
async function prepare({ folder, clients, say }: RequestWork, databaseUrl: string): Promise<void> {
  const startedAt = performance.now();
  const service = await start({ name: 'set-up', command: praxis, databaseUrl, folder });
  await service.stop();
  await fill(databaseUrl, clients);
  say(`${kindOf(databaseUrl)} is filled after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function startAll({ folder, sqliteUrl, mariadb }: RequestWork): Promise<Contestants> {
  const all = new Map<Contestant, Running>();
  if (mariadb !== undefined) {
    const byHand = { name: 'hand-written on MariaDB', command: handwritten, databaseUrl: mariadb, folder };
    all.set('handwritten', await start(byHand));
    all.set('mariadb', await start({ name: 'Praxis on MariaDB', command: praxis, databaseUrl: mariadb, folder }));
  }
  all.set('sqlite', await start({ name: 'Praxis on SQLite', command: praxis, databaseUrl: sqliteUrl, folder }));
  return all;
}

/** Requests that all services must answer alike. Without `body`, only the status counts. */
const probesOf = (clients: number): { path: string; method?: string; sent?: object; isWhole: boolean }[] => [
  { path: '/clients?limit=10', isWhole: true },
  { path: '/clients?limit=100', isWhole: true },
  { path: `/clients?limit=100&startingAfter=${clientId(99)}`, isWhole: true },
  { path: '/clients', isWhole: true },
  { path: '/clients?limit=10&expand=industry,location', isWhole: true },
  { path: '/clients?limit=10&fields=name,code,currency', isWhole: true },
  { path: '/summary/clients?by=industry&max=createdAt', isWhole: true },
  ...[0, 3, 7, 9, 13, 20, clients - 1].map((place) => ({ path: `/clients/${clientId(place)}`, isWhole: true })),
  { path: '/clients/01890a5d-ac96-774b-bcce-b302099a8057', isWhole: true },
  { path: '/clients/nobody', isWhole: false },
  { path: '/clients?limit=101', isWhole: false },
  {
    path: `/clients/${clientId(1)}`,
    method: 'PATCH',
    sent: { name: 'Ümläut – "quoted"', notes: 'New\nline' },
    isWhole: true,
  },
  { path: `/clients/${clientId(1)}`, method: 'PATCH', sent: { name: 'A', unknown: 1 }, isWhole: false },
  { path: '/clients/01890a5d-ac96-774b-bcce-b302099a8057', method: 'PATCH', sent: { name: 'A' }, isWhole: true },
  { path: '/job-titles', method: 'POST', sent: { name: ' ' }, isWhole: false },
  {
    path: '/contacts',
    method: 'POST',
    sent: { firstName: 'Ada', lastName: 'Berg', email: 'ada@x.example' },
    isWhole: true,
  },
];

/** @throws Error at the first answer that is not the same everywhere. */
async function compareAnswers({ clients, say }: RequestWork, contestants: Contestants): Promise<void> {
  const probes = probesOf(clients);
  const [first, ...others] = [...contestants.values()];
  if (first === undefined) return;
  for (const { path, method = 'GET', sent, isWhole } of probes) {
    const init = sent === undefined ? { method } : { method, body: JSON.stringify(sent) };
    const expected = await ask(first.address, path, init);
    for (const other of others) {
      const found = await ask(other.address, path, init);
      const isSame =
        found.status === expected.status &&
        (!isWhole || isDeepStrictEqual(steady(found.body, method), steady(expected.body, method)));
      if (isSame) continue;
      const [one, two] = [expected, found].map((answer) => JSON.stringify(answer).slice(0, 3000));
      throw new Error(`${method} ${path} is not answered alike:\n${first.name}: ${one}\n${other.name}: ${two}`);
    }
  }
  for (const [nth, { name, address }] of [...contestants.values()].entries()) {
    const init = { method: 'POST', body: JSON.stringify({ name: `Pilot ${nth}` }) };
    const [made, again] = [await ask(address, '/job-titles', init), await ask(address, '/job-titles', init)];
    if (made.status !== 200 || again.status !== 409)
      throw new Error(`${name} answers ${made.status}, ${again.status} to a name sent twice`);
    const refused = await fetch(`${address}/api/clients`, { headers: { Authorization: 'Bearer wrong' } });
    if (refused.status !== 401) throw new Error(`${name} answers ${refused.status} to a wrong token`);
  }
  say(`${contestants.size} services answer ${probes.length} requests alike`);
}

/** A written record without what its moment gives it. */
function steady(body: unknown, method: string): unknown {
  if (method === 'GET' || typeof body !== 'object' || body === null) return body;
  const { id, createdAt, modifiedAt, ...rest } = body as Record<string, unknown>;
  return method === 'POST' ? rest : { ...rest, id, createdAt };
}

let mark = 0;

/** Every contestant in every round, in an order that turns. */
async function measure(
  { clients, rounds, seconds, say }: RequestWork,
  name: WorkName,
  contestants: Contestants,
): Promise<Results> {
  const work = works[name];
  const found = new Map([...contestants.keys()].map((key): [Contestant, Measured[]] => [key, []]));
  const all = [...contestants];
  for (let round = -1; round < rounds; round += 1) {
    const first = (round + 1) % all.length;
    const turned = [...all.slice(first), ...all.slice(0, first)];
    for (const [key, service] of round % 2 === 0 ? turned : turned.toReversed()) {
      mark += 1;
      const shot = await measureOnce(service, { clients, mark: `r${mark}` }, { work, seconds });
      // The round before the first warms up.
      if (round >= 0) found.get(key)?.push(shot);
    }
  }
  say(`measured ${work.name}`);
  return found;
}

async function measureOnce(
  service: Running,
  round: Round,
  { work, seconds }: { work: (typeof works)[WorkName]; seconds: number },
): Promise<Measured> {
  const before = service.cpuMs();
  const shot = await fire({ address: service.address, work, round, seconds });
  const after = service.cpuMs();
  // What is still under way ends before the next one's turn.
  await delay(50);
  return { ...shot, cpuMs: before === undefined || after === undefined ? undefined : (after - before) / shot.requests };
}

function printRequests(results: ReadonlyMap<WorkName, Results>): void {
  const heads = ['', 'req/s', 'p99 ms', 'cpu ms', 'ratio', 'spread', 'target', ''];
  for (const [kind, title] of [
    ['mariadb', 'Praxis on MariaDB'],
    ['sqlite', 'Praxis on SQLite'],
  ] as const) {
    const rows = [...results].flatMap(([name, found]) => {
      const own = found.get(kind);
      if (own === undefined) return [];
      return [
        [works[name].name, ...shotCells(own), ...ratioCells(own, found.get('handwritten'), targets[name]?.[kind])],
      ];
    });
    if (rows.length > 0) printTable(`${title}, ratio to the hand-written service on MariaDB`, heads, rows);
  }
  const byHand = [...results].flatMap(([name, found]) => {
    const own = found.get('handwritten');
    return own === undefined ? [] : [[works[name].name, ...shotCells(own)]];
  });
  if (byHand.length > 0) printTable('The hand-written service on MariaDB', heads.slice(0, 4), byHand);
}
