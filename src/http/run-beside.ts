// Runs what authenticated requests ask for beside operations: where a value comes from, what records come to, all records of a list.
import type { Logger } from 'pino';
import { ClientDisconnected } from '../admission/deadline.ts';
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import { logBrokenOff } from './reply/log.ts';
import { isNotModified } from './reply/preconditions.ts';
import { BrokenOff, type Patience, sendParts } from './reply/send-parts.ts';
import { callerNowOf } from './request/caller.ts';
import { base, type HttpContext } from './request/context.ts';
import { type HeaderOptions, headerOptionsOf } from './request/header-options.ts';
import type { Service } from './request/service.ts';
import { sendInTime } from './run.ts';

const readMethods = 'GET, HEAD, OPTIONS';

interface Beside {
  readonly service: Service;
  /** With readers of exports. */
  readonly patience: Patience;
  /** Minimum rate of a reader of an export. */
  readonly exportBytesPerS: number;
  readonly logger: Logger;
}

/** Below them: the path of a group, and of an explanation an id and the name of a field. */
const paths = {
  explain: `${base}/explain/`,
  summary: `${base}/summary/`,
  export: `${base}/export/`,
  /** Without a group, too: all of them. */
  access: `${base}/access/`,
} as const;

export const asideSegments = Object.keys(paths);

/** Answers what is asked for beside the operations of groups. @returns undefined where the path is none of it. @throws Problem */
export function runBeside(ctx: HttpContext, beside: Beside): Promise<void> | undefined {
  const { path } = ctx.state;
  const { service } = beside;
  if (path.startsWith(paths.explain)) return runRead(ctx, 'explain', (asked) => service.explain(asked));
  if (path.startsWith(paths.summary)) return runRead(ctx, 'summary', (asked) => service.summarise(asked));
  if (path.startsWith(paths.access) || `${path}/` === paths.access) return runAccess(ctx, service);
  return path.startsWith(paths.export) ? runExport(ctx, beside) : undefined;
}

async function runRead(ctx: HttpContext, what: keyof typeof paths, answer: Service['explain']): Promise<void> {
  const asked = askedBeside(ctx, what);
  if (asked !== undefined) await sendInTime(ctx, answer(asked), readOptions(ctx));
}

/** What the caller may do: the same until roles or their holders change. Its tag is weak, so that it can be packed. */
async function runAccess(ctx: HttpContext, service: Service): Promise<void> {
  const asked = askedBeside(ctx, 'access');
  if (asked === undefined) return;
  const options = readOptions(ctx);
  const weakened = service.access(asked).then((outcome) => {
    const { etag } = outcome;
    return etag === undefined ? outcome : { ...outcome, etag: `W/${etag}` };
  });
  await sendInTime(ctx, weakened, options);
}

const readOptions = ({ req }: HttpContext): HeaderOptions =>
  headerOptionsOf(req, { method: 'GET', target: 'untagged' });

/** @returns undefined where the methods are asked for, which is answered then */
function askedBeside(ctx: HttpContext, what: keyof typeof paths): Parameters<Service['explain']>[0] | undefined {
  const { caller, path, query, deadline } = ctx.state;
  if (caller === undefined) unreachable('a request was routed without a caller');
  ctx.state.what = what;
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', readMethods);
    ctx.status = 204;
    return undefined;
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw problems.methodNotAllowed(readMethods);
  return { caller, path: path.slice(paths[what].length), query, deadline };
}

/** Sends all records of a group. @throws Problem; ClientDisconnected where it was broken off */
async function runExport(ctx: HttpContext, { service, patience, exportBytesPerS, logger }: Beside): Promise<void> {
  const asked = askedBeside(ctx, 'export');
  if (asked === undefined) return;
  if (isNotModified(readOptions(ctx), undefined)) {
    ctx.status = 304;
    return;
  }
  const { type, fileName, send } = service.export({ ...asked, callerNow: callerNowOf(ctx.req, service) });
  const setHeaders = (): void => {
    ctx.res.setHeader('Content-Type', type);
    ctx.res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  };
  if (ctx.method === 'HEAD') {
    ctx.status = 200;
    setHeaders();
    return;
  }
  try {
    await send((parts, cursor) => {
      if (cursor !== undefined) ctx.res.setHeader('Praxis-Moment', cursor);
      return sendParts(ctx, parts, { ...patience, minBytesPerS: exportBytesPerS, setHeaders });
    });
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    logBrokenOff(logger, ctx, error);
    throw new ClientDisconnected();
  }
}
