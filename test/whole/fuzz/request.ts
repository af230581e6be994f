// One request as it goes over the wire, and as a command that sends it again.
import type { Part } from './batches.ts';
import type { Json, Operation } from './document.ts';

export interface Request {
  readonly operation: Operation;
  readonly method: string;
  /** With base and query, each character a byte. */
  readonly target: string;
  /** In their order, names repeated where they are sent twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Each character a byte. */
  readonly body: string | undefined;
  /** The HTTP version of its first line. */
  readonly version: string;
  /** Id of the record in its path, where it is one that an answer has shown. */
  readonly id: string | undefined;
  /** What was done to it; none for a sensible one. */
  readonly slips: readonly string[];
  /** Whether nothing may follow on its connection, since what ends it is in doubt. */
  readonly isLast: boolean;
  /** What its body was made of; nothing where that was never in doubt. */
  readonly sent: Json | undefined;
  /** Of a batch. */
  readonly parts: readonly Part[];
  /** What a get is to answer, behind a write that has told it. */
  readonly expected?: string;
}

/** The bytes of a request, each as a character. */
export function wireText({ method, target, headers, body, version }: Request): string {
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = body === undefined || framed ? [] : [`Content-Length: ${body.length}`];
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const longestShown = 20_000;

/** A command for Bash that sends a request; the token is taken from `$TOKEN`. Framing of its own is not curl's to repeat. */
export function toCurl({ method, target, headers, body }: Request, address: string, token: string): string {
  const shown = headers
    .filter(([name]) => !/^(host|content-length|transfer-encoding)$/i.test(name))
    .map(([name, value]) => ` -H ${quoted(`${name}: ${value}`, token)}`);
  const content = body === undefined ? '' : ` --data-binary ${quoted(body.slice(0, longestShown), token)}`;
  const kind = method === 'HEAD' ? '--head' : `-X ${quoted(method, token)}`;
  const { origin } = new URL(address);
  const place = target.startsWith('/')
    ? quoted(`${origin}${target}`, token)
    : `--request-target ${quoted(target, token)} ${origin}`;
  return `curl -i -g --path-as-is ${kind}${shown.join('')}${content} ${place}`;
}

/** A word of Bash, its characters as bytes. */
function quoted(text: string, token: string): string {
  const hasToken = text.includes(token);
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'"))
    return hasToken ? `"${text.replaceAll(/["$`\\]/g, '\\$&').replaceAll(token, '$TOKEN')}"` : `'${text}'`;
  const escaped = text.replaceAll(
    /[^\x20-\x7e]|['\\]/g,
    (letter) => `\\x${(letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}'`;
}
