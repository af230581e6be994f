// A history played to a service and to the oracle: each answer, and the fields of all records, must be what was foretold.
import { type Difference, differencesOf, Ids, isObject, type Json } from './compare.ts';
import { groupIn, type Model, modelOf } from './model.ts';
import { Random } from './random.ts';
import { Open, type Refusal } from './refusal.ts';
import { requestBy } from './requests.ts';
import type { Reply, Service } from './service.ts';
import type { Domain } from './shape.ts';
import { World } from './world.ts';
import { type Foretold, foretell, type Request } from './write.ts';

export interface Played {
  /** Those that were asked, the last of them that after which something differs. */
  readonly requests: readonly Request[];
  readonly differences: readonly Difference[];
  /** How many were answered so: `200`, `400`. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Where requests come from: by chance, or given. */
export type Source = (world: World, place: number) => Request | undefined;

export const byChance = (seed: number, place: number): Source => {
  const random = new Random(seed, place + 1_000_000);
  const batches = new Random(seed, place + 2_000_000);
  return (world, at) => {
    const request = requestBy(random, world, at);
    return request && (batches.chance(30) ? { ...request, isFollowed: true } : request);
  };
};

/** A history that is given; what names records that are not there is left out. */
export const given =
  (requests: readonly Request[]): Source =>
  (world, place) => {
    const request = requests[place];
    return request !== undefined && isThere(world, request) ? request : undefined;
  };

function isThere(world: World, { id, body }: Request): boolean {
  const ids = JSON.stringify([id, body]).match(/@\d{5}\.\d{2}/g) ?? [];
  return ids.every((each) => [...world.records.values()].some((records) => records.has(each)));
}

export const today = (): string => new Date().toISOString().slice(0, 10);

export interface Playing {
  readonly source: Source;
  readonly operations: number;
  /** After how many answers all records are compared. */
  readonly every: number;
}

/** A request that is still to be asked, in a batch with others. */
interface Waiting {
  readonly request: Request;
  readonly foretold: Foretold;
}

/** Plays until something differs, or so many requests are answered. */
export async function play(service: Service, domain: Domain, { source, operations, every }: Playing): Promise<Played> {
  const model = modelOf(domain);
  let world = new World(model, today());
  const ids = new Ids();
  const requests: Request[] = [];
  const statuses: Record<string, number> = {};
  const waiting: Waiting[] = [];
  const end = (differences: readonly Difference[]): Played => ({ requests, statuses, differences });
  const askAll = async (): Promise<readonly Difference[]> => {
    const asked = waiting.splice(0);
    const replies = await askTogether(service, model, { asked, ids });
    for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1;
    return replies.flatMap((reply, index) => {
      const { foretold } = asked[index] ?? {};
      return foretold === undefined ? [] : wrongAnswer(foretold, reply, ids);
    });
  };
  for (let place = 0; place < operations; place += 1) {
    const request = source(world, place);
    const foretold = request && tried(world, request);
    if (request === undefined || foretold === undefined) continue;
    // Nobody knows yet the ids of what a batch makes, and what is refused would undo it.
    if (waiting.length > 0 && (foretold.kind !== 'done' || !isNamed(ids.sent(request)))) {
      const wrong = await askAll();
      if (wrong.length > 0) return end(wrong);
      const differences = await wrongRecords(service, world, ids);
      if (differences.length > 0) return end(differences);
    }
    requests.push(request);
    waiting.push({ request, foretold });
    if (foretold.kind === 'done') ({ world } = foretold);
    // What effects have made is found in the lists alone, and is compared then.
    const isKnown = foretold.kind !== 'done' || isAnswered(request, world);
    if (request.isFollowed === true && foretold.kind === 'done' && isKnown && waiting.length < longestBatch) continue;
    const wrong = await askAll();
    if (wrong.length > 0) return end(wrong);
    if (foretold.kind !== 'done') continue;
    const differences = !isKnown || place % every === 0 ? await wrongRecords(service, world, ids) : [];
    if (differences.length > 0) return end(differences);
  }
  const wrong = await askAll();
  return end(wrong.length > 0 ? wrong : await wrongRecords(service, world, ids));
}

const longestBatch = 6;

/** Whether all that a request has made is in its answer. */
const isAnswered = ({ operation }: Request, { count }: World): boolean =>
  count === 0 || (count === 1 && operation === 'create');

/** Whether a request names nothing but what the service knows. */
const isNamed = (request: unknown): boolean => !/@\d{5}\.\d{2}/.test(JSON.stringify(request));

/** What is foretold; undefined for what the language leaves open. */
function tried(world: World, request: Request): Foretold | undefined {
  try {
    return foretell(world, request);
  } catch (error) {
    if (error instanceof Open) return undefined;
    throw error;
  }
}

/** @param request With the ids of the service. */
export async function ask(service: Service, model: Model, request: Request): Promise<Reply> {
  const { method, path, body } = operationOf(model, request);
  return service.ask(method, path, body);
}

/** Several in one batch. @param requests With the ids of the service. */
export const askBatch = (service: Service, model: Model, requests: readonly Request[]): Promise<Reply> =>
  service.ask('POST', '/batch', { operations: requests.map((request) => operationOf(model, request)) });

function operationOf(model: Model, { group, operation, id, body }: Request) {
  const { path } = groupIn(model, group);
  const method = { create: 'POST', update: 'PATCH', delete: 'DELETE' }[operation];
  return { method, path: id === undefined ? path : `${path}/${id}`, ...(body !== undefined && { body }) };
}

interface Together {
  readonly asked: readonly Waiting[];
  readonly ids: Ids;
}

/** One by itself; several in one batch, whose refusal is that of each of them. */
async function askTogether(service: Service, model: Model, { asked, ids }: Together): Promise<readonly Reply[]> {
  const requests = asked.map(({ request }) => ids.sent(request) as Request);
  const [first] = requests;
  if (first === undefined) return [];
  if (requests.length === 1) return [await ask(service, model, first)];
  const reply = await askBatch(service, model, requests);
  if (reply.status !== 200 || !isObject(reply.body)) return requests.map(() => reply);
  return reply.body['results'] as readonly Reply[];
}

const words = ({ status, message, errors }: Refusal): string => JSON.stringify({ status, message, errors });

function wrongAnswer(foretold: Foretold, { status, body }: Reply, ids: Ids): readonly Difference[] {
  const isDone = status === 200 || status === 204;
  if (foretold.kind === 'done') {
    if (!isDone) return [{ at: 'the answer', expected: 'that it is done', got: ids.read(JSON.stringify(body)) }];
    const { row, world } = foretold;
    if (row === undefined || !isObject(body)) return [];
    if (!ids.has(String(body['id']))) ids.learn(String(body['id']), row.id);
    return differencesOf(world, row, body, ids).map((each) => ({ ...each, at: `${each.at} in the answer` }));
  }
  const got = isObject(body)
    ? words({ status, message: String(body['message']), errors: body['errors'] as readonly string[] })
    : String(status);
  if (foretold.any.some((refusal) => words(refusal) === ids.read(got))) return [];
  const expected = foretold.any.map(words).join(' or ');
  return [{ at: 'the answer', expected, got: isDone ? 'that it is done' : ids.read(got) }];
}

/** Compares all records; those that are new to it are taken in the order of making. */
async function wrongRecords(service: Service, world: World, ids: Ids): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const [name, { path }] of world.model.groups) {
    const shown = await allOf(service, path);
    const fresh = world.rows(name).filter(({ id }) => ids.sent(id) === id);
    for (const json of shown.toReversed())
      if (!ids.has(String(json['id']))) ids.learn(String(json['id']), fresh.shift()?.id ?? '?');
    const there = new Map(shown.map((json) => [ids.own(json['id']), json]));
    for (const each of world.rows(name)) {
      const json = there.get(each.id);
      there.delete(each.id);
      if (json === undefined) differences.push({ at: `${name} ${each.id}`, expected: 'a record', got: 'none' });
      else differences.push(...differencesOf(world, each, json, ids));
    }
    for (const id of there.keys()) differences.push({ at: `${name} ${String(id)}`, expected: 'none', got: 'a record' });
  }
  return differences;
}

/** All records of a group, newest first. */
export async function allOf(service: Service, path: string): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? '' : `&startingAfter=${String(last['id'])}`;
    const { status, body } = await service.ask('GET', `${path}?limit=100${after}`);
    if (status !== 200 || !isObject(body)) throw new Error(`GET ${path} answers ${status} ${JSON.stringify(body)}`);
    all.push(...(body['results'] as Json[]));
    if (body['hasMore'] !== true) return all;
  }
}
