// What a request asks, once it is known who asks: an operation of a group, or several in one request.
import type { Endpoint } from '../endpoints/endpoint.ts';
import { problems } from '../problems.ts';
import { readBody } from './body.ts';
import { base, type HttpContext } from './context.ts';
import { sendOutcome } from './reply.ts';
import type { Service } from './service.ts';
import { askedTerms } from './terms.ts';

export const batchPath = `${base}/batch`;
/** Below it: the path of a group, an id, the name of a field. */
export const explainPath = `${base}/explain/`;
const methods = 'POST, OPTIONS';
const readMethods = 'GET, HEAD, OPTIONS';

interface Asked {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly bodyLimitBytes: number;
}

/** Answers an operation of a group. @throws Problem */
export async function runEndpoint(ctx: HttpContext, { service, endpoint, id, bodyLimitBytes }: Asked): Promise<void> {
  const { caller, query, patience } = ctx.state;
  ctx.state.what = endpoint;
  if (caller === undefined) throw new Error('a request was routed without a caller');
  const { method, resource } = endpoint;
  const { feature } = resource;
  if (feature !== undefined && !service.isEnabled(feature)) throw problems.featureDisabled(feature.name);
  const terms = askedTerms(ctx.req, { method, isOfRecord: endpoint.hasId || resource.singleton });
  const target = `${method} ${ctx.req.url}`;
  const body = () => readBody(ctx.req, ctx.res, bodyLimitBytes);
  const outcome = await service.answer({ endpoint, caller, id, query, target, terms, readBody: body, patience });
  sendOutcome(ctx, outcome, terms);
}

/** Answers a batch. @param bodyLimitBytes Of the whole. @throws Problem */
export async function runBatch(ctx: HttpContext, service: Service, bodyLimitBytes: number): Promise<void> {
  const { caller, query, patience } = ctx.state;
  if (caller === undefined) throw new Error('a request was routed without a caller');
  ctx.state.what = 'batch';
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', methods);
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'POST') throw problems.methodNotAllowed(methods);
  const [name = ''] = query.split(/[=&]/);
  if (name !== '') throw problems.parameterUnknown(name);
  const terms = askedTerms(ctx.req, { method: 'POST', isOfRecord: false });
  const target = `POST ${ctx.req.url}`;
  const body = () => readBody(ctx.req, ctx.res, bodyLimitBytes);
  sendOutcome(ctx, await service.answerBatch({ caller, target, terms, readBody: body, patience }), terms);
}

/** Answers where a value comes from. @throws Problem */
export async function runExplain(ctx: HttpContext, service: Service): Promise<void> {
  const { caller, path, query, patience } = ctx.state;
  if (caller === undefined) throw new Error('a request was routed without a caller');
  ctx.state.what = 'explain';
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', readMethods);
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw problems.methodNotAllowed(readMethods);
  sendOutcome(ctx, await service.explain({ caller, path: path.slice(explainPath.length), query, patience }), {});
}
