// A log begins anew behind a restored backup; a cursor that leads behind the end is a sign that it should.
import { stateTableName } from '../storage/counters.ts';
import { logTable, newLogName } from '../storage/log/tables.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import type { Database, Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** The row that is there once such a cursor has come. */
const beyond = 'cursor-beyond';

/** Begins a log of another name, so that cursors of before are refused: some of them may lead to what is not there any more. */
export async function renewLog(database: Pick<Database, 'transact'>): Promise<void> {
  await database.transact(async (session) => {
    await session.run(`update ${logTable} set name = ? where id = 1`, [newLogName()]);
    await session.run(`delete from ${stateTableName} where name = ?`, [beyond]);
  });
}

/** Keeps that a cursor has come which leads behind the end. */
export async function noteBeyond(unit: UnitOfWork, dialect: Dialect): Promise<void> {
  if (await wasBeyond(unit.direct)) return;
  await unit.write(`${dialect.insertIgnore} into ${stateTableName} (name, revision) values (?, 0)`, [beyond]);
}

/** Whether such a cursor has come since the log was renewed. */
export const wasBeyond = async (session: Pick<Session, 'all'>): Promise<boolean> =>
  (await session.all(`select 1 from ${stateTableName} where name = ?`, [beyond])).length > 0;
