// Server-sent events as tests read them.
import { accessToken } from './praxis.ts';

interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** Of an answer that is no stream. */
  readonly text: string;
  /** The next event; undefined where the stream has ended. */
  next(): Promise<ServerEvent | undefined>;
  /** Lines of comments so far. */
  readonly comments: () => number;
  cut(): void;
}

/** Opens a stream of changes. */
export async function openStream(
  { address }: { readonly address: string },
  query = '',
  { lastEventId, token = accessToken }: { lastEventId?: string | undefined; token?: string } = {},
): Promise<Stream> {
  const left = new AbortController();
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
  const response = await fetch(`${address}/changes${query}`, { headers, signal: left.signal });
  const { status } = response;
  const text = status === 200 ? '' : await response.text();
  let comments = 0;
  const events = eventsOf(response, () => (comments += 1));
  return {
    ...{ status, headers: response.headers, text },
    next: async () => (await events.next()).value as ServerEvent | undefined,
    comments: () => comments,
    cut: () => left.abort(),
  };
}

async function* eventsOf({ body }: Response, onComment: () => void): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) onComment();
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
      if (fields['data'] !== undefined) yield { id: fields['id'], event: fields['event'], data: fields['data'] };
    }
  }
}
