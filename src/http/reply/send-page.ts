// Sends pages and their files, with a strict Content-Security-Policy.
import type { HttpContext } from '../request/context.ts';
import { headerOptionsOf } from '../request/header-options.ts';
import type { Page } from '../request/service.ts';
import { codingOf } from './compress.ts';
import { isNotModified } from './preconditions.ts';

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

/** Of what a device can do, pages write to the clipboard and nothing else: nothing that could be slipped into one gets more. */
const permissions =
  'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()';

/** Answers with a page, packed for those who can unpack, or 304. Pages are asked for each time, their files once. */
export function sendPage(ctx: HttpContext, page: Page): void {
  const { req, res } = ctx;
  const coding = codingOf(req.headers['accept-encoding']);
  const packed = coding && page.packed[coding];
  // A packed body is another representation, and a strong tag is of one (RFC 9110 section 8.8.3).
  const etag = packed === undefined ? page.etag : page.etag.replace(/"$/, `-${coding}"`);
  const isKnown = isNotModified(headerOptionsOf(req, { method: 'GET', target: 'record' }), etag);
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', page.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.appendHeader('Vary', 'Accept-Encoding');
  if (isKnown) {
    ctx.status = 304;
    return;
  }
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Referrer-Policy', 'no-referrer');
  // Who opened the page, or is opened by it, cannot reach into its window.
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  res.setHeader('Permissions-Policy', permissions);
  res.setHeader('Content-Type', page.type);
  if (coding !== undefined && packed !== undefined) res.setHeader('Content-Encoding', coding);
  ctx.status = 200;
  ctx.body = packed ?? page.body;
}
