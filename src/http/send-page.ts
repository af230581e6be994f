// Pages and their files: for browsers, which are told to trust nothing but us.
import type { HttpContext } from './context.ts';
import type { Page } from './service.ts';

/** Scripts, styles and requests of our own alone, nothing written into the document; `data:` for arrows in style sheets. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers with a page, packed for those who can unpack, or 304. Pages are asked for each time, their files once. */
export function sendPage(ctx: HttpContext, page: Page): void {
  const { req, res } = ctx;
  const packed = acceptsGzip(req.headers['accept-encoding']) ? page.gzip : undefined;
  // A packed body is another representation, and a strong tag is of one (RFC 9110 section 8.8.3).
  const etag = packed === undefined ? page.etag : page.etag.replace(/"$/, '-gzip"');
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', page.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.appendHeader('Vary', 'Accept-Encoding');
  if (isKnown(req.headers['if-none-match'], etag)) {
    ctx.status = 304;
    return;
  }
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Content-Type', page.type);
  if (packed !== undefined) res.setHeader('Content-Encoding', 'gzip');
  ctx.status = 200;
  ctx.body = packed ?? page.body;
}

/** RFC 9110 section 12.5.3, as browsers and tools write it; what is unclear is answered unpacked. */
const acceptsGzip = (header: string | undefined): boolean =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?(?:,|$)/i.test(header ?? '');

/** RFC 9110 section 13.1.2: a list of tags, compared weakly. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
