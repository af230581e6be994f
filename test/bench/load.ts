// The requests that are measured, and what sends them.
import autocannon, { type Client, type Request } from 'autocannon';
import { clientId } from './data.ts';
import { token } from './services.ts';

export interface Work {
  readonly name: string;
  /** Where it is not the usual number. */
  readonly connections?: number;
  /** Requests of one connection, sent over and over. */
  requests(connection: number, round: Round): Request[];
}

/** Of what the data is, and which texts no other round has sent. */
export interface Round {
  readonly clients: number;
  readonly mark: string;
}

/** What one round of one service gave. */
export interface Shot {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly requests: number;
}

/** Callers at the same time. */
export const connections = 16;
const idsAConnection = 32;

/** Ids spread over the whole table, others for each connection: 512 together. */
const spread = (connection: number, { clients }: Round): string[] =>
  Array.from({ length: idsAConnection }, (_value, nth) =>
    clientId(Math.floor(((nth * connections + connection) * clients) / (connections * idsAConnection))),
  );

const get = (path: string): Request => ({ method: 'GET', path: `/api${path}` });
const sending = (method: 'POST' | 'PATCH', path: string, body: object): Request => ({
  method,
  path: `/api${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A request whose body is another each time. */
function sendingAnew(method: 'POST' | 'PATCH', path: string, bodyOf: (count: number) => object): Request {
  let count = 0;
  const setupRequest = (request: Request): Request => {
    count += 1;
    return { ...request, body: JSON.stringify(bodyOf(count)) };
  };
  return { ...sending(method, path, {}), setupRequest };
}

/** A create whose body is another each time; `count` is from 1. */
export const creating = (path: string, bodyOf: (count: number) => object): Request => sendingAnew('POST', path, bodyOf);
/** An update whose body is another each time; `count` is from 1. */
export const changing = (path: string, bodyOf: (count: number) => object): Request =>
  sendingAnew('PATCH', path, bodyOf);

export const works = {
  list10: { name: 'list 10', requests: () => [get('/clients?limit=10')] },
  list100: { name: 'list 100', requests: () => [get('/clients?limit=100')] },
  get: { name: 'get', requests: (connection, round) => spread(connection, round).map((id) => get(`/clients/${id}`)) },
  update: {
    name: 'update',
    requests: (connection, round) =>
      ['a', 'b', 'c', 'd'].flatMap((turn) =>
        spread(connection, round).map((id) =>
          sending('PATCH', `/clients/${id}`, {
            name: `Renamed ${round.mark}${turn} – ${id.slice(-6)}`,
            notes: `Called on ${round.mark}; ${turn} wants the offer in writing, with rates for each role and the travel.`,
          }),
        ),
      ),
  },
  create: {
    name: 'create',
    requests: (connection, round) => [
      creating('/job-titles', (count) => ({ name: `Engineer ${round.mark} ${connection} ${count}` })),
    ],
  },
  createContact: {
    name: 'create contact',
    requests: (connection, round) => [
      creating('/contacts', (count) => ({
        firstName: `Ada ${count}`,
        lastName: `Berg ${round.mark} ${connection}`,
        email: `ada.${count}@client.example`,
        title: 'Head of purchasing',
      })),
    ],
  },
  expand: { name: 'list 10, expand', requests: () => [get('/clients?limit=10&expand=industry,location')] },
  fields: { name: 'list 10, fields', requests: () => [get('/clients?limit=10&fields=name,code,currency')] },
  // Summaries take turns; more of them at once would be told that the service is overloaded.
  summary: { name: 'summary', connections: 2, requests: () => [get('/summary/clients?by=industry&max=createdAt')] },
} as const satisfies Record<string, Work>;

/** What is asked of how records are shown, and of what they come to. */
export const shownWorks = ['expand', 'fields', 'summary'] as const satisfies readonly WorkName[];

export type WorkName = keyof typeof works;

export interface FireOptions {
  readonly address: string;
  readonly work: Work;
  readonly round: Round;
  readonly seconds: number;
  /** 16 unless given. */
  readonly connections?: number;
}

/** For a request that takes longer than the shot. */
const graceSeconds = 20;

/**
 * Sends requests for a while, each connection its own, and waits for the last answers: nothing is under way when it is over.
 * @throws Error when any answer is not 2xx, with the first such one
 */
export async function fire({
  address,
  work,
  round,
  seconds,
  connections: count = work.connections ?? connections,
}: FireOptions): Promise<Shot> {
  const latencies: number[] = [];
  let startedAt = 0;
  let endedAt = 0;
  let lastBody: Buffer | undefined;
  let refusal = '';
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    let connection = 0;
    const setupClient = (client: Client): void => {
      client.setRequests(work.requests(connection, round));
      connection += 1;
      client.on('body', (body) => {
        lastBody = body;
      });
    };
    const instance = autocannon(
      {
        url: address,
        connections: count,
        duration: seconds + graceSeconds,
        // Looks this often whether the time is over.
        sampleInt: 100,
        headers: { authorization: `Bearer ${token}` },
        setupClient,
      },
      (error: Error | null, done: autocannon.Result) => (error ? reject(error) : resolve(done)),
    );
    instance.on('start', () => {
      startedAt = performance.now();
    });
    instance.on('response', (client, status, _bytes, ms) => {
      if (status >= 300) refusal ||= String(lastBody);
      latencies.push(ms);
      endedAt = performance.now();
      if (endedAt - startedAt >= seconds * 1000) end(client);
    });
  });
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${work.name} at ${address}: ${result.errors} errors, statuses ${statuses} ${refusal}`);
  }
  latencies.sort((one, other) => one - other);
  return {
    perSecond: latencies.length / ((endedAt - startedAt) / 1000),
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    requests: latencies.length,
  };
}

/** Has a client send no more. Else autocannon cuts it off in the middle of a request, which the service goes on with. */
function end(client: Client): void {
  Object.assign(client, { responseMax: 1 }); // what `maxConnectionRequests` sets for all clients before the first request
}
