// Notes every statement that goes to a database.
import type { Bound } from '../../../src/storage/schema/cells.ts';
import { type Database, oneByOne, type Session, type Together } from '../../../src/storage/schema/session.ts';

export interface Noted {
  readonly sql: string;
  readonly values: readonly Bound[];
  /** Rows that came back to the process. */
  readonly rows: number;
}

/** Notes what is asked from now on, inside transactions and outside. */
export function note(database: Database, noted: Noted[]): void {
  const watched = (session: Session): Session => ({
    all: async (sql, values) => {
      const place = noted.push({ sql, values, rows: 0 }) - 1;
      const rows = await session.all(sql, values);
      noted[place] = { sql, values, rows: rows.length };
      return rows;
    },
    run: async (sql, values) => {
      noted.push({ sql, values, rows: 0 });
      return session.run(sql, values);
    },
  });
  const { all, run, transact } = database;
  const outside = watched({ all: all.bind(database), run: run.bind(database) });
  Object.assign(database, {
    ...outside,
    together: (statements: Together) => oneByOne(outside, statements),
    transact: (work: Parameters<typeof transact>[0], terms: Parameters<typeof transact>[1]) =>
      transact.call(database, (session) => work(watched(session)), terms),
  });
}

/** Notes the statements of transactions from now on, except the read of the schema's revision that begins each. */
export function noteTransactions(database: Database, asked: string[]): void {
  const transact = database.transact.bind(database);
  const note = (sql: string): void => {
    if (!sql.startsWith('select revision from praxis_state')) asked.push(sql);
  };
  const watched = ({ all, run }: Session): Session => ({
    all: (sql, values) => {
      note(sql);
      return all(sql, values);
    },
    run: (sql, values) => {
      note(sql);
      return run(sql, values);
    },
  });
  const watching: typeof transact = (work, terms) => transact((session) => work(watched(session)), terms);
  Object.assign(database, { transact: watching });
}

/** A statement without the revision of the schema that it reads. */
export const withoutRevision = (sql: string): string => sql.replace(/\(select ([01]) from praxis_state[^)]*\)/g, '$1');

/** `select order customer (sum)`: what a statement does to which tables, and what it adds up. */
export function askedText(statement: string): string {
  const sql = withoutRevision(statement);
  const tables = [...sql.matchAll(/\b(?:from|join|into|update)\s+[`"]?(\w+)/g)].map(([, name = '']) => name);
  const takes = [...sql.matchAll(/\b(?:sum|count|min|max|exists)(?=\s?\()/g)].map(([word]) => word);
  const [verb = ''] = /^\w+/.exec(sql) ?? [];
  return [verb, ...new Set(tables), ...(takes.length === 0 ? [] : [`(${[...new Set(takes)].join(' ')})`])].join(' ');
}
