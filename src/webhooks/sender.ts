// Sends messages of webhooks, signed, and tells what came of each.
import type { LookupFunction } from 'node:net';
import type { KeptWebhook, WebhookTry } from '../storage/log/webhooks.ts';
import { addressFault, lookupFor, type Resolve } from './address.ts';
import type { Message } from './message.ts';
import { type Pauses, usualPauses } from './pauses.ts';
import { post } from './post.ts';
import { signedHeaders } from './signature.ts';

/** How messages are sent, where it is not as usual. */
export interface WebhookOptions {
  /** Hosts with their ports that may be private, and be spoken to without TLS: `localhost:9000`. */
  readonly hosts?: readonly string[] | undefined;
  readonly pauses?: Pauses | undefined;
  readonly timeoutMs?: number | undefined;
  /** How often it is looked at what is due. */
  readonly lookEveryMs?: number | undefined;
  /** Looks up a name. */
  readonly resolve?: Resolve | undefined;
}

const usualTimeoutMs = 10_000;

interface Sent {
  readonly told: WebhookTry;
  /** As it was answered. */
  readonly retryAfter?: string | undefined;
}

export class Sender {
  readonly hosts: readonly string[];
  readonly pauses: Pauses;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions, now: () => number) {
    this.hosts = options.hosts ?? [];
    this.pauses = options.pauses ?? usualPauses;
    this.now = now;
    this.#options = options;
  }

  /** Sends a message once. */
  async send(
    { wish: { url }, secrets }: Pick<KeptWebhook, 'wish' | 'secrets'>,
    { id, body }: Message,
    of: Pick<WebhookTry, 'position' | 'attempt'>,
  ): Promise<Sent> {
    const now = this.now();
    const begun = performance.now();
    const at = new Date(now).toISOString();
    const tried = (result: Pick<WebhookTry, 'outcome' | 'status' | 'answer' | 'error'>): WebhookTry => ({
      ...{ ...of, at, ...result },
      ms: Math.round(performance.now() - begun),
    });
    // Settings may have changed since it was made.
    const fault = addressFault(url, this.hosts);
    if (fault !== undefined)
      return { told: tried({ outcome: 'failed', status: null, answer: null, error: `'url' ${fault}` }) };
    const lookup: LookupFunction = lookupFor(url, this.hosts, this.#options.resolve);
    const headers = signedHeaders({ id, body, now, secrets });
    const { timeoutMs = usualTimeoutMs } = this.#options;
    try {
      const { status, text, retryAfter } = await post({ url, headers, body, lookup, timeoutMs });
      const outcome = status >= 200 && status < 300 ? 'taken' : 'refused';
      return { told: tried({ outcome, status, answer: text, error: null }), retryAfter };
    } catch (error) {
      const words = error instanceof Error ? error.message || error.name : String(error);
      return { told: tried({ outcome: 'failed', status: null, answer: null, error: words.slice(0, 500) }) };
    }
  }
}
