// From path and method to an endpoint, by map: the cost does not grow with the number of groups. Anything else (HEAD,
// OPTIONS, wrong methods, odd paths) goes to the group's @koa/router, chosen by the first segment.
import Router, { type RouterContext } from '@koa/router';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { problems } from '../problems.ts';
import { base, type Exchange, type HttpContext } from './request/context.ts';

/** Answers a request whose path and method are known; `id` is '' for endpoints without one. */
export type Run = (ctx: HttpContext, endpoint: Endpoint, id: string) => Promise<void>;
type Dispatch = (ctx: HttpContext) => Promise<unknown>;

/** What is answered below the base beside the operations of groups. */
export interface Others {
  /** First segments of paths that may be no group's: these are looked at first. */
  readonly segments: ReadonlySet<string>;
  /** @returns undefined where it is a group's after all. @throws Problem */
  answer(ctx: HttpContext): Promise<void> | undefined;
  /** Answers paths of no group. */
  readonly last: (ctx: HttpContext) => Promise<void>;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * Makes the function that runs the endpoint of a request below the base. OPTIONS on a known path answers 204 with
 * Allow, HEAD is GET (Koa leaves the body out). Allow names every method that is answered, HEAD and OPTIONS among them.
 * @param others What is no group's.
 * @throws Problem path-unknown, method-not-allowed (also for methods that @koa/router would answer 501).
 */
export function createRouter(
  endpoints: readonly Endpoint[],
  run: Run,
  others: Others = { segments: new Set(), answer: () => undefined, last: refuse },
): (ctx: HttpContext) => Promise<unknown> {
  const groups = new Map<string, Dispatch>();
  for (const [segment, members] of Map.groupBy(endpoints, (endpoint) => firstSegment(endpoint.path))) {
    groups.set(segment, createGroup(members, run));
  }
  // Met to the letter: `clients`, or `clients/` and an id without escapes.
  const plain = new Map(
    endpoints
      .filter(({ path }) => !others.segments.has(firstSegment(path)))
      .map((endpoint) => [keyOf(endpoint.method, endpoint.path.slice(1), endpoint.hasId), endpoint]),
  );
  return (ctx) => {
    const path = ctx.state.path.slice(base.length + 1);
    const end = path.indexOf('/') + 1;
    const id = end === 0 ? '' : path.slice(end);
    const endpoint = plain.get(`${ctx.req.method} ${end === 0 ? path : path.slice(0, end)}`);
    if (endpoint !== undefined && (end === 0 || plainId.test(id))) return run(ctx, endpoint, id);
    const answering = others.answer(ctx);
    if (answering !== undefined) return answering;
    const dispatch = groups.get(firstSegment(`/${path}`));
    return dispatch === undefined ? others.last(ctx) : dispatch(ctx);
  };
}

const plainId = /^[\w-]+$/;

const refuse = async (): Promise<never> => {
  throw problems.pathUnknown();
};

const keyOf = (method: string, path: string, hasId: boolean): string =>
  `${method} ${hasId ? path.replace(/[{]id[}]$/, '') : path}`;

/** `/clients/{id}` → `clients`. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end);
}

/** Full paths, since a prefix with the path '' throws on each request. */
function createGroup(endpoints: readonly Endpoint[], run: Run): Dispatch {
  const router = new Router<Exchange>({ sensitive: true, strict: true });
  const allowed = new Map<string, Set<string>>();
  // Fixed paths before those with an id, which would take them.
  for (const endpoint of endpoints.toSorted((one, other) => Number(one.hasId) - Number(other.hasId))) {
    const path = base + endpoint.path.replace('{id}', ':id');
    router[verbs[endpoint.method]](path, (ctx) => run(ctx, endpoint, ctx.params.id ?? ''));
    const methods = allowed.get(path) ?? new Set(['OPTIONS']);
    allowed.set(path, methods.add(endpoint.method));
    if (endpoint.method === 'GET') methods.add('HEAD');
  }
  const dispatch = router.routes();
  return (ctx) => {
    // Else the router takes Koa's path, which has lost a `#` and what follows.
    const routed = Object.assign(ctx, { newRouterPath: ctx.state.path }) as RouterContext<Exchange>;
    return dispatch(routed, async () => answerOther(routed, allowed));
  };
}

/** Called when no route has path and method. */
function answerOther(ctx: RouterContext<Exchange>, allowed: ReadonlyMap<string, ReadonlySet<string>>): void {
  const methods = allowed.get(String(ctx.matched?.[0]?.path));
  if (methods === undefined) throw problems.pathUnknown();
  const allow = order.filter((method) => methods.has(method)).join(', ');
  if (ctx.method !== 'OPTIONS') throw problems.methodNotAllowed(allow);
  ctx.res.setHeader('Allow', allow);
  ctx.status = 204;
}
