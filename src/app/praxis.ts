// The composition root: descriptors, database, engine and HTTP are wired here and nowhere else. A service without a
// port.
import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { type Logger, pino } from 'pino';
import packageFile from '../../package.json' with { type: 'json' };
import { accessTable } from '../access/proof/table.ts';
import type { BytesInFlightLimits } from '../admission/bytes-in-flight.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { createConsole } from '../console/console.ts';
import { type Endpoint, endpointsOf } from '../endpoints/routes/endpoint.ts';
import { createHttp } from '../http/http.ts';
import type { RateLimit } from '../http/request/rate-limit.ts';
import type { Service, SignInWay } from '../http/request/service.ts';
import type { ConnectionTally } from '../metrics/connections.ts';
import { createExposition } from '../metrics/prometheus.ts';
import { RequestTally } from '../metrics/requests.ts';
import { createPages } from '../pages/pages.ts';
import type { StreamTimes } from '../past/stream.ts';
import { signInServiceOf, sweepPeople } from '../people/people.ts';
import type { ProblemCode } from '../problems/codes.ts';
import type { Registry } from '../registry/model/model.ts';
import { rules as ownRules } from '../rules/catalogue.ts';
import { sweepIdempotencyKeys } from '../storage/idempotency-keys.ts';
import { longLogBytes } from '../storage/schema/session.ts';
import { createFirstToken, type TokenBook } from '../storage/tokens.ts';
import type { WriteStatus } from '../storage/write-status.ts';
import { clockSetBackMs } from '../values/id.ts';
import type { WebhookOptions } from '../webhooks/sender.ts';
import { createActing } from './access/acting.ts';
import { documentOf } from './access/described.ts';
import { CallerRights } from './access/rights-of-callers.ts';
import { answer, createBatchAnswer } from './answer.ts';
import { createExportAnswer } from './data/export.ts';
import { createFiles, type Files, findUploadProblem } from './data/files.ts';
import { createSummaryAnswer } from './data/summary.ts';
import { type RunningLog, runLog } from './log/running.ts';
import { closedOnFailure, lookAgain, setUpWorkspace, type Workspace, type WorkspaceParts } from './workspace.ts';

/** How often a process looks for what others have changed: switches and tokens hold within 5 seconds. */
const lookEveryMs = 2000;
/** How often answers are forgotten that have been kept long enough. */
const sweepEveryMs = 10 * 60 * 1000;
/** The same for files. */
const sweepFilesEveryMs = 60 * 60 * 1000;

export interface PraxisOptions extends WorkspaceParts {
  /** Origins (`https://app.example.com`) whose pages may call the API; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** How much one token may ask of this process: so many requests in so many seconds; as much as it can by default. */
  readonly rateLimit?: RateLimit | undefined;
  /** How long the work of a request may take, in milliseconds; a minute by default. */
  readonly workTimeoutMs?: number | undefined;
  /** How long an export may take, in milliseconds, and how long its reader may take nothing of it; half an hour and a minute by default. */
  readonly exportLimitMs?: number | undefined;
  readonly exportStallMs?: number | undefined;
  /** Maximum length of the bodies and responses in memory, in all and for a caller; 64 MiB and 40 MiB by default. */
  readonly bytesInFlight?: BytesInFlightLimits | undefined;
  /** How long streams of changes do what, where it is not as usual. */
  readonly streamTimes?: Partial<StreamTimes> | undefined;
  /** How messages of webhooks are sent, where it is not as usual. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Whether answers tell what their time went to (`Server-Timing`); not by default. */
  readonly serverTiming?: boolean | undefined;
  /** Whether there is a console at `/console`; there is by default. */
  readonly console?: boolean | undefined;
  /** Where the port that the service is on counts its connections. */
  readonly connections?: ConnectionTally | undefined;
  /** Number of log lines that the process could not write, for the metrics. */
  readonly droppedLogLines?: (() => number) | undefined;
  /** Whether there are pages for people; there are by default. */
  readonly pages?: boolean | undefined;
  /** Run before every request, in this order; one that does not call `next` answers itself. */
  readonly middleware?: readonly Koa.Middleware[] | undefined;
}

/** A service without a port. */
export interface Praxis {
  /** Answers `/api/…`, `/docs`, `/console`, `/openapi.json`, `/metrics`, `/healthz` and `/readyz`: `app.listen(3000)`, or `app.callback()` elsewhere. */
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

export async function assemblePraxis(options: PraxisOptions): Promise<Praxis> {
  if (options.signIn !== undefined && options.roles === undefined)
    throw new ConfigurationFault(
      'SIGN_IN is set, but there are no roles, so members may do nothing; write them with "praxis new access".',
    );
  const logger = options.logger ?? pino({ level: 'silent' });
  const workspace = await setUpWorkspace({ ...options, logger });
  const { unit, book, tokens, clock } = workspace;
  for (const { says, todo } of workspace.database.advice) logger.warn({ todo }, says);
  await tokens.refresh(unit);
  tokens.start(unit, lookEveryMs);
  const tellStanding = standingTeller(unit.standing, logger);
  // Before the first request: a service that cannot write is not ready.
  await tellStanding();
  const tellClock = clockTeller(logger);
  const tellLog = logTeller(workspace.database, logger);
  const timer = setInterval(() => {
    void lookAgain(book, logger);
    void tellStanding();
    tellClock();
    tellLog();
  }, lookEveryMs);
  const sweep = setInterval(() => void sweepOld(workspace, logger), sweepEveryMs);
  const files = createFiles(workspace);
  const sweepOfFiles = files && setInterval(() => void files.sweep(Date.now(), logger), sweepFilesEveryMs);
  for (const each of [timer, sweep, sweepOfFiles]) each?.unref();
  clock?.start();
  const rights = new CallerRights(workspace);
  const log = await runLog({ workspace, rights, options, logger });
  const retire = async (): Promise<void> => {
    for (const each of [timer, sweep, sweepOfFiles]) clearInterval(each);
    await log?.stop();
    await tokens.stop();
    await clock?.stop();
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
  const { corsOrigins, middleware, rateLimit, serverTiming, workTimeoutMs, connections } = options;
  const { exportLimitMs, exportStallMs, bytesInFlight } = options;
  const signatures = options.rules ?? ownRules;
  const [hasPages, hasConsole] = [options.pages !== false, options.console !== false];
  const people = workspace.people && (await signInServiceOf({ ...workspace.people, unit, logger }));
  const service = serviceOf(workspace, {
    tokens,
    files,
    signatures,
    connections,
    droppedLogLines: options.droppedLogLines,
    hasPages,
    hasConsole,
    people,
    rights,
    log,
  });
  // Loaded where it is asked for: a start without it need not wait.
  const admit = rateLimit && (await import('../http/request/rate-limit.ts')).createRateLimit(rateLimit);
  const times = { serverTiming, workTimeoutMs, exportLimitMs, exportStallMs };
  const app = createHttp(service, { logger, corsOrigins, middleware, admit, bytesInFlight, ...times });
  return { app, registry: workspace.registry, workspace, createFirstToken: firstToken, retire, close };
}

interface ServiceParts {
  readonly tokens: TokenBook;
  readonly files: Files | undefined;
  readonly signatures: NonNullable<WorkspaceParts['rules']>;
  readonly hasConsole: boolean;
  readonly connections: ConnectionTally | undefined;
  readonly droppedLogLines: (() => number) | undefined;
  readonly hasPages: boolean;
  readonly rights: CallerRights;
  readonly log: RunningLog | undefined;
  readonly people: Awaited<ReturnType<typeof signInServiceOf>> | undefined;
}

function serviceOf(
  workspace: Workspace,
  { tokens, files, signatures, connections, droppedLogLines, hasPages, hasConsole, people, rights, log }: ServiceParts,
): Service {
  const { registry, book, database, unit, clock } = workspace;
  const endpoints = endpointsOf(registry);
  const tally = new RequestTally(endpoints);
  const sessions = workspace.people?.sessions;
  if (people !== undefined) tally.queues.set('password', people.passwords.queue);
  const passwordHashes = people && (() => people.passwords.made);
  const seen = { version: packageFile.version, server: database.server, database: () => database.stats() };
  const documents = new Map<boolean, ReturnType<Service['openApi']>>();
  const { roles } = workspace;
  const pages = hasPages
    ? createPages({
        ...{ registry, endpoints, signatures, hasConsole },
        hasLog: log !== undefined,
        roles: rolesTold(workspace),
      })
    : undefined;
  const consolePage = hasConsole
    ? createConsole(registry, { hasPages, signIn: people?.service.ways, hasLog: log !== undefined })
    : undefined;
  return {
    endpoints,
    files: files?.service,
    log: log?.service,
    authenticate: (token) => {
      const found = tokens.authenticate(token, Date.now()) ?? sessions?.find(token) ?? tokens.lookUp(token);
      if (found instanceof Promise) return found.then((caller) => caller && rights.of(caller));
      return found && rights.of(found);
    },
    act: createActing(workspace, rights),
    isEnabled: (feature) => book.isEnabled(feature),
    answer: (request) => answer(workspace, request),
    answerBatch: createBatchAnswer(workspace, endpoints),
    // Loaded where it is asked for, too.
    summarise: createSummaryAnswer(workspace, endpoints),
    export: createExportAnswer(workspace, endpoints),
    access: async (request) =>
      (await import('./access/access-answer.ts')).createAccessAnswer(workspace, rights)(request),
    explain: async (request) => (await import('./explain.ts')).createExplainAnswer(workspace)(request),
    isReady: async () => {
      const problem = unit.standing.problem ?? (await findUploadProblem(workspace.files));
      if (problem !== undefined) throw problem;
      return database.isAnswering().catch(() => false);
    },
    day: clock && (() => clock.report),
    hasRoles: roles !== undefined,
    openApi: (caller) => {
      const isWhole = roles !== undefined && caller !== undefined && caller.rights?.may('access') !== false;
      const signIn = people?.service.ways;
      const known = documents.get(isWhole) ?? documentBytes(workspace, { endpoints, signIn, isWhole });
      documents.set(isWhole, known);
      return known;
    },
    ...pageLookups(pages, consolePage),
    signIn: people?.service,
    tally,
    metrics: createExposition({
      ...seen,
      requests: tally,
      units: unit.tally,
      connections,
      passwordHashes,
      droppedLogLines,
      day: clock && (() => clock.report),
      log: log?.sight,
    }),
  };
}

/** Returns the functions that find the pages of the console and of the documentation; both may be off. */
const pageLookups = (
  pages: ReturnType<typeof createPages> | undefined,
  consolePage: ReturnType<typeof createConsole> | undefined,
): Pick<Service, 'page' | 'movedPage' | 'missingPage'> => ({
  page: (path) => consolePage?.(path) ?? pages?.find(path),
  movedPage: (path) => pages?.findMoved(path),
  missingPage: (path) => pages?.missing(path),
});

/** What pages tell of roles: no conditions, for whoever reads them may be anybody. */
function rolesTold({ roles, registry }: Workspace) {
  if (roles === undefined) return undefined;
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  const cells = () => {
    known ??= new Map(accessTable(roles, registry).rows.map((row) => [row.group, row.cells]));
    return known;
  };
  return { all: [...roles.byName.values()], cells };
}

/** A clock that is off by less was put right by who keeps it so. */
const leastSetBackMs = 1000;

/** Tells in the log when the clock was set back: once, unless it happens by more. */
function clockTeller(logger: Logger): () => void {
  let toldMs = leastSetBackMs;
  return () => {
    const setBackMs = clockSetBackMs();
    if (setBackMs <= toldMs) return;
    toldMs = setBackMs;
    logger.warn(
      { setBackMs },
      'clock was set back; timestamps do not advance until it catches up, unless it was set back by more than an hour',
    );
  };
}

/** Tells in the log when that of the database is long, once until it is short again: as a rule somebody reads an export slowly. */
function logTeller(database: Workspace['database'], logger: Logger): () => void {
  let isTold = false;
  return () => {
    const bytes = database.logBytes?.() ?? 0;
    const isLong = bytes > longLogBytes;
    if (isLong && !isTold)
      logger.warn({ bytes }, 'write-ahead log is long; a running export keeps it from being truncated');
    isTold = isLong;
  };
}

/** Tells in the log when nothing can be written any more, and when it can be again. */
function standingTeller(standing: WriteStatus, logger: Logger): () => Promise<void> {
  let told: ProblemCode | undefined;
  const tell = (): void => {
    const { problem } = standing;
    if (problem?.code === told) return;
    told = problem?.code;
    if (problem === undefined) logger.info('database is writable again');
    else logger.error({ code: problem.code }, problem.message);
  };
  return async () => {
    tell();
    await standing.lookAgain();
    tell();
  };
}

/** What cannot be forgotten now is the next time. */
const sweepOld = async ({ unit, people }: Workspace, logger: Logger): Promise<void> => {
  try {
    await sweepIdempotencyKeys(unit);
    if (people !== undefined) await sweepPeople(unit, people.now());
  } catch (error) {
    logger.debug({ err: error }, 'failed to delete old responses and sessions');
  }
};

interface DocumentParts {
  readonly endpoints: readonly Endpoint[];
  readonly signIn: readonly SignInWay[] | undefined;
  /** Whether its reader may read the conditions of roles. */
  readonly isWhole: boolean;
}

function documentBytes(workspace: Workspace, parts: DocumentParts): { body: Buffer; etag: string } {
  const body = Buffer.from(JSON.stringify(documentOf({ ...workspace, ...parts, hasLog: workspace.log !== undefined })));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
