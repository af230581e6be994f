// Requests that cost the service most, one row each. The test sends them next to a bystander; add a row for each request whose cost
// depends on what a caller sends or on how much is stored.
import type { WatchedRequest, WatchedService } from './watched-service.ts';

export interface CostlyRequest {
  /** What is sent: part of a test title. */
  readonly title: string;
  /** Makes the request, once what it needs is stored. */
  readonly request: (service: WatchedService) => WatchedRequest | Promise<WatchedRequest>;
  readonly status: number;
  /** Text that the response contains. */
  readonly says?: string;
  /** Maximum processor time of one turn of the event loop, in ms; 50 if it is not given. */
  readonly maxTurnMs?: number;
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const members = (count: number, prefix: string): string => `{${many(count, (n) => `"${prefix}${n}":1`).join(',')}}`;

const batch = (body: string, more: Partial<WatchedRequest> = {}): WatchedRequest => ({
  ...{ method: 'POST', path: '/batch', body },
  ...more,
});
/** @param bodies JSON texts. */
const creates = (bodies: readonly string[]): string =>
  `{"operations":[${bodies.map((body) => `{"method":"POST","path":"/clients","body":${body}}`).join(',')}]}`;
/** A create with a list of 7 MiB. */
const listOf = (item: (n: number) => string, bytes = 7 * 1024 ** 2): string =>
  creates([`{"emails":[${many(Math.floor(bytes / (item(999_999).length + 1)), item).join(',')}]}`]);

const text = 'x'.repeat(5000);
const clients = (count: number, name: string): string =>
  creates(many(count, (n) => JSON.stringify({ name: `${name} ${n}`, notes: text, streetAddress: text })));
const lists = JSON.stringify({ operations: many(7, () => ({ method: 'GET', path: '/clients?limit=100' })) });

const tooManyMembers = 'an object in it has more than 1000 members';
const tooManyNames = 'its members have more than 20000 different names';
const tooManyValues = 'it holds more than 250000 values';
const partTooLong = 'a part of it is longer than 1048576 characters';

const stages = 8000;

const pipelines = '/opportunity-pipelines';

/** Creates a pipeline with thousands of stages. @returns its id */
async function createPipeline(service: WatchedService): Promise<string> {
  const { text: made } = await service.ask({ method: 'POST', path: pipelines, body: JSON.stringify({ name: 'Long' }) });
  const { id } = JSON.parse(made) as { readonly id: string };
  const stageOf = (n: number) => ({ name: `Stage ${n}`, description: text.slice(0, 900), opportunityPipelineId: id });
  for (let done = 0; done < stages; done += 1000) {
    const operations = many(1000, (n) => ({ method: 'POST', path: '/opportunity-stages', body: stageOf(done + n) }));
    await service.ask(batch(JSON.stringify({ operations }), { headers: { Prefer: 'return=minimal' } }));
  }
  return id;
}

/** The pipeline of each service, which the last rows share. */
const pipelineByService = new WeakMap<WatchedService, Promise<string>>();
function getPipeline(service: WatchedService): Promise<string> {
  const pipeline = pipelineByService.get(service) ?? createPipeline(service);
  pipelineByService.set(service, pipeline);
  return pipeline;
}

/** Finds the write that deleted the pipeline. */
async function findDelete(service: WatchedService): Promise<string> {
  const path = `/history${pipelines}/${await getPipeline(service)}?limit=1`;
  const history = await service.ask({ method: 'GET', path });
  const [{ write }] = (JSON.parse(history.text) as { readonly results: readonly [{ readonly write: string }] }).results;
  return write;
}

export const costlyRequests: readonly CostlyRequest[] = [
  {
    title: 'unknown fields of one record, 550,000 of them',
    request: () => batch(creates([members(550_000, 'k')])),
    ...{ status: 413, says: tooManyMembers },
  },
  {
    title: 'unknown fields whose names are whole numbers',
    request: () => batch(creates([members(550_000, '')])),
    ...{ status: 413, says: tooManyMembers },
  },
  {
    title: 'unknown fields of a thousand records, each with names of its own',
    request: () => batch(creates(many(1000, (n) => members(550, `k${n}_`)))),
    ...{ status: 413, says: tooManyNames },
  },
  {
    title: 'unknown fields of a thousand records, all with the same names',
    request: () => batch(creates(many(1000, () => members(240, 'k')))),
    ...{ status: 400, says: "'k48' is not allowed" },
  },
  {
    title: 'a list of empty objects',
    request: () => batch(listOf(() => '{}')),
    ...{ status: 413, says: tooManyValues },
  },
  {
    title: 'a list of numbers',
    request: () => batch(listOf(() => '0')),
    ...{ status: 413, says: tooManyValues },
  },
  {
    title: 'numbers with more digits than a double holds',
    request: () => batch(listOf((n) => `1.23456789012345678e${n % 20}`)),
    ...{ status: 413, says: partTooLong },
  },
  {
    title: 'one number of seven million digits',
    request: () => batch(creates([`{"name":${'1'.repeat(7_000_000)}}`])),
    ...{ status: 413, says: partTooLong },
  },
  {
    title: 'one string of seven million characters',
    request: () => batch(creates([`{"name":"${'x'.repeat(7_000_000)}"}`])),
    ...{ status: 413, says: partTooLong },
  },
  {
    title: 'one string of a million escapes',
    request: () => batch(creates([`{"name":"${'\\u00e9'.repeat(1_200_000)}"}`])),
    ...{ status: 413, says: partTooLong },
  },
  {
    title: 'placeholders in a thousand bodies',
    request: () => batch(creates(many(1000, () => `{"emails":[${many(80, () => '{"$from":"a.id"}').join(',')}]}`))),
    ...{ status: 400, says: "must begin with the name of an earlier operation, not 'a'" },
  },
  {
    title: 'placeholders in a thousand paths',
    request: () =>
      batch(
        JSON.stringify({
          operations: many(900, () => ({ method: 'GET', path: `/clients/${'{a.b}'.repeat(1500)}` })),
        }),
      ),
    ...{ status: 400, says: 'must have at most 20 placeholders' },
  },
  {
    title: 'bodies of 6 MiB from a token without a right to their group',
    request: async (service) => {
      const token = await service.newToken({ readOnly: true, allow: [] });
      return batch(creates(many(1000, () => members(240, 'k'))), { token });
    },
    ...{ status: 403, says: "The access token does not allow 'create' of 'Client'." },
  },
  {
    title: 'a thousand records with a hundred faults each',
    request: () =>
      batch(
        JSON.stringify({
          atomic: false,
          operations: many(1000, (n) => {
            const wrong = { emails: many(50, (each) => `no address ${each}`), tagIds: many(50, () => 'x') };
            return { method: 'POST', path: '/clients', body: { name: `Wrong ${n}`, ...wrong } };
          }),
        }),
      ),
    ...{ status: 200, says: 'must be an e-mail address' },
  },
  { title: 'creates of 6.5 MiB', request: () => batch(clients(650, 'Long')), status: 200 },
  {
    title: 'creates of 6.5 MiB with an idempotency key',
    request: () => batch(clients(650, 'Kept'), { headers: { 'Idempotency-Key': 'creates' } }),
    status: 200,
  },
  {
    title: 'the same again, which is replayed',
    request: () => batch(clients(650, 'Kept'), { headers: { 'Idempotency-Key': 'creates' } }),
    status: 200,
  },
  { title: 'lists of 7 MiB in one batch', request: () => batch(lists), status: 200 },
  {
    title: 'the same with an idempotency key',
    request: () => batch(lists, { headers: { 'Idempotency-Key': 'reads' } }),
    status: 200,
  },
  {
    title: 'the same, compressed',
    request: () => batch(lists, { headers: { 'Accept-Encoding': 'br' } }),
    status: 200,
  },
  { title: 'an export', request: () => ({ method: 'GET', path: '/export/clients' }), status: 200 },
  {
    title: 'an export as CSV',
    request: () => ({ method: 'GET', path: '/export/clients?format=csv' }),
    status: 200,
  },
  {
    title: 'a delete that cascades to 8,000 records',
    request: async (service) => ({ method: 'DELETE', path: `${pipelines}/${await getPipeline(service)}` }),
    status: 204,
  },
  {
    title: 'a page of a write of 8,000 records',
    request: async (service) => ({ method: 'GET', path: `/writes/${await findDelete(service)}?limit=1000` }),
    ...{ status: 200, says: '"hasMore":true' },
  },
  {
    title: 'a page of the feed',
    request: () => ({ method: 'GET', path: '/changes?limit=1000&before=now' }),
    ...{ status: 200, says: '"hasMore":true' },
  },
  {
    title: 'the undo of a delete of 8,000 records',
    request: async (service) => ({ method: 'POST', path: `/writes/${await findDelete(service)}/undo` }),
    ...{ status: 200, says: '"undoes":' },
  },
];
