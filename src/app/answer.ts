// Raw input → Intent → Outcome, for a request that means one operation and for one that means several. What the caller alone can
// hold up, the body, comes before it takes a place.
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Result } from '../engine/together.ts';
import type { CallerRequest, EndpointRequest, Service } from '../http/service.ts';
import { problems } from '../problems.ts';
import type { Feature } from '../registry/model.ts';
import { parseBatch } from '../request/batch.ts';
import type { BatchOperation } from '../request/batch-operation.ts';
import { parseBody } from '../request/body.ts';
import type { Caller, Intent, Outcome, Terms } from '../request/intent.ts';
import { requestKey } from '../request/key.ts';
import { parseAddress } from '../request/parse.ts';
import { Filling, type NamedResult } from '../request/placeholders.ts';
import { routesOf } from '../request/route.ts';
import { type EntityTags, readTags } from '../values/entity-tag.ts';
import { isObject, type JsonObject, type JsonValue, readJson } from '../values/json.ts';
import type { Workspace } from './workspace.ts';

/** Answers one operation. @throws Problem */
export async function answer({ engine, unit, once }: Workspace, request: EndpointRequest): Promise<Outcome> {
  const { endpoint, caller, id, query, terms: asked, readBody, deadline } = request;
  const address = parseAddress(endpoint, id, query);
  const sent = endpoint.hasBody ? await readBody() : undefined;
  const terms = termsOf(request, sent?.bytes);
  const intent: Intent = {
    endpoint,
    caller,
    ...address,
    body: bodyOf(endpoint, sent?.json),
    terms: { ...terms, ifMatch: asked.ifMatch },
  };
  const purpose = endpoint.method === 'GET' ? 'read' : 'write';
  const execute = () => unit.attend(purpose, deadline, (own) => engine.on(own).execute(intent));
  // Who waits for another request with the same key holds up nobody else.
  return terms.key === undefined ? execute() : once.answer(terms.key, execute);
}

function termsOf({ caller, target, terms }: CallerRequest, bytes: Uint8Array | undefined): Terms {
  const { key, isTrial = false } = terms;
  // Nothing is done that could be done twice.
  return { isTrial, key: key === undefined || isTrial ? undefined : requestKey(caller, key, [target, bytes]) };
}

const bodyOf = ({ hasBody, resource, operation }: Endpoint, json: JsonObject | undefined): Intent['body'] =>
  hasBody && json !== undefined ? parseBody(resource, operation === 'create' ? 'create' : 'update', json) : undefined;

/** What holds for an operation of several, besides what it says itself. */
interface Circumstances {
  readonly caller: Caller;
  readonly isTrial: boolean;
  readonly isEnabled: (feature: Feature) => boolean;
}

/** Makes the function that answers several operations in one request. */
export function createBatchAnswer(
  { engine, unit, once, book, registry }: Workspace,
  endpoints: readonly Endpoint[],
): Service['answerBatch'] {
  const route = routesOf(endpoints);
  const { workspace } = registry;
  const switches = workspace?.byKey.get(workspace.features ?? '')?.name;

  /** The features that are on behind these operations; undefined where none of them has changed the settings. */
  function switchedOn(
    operations: readonly BatchOperation[],
    results: readonly Result[],
  ): readonly JsonValue[] | undefined {
    const place = results.findLastIndex(({ status }, each) => {
      const { method, path } = operations[each] ?? {};
      return status === 200 && method === 'PATCH' && path === workspace?.path;
    });
    const settings = namedResult(results[place])?.body;
    const on = isObject(settings) && switches !== undefined ? settings[switches] : undefined;
    return Array.isArray(on) ? on : undefined;
  }

  function intentOf(operation: BatchOperation, { caller, isTrial, isEnabled }: Circumstances): Intent {
    const { endpoint, id, query } = route(operation.method, operation.path);
    const { feature } = endpoint.resource;
    if (feature !== undefined && !isEnabled(feature)) throw problems.featureDisabled(feature.name);
    const terms: Terms = { isTrial, ifMatch: tagsOf(operation.ifMatch) };
    const body = bodyOf(endpoint, operation.body);
    return { endpoint, caller, ...parseAddress(endpoint, id, query), body, terms };
  }

  return async (request) => {
    const { caller, readBody, deadline } = request;
    const { json, bytes } = await readBody();
    const { isAtomic, operations } = parseBatch(json);
    await request.count(operations.length);
    const terms = termsOf(request, bytes);
    const names = new Map(operations.flatMap(({ as }, index) => (as === undefined ? [] : [[as, index] as const])));
    const filling = new Filling();
    const plan = {
      isAtomic,
      isReading: operations.every(({ method }) => method === 'GET'),
      count: operations.length,
      intentOf: (index: number, results: readonly Result[]): Intent => {
        const operation = operations[index];
        if (operation === undefined) throw new Error(`there is no operation ${index}`);
        const resultOf = (name: string): NamedResult | undefined => namedResult(results[names.get(name) ?? -1]);
        // Only what is committed is in the book.
        const isEnabled = (feature: Feature): boolean =>
          switchedOn(operations, results)?.includes(feature.switch) ?? book.isEnabled(feature);
        const isTrial = terms.isTrial === true;
        return intentOf(filling.fill(index, operation, resultOf), { caller, isTrial, isEnabled });
      },
    };
    const execute = () =>
      unit.attend(plan.isReading ? 'read' : 'write', deadline, (own) =>
        engine.on(own).executeAll(plan, { caller, terms }),
      );
    return terms.key === undefined ? execute() : once.answer(terms.key, execute);
  };
}

const parsed = new WeakMap<Result, JsonValue>();

/** The answer to an operation that was done. */
function namedResult(result: Result | undefined): NamedResult | undefined {
  if (result === undefined || result.status >= 300) return undefined;
  const { body, etag } = result;
  if (body === undefined) return { body: undefined, etag };
  const json = parsed.get(result) ?? readJson(Buffer.from(body));
  parsed.set(result, json);
  return { body: json, etag };
}

function tagsOf(value: JsonValue | undefined): EntityTags | undefined {
  if (value === undefined) return undefined;
  const tags = typeof value === 'string' ? readTags(value) : undefined;
  if (tags === undefined) throw problems.bodyInvalid(["'ifMatch' must be an entity tag"]);
  return tags;
}
