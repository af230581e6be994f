// What writes lock on a server, read off their statements: nothing that `praxis explain plan` does not tell, and all that is in the
// text that is checked in. A lock that is no longer taken, or that is taken twice, is seen there.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf } from '../../src/app/explain-plan.ts';
import { createPraxis } from '../../src/app/praxis.ts';
import { type Following, followingOf } from '../../src/engine/explain/what-follows.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import type { WriteOperation } from '../../src/facts/context.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { stateTableName } from '../../src/storage/counters.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { dialects } from '../../src/storage/dialects.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { tableName } from '../../src/storage/schema/tables.ts';
import { describeOnServers } from '../support/databases.ts';
import { everydayWrites } from '../support/everyday.ts';
import { accessToken, type Json, registryOf } from '../support/praxis.ts';

type Strength = 'shared' | 'own' | 'counter';
const strengths: readonly Strength[] = ['shared', 'own', 'counter'];

const registry = registryOf('product');
const groups = new Groups(registry, rules, dialects.mysql);
const groupOf = new Map([...registry.resources.keys()].map((name) => [tableName(name), name]));

/** The group of which a statement locks rows, and how. */
function lockOf(sql: string): { readonly group: string; readonly strength: Strength } | undefined {
  const [, raised] = /^update `(\w+)` set guard = guard \+ 1/.exec(sql) ?? [];
  const [, read, how] = / from `(\w+)`.* (for update|for share|lock in share mode)\s*$/s.exec(sql) ?? [];
  const table = raised ?? read;
  if (table === undefined) return undefined;
  const group = table === stateTableName ? table : groupOf.get(table);
  if (group === undefined) throw new Error(`${table} is the table of no group`);
  return { group, strength: raised !== undefined ? 'counter' : how === 'for update' ? 'own' : 'shared' };
}

/** `create of task: shared project, counter task`, in the order in which they are taken. */
const locksText = (write: string, statements: readonly string[]): string => {
  const locks = statements.flatMap((sql) => lockOf(sql) ?? []).map(({ group, strength }) => `${strength} ${group}`);
  return `${write}: ${locks.join(', ') || 'nothing'}`;
};

/** How rows of each group may be locked by a write, and by what follows from it. */
function plannedFor(name: string, operation: WriteOperation): ReadonlyMap<string, number> {
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

/** What its plan does not tell of what a write has locked. */
function beyondPlan(name: string, operation: WriteOperation, statements: readonly string[]): readonly string[] {
  const planned = plannedFor(name, operation);
  // An id of one of several groups may be of any.
  const isOneOfSeveral = planned.has('any of several');
  const beyond = statements
    .flatMap((sql) => lockOf(sql) ?? [])
    .filter(
      ({ group, strength }) =>
        (planned.get(group) ?? -1) < strengths.indexOf(strength) && !(isOneOfSeveral && strength === 'shared'),
    );
  return [...new Set(beyond.map(({ group, strength }) => `${operation} of ${name}: ${group}, ${strength}`))];
}

describeOnServers('what writes lock', (server) => {
  const asked: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let ask: (method: string, path: string, body?: Json) => Promise<Json>;

  beforeAll(async () => {
    const { url, drop } = await server.open();
    const database = noting(await openDatabase(url), asked);
    const praxis = await createPraxis({ registry, database, accessToken });
    const http = praxis.app.listen(0);
    await once(http, 'listening');
    closing.push(
      async () => http.close(),
      () => praxis.close(),
      drop,
    );
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`;
    ask = async (method, path, body) => {
      asked.length = 0;
      const response = await fetch(address + path, {
        method,
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
      return text === '' ? {} : JSON.parse(text);
    };
  }, 60_000);
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test('is in their plans, and is all of that', async () => {
    const pathOf = (group: string): string => registry.resources.get(group)?.path ?? '';
    const beyond: string[] = [];
    const taken: string[] = [];
    const note = (group: string, operation: WriteOperation): void => {
      taken.push(locksText(`${operation} of ${group}`, asked));
      beyond.push(...beyondPlan(group, operation, asked));
    };
    const make = async (group: string, body: Json): Promise<string> => {
      const { id } = await ask('POST', pathOf(group), body);
      note(group, 'create');
      return String(id);
    };
    for (const { group, create, update } of await everydayWrites(make)) {
      const id = await make(group, create);
      await ask('PATCH', `${pathOf(group)}/${id}`, update);
      note(group, 'update');
      await ask('DELETE', `${pathOf(group)}/${id}`);
      note(group, 'delete');
    }
    expect(beyond).toEqual([]);
    await expect(`${taken.join('\n')}\n`).toMatchFileSnapshot('taken-locks.txt');
  }, 60_000);
});

/** The same database, whose transactions note their statements. */
function noting(database: Database, asked: string[]): Database {
  const noted = ({ all, run }: Session): Session => ({
    all: (sql, values) => {
      asked.push(sql);
      return all(sql, values);
    },
    run: (sql, values) => {
      asked.push(sql);
      return run(sql, values);
    },
  });
  const transact: Database['transact'] = (work, terms) => database.transact((session) => work(noted(session)), terms);
  return { ...database, transact };
}
