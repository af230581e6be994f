// The real app on each kind of database, from one list, for all tests of behaviour.
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPraxis, type PraxisOptions } from '../../../src/app/praxis.ts';
import type { Workspace } from '../../../src/app/workspace.ts';
import { startServer } from '../../../src/http/server/server.ts';
import { ConnectionTally } from '../../../src/metrics/connections.ts';
import type { Registry, Resource } from '../../../src/registry/model/model.ts';
import { loadRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import type { Bound } from '../../../src/storage/schema/cells.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { type Extent, type Overrides, RecordMaker } from '../data/records.ts';
import { databases, type Engine, sqlite, type TestDatabase } from '../databases/databases.ts';
import { isTurnOf } from '../run/part.ts';
import { type Call, createClient, isObject, type Json } from './client.ts';

export { type Answer, isObject, type Json } from './client.ts';

/** Folders of descriptors: the engine's own, those of the product, uses of rules that neither has, and whole domains. */
export const folders = {
  test: join(import.meta.dirname, '../../resources'),
  product: join(import.meta.dirname, '../../../resources'),
  rules: join(import.meta.dirname, '../../domains/rules'),
  figures: join(import.meta.dirname, '../../domains/figures'),
  books: join(import.meta.dirname, '../../domains/books'),
  shop: join(import.meta.dirname, '../../domains/shop'),
  conditions: join(import.meta.dirname, '../../domains/conditions'),
  garage: join(import.meta.dirname, '../../domains/garage'),
  atRead: join(import.meta.dirname, '../../domains/at-read'),
  choir: join(import.meta.dirname, '../../domains/choir'),
  archive: join(import.meta.dirname, '../../domains/archive'),
  before: join(import.meta.dirname, '../../domains/before'),
  ledger: join(import.meta.dirname, '../../domains/ledger'),
  hospital: join(import.meta.dirname, '../../domains/hospital'),
  'reading-room': join(import.meta.dirname, '../../domains/reading-room'),
  materials: join(import.meta.dirname, '../../domains/materials'),
  fair: join(import.meta.dirname, '../../domains/fair'),
  locks: join(import.meta.dirname, '../../domains/locks'),
  commonRow: join(import.meta.dirname, '../../domains/common-row'),
  large: join(import.meta.dirname, '../../domains/large'),
  plans: join(import.meta.dirname, '../../domains/plans'),
  water: join(import.meta.dirname, '../../domains/water'),
  bakery: join(import.meta.dirname, '../../domains/bakery'),
  names: join(import.meta.dirname, '../../domains/names'),
  badges: join(import.meta.dirname, '../../domains/badges'),
  narrowing: join(import.meta.dirname, '../../domains/narrowing'),
  market: join(import.meta.dirname, '../../domains/market'),
  lending: join(import.meta.dirname, '../../domains/lending'),
  log: join(import.meta.dirname, '../../domains/log'),
  studio: join(import.meta.dirname, '../../domains/studio'),
  files: join(import.meta.dirname, '../../domains/files'),
  teams: join(import.meta.dirname, '../../domains/teams'),
  alphabet: join(import.meta.dirname, '../../domains/alphabet'),
  money: join(import.meta.dirname, '../../domains/money'),
} as const;
export type Folder = keyof typeof folders;

const registries: Partial<Record<Folder, Registry>> = {};
/** The registry of a folder; read once. */
export function registryOf(folder: Folder): Registry {
  registries[folder] ??= loadRegistry(folders[folder], ruleSignatures);
  return registries[folder];
}

export const accessToken = 'token-of-the-tests-0123456789';
const host = '127.0.0.1';

/** A service that runs, and what tests do with it. Complete once `beforeAll` has run. */
export interface Context {
  readonly registry: Registry;
  /** `http://127.0.0.1:3000/api` */
  readonly address: string;
  readonly databaseUrl: string;
  readonly isServer: boolean;
  readonly workspace: Workspace;
  /** Statements that have read outside of transactions since the start. */
  readonly reads: readonly string[];
  /** The values that were bound for each of them. */
  readonly readValues: readonly (readonly Bound[])[];
  call: Call;
  /** Creates a valid record of a group. @returns it as shown. */
  make(group: string, overrides?: Overrides, extent?: Extent): Promise<Json & { readonly id: string }>;
  /** A valid body of a create. */
  bodyOf(group: string, overrides?: Overrides, extent?: Extent): Promise<Json>;
  /** A value for one field of a group's bodies, by the field's key. */
  valueOf(group: string, key: string): Promise<unknown>;
  /** All records of a group, newest first. @param query Filters, as `&name=x`. */
  all(group: string, query?: string): Promise<(Json & { readonly id: string })[]>;
  resource(group: string): Resource;
}

interface Ground {
  readonly name: Engine;
  readonly open: (() => Promise<{ url: string; close(): Promise<void> }>) | undefined;
}

export const grounds: readonly Ground[] = databases.map(({ name, isThere, isServer, open }) => {
  const opened = async () => {
    const { url, drop } = await open();
    return { url, close: drop };
  };
  return {
    name,
    // Each file has its own turn, and many may share this module.
    get open() {
      return isThere && isTurnOf({ isServer }) ? opened : undefined;
    },
  };
});

/** The address of a server, which may take its time: a machine that is busy with other things is no fault. */
function patient(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl;
  const url = new URL(databaseUrl);
  if (!url.searchParams.has('deadlineMs')) url.searchParams.set('deadlineMs', '10000');
  return url.href;
}

/** The same database, with each statement told that reads outside of a transaction. */
function watched(database: Database, onRead: (sql: string, values: readonly Bound[]) => void): Database {
  const all: Database['all'] = (statement, values, terms) => {
    onRead(statement, values);
    return database.all(statement, values, terms);
  };
  return new Proxy(database, { get: (target, key) => (key === 'all' ? all : Reflect.get(target, key, target)) });
}

/** A service on a database of its own. */
export async function startService(
  folder: Folder,
  databaseUrl: string,
  parts: Partial<PraxisOptions> = {},
): Promise<Context & { stop(): Promise<void> }> {
  const lines: string[] = [];
  const reads: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const registry = registryOf(folder);
  const readValues: (readonly Bound[])[] = [];
  const opened = parts.database ?? (await openDatabase(patient(databaseUrl)));
  const database = watched(opened, (statement, values) => {
    reads.push(statement);
    readValues.push(values);
  });
  const setup = {
    workspaceName: 'My Company',
    workspaceCurrency: 'USD',
    adminName: 'Ada Admin',
    adminEmail: 'ada@example.com',
  };
  const connections = new ConnectionTally();
  // The registry is that of all services of this folder in this process: `startPraxis` would read it again.
  const praxis = await createPraxis({ registry, accessToken, setup, logger, connections, ...parts, database });
  const listener = praxis.app.callback();
  // Whoever stops it has had all answers.
  const limits = { stopGraceMs: 0 };
  const server = await startServer({ listener, host, port: 0, logger, limits, tally: connections });
  const address = `http://${host}:${server.port}/api`;
  const call = createClient({
    address,
    token: accessToken,
    registry,
    log: () => lines.slice(-3).join(''),
  });
  const maker = new RecordMaker(registry, call);
  const resource = (group: string): Resource => {
    const found = registry.resources.get(group);
    if (found === undefined) throw new Error(`there is no group ${group}`);
    return found;
  };
  return {
    registry,
    reads,
    readValues,
    address,
    databaseUrl,
    isServer: !databaseUrl.startsWith('sqlite'),
    call,
    make: (group, overrides, extent) => maker.make(group, overrides, extent),
    bodyOf: (group, overrides, extent) => maker.bodyOf(group, overrides, extent),
    valueOf: async (group, key) => {
      const [first = '', inner] = key.split('.');
      const outer = resource(group).byKey.get(first);
      if (inner === undefined) return outer && maker.valueOf(outer, resource(group));
      const field = outer?.kind === 'objects' ? outer.fields.find((each) => each.key === inner) : undefined;
      return field && maker.valueOf(field);
    },
    all: (group, query = '') => readAll(call, resource(group).path, query),
    resource,
    workspace: praxis.workspace,
    stop: async () => {
      call.close();
      await server.stop();
      await praxis.close();
    },
  };
}

export async function readAll(call: Call, path: string, query: string): Promise<(Json & { readonly id: string })[]> {
  const records: (Json & { readonly id: string })[] = [];
  for (;;) {
    const last = records.at(-1);
    const { status, body, text } = await call(
      'GET',
      `${path}?limit=100${query}${last === undefined ? '' : `&startingAfter=${last.id}`}`,
    );
    if (status !== 200 || !isObject(body)) throw new Error(`GET ${path} answers ${text}`);
    records.push(...(body['results'] as typeof records));
    if (body['hasMore'] !== true) return records;
  }
}

/**
 * Describes behaviour once for each database. The service is started once a describe, and stopped after it.
 * @param body Declares the tests; the context is complete only while they run.
 * @param options What is done before each service begins, and what it is started with.
 */
export function onEveryDatabase(
  name: string,
  body: (context: Context) => void,
  folder: Folder = 'test',
  { before, parts = {} }: { readonly before?: () => void; readonly parts?: Partial<PraxisOptions> } = {},
): void {
  for (const ground of grounds) {
    describe.skipIf(ground.open === undefined)(`${name} (${ground.name})`, () => {
      const context = { registry: registryOf(folder), isServer: ground.name !== 'SQLite' } as Context;
      const closing: (() => Promise<void>)[] = [];
      beforeAll(async () => {
        if (ground.open === undefined) return;
        before?.();
        const { url, close } = await ground.open();
        closing.push(close);
        const service = await startService(folder, url, parts);
        closing.unshift(service.stop);
        Object.assign(context, service);
      }, 60_000);
      afterAll(async () => {
        for (const close of closing) await close();
      }, 60_000);
      body(context);
    });
  }
}

/** One service on SQLite and on each of these servers, for tests that compare them. */
export async function startEach(
  folder: Folder,
  servers: readonly TestDatabase[] = databases.filter(({ isServer }) => isServer),
): Promise<{ services: Context[]; stop(): Promise<void> }> {
  const compared = [sqlite, ...servers.filter(({ isThere }) => isThere)];
  const opened = await Promise.all(compared.map(({ open }) => open()));
  const services = await Promise.all(opened.map(({ url }) => startService(folder, url)));
  const stop = async (): Promise<void> => {
    for (const service of services) await service.stop();
    for (const { drop } of opened) await drop();
  };
  return { services, stop };
}
