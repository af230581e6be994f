// A receiver of webhooks on loopback: notes what it is sent, and answers as it is told to.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of all kinds
  readonly body: any;
}

interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** How a message is answered; none where it is not. */
type Answer = (message: Received, nth: number) => Answered | undefined | Promise<Answered | undefined>;

export class Receiver {
  readonly received: Received[] = [];
  /** How many were on their way to it at once, at the most, below each path. */
  readonly atOnce = new Map<string, number>();
  answer: Answer = () => ({ status: 204 });
  /** `127.0.0.1:41235` */
  host = '';
  readonly #open = new Map<string, number>();
  readonly #server = createServer((req, res) => {
    const path = req.url ?? '';
    const open = (this.#open.get(path) ?? 0) + 1;
    this.#open.set(path, open);
    this.atOnce.set(path, Math.max(open, this.atOnce.get(path) ?? 0));
    res.once('close', () => this.#open.set(path, (this.#open.get(path) ?? 1) - 1));
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', async () => {
      const text = Buffer.concat(parts).toString();
      const message: Received = { path, headers: req.headers, text, body: JSON.parse(text) };
      this.received.push(message);
      const answered = await this.answer(message, this.at(path).length);
      if (answered === undefined) return;
      res.writeHead(answered.status, answered.headers).end(answered.text);
    });
  });

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What came to a path. */
  at(path: string): readonly Received[] {
    return this.received.filter((each) => each.path === path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
