// What members sign in with: a password, an invitation to choose one, the link to an account elsewhere, and the code with
// which a tab takes up a sign-in that was begun there. Secrets are kept as hashes.
import { hash, randomBytes } from 'node:crypto';
import { fromDatabaseTime, toDatabaseTime } from '../values/date.ts';
import type { Cell } from './schema/cells.ts';
import type { ColumnType } from './schema/column-types.ts';
import type { Database, Session } from './schema/session.ts';
import type { Column, Table } from './schema/tables.ts';
import { createTables, hasTable } from './statements/ddl.ts';
import type { UnitOfWork } from './unit-of-work.ts';

type Kind = 'password' | 'invite' | 'link' | 'code';

const column = (name: string, type: ColumnType, nullable = false): Column => ({ name, type, nullable });

/** `name` is a hash of what a credential is found by: the member, the secret, or issuer and subject. */
const credentialTable: Table = {
  name: 'praxis_credential',
  group: '',
  columns: [
    column('kind', { kind: 'word', length: 10 }),
    column('name', { kind: 'key' }),
    column('member_id', { kind: 'id' }),
    column('secret', { kind: 'text', length: 255 }, true),
    column('created_at', { kind: 'dateTime' }),
    column('expires_at', { kind: 'dateTime' }, true),
  ],
  primaryKey: ['kind', 'name'],
  indexes: [
    { name: 'praxis_credential_member', columns: ['member_id'], unique: false },
    { name: 'praxis_credential_expires', columns: ['expires_at'], unique: false },
  ],
  foreignKeys: [],
};

/** Where credentials are kept. */
export const credentialTableName = credentialTable.name;

/** Makes the table unless it is there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareCredentials(database: Database): Promise<void> {
  if (await hasTable(database, credentialTable.name)) return;
  await database.script(createTables([credentialTable], [], database.dialect));
}

const nameOf = (...parts: readonly string[]): Uint8Array => hash('sha256', parts.join('\0'), 'buffer');
const databaseTime = (ms: number): string => toDatabaseTime(new Date(ms).toISOString());
const isOver = (expiresAt: Cell | undefined, now: number): boolean =>
  typeof expiresAt === 'string' && Date.parse(fromDatabaseTime(expiresAt)) <= now;

interface Credential {
  readonly kind: Kind;
  readonly name: Uint8Array;
  readonly memberId: string;
  readonly secret?: string;
  readonly expiresAt?: number;
}

async function insert(
  session: Pick<Session, 'run'>,
  { kind, name, memberId, secret, expiresAt }: Credential,
): Promise<void> {
  const now = databaseTime(Date.now());
  const ends = expiresAt === undefined ? null : databaseTime(expiresAt);
  await session.run(
    'insert into praxis_credential (kind, name, member_id, secret, created_at, expires_at) values (?, ?, ?, ?, ?, ?)',
    [kind, name, memberId, secret ?? null, now, ends],
  );
}

/** Takes a credential that works once: of several who send it at a time, one has it. @returns undefined where it is not, or over */
async function take(
  unit: UnitOfWork,
  { kind, name }: Pick<Credential, 'kind' | 'name'>,
  now: number,
): Promise<{ readonly memberId: string; readonly secret: string | undefined } | undefined> {
  const find = 'select member_id, secret, expires_at from praxis_credential where kind = ? and name = ?';
  const [[memberId, secret, expiresAt] = []] = await unit.read(find, [kind, name]);
  if (memberId === undefined || isOver(expiresAt, now)) return undefined;
  if ((await unit.write('delete from praxis_credential where kind = ? and name = ?', [kind, name])) !== 1)
    return undefined;
  return { memberId: String(memberId), secret: typeof secret === 'string' ? secret : undefined };
}

// --- Passwords

/** Gives a member a password. @param kept Its hash, in PHC form */
export async function keepPassword(session: Pick<Session, 'run'>, memberId: string, kept: string): Promise<void> {
  const name = nameOf(memberId);
  await session.run("delete from praxis_credential where kind = 'password' and name = ?", [name]);
  await insert(session, { kind: 'password', name, memberId, secret: kept });
}

/** Keeps the same password by another hash, unless it has changed meanwhile. */
export const renewPassword = (
  unit: UnitOfWork,
  { memberId, kept, anew }: { readonly memberId: string; readonly kept: string; readonly anew: string },
): Promise<number> =>
  unit.write("update praxis_credential set secret = ? where kind = 'password' and name = ? and secret = ?", [
    anew,
    nameOf(memberId),
    kept,
  ]);

/** Whether a member still has the password that is kept so: whoever gives it another one waits until this transaction is over. */
export async function hasPassword(
  session: Pick<Session, 'all'>,
  { memberId, kept, forUpdate }: { readonly memberId: string; readonly kept: string; readonly forUpdate: string },
): Promise<boolean> {
  const find = `select secret from praxis_credential where kind = 'password' and name = ? ${forUpdate}`;
  const [[secret] = []] = await session.all(find, [nameOf(memberId)]);
  return secret === kept;
}

// --- Invitations

/** Invites a member to choose a password; earlier invitations of it end. @returns what the link has, once */
export async function keepInvite(unit: UnitOfWork, memberId: string, expiresAt: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await unit.transact(async (session) => {
    await session.run("delete from praxis_credential where kind = 'invite' and member_id = ?", [memberId]);
    await insert(session, { kind: 'invite', name: nameOf(secret), memberId, expiresAt });
  });
  return secret;
}

/** Whom an invitation is for; undefined where it is over, used, or none. It stays. */
export async function invited(unit: UnitOfWork, secret: string, now: number): Promise<string | undefined> {
  const find = "select member_id, expires_at from praxis_credential where kind = 'invite' and name = ?";
  const [[memberId, expiresAt] = []] = await unit.read(find, [nameOf(secret)]);
  return memberId === undefined || isOver(expiresAt, now) ? undefined : String(memberId);
}

/** Uses an invitation up. @returns whether it was there */
export const takeInvite = async (unit: UnitOfWork, secret: string, now: number): Promise<boolean> =>
  (await take(unit, { kind: 'invite', name: nameOf(secret) }, now)) !== undefined;

// --- Accounts elsewhere

/** The account of a member at an issuer of identities. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
}

/** The member that an account is linked with. */
export async function linkedMember(unit: UnitOfWork, { issuer, subject }: Account): Promise<string | undefined> {
  const find = "select member_id from praxis_credential where kind = 'link' and name = ?";
  const [[memberId] = []] = await unit.read(find, [nameOf(issuer, subject)]);
  return memberId === undefined ? undefined : String(memberId);
}

/** Whether a member is linked with any account of an issuer. */
export async function isLinked(unit: UnitOfWork, memberId: string, issuer: string): Promise<boolean> {
  const find = "select 1 from praxis_credential where kind = 'link' and member_id = ? and secret = ?";
  return (await unit.read(find, [memberId, issuerName(issuer)])).length > 0;
}

/** Links an account with a member, for good. */
export const link = (session: Pick<Session, 'run'>, { issuer, subject }: Account, memberId: string): Promise<void> =>
  insert(session, { kind: 'link', name: nameOf(issuer, subject), memberId, secret: issuerName(issuer) });

/** An issuer as it is kept beside a link: of one length, however long its address. */
const issuerName = (issuer: string): string => Buffer.from(nameOf(issuer)).toString('hex');

/** Ends the links of a member with accounts elsewhere. @returns how many there were */
export const unlink = (unit: UnitOfWork, memberId: string): Promise<number> =>
  unit.write("delete from praxis_credential where kind = 'link' and member_id = ?", [memberId]);

// --- Codes of tabs

/** Keeps that a member has shown who it is, for the tab that knows the verifier of a challenge. @returns a code that works once */
export async function keepCode(
  unit: UnitOfWork,
  {
    memberId,
    challenge,
    expiresAt,
  }: { readonly memberId: string; readonly challenge: string; readonly expiresAt: number },
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await insert(unit.direct, { kind: 'code', name: nameOf(code), memberId, secret: challenge, expiresAt });
  return code;
}

/** Uses a code up. @returns undefined where it is over, used, or none */
export async function takeCode(
  unit: UnitOfWork,
  code: string,
  now: number,
): Promise<{ readonly memberId: string; readonly challenge: string } | undefined> {
  const taken = await take(unit, { kind: 'code', name: nameOf(code) }, now);
  return taken?.secret === undefined ? undefined : { memberId: taken.memberId, challenge: taken.secret };
}

// --- All of them

/** How many members have a password, and how many accounts elsewhere are linked. */
export async function credentialCounts(
  unit: UnitOfWork,
): Promise<{ readonly password: number; readonly link: number }> {
  const counts = new Map(
    await unit
      .read('select kind, count(*) from praxis_credential group by kind', [])
      .then((rows) => rows.map(([kind, count]): [string, number] => [String(kind), Number(count)])),
  );
  return { password: counts.get('password') ?? 0, link: counts.get('link') ?? 0 };
}

/** Forgets what members who are gone have signed in with. @param memberIds one at least */
export const forgetCredentials = (session: Pick<Session, 'run'>, memberIds: readonly string[]): Promise<number> =>
  session.run(`delete from praxis_credential where member_id in (${memberIds.map(() => '?').join(', ')})`, memberIds);

/** Forgets invitations and codes that are over. @param now Milliseconds since 1970 */
export async function sweepCredentials(unit: UnitOfWork, now: number): Promise<void> {
  const find = 'select kind, name from praxis_credential where expires_at <= ?';
  for (const [kind, name] of await unit.read(find, [databaseTime(now)]))
    if (name instanceof Uint8Array)
      await unit.write('delete from praxis_credential where kind = ? and name = ?', [String(kind), name]);
}
