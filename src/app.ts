// The only wiring: descriptors, database, engine and HTTP meet here and nowhere else.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { ruleSignatures, rules } from './behaviours/catalogue.ts';
import type { Config } from './config.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { type Endpoint, endpointsOf } from './endpoints/endpoint.ts';
import { apiInfo, openApiDocument } from './endpoints/openapi.ts';
import { Engine } from './engine/engine.ts';
import { Groups } from './engine/groups.ts';
import { setUp } from './engine/setup.ts';
import { WorkspaceBook } from './engine/workspace.ts';
import { createHttp } from './http/http.ts';
import { startServer } from './http/server.ts';
import type { EndpointRequest, Service } from './http/service.ts';
import { patiently } from './migration/lock.ts';
import { bringUp } from './migration/start.ts';
import type { Registry } from './registry/model.ts';
import { loadRegistry } from './registry/registry.ts';
import { parseBody } from './request/body.ts';
import type { Outcome } from './request/intent.ts';
import { parseAddress } from './request/parse.ts';
import { openDatabase } from './storage/database.ts';
import { createUnitOfWork, type UnitOfWork } from './storage/run.ts';
import type { Database } from './storage/session.ts';
import { createFirstToken, prepareTokens, TokenBook } from './storage/tokens.ts';

/** Longest time of one request's work on the database, retries included. */
const deadlineMs = 10_000;
/** How often a process looks for what others have changed: switches and tokens hold within 5 seconds. */
const lookEveryMs = 2000;
const readyForMs = 1000;

/** A database that is set up for a registry, and the engine on it. */
export interface Workspace {
  readonly registry: Registry;
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly engine: Engine;
  readonly book: WorkspaceBook;
  close(): Promise<void>;
}

/**
 * Opens the database of a configuration and sets it up.
 * @throws DescriptorFaults, ConfigurationFault
 */
export async function openWorkspace(config: Config, logger?: Logger): Promise<Workspace> {
  const registry = loadRegistry(config.resources, ruleSignatures);
  const database = await openDatabase(config.databaseUrl);
  try {
    const unit = createUnitOfWork(database, { deadlineMs, ...(logger && { logger }) });
    const groups = new Groups(registry, rules, database.dialect);
    const book = new WorkspaceBook(groups, unit);
    const engine = new Engine({
      groups,
      unit,
      today: () => book.today(),
      workspaceChanged: () => lookAgain(book, logger),
    });
    await patiently(() => prepareTokens(database));
    await bringUp({
      database,
      registry,
      folder: config.migrations,
      applyAdditions: config.applyAdditions,
      onStep: (words) => logger?.info(`database: ${words}`),
    });
    await setUp({ database, unit, groups, values: { ...config.setup } });
    await book.refresh();
    return { registry, database, unit, engine, book, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What cannot be read now is read the next time; until then the settings last known hold. */
const lookAgain = (book: WorkspaceBook, logger: Logger | undefined): Promise<void> =>
  book.refresh().catch((error: unknown) => logger?.debug({ err: error }, 'settings cannot be read'));

export interface RunningPraxis {
  readonly registry: Registry;
  /** Base address of the API: `http://127.0.0.1:3000/api`. */
  readonly address: string;
  /** The first token, which is shown once: made when there was none. */
  readonly token: string | undefined;
  /** Answers what was accepted, then closes everything. */
  stop(): Promise<void>;
}

/** Starts the service. @throws DescriptorFaults, ConfigurationFault, and an Error with one line when it cannot listen. */
export async function startPraxis(config: Config, logger: Logger): Promise<RunningPraxis> {
  const workspace = await openWorkspace(config, logger);
  const { unit, book } = workspace;
  const tokens = new TokenBook({ accessToken: config.accessToken, logger });
  await tokens.refresh(unit);
  const service = serviceOf(workspace, tokens);
  const app = createHttp(service, { logger, corsOrigins: config.corsOrigins });
  const server = await startServer({ listener: app.callback(), host: config.host, port: config.port, logger }).catch(
    async (error: unknown) => {
      await workspace.close();
      throw new ConfigurationFault(error instanceof Error ? error.message : String(error), error);
    },
  );
  // Made last, because it is shown once: a start that fails must not use it up.
  const token = config.accessToken === undefined ? (await createFirstToken(unit, { name: 'first' }))?.token : undefined;
  await tokens.refresh(unit);
  tokens.start(unit, lookEveryMs);
  const timer = setInterval(() => void lookAgain(book, logger), lookEveryMs);
  timer.unref();
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  const stop = async (): Promise<void> => {
    await server.stop();
    clearInterval(timer);
    await tokens.stop();
    await workspace.close();
  };
  return { registry: workspace.registry, address: `http://${host}:${server.port}/api`, token, stop };
}

function serviceOf(workspace: Workspace, tokens: TokenBook): Service {
  const { registry, engine, book, unit } = workspace;
  const endpoints = endpointsOf(registry);
  let document: ReturnType<Service['openApi']> | undefined;
  return {
    endpoints,
    authenticate: (token) => tokens.authenticate(token, Date.now()),
    isEnabled: (feature) => book.isEnabled(feature),
    answer: (request) => answer(engine, request),
    isReady: cached(readyForMs, () => isReady(unit)),
    openApi: () => {
      document ??= documentOf(registry, endpoints);
      return document;
    },
  };
}

/** Raw input → Intent → Outcome. */
async function answer(engine: Engine, { endpoint, caller, id, query, readBody }: EndpointRequest): Promise<Outcome> {
  const address = parseAddress(endpoint, id, query);
  const body = endpoint.hasBody
    ? parseBody(endpoint.resource, endpoint.operation === 'create' ? 'create' : 'update', await readBody())
    : undefined;
  return engine.execute({ endpoint, caller, ...address, body });
}

async function isReady(unit: UnitOfWork): Promise<boolean> {
  try {
    await unit.read('select 1', []);
    return true;
  } catch {
    return false;
  }
}

/** Asks at most once in a while, however often it is asked. */
function cached<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answered: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (answered === undefined || Date.now() >= until) {
      until = Date.now() + forMs;
      answered = ask();
    }
    return answered;
  };
}

function documentOf(registry: Registry, endpoints: readonly Endpoint[]): { body: Buffer; etag: string } {
  const body = Buffer.from(JSON.stringify(openApiDocument(registry, endpoints, apiInfo)));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** A feature of the workspace and whether it is on. */
export interface FeatureState {
  readonly name: string;
  readonly switch: string;
  readonly isOn: boolean;
}

/** The features that groups hang on. */
export async function listFeatures(config: Config): Promise<FeatureState[]> {
  const workspace = await openWorkspace(config);
  try {
    return featuresOf(workspace);
  } finally {
    await workspace.close();
  }
}

/** Turns a feature on or off, by its name or its switch. @throws ConfigurationFault when there is no such feature. */
export async function setFeature(config: Config, name: string, isOn: boolean): Promise<FeatureState> {
  const workspace = await openWorkspace(config);
  try {
    const features = featuresOf(workspace);
    const meant = features.find(
      (feature) => feature.switch === name || feature.name.toLowerCase() === name.toLowerCase(),
    );
    if (meant === undefined)
      throw new ConfigurationFault(
        `there is no feature "${name}"; known: ${features.map((feature) => feature.switch).join(', ')}`,
      );
    const on = features.filter((feature) => (feature === meant ? isOn : feature.isOn)).map((feature) => feature.switch);
    const endpoint = endpointsOf(workspace.registry).find(
      ({ resource, operation }) => resource.isWorkspace && operation === 'update',
    );
    if (endpoint === undefined)
      throw new ConfigurationFault('no descriptor says "workspace": true with the operation "update"');
    const body = parseBody(endpoint.resource, 'update', { features: on });
    await workspace.engine.execute({
      endpoint,
      caller: { tokenId: 'cli', memberId: null },
      ...parseAddress(endpoint, '', ''),
      body,
    });
    return { ...meant, isOn };
  } finally {
    await workspace.close();
  }
}

function featuresOf({ registry, book }: Workspace): FeatureState[] {
  const features = new Map(
    [...registry.resources.values()].flatMap(({ feature }) =>
      feature === undefined ? [] : [[feature.switch, feature] as const],
    ),
  );
  return [...features.values()].map((feature) => ({
    name: feature.name,
    switch: feature.switch,
    isOn: book.isEnabled(feature),
  }));
}
