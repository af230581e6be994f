// Raw input → Intent → Outcome, for one operation and for a batch. The body is read before the request takes a slot in
// the queue: a slow sender holds up nobody else.

import { checkLimits } from '../access/limits.ts';
import { yieldIfDue } from '../admission/event-loop.ts';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { freeJsonNames } from '../endpoints/routes/free-json.ts';
import type { Plan, Result } from '../engine/batch-request.ts';
import type { Idempotency } from '../engine/idempotency.ts';
import type { RequestBody } from '../http/request/body.ts';
import type { CallerRequest, EndpointRequest, Service } from '../http/request/service.ts';
import { fieldFault } from '../problems/field-fault.ts';
import { Problem, problems } from '../problems.ts';
import type { Feature } from '../registry/model/model.ts';
import { parseBatch } from '../request/batch.ts';
import type { BatchOperation } from '../request/batch-operation.ts';
import { parseBody } from '../request/body.ts';
import type { Caller, Intent, Outcome, RequestOptions } from '../request/intent.ts';
import { requestKey } from '../request/key.ts';
import { type Address, parseAddress } from '../request/parse.ts';
import { Filling, type NamedResult } from '../request/placeholders.ts';
import { routesOf } from '../request/route.ts';
import { withoutHidden } from '../request/shows.ts';
import { UpsertBody } from '../request/upsert.ts';
import { unreachable } from '../unreachable.ts';
import { type EntityTags, readTags } from '../values/entity-tag.ts';
import { timeOfId } from '../values/id.ts';
import { isObject, type JsonObject, type JsonValue, readJson } from '../values/json.ts';
import { type JsonLimits, unlimited } from '../values/json-limits.ts';
import { originOf } from './log/log.ts';
import type { Workspace } from './workspace.ts';

/** Answers one operation. @throws Problem */
export function answer(workspace: Workspace, request: EndpointRequest): Promise<Outcome> {
  const { engine, book } = workspace;
  const { caller, id, query } = request;
  const endpoint =
    caller.rights === undefined ? request.endpoint : engine.sights.endpoint(request.endpoint, caller.rights);
  let address = parseAddress(endpoint, id, query);
  if (address.shows !== undefined) address = visible(address, (feature) => book.isEnabled(feature));
  if (endpoint.method === 'GET') {
    const intent: Intent = { endpoint, caller, ...address, body: undefined };
    return workspace.unit.attend('read', request.deadline, (own) => engine.read(own, intent));
  }
  if (!endpoint.hasBody) return carryOut(workspace, request, { endpoint, address, sent: undefined });
  return request.readBody().then((sent) => carryOut(workspace, request, { endpoint, address, sent }));
}

interface Parsed {
  readonly endpoint: Endpoint;
  readonly address: Address;
  readonly sent: RequestBody | undefined;
}

/** A write. */
function carryOut(
  workspace: Workspace,
  request: EndpointRequest,
  { endpoint, address, sent }: Parsed,
): Promise<Outcome> {
  const { engine, unit, once, holders } = workspace;
  const { caller, options: asked, deadline } = request;
  const options = requestOptionsOf(request, sent?.bytes, once);
  const intent: Intent = {
    endpoint,
    caller,
    ...address,
    ...bodyOf(endpoint, address, sent?.json),
    options: { ...options, ifMatch: asked.ifMatch, ifNoneMatch: asked.ifNoneMatch },
  };
  const execute = (): Promise<Outcome> => {
    const writing = unit.attend('write', deadline, (own) =>
      engine.on(own, originOf(workspace, request)).execute(intent),
    );
    // A write of one statement tells nobody of its changes.
    if (holders === undefined) return writing;
    return writing.then((outcome) => {
      holders.noteChanged([endpoint.resource.name]);
      return outcome;
    });
  };
  // Who waits for another request with the same key holds up nobody else.
  if (options.key === undefined) return execute();
  return once.answer(options.key, execute).then(async (outcome) => {
    await engine.checkReplay(intent, outcome);
    return outcome;
  });
}

/** What is asked for of groups behind a feature that is off is not shown. */
const visible = (address: Address, isEnabled: (feature: Feature) => boolean): Address =>
  address.shows === undefined ? address : { ...address, shows: withoutHidden(address.shows, isEnabled) };

export function requestOptionsOf(
  { caller, target, options }: CallerRequest,
  bytes: Uint8Array | undefined,
  once: Idempotency,
): RequestOptions {
  const { key, isTrial = false, isMinimal } = options;
  // Nothing is done that could be done twice.
  return {
    isTrial,
    ...(isMinimal === true && { isMinimal }),
    key: key === undefined || isTrial ? undefined : once.withBudget(requestKey(caller, key, [target, bytes])),
  };
}

function bodyOf(
  { hasBody, resource, operation }: Endpoint,
  { given }: Address,
  json: JsonObject | undefined,
): Pick<Intent, 'body' | 'upsert'> {
  if (!hasBody || json === undefined) return { body: undefined };
  if (operation === 'put') return { body: undefined, upsert: new UpsertBody(resource, given, json) };
  return { body: parseBody(resource, operation === 'create' ? 'create' : 'update', json) };
}

/** What holds for an operation of several, besides what it says itself. */
interface Circumstances {
  readonly caller: Caller;
  readonly isTrial: boolean;
  readonly isMinimal: boolean;
  readonly isEnabled: (feature: Feature) => boolean;
}

/**
 * Makes the function that answers several operations in one request.
 * @param keepsIds Whether a create takes the `id` of its body: of commands alone, as the API gives ids itself.
 */
export function createBatchAnswer(
  workspace: Workspace,
  endpoints: readonly Endpoint[],
  { keepsIds = false }: { readonly keepsIds?: boolean } = {},
): Service['answerBatch'] {
  const { engine, unit, once, book, registry, holders } = workspace;
  const route = routesOf(endpoints);
  const settings = registry.workspace;
  const switches = settings?.byKey.get(settings.features ?? '')?.name;

  /** The features that are on behind these operations; undefined where none of them has changed the settings. */
  function switchedOn(
    operations: readonly BatchOperation[],
    results: readonly Result[],
    named: ReturnType<typeof namedResults>,
  ): readonly JsonValue[] | undefined {
    const place = results.findLastIndex(({ status }, each) => {
      const { method, path } = operations[each] ?? {};
      return status === 200 && method === 'PATCH' && path === settings?.path;
    });
    const body = named(results[place])?.body;
    const on = isObject(body) && switches !== undefined ? body[switches] : undefined;
    return Array.isArray(on) ? on : undefined;
  }

  function intentOf(operation: BatchOperation, { caller, isTrial, isMinimal, isEnabled }: Circumstances): Intent {
    const { endpoint: meant, id, query } = route(operation.method, operation.path);
    const endpoint = caller.rights === undefined ? meant : engine.sights.endpoint(meant, caller.rights);
    const { feature } = endpoint.resource;
    if (feature !== undefined && !isEnabled(feature)) throw problems.featureDisabled(feature.name);
    checkLimits(caller, endpoint.operation, endpoint.resource);
    const options: RequestOptions = { isTrial, isMinimal, ifMatch: tagsOf(operation.ifMatch) };
    const address = visible(parseAddress(endpoint, id, query), isEnabled);
    const isNamed = keepsIds && endpoint.operation === 'create';
    const { body, ...name } = isNamed ? namedBody(operation.body) : { body: operation.body };
    return { endpoint, caller, ...address, ...name, ...bodyOf(endpoint, address, body), options };
  }

  return async (request) => {
    const { caller, readBody, deadline } = request;
    const { json, bytes } = await readBody();
    const findRefusal = (operation: BatchOperation) => findRightsProblem({ route, book }, operation, caller);
    const { isAtomic, operations } = await parseBatch(json, { findRefusal, pause: yieldIfDue });
    await request.count(operations.length);
    const sizes = toBatchSizes(operations);
    const options = withoutKeyIf(sizes.isReading, requestOptionsOf(request, bytes, once));
    const names = new Map(operations.flatMap(({ as }, index) => (as === undefined ? [] : [[as, index] as const])));
    const filling = new Filling();
    const named = namedResults(endpoints);
    const plan = {
      ...{ problemFormat: request.problemFormat, hold: request.hold },
      isAtomic,
      ...sizes,
      intentOf: (index: number, results: readonly Result[]): Intent => {
        const operation = operations[index];
        if (operation === undefined) unreachable(`there is no operation ${index}`);
        if (operation.refusal !== undefined) throw operation.refusal;
        const resultOf = (name: string): NamedResult | undefined => named(results[names.get(name) ?? -1]);
        // Only what is committed is in the book.
        const isEnabled = (feature: Feature): boolean =>
          switchedOn(operations, results, named)?.includes(feature.switch) ?? book.isEnabled(feature);
        const { isTrial = false, isMinimal = false } = options;
        return intentOf(filling.fill(index, operation, resultOf), { caller, isTrial, isMinimal, isEnabled });
      },
    };
    const execute = async () => {
      const outcome = await unit.attend(plan.isReading ? 'read' : 'write', deadline, (own) =>
        engine.on(own, originOf(workspace, request)).executeAll(plan, { caller, options }),
      );
      if (!plan.isReading) holders?.forget();
      return outcome;
    };
    if (options.key === undefined) return execute();
    const outcome = await once.answer(options.key, execute);
    if (outcome.isReplayed === true) checkReplays({ engine, route }, operations, caller);
    return outcome;
  };
}

function toBatchSizes(operations: readonly BatchOperation[]): Pick<Plan, 'count' | 'writes' | 'isReading'> {
  const writes = operations.map(({ method }) => method !== 'GET');
  return { count: operations.length, writes, isReading: !writes.includes(true) };
}

/** A batch that only reads can be repeated: its response is not stored. */
const withoutKeyIf = (isReading: boolean, { key, ...others }: RequestOptions): RequestOptions =>
  isReading ? others : { ...others, key };

interface BatchRoutes {
  readonly route: ReturnType<typeof routesOf>;
  readonly book: Workspace['book'];
}

/** Returns why a caller may not do an operation; undefined if that depends on earlier answers, or on more than its group. */
function findRightsProblem(
  { route, book }: BatchRoutes,
  { method, path }: BatchOperation,
  caller: Caller,
): Problem | undefined {
  if (caller.rights === undefined) return undefined;
  try {
    const { endpoint } = route(method, path);
    const { feature } = endpoint.resource;
    if (feature === undefined || book.isEnabled(feature)) checkLimits(caller, endpoint.operation, endpoint.resource);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.status === 403 ? error : undefined;
    throw error;
  }
}

/** Takes the id out of the body of a create. @throws Problem where it is none that the service could have given */
function namedBody({ id, ...body }: JsonObject = {}) {
  if (id === undefined) return { body };
  const createdAt = typeof id === 'string' ? timeOfId(id) : undefined;
  if (typeof id !== 'string' || createdAt === undefined || createdAt > new Date().toISOString())
    throw problems.bodyInvalid([
      fieldFault('id', 'must be a UUID of version 7, and of no time to come', 'invalid-value'),
    ]);
  return { body, id: id.toLowerCase(), idAsSent: id };
}

/** Of several answers it is not told apart what each of them shows. @throws Problem 403 for who sees less than everything */
function checkReplays(
  { engine, route }: { readonly engine: Workspace['engine']; readonly route: ReturnType<typeof routesOf> },
  operations: readonly BatchOperation[],
  caller: Caller,
): void {
  const { rights } = caller;
  if (rights === undefined) return;
  const sight = engine.sights.of(rights);
  for (const { method, path } of operations) {
    const { operation, resource } = route(method, path).endpoint;
    const isWhole =
      method === 'GET' ? sight.isWhole(resource.name, operation) : sight.isPlainWrite(resource.name, operation);
    if (resource.computed === undefined && !isWhole)
      throw problems.accessDenied.record(operation, resource.title, null);
  }
}

/** Reads the answers to operations that were done, each once. */
function namedResults(endpoints: readonly Endpoint[]): (result: Result | undefined) => NamedResult | undefined {
  const parsed = new Map<Result, JsonValue>();
  let limits: JsonLimits | undefined;
  return (result) => {
    if (result === undefined || result.status >= 300) return undefined;
    const { body, etag } = result;
    if (body === undefined) return { body: undefined, etag };
    limits ??= { ...unlimited, freeNames: freeJsonNames(endpoints) };
    const json = parsed.get(result) ?? readJson(Buffer.from(body), limits);
    parsed.set(result, json);
    return { body: json, etag };
  };
}

function tagsOf(value: JsonValue | undefined): EntityTags | undefined {
  if (value === undefined) return undefined;
  const tags = typeof value === 'string' ? readTags(value) : undefined;
  if (tags === undefined) {
    const text = "'ifMatch' must be an entity tag";
    throw problems.bodyInvalid([{ text, code: 'invalid-value', pointer: undefined, pointerInOperation: '/ifMatch' }]);
  }
  return tags;
}
