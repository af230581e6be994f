// The idempotency key of a request, with its fingerprint.
import { createHash } from 'node:crypto';
import { type Caller, limitKey, type RequestKey } from './intent.ts';

/** @param parts All that the request asks for: its method and path, and its body. */
export function requestKey(
  caller: Caller,
  key: string,
  parts: readonly (string | Uint8Array | undefined)[],
): RequestKey {
  const { tokenId, memberId, rights } = caller;
  const digest = createHash('sha256');
  // Under one token several may act, each of whom sees something else.
  if (rights !== undefined) digest.update(memberId ?? '').update('\0');
  for (const part of parts) if (part !== undefined) digest.update(part).update('\0');
  return { tokenId, key, fingerprint: digest.digest(), owner: limitKey(caller) };
}
