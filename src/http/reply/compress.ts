// Packs answers for callers who can unpack them (RFC 9110 section 12.5.3), off the thread that answers.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Coding = 'br' | 'gzip';

/** Below it, what a packet holds in any case, nothing is gained. */
const leastBytes = 1024;

const pack: Readonly<Record<Coding, (body: Buffer | string) => Promise<Buffer>>> = {
  // At higher qualities it takes longer than it saves on the way.
  br: (body) => packBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => gzipOf(body),
};
const packBrotli = promisify<Buffer | string, { params: Record<number, number> }, Buffer>(brotliCompress);
export const gzipOf = promisify<Buffer | string, Buffer>(gzip);

/** An answer's body in another coding. @returns undefined where it is sent as it is */
export function packed(
  accepted: string | undefined,
  body: Buffer | string,
): { readonly coding: Coding; readonly body: Promise<Buffer> } | undefined {
  if (accepted === undefined || body.length < leastBytes) return undefined;
  const coding = codingOf(accepted);
  return coding && { coding, body: pack[coding](body) };
}

/** What a caller takes best, if anything. */
export function codingOf(accepted = ''): Coding | undefined {
  const [br, plain] = [weightOf(accepted, 'br'), weightOf(accepted, 'gzip')];
  if (br === 0 && plain === 0) return undefined;
  return br >= plain ? 'br' : 'gzip';
}

/** Whether a caller takes a coding, as browsers and tools write it: from 0 to 1; what is unclear is 0. */
export function weightOf(header: string, coding: Coding): number {
  let weight = 0;
  for (const part of header.split(',')) weight = Math.max(weight, weightIn(part.trim(), coding));
  return weight;
}

/** The weight is read as a number: an expression that looks for a digit above 0 is quadratic for runs of digits. */
function weightIn(part: string, coding: Coding): number {
  const [, name = '', weight = '1'] = /^([a-z]+)(?:\s*;\s*q=(1(?:\.0*)?|0(?:\.\d*)?))?$/i.exec(part) ?? [];
  return name.toLowerCase() === coding ? Number(weight) : 0;
}
