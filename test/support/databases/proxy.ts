// A hop before a server that can lose, swallow or refuse what clients send.

import { connect, createServer, type Socket } from 'node:net';

/** What becomes of data on its way to the server. */
type Rule = (data: Buffer, server: Socket, client: Socket) => void;

const forward: Rule = (data, server) => {
  server.write(data);
};

/** Listens on a free port of 127.0.0.1; `set` without a rule forwards everything. */
export const createProxy = async (host: string, port: number) => {
  const sockets = new Set<Socket>();
  let rule = forward;
  const proxy = createServer((client) => {
    const server = connect(port, host);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (data) => rule(data, server, client));
    server.on('data', (data) => client.write(data));
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => proxy.listen(at, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = proxy.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port: own,
    set(next: Rule = forward): void {
      rule = next;
    },
    /** Cuts all connections and refuses new ones until `start`. */
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    start: (): Promise<void> => listen(own),
  };
};

/**
 * Takes commands as MySQL Router does: of those that come in one piece, every other one is carried out in place of the one
 * behind it.
 */
export const asRouter: Rule = (data, server) => {
  const packets = packetsIn(data);
  server.write(Buffer.concat(packets.map((packet, n) => packets[n - (n % 2)] ?? packet)));
};

/** Whether a piece of a conversation asks for a statement that begins so. MySQL's clients may send attributes with it. */
export const asksFor = (data: Buffer, words: string): boolean =>
  data.includes(`\x03${words}`) || data.includes(`\x03\x00\x01${words}`);

/** The packets of which a piece of a conversation consists, each with its length before it. */
export function packetsIn(data: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let start = 0; start < data.length; ) {
    const end = start + 4 + data.readUIntLE(start, 3);
    packets.push(data.subarray(start, end));
    start = end;
  }
  return packets;
}
