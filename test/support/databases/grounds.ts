// Databases to test on, with the same three small tables, and what tests ask of errors.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/storage/database.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { ConstraintError, createUnitOfWork, type UnitOfWork } from '../../../src/storage/unit-of-work.ts';
import { databases, type TestDatabase } from './databases.ts';

export interface Ground {
  readonly database: Database;
  readonly unit: UnitOfWork;
  close(): Promise<void>;
}

/** A parent and a child table, with a unique index and a foreign key. */
export const tables: Record<'sqlite' | 'mysql', readonly string[]> = {
  sqlite: [
    'create table owner (id text primary key, name text not null, total integer not null) strict',
    'create unique index owner_name on owner (name)',
    'create table item (id text primary key, owner text references owner (id), bytes blob) strict',
  ],
  mysql: [
    'create table owner (id varchar(36) primary key, name varchar(20) not null, total int not null) charset utf8mb4',
    'create unique index owner_name on owner (name)',
    `create table item (id varchar(36) primary key, owner varchar(36), bytes varbinary(100),
       constraint item_owner foreign key (owner) references owner (id)) charset utf8mb4`,
  ],
};

/** A file in a folder that does not exist yet. */
export const onSqliteFile = async (): Promise<Ground> => {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-drv-'));
  const database = await openDatabase(`sqlite:${join(folder, 'new', 'x.sqlite')}`);
  const close = async (): Promise<void> => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
  return { database, unit: createUnitOfWork(database, { deadlineMs: 10_000 }), close };
};

/** A database of its own in memory. */
export const onMemory = async (): Promise<Ground> => {
  const database = await openDatabase('sqlite::memory:');
  return { database, unit: createUnitOfWork(database, { deadlineMs: 10_000 }), close: () => database.close() };
};

const onServer = async ({ open }: TestDatabase): Promise<Ground> => {
  const made = await open('praxis_drv');
  const database = await openDatabase(made.url);
  const close = async (): Promise<void> => {
    await database.close();
    await made.drop();
  };
  return { database, unit: createUnitOfWork(database, { deadlineMs: 10_000 }), close };
};

const groundsOf = (database: TestDatabase): readonly (readonly [name: string, open: () => Promise<Ground>])[] => {
  if (database.isServer) return [[database.name.toLowerCase(), () => onServer(database)]];
  return [
    ['sqlite file', onSqliteFile],
    ['sqlite memory', onMemory],
  ];
};

/** Opens each kind of database there is to test on. */
export const grounds = databases.filter(({ isThere }) => isThere).flatMap(groundsOf);

/** The error a promise rejects with. */
export const caught = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
};

/** The fault of a ConstraintError, or the error where it is another. */
export const faultsOf = async (promise: Promise<unknown>) => {
  const error = await caught(promise);
  return error instanceof ConstraintError ? error.fault : error;
};
