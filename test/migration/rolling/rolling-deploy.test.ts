// Rolling deploys: processes of an older and of a newer version of the descriptors on one database, under writes, while migrations
// are applied. Each stored value is compared with what the acknowledged requests and the present formulas give.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyRecords } from '../../../src/app/verify.ts';
import { Folder, type Started } from '../../support/commands/command.ts';
import { type Dialect, dialects, type Groups, Project, token } from '../../support/commands/project.ts';
import { isObject, type Json } from '../../support/service/client.ts';

const text = { type: 'string', maxLength: 100 };
const optional = { type: ['string', 'null'], maxLength: 100 };
const integer = { type: 'integer', default: 1 };

interface Shape {
  readonly hours: 'hours' | 'duration';
  readonly amount: string;
  readonly filter?: object;
  readonly note?: object;
  readonly more?: Groups;
}

/** A label is one row, whose writes are single statements; jobs and clients are computed from each other. */
const groups = ({ hours, amount, filter = {}, note = {}, more = {} }: Shape): Groups => ({
  label: { properties: { name: { ...text, ...filter }, size: integer, ...note } },
  client: {
    properties: {
      name: { ...text, ...filter },
      total: { type: 'integer', formula: 'jobs.filter(j, j.clientId == id).sum(j, j.amount)' },
    },
  },
  job: {
    properties: {
      name: text,
      client: { reference: 'client' },
      [hours]: { ...integer, ...(hours === 'duration' && { renamedFrom: 'hours' }) },
      rate: integer,
      amount: { type: 'integer', formula: amount },
    },
  },
  ...more,
});

interface Version {
  readonly name: string;
  readonly groups: Groups;
  readonly hours: Shape['hours'];
  /** The amount of a job, by the test's own arithmetic. */
  readonly amountOf: (hours: number, rate: number) => number;
  /** Whether older processes go on writing. */
  readonly isAdditive: boolean;
  readonly hasFilter: boolean;
}

const product = (hours: number, rate: number): number => hours * rate;
const withFee = (hours: number, rate: number): number => hours * rate + 7;
const first: Version = {
  ...{ name: 'first', groups: groups({ hours: 'hours', amount: 'hours * rate' }), hours: 'hours' },
  ...{ amountOf: product, isAdditive: true, hasFilter: false },
};
const note = { note: optional };
const more: Groups = { tag: { properties: { name: text } } };
/** Each with its migration. */
const later: readonly Version[] = [
  { ...first, name: 'additive', groups: groups({ hours: 'hours', amount: 'hours * rate', note, more }) },
  {
    ...{ name: 'rename', groups: groups({ hours: 'duration', amount: 'duration * rate', note, more }) },
    ...{ hours: 'duration', amountOf: product, isAdditive: false, hasFilter: false },
  },
  {
    ...{ name: 'formula', groups: groups({ hours: 'duration', amount: 'duration * rate + 7', note, more }) },
    ...{ hours: 'duration', amountOf: withFee, isAdditive: false, hasFilter: false },
  },
  {
    name: 'filter',
    groups: groups({ hours: 'duration', amount: 'duration * rate + 7', note, more, filter: { filter: 'text' } }),
    ...{ hours: 'duration', amountOf: withFee, isAdditive: false, hasFilter: true },
  },
];

const outdated = { status: 503, message: 'The service is older than its database; try again.' };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function ask(address: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(new URL(path, address), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: answer === '' ? undefined : JSON.parse(answer) };
}

/** Between two turns of a caller: a slow machine gets on with the rest. */
const pauseMs = 30;

/** Records by path and id, as acknowledged requests have left them. */
type Expected = Map<string, Map<string, Json>>;

/** Callers that write all the time, each records of its own, through whatever service they are told. */
class Load {
  readonly expected: Expected = new Map(['/labels', '/clients', '/jobs'].map((path) => [path, new Map()]));
  requests = 0;
  refusals = 0;
  readonly faults: string[] = [];
  #isOver = false;
  readonly #running: Promise<void>[] = [];

  /** @param hours The name of the field in the version of the service. */
  begin(address: string, hours: Shape['hours']): () => Promise<void> {
    let isOver = false;
    const callers = [0, 1, 2].map(async (number) => {
      for (let turn = 0; !isOver && !this.#isOver; turn += 1) {
        await this.#turn(address, hours, number * 100_000 + turn);
        await delay(pauseMs);
      }
    });
    this.#running.push(...callers);
    return async () => {
      isOver = true;
      await Promise.all(callers);
    };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Creates and changes records of every kind: single statements, transactions, batches. */
  async #turn(address: string, hours: Shape['hours'], number: number): Promise<void> {
    const [label] = [await this.#write(address, 'POST', '/labels', { name: `Label ${number}`, size: 2 })];
    if (label !== undefined) await this.#write(address, 'PATCH', `/labels/${label}`, { size: number });
    const client = await this.#write(address, 'POST', '/clients', { name: `Client ${number}` });
    if (client === undefined) return void (await delay(20));
    const job = { name: 'One', clientId: client, [hours]: 2, rate: 3 };
    const made = await this.#write(address, 'POST', '/jobs', job);
    if (made !== undefined) await this.#write(address, 'PATCH', `/jobs/${made}`, { [hours]: 5 });
    await this.#batch(address, [
      { ...job, name: 'Two' },
      { ...job, name: 'Three', rate: 4 },
    ]);
    if (number % 5 === 0 && made !== undefined) await this.#write(address, 'DELETE', `/jobs/${made}`);
    await this.#write(address, 'PATCH', `/clients/${client}`, { name: `Client ${number} again` });
  }

  /** @returns the id of the record that was written; undefined if the service has refused it */
  async #write(address: string, method: string, path: string, body?: Json): Promise<string | undefined> {
    const [, group = '', given] = path.split('/');
    const answer = await this.#send(address, method, `/api${path}`, body);
    if (answer === undefined) return undefined;
    const records = this.expected.get(`/${group}`);
    const id = given ?? (isObject(answer) ? String(answer['id']) : '');
    if (method === 'DELETE') records?.delete(id);
    else records?.set(id, { ...records.get(id), ...inPresentWords(body) });
    return id;
  }

  async #batch(address: string, jobs: readonly Json[]): Promise<void> {
    const operations = jobs.map((body) => ({ method: 'POST', path: '/jobs', body }));
    const answer = await this.#send(address, 'POST', '/api/batch', { operations });
    if (!isObject(answer) || !Array.isArray(answer['results'])) return;
    for (const [place, result] of answer['results'].entries())
      this.expected.get('/jobs')?.set(String(result.body.id), inPresentWords(jobs[place]));
  }

  async #send(address: string, method: string, path: string, body?: Json): Promise<unknown> {
    this.requests += 1;
    const { status, headers, body: answer } = await ask(address, method, path, body);
    if (status === 200 || status === 204) return answer ?? {};
    const isRefusal = isObject(answer) && answer['message'] === outdated.message && headers.get('retry-after') === '1';
    if (status === 503 && isRefusal) this.refusals += 1;
    else this.faults.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return undefined;
  }
}

const inPresentWords = ({ hours, ...rest }: Json = {}): Json => ({
  ...rest,
  ...(hours !== undefined && { duration: hours }),
});

describe.each(dialects)('a rolling deploy (%s)', (dialect: Dialect) => {
  let project: Project;
  let folder: Folder;
  beforeEach(async () => {
    project = await Project.open(dialect);
    folder = new Folder({ DATABASE_URL: project.url, ACCESS_TOKEN: token, PORT: '0', HOST: '127.0.0.1' });
  });
  afterEach(async () => {
    folder.remove();
    await project.close();
  });

  /** Writes the descriptors and migrations of a version, as a build of its own has them. */
  function build({ name, groups: described }: Version): Readonly<Record<string, string>> {
    project.describe(described);
    project.generate(name);
    const env = { RESOURCES: join(folder.path, name, 'resources'), MIGRATIONS: join(folder.path, name, 'migrations') };
    cpSync(join(project.folder, 'resources'), env.RESOURCES, { recursive: true });
    cpSync(project.migrations, env.MIGRATIONS, { recursive: true });
    return env;
  }

  async function serve(env: Readonly<Record<string, string>>): Promise<{ address: string; started: Started }> {
    const started = folder.start('serve', env);
    let address: string | undefined;
    while (address === undefined && started.child.exitCode === null) {
      await delay(20);
      address = /http:\/\/[\d.:]+/.exec(started.output.stdout)?.[0];
    }
    if (address === undefined) throw new Error(started.output.stderr);
    return { address, started };
  }

  const stop = async ({ started }: { started: Started }): Promise<void> => {
    started.child.kill('SIGTERM');
    await started.ended;
  };

  /** Compares what is stored, column by column, with what it must be. @returns the number of values, and the wrong ones */
  async function compare({ hours, amountOf, hasFilter }: Version, expected: Expected) {
    const wrong: string[] = [];
    let values = 0;
    const same = (what: string, found: unknown, wanted: unknown): void => {
      values += 1;
      if (found !== wanted) wrong.push(`${what}: ${String(found)} instead of ${String(wanted)}`);
    };
    await project.withDatabase(async (database) => {
      const read = async (table: string, names: readonly string[]): Promise<ReadonlyMap<string, Json>> => {
        const rows = await database.all(`select id, ${names.join(', ')} from ${table}`, []);
        const records = rows.map(([id, ...cells]): [string, Json] => [
          String(id),
          Object.fromEntries(cells.map((cell, place) => [names[place] ?? '', cell])),
        ]);
        const known = expected.get(`/${table}s`);
        same(
          `records of ${table}`,
          [...(known?.keys() ?? [])].sort().join(),
          records
            .map(([id]) => id)
            .sort()
            .join(),
        );
        return new Map(records);
      };
      const folded = hasFilter ? ['name_folded'] : [];
      const labels = await read('label', ['name', 'size', ...folded]);
      const clients = await read('client', ['name', 'total', ...folded]);
      const jobs = await read('job', ['name', 'client_id', hours, 'rate', 'amount']);
      const total = new Map<string, number>();
      for (const [id, { name, clientId, duration, rate }] of expected.get('/jobs') ?? []) {
        const found = jobs.get(id) ?? {};
        const amount = amountOf(Number(duration), Number(rate));
        total.set(String(clientId), (total.get(String(clientId)) ?? 0) + amount);
        same(`job ${id} name`, found['name'], name);
        same(`job ${id} client`, found['client_id'], clientId);
        same(`job ${id} hours`, Number(found[hours]), duration);
        same(`job ${id} rate`, Number(found['rate']), rate);
        same(`job ${id} amount`, Number(found['amount']), amount);
      }
      const isFolded = (what: string, found: Json, name: unknown): void => {
        if (hasFilter) same(`${what} folded`, wordsOf(found['name_folded']), String(name).toLowerCase());
      };
      for (const [id, { name }] of expected.get('/clients') ?? []) {
        const found = clients.get(id) ?? {};
        same(`client ${id} name`, found['name'], name);
        same(`client ${id} total`, Number(found['total']), total.get(id) ?? 0);
        isFolded(`client ${id}`, found, name);
      }
      for (const [id, { name, size }] of expected.get('/labels') ?? []) {
        const found = labels.get(id) ?? {};
        same(`label ${id} name`, found['name'], name);
        same(`label ${id} size`, Number(found['size']), size);
        isFolded(`label ${id}`, found, name);
      }
    });
    return { values, wrong };
  }

  test('stores no wrong value, and refuses older processes with 503', { timeout: 300_000 }, async () => {
    const load = new Load();
    let env = build(first);
    let service = await serve(env);
    let endLoad = load.begin(service.address, first.hours);
    let hours = first.hours;
    let values = 0;
    await delay(500);
    for (const version of later) {
      const old = { ...service, env, hours };
      env = build(version);
      const before = load.refusals;
      await project.apply({}, env);
      await delay(300);
      if (version.isAdditive) expect([version.name, load.refusals - before]).toEqual([version.name, 0]);
      else {
        expect(load.refusals, version.name).toBeGreaterThan(before);
        await refusesAll(old, version);
      }
      // As long as both serve, callers of the older one are refused or right.
      service = await serve(env);
      hours = version.hours;
      const endNew = load.begin(service.address, hours);
      await delay(700);
      await endLoad();
      const restarted = await folder.run('serve', old.env);
      expect(restarted).toMatchObject({ code: 1 });
      expect(restarted.stderr).toContain('The database is newer than this version');
      await stop(old);
      await endNew();
      const compared = await compare(version, load.expected);
      expect(compared.wrong.slice(0, 5), version.name).toEqual([]);
      values += compared.values;
      endLoad = load.begin(service.address, hours);
    }
    await endLoad();
    await load.end();
    await stop(service);
    expect(load.faults).toEqual([]);
    expect(load.expected.get('/jobs')?.size).toBeGreaterThan(20);
    const verifying = { groups: [], repair: false, onDifference: () => {}, onRecords: () => {} };
    expect(await verifyRecords(project.config(env), verifying)).toMatchObject({ differences: 0 });
    process.stderr.write(
      `${dialect}: ${load.requests} writes, ${load.refusals} refused, ${values} values compared, 0 wrong\n`,
    );
  });

  /** An older process: what it answers after a migration. */
  async function refusesAll(old: { readonly address: string; readonly hours: Shape['hours'] }, { name }: Version) {
    const { address, hours } = old;
    const [label, client] = [await firstId(address, '/labels'), await firstId(address, '/clients')];
    const job = { name: 'Late', clientId: client, [hours]: 1, rate: 1 };
    const operations = [{ method: 'POST', path: '/labels', body: { name: 'Late' } }];
    const writes: readonly [method: string, path: string, body?: unknown][] = [
      ['POST', '/api/labels', { name: 'Late' }],
      ['PATCH', `/api/labels/${label}`, { size: 9 }],
      ['DELETE', `/api/labels/${label}`],
      ['POST', '/api/clients', { name: 'Late' }],
      ['PATCH', `/api/clients/${client}`, { name: 'Late' }],
      ['POST', '/api/jobs', job],
      ['POST', '/api/batch', { operations }],
    ];
    // Only the rename has given anything that reads need another name.
    const reads: readonly [method: string, path: string][] = name === 'rename' ? [['GET', '/api/jobs?limit=1']] : [];
    for (const [method, path, body] of [...writes, ...reads, ['GET', '/readyz'] as const]) {
      const answer = await ask(address, method, path, body);
      expect([name, method, path, answer.body]).toEqual([name, method, path, outdated]);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    const apart = await ask(address, 'POST', '/api/batch', { operations, atomic: false });
    expect([apart.status, apart.body]).toEqual([503, outdated]);
    if (name !== 'rename') expect(await ask(address, 'GET', '/api/jobs?limit=1')).toMatchObject({ status: 200 });
    expect(await ask(address, 'GET', '/healthz')).toMatchObject({ status: 200 });
  }
});

async function firstId(address: string, path: string): Promise<string> {
  const { status, body } = await ask(address, 'GET', `/api${path}?limit=1`);
  expect(status).toBe(200);
  return isObject(body) && Array.isArray(body['results']) ? String(body['results'][0].id) : '';
}

/** A folded text, which a server returns as bytes. */
const wordsOf = (cell: unknown): string => (cell instanceof Uint8Array ? Buffer.from(cell).toString() : String(cell));
