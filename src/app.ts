// The only wiring: descriptors, database, engine and HTTP meet here and nowhere else.
import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { type Logger, pino } from 'pino';
import { rules as ownRules, ruleSignatures } from './behaviours/catalogue.ts';
import type { Rule } from './behaviours/rule.ts';
import { type Config, defaultSetup } from './config.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { components } from './endpoints/components.ts';
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
import { createPages } from './pages/pages.ts';
import type { Registry } from './registry/model.ts';
import { loadRegistry } from './registry/registry.ts';
import { parseBody } from './request/body.ts';
import type { Outcome } from './request/intent.ts';
import { parseAddress } from './request/parse.ts';
import { openDatabase } from './storage/database.ts';
import { createUnitOfWork, type UnitOfWork } from './storage/run.ts';
import type { Database } from './storage/session.ts';
import { createFirstToken, prepareTokens, TokenBook } from './storage/tokens.ts';

/** No further try of a unit of work begins after this time. */
const deadlineMs = 10_000;
/** How often a process looks for what others have changed: switches and tokens hold within 5 seconds. */
const lookEveryMs = 2000;

/** A database that is set up for a registry, and the engine on it. */
export interface Workspace {
  readonly registry: Registry;
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly engine: Engine;
  readonly book: WorkspaceBook;
  close(): Promise<void>;
}

interface WorkspaceParts {
  readonly registry: Registry;
  readonly database: Database;
  /** Rules by the names that the descriptors of `registry` use; the catalogue's own by default. */
  readonly rules?: Readonly<Record<string, Rule>> | undefined;
  /** Used once, for the first records of a new database. */
  readonly setup?: Config['setup'] | undefined;
  /** Folder of migrations; without one, a database is only set up and added to. */
  readonly migrations?: string | undefined;
  /** Whether a start adds to a server database that holds records what the descriptors have more. */
  readonly applyAdditions?: boolean | undefined;
  /** Whether somebody is at work on the descriptors; see `bringUp`. */
  readonly isTrial?: boolean | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Opens the database of a configuration and sets it up.
 * @throws DescriptorFaults, ConfigurationFault
 */
export async function openWorkspace(config: Config, logger?: Logger): Promise<Workspace> {
  const registry = loadRegistry(config.resources, ruleSignatures);
  const database = await openDatabase(config.databaseUrl);
  return closedOnFailure(database, setUpWorkspace({ ...config, registry, database, logger }));
}

/** A database that cannot be used must not keep the process alive. */
async function closedOnFailure<T>(database: Database, made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function setUpWorkspace(parts: WorkspaceParts): Promise<Workspace> {
  const { registry, database, rules, setup, migrations, applyAdditions, isTrial, logger } = parts;
  // Two things of one name in the document stop the start before a table is made.
  components(registry);
  const unit = createUnitOfWork(database, { deadlineMs, ...(logger && { logger }) });
  const groups = new Groups(registry, rules ?? ownRules, database.dialect);
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
    folder: migrations,
    applyAdditions: applyAdditions === true,
    isTrial,
    onStep: (words) => logger?.info(`database: ${words}`),
  });
  await setUp({ database, unit, groups, values: { ...(setup ?? defaultSetup) } });
  await book.refresh();
  return { registry, database, unit, engine, book, close: () => database.close() };
}

/** What cannot be read now is read the next time; until then the settings last known hold. */
const lookAgain = (book: WorkspaceBook, logger: Logger | undefined): Promise<void> =>
  book.refresh().catch((error: unknown) => logger?.debug({ err: error }, 'settings cannot be read'));

export interface PraxisOptions extends WorkspaceParts {
  /** A token that is always accepted, belonging to no member; others are made with `praxis token create`. */
  readonly accessToken?: string | undefined;
  /** Origins (`https://app.example.com`) whose pages may call the API; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Run before every request, in this order; one that does not call `next` answers itself. */
  readonly middleware?: readonly Koa.Middleware[] | undefined;
}

/** A service without a port. */
export interface Praxis {
  /** Answers `/api/…`, `/docs`, `/openapi.json`, `/healthz` and `/readyz`: `app.listen(3000)`, or `app.callback()` elsewhere. */
  readonly app: Koa;
  readonly registry: Registry;
  readonly workspace: Workspace;
  /** Makes the first token, to be shown once; undefined when there is a token already, or `accessToken` was given. */
  createFirstToken(): Promise<string | undefined>;
  /** Stops looking for what other processes have changed, and leaves the database open. */
  retire(): Promise<void>;
  /** Closes the database. Requests that run then are answered 503. */
  close(): Promise<void>;
}

/**
 * The application of a registry on a database, which is set up when it is new.
 * @throws ConfigurationFault when the database does not fit the registry, or its first records cannot be made.
 */
export function createPraxis(options: PraxisOptions): Promise<Praxis> {
  return closedOnFailure(options.database, assemblePraxis(options));
}

async function assemblePraxis(options: PraxisOptions): Promise<Praxis> {
  const logger = options.logger ?? pino({ level: 'silent' });
  const workspace = await setUpWorkspace({ ...options, logger });
  const { unit, book } = workspace;
  const tokens = new TokenBook({ accessToken: options.accessToken, logger });
  await tokens.refresh(unit);
  tokens.start(unit, lookEveryMs);
  const timer = setInterval(() => void lookAgain(book, logger), lookEveryMs);
  timer.unref();
  const retire = async (): Promise<void> => {
    clearInterval(timer);
    await tokens.stop();
  };
  const close = async (): Promise<void> => {
    await retire();
    await workspace.close();
  };
  const firstToken = async (): Promise<string | undefined> => {
    if (options.accessToken !== undefined) return undefined;
    const made = await createFirstToken(unit, { name: 'first' });
    await tokens.refresh(unit);
    return made?.token;
  };
  const { corsOrigins, middleware } = options;
  const app = createHttp(serviceOf(workspace, tokens, options.rules ?? ownRules), { logger, corsOrigins, middleware });
  return { app, registry: workspace.registry, workspace, createFirstToken: firstToken, retire, close };
}

export interface RunningPraxis {
  readonly registry: Registry;
  /** Base address of the API: `http://127.0.0.1:3000/api`. */
  readonly address: string;
  /** The first token, which is shown once: made when there was none. */
  readonly token: string | undefined;
  /**
   * Reads the descriptors again, brings the database to them, and serves them from the next request on. Goes on as before
   * when that fails. @throws DescriptorFaults, ConfigurationFault
   */
  reload(): Promise<Registry>;
  /** Answers what was accepted, then closes everything. */
  stop(): Promise<void>;
}

/** Starts the service. @throws DescriptorFaults, ConfigurationFault, and an Error with one line when it cannot listen. */
export async function startPraxis(config: Config, logger: Logger): Promise<RunningPraxis> {
  const load = (): Registry => loadRegistry(config.resources, ruleSignatures);
  const registry = load();
  const database = await openDatabase(config.databaseUrl);
  const options = { ...config, database, logger };
  let praxis = await createPraxis({ ...options, registry });
  let listener = praxis.app.callback();
  const server = await startServer({
    listener: (req, res) => listener(req, res),
    host: config.host,
    port: config.port,
    logger,
  }).catch(async (error: unknown) => {
    await praxis.close();
    throw new ConfigurationFault(error instanceof Error ? error.message : String(error), error);
  });
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  return {
    registry,
    address: `http://${host}:${server.port}/api`,
    // Made last, because it is shown once: a start that fails must not use it up.
    token: await praxis.createFirstToken(),
    reload: async () => {
      const next = await assemblePraxis({ ...options, registry: load(), isTrial: true });
      const before = praxis;
      praxis = next;
      listener = next.app.callback();
      // Requests under way end on the database that both use.
      await before.retire();
      return next.registry;
    },
    stop: async () => {
      await server.stop();
      await praxis.close();
    },
  };
}

function serviceOf(workspace: Workspace, tokens: TokenBook, signatures: NonNullable<WorkspaceParts['rules']>): Service {
  const { registry, book, database } = workspace;
  const endpoints = endpointsOf(registry);
  let document: ReturnType<Service['openApi']> | undefined;
  return {
    endpoints,
    authenticate: (token) => tokens.authenticate(token, Date.now()),
    isEnabled: (feature) => book.isEnabled(feature),
    answer: (request) => answer(workspace, request),
    isReady: () => database.isAnswering().catch(() => false),
    openApi: () => {
      document ??= documentOf(registry, endpoints);
      return document;
    },
    page: createPages({ registry, endpoints, signatures }),
  };
}

/** Raw input → Intent → Outcome. What the caller alone can hold up, the body, comes before it takes a place. */
async function answer({ engine, unit }: Workspace, request: EndpointRequest): Promise<Outcome> {
  const { endpoint, caller, id, query, readBody, patience } = request;
  const address = parseAddress(endpoint, id, query);
  const body = endpoint.hasBody
    ? parseBody(endpoint.resource, endpoint.operation === 'create' ? 'create' : 'update', await readBody())
    : undefined;
  const purpose = endpoint.method === 'GET' ? 'read' : 'write';
  return unit.attend(purpose, patience, () => engine.execute({ endpoint, caller, ...address, body }));
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
    if (!(await workspace.engine.switchFeature(meant.switch, isOn)))
      throw new ConfigurationFault('no descriptor says "workspace": true');
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
