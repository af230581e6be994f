// Files over HTTP: bytes in by POST, and out again as an attachment that no browser runs.
import type { Logger } from 'pino';
import { ClientDisconnected } from '../admission/deadline.ts';
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import { readTags } from '../values/entity-tag.ts';
import { logBrokenOff } from './reply/log.ts';
import { isNotModified } from './reply/preconditions.ts';
import { BrokenOff, type Patience, sendParts } from './reply/send-parts.ts';
import { bodyParts } from './request/body.ts';
import { base, type HttpContext } from './request/context.ts';
import { fileNameIn } from './request/file-name.ts';
import { headerOptionsOf } from './request/header-options.ts';
import { rangeIn } from './request/range.ts';
import type { FileService, Service } from './request/service.ts';
import { originOf, sendInTime } from './run.ts';

const path = `${base}/files`;

interface Parts {
  readonly service: Pick<Service, 'files'>;
  readonly patience: Patience;
  readonly logger: Logger;
}

/** Answers what is asked of files, but for their list. @returns undefined where the path is none of it. @throws Problem */
export function runFiles(ctx: HttpContext, { service: { files }, ...parts }: Parts): Promise<void> | undefined {
  const asked = ctx.state.path;
  if (files === undefined || !asked.startsWith(path)) return undefined;
  if (asked === path) {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return undefined;
    return upload(ctx, files);
  }
  return asked.startsWith(`${path}/`)
    ? download(ctx, { ...parts, files, id: asked.slice(path.length + 1) })
    : undefined;
}

/** Whether the request is answered, because it asks what may be asked. @throws Problem 405 */
function answersMethods(ctx: HttpContext, own: readonly string[], methods: string): boolean {
  ctx.state.what = 'file';
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', methods);
    ctx.status = 204;
    return true;
  }
  if (!own.includes(ctx.method)) throw problems.methodNotAllowed(methods);
  const [name = ''] = ctx.state.query.split(/[=&]/);
  if (name !== '') throw problems.parameterUnknown(name);
  return false;
}

async function upload(ctx: HttpContext, files: FileService): Promise<void> {
  if (answersMethods(ctx, ['POST'], 'GET, HEAD, POST, OPTIONS')) return;
  const { req, res } = ctx;
  const { caller, deadline } = ctx.state;
  if (caller === undefined) unreachable('a request was routed without a caller');
  const options = headerOptionsOf(req, { method: 'POST', target: 'untagged' });
  const said = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (said !== undefined && (said.startsWith('multipart/') || said === 'application/x-www-form-urlencoded'))
    throw problems.fileTypeWrong(said, undefined);
  const fileName = fileNameIn(req.headers['content-disposition']);
  const asked = { caller, target: `POST ${req.url}`, options, deadline, ...originOf(ctx) };
  const parts = () => bodyParts(req, res, files.limitBytes);
  await sendInTime(ctx, files.upload({ ...asked, fileName, said, parts }), options);
}

interface Download {
  readonly files: FileService;
  readonly id: string;
  readonly patience: Patience;
  readonly logger: Logger;
}

async function download(ctx: HttpContext, { files, id, patience, logger }: Download): Promise<void> {
  if (answersMethods(ctx, ['GET', 'HEAD'], 'GET, HEAD, OPTIONS')) return;
  const { caller, deadline } = ctx.state;
  if (caller === undefined) unreachable('a request was routed without a caller');
  const options = headerOptionsOf(ctx.req, { method: 'GET', target: 'record' });
  const file = await files.find(id, { caller, deadline });
  const { res } = ctx;
  const etag = `"${file.sha256}"`;
  const isKnown = isNotModified(options, etag);
  res.setHeader('ETag', etag);
  // The bytes of an id are always the same; whether they may be had is asked each time.
  res.setHeader('Cache-Control', 'private, no-cache');
  if (isKnown) {
    ctx.status = 304;
    return;
  }
  const { headers } = ctx.req;
  const range = isCurrent(ctx.get('If-Range'), etag) ? rangeIn(headers.range, file.size) : undefined;
  const { from, to } = range ?? { from: 0, to: file.size - 1 };
  const setHeaders = (): void => {
    ctx.status = range === undefined ? 200 : 206;
    // It sets a type by the ending of the name, too, which says nothing.
    ctx.attachment(file.fileName);
    res.setHeader('Content-Type', file.contentType);
    res.setHeader('Content-Length', to - from + 1);
    res.setHeader('Accept-Ranges', 'bytes');
    res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
    if (range !== undefined) res.setHeader('Content-Range', `bytes ${from}-${to}/${file.size}`);
  };
  if (ctx.method === 'HEAD') {
    setHeaders();
    return;
  }
  try {
    await sendParts(ctx, file.read({ from, to }), { ...patience, setHeaders });
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    logBrokenOff(logger, ctx, error);
    throw new ClientDisconnected();
  }
}

/** Whether a part of what the caller has is a part of this, too. A date never is: files have none here. */
const isCurrent = (ifRange: string, etag: string): boolean =>
  ifRange === '' || (!ifRange.startsWith('W/') && readTags(ifRange)?.includes(etag) === true);
