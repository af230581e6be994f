// What a case of the specification is: records that are there, one request, and what comes of it. Cases speak of the
// interface alone, so that they hold however the service comes to its answers.
import type { Context, Json } from '../support/service/praxis.ts';

export type Made = Json & { readonly id: string };

/** What a case may use to set its scene. */
export interface World extends Pick<Context, 'make' | 'all'> {
  /** Sends a request that must be answered 2xx. @returns the body of the answer. */
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Made>;
  /** The member to whom the token of cases with `byMember` belongs. */
  readonly actor: Made;
  /** A number that no other case has: for names, keys and days of its own. */
  readonly unique: number;
}

export type Asked = readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object];

/** What a request is answered. */
export type Expected =
  /** 200 with at least these values, or 204 without a body. Lists are compared whole, item by item, each with at least these values. */
  | { readonly kind: 'done'; readonly shows: unknown }
  /** 400 with exactly these texts. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }
  /** 409 with this text. */
  | { readonly kind: 'conflict'; readonly message: string };

export interface Case {
  /** The rule, as somebody who knows the business would say it. */
  readonly says: string;
  readonly given: (world: World) => Promise<unknown>;
  readonly when: (given: never) => Asked;
  readonly gives: (given: never) => Expected;
  /** Other records that the request has changed, or left alone: their paths, and at least these values of each. */
  readonly also?: ((given: never) => readonly (readonly [path: string, shows: unknown])[]) | undefined;
  /** Whether the token belongs to `world.actor`. */
  readonly byMember: boolean;
}

interface Parts<G> {
  readonly says: string;
  readonly given?: (world: World) => Promise<G>;
  readonly when: (given: G) => Asked;
  readonly gives: Expected | ((given: G) => Expected);
  readonly also?: (given: G) => readonly (readonly [path: string, shows: unknown])[];
  readonly byMember?: boolean;
}

/** One row of the specification. Of what is refused the runner sees for itself that nothing has changed anywhere. */
export function example<G>({ says, given, when, gives, also, byMember }: Parts<G>): Case {
  return {
    says,
    given: given ?? (async () => undefined),
    when,
    gives: typeof gives === 'function' ? gives : () => gives,
    also,
    byMember: byMember === true,
  };
}

/** 200 with at least these values; nothing for a delete. */
export const done = (shows?: unknown): Expected => ({ kind: 'done', shows });
/** 400 with exactly these texts, in this order. */
export const refused = (...errors: readonly string[]): Expected => ({ kind: 'refused', errors });
/** 409 with this text. */
export const conflict = (message: string): Expected => ({ kind: 'conflict', message });
