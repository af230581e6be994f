// A connection that sends any bytes and reads one answer after the other; broken off, it is opened anew.

import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  /** By their names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** No whole answer came: the connection was dropped, or nothing was said for too long. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

interface Waiting {
  readonly isHead: boolean;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Wrong tokens are counted an address: each has one of this machine for itself. */
let places = 0;
const nextPlace = (): string => {
  places = (places + 1) % 250;
  return `127.0.0.${places + 2}`;
};

export class Connection {
  readonly #port: number;
  readonly #timeoutMs: number;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #read: Buffer = Buffer.alloc(0);

  constructor(port: number, timeoutMs: number) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a request, each character a byte, and waits for its answer.
   * @param isLast Whether the connection ends with it.
   * @throws NoAnswer
   */
  send(text: string, isLast: boolean): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const socket = this.#open();
      const timer = setTimeout(() => this.#fail(`nothing for ${this.#timeoutMs} ms`), this.#timeoutMs);
      this.#waiting = {
        isHead: text.startsWith('HEAD '),
        resolve: (answer) => {
          clearTimeout(timer);
          if (isLast || answer.status === 401 || /close/i.test(answer.headers['connection'] ?? '')) this.close();
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#read = Buffer.alloc(0);
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: nextPlace(), noDelay: true });
    this.#socket = socket;
    this.#read = Buffer.alloc(0);
    let fault = '';
    socket.on('error', (error) => {
      fault = error.message;
    });
    socket.on('data', (bytes) => {
      if (socket === this.#socket) this.#take(bytes);
    });
    socket.on('close', () => {
      if (socket === this.#socket) this.#fail(`the connection was closed${fault === '' ? '' : `: ${fault}`}`);
    });
    return socket;
  }

  #fail(reason: string): void {
    const waiting = this.#waiting;
    const read = this.#read.toString('latin1').slice(0, 300);
    this.#waiting = undefined;
    this.close();
    waiting?.reject(new NoAnswer(read === '' ? reason : `${reason} behind ${JSON.stringify(read)}`));
  }

  #take(bytes: Buffer): void {
    this.#read = this.#read.length === 0 ? bytes : Buffer.concat([this.#read, bytes]);
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const found = readAnswer(this.#read, waiting.isHead);
    if (found === undefined) return;
    this.#read = this.#read.subarray(found.end);
    this.#waiting = undefined;
    waiting.resolve(found.answer);
  }
}

/** The first whole answer, those of status 100 left out. */
function readAnswer(bytes: Buffer, isHead: boolean): { readonly answer: Answer; readonly end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const start = headEnd + 4;
  if (status === 100) {
    const next = readAnswer(bytes.subarray(start), isHead);
    return next && { answer: next.answer, end: next.end + start };
  }
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  if (isHead || status === 204 || status === 304) return { answer: { status, headers, text: '' }, end: start };
  const whole =
    headers['transfer-encoding'] === undefined ? readLength(bytes, start, headers) : readChunks(bytes, start);
  return whole && { answer: { status, ...unpacked(headers, whole.body) }, end: whole.end };
}

/** A body as a text. How long it is while it is packed hangs on the ids in it: its length is that of the text. */
function unpacked(headers: Readonly<Record<string, string>>, body: Buffer): Pick<Answer, 'headers' | 'text'> {
  const coding = headers['content-encoding'];
  if (coding === undefined) return { headers, text: body.toString('utf8') };
  const text = coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
  return { headers: { ...headers, 'content-length': String(text.length) }, text: text.toString('utf8') };
}

interface WholeBody {
  readonly body: Buffer;
  readonly end: number;
}

function readLength(bytes: Buffer, start: number, headers: Readonly<Record<string, string>>): WholeBody | undefined {
  const end = start + Number(headers['content-length'] ?? 0);
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): WholeBody | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
