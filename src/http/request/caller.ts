// Authentication. Reads raw headers: of two equal ones Node silently keeps the first, and a proxy in front may have
// looked at the other.
import type { IncomingMessage } from 'node:http';
import { problems } from '../../problems.ts';
import type { Caller } from '../../request/intent.ts';
import type { Service } from './service.ts';

/** Headers that decide who is meant, by whom and how much, each with its bit in the set of those seen. */
const singular: Readonly<Record<string, { readonly bit: number; readonly name: string }>> = {
  host: { bit: 1, name: 'Host' },
  authorization: { bit: 2, name: 'Authorization' },
  'content-type': { bit: 4, name: 'Content-Type' },
  'content-length': { bit: 8, name: 'Content-Length' },
  'if-match': { bit: 16, name: 'If-Match' },
  'idempotency-key': { bit: 32, name: 'Idempotency-Key' },
  'praxis-member': { bit: 64, name: 'Praxis-Member' },
};

/**
 * Refuses what could be understood in two ways.
 * @throws Problem 400 for a header of `singular` given twice, no Host in HTTP/1.1 (RFC 9112 section 3.2), and a
 * transfer coding besides `chunked`, which Node would hand on undecoded; 417 for an unknown expectation.
 */
export function checkHeaders(req: IncomingMessage): void {
  let seen = 0;
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const length = req.rawHeaders[index]?.length ?? 0;
    if (length !== 4 && length !== 8 && (length < 12 || length > 15)) continue;
    const header = singular[req.rawHeaders[index]?.toLowerCase() ?? ''];
    if (header === undefined) continue;
    if ((seen & header.bit) !== 0) throw problems.headerTwice(header.name);
    seen |= header.bit;
  }
  if (req.headers.host === undefined && req.httpVersionMinor > 0) throw problems.requestMalformed();
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw problems.requestMalformed();
  const expectation = req.headers.expect;
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue') throw problems.expectationFailed();
}

/**
 * RFC 6750 section 2.1; the scheme in any case (RFC 9110 section 11.1).
 * @returns undefined for a token that nobody has.
 * @throws Problem 401 where there is none, also for another scheme and for `Bearer` alone.
 */
export function authenticate(
  authorization: string | undefined,
  service: Service,
): Caller | undefined | Promise<Caller | undefined> {
  const token = tokenOf(authorization);
  if (token === undefined) throw problems.tokenMissing();
  return service.authenticate(token);
}

/** Tells what the caller of a request that takes its time may do by now; undefined where its token has ended. */
export function callerNowOf({ headers }: IncomingMessage, service: Service): () => Promise<Caller | undefined> {
  const token = tokenOf(headers.authorization) ?? '';
  const member = headers['praxis-member'];
  return async () => {
    const caller = await service.authenticate(token);
    return caller === undefined || member === undefined ? caller : service.act(caller, String(member));
  };
}

/** The bearer token of an Authorization header, whatever its characters. */
export function tokenOf(authorization: string | undefined): string | undefined {
  return /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
}
