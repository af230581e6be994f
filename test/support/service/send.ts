// Requests with headers of their own, beside `call` of the client of tests.
import { accessToken, type Context } from './praxis.ts';

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all kinds
  readonly body: any;
}

/** `PATCH /clients/1` with a body and headers. */
export async function send(
  { address }: Pick<Context, 'address'>,
  line: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(address + path, {
    method,
    headers: {
      Authorization: `Bearer ${accessToken}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}
