// Whether memory stays what it is: one process under a mixed load that tries to fill whatever is kept by what callers
// choose (sets of filters, of fields, lengths of lists, paths, tokens), looked at after garbage collection.
import { spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Endpoint, endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Scalar } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import type { Cell } from './report.ts';
import { praxis, type Running, start, token } from './services.ts';

export const soakHeads = ['minute', 'requests', 'records', 'heap MiB', 'outside heap MiB', 'RSS MiB'];

interface SoakOptions {
  readonly name: string;
  /** Empty; it is filled with records of each group. */
  readonly databaseUrl: string;
  readonly folder: string;
  readonly minutes: number;
  readonly onSample: (row: readonly Cell[]) => void;
}

const callers = 8;
/** At most: the tests of others run beside it. */
const perSecond = 400;
/** Records that the load has made and not deleted: above it, it deletes as many as it makes. */
const mostOwn = 400;

/** @returns a row under `soakHeads` for each minute, the first after all groups have been used once. */
export async function soak(options: SoakOptions): Promise<Cell[][]> {
  const { name, databaseUrl, folder, minutes, onSample } = options;
  const filled = spawnSync(process.execPath, ['src/cli.ts', 'demo', '--until', '2026-09-30', '--months', '2'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  });
  if (filled.status !== 0) throw new Error(`${name} could not be filled: ${filled.stderr}`);
  const service = await start({ name, command: praxis, databaseUrl, folder, probe: 'heap', env: quiet });
  const load = new Load(service);
  const rows: Cell[][] = [];
  const look = async (minute: number): Promise<void> => {
    const { heapMib, outsideMib } = await service.memory();
    const row = [minute, load.count, load.made, heapMib.toFixed(1), outsideMib.toFixed(1), mib(service)];
    rows.push(row);
    onSample([name, ...row]);
  };
  await load.warmUp();
  const startedAt = performance.now();
  const running = load.run();
  for (let minute = 0; minute <= minutes; minute += 1) {
    await Promise.race([running, delay(Math.max(0, startedAt + minute * 60_000 - performance.now()))]);
    await look(minute);
  }
  load.end();
  await running;
  await service.stop();
  return rows;
}

const quiet = { LOG_LEVEL: 'warn' };
const mib = (service: Running): number => Math.round(service.residentMib() ?? Number.NaN);

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Every request is another one, yet the same for the same seed as long as answers come in the same order. */
class Load {
  count = 0;
  made = 0;
  readonly #service: Running;
  readonly #endpoints: readonly Endpoint[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: callers });
  readonly #ids = new Map<string, string[]>();
  readonly #own: { readonly path: string; readonly id: string }[] = [];
  #state = 7;
  #isOver = false;

  constructor(service: Running) {
    this.#service = service;
    const all = endpointsOf(loadRegistry('resources', ruleSignatures));
    this.#endpoints = all.filter(({ resource }) => resource.computed === undefined);
  }

  /** Reads a page of every group: what is made once for each group is made, and ids are known. */
  async warmUp(): Promise<void> {
    for (const { resource } of this.#lists) {
      const { body } = await this.#send('GET', `${resource.path}?limit=100`);
      const records = body['results'] as { id: string }[];
      this.#ids.set(
        resource.name,
        records.map(({ id }) => id),
      );
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async run(): Promise<void> {
    const one = async (): Promise<void> => {
      while (!this.#isOver) {
        const next = performance.now() + (callers * 1000) / perSecond;
        await this.#one();
        await delay(Math.max(0, next - performance.now()));
      }
    };
    await Promise.all(Array.from({ length: callers }, one));
    this.#agent.destroy();
  }

  async #one(): Promise<void> {
    const kinds = [
      () => this.#list(),
      () => this.#list(),
      () => this.#list(),
      () => this.#get(),
      () => this.#update(),
      () => this.#update(),
      () => this.#create(),
      () => this.#create(),
      () => this.#fail(),
    ];
    await this.#pick(kinds)?.();
    if (this.#own.length > mostOwn) await this.#remove();
  }

  get #lists(): readonly Endpoint[] {
    return this.#endpoints.filter(({ operation }) => operation === 'list');
  }

  /** A page by a set of filters that hardly ever comes again. */
  async #list(): Promise<void> {
    const endpoint = this.#pick(this.#lists);
    if (endpoint === undefined) return;
    const query = new URLSearchParams({ limit: String(1 + this.#below(100)) });
    const share = this.#random() ** 2;
    for (const { name, accepts, field } of endpoint.filters.values())
      if (this.#random() < share) query.set(name, this.#valueOf(accepts, 'target' in field ? field.target : ''));
    const cursor = this.#pick([undefined, 'startingAfter', 'endingBefore']);
    if (cursor !== undefined) query.set(cursor, this.#idOf(endpoint.resource.name));
    await this.#send('GET', `${endpoint.resource.path}?${query}`);
  }

  async #get(): Promise<void> {
    const name = this.#pick([...this.#ids.keys()]) ?? '';
    const resource = this.#endpoints.find((endpoint) => endpoint.resource.name === name)?.resource;
    await this.#send('GET', `${resource?.path}/${this.#idOf(name)}`);
  }

  /** Some fields of a record, set to what they are. */
  async #update(): Promise<void> {
    const endpoint = this.#pick(this.#endpoints.filter(({ operation }) => operation === 'update'));
    if (endpoint === undefined) return;
    const { resource } = endpoint;
    const path = endpoint.hasId ? `${resource.path}/${this.#idOf(resource.name)}` : resource.path;
    const { status, body } = await this.#send('GET', path);
    if (status !== 200) return;
    const plain = resource.fields.filter(({ onUpdate, key }) => onUpdate && Object.hasOwn(body, key));
    const chosen = plain.filter(() => this.#random() < 0.5);
    await this.#send('PATCH', path, Object.fromEntries(chosen.map(({ key }) => [key, body[key]])));
  }

  async #create(): Promise<void> {
    const text = `Soak ${this.count} ${'ä'.repeat(this.#below(200))}`;
    const lines = Array.from({ length: this.#below(40) }, (_value, nth) => ({
      kindId: 'services',
      description: `${nth} ${text}`,
      amount: nth + 0.5,
      taxable: false,
    }));
    const bodies: readonly (readonly [path: string, body: object])[] = [
      ['/job-titles', { name: text }],
      ['/contacts', { lastName: text, firstName: 'Ada', clientId: this.#idOf('client') }],
      ['/clients', { name: text, ...(this.#random() < 0.5 ? { currency: 'EUR' } : {}) }],
      ['/invoices', { clientId: this.#idOf('client'), lines }],
      ['/tasks', { name: text, projectId: this.#idOf('project') }],
    ];
    const [path, body] = this.#pick(bodies) ?? ['', {}];
    const answer = await this.#send('POST', path, body);
    if (answer.status !== 200) return;
    this.made += 1;
    this.#own.push({ path, id: String(answer.body['id']) });
  }

  async #remove(): Promise<void> {
    const [record] = this.#own.splice(this.#below(this.#own.length), 1);
    if (record !== undefined) await this.#send('DELETE', `${record.path}/${record.id}`);
  }

  async #fail(): Promise<void> {
    const odd = `${this.count}-${this.#below(1e9)}`;
    const wrong = { Authorization: `Bearer nobody-${odd}-nobody` };
    const kinds = [
      () => this.#send('GET', `/nothing-${odd}`),
      () => this.#send('GET', `/clients?parameter${odd}=1`),
      () => this.#send('GET', '/clients', undefined, wrong),
      () => this.#send('GET', `/clients/${odd}`),
      () => this.#send('POST', '/clients', { [`field${odd}`]: 1, name: '' }),
      () => this.#send('POST', '/clients', `{"name": ${odd}`),
      () => this.#send('PUT', '/clients', {}),
      () => this.#leave(),
    ];
    await this.#pick(kinds)?.();
  }

  /** Hangs up behind a request. */
  #leave(): Promise<void> {
    this.count += 1;
    return new Promise((resolve) => {
      const outgoing = request(`${this.#service.address}/api/projects?limit=100`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      outgoing.on('error', () => {});
      outgoing.on('close', resolve);
      outgoing.end();
      setTimeout(() => outgoing.destroy(), this.#below(10));
    });
  }

  async #send(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> {
    this.count += 1;
    const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const type = bytes === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = { Authorization: `Bearer ${token}`, ...type, ...more };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.#service.address}/api${path}`,
        { method, headers, agent: this.#agent },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => {
            const { statusCode: status = 0 } = incoming;
            const text = Buffer.concat(chunks).toString();
            if (status >= 500 && status !== 503) reject(new Error(`${method} ${path} answers ${status}`));
            else resolve({ status, body: text === '' ? {} : JSON.parse(text) });
          });
        },
      );
      // A kept connection that the service has just ended for its age is nobody's fault: once more, on another.
      outgoing.on('error', (error) =>
        outgoing.reusedSocket ? this.#send(method, path, body, more).then(resolve, reject) : reject(error),
      );
      outgoing.end(bytes);
    });
  }

  #valueOf(accepts: Scalar, target: string): string {
    switch (accepts.kind) {
      case 'enum':
        return this.#pick(accepts.values) ?? '';
      case 'uuid':
        return this.#idOf(target);
      case 'date':
        return `202${this.#below(10)}-0${1 + this.#below(9)}-1${this.#below(10)}`;
      case 'boolean':
        return String(this.#random() < 0.5);
      case 'integer':
      case 'decimal':
        return String(this.#below(10));
      default:
        return String.fromCharCode(97 + this.#below(26));
    }
  }

  #idOf(group: string): string {
    return this.#pick(this.#ids.get(group) ?? []) ?? '01890a5d-ac96-774b-bcce-b302099a8057';
  }

  #pick<T>(values: readonly T[]): T | undefined {
    return values[this.#below(values.length)];
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Mulberry32. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
