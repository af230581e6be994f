// The generated client against the real service: what it offers, and each operation of every group.
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, outcomeOf, type Praxis, PraxisError } from '../../codegen/generated/client.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Field, Resource } from '../../src/registry/model/model.ts';
import { isScalar, isShownElsewhere, isTied, unknownId } from '../laws/law.ts';
import { sqlite } from '../support/databases/databases.ts';
import {
  accessToken,
  type Context,
  type Json,
  onEveryDatabase,
  registryOf,
  startService,
} from '../support/service/praxis.ts';

type Shown = Json & { readonly id: string };
/** A group of the client without its own types. */
interface AnyGroup {
  list(query?: Json): Promise<{ results: Shown[]; hasMore: boolean }>;
  all(query?: Json): AsyncIterable<Shown>;
  get(id?: string): Promise<Shown>;
  create(body: Json): Promise<Shown>;
  update(...idAndBody: readonly unknown[]): Promise<Shown>;
  delete(id: string): Promise<void>;
}
const registry = registryOf('product');
const propertyOf = ({ path }: Resource): string =>
  path.slice(1).replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

async function collect(records: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of records) ids.push(id);
  return ids;
}

/** A change that rules allow: of a field that they have no say in, or of a plain text. */
async function changeOf(context: Context, resource: Resource, record: Json): Promise<Json> {
  const fields = resource.fields.filter(
    (field) => field.onUpdate && field.shown && isScalar(field) && !isShownElsewhere(field, resource, record),
  );
  const isPlain = (field: Field): boolean =>
    field.kind === 'text' &&
    field.format === undefined &&
    !field.derived &&
    !field.figure &&
    !resource.lockedFields.some(({ fields: locked }) => locked.includes(field)) &&
    !field.onlyWhen;
  const field = fields.find((each) => !isTied(resource, each)) ?? fields.find(isPlain);
  if (field === undefined) return {};
  const value = field.kind === 'boolean' ? record[field.name] !== true : context.valueOf(resource.name, field.key);
  return { [field.key]: await value };
}

test('offers the operations of every group and no others', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
  const offered = Object.entries(client).map(([name, group]) => [name, Object.keys(group).toSorted()]);
  const beside = { access: [], batch: [], can: [], changes: ['follow', 'pages'], history: [], undo: [], write: [] };
  const byResource = Map.groupBy(endpointsOf(registry), ({ resource }) => resource);
  const expected = [...byResource].map(([resource, endpoints]) => {
    const operations = endpoints.flatMap(({ operation }) =>
      operation === 'list' ? ['all', 'list', 'summary'] : [operation],
    );
    return [propertyOf(resource), operations.toSorted()];
  });
  expect(Object.fromEntries(offered)).toEqual({ ...Object.fromEntries(expected), ...beside });
});

onEveryDatabase(
  'the generated client',
  (context) => {
    let praxis: Praxis;
    beforeAll(() => {
      praxis = createClient({ baseUrl: `${context.address}/`, token: async () => accessToken });
    });
    const groupOf = (resource: Resource): AnyGroup =>
      // The test before has seen that each group has the operations of its endpoints.
      (praxis as unknown as Record<string, AnyGroup>)[propertyOf(resource)] as AnyGroup;

    // A record that is only computed has nothing but `get`, which the test before has seen.
    const kept = [...registry.resources.values()].filter(({ computed }) => computed === undefined);
    describe.each(kept.map((resource) => [resource.title, resource] as const))('%s', (_title, resource) => {
      const has = (operation: 'list' | 'get' | 'create' | 'update' | 'delete'): boolean =>
        resource.operations.has(operation);

      if (has('create'))
        test('makes, reads, changes and deletes a record', async () => {
          const group = groupOf(resource);
          const made = await group.create(await context.bodyOf(resource.name, {}, 'all'));
          if (has('get')) expect(await group.get(made.id)).toEqual(made);
          if (has('update')) {
            const change = await changeOf(context, resource, made);
            const changed = await group.update(made.id, change);
            expect(changed).toMatchObject(change);
            if (has('get')) expect(await group.get(made.id)).toEqual(changed);
          }
          if (!has('delete')) return;
          const other = await group.create(await context.bodyOf(resource.name));
          expect(await group.delete(other.id)).toBeUndefined();
          if (has('get'))
            await expect(group.get(other.id)).rejects.toMatchObject({ name: 'NotFoundError', status: 404 });
        }, 30_000);

      if (has('list'))
        test('walks the pages', async () => {
          const group = groupOf(resource);
          const ids = (await context.all(resource.name)).map(({ id }) => id);
          const page = await group.list({ limit: 2 });
          expect(page.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
          expect(page.hasMore).toBe(ids.length > 2);
          expect(await collect(group.all({ limit: Math.max(1, Math.floor(ids.length / 3)) }))).toEqual(ids);
          expect(await collect(group.all())).toEqual(ids);
        }, 30_000);

      if (resource.singleton && has('update'))
        test('reads and changes the only record', async () => {
          const group = groupOf(resource);
          const before = await group.get();
          const change = await changeOf(context, resource, before);
          const changed = await group.update(change);
          expect(changed).toMatchObject({ id: before.id, ...change });
          expect(await group.get()).toEqual(changed);
        });
    });

    test('asks for a computed record with what the caller chooses', async () => {
      const period = { fromCurrency: 'EUR', toCurrency: 'USD', start: '2026-01-01', end: '2026-01-31', rate: 1.25 };
      await praxis.exchangeRatePeriods.create(period);
      expect(await praxis.exchangeRate.get({ date: '2026-01-15', fromCurrency: 'EUR' })).toEqual({
        date: '2026-01-15',
        fromCurrency: 'EUR',
        rates: [{ currency: 'USD', rate: 1.25 }],
      });
      const { date, fromCurrency } = await praxis.exchangeRate.get();
      expect([date, fromCurrency]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 'USD']);
    });

    test('sends filters, and leaves out what is undefined', async () => {
      const { id } = await praxis.clients.create({ name: 'Æther & Söhne +1' });
      await praxis.clients.update(id, { recordStatusId: 'archived' });
      const query = { nameContains: 'æTHER & söhne +1', recordStatusId: 'archived', ownerId: undefined } as const;
      expect((await praxis.clients.list(query)).results.map((client) => client.id)).toEqual([id]);
      expect(await collect(praxis.clients.all({ ...query, recordStatusId: 'active' }))).toEqual([]);
    });

    test('begins a walk after a record, and ends it where the caller does', async () => {
      const [, second, third] = (await context.all('client')).map(({ id }) => id);
      const seen: string[] = [];
      for await (const { id } of praxis.clients.all({ startingAfter: second, limit: 1 })) {
        seen.push(id);
        break;
      }
      expect(seen).toEqual([third]);
    });

    test('tells what the service said', async () => {
      const error = await praxis.jobTitles.create({ name: '' }).catch((thrown: unknown) => thrown);
      if (!(error instanceof PraxisError)) throw error;
      expect(error).toMatchObject({
        status: 400,
        message: 'There was a problem processing your request. See errors for more details.',
        errors: ["'name' is required"],
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operation: 'jobTitles.create',
        retryAfter: undefined,
        outcomeUnknown: false,
      });
      await expect(praxis.clients.get(unknownId)).rejects.toMatchObject({
        status: 404,
        message: `Object with id '${unknownId}' not found.`,
        errors: [],
        operation: 'clients.get',
      });
      const stranger = createClient({ baseUrl: context.address, token: 'not a token of this service' });
      await expect(stranger.clients.list()).rejects.toMatchObject({
        status: 401,
        message: 'The access token is not valid.',
      });
      await expect(createClient({ baseUrl: context.address }).clients.list()).rejects.toMatchObject({
        status: 401,
        message: 'Authentication is required.',
      });
    });
  },
  'product',
);

test('puts, expands and adds up as the service does', async () => {
  const { url, drop } = await sqlite.open();
  const service = await startService('product', url);
  try {
    const client = createClient({ baseUrl: service.address, token: accessToken });
    const made = await client.clients.put({ key: 'acme' }, { name: 'Acme', currency: 'EUR' });
    expect([outcomeOf(made), made.key]).toEqual(['created', 'acme']);
    expect(outcomeOf(await client.clients.put({ key: 'acme' }, { currency: 'EUR' }))).toBe('unchanged');
    await expect(client.clients.put({ key: 'acme' }, {}, { onlyNew: true })).rejects.toMatchObject({ status: 412 });
    const short = await client.clients.update(made.id, { name: 'Acme & Sons' }, { minimal: true });
    expect(Object.keys(short)).toEqual(['id']);
    const project = await client.projects.create({
      clientId: made.id,
      name: 'Rebuild',
      billingTypeId: 'tm',
      currency: 'EUR',
    });
    const shown = await client.projects.get(project.id, { expand: ['client'], fields: ['client', 'name'] });
    expect([Object.keys(shown).toSorted(), shown.client.key]).toEqual([['client', 'id', 'name'], 'acme']);
    const { results, count } = await client.projects.list({ count: true, fields: ['name'] });
    expect([results.length, count]).toEqual([count, results.length]);
    const { results: groups } = await client.projects.summary({ by: ['client'], clientId: made.id });
    expect(groups).toEqual([{ by: { client: { id: made.id, name: 'Acme & Sons' } }, count: 1 }]);
    const plain = await client.projects.list();
    expect(await client.projects.list({ expand: [], fields: [] })).toEqual(plain);
    expect(await client.projects.summary({ by: [], sum: [] })).toEqual(await client.projects.summary());
  } finally {
    await service.stop();
    await drop();
  }
});
