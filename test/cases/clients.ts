import { type Case, conflict, done, type Expected, example, refused, type World } from './case.ts';
import { aMomentAgo, laterThan } from './days.ts';

const client = (world: World, values: object) => world.send('POST', '/clients', values);
/** A client of this name is made where there are some of those names and keys. */
const keyed = (
  says: string,
  name: (unique: number) => string,
  key: (unique: number) => string,
  there: (unique: number) => readonly object[] = () => [],
) =>
  example({
    says,
    given: async (world) => {
      const { unique } = world;
      for (const values of there(unique)) await client(world, values);
      return unique;
    },
    when: (unique) => ['POST', '/clients', { name: name(unique) }],
    gives: (unique) => done({ name: name(unique), key: key(unique) }),
  });

/** Text of 255 characters that begins with a number. */
const long = (unique: number, end = '') => `${unique}a`.padEnd(255 - end.length, 'a') + end;

const keys: readonly Case[] = [
  keyed(
    'The key of a client is made from the name',
    (n) => `Acme ${n}`,
    (n) => `acme-${n}`,
  ),
  keyed(
    'A key has no accents, and one hyphen for all that is neither letter nor digit',
    (n) => ` Éa – Čapek & (Sons) ${n}!`,
    (n) => `ea-capek-sons-${n}`,
  ),
  // ß has no form without marks.
  keyed(
    'Letters beyond a to z are left out of a key',
    (n) => `Große Straße ${n} 東京`,
    (n) => `gro-e-stra-e-${n}`,
  ),
  keyed(
    'The second client of a name has a 2 behind its key',
    (n) => `Acme ${n}`,
    (n) => `acme-${n}-2`,
    (n) => [{ name: `Acme ${n}` }],
  ),
  keyed(
    'The third client of a name has a 3 behind its key',
    (n) => `Acme ${n}`,
    (n) => `acme-${n}-3`,
    (n) => [{ name: `Acme ${n}` }, { name: `ACME ${n}` }],
  ),
  keyed(
    'The first number that is free stands behind a key',
    (n) => `Acme ${n}`,
    (n) => `acme-${n}-2`,
    (n) => [{ name: `Acme ${n}` }, { name: 'Other', key: `acme-${n}-3` }],
  ),
  keyed(
    'A key has at most 255 characters',
    (n) => long(n),
    (n) => long(n),
  ),
  keyed(
    'A long key is cut for the number behind it',
    (n) => long(n),
    (n) => `${long(n).slice(0, 253)}-2`,
    (n) => [{ name: long(n) }],
  ),
  keyed(
    'No hyphen stands before that of the number',
    (n) => long(n, ' bc'),
    (n) => `${long(n).slice(0, 252)}-2`,
    (n) => [{ name: long(n, ' bc') }],
  ),
  example({
    says: 'A name without letters and digits gives the key client',
    given: async (world) => {
      for (const { id } of await world.all('client', '&key=client')) await world.send('DELETE', `/clients/${id}`);
    },
    when: () => ['POST', '/clients', { name: '東京' }],
    gives: done({ key: 'client' }),
  }),
  example({
    says: 'A client can have a key that does not follow from the name',
    given: async (world) => `chosen-${world.unique}`,
    when: (key) => ['POST', '/clients', { name: 'Acme', key }],
    gives: (key) => done({ name: 'Acme', key }),
  }),
  example({
    says: 'An empty key is none',
    given: async (world) => world.unique,
    when: (unique) => ['POST', '/clients', { name: `Acme ${unique}`, key: '' }],
    gives: (unique) => done({ key: `acme-${unique}` }),
  }),
  example({
    says: 'A key that is sent is not changed where it is taken',
    given: async (world) => (await client(world, { name: `Acme ${world.unique}` }))['key'],
    when: (key) => ['POST', '/clients', { name: 'Acme', key }],
    gives: conflict('A Client with the same key already exists.'),
  }),
  example({
    says: 'Another name leaves the key as it is',
    given: (world) => client(world, { name: `Acme ${world.unique}` }),
    when: ({ id }) => ['PATCH', `/clients/${id}`, { name: 'Renamed' }],
    gives: (before) => done({ name: 'Renamed', key: before['key'] }),
  }),
];

const settings = (says: string, values: object, isOfWorkspace: boolean) =>
  example({
    says,
    given: async ({ make }) => ({ name: 'Acme', businessUnitId: (await make('business-unit')).id, ...values }),
    when: (body) => ['POST', '/clients', body],
    gives: done({ useWorkspaceInvoiceDetails: isOfWorkspace }),
  });
const details: readonly Case[] = [
  settings('A client is invoiced with the settings of the workspace', {}, true),
  settings('A client can have invoice settings of its own', { invoiceDetailsSource: 'custom' }, false),
  settings('A client can have those of its business unit', { invoiceDetailsSource: 'business_unit' }, false),
  example({
    says: 'A client can give up the settings of the workspace',
    given: (world) => client(world, { name: 'Acme' }),
    when: ({ id }) => ['PATCH', `/clients/${id}`, { invoiceDetailsSource: 'custom' }],
    gives: done({ invoiceDetailsSource: 'custom', useWorkspaceInvoiceDetails: false }),
  }),
  example({
    says: 'A client can come back to the settings of the workspace',
    given: (world) => client(world, { name: 'Acme', invoiceDetailsSource: 'custom' }),
    when: ({ id }) => ['PATCH', `/clients/${id}`, { invoiceDetailsSource: 'workspace' }],
    gives: done({ invoiceDetailsSource: 'workspace', useWorkspaceInvoiceDetails: true }),
  }),
];

/** What of a record changes, in words, as its body field, and as another value for it. */
type Change = readonly [words: string, key: string, value: (world: World) => Promise<unknown>];
const idOf =
  (group: string) =>
  async ({ make }: World) =>
    (await make(group)).id;
const timed = (path: string, human: string, changes: readonly Change[]) => [
  ...changes.flatMap(([words, key, value]) => [
    example({
      says: `A change of the ${words} of a ${human} has its time`,
      given: async (world: World) => ({
        before: await aMomentAgo(world.send('POST', path, { name: `Timed ${world.unique}` })),
        sent: { [key]: await value(world) },
      }),
      when: ({ before, sent }) => ['PATCH', `${path}/${before.id}`, sent],
      gives: ({ before }) => done({ createdAt: before['createdAt'], modifiedAt: laterThan(before['modifiedAt']) }),
    }),
    example({
      says: `Sending the ${words} of a ${human} as before leaves its time`,
      given: async (world: World) => {
        const sent = { [key]: await value(world) };
        return { before: await world.send('POST', path, { name: `Timed ${world.unique}`, ...sent }), sent };
      },
      when: ({ before, sent }) => ['PATCH', `${path}/${before.id}`, sent],
      gives: ({ before }) => done({ modifiedAt: before['createdAt'] }),
    }),
  ]),
];
const name: Change = ['name', 'name', async ({ unique }) => `Name ${unique}`];
const owner: Change = ['owner', 'ownerId', idOf('member')];
const times: readonly Case[] = [
  ...timed('/clients', 'client', [
    ...[name, owner],
    ['source of invoice settings', 'invoiceDetailsSource', async () => 'custom'],
    ['tags', 'tagIds', async (world) => [await idOf('client-tag')(world)]],
    ['addresses', 'emails', async () => ['accounts@example.com', 'boss@example.com']],
  ]),
  ...timed('/companies', 'company', [
    ...[name, owner],
    ['people', 'contactIds', async (world) => [await idOf('contact')(world)]],
    ['revenue', 'revenue', async () => 1_500_000.5],
  ]),
];

const named = (says: string, sent: object, gives: Expected) =>
  example({ says, when: () => ['POST', '/contacts', sent], gives });
const renamed = (says: string, values: object, sent: object, gives: Expected) =>
  example({
    says,
    given: ({ send }: World) => send('POST', '/contacts', values),
    when: ({ id }) => ['PATCH', `/contacts/${id}`, sent],
    gives,
  });
const ada = { firstName: 'Ada', lastName: 'Byron' };
const nameless = refused("'name' is required");
const contacts: readonly Case[] = [
  named('The full name of a contact is first and last name', ada, done({ ...ada, name: 'Ada Byron' })),
  named('A contact may have a first name alone', { firstName: 'Ada' }, done({ lastName: '', name: 'Ada' })),
  named('A contact may have a last name alone', { lastName: 'Byron' }, done({ firstName: '', name: 'Byron' })),
  named('A full name can be another one', { ...ada, name: 'Lady Lovelace' }, done({ ...ada, name: 'Lady Lovelace' })),
  named('A full name can stand alone', { name: 'Ada' }, done({ firstName: '', lastName: '', name: 'Ada' })),
  named('An empty full name is made anew', { ...ada, name: ' ' }, done({ name: 'Ada Byron' })),
  named('A contact has a name', { email: 'ada@example.com' }, nameless),
  named('Empty names are none', { firstName: '', lastName: null }, nameless),
  renamed(
    'Another first name makes the full name anew',
    ada,
    { firstName: 'Augusta' },
    done({ name: 'Augusta Byron' }),
  ),
  renamed('Another last name makes the full name anew', ada, { lastName: 'King' }, done({ name: 'Ada King' })),
  renamed('A last name that goes leaves the first', ada, { lastName: null }, done({ lastName: '', name: 'Ada' })),
  renamed(
    'A full name that is sent with others stays as sent',
    ada,
    { lastName: 'King', name: 'Lady Lovelace' },
    done({ firstName: 'Ada', lastName: 'King', name: 'Lady Lovelace' }),
  ),
  renamed(
    'A full name of its own stays when something else changes',
    { ...ada, name: 'Lady Lovelace' },
    { title: 'Countess' },
    done({ name: 'Lady Lovelace', title: 'Countess' }),
  ),
  renamed(
    'A full name of its own is given up when a part of the name is sent',
    { ...ada, name: 'Lady Lovelace' },
    { firstName: 'Ada' },
    done({ name: 'Ada Byron' }),
  ),
  renamed('A full name is not taken away with a part of it', ada, { firstName: 'Augusta', name: null }, nameless),
  renamed('A contact keeps a name', ada, { firstName: '', lastName: '' }, nameless),
  renamed('A full name cannot be taken away', ada, { name: '' }, nameless),
];

/** The list of clients for a query; these of them are found. */
const finding = <Scene>(
  says: string,
  given: (world: World) => Promise<Scene>,
  { query, found }: { query: (scene: Scene) => string; found: (scene: Scene) => readonly { readonly id: string }[] },
) =>
  example({
    says,
    given,
    when: (scene) => ['GET', `/clients?${query(scene)}`],
    gives: (scene) => done({ results: found(scene).map(({ id }) => ({ id })), hasMore: false }),
  });
const last = '\u{10FFFF}';
const searches: readonly Case[] = [
  finding(
    'Clients are found by a tag and an owner together',
    async (world) => {
      const { make } = world;
      const [tag, ownerId] = [await make('client-tag'), (await make('member')).id];
      const tagIds = [tag.id];
      const both = await make('client', { tagIds, ownerId });
      await make('client', { tagIds, ownerId: null });
      await make('client', { tagIds: [], ownerId });
      return { tag, ownerId, both };
    },
    { query: ({ tag, ownerId }) => `ownerId=${ownerId}&tagId=${tag.id}`, found: ({ both }) => [both] },
  ),
  // Nothing comes after the last character: what begins with it ends where what is before it does.
  finding(
    'A beginning may end with the last character that there is',
    async (world) => {
      const { unique } = world;
      const names = [`${unique}b${last}c`, `${unique}b${last}`, `${unique}b`, `${unique}c`];
      const made = [];
      for (const name of names) made.unshift(await client(world, { name }));
      return { unique, made };
    },
    {
      query: ({ unique }) => `nameStartsWith=${encodeURIComponent(`${unique}b${last}`)}`,
      found: ({ made }) => made.slice(2),
    },
  ),
  finding('Nothing begins with the last character alone', async () => undefined, {
    query: () => `nameStartsWith=${encodeURIComponent(last)}`,
    found: () => [],
  }),
];

const named255 = 'x'.repeat(255);
const odd: readonly Case[] = [
  example({
    says: 'A field that nobody knows is told with 255 characters of its name at most',
    when: () => ['POST', '/clients', { name: 'Acme', [`${named255}yz`]: 1, [named255]: 1 }],
    gives: refused(`'${named255}…' is not allowed`, `'${named255}' is not allowed`),
  }),
  example({
    says: 'A change of nothing leaves a client as it is, with the time of its last change',
    given: ({ make }: World) => make('client', { notes: 'First' }),
    when: ({ id }) => ['PATCH', `/clients/${id}`, {}],
    gives: ({ modifiedAt }) => done({ modifiedAt, notes: 'First' }),
  }),
];

export const clients: readonly Case[] = [...keys, ...details, ...times, ...contacts, ...searches, ...odd];
