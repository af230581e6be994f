// Requests that are made up from the OpenAPI document, and mutations of them, to both databases at once: none fails, and
// all are answered alike. `npm run bench -- --fuzz` makes a million of them.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { RecordMaker } from '../support/data/records.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { digestOf } from '../support/databases/digest.ts';
import { verified } from '../support/databases/verify.ts';
import { fewer } from '../support/run/part.ts';
import type { Call } from '../support/service/client.ts';
import { accessToken, type Context, startEach } from '../support/service/praxis.ts';
import { Findings } from './fuzz/findings.ts';
import { Pair, type Side, Tally } from './fuzz/run.ts';

const seed = Number(process.env['PRAXIS_SEED'] ?? 20);
const count = Number(process.env['PRAXIS_REQUESTS'] ?? fewer(2600, 3000));
/** Allocations of many years take long on a machine that runs other tests beside. */
const timeoutMs = 30_000;

/** Opens a pair; what it finds is in `found`. */
async function openPair(sides: readonly [Side, Side], patienceMs = timeoutMs) {
  const found: string[] = [];
  const findings = new Findings((kind, details) => found.push(`${kind}\n${details}`));
  const tally = new Tally();
  const pair = await Pair.open({ sides, seed, findings, tally, timeoutMs: patienceMs });
  return { pair, found, findings, tally };
}

describeOnServers('on SQLite and a server alike', (server) => {
  let services: Context[] = [];
  let stop = async (): Promise<void> => {};
  beforeAll(async () => {
    ({ services, stop } = await startEach('product', [server]));
  }, 60_000);
  afterAll(() => stop(), 60_000);

  test(`requests made from the document are answered alike, and none fails, seed ${seed}`, {
    timeout: 60_000 + count * 20,
  }, async () => {
    const [first, second] = services.map(
      ({ address, isServer }): Side => ({
        name: isServer ? server.name : 'SQLite',
        address,
        token: accessToken,
        log: async () => '',
      }),
    );
    if (first === undefined || second === undefined) throw new Error('two services are compared');
    const { pair, found, tally } = await openPair([first, second]);
    await makeRecords(pair, services[0]);
    await pair.run(count);
    expect(await pair.compareRecords()).toBeGreaterThan(100);
    pair.close();
    expect(found).toEqual([]);
    const { unsent, undone } = tally.missing(pair.document.operations);
    expect(unsent).toEqual([]);
    // A few requests to each operation, not all of them sensible.
    expect(undone.length).toBeLessThan(pair.document.operations.length / 10);
    expect([...tally.statuses.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404, 405, 409, 415]));
    const [one, other] = await Promise.all(services.map(digest));
    expect(one).toEqual(other);
    for (const service of services) expect(await verified(service, 'product')).toEqual([]);
  });
});

/** A record of each group, on both sides: those that the document's requests then look at, change and copy. */
async function makeRecords(pair: Pair, context: Context | undefined): Promise<void> {
  if (context === undefined) return;
  const call: Call = async (method, path, body) => {
    const answer = await pair.send(method, path, body as Record<string, unknown> | undefined);
    return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };
  const maker = new RecordMaker(context.registry, call);
  for (const { name, operations } of context.registry.resources.values())
    if (operations.has('create')) await maker.make(name);
}

async function digest({ databaseUrl, registry }: Context): Promise<readonly string[]> {
  const database = await openDatabase(databaseUrl);
  const lines = await digestOf(database, registry)();
  await database.close();
  return lines;
}

describe('what is wrong with one of two services is found', () => {
  const things = {
    servers: [{ url: '/api' }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingPage' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
        ThingPage: {
          type: 'object',
          properties: {
            results: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
            hasMore: { type: 'boolean' },
          },
        },
      },
    },
  };
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const page = (id: string, name: string): string =>
    JSON.stringify({ results: [{ id, name, again: id }], hasMore: false });
  const ownId = '01890a5d-ac96-774b-bcce-000000000001';

  async function serve(name: string, answer: RequestListener): Promise<Side> {
    const server = createServer((req, res) => {
      if (req.url === '/openapi.json') res.end(JSON.stringify(things));
      else answer(req, res);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      name,
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: 'a-token',
      log: async () => 'its log',
    };
  }

  /** What is found where the second service answers like this. */
  async function findingsOf(answer: RequestListener): Promise<readonly string[]> {
    const first = await serve('one', (_req, res) => res.end(page(ownId, 'A')));
    const { pair, findings } = await openPair([first, await serve('other', answer)], 300);
    await pair.run(1);
    pair.close();
    return findings.counts.map(([kind]) => kind);
  }

  const otherId = '01890a5d-ac96-774b-bcce-0000000000ff';
  test('but ids of its own are no fault', async () => {
    expect(await findingsOf((_req, res) => res.end(page(otherId, 'A')))).toEqual([]);
  });

  test.each<[string, RequestListener, string]>([
    ['a text', (_req, res) => res.end(page(otherId, 'B')), 'body differs: listThings, 200 and 200'],
    [
      'one id that stands for two',
      (_req, res) => res.end(page(otherId, 'A').replace(/again":"[^"]*/, `again":"${ownId}`)),
      'ids in the body differs: listThings, 200 and 200',
    ],
    [
      'a status',
      (_req, res) => void res.writeHead(404).end(page(ownId, 'A')),
      'status differs: listThings, 200 and 404',
    ],
    [
      'a header',
      (_req, res) => res.setHeader('Allow', 'GET').end(page(ownId, 'A')),
      'header allow differs: listThings, 200 and 200',
    ],
    ['a failure', (_req, res) => void res.writeHead(500).end('{}'), '500 from other: listThings'],
    [
      'a connection that is dropped',
      (req) => req.socket.destroy(),
      'no answer from other: listThings, the connection was closed',
    ],
    ['silence', () => {}, 'no answer from other: listThings, nothing for 300 ms'],
  ])('%s', async (_name, answer, kind) => {
    expect(await findingsOf(answer)).toContain(kind);
  });
});
