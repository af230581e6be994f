// Sessions of people who have signed in: tokens of members, in a table of their own, so that a process need not hold all
// of them. One is looked up by its hash when it is first seen, and again after a few seconds.
import { hash, randomBytes } from 'node:crypto';
import { fromDatabaseTime, toDatabaseTime } from '../values/date.ts';
import { isUuid } from '../values/format.ts';
import { newId } from '../values/id.ts';
import type { Row } from './schema/cells.ts';
import type { ColumnType } from './schema/column-types.ts';
import type { Database, Session } from './schema/session.ts';
import type { Column, Table } from './schema/tables.ts';
import { createTables, hasTable } from './statements/ddl.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A session that is not over. Times in milliseconds since 1970. */
export interface KnownSession {
  readonly id: string;
  readonly memberId: string;
  readonly expiresAt: number;
}

const tokenBytes = 32;
const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: false });

const sessionTable: Table = {
  name: 'praxis_session',
  group: '',
  columns: [
    column('hash', { kind: 'key' }),
    column('id', { kind: 'id' }),
    column('last4', { kind: 'word', length: 4 }),
    column('member_id', { kind: 'id' }),
    column('created_at', { kind: 'dateTime' }),
    column('expires_at', { kind: 'dateTime' }),
  ],
  primaryKey: ['hash'],
  indexes: [
    { name: 'praxis_session_id', columns: ['id'], unique: true },
    { name: 'praxis_session_member', columns: ['member_id'], unique: false },
    { name: 'praxis_session_expires', columns: ['expires_at'], unique: false },
  ],
  foreignKeys: [],
};

/** Makes the table unless it is there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareSessions(database: Database): Promise<void> {
  if (await hasTable(database, sessionTable.name)) return;
  await database.script(createTables([sessionTable], [], database.dialect));
}

/** What a token of a session looks like: no other token is looked up here. */
const sessionForm = /^praxis_s_[\w-]{43}$/;

/** Whether a text can be the token of a session. */
export const isSessionToken = (token: string): boolean => sessionForm.test(token);

const digestOf = (token: string): Uint8Array => hash('sha256', token, 'buffer');
const databaseTime = (ms: number): string => toDatabaseTime(new Date(ms).toISOString());
const insertSession = `insert into praxis_session (${sessionTable.columns.map(({ name }) => name).join(', ')})
  values (?, ?, ?, ?, ?, ?)`;

interface NewSession {
  readonly memberId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly expiresAt: number;
}

/** Begins a session; its token is known here alone. */
export async function beginSession(
  session: Pick<Session, 'run'>,
  { memberId, now, expiresAt }: NewSession,
): Promise<{ readonly id: string; readonly token: string }> {
  const made = { id: newId(), token: `praxis_s_${randomBytes(tokenBytes).toString('base64url')}` };
  const { id, token } = made;
  const times = [databaseTime(now), databaseTime(expiresAt)];
  await session.run(insertSession, [digestOf(token), id, token.slice(-4), memberId, ...times]);
  return made;
}

/** The sessions with these hashes of tokens (SHA-256, base64), by their hashes; those that are over are among them. */
export async function findSessions(unit: UnitOfWork, hashes: readonly string[]): Promise<Map<string, KnownSession>> {
  const marks = hashes.map(() => '?').join(', ');
  const find = `select hash, id, member_id, expires_at from praxis_session where hash in (${marks})`;
  const rows = await unit.read(
    find,
    hashes.map((each) => Buffer.from(each, 'base64')),
  );
  return new Map(
    rows.flatMap(([digest, id, memberId, expiresAt]): [string, KnownSession][] => {
      if (!(digest instanceof Uint8Array)) return [];
      const ends = Date.parse(fromDatabaseTime(String(expiresAt)));
      const session = { id: String(id), memberId: String(memberId), expiresAt: ends };
      return [[Buffer.from(digest).toString('base64'), session]];
    }),
  );
}

/** Ends one session, at once and for good. */
export const endSession = (unit: UnitOfWork, id: string): Promise<number> =>
  unit.write('delete from praxis_session where id = ?', [id]);

/** Ends all sessions of members, in the transaction of a session of the database. @param memberIds one at least */
export const endSessionsOf = (session: Pick<Session, 'run'>, memberIds: readonly string[]): Promise<number> =>
  session.run(`delete from praxis_session where member_id in (${memberIds.map(() => '?').join(', ')})`, memberIds);

/** What can be told of a session. Times in ISO 8601, UTC. */
export interface SessionRecord {
  readonly id: string;
  readonly last4: string;
  readonly memberId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const selectSessions = 'select id, last4, member_id, created_at, expires_at from praxis_session';

/** Every session that is not over, in the order in which they were begun. */
export async function listSessions(unit: UnitOfWork, now: number): Promise<SessionRecord[]> {
  return (await unit.read(`${selectSessions} where expires_at > ? order by id`, [databaseTime(now)])).map(toRecord);
}

/** Those with an id, or with these last four characters. */
export async function sessionsMeant(unit: UnitOfWork, key: string): Promise<SessionRecord[]> {
  // MariaDB fails where other than ASCII is compared with an ASCII column.
  if (!isUuid(key) && !/^[\w-]{4}$/.test(key)) return [];
  return (await unit.read(`${selectSessions} where id = ? or last4 = ?`, [key.toLowerCase(), key])).map(toRecord);
}

const toRecord = ([id, last4, memberId, createdAt, expiresAt]: Row): SessionRecord => ({
  id: String(id),
  last4: String(last4),
  memberId: String(memberId),
  createdAt: fromDatabaseTime(String(createdAt)),
  expiresAt: fromDatabaseTime(String(expiresAt)),
});

/** Forgets the sessions that are over, and waits for nobody who begins one. @param now Milliseconds since 1970 */
export async function sweepSessions(unit: UnitOfWork, now: number): Promise<void> {
  for (const [id] of await unit.read('select id from praxis_session where expires_at <= ?', [databaseTime(now)]))
    await endSession(unit, String(id));
}
