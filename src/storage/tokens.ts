// Access tokens: kept as hashes in the database, held in memory by each process, which asks a counter whether they
// have changed. Change them through the functions here only: who writes the table by hand must raise the counter too.
import { hash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { limitsOf, limitsRenamed, type TokenLimits } from '../access/limits.ts';
import type { Caller } from '../request/intent.ts';
import { fromDatabaseTime, toDatabaseTime } from '../values/date.ts';
import { isUuid } from '../values/format.ts';
import { newId } from '../values/id.ts';
import { raiseCounter } from './counters.ts';
import type { Cell, Row } from './schema/cells.ts';
import type { ColumnType } from './schema/column-types.ts';
import type { Database, Session } from './schema/session.ts';
import { type Column, type Table, uniqueIndex } from './schema/tables.ts';
import { addColumn, createTables, hasTable } from './statements/ddl.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export interface NewToken {
  /** At most 255 characters. */
  readonly name: string;
  /** The member whom the token acts for, lower case; nobody without it. */
  readonly memberId?: string | undefined;
  /** ISO 8601, UTC, with milliseconds; the token is refused from then on. Without it, it does not expire. */
  readonly expiresAt?: string | undefined;
  /** What it is kept to; nothing without it. */
  readonly limits?: TokenLimits | undefined;
  /** Names of the roles whose rights it has; without it, those of its member, or all. */
  readonly roles?: readonly string[] | undefined;
}

/** A token that was just made: the only time that its text is known here. */
export interface CreatedToken {
  readonly id: string;
  readonly token: string;
}

/** What can be told of a token. Times in ISO 8601, UTC. */
export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly memberId: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly limits: TokenLimits | null;
  readonly roles: readonly string[] | null;
}

/** 256 bits: nobody guesses them, so that a plain hash, neither salted nor stretched, gives nothing away. */
const tokenBytes = 32;
const word = (length: number): ColumnType => ({ kind: 'word', length });
const column = (name: string, type: ColumnType, nullable = false): Column => ({ name, type, nullable });

/** What a token may do; null for all. A table of before has them at its end, too. */
const rightsColumns: readonly Column[] = [
  column('roles', { kind: 'json' }, true),
  column('limits', { kind: 'json' }, true),
];

/** `member_id` is no foreign key: tokens are kept beside the groups, and those of a member who is gone are refused. */
const tokenTable: Table = {
  name: 'praxis_token',
  group: '',
  columns: [
    column('id', { kind: 'id' }),
    column('name', { kind: 'text', length: 255 }),
    column('hash', { kind: 'key' }),
    column('last4', word(4)),
    column('member_id', { kind: 'id' }, true),
    column('created_at', { kind: 'dateTime' }),
    column('expires_at', { kind: 'dateTime' }, true),
    column('revoked_at', { kind: 'dateTime' }, true),
    ...rightsColumns,
  ],
  primaryKey: ['id'],
  indexes: [{ name: uniqueIndex('praxis_token', ['hash']), columns: ['hash'], unique: true }],
  foreignKeys: [],
};

/** Where tokens are kept, for who asks whether there are any. */
export const tokenTableName = tokenTable.name;

/** Makes the table, and the columns that it lacks; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareTokens(database: Database): Promise<void> {
  if (!(await hasTable(database, tokenTable.name)))
    return database.script(createTables([tokenTable], [], database.dialect));
  for (const missing of rightsColumns) {
    if (await hasColumn(database, missing)) continue;
    try {
      await database.script([addColumn(tokenTable.name, missing, database.dialect)]);
    } catch (error) {
      // Another process may have been quicker.
      if (!(await hasColumn(database, missing))) throw error;
    }
  }
}

const hasColumn = (database: Database, { name }: Pick<Column, 'name'>): Promise<boolean> =>
  database.all(`select ${name} from praxis_token where 1 = 0`, []).then(
    () => true,
    () => false,
  );

const readRevision = "select revision from praxis_state where name = 'tokens'";
const insertToken = `insert into praxis_token (${tokenTable.columns.map(({ name }) => name).join(', ')})
  values (?, ?, ?, ?, ?, ?, ?, null, ?, ?)`;
const selectTokens =
  'select id, name, last4, member_id, created_at, expires_at, revoked_at, roles, limits from praxis_token';
// One statement is one moment of one node: what comes with a revision is never older than it. Always one row at least.
const loadTokens = `select s.revision, t.hash, t.id, t.member_id, t.expires_at, t.roles, t.limits, t.name
  from (select 1 as one) as o
  left join praxis_state s on s.name = 'tokens'
  left join praxis_token t on t.revoked_at is null`;

/** Makes a token; what it gives back must be shown now or never. */
export async function createToken(unit: UnitOfWork, token: NewToken): Promise<CreatedToken> {
  const made = newToken();
  await unit.transact(async (session) => {
    await raise(session);
    await insert(session, token, made);
  });
  return made;
}

/** The same, unless there is or ever was one: of several processes that start at once, one makes it. */
export async function createFirstToken(unit: UnitOfWork, token: NewToken): Promise<CreatedToken | undefined> {
  const anyToken = 'select 1 from praxis_token limit 1';
  if ((await unit.read(anyToken, [])).length > 0) return undefined;
  const made = newToken();
  return unit.transact(async (session) => {
    // The counter first: others wait for it, or fail and try again, and then see the token.
    await raise(session);
    if ((await session.all(anyToken, [])).length > 0) return undefined;
    await insert(session, token, made);
    return made;
  });
}

const newToken = (): CreatedToken => ({
  id: newId(),
  token: `praxis_${randomBytes(tokenBytes).toString('base64url')}`,
});

const raise = (session: Session): Promise<void> => raiseCounter(session, 'tokens');

async function insert(session: Session, token: NewToken, made: CreatedToken): Promise<void> {
  const { name, memberId, expiresAt, roles, limits } = token;
  const digest = hash('sha256', made.token, 'buffer');
  const now = toDatabaseTime(new Date().toISOString());
  const expires = expiresAt === undefined ? null : toDatabaseTime(expiresAt);
  const rights = [roles, limits].map((said) => (said === undefined ? null : JSON.stringify(said)));
  await session.run(insertToken, [
    ...[made.id, name, digest, made.token.slice(-4), memberId ?? null, now, expires],
    ...rights,
  ]);
}

/** Every token, revoked ones too, in the order in which they were made. */
export async function listTokens(unit: UnitOfWork): Promise<TokenRecord[]> {
  return (await unit.read(`${selectTokens} order by id`, [])).map(toRecord);
}

/**
 * Revokes a token, for good.
 * @param key its id, or its last four characters, which mean tokens that are not revoked.
 * @returns the tokens meant, as they were before. Only one alone is revoked; none and several are for the caller to tell.
 */
export async function revokeToken(unit: UnitOfWork, key: string): Promise<TokenRecord[]> {
  const isId = isUuid(key);
  // MariaDB fails where other than ASCII is compared with an ASCII column.
  if (!isId && !/^[\w-]{4}$/.test(key)) return [];
  const where = isId ? 'id = ?' : 'last4 = ? and revoked_at is null';
  return unit.transact(async (session) => {
    const rows = await session.all(`${selectTokens} where ${where}`, [isId ? key.toLowerCase() : key]);
    const found = rows.map(toRecord);
    const [one, ...others] = found;
    if (one === undefined || others.length > 0 || one.revokedAt !== null) return found;
    await raise(session);
    const now = toDatabaseTime(new Date().toISOString());
    await session.run('update praxis_token set revoked_at = ? where id = ?', [now, one.id]);
    return found;
  });
}

/** Revokes, for good, all tokens of members, in the transaction of a session. @param memberIds one at least */
export async function revokeTokensOf(session: Session, memberIds: readonly string[]): Promise<void> {
  const now = toDatabaseTime(new Date().toISOString());
  const marks = memberIds.map(() => '?').join(', ');
  const revoke = `update praxis_token set revoked_at = ? where revoked_at is null and member_id in (${marks})`;
  if ((await session.run(revoke, [now, ...memberIds])) > 0) await raise(session);
}

/** Whether a database has tokens that may have limits. */
export const hasTokenLimits = async (database: Database): Promise<boolean> =>
  (await hasTable(database, tokenTable.name)) && hasColumn(database, { name: 'limits' });

/** Limits go on with a group under its new name; without one they cover it no more, whatever comes under its name later. */
export async function renameInLimits(session: Session, from: string, to: string | undefined): Promise<void> {
  const rows = await session.all('select id, limits from praxis_token where limits is not null', []);
  const renamed = rows.flatMap(([id, cell]): [string, string][] => {
    const limits = said<TokenLimits>(cell);
    if (limits === undefined) return [];
    const text = JSON.stringify(limitsRenamed(limits, from, to));
    return text === JSON.stringify({ readOnly: limits.readOnly, allow: limits.allow }) ? [] : [[text, String(id)]];
  });
  if (renamed.length === 0) return;
  await raise(session);
  for (const bound of renamed) await session.run('update praxis_token set limits = ? where id = ?', bound);
}

const toRecord = ([id, name, last4, memberId, createdAt, expiresAt, revokedAt, roles, limits]: Row): TokenRecord => ({
  id: String(id),
  name: String(name),
  last4: String(last4),
  memberId: textOrNull(memberId),
  createdAt: fromDatabaseTime(String(createdAt)),
  expiresAt: timeOrNull(expiresAt),
  revokedAt: timeOrNull(revokedAt),
  roles: said<readonly string[]>(roles) ?? null,
  limits: said<TokenLimits>(limits) ?? null,
});
/** What `insert` has kept as JSON. */
const said = <T>(cell: Cell | undefined): T | undefined =>
  typeof cell === 'string' ? (JSON.parse(cell) as T) : undefined; // written by `insert` alone
const textOrNull = (cell: Cell | undefined): string | null => (typeof cell === 'string' ? cell : null);
const timeOrNull = (cell: Cell | undefined): string | null =>
  typeof cell === 'string' ? fromDatabaseTime(cell) : null;

interface Entry {
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface TokenBookOptions {
  /** The token of the configuration: always accepted, nobody's. */
  readonly accessToken: string | undefined;
  readonly logger?: { warn(details: object, message: string): void } | undefined;
}

/**
 * The tokens that are accepted, in memory. While the database is away the last known ones stay valid, expiry included:
 * a caller then learns that the database is away, not that the token is wrong.
 */
export class TokenBook {
  readonly #configured = new Map<string, Entry>();
  readonly #logger: TokenBookOptions['logger'];
  #entries: ReadonlyMap<string, Entry> = new Map();
  #names: ReadonlyMap<string, string> = new Map();
  #revision = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  /** Looks into the database; undefined before the start and after the end. */
  #look: (() => Promise<void>) | undefined;
  #isAway = false;
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #lookingUp: Promise<void> | undefined;

  constructor({ accessToken, logger }: TokenBookOptions) {
    this.#logger = logger;
    if (accessToken === undefined) return;
    const caller = Object.freeze({ tokenId: 'configured', memberId: null });
    this.#configured.set(keyOf(accessToken), { caller, expiresAt: Infinity });
  }

  /**
   * Whose token this is; undefined for wrong, expired and revoked ones. Looked up by hash: how long that takes tells of
   * the hash, which nobody can steer, and nothing of the token. Hashing takes 0.5 µs, too little to keep secrets for.
   * @param now milliseconds since 1970.
   */
  authenticate(token: string, now: number): Caller | undefined {
    const key = keyOf(token);
    const entry = this.#entries.get(key) ?? this.#configured.get(key);
    return entry === undefined || now >= entry.expiresAt ? undefined : entry.caller;
  }

  /** Who a token is, by its id; undefined where it has ended, or this process has not heard of it. @param now milliseconds since 1970. */
  callerOf(tokenId: string, now: number): Caller | undefined {
    const entries = [...this.#configured.values(), ...this.#entries.values()];
    return entries.find(({ caller, expiresAt }) => caller.tokenId === tokenId && now < expiresAt)?.caller;
  }

  /** What a token was called when it was made; undefined for that of the configuration, and for one that has ended. */
  nameOf(tokenId: string): string | undefined {
    return this.#names.get(tokenId);
  }

  /**
   * Whose token this is where it was made since the last look: looks again, once a second for all who ask, so that wrong
   * tokens are no load. Undefined, as of `authenticate`; at once for what has not the form of a token, or is known.
   */
  lookUp(token: string): Promise<Caller | undefined> | undefined {
    if (this.#look === undefined || this.#isAway || !tokenForm.test(token) || this.#entries.has(keyOf(token)))
      return undefined;
    this.#lookingUp ??= this.#lookUpOnce(this.#look);
    return this.#lookingUp.then(() => this.authenticate(token, Date.now()));
  }

  async #lookUpOnce(look: () => Promise<void>): Promise<void> {
    await delay(Math.max(0, this.#lookedUpAt + lookUpEveryMs - performance.now()), undefined, { ref: false });
    this.#lookedUpAt = performance.now();
    // Who comes from now on may have a token that this look does not see.
    this.#lookingUp = undefined;
    await look();
  }

  /** Takes in what has changed; to be called after a change of one's own. @throws Problem "database-away" */
  async refresh(unit: UnitOfWork): Promise<void> {
    const [row] = await unit.read(readRevision, []);
    if (Number(row?.[0] ?? 0) <= this.#revision) return;
    const rows = await unit.read(loadTokens, []);
    const revision = Number(rows[0]?.[0] ?? 0);
    // Never back: a node that lags behind, or a slower refresh, would bring revoked tokens to life again.
    if (revision <= this.#revision) return;
    this.#entries = new Map(rows.flatMap(toEntry));
    this.#names = new Map(rows.map(([, , id, , , , , name]) => [String(id), String(name)]));
    this.#revision = revision;
  }

  /** Looks for changes of other processes from time to time. A failure is logged once, until it works again. */
  start(unit: UnitOfWork, everyMs = 2000): void {
    const poll = async (): Promise<void> => {
      try {
        await this.refresh(unit);
        this.#isAway = false;
      } catch (error) {
        if (!this.#isAway && this.#look !== undefined)
          this.#logger?.warn({ err: error }, 'failed to read tokens; cached tokens stay valid');
        this.#isAway = true;
      }
    };
    this.#look = poll;
    this.#timer = setInterval(() => {
      this.#polling ??= poll().finally(() => {
        this.#polling = undefined;
      });
    }, everyMs);
    this.#timer.unref();
  }

  /** Resolves when the last look is over, so that the database can be closed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#look = undefined;
    await this.#polling;
  }
}

/** What `newToken` makes. */
const tokenForm = /^praxis_[\w-]{43}$/;
/** How often a token that is not known makes the book look into the database, at the most. */
const lookUpEveryMs = 1000;

const keyOf = (token: string): string => hash('sha256', token, 'base64');

const toEntry = ([, digest, id, memberId, expiresAt, roles, limits]: Row): [string, Entry][] => {
  if (!(digest instanceof Uint8Array)) return [];
  const [names, kept] = [said<readonly string[]>(roles), said<TokenLimits>(limits)];
  const caller = Object.freeze({
    tokenId: String(id),
    memberId: textOrNull(memberId),
    ...(names !== undefined && { roles: names }),
    ...(kept !== undefined && { limits: limitsOf(kept) }),
  });
  const expires = timeOrNull(expiresAt);
  return [
    [Buffer.from(digest).toString('base64'), { caller, expiresAt: expires === null ? Infinity : Date.parse(expires) }],
  ];
};
