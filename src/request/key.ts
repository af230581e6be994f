// The idempotency key of a request, with its fingerprint.
import { createHash } from 'node:crypto';
import type { Caller, RequestKey } from './intent.ts';

/** @param parts All that the request asks for: its method and path, and its body. */
export function requestKey(
  { tokenId, memberId, rights }: Caller,
  key: string,
  parts: readonly (string | Uint8Array | undefined)[],
): RequestKey {
  const digest = createHash('sha256');
  // Under one token several may act, each of whom sees something else.
  if (rights !== undefined) digest.update(memberId ?? '').update('\0');
  for (const part of parts) if (part !== undefined) digest.update(part).update('\0');
  return { tokenId, key, fingerprint: digest.digest() };
}
