// Answers those who read the log of changes: the feed, the history of a record, all that a write did.

import { checkLimits, checkMay } from '../../access/limits.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Idempotency } from '../../engine/idempotency.ts';
import { ownOrigin } from '../../engine/log/write-log.ts';
import type { Scope } from '../../engine/transaction/scope.ts';
import { shownName } from '../../engine/transaction/shown-name.ts';
import type { WorkspaceSettings } from '../../engine/transaction/workspace.ts';
import { undoOrigin } from '../../engine/undo.ts';
import type { LogRequest, LogService, StreamRequest } from '../../http/request/service.ts';
import { feedJson, readFeed } from '../../past/feed.ts';
import { historyJson, readHistoryRequest } from '../../past/history/history.ts';
import { entriesSeen, readUndone, readWriteRequest, writeJson } from '../../past/history/writes.ts';
import { NamesOfToday } from '../../past/names.ts';
import type { LogGround, LogReader } from '../../past/page.ts';
import { readFeedRequest } from '../../past/parameters.ts';
import { type StreamTimes, streamFeed } from '../../past/stream.ts';
import { Problem, problems } from '../../problems.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { type Caller, limitKey, type Outcome } from '../../request/intent.ts';
import type { KeptEntry } from '../../storage/log/entry.ts';
import { readRenamings } from '../../storage/log/read-log.ts';
import type { Database } from '../../storage/schema/session.ts';
import type { TokenBook } from '../../storage/tokens.ts';
import type { UnitOfWork } from '../../storage/unit-of-work.ts';
import { isUuid } from '../../values/format.ts';
import { requestOptionsOf } from '../answer.ts';
import { type Answers, ok } from './answers.ts';
import { originOf, type ServiceLog } from './log.ts';
import { readerOf } from './reader.ts';
import type { Webhooks } from './webhooks.ts';

/** What of a workspace the log stands on. */
interface LoggedWorkspace {
  readonly registry: Registry;
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly engine: Engine;
  readonly book: WorkspaceSettings;
  readonly log: ServiceLog | undefined;
  readonly once: Idempotency;
  readonly tokens: TokenBook;
}

/** What the log of a workspace is read by. */
export async function groundOf(
  { registry, database, unit, book, engine }: LoggedWorkspace,
  { watch, listeners }: ServiceLog,
): Promise<LogGround> {
  const { actors } = registry;
  // Migrations are over when a service begins: no other one fits its descriptors.
  const names = new NamesOfToday(registry, await readRenamings(unit.direct));
  return {
    ...{ unit, dialect: database.dialect, watch, listeners, names },
    memberNames: async (ids) =>
      actors === undefined ? new Map() : engine.inspect((scope) => namesOf(scope, actors, ids)),
    isThere: (group, id) => engine.inspect(async ({ records }) => (await records.existing(group, [id])).has(id)),
    isEnabled: ({ feature }) => feature === undefined || book.isEnabled(feature),
  };
}

/** What references show of records, by their ids; of those that are there. */
async function namesOf(scope: Scope, group: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [id, record] of await scope.records.many(group, ids)) names.set(id, await shownName(scope, group, record));
  return names;
}

interface LogServiceParts {
  readonly workspace: LoggedWorkspace;
  readonly ground: LogGround;
  readonly webhooks: Webhooks;
  readonly times: Partial<StreamTimes> | undefined;
}

/** Makes what answers the paths of the log. */
export function createLogService({ workspace, ground, webhooks, times }: LogServiceParts): LogService {
  const routes = (segments: readonly string[]): Answers | undefined => {
    const [first, ...rest] = segments;
    switch (first) {
      case 'changes':
        return rest.length === 0 ? { GET: (request) => feed(workspace, ground, request) } : undefined;
      case 'history':
        return historyRoute(workspace, ground, rest);
      case 'writes':
        return writeRoute(workspace, ground, rest);
      case 'webhooks':
        return webhooks.route(rest);
      default:
        return undefined;
    }
  };
  return {
    methodsOf: (segments) => {
      const answers = routes(segments);
      return answers && Object.keys(answers);
    },
    answer: (request) => {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const answer = routes(request.segments)?.[method];
      if (answer === undefined) throw problems.pathUnknown();
      return answer(request);
    },
    stream: (request) =>
      request.segments.join('/') === 'changes' ? stream({ workspace, ground, times }, request) : undefined,
  };
}

async function feed(
  workspace: LoggedWorkspace,
  ground: LogGround,
  { caller, callerNow, query, method, left }: LogRequest,
): Promise<Outcome> {
  checkMay(caller, 'changes');
  const request = readFeedRequest(query, ground.names);
  const asked = method === 'HEAD' ? { ...request, waitMs: 0 } : request;
  return ok(
    feedJson(
      await readFeed(ground, asked, {
        reader: readerOf(workspace, ground, caller),
        readerNow: () => readerNow(workspace, ground, callerNow),
        limitKey: limitKey(caller),
        stop: left,
      }),
    ),
  );
}

interface StreamParts {
  readonly workspace: LoggedWorkspace;
  readonly ground: LogGround;
  readonly times: Partial<StreamTimes> | undefined;
}

function stream({ workspace, ground, times }: StreamParts, request: StreamRequest): AsyncIterable<string> {
  const { caller, query, lastEventId, callerNow, left } = request;
  checkMay(caller, 'changes');
  const asked = readFeedRequest(query, ground.names, lastEventId);
  if (asked.before !== undefined) throw problems.parameterUnknown('before');
  const reader = () => readerNow(workspace, ground, callerNow);
  return streamFeed(ground, asked, { limitKey: limitKey(caller), reader, stop: left, times });
}

/** Who follows the log, as it may at this moment; undefined where it may not any more. */
async function readerNow(
  workspace: LoggedWorkspace,
  ground: LogGround,
  callerNow: LogRequest['callerNow'],
): Promise<LogReader | undefined> {
  const now = await callerNow();
  return now !== undefined && mayFollow(now) ? readerOf(workspace, ground, now) : undefined;
}

function mayFollow(caller: Caller): boolean {
  try {
    checkMay(caller, 'changes');
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function historyRoute(workspace: LoggedWorkspace, ground: LogGround, rest: readonly string[]): Answers | undefined {
  const [path = '', id = '', ...others] = rest;
  const resource = ground.names.resourceAt(path);
  if (resource === undefined || !resource.isLogged || others.length > 0) return undefined;
  if (rest.length !== (resource.singleton ? 1 : 2)) return undefined;
  return { GET: (request) => history(workspace, ground, { resource, id, request }) };
}

interface HistoryAsked {
  readonly resource: Resource;
  readonly id: string;
  readonly request: LogRequest;
}

async function history(
  workspace: LoggedWorkspace,
  ground: LogGround,
  { resource, id: idAsSent, request }: HistoryAsked,
): Promise<Outcome> {
  const { engine } = workspace;
  checkFeature(workspace, resource);
  checkLimits(request.caller, 'history', resource);
  if (!resource.singleton && !isUuid(idAsSent)) throw problems.uuidMalformed('id');
  const wanted = readHistoryRequest(request.query);
  const { name } = resource;
  const id = await engine.inspect(async ({ records }) =>
    resource.singleton ? String((await records.whole(name, ''))?.['id'] ?? '') : idAsSent.toLowerCase(),
  );
  const asked = { resource, id, idAsSent, reader: readerOf(workspace, ground, request.caller) };
  return ok(await historyJson(ground, asked, wanted));
}

/** @throws Problem 403 where the feature of a group is off */
function checkFeature({ book }: LoggedWorkspace, { feature }: Resource): void {
  if (feature !== undefined && !book.isEnabled(feature)) throw problems.featureDisabled(feature.name);
}

/** @throws Problem 400 */
function readWriteId(id: string): string {
  if (!isUuid(id)) throw problems.uuidMalformed('id');
  return id.toLowerCase();
}

function writeRoute(
  workspace: LoggedWorkspace,
  ground: LogGround,
  [id = '', what, ...others]: readonly string[],
): Answers | undefined {
  if (id === '' || others.length > 0) return undefined;
  if (what === 'undo') return { POST: (request) => undo(workspace, ground, { id, request }) };
  if (what !== undefined) return undefined;
  return {
    GET: async ({ caller, query }) => {
      const write = readWriteId(id);
      const request = readWriteRequest(query);
      return ok(await writeJson(ground, write, { request, reader: readerOf(workspace, ground, caller) }));
    },
  };
}

async function undo(
  workspace: LoggedWorkspace,
  ground: LogGround,
  { id, request }: { readonly id: string; readonly request: LogRequest },
): Promise<Outcome> {
  const { engine, unit, once } = workspace;
  const { caller, deadline, query } = request;
  const write = readWriteId(id);
  const [name = ''] = query.split(/[=&]/);
  if (name !== '') throw problems.parameterUnknown(name);
  const options = requestOptionsOf(request, undefined, once);
  const origin = undoOrigin(originOf(workspace, request) ?? ownOrigin, write);
  let refused: KeptEntry | undefined;
  const allow = (resource: Resource, entry: KeptEntry): void => {
    const operation = backwards[entry.operation];
    refused = entry;
    checkFeature(workspace, resource);
    if (entry.data.cause.kind !== 'figure') {
      checkLimits(caller, operation, resource);
      // Nor is it judged what taking back would do to single records and fields, or what its refusals tell of others.
      const { rights } = caller;
      if (rights !== undefined && !engine.sights.of(rights).isPlainWrite(resource.name, operation))
        throw problems.accessDenied.group(operation, resource.title, null);
    }
    refused = undefined;
  };
  const carryOut = () =>
    unit.attend('write', deadline, (own) =>
      engine
        .on(own, origin)
        .undo({ caller, write, options }, (session) => readUndone(session, ground, { write, allow })),
    );
  const execute = () =>
    carryOut().catch(async (error: unknown) => {
      if (refused === undefined || caller.rights === undefined) throw error;
      // A write that is not seen is unknown; of one that is, nothing is told of a group that is not.
      const seen = await entriesSeen(ground, write, readerOf(workspace, ground, caller));
      throw seen.has(refused.id) ? error : problems.accessDenied.record('undo', 'Write', null);
    });
  return options.key === undefined ? execute() : once.answer(options.key, execute);
}

/** What takes back what. */
const backwards = { create: 'delete', update: 'update', delete: 'create', reset: 'update' } as const;
