// Signatures of messages, as Standard Webhooks has them: HMAC-SHA256 of `id.timestamp.body`, in Base64 behind `v1,`.
import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from '../storage/log/webhooks.ts';

const prefix = 'whsec_';

/** 24 random bytes. */
export const newSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

interface Signed {
  readonly id: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly secrets: readonly WebhookSecret[];
}

/** The headers of a message: signed by each secret that is not over. */
export function signedHeaders({ id, body, now, secrets }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets
    .filter(({ until }) => until === undefined || now < until)
    .map(({ secret }) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
