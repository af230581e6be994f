// Numbers that are given out once: a row a sequence, raised in the transaction that uses the number.
import { sql } from 'kysely';
import { dialects } from './dialects.ts';
import { bind, compile, type Statement } from './schema/compiler.ts';
import type { Dialect, DialectName } from './schema/dialect.ts';
import type { Session } from './schema/session.ts';
import { Param } from './schema/sql.ts';
import { sequenceTable } from './schema/tables.ts';

interface Statements {
  readonly raise: Statement;
  readonly read: Statement;
}

const name = new Param('name');
const table = sql.table(sequenceTable);
const statementsOf = (dialect: Dialect): Statements => {
  const again = `${dialect.onConflict('name')} value = value + 1`;
  return {
    raise: compile(sql`insert into ${table} (name, value) values (${name}, 1) ${sql.raw(again)}`, dialect),
    read: compile(sql`select value from ${table} where name = ${name}`, dialect),
  };
};
const statements: Record<DialectName, Statements> = {
  sqlite: statementsOf(dialects.sqlite),
  mysql: statementsOf(dialects.mysql),
};

/** The next number, from 1. Others wait for it until the transaction ends; undone with it, it is given out again. */
export async function nextNumber(session: Session, dialect: Dialect, sequence: string): Promise<number> {
  const { raise, read } = statements[dialect.name];
  // A write first, that others must wait for; the row is made where it is missing.
  const [, rows] = await Promise.all([
    session.run(raise.sql, bind(raise, { name: sequence })),
    session.all(read.sql, bind(read, { name: sequence })),
  ]);
  return Number(rows[0]?.[0]);
}
