// A page as it is sent: rendered once at the first request, cached as bytes.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipBytes } from 'node:zlib';

/** What a path answers with. */
export interface Page {
  /** With its charset. */
  readonly type: string;
  readonly body: Buffer;
  /** The same, packed in two ways; none where that saves nothing. */
  readonly packed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>;
  /** With its quotes. */
  readonly etag: string;
  /** The address changes with the content, so that browsers may keep it for good. */
  readonly isLasting: boolean;
}

const [pack, packTighter] = [promisify(gzipBytes), promisify(brotliCompress)];
/** Of Brotli: what is asked for before anything is shown may take longer. */
const [tight, quick] = [10, 4].map((quality) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
const worthPackingBytes = 1000;

/** A short text that is another one for other bytes. */
export const digest = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Packs bytes for sending. Off the main thread: the largest file takes a tenth of a second. */
export async function pageOf(type: string, body: Buffer, isLasting = false): Promise<Page> {
  const isFirst = isLasting || type.startsWith('application/json');
  const isWorth = body.length >= worthPackingBytes;
  const [br, gzip] = isWorth
    ? await Promise.all([packTighter(body, (isFirst ? tight : quick) ?? {}), pack(body, { level: 9 })])
    : [];
  return Object.freeze({
    type,
    body,
    packed: { ...(br && gzip && { br, gzip }) },
    etag: `"${digest(body)}"`,
    isLasting,
  });
}

/** Calls a function at most once, and again only after it has failed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
