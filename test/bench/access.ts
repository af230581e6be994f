// What roles cost a page, a record and a write, side by side with the same service without roles: `npm run bench -- --access`.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createPraxis, loadRegistry, loadRoles, openDatabase, type Praxis } from '../../src/library.ts';
import { parseBody } from '../../src/request/body.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { type Cell, median, printTable } from './report.ts';

interface AccessOptions {
  readonly databaseUrl: string;
  readonly label: string;
  /** For the files of the roles. */
  readonly folder: string;
  readonly rows: number;
  readonly rounds: number;
  readonly say: (text: string) => void;
}

/** The groups of the tests of roles: entries are of members, and of projects in which members work. */
const resources = join(import.meta.dirname, '../domains/studio');
const accessToken = 'token-of-the-bench-0123456789';
const [members, projects, projectsOfOne, requestsARound] = [50, 600, 14, 100];

const when = {
  all: undefined,
  own: 'memberId == actor',
  part: 'staffings.exists(s, s.projectId == projectId && s.memberId == actor)',
} as const;

/** Somebody who asks, and what for. */
interface Asker {
  readonly words: string;
  readonly address: string;
  readonly token: string;
  /** A record that the asker sees; undefined: there is none. */
  readonly id: string | undefined;
  readonly budget: Budget;
}

/** What a page or a record may take at most beside one without roles: of the processor's time in parts, or in milliseconds more. */
type Budget = { readonly parts: number } | { readonly moreMs: number };

/** Statements, and the rows that they gave, since the start of the benchmark. */
interface Reads {
  statements: number;
  rows: number;
}

/** Kinds of writes: of fields that nothing depends on, of one on which a figure of the project depends, of a new record. */
const writes = ['update', 'update, with a figure', 'create and delete'] as const;
type Write = (typeof writes)[number];

/** What a write may take at most, in times of one without roles. */
const writeBudget = 1.3;

/** Prints, for each kind of caller, what a page of ten and a record take in the median, in turns with the service without roles. */
export async function reportAccess({ databaseUrl, label, folder, rows, rounds, say }: AccessOptions): Promise<void> {
  const registry = loadRegistry(resources, ruleSignatures);
  const roles = loadRoles(writeRoles(folder), registry);
  const reads: Reads = { statements: 0, rows: 0 };
  const open = async (more: object) =>
    createPraxis({ registry, database: counted(await openDatabase(databaseUrl), reads), accessToken, ...more });
  const without = await open({});
  const { entries, one, stranger, project } = await fill(without, rows);
  say(`${label}: ${rows} entries are there`);
  const beside = await open({ roles });
  const [plainAt, rolesAt] = [await listen(without), await listen(beside)];
  try {
    const tokenOf = async (role: string, memberId?: string): Promise<string> =>
      (await createToken(beside.workspace.unit, { name: role, roles: [role], ...(memberId && { memberId }) })).token;
    const id = entries[0] ?? '';
    const at = (words: string, token: string, budget: Budget): Asker => {
      return { words, token, id, budget, address: rolesAt.address };
    };
    const askers: readonly Asker[] = [
      { words: 'no roles', address: plainAt.address, token: accessToken, id, budget: { parts: 1 } },
      at('roles, a token without', accessToken, { parts: 1 }),
      at('a role without conditions', await tokenOf('all'), { parts: 1 }),
      at(when.own, await tokenOf('own', one), { parts: 1.1 }),
      at('exists, in 14 of 600 projects', await tokenOf('part', one), { moreMs: 0.5 }),
      { ...at('exists, in none', await tokenOf('part', stranger), { moreMs: 0.5 }), id: undefined },
    ];
    await report({ label, rounds, reads }, askers);
    await reportWrites({ label, rounds, reads }, askers, { memberId: one, projectId: project });
  } finally {
    for (const { close } of [plainAt, rolesAt]) close();
    await beside.close();
    await without.close();
  }
}

/** The same database, whose reads are counted. */
function counted(database: Database, reads: Reads): Database {
  const count = (rows: readonly unknown[]): void => {
    reads.statements += 1;
    reads.rows += rows.length;
  };
  const all: Database['all'] = async (...asked) => {
    const rows = await database.all(...asked);
    count(rows);
    return rows;
  };
  const { together } = database;
  const run: Database['run'] = (...asked) => {
    reads.statements += 1;
    return database.run(...asked);
  };
  const inside = (session: Session): Session => ({
    all: async (...asked) => {
      const rows = await session.all(...asked);
      count(rows);
      return rows;
    },
    run: (...asked) => {
      reads.statements += 1;
      return session.run(...asked);
    },
  });
  const own: Partial<Database> = {
    all,
    run,
    transact: (work, terms) => database.transact((session) => work(inside(session)), terms),
    ...(together && {
      together: async (...asked) => {
        const found = await together.apply(database, asked);
        found.rows.forEach(count);
        if (asked[0].write !== undefined) reads.statements += 1;
        return found;
      },
    }),
  };
  return new Proxy(database, { get: (target, key) => Reflect.get(own, key) ?? Reflect.get(target, key, target) });
}

function writeRoles(folder: string): string {
  const roles = join(mkdtempSync(join(folder, 'roles-')), 'roles');
  mkdirSync(roles);
  for (const [name, condition] of Object.entries(when)) {
    const rule = { on: ['entry'], to: ['read', 'write'], ...(condition && { when: condition }) };
    const others = { on: ['member', 'project'], to: ['read'] };
    const role = { title: name, description: 'Of the benchmark.', allow: [rule, others] };
    writeFileSync(join(roles, `${name}.json`), JSON.stringify(role));
  }
  return roles;
}

async function listen({ app }: Praxis): Promise<{ readonly address: string; close(): void }> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, close: () => server.close() };
}

/** Entries of all members and projects in turn: the first is of the first member, in a project of theirs. */
async function fill({ workspace, registry }: Praxis, rows: number) {
  const made = async (count: number, group: string, bodyOf: (nth: number) => object): Promise<string[]> => {
    const resource = registry.resources.get(group);
    if (resource === undefined) throw new Error(`there is no ${group}`);
    const ids: string[] = [];
    for (let from = 0; from < count; from += 2000) {
      const portion = Math.min(2000, count - from);
      const found = await workspace.engine.together(async (batch) => {
        const some: string[] = [];
        for (let nth = from; nth < from + portion; nth += 1) {
          const record = await batch.create(group, parseBody(resource, 'create', { ...bodyOf(nth) }), null);
          some.push(String(record['id']));
        }
        return some;
      });
      ids.push(...found);
    }
    return ids;
  };
  const people = await made(members + 1, 'member', (nth) => ({ name: `M${nth}`, email: `m${nth}@example.com` }));
  const [clientId] = await made(1, 'client', () => ({ name: 'Acme' }));
  const works = await made(projects, 'project', (nth) => ({ name: `P${nth}`, clientId }));
  await made(projectsOfOne, 'staffing', (nth) => ({ projectId: works[nth * 40], memberId: people[0] }));
  const entries = await made(rows, 'entry', (nth) => ({
    ...{ date: '2026-01-05', minutes: 60, memberId: people[nth % members], projectId: works[nth % projects] },
  }));
  return { entries, one: people[0] ?? '', stranger: people[members] ?? '', project: works[0] ?? '' };
}

/** What requests of one kind took, each: of the processor of this process, callers included, and of the database. */
interface Took extends Reads {
  readonly cpuMs: number;
}

const heads = ['caller', 'page of 10: reads', 'rows', 'cpu ms', 'ratio', 'record: reads', 'cpu ms', 'ratio', 'budget'];

async function report(
  { label, rounds, reads }: { readonly label: string; readonly rounds: number; readonly reads: Reads },
  askers: readonly Asker[],
): Promise<void> {
  const times = askers.map(() => ({ page: [] as Took[], record: [] as Took[] }));
  // One after the other in each round, so that what the machine does besides is shared, and each of them is first in turn.
  for (let round = 0; round <= rounds; round += 1)
    for (let turn = 0; turn < askers.length; turn += 1) {
      const place = (round + turn) % askers.length;
      const { address = '', token = '', id } = askers[place] ?? {};
      const page = await timed(`${address}/entries?limit=10`, token, reads);
      const record = id === undefined ? undefined : await timed(`${address}/entries/${id}`, token, reads);
      // The first round makes what is kept.
      if (round === 0) continue;
      times[place]?.page.push(page);
      if (record !== undefined) times[place]?.record.push(record);
    }
  const [base = { page: [], record: [] }] = times;
  const rows = askers.map(({ words, budget }, place): Cell[] => {
    const { page = [], record = [] } = times[place] ?? {};
    const of = (took: readonly Took[], what: keyof Took): number => median(took.map((each) => each[what]));
    const cells = (took: readonly Took[], beside: readonly Took[]): Cell[] =>
      took.length === 0 ? ['', ''] : [of(took, 'cpuMs').toFixed(2), ratio(took, beside).toFixed(2)];
    return [
      ...[words, of(page, 'statements'), of(page, 'rows'), ...cells(page, base.page)],
      ...[record.length === 0 ? '' : of(record, 'statements'), ...cells(record, base.record)],
      'parts' in budget ? `${budget.parts.toFixed(2)} times` : `${budget.moreMs} ms more`,
    ];
  });
  printTable(`Roles, ${label}; medians of ${rounds} rounds`, heads, rows);
}

/** Of what ran side by side, round by round, so that other work on the machine changes it least. */
const ratio = (times: readonly Took[], base: readonly Took[]): number =>
  median(times.map(({ cpuMs }, round) => cpuMs / (base[round]?.cpuMs ?? Number.NaN)));

/** What one request takes, of many. */
async function timed(url: string, token: string, reads: Reads): Promise<Took> {
  const headers = { authorization: `Bearer ${token}` };
  const [before, read] = [process.cpuUsage(), { ...reads }];
  for (let nth = 0; nth < requestsARound; nth += 1) {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    cpuMs: (user + system) / 1000 / requestsARound,
    statements: Math.round((reads.statements - read.statements) / requestsARound),
    rows: Math.round((reads.rows - read.rows) / requestsARound),
  };
}

/** One request of the worker. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
}

/** Callers in a thread of their own, so that the processor time of this one is the service's. */
class Callers {
  readonly #worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', async ({ token, asked }) => {
      const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
      const answers = [];
      for (const { method, url, body } of asked) {
        const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        const text = await response.text();
        if (!response.ok) throw new Error(method + ' ' + url + ' answers ' + response.status + ': ' + text);
        answers.push(text === '' ? undefined : JSON.parse(text));
      }
      parentPort.postMessage(answers);
    });`,
    { eval: true },
  );

  ask(token: string, asked: readonly Asked[]): Promise<readonly { readonly id: string }[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly { readonly id: string }[]>();
    const worker = this.#worker.once('message', resolve).once('error', reject);
    worker.postMessage({ token, asked });
    return promise.finally(() => worker.off('error', reject));
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }
}

/** Prints what writes of each kind of caller take of the processor, in turns with the service without roles. */
async function reportWrites(
  { label, rounds, reads }: { readonly label: string; readonly rounds: number; readonly reads: Reads },
  all: readonly Asker[],
  entry: { readonly memberId: string; readonly projectId: string },
): Promise<void> {
  const callers = new Callers();
  const askers = all.filter(({ id }) => id !== undefined);
  const took = askers.map(() => new Map<Write, Took[]>(writes.map((kind) => [kind, []])));
  let number = 0;
  const timedWrite = async (kind: Write, { address, token, id }: Asker): Promise<Took> => {
    const times = Array.from({ length: requestsARound });
    const made = { date: '2026-01-05', minutes: 60, ...entry };
    const updated = (): Asked => {
      number += 1;
      const body = kind === 'update' ? { notes: `n${number}` } : { minutes: 1 + (number % 1000) };
      return { method: 'PATCH', url: `${address}/entries/${id}`, body };
    };
    const [before, read] = [process.threadCpuUsage(), { ...reads }];
    if (kind === 'create and delete') {
      const ids = await callers.ask(
        token,
        times.map(() => ({ method: 'POST', url: `${address}/entries`, body: made })),
      );
      await callers.ask(
        token,
        ids.map((each) => ({ method: 'DELETE', url: `${address}/entries/${each.id}` })),
      );
    } else
      await callers.ask(
        token,
        times.map(() => updated()),
      );
    const { user, system } = process.threadCpuUsage(before);
    return {
      cpuMs: (user + system) / 1000 / requestsARound,
      statements: Math.round((reads.statements - read.statements) / requestsARound),
      rows: 0,
    };
  };
  try {
    for (let round = 0; round <= rounds; round += 1)
      for (const kind of writes)
        for (let turn = 0; turn < askers.length; turn += 1) {
          const place = (round + turn) % askers.length;
          const asker = askers[place];
          const found = asker && (await timedWrite(kind, asker));
          // The first round makes what is kept.
          if (round > 0 && found !== undefined) took[place]?.get(kind)?.push(found);
        }
  } finally {
    await callers.stop();
  }
  const rows = askers.map(({ words }, place): Cell[] => [
    words,
    ...writes.flatMap((kind): Cell[] => {
      const [own = [], base = []] = [took[place]?.get(kind), took[0]?.get(kind)];
      const of = (what: keyof Took): number => median(own.map((each) => each[what]));
      return [of('statements'), of('cpuMs').toFixed(2), ratio(own, base).toFixed(2)];
    }),
    `${writeBudget.toFixed(2)} times`,
  ]);
  const columns = writes.flatMap((kind) => [`${kind}: statements`, 'cpu ms', 'ratio']);
  printTable(`Writes under roles, ${label}; medians of ${rounds} rounds`, ['caller', ...columns, 'budget'], rows);
}
