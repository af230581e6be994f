// Requests of an importer over HTTP.
import { jsonText } from '../../src/values/json-text.ts';
import type { ImportCall } from './model.ts';

export interface ServiceOptions {
  /** Where the service is, with or without `/api` at its end. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'text'>>) | undefined;
}

/** `https://work.example.com/` → `https://work.example.com` */
export const rootOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/api$/, '');

/** What sends requests to a service. */
export function callOf({ url, token, fetch: send = globalThis.fetch }: ServiceOptions): ImportCall {
  return async (method, path, { body, key, isTrial } = { body: undefined }) => {
    const response = await send(`${rootOf(url)}/api${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        Prefer: `return=minimal${isTrial === true ? ', tx=rollback' : ''}`,
      },
      ...(body !== undefined && { body: jsonText(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), text };
  };
}

/** The document of a service, which tells its groups. @throws where there is none */
export async function documentOf({ url, fetch: send = globalThis.fetch }: ServiceOptions): Promise<unknown> {
  const response = await send(`${rootOf(url)}/openapi.json`, {});
  return parsed(await response.text());
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
