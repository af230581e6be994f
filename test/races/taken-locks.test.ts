// What writes lock on a server, read off their statements: nothing that `praxis explain plan` does not tell, and all that is in the
// text that is checked in. A lock that is no longer taken, or that is taken twice, is seen there.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { planOf } from '../../src/app/explain-plan.ts';
import { createPraxis } from '../../src/app/praxis.ts';
import { type Following, followingOf } from '../../src/engine/explain/what-follows.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import type { WriteOperation } from '../../src/facts/context.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { stateTableName } from '../../src/storage/counters.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { tableName } from '../../src/storage/schema/tables.ts';
import { everydayWrites } from '../support/data/everyday.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { noteTransactions } from '../support/databases/noted.ts';
import { accessToken, type Folder, type Json, registryOf } from '../support/service/praxis.ts';

type Write = (
  operation: WriteOperation,
  group: string,
  sent: { readonly id?: string; readonly body?: Json },
) => Promise<{ readonly id?: string }>;
type Strength = 'shared' | 'own' | 'counter';
const strengths: readonly Strength[] = ['shared', 'own', 'counter'];

/** What is written, and what may be locked, by the descriptors of a folder. */
interface Ground {
  readonly registry: Registry;
  readonly groups: Groups;
  readonly groupOf: ReadonlyMap<string, string>;
}

function groundOf(folder: Folder): Ground {
  const registry = registryOf(folder);
  const groupOf = new Map([...registry.resources.keys()].map((name) => [tableName(name), name]));
  return { registry, groups: new Groups(registry, rules, dialects.mysql), groupOf };
}

/** The group of which a statement locks rows, and how. */
function lockOf({ groupOf }: Ground, sql: string): { readonly group: string; readonly strength: Strength } | undefined {
  const [, raised] = /^update `?(\w+)`? set (?:guard = guard|revision = revision) \+ 1/.exec(sql) ?? [];
  const [, read, how] = / from `(\w+)`.* (for update|for share|lock in share mode)\s*$/s.exec(sql) ?? [];
  const table = raised ?? read;
  if (table === undefined) return undefined;
  const group = table === stateTableName ? table : groupOf.get(table);
  if (group === undefined) throw new Error(`${table} is the table of no group`);
  return { group, strength: raised !== undefined ? 'counter' : how === 'for update' ? 'own' : 'shared' };
}

/** `create of task: shared project, counter task`, in the order in which they are taken. */
const locksText = (ground: Ground, write: string, statements: readonly string[]): string => {
  const locks = statements
    .flatMap((sql) => lockOf(ground, sql) ?? [])
    .map(({ group, strength }) => `${strength} ${group}`);
  return `${write}: ${locks.join(', ') || 'nothing'}`;
};

/** How rows of each group may be locked by a write, and by what follows from it. */
function plannedFor({ groups }: Ground, name: string, operation: WriteOperation): ReadonlyMap<string, number> {
  const planned = new Map<string, number>();
  const add = (group: string, strength: Strength): void => {
    planned.set(group, Math.max(planned.get(group) ?? -1, strengths.indexOf(strength)));
  };
  const queue: Pick<Following, 'group' | 'what'>[] = [{ group: name, what: operation }];
  const seen = new Set<string>();
  for (const { group, what } of queue) {
    const key = `${what} ${group}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (what === 'maintenance') add(group, 'counter');
    // Whoever looks for records that are brought up to date is locked out as by a change of them.
    const { locks } = planOf(groups, group, { operation: what === 'maintenance' ? 'update' : what, sent: undefined });
    for (const lock of locks) if (what !== 'maintenance' || lock.at === 'last') add(lock.group, lock.kind);
    queue.push(...followingOf(groups, group, what));
  }
  return planned;
}

interface Noted {
  readonly name: string;
  readonly operation: WriteOperation;
  readonly statements: readonly string[];
}

/** What its plan does not tell of what a write has locked. */
function beyondPlan(ground: Ground, { name, operation, statements }: Noted): readonly string[] {
  const planned = plannedFor(ground, name, operation);
  // An id of one of several groups may be of any.
  const isOneOfSeveral = planned.has('any of several');
  const beyond = statements
    .flatMap((sql) => lockOf(ground, sql) ?? [])
    .filter(
      ({ group, strength }) =>
        (planned.get(group) ?? -1) < strengths.indexOf(strength) && !(isOneOfSeveral && strength === 'shared'),
    );
  return [...new Set(beyond.map(({ group, strength }) => `${operation} of ${name}: ${group}, ${strength}`))];
}

/** The writes of the product's every day, each made, changed and deleted. */
async function everyDay(write: Write): Promise<void> {
  const make = async (group: string, body: Json): Promise<string> =>
    String((await write('create', group, { body })).id);
  for (const { group, create, update } of await everydayWrites(make)) {
    const id = await make(group, create);
    await write('update', group, { id, body: update });
    await write('delete', group, { id });
  }
}

/** Writes of records that conditions of others look for, in all the ways that there are. */
async function looked(write: Write): Promise<void> {
  const made: (readonly [group: string, id: string])[] = [];
  const make = async (group: string, body: Json): Promise<string> => {
    const id = String((await write('create', group, { body })).id);
    made.unshift([group, id]);
    return id;
  };
  const change = (group: string, id: string, body: Json) => write('update', group, { id, body });
  const [wardId, other] = [await make('ward', { name: 'Ward' }), await make('ward', { name: 'Other' })];
  const [roomId, there] = [
    await make('room', { name: 'Room', wardId }),
    await make('room', { name: 'There', wardId: other }),
  ];
  for (const group of ['stay', 'visit']) await change(group, await make(group, { roomId, hour: 8 }), { roomId: there });
  await change('booking', await make('booking', { roomId, day: 1 }), { day: 3 });
  await change('outage', await make('outage', { roomId, day: 2 }), { roomId: there });
  const periodId = await make('period', { name: 'Period', isClosed: false });
  await change('draft', await make('draft', { periodId, isDone: false }), { isDone: true });
  await change('period', periodId, { isClosed: true });
  const jobId = await make('job', {
    clientId: await make('client', { name: 'Client', isLocked: false }),
    isLocked: false,
  });
  await change('entry', await make('entry', { jobId, minutes: 5 }), { minutes: 6 });
  await change('job', jobId, { isLocked: true });
  const showId = await make('show', { name: 'Show' });
  for (const number of [1, 2])
    await change('ticket', await make('ticket', { showId, number, isWaiting: true }), { isWaiting: false });
  const stockId = await make('stock', { name: 'Stock' });
  await change('receipt', await make('receipt', { stockId, count: 10 }), { count: 9 });
  await change('withdrawal', await make('withdrawal', { stockId, count: 3 }), { count: 4 });
  const [quayId, elsewhere] = [
    await make('quay', { name: 'Quay', isLit: true }),
    await make('quay', { name: 'Far', isLit: true }),
  ];
  const pierId = await make('pier', { number: 1, quayId });
  for (const group of ['berth', 'mast']) await make(group, { number: 1, pierId, quayId });
  await change('pier', pierId, { quayId: elsewhere });
  await make('fee', { amount: 5 });
  for (const [group, id] of made) await write('delete', group, { id });
}

/** Writes of records that have nothing in common but the row that stands for all. */
async function inCommon(write: Write): Promise<void> {
  for (const [group, create, update] of [
    ['shelf', { size: 1 }, { size: 2 }],
    ['box', { size: 2 }, { size: 1 }],
    ['label', { code: 1 }, { code: 2 }],
  ] as const) {
    const { id = '' } = await write('create', group, { body: create });
    await write('update', group, { id, body: update });
    await write('delete', group, { id });
  }
}

describeOnServers('what writes lock', (server) => {
  test.for([
    ['product', everyDay, 'taken-locks.txt'],
    ['locks', looked, 'looked-for-locks.txt'],
    ['commonRow', inCommon, 'common-row-locks.txt'],
  ] as const)('in %s is in their plans, and is all of that', { timeout: 60_000 }, async ([folder, work, file]) => {
    const ground = groundOf(folder);
    const asked: string[] = [];
    const { url, drop } = await server.open();
    onTestFinished(drop);
    const database = await openDatabase(url);
    noteTransactions(database, asked);
    const praxis = await createPraxis({ registry: ground.registry, database, accessToken });
    onTestFinished(() => praxis.close());
    const http = praxis.app.listen(0);
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`;
    const beyond: string[] = [];
    const taken: string[] = [];
    const write: Write = async (operation, group, { id, body }) => {
      asked.length = 0;
      const path = `${ground.registry.resources.get(group)?.path}${id === undefined ? '' : `/${id}`}`;
      const response = await fetch(address + path, {
        method: { create: 'POST', update: 'PATCH', delete: 'DELETE' }[operation],
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${operation} of ${group}: ${text}`);
      taken.push(locksText(ground, `${operation} of ${group}`, asked));
      beyond.push(...beyondPlan(ground, { name: group, operation, statements: asked }));
      return text === '' ? {} : JSON.parse(text);
    };
    await work(write);
    expect(beyond).toEqual([]);
    await expect(`${taken.join('\n')}\n`).toMatchFileSnapshot(file);
  });
});
