// Sends one message, and hears what is answered.
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSafe } from 'node:https';
import type { LookupFunction } from 'node:net';

/** What a receiver answers. */
export interface Answer {
  readonly status: number;
  /** Its beginning. */
  readonly text: string;
  readonly retryAfter: string | undefined;
}

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
}

const longestAnswer = 4096;

/** Redirects are not followed. @throws Error where there is no answer in time */
export function post({ url, headers, body, lookup, timeoutMs }: Post): Promise<Answer> {
  const bytes = Buffer.from(body);
  const request = url.startsWith('https:') ? requestSafe : requestPlain;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      ...{ method: 'POST', lookup },
      // One connection a message: one that is kept may be closed by the receiver while it is used.
      agent: false,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': bytes.length,
        'User-Agent': 'praxis',
        ...headers,
      },
    });
    const timer = setTimeout(() => asked.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
    asked.once('close', () => clearTimeout(timer));
    asked.once('error', reject);
    asked.once('response', (response) => {
      void readAnswer(response).then(resolve);
      asked.off('error', reject);
      // What is broken off behind its beginning is an answer nevertheless.
      asked.on('error', () => {});
    });
    asked.end(bytes);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= longestAnswer) break;
    }
  } catch {
    // Its beginning is there.
  }
  response.destroy();
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(parts).subarray(0, longestAnswer).toString().replaceAll('\u0000', '\ufffd'),
    retryAfter: response.headers['retry-after'],
  };
}
