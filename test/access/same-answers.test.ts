// A service without roles, one with roles whose token has none, and one whose role allows everything: all of them answer alike, and
// who has no roles pays nothing for those of others.
import { Session } from 'node:inspector';
import { StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Resource } from '../../src/registry/model/model.ts';
import { timeOfId } from '../../src/values/id.ts';
import { pathOf, someRecord, unknownId } from '../laws/law.ts';
import { part } from '../support/run/part.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, type Context, grounds, type Json, registryOf, startService } from '../support/service/praxis.ts';
import { rolesIn } from './callers.ts';

/** `npm test` asks for three groups of the engine's own, all other runs for every group of the product. */
const folder = part === 'quick' ? 'test' : 'product';
const registry = registryOf(folder);
const resources = [...registry.resources.values()].filter(
  ({ name, computed }) => computed === undefined && (part !== 'quick' || ['label', 'loan', 'settings'].includes(name)),
);
const { roles } = rolesIn(registry, {
  everything: { allow: [{ on: ['*'], to: ['*'] }], may: ['metrics', 'changes', 'webhooks', 'access', 'act'] },
});

interface Asked {
  readonly method: string;
  /** Below the base. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Asker {
  readonly words: string;
  readonly service: Context;
  readonly token: string;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What tells one request from the same one a moment later, whoever asks: names of headers. */
const ofTheMoment = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'server-timing']);

async function ask({ service, token }: Asker, { method, path, body, headers }: Asked): Promise<Answered> {
  const since = Date.now();
  const answer = await fetch(`${service.address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const made = new Made(since);
  const kept = [...answer.headers].filter(([name]) => !ofTheMoment.has(name));
  const shown = made.without(text);
  // The tag of what is made holds its id and its times.
  const tagged = kept.map(([name, value]): [string, string] => [
    name,
    name === 'etag' && shown !== text ? value.replace(/-[\w-]{16}"$/, '-OF-WHAT-IS-MADE"') : value,
  ]);
  return { status: answer.status, headers: Object.fromEntries(tagged), text: shown };
}

/** Ids and times that a request has made, by the time that stands in them: each is told by its place alone. */
class Made {
  readonly #since: number;

  constructor(since: number) {
    this.#since = since;
  }

  without(text: string): string {
    const names = new Map<string, string>();
    const named = (found: string, time: string | undefined, word: string): string => {
      if (time === undefined || Date.parse(time) < this.#since) return found;
      const known = names.get(found) ?? `${word}${names.size}`;
      names.set(found, known);
      return known;
    };
    return text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => named(id, timeOfId(id), 'ID'))
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => named(time, time, 'TIME'));
  }
}

/** Where roles are at home. */
const rooms = /\/src\/(?:access|app\/access|engine\/access|engine\/sight|storage\/sight)\//;
/** What of these rooms every request comes by: each looks whether there are rights, and goes on without them. */
const gates: ReadonlySet<string> = new Set([
  'app/access/rights-of-callers.ts of',
  'access/limits.ts checkLimits',
  'access/limits.ts checkMay',
  'engine/sight/caller-sight.ts viewer',
  ...['records', 'viewer', 'reading', 'read', 'readPortions', '#readShaped', 'get', 'find', 'found', '#compute'].map(
    (name) => `engine/sight/reads.ts ${name}`,
  ),
  ...['shownOf', 'foundOf', 'answerOf'].map((name) => `engine/sight/reads.ts ${name}`),
  ...['deletePreview', 'counted'].map((name) => `engine/sight/delete-preview.ts ${name}`),
  'engine/sight/replays.ts checkReplay',
  // Of a service that has roles: a write that may have changed who holds them.
  ...['noteChanged', 'noteChanges', 'forget'].map((name) => `engine/access/holders.ts ${name}`),
]);

/** What work has cost. */
interface Paid {
  /** Calls of functions of these rooms, by the names of their files and their own. */
  readonly calls: ReadonlyMap<string, number>;
  /** How often each statement was asked for. */
  readonly statements: Readonly<Record<string, number>>;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

async function paidFor(work: () => Promise<void>): Promise<Paid> {
  const session = new Session();
  session.connect();
  const post = (method: string, params: object = {}): unknown => {
    let found: unknown;
    session.post(method, params, (error, result: unknown) => {
      if (error !== null) throw error;
      found = result;
    });
    return found;
  };
  const statements: Record<string, number> = {};
  const watched = ['all', 'get', 'run', 'iterate'] as const;
  const spies = watched.map((name) => {
    const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
    return vi.spyOn(StatementSync.prototype, name).mockImplementation(function (
      this: StatementSync,
      ...values: unknown[]
    ) {
      const text = this.sourceSQL;
      // Not those by which services follow what others change, and give entries of the log their places.
      if (!/praxis_|settings" {2}limit 1|^(?:begin|commit|rollback|savepoint|release)/i.test(text))
        statements[text] = (statements[text] ?? 0) + 1;
      return original.apply(this, values);
    } as never);
  });
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  post('Profiler.takePreciseCoverage');
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const { result } = post('Profiler.takePreciseCoverage') as Coverage; // as the inspector says
  session.disconnect();
  const calls = new Map<string, number>();
  for (const { url, functions } of result.filter((each) => rooms.test(each.url)))
    for (const { functionName, ranges } of functions) {
      const name = `${url.replace(/^.*\/src\//, '')} ${functionName}`;
      const count = ranges[0]?.count ?? 0;
      // Functions within functions have no name.
      if (count > 0 && functionName !== '') calls.set(name, (calls.get(name) ?? 0) + count);
    }
  return { calls, statements };
}

const trial = { Prefer: 'tx=rollback' };

/** What reads of a group can be, and what is refused of them. */
function readsOf(resource: Resource, id: string, tag: string): readonly Asked[] {
  const { path, operations } = resource;
  const at = pathOf(resource, id);
  const read = (...paths: readonly string[]): Asked[] => paths.map((each) => ({ method: 'GET', path: each }));
  const filters = resource.fields.flatMap(({ filter, sort, name }) => [
    ...(sort ? [`${path}?sort=-${name}&limit=2`] : []),
    ...(filter === undefined ? [] : [`${path}?${name}=x`, `${path}?${name}Id=${unknownId}`]),
  ]);
  return [
    { method: 'OPTIONS', path },
    ...read(at, `${at}?x=1`, `${at}?fields=id`, `${at}?expand=nothing`, `/explain${at}/createdAt`),
    ...read(`/history${at}`, `/history${at}?x=1`),
    { method: 'GET', path: at, headers: { 'If-None-Match': tag } },
    { method: 'HEAD', path: at },
    ...(resource.singleton ? [] : read(`${path}/x`, `${path}/${unknownId}`)),
    ...(operations.has('list')
      ? [
          ...read(path, `${path}?limit=1&count=true`, `${path}?limit=0`, `${path}?startingAfter=${id}`, ...filters),
          ...read(`/summary${path}?count=true`, `/export${path}`, `/export${path}?format=csv`),
        ]
      : []),
  ];
}

/** Writes that are tried, and those that are refused. */
function trialsOf(resource: Resource, id: string, body: Json): readonly Asked[] {
  const { path, operations } = resource;
  const at = pathOf(resource, id);
  const bodies = [body, {}, { nonsense: 1 }, '['];
  return [
    ...bodies.flatMap((each): Asked[] => [
      { method: 'POST', path, body: each, headers: trial },
      { method: 'PATCH', path: at, body: each, headers: trial },
      { method: 'PUT', path: `${path}?name=x`, body: each, headers: trial },
    ]),
    { method: 'PATCH', path: at, body: {}, headers: { ...trial, 'If-Match': '"99-0000000000000000"' } },
    ...(resource.singleton ? [] : [{ method: 'PATCH', path: `${path}/${unknownId}`, body: {} }]),
    ...(operations.has('delete')
      ? [
          { method: 'DELETE', path: at, headers: trial },
          { method: 'DELETE', path: `${path}/${unknownId}` },
        ]
      : []),
    {
      method: 'POST',
      path: '/batch',
      body: {
        operations: [
          { method: 'GET', path: at },
          { method: 'PATCH', path: at, body: {} },
        ],
      },
      headers: trial,
    },
  ];
}

/** What is asked for beside the groups, but for what tells of rights: `/access`, and the document. */
const beside: readonly Asked[] = [
  { method: 'GET', path: '/changes?limit=20' },
  { method: 'GET', path: '/changes?limit=x' },
  { method: 'GET', path: '/webhooks' },
  { method: 'GET', path: '/nowhere' },
  { method: 'POST', path: '/batch', body: {} },
  { method: 'OPTIONS', path: '/batch' },
  { method: 'GET', path: `/writes/${unknownId}` },
  { method: 'POST', path: `/writes/${unknownId}/undo` },
];

for (const ground of grounds)
  describe.skipIf(ground.open === undefined)(`answers without roles (${ground.name})`, () => {
    let askers: readonly [Asker, ...Asker[]];
    const records = new Map<Resource, { readonly id: string; readonly tag: string; readonly body: Json }>();
    const closing: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      if (ground.open === undefined) return;
      const { url, close } = await ground.open();
      closing.push(close);
      const plain = await startService(folder, url, { changes: 90 });
      closing.unshift(plain.stop);
      for (const resource of resources) {
        const { id } = await someRecord(plain, resource);
        const { headers } = await plain.call('GET', pathOf(resource, id));
        const body = resource.operations.has('create') ? await plain.bodyOf(resource.name, {}, 'all') : {};
        records.set(resource, { id, tag: String(headers.etag), body });
      }
      const beside = await startService(folder, url, { changes: 90, roles });
      closing.unshift(beside.stop);
      askers = [
        { words: 'no roles', service: plain, token: accessToken },
        { words: 'roles, a token without', service: beside, token: accessToken },
        {
          words: 'a role that allows everything',
          service: beside,
          token: await newToken(beside, { roles: ['everything'] }),
        },
      ];
    }, 300_000);
    afterAll(async () => {
      for (const close of closing) await close();
    }, 60_000);

    /** Asks all alike. @returns how often each status came */
    async function compared(requests: readonly Asked[]): Promise<ReadonlyMap<number, number>> {
      const [first, ...others] = askers;
      const counts = new Map<number, number>();
      for (const asked of requests) {
        const expected = await ask(first, asked);
        counts.set(expected.status, (counts.get(expected.status) ?? 0) + 1);
        for (const other of others)
          expect(await ask(other, asked), `${asked.method} ${asked.path}, ${other.words}`).toEqual(expected);
      }
      return counts;
    }

    const reads = () => [...records].flatMap(([resource, { id, tag }]) => readsOf(resource, id, tag));
    const trials = () => [...records].flatMap(([resource, { id, body }]) => trialsOf(resource, id, body));

    test('reads are the same, byte for byte', async () => {
      const counts = await compared([...reads(), ...beside]);
      // Each of them is really among the answers.
      for (const status of [200, 204, 304, 400, 404]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
    }, 600_000);

    test('writes are the same, byte for byte, but for what they make', async () => {
      const counts = await compared(trials());
      for (const status of [200, 400, 404, 412]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
    }, 600_000);

    test.skipIf(ground.name !== 'SQLite')(
      'nothing is paid for roles that do not count',
      async () => {
        const requests = [...reads(), ...trials()];
        const paid: Paid[] = [];
        for (const asker of askers) {
          // What explains and tells of the past asks first what of the record is seen.
          const sent = requests.filter(({ path }) => asker !== askers[2] || !/^\/(?:explain|history)/.test(path));
          paid.push(
            await paidFor(async () => {
              for (const each of sent) await ask(asker, each);
            }),
          );
        }
        const [without, beside, everything] = paid;
        // An export is asked again before each of its portions.
        const asked = requests.length + requests.filter(({ path }) => path.startsWith('/export/')).length;
        for (const [name, count] of without?.calls ?? []) {
          expect(gates, 'what asks whether there are any').toContain(name);
          // Where a whole is gone through, each of its parts is one that is asked for.
          expect(count, name).toBeLessThanOrEqual(
            name.startsWith('engine/sight/reads.ts') ? 3 * requests.length : asked,
          );
        }
        expect(without?.calls.get('app/access/rights-of-callers.ts of')).toBe(asked);
        expect([...(beside?.calls.keys() ?? [])].filter((name) => !gates.has(name))).toEqual([]);
        expect(beside?.statements).toEqual(without?.statements);
        // Nor does a role without a condition read any more.
        for (const [text, count] of Object.entries(everything?.statements ?? {}))
          expect(count, text).toBeLessThanOrEqual(without?.statements[text] ?? 0);
      },
      600_000,
    );
  });
