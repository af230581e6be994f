// `npm run bench -- --anatomy`: what one request costs, counted rather than timed, so that a busy machine does not blur it.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Request } from 'autocannon';
import type { Counted, CountedFunction, ProbeMessage, Weighed } from './anatomy-types.ts';
import { clientId, fill } from './data.ts';
import { changing, shownWorks, works } from './load.ts';
import { type Cell, printTable } from './report.ts';
import { ask, handwritten, handwrittenWrites, praxis, type Running, start } from './services.ts';
import { makeLane } from './write-data.ts';
import { type WriteWork, writeWorks } from './write-works.ts';

/** A request, taken apart. */
export interface Anatomy {
  /** Calls of functions of the service's own. */
  readonly ownCalls: number;
  /** With those of packages and of Node. */
  readonly calls: number;
  /** Own functions and files that a request enters. */
  readonly functions: number;
  readonly files: number;
  readonly promises: number;
  readonly statements: number;
  readonly trips: number;
}

interface Part extends WriteWork {
  /** The service by hand that has the same request: of clients, which runs on MariaDB alone, or of everyday writes. */
  readonly byHand?: 'clients' | 'writes';
}

const clients = 200;

/** A service that is taken apart. */
interface Subject {
  readonly name: string;
  readonly service: Running;
  readonly parts: readonly Part[];
}

interface SubjectOptions {
  readonly databaseUrl: string;
  readonly folder: string;
}

/** Starts Praxis with a probe on an empty database, and makes what its requests refer to. */
export async function startSubject({ databaseUrl, folder }: SubjectOptions): Promise<Subject> {
  const service = await start({ name: 'anatomy', command: praxis, databaseUrl, folder, probe: 'anatomy-probe' });
  await fill(databaseUrl, clients);
  const lane = { ...(await makeLane(service.address, 0)), billable: [] };
  const ground = { lanes: [lane], categoryId: '', joinerIds: [] };
  const written = new Map(writeWorks(ground, databaseUrl).map((work) => [work.name, work]));
  const everyday = (name: string): Part => {
    const work = written.get(name);
    if (work === undefined) throw new Error(`there is no work "${name}"`);
    return { ...work, byHand: 'writes' };
  };
  const notes = (path: string): Request => changing(path, (count) => ({ notes: `Anatomy ${count}` }));
  const parts: readonly Part[] = [
    { ...works.get, byHand: 'clients' },
    { ...works.list10, byHand: 'clients' },
    ...shownWorks.map((name): Part => ({ ...works[name], byHand: 'clients' })),
    { ...works.create, byHand: 'clients' },
    { ...works.createContact, byHand: 'clients' },
    { name: 'update, looked at by nothing', requests: () => [notes(`/clients/${clientId(1)}`)], byHand: 'clients' },
    {
      name: 'time entry, notes',
      requests: () => [notes(`/time-entries/${lane.entryIds[0]}`)],
      byHand: 'writes',
    },
    everyday('time entry'),
    everyday('invoice, 10 lines'),
    everyday('payment of 2 invoices'),
  ];
  return { name: 'Praxis', service, parts };
}

let marks = 0;

/** Requests of a part, one after the other, without an end; none has the names of another time. */
function* requestsOf({ requests: make }: Part): Generator<Request> {
  marks += 1;
  const requests = make(0, { clients, mark: `anatomy ${marks}` });
  for (;;)
    for (const request of requests) {
      const { setupRequest } = request;
      yield typeof setupRequest === 'function' ? setupRequest(request, {}) : request;
    }
}

/** Payments of different invoices: what comes later finds what the first has found. */
const beforeUndone = 4;

/** @throws Error where one is refused */
async function sendSome(
  service: Running,
  { after, requests }: { readonly after: Part['after']; readonly requests: Iterator<Request> },
  count: number,
): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const { value } = requests.next();
    const { method = 'GET', path = '', body } = value as Request;
    const { status, body: answer } = await ask(service.address, path.replace(/^\/api/, ''), {
      method,
      ...(body !== undefined && { body: String(body) }),
    });
    if (status !== 200) throw new Error(`${method} ${path} is answered ${JSON.stringify(answer)}`);
    if (nth % beforeUndone === beforeUndone - 1) await after?.();
  }
  await after?.();
}

async function between<T>(service: Running, what: 'Counting' | 'Weighing', work: () => Promise<void>): Promise<T> {
  const say = (word: 'begin' | 'end') => service.probed(`${word}${what}` satisfies ProbeMessage);
  await say('begin');
  await work();
  return (await say('end')) as T;
}

const root = pathToFileURL(process.cwd()).href;
const isOwn = ({ url }: CountedFunction): boolean => url.startsWith(root) && !url.includes('/node_modules/');
const sum = (functions: readonly CountedFunction[]): number => functions.reduce((all, { count }) => all + count, 0);

/** Warms a service up for its requests, so that plans are made and statements prepared, then counts what each of them costs. */
export async function countRequests(
  { service, parts }: Subject,
  times: number,
): Promise<ReadonlyMap<string, Anatomy & { readonly top: readonly CountedFunction[] }>> {
  const found = new Map<string, Anatomy & { readonly top: readonly CountedFunction[] }>();
  for (const part of parts) {
    const sent = { after: part.after, requests: requestsOf(part) };
    await sendSome(service, sent, times);
    const counted = await between<Counted>(service, 'Counting', () => sendSome(service, sent, times));
    // What runs less than once a request is a timer's.
    const usual = counted.calls.filter(({ count }) => count >= times);
    const own = usual.filter(isOwn);
    found.set(part.name, {
      ownCalls: sum(own) / times,
      calls: sum(usual) / times,
      functions: own.length,
      files: new Set(own.map(({ url }) => url)).size,
      promises: counted.promises / times,
      statements: counted.statements / times,
      trips: counted.trips / times,
      top: own.toSorted((a, b) => b.count - a.count),
    });
  }
  return found;
}

/** Bytes and processor time of a request, when its functions are compiled and nothing is counted. */
async function weighRequests({ service, parts }: Subject, times: number): Promise<ReadonlyMap<string, Weighed>> {
  const found = new Map<string, Weighed>();
  for (const part of parts) {
    const sent = { after: part.after, requests: requestsOf(part) };
    await sendSome(service, sent, 2 * times);
    const { bytes, cpuMs } = await between<Weighed>(service, 'Weighing', () => sendSome(service, sent, times));
    found.set(part.name, { bytes: bytes / times, cpuMs: cpuMs / times });
  }
  return found;
}

interface AnatomyOptions {
  readonly folder: string;
  /** Empty databases. */
  readonly urls: readonly string[];
  readonly times: number;
  /** How many of the functions that are called most often are told of each request. */
  readonly top: number;
  /** Part of the names of the requests that are wanted. */
  readonly only: string;
  readonly say: (text: string) => void;
}

const heads = [
  ...['', 'own calls', 'all calls', 'functions', 'files', 'promises', 'KB allocated', 'statements', 'trips', 'cpu ms'],
];

/** Takes the requests apart and prints them, one database after the other. */
export async function reportAnatomy({ folder, urls, times, top, only, say }: AnatomyOptions): Promise<void> {
  for (const databaseUrl of urls) {
    const kind = databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'MariaDB';
    const own = await startSubject({ databaseUrl, folder });
    const wanted = own.parts.filter(({ name }) => name.includes(only));
    const subjects: Subject[] = [{ ...own, parts: wanted }];
    for (const [byHand, command] of [['clients', handwritten] as const, ['writes', handwrittenWrites] as const]) {
      const parts = wanted.filter((part) => part.byHand === byHand);
      if (parts.length === 0 || (byHand === 'clients' && kind === 'SQLite')) continue;
      const service = await start({
        ...{ name: `anatomy by hand, ${byHand}`, command, databaseUrl, folder },
        probe: 'anatomy-probe',
      });
      subjects.push({ name: 'by hand', service, parts });
    }
    const rows: Cell[][] = [];
    const tops: (() => void)[] = [];
    for (const subject of subjects) {
      const weighed = await weighRequests(subject, times);
      for (const [part, anatomy] of await countRequests(subject, times)) {
        rows.push([`${part}, ${subject.name}`, ...cellsOf(anatomy, weighed.get(part))]);
        if (top > 0) tops.push(() => printTop(`${part}, ${subject.name} on ${kind}`, anatomy.top.slice(0, top), times));
      }
      say(`${subject.name}: ${subject.parts.length} requests are counted on ${kind}`);
      await subject.service.stop();
    }
    const places = new Map(wanted.map(({ name }, place) => [name, place]));
    const placeOf = ([name]: readonly Cell[]): number =>
      places.get(String(name).replace(/, (?:Praxis|by hand)$/, '')) ?? -1;
    printTable(
      `One request on ${kind}, the mean of ${times}`,
      heads,
      rows.toSorted((a, b) => placeOf(a) - placeOf(b)),
    );
    for (const print of tops) print();
  }
}

const cellsOf = (anatomy: Anatomy, weighed: Weighed | undefined): Cell[] => [
  ...[anatomy.ownCalls, anatomy.calls, anatomy.functions, anatomy.files, anatomy.promises].map(Math.round),
  ((weighed?.bytes ?? Number.NaN) / 1024).toFixed(1),
  anatomy.statements.toFixed(1),
  anatomy.trips.toFixed(1),
  weighed?.cpuMs.toFixed(2),
];

/** `src/formulas/evaluate/evaluate.ts:41 evaluate`: types are blanked where Node strips them, so places stay. */
function printTop(title: string, functions: readonly CountedFunction[], times: number): void {
  const rows = functions.map(({ url, name, offset, count }) => {
    const file = fileURLToPath(url);
    const line = readFileSync(file, 'utf8').slice(0, offset).split('\n').length;
    return [`${relative('.', file)}:${line} ${name || '(without a name)'}`, (count / times).toFixed(1)];
  });
  printTable(`Functions called most often: ${title}`, ['function', 'calls'], rows);
}
