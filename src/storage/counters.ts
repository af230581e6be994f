// Counters of the service's own. Their rows are there from the start, so that a change is a plain update and two first ones
// wait for each other.

import type { Dialect } from './schema/dialect.ts';
import type { Database, Session } from './schema/session.ts';
import type { Table } from './schema/tables.ts';
import { createTables, hasTable } from './statements/ddl.ts';

/**
 * Of what: `tokens`, which change; `records`, which have nothing else in common that could be locked; `schema`, the revision
 * that processes are built for (`schema-revision.ts`).
 */
const counters = ['tokens', 'records', 'schema'] as const;
export type Counter = Exclude<(typeof counters)[number], 'schema'>;

const stateTable: Table = {
  name: 'praxis_state',
  group: '',
  columns: [
    { name: 'name', type: { kind: 'word', length: 40 }, nullable: false },
    { name: 'revision', type: { kind: 'integer' }, nullable: false },
  ],
  primaryKey: ['name'],
  indexes: [],
  foreignKeys: [],
};

/** Where the counters are; no group has this name. */
export const stateTableName = stateTable.name;

const quoted = counters.map((name) => `'${name}'`);
const countRows = `select count(*) from praxis_state where name in (${quoted.join(', ')})`;
const raiseRow = 'update praxis_state set revision = revision + 1 where name = ?';

/** Makes the table and its rows unless they are there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareState(database: Database): Promise<void> {
  const { dialect } = database;
  const isThere = await hasTable(database, stateTable.name);
  const [[count] = []] = isThere ? await database.all(countRows, []) : [];
  if (Number(count) === counters.length) return;
  await database.script([
    ...(isThere ? [] : createTables([stateTable], [], dialect)),
    `${dialect.insertIgnore} into praxis_state (name, revision) values ${quoted.map((name) => `(${name}, 0)`).join(', ')}`,
  ]);
}

export async function raiseCounter(session: Session, name: Counter): Promise<void> {
  if ((await session.run(raiseRow, [name])) !== 1) throw new Error(`praxis_state has no row "${name}"`);
}

/** Notes that all records were replaced, and that what follows from them is not there yet. */
export async function noteRestore(session: Session, { insertIgnore }: Pick<Dialect, 'insertIgnore'>): Promise<void> {
  await session.run(`${insertIgnore} into praxis_state (name, revision) values ('restore', 0)`, []);
}

/** Whether that was noted, and not ended. */
export async function isRestoreOpen(session: Pick<Session, 'all'>): Promise<boolean> {
  return (await session.all("select 1 from praxis_state where name = 'restore'", [])).length > 0;
}

export async function endRestore(session: Pick<Session, 'run'>): Promise<void> {
  await session.run("delete from praxis_state where name = 'restore'", []);
}

/** Keeps others from raising a counter until the transaction ends. @param words Those of the dialect for a lock. */
export async function lockCounter(session: Session, name: Counter, words: string): Promise<void> {
  await session.all(`select revision from praxis_state where name = ? ${words}`, [name]);
}
