// Statements over whole tables, for who replaces all records: they are emptied, and keys that lead nowhere are looked for.
import type { Registry } from '../registry/model/model.ts';
import type { Dialect } from './schema/dialect.ts';
import type { Session } from './schema/session.ts';
import { sequenceTable, tablesOf } from './schema/tables.ts';

/** Removes the rows of all groups; foreign keys are not looked at meanwhile. */
export async function emptyTables(session: Session, registry: Registry, { quote }: Dialect): Promise<void> {
  for (const { name } of tablesOf(registry)) await session.run(`delete from ${quote(name)}`, []);
}

/** A key that names a row which is not there; undefined where there is none. */
export async function danglingKey(
  session: Session,
  registry: Registry,
  { quote }: Dialect,
): Promise<{ readonly table: string; readonly column: string } | undefined> {
  for (const { name, foreignKeys } of tablesOf(registry))
    for (const { column, target } of foreignKeys) {
      const key = `c.${quote(column)}`;
      const sql = `select 1 from ${quote(name)} as c left join ${quote(target)} as p on p.id = ${key} where ${key} is not null and p.id is null limit 1`;
      if ((await session.all(sql, [])).length > 0) return { table: name, column };
    }
  return undefined;
}

/** Has a sequence go on behind so many numbers. */
export async function giveNumbers(session: Session, sequence: string, given: number): Promise<void> {
  await session.run(`delete from ${sequenceTable} where name = ?`, [sequence]);
  await session.run(`insert into ${sequenceTable} (name, value) values (?, ?)`, [sequence, given]);
}
