// What the engine asks the database for, what it wants to change, and what rules see of it meanwhile: on a small world of its
// own, with a rule that the tests make up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { setUpWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Change } from '../../src/engine/changes/change.ts';
import { Writer } from '../../src/engine/changes/writer.ts';
import type { Operation } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { parseBody } from '../../src/request/body.ts';
import { parseAddress } from '../../src/request/parse.ts';
import { rules as catalogue } from '../../src/rules/catalogue.ts';
import type { Aftermath, Moment, Rule } from '../../src/rules/support/rule.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { oneByOne, type Session, type Together } from '../../src/storage/schema/session.ts';
import { ConstraintError } from '../../src/storage/unit-of-work.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { folders, isObject, type Json } from '../support/service/praxis.ts';

const operations = ['list', 'get', 'create', 'update', 'delete'];
const name = { type: 'string', maxLength: 40, description: 'Name' };
const colour = { type: 'string', enum: ['red', 'blue'], default: 'red', description: 'Colour' };
const flag = { type: 'boolean', default: false, description: 'Whether it is the one' };
const modifiedAt = {
  type: 'string',
  format: 'date-time',
  readOnly: true,
  computedBy: { use: 'modified' },
  description: 'Last change',
};
const to = (reference: string, onDelete: string, more: Json = {}) => ({
  ...{ reference, onDelete, filter: 'exact', description: 'Another record' },
  ...more,
});
const listOf = (properties: Json, required: readonly string[]) => ({
  ...{ type: 'array', items: { type: 'object', properties, required } },
  ...{ maxItems: 100, default: [], description: 'Items' },
});
const nullable = { nullable: true };
const groups: Readonly<Record<string, { properties: Json; required: readonly string[]; more?: Json }>> = {
  settings: {
    properties: { name },
    required: ['name'],
    more: {
      ...{ path: '/settings', operations: ['get', 'update'], singleton: true, workspace: true },
      setup: [{ name: 'Depots' }],
    },
  },
  depot: { properties: { name, modifiedAt }, required: ['name'] },
  mode: {
    properties: { name, isDefault: flag },
    required: ['name'],
    more: { rules: [{ use: 'oneDefault', field: 'isDefault' }] },
  },
  badge: { properties: { name, depot: to('depot', 'clear', nullable) }, required: ['name'] },
  label: { properties: { name, colour }, required: ['name'] },
  owner: { properties: { name }, required: ['name'], more: { unique: [['name']] } },
  crate: {
    properties: {
      ...{ name, colour, note: { ...name, default: '' } },
      shade: { ...colour, default: undefined, formula: 'label.colour', compute: 'always' },
      depot: to('depot', 'cascade'),
      spare: to('depot', 'clear', nullable),
      label: to('label', 'restrict'),
    },
    required: ['name', 'depot', 'label'],
  },
  manifest: {
    properties: {
      name,
      lines: listOf(
        {
          text: name,
          parts: listOf({ name, crate: to('crate', 'clear', { nullable: true, filter: undefined }) }, ['name']),
        },
        ['text'],
      ),
    },
    required: ['name'],
  },
  parcel: {
    properties: { name, depot: to('depot', 'cascade') },
    required: ['name', 'depot'],
    more: { rules: [{ use: 'probe' }] },
  },
};

interface World {
  readonly workspace: Workspace;
  /** Statements since the last request began, those of transactions too. */
  readonly asked: string[];
  execute(operation: Operation, group: string, sent?: { id?: unknown; query?: string; body?: Json }): Promise<Json>;
  /** Makes a record. @returns its id */
  make(group: string, body: Json): Promise<string>;
}

/** The engine on the descriptors of a folder, in memory. */
async function openWorld(
  folder: string,
  rules: Readonly<Record<string, Rule>>,
  url = 'sqlite::memory:',
): Promise<World> {
  const registry = loadRegistry(folder, rules);
  const database = await openDatabase(url);
  const workspace = await setUpWorkspace({ registry, database, rules });
  const asked: string[] = [];
  const watched = (session: Session): Session => ({
    all: (sql, values) => {
      asked.push(sql);
      return session.all(sql, values);
    },
    run: (sql, values) => {
      asked.push(sql);
      return session.run(sql, values);
    },
  });
  const { all, run, transact } = database;
  const outside = watched({ all: all.bind(database), run: run.bind(database) });
  Object.assign(database, {
    ...outside,
    together: (statements: Together) => oneByOne(outside, statements),
    transact: (work: Parameters<typeof transact>[0]) => transact.call(database, (session) => work(watched(session))),
  });
  const endpoints = endpointsOf(registry);
  const execute: World['execute'] = async (operation, group, { id = '', query = '', body } = {}) => {
    const endpoint = endpoints.find((each) => each.resource.name === group && each.operation === operation);
    if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
    const mode = operation === 'create' ? 'create' : 'update';
    const parsed = body === undefined ? undefined : parseBody(endpoint.resource, mode, body);
    asked.length = 0;
    const caller = { tokenId: 'T', memberId: null };
    const address = parseAddress(endpoint, String(id), query);
    const outcome = await workspace.engine.execute({ endpoint, caller, ...address, body: parsed });
    const answer: unknown = outcome.body === undefined ? {} : JSON.parse(outcome.body.toString());
    return isObject(answer) ? answer : {};
  };
  return {
    ...{ workspace, asked, execute },
    make: async (group, body) => String((await execute('create', group, { body }))['id']),
  };
}

describe('the engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-engine-'));
  let probe: (moment: Moment) => unknown = () => undefined;
  let aftermath: (moment: Aftermath) => unknown = () => undefined;
  let world: World;

  beforeAll(async () => {
    for (const [group, { properties, required, more }] of Object.entries(groups)) {
      const resource = { path: `/${group}s`, shownAs: '{name}', operations, ...more };
      const title = group.replace(/^./, (letter) => letter.toUpperCase());
      const descriptor = { title, description: 'A group.', type: 'object', properties, required, resource };
      writeFileSync(join(folder, `${group}.json`), JSON.stringify(descriptor));
    }
    const rule: Rule = {
      ...{ says: 'What the test asks.', parameters: {}, on: ['create', 'delete'], conflicts: { create: 'inUse' } },
      check: async (moment) => void (await probe(moment)),
      after: async (moment) => void (await aftermath(moment)),
    };
    world = await openWorld(folder, { ...catalogue, probe: rule });
  });
  afterAll(async () => {
    await world.workspace.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    probe = () => undefined;
    aftermath = () => undefined;
  });

  const depot = () => world.make('depot', { name: 'Depot' });
  const crate = async (body: Json): Promise<string> =>
    world.make('crate', { name: 'Crate', labelId: await world.make('label', { name: 'Label' }), ...body });
  const count = (words: RegExp): number => world.asked.filter((sql) => words.test(sql)).length;
  /** What a request changes, in its order. */
  async function changesOf(operation: Operation, group: string, id: string): Promise<readonly Change[]> {
    const carryOut = vi.spyOn(Writer.prototype, 'carryOut');
    await world.execute(operation, group, { id });
    return carryOut.mock.calls.flatMap(([, changes]) => changes);
  }

  test('what a rule changes in other records is there when it asks for them', async () => {
    const depotId = await depot();
    const badgeId = await world.make('badge', { name: 'Old', depotId });
    const found: unknown[] = [];
    aftermath = async ({ effects, records }) => {
      await effects.change('badge', badgeId, { name: 'New' });
      found.push(await records.exists('badge', { depotId, name: 'New' }));
      await effects.create('badge', { name: 'Second', depotId });
      found.push((await records.list('badge', { depotId })).map((badge) => badge['name']));
    };
    await world.make('parcel', { name: 'Parcel', depotId });
    expect(found).toEqual([true, ['New', 'Second']]);
  });

  test('what goes with a record is not changed as well', async () => {
    const depotId = await depot();
    await crate({ depotId, spareId: depotId });
    const changes = await changesOf('delete', 'depot', depotId);
    expect(changes.map(({ kind, group }) => `${kind} ${group}`)).toEqual(['delete crate', 'delete depot']);
  });

  test('a record that goes is taken out of lists inside lists, and of nothing else', async () => {
    const crateId = await crate({ depotId: await depot() });
    const other = { name: 'b', crateId: null };
    const lines = [
      { text: 'One', parts: [{ name: 'a', crateId }, other] },
      { text: 'Two', parts: [other] },
    ];
    const id = await world.make('manifest', { name: 'List', lines });
    expect(await changesOf('delete', 'crate', crateId)).toMatchObject([
      {
        ...{ kind: 'update', group: 'manifest', id, keys: ['lines'], before: { lines } },
        after: {
          lines: [
            { text: 'One', parts: [other] },
            { text: 'Two', parts: [other] },
          ],
        },
      },
      { kind: 'delete', group: 'crate' },
    ]);
    expect(await world.execute('get', 'manifest', { id })).toMatchObject({
      lines: [{ parts: [{ name: 'b', crate: null }] }, { parts: [{ name: 'b' }] }],
    });
  });

  test('a page shows all items of items, however many', async () => {
    const parts = Array.from({ length: 25 }, (_part, n) => ({ name: `Part ${n}` }));
    const lines = Array.from({ length: 40 }, (_line, n) => ({ text: `Line ${n}`, parts }));
    const before = await world.execute('list', 'manifest');
    // 1000 parts each: more together than are read at once.
    for (const each of ['One', 'Two', 'Three']) await world.make('manifest', { name: each, lines });
    const { results } = (await world.execute('list', 'manifest', { query: 'limit=3' })) as { results: Json[] };
    for (const { lines: shown } of results) expect(shown).toMatchObject(lines);
    expect(before['hasMore']).toBe(false);
  });

  test('a rule that knows a part of a list asks for the other part', async () => {
    const depotId = await depot();
    await crate({ depotId, colour: 'blue' });
    let found: unknown;
    probe = async ({ records }) => {
      const red = await records.list('crate', { depotId, colour: 'red' });
      found = [red, await records.exists('crate', { depotId, colour: 'blue' })];
    };
    await world.make('parcel', { name: 'Parcel', depotId });
    expect(found).toEqual([[], true]);
  });

  test('a rule sees records as the write that asks it wants them', async () => {
    const depotId = await depot();
    const badgeId = await world.make('badge', { name: 'Badge', depotId });
    await world.make('parcel', { name: 'Parcel', depotId });
    let found: unknown;
    probe = async ({ records }) => {
      found = (await records.many('badge', [badgeId])).get(badgeId)?.['depotId'];
    };
    await world.execute('delete', 'depot', { id: depotId });
    expect(found).toBeNull();
  });

  test('a rule gets many records by one statement, and none that it knows again', async () => {
    const depotId = await depot();
    const ids = [
      await crate({ depotId }),
      await crate({ depotId, colour: 'blue', name: 'Blue one' }),
      await crate({ depotId }),
    ];
    let found: unknown;
    probe = async ({ records }) => {
      const blue = await records.among('crate', { colour: 'blue' }, { key: 'id', values: ids });
      const named = await records.among('crate', { name: 'Blue one' }, { key: 'id', values: ids });
      found = [[...blue], [...named], [...(await records.many('crate', ids)).keys()]];
    };
    await world.make('parcel', { name: 'Parcel', depotId });
    expect(found).toEqual([[ids[1]], [ids[1]], ids]);
    expect(count(/from "?crate"?/)).toBe(1);
  });

  test('a rule finds a unique text in whatever case of letters it asks for it', async () => {
    const depotId = await depot();
    const id = await world.make('owner', { name: 'Müller' });
    let found: unknown;
    probe = async ({ records }) => {
      const there = await Promise.all(
        ['MÜLLER', 'müller', 'Mueller'].map((text) => records.exists('owner', { name: text })),
      );
      const among = await records.among('owner', { name: 'müLLER' }, { key: 'id', values: [id] });
      found = [...there, (await records.list('owner', { name: 'mÜller' })).map((owner) => owner['id']), [...among]];
    };
    await world.make('parcel', { name: 'Parcel', depotId });
    expect(found).toEqual([true, true, false, [id], [id]]);
  });

  test('a conflict that a rule does not name is a fault of the rule', async () => {
    const depotId = await depot();
    probe = ({ conflict }) => conflict('readOnly');
    await expect(world.make('parcel', { name: 'Parcel', depotId })).rejects.toThrow(
      'rule probe does not name the conflict readOnly on create',
    );
    probe = ({ conflict }) => conflict('inUse');
    await expect(world.make('parcel', { name: 'Parcel', depotId })).rejects.toMatchObject({ status: 409 });
  });

  test('a value that is kept from a reference follows another reference', async () => {
    const id = await crate({ depotId: await depot() });
    const labelId = await world.make('label', { name: 'Blue', colour: 'blue' });
    expect(await world.execute('get', 'crate', { id })).toMatchObject({ shade: 'red' });
    expect(await world.execute('update', 'crate', { id, body: { labelId } })).toMatchObject({ shade: 'blue' });
  });

  test('a change of what nothing looks at is one statement; of nothing, none', async () => {
    const depotId = await depot();
    const id = await crate({ depotId });
    await world.execute('update', 'crate', { id, body: { note: 'Heavy' } });
    expect(world.asked.map((sql) => sql.slice(0, 6))).toEqual(['update', 'select']);
    const modeId = await world.make('mode', { name: 'Mode' });
    await world.execute('update', 'mode', { id: modeId, body: { name: 'Other' } });
    expect(world.asked.map((sql) => sql.slice(0, 6))).toEqual(['update', 'select']);
    await world.execute('update', 'depot', { id: depotId, body: {} });
    expect(world.asked.map((sql) => sql.slice(0, 6))).toEqual(['select']);
  });

  test('lists that are empty behind a write are not read for its answer', async () => {
    const read = (): number => world.asked.filter((sql) => /^select\b.*manifest_/.test(sql)).length;
    const { id } = await world.execute('create', 'manifest', { body: { name: 'Empty' } });
    expect(read()).toBe(0);
    const lines = [{ text: 'a', parts: [{ name: 'b' }] }];
    expect(await world.execute('update', 'manifest', { id, body: { lines } })).toMatchObject({ lines });
    expect(read()).toBeGreaterThan(0);
    expect(await world.execute('update', 'manifest', { id, body: { name: 'Full' } })).toMatchObject({ lines });
  });

  test('the page of a reference is read along its own index', async () => {
    const depotId = await depot();
    await crate({ depotId });
    await world.execute('list', 'crate', { query: `depotId=${depotId}` });
    expect(world.asked).toEqual([expect.stringMatching(/indexed by "?crate__depot_id_list"? /)]);
  });

  test('writes that are one transaction tell of a reference to nothing', async () => {
    const { engine } = world.workspace;
    const depotId = '00000000-0000-7000-8000-00000000dead';
    const work = engine.together((batch) => batch.create('badge', { values: { name: 'Badge', depotId } }));
    await expect(work).rejects.toBeInstanceOf(ConstraintError);
  });
});

// Where one writes at a time there is nothing to guard.
describeOnServers('guards', (server) => {
  let world: World;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const made = await server.open('praxis_engine');
    world = await openWorld(folders.rules, catalogue, made.url);
    closing.push(() => world.workspace.close(), made.drop);
  }, 60_000);
  afterAll(async () => {
    for (const close of closing) await close();
  }, 60_000);
  /** Places of the guards among the statements on records. */
  const guards = (): number[] =>
    world.asked
      .filter((sql) => !sql.includes('praxis_state'))
      .flatMap((sql, place) => (/^update `room` set guard/.test(sql) ? [place] : []));

  test('what a rule compares is guarded before anything is read', async () => {
    const roomId = await world.make('room', { name: 'Room' });
    await world.make('stay', { roomId, from: '2030-01-01', to: null });
    expect(guards()).toEqual([0]);
  });

  test('what a derivation compares is guarded too', async () => {
    const roomId = await world.make('room', { name: 'Room' });
    await world.make('meal', { roomId, date: '2030-01-01' });
    expect(guards()).toEqual([0]);
  });

  test('a guard holds until the transaction ends, however many writes it has', async () => {
    const roomId = await world.make('room', { name: 'Room' });
    world.asked.length = 0;
    await world.workspace.engine.together(async (batch) => {
      for (const date of ['2030-01-01', '2030-01-02']) await batch.create('meal', { values: { roomId, date } });
    });
    expect(guards()).toEqual([0]);
  });
});
