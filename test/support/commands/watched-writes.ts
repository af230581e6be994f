// Writes without HTTP, of which every statement can be held up: what a process does until it is ended in the middle.

import { endpointsOf } from '../../../src/endpoints/routes/endpoint.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { Groups } from '../../../src/engine/plan/groups.ts';
import { WorkspaceSettings } from '../../../src/engine/transaction/workspace.ts';
import type { Operation, Registry } from '../../../src/registry/model/model.ts';
import { parseBody } from '../../../src/request/body.ts';
import { parseAddress } from '../../../src/request/parse.ts';
import { rules } from '../../../src/rules/catalogue.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { type Database, oneByOne, type Session } from '../../../src/storage/schema/session.ts';
import { createUnitOfWork } from '../../../src/storage/unit-of-work.ts';
import { newIdAt, takeTimeFrom } from '../../../src/values/id.ts';
import { isObject, type Json } from '../service/client.ts';

/** What a caller asks for; as JSON also between processes. */
export interface Write {
  readonly operation: Extract<Operation, 'create' | 'update' | 'delete'>;
  readonly group: string;
  readonly id?: string;
  readonly body?: Json;
}

/** Points besides the statements, by whose text the others are known. */
export const commit = 'before the commit';
const committed = 'after the commit';
const answer = 'before the answer';

/** Asked at each point of a write, in the order in which they come; the write goes on when it is done. */
export type Pass = (point: string) => Promise<void>;
const goOn: Pass = async () => {};

/** A database of records as it is, open for writes. */
export interface Writer {
  readonly database: Database;
  readonly engine: Engine;
  /**
   * Does one write, at the time `atMs` and with ids that follow from it: done twice, it writes the same. Only one may run
   * in a process at a time, or hold still.
   * @returns the body of the answer
   */
  perform(write: Write, atMs: number, pass?: Pass): Promise<Json>;
}

export async function openWriter(registry: Registry, url: string): Promise<Writer> {
  const database = await openDatabase(url);
  let pass = goOn;
  const watched = watchedDatabase(database, (point) => pass(point));
  const unit = createUnitOfWork(watched, { deadlineMs: Number.POSITIVE_INFINITY });
  const groups = new Groups(registry, rules, database.dialect);
  const book = new WorkspaceSettings(groups, unit);
  const engine = new Engine({ groups, unit, today: () => book.today(), workspaceChanged: () => book.refresh() });
  await book.refresh();
  const endpoints = endpointsOf(registry);
  return {
    database,
    engine,
    perform: async ({ operation, group, id = '', body }, atMs, watcher = goOn) => {
      const endpoint = endpoints.find((each) => each.resource.name === group && each.operation === operation);
      if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
      const mode = operation === 'create' ? 'create' : 'update';
      pass = watcher;
      takeTimeFrom(fixedTime(atMs));
      try {
        const outcome = await engine.execute({
          endpoint,
          caller: { tokenId: 'T', memberId: null },
          ...parseAddress(endpoint, id, ''),
          body: body && parseBody(endpoint.resource, mode, body),
        });
        await pass(answer);
        const shown: unknown = outcome.body === undefined ? {} : JSON.parse(outcome.body.toString());
        return isObject(shown) ? shown : {};
      } finally {
        pass = goOn;
        takeTimeFrom();
      }
    },
  };
}

/** A clock that stands, and ids that are the same each time. */
function fixedTime(atMs: number) {
  let made = 0;
  return {
    now: () => atMs,
    newId: () => {
      made += 1;
      return newIdAt(atMs, made, new Uint8Array(16).fill(made));
    },
  };
}

function watchedDatabase(database: Database, pass: Pass): Database {
  const watched = (session: Session): Session => ({
    all: async (sql, values) => {
      await pass(sql);
      return session.all(sql, values);
    },
    run: async (sql, values) => {
      await pass(sql);
      return session.run(sql, values);
    },
  });
  const outside = watched(database);
  return {
    ...database,
    ...outside,
    together: (statements) => oneByOne(outside, statements),
    transact: async (work, terms) => {
      const result = await database.transact(async (session) => {
        const done = await work(watched(session));
        await pass(commit);
        return done;
      }, terms);
      await pass(committed);
      return result;
    },
  };
}
