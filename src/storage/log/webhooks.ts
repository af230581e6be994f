// Webhooks as they are kept: what each wants to be sent, how far in the log it has come, and which process sends it.
import { fromDatabaseTime, toDatabaseTime } from '../../values/date.ts';
import type { Bound, Cell, Row } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Database, Session } from '../schema/session.ts';
import type { Column, Table } from '../schema/tables.ts';
import { createTables, hasTable } from '../statements/ddl.ts';
import type { CauseKind, EntryOperation } from './entry.ts';

/**
 * `failing`: an entry was refused through all tries; `lost`: the entry behind its cursor is not kept any more; `stopped`: the token
 * that made it has ended.
 */
export type WebhookState = 'active' | 'paused' | 'failing' | 'lost' | 'stopped';

/** What a webhook is to be sent, and where to. */
export interface WebhookWish {
  readonly url: string;
  /** Names of groups; undefined: all. */
  readonly groups?: readonly string[] | undefined;
  readonly operations?: readonly (EntryOperation | 'gone')[] | undefined;
  readonly causes?: readonly CauseKind[] | undefined;
  /** Whether an entry that is refused through all tries holds up those behind it, or is put aside. */
  readonly onFailure: 'hold' | 'pass';
}

/** With what messages are signed. */
export interface WebhookSecret {
  readonly secret: string;
  /** Milliseconds since 1970, until when it signs beside a newer one. */
  readonly until?: number | undefined;
}

/** How far a webhook has come. Times in milliseconds since 1970. */
export interface WebhookStand {
  readonly state: WebhookState;
  /** Of the last entry that it is through with. */
  readonly position: number;
  /** Of the entry that was refused last; null where none was. */
  readonly standsAt: number | null;
  /** How often that one was tried, and since when. */
  readonly attempts: number;
  readonly failingSince: number;
  /** No try before. */
  readonly dueAt: number;
}

export interface KeptWebhook extends WebhookStand {
  readonly id: string;
  readonly wish: WebhookWish;
  /** Whose rights it has; null of one that was made at the terminal, which sees everything. */
  readonly tokenId: string | null;
  /** The member for whom the token acted. */
  readonly memberId: string | null;
  readonly createdAt: string;
  /** The log in which its position is. */
  readonly log: string;
  readonly secrets: readonly WebhookSecret[];
  readonly tryCount: number;
  /** Rises with each change that is none of its deliveries. */
  readonly revision: number;
  /** Which process sends it, '' for none, and a number that rises while it does. */
  readonly holder: string;
  readonly beat: number;
}

/** Where a webhook stands that has not been refused anything. */
export const atEase = { standsAt: null, attempts: 0, failingSince: 0, dueAt: 0 } as const;

const column = (name: string, type: ColumnType, nullable = false): Column => ({ name, type, nullable });
const id = { kind: 'id' } as const;
const integer = { kind: 'integer' } as const;
const json = { kind: 'json' } as const;
const word = (length: number): ColumnType => ({ kind: 'word', length });

const webhookTable: Table = {
  name: 'praxis_webhook',
  group: '',
  columns: [
    column('id', id),
    column('wish', json),
    column('token_id', word(36), true),
    column('member_id', id, true),
    column('created_at', { kind: 'dateTime' }),
    column('log_name', word(40)),
    column('secrets', json),
    column('state', word(10)),
    column('position', integer),
    column('stands_at', integer, true),
    column('attempts', integer),
    column('failing_since', integer),
    column('due_at', integer),
    column('try_count', integer),
    column('revision', integer),
    column('holder', word(40)),
    column('beat', integer),
  ],
  primaryKey: ['id'],
  indexes: [],
  foreignKeys: [],
};

/** The last tries of each, in places that are taken in turn. */
const tryTable: Table = {
  name: 'praxis_webhook_try',
  group: '',
  columns: [column('webhook_id', id), column('place', integer), column('nth', integer), column('data', json)],
  primaryKey: ['webhook_id', 'place'],
  indexes: [],
  foreignKeys: [],
};

const parkedTable: Table = {
  name: 'praxis_webhook_parked',
  group: '',
  columns: [
    column('webhook_id', id),
    column('position', integer),
    column('parked_at', { kind: 'dateTime' }),
    column('message', json),
  ],
  primaryKey: ['webhook_id', 'position'],
  indexes: [],
  foreignKeys: [],
};

/** Whether a database has the tables. */
export const hasWebhooks = (database: Database): Promise<boolean> => hasTable(database, parkedTable.name);

/** Makes the tables, unless they are there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareWebhooks(database: Database): Promise<void> {
  if (await hasWebhooks(database)) return;
  await database.script(createTables([webhookTable, tryTable, parkedTable], [], database.dialect));
}

type Reading = Pick<Session, 'all'>;
type Writing = Pick<Session, 'run'>;

const columns = webhookTable.columns.map(({ name }) => name).join(', ');
const selectWebhooks = `select ${columns} from ${webhookTable.name}`;

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell);

function toWebhook(row: Row): KeptWebhook {
  const [own, wish, token, member, created, log, secrets, state, position, stands, ...numbers] = row;
  const [attempts, since, due, count, revision, holder, beat] = numbers;
  return {
    id: String(own),
    wish: JSON.parse(String(wish)) as WebhookWish, // as `insertWebhook` and `changeWebhook` write it
    tokenId: textOrNull(token),
    memberId: textOrNull(member),
    createdAt: fromDatabaseTime(String(created)),
    log: String(log),
    secrets: JSON.parse(String(secrets)) as readonly WebhookSecret[], // the same
    state: String(state) as WebhookState, // the same
    position: Number(position),
    standsAt: stands === null || stands === undefined ? null : Number(stands),
    ...{ attempts: Number(attempts), failingSince: Number(since), dueAt: Number(due), tryCount: Number(count) },
    ...{ revision: Number(revision), holder: String(holder), beat: Number(beat) },
  };
}

/** Every webhook, in the order in which they were made. */
export const readWebhooks = async (session: Reading): Promise<readonly KeptWebhook[]> =>
  (await session.all(`${selectWebhooks} order by id`, [])).map(toWebhook);

export async function readWebhook(session: Reading, webhookId: string): Promise<KeptWebhook | undefined> {
  const [row] = await session.all(`${selectWebhooks} where id = ?`, [webhookId]);
  return row && toWebhook(row);
}

/** What is said of a webhook when it is made. */
export type NewWebhook = Pick<
  KeptWebhook,
  'id' | 'wish' | 'tokenId' | 'memberId' | 'createdAt' | 'log' | 'position' | 'secrets'
>;

export async function insertWebhook(session: Writing, made: NewWebhook): Promise<void> {
  const { wish, tokenId, memberId, createdAt, log, position, secrets } = made;
  const places = webhookTable.columns.map(() => '?').join(', ');
  await session.run(`insert into ${webhookTable.name} (${columns}) values (${places})`, [
    ...[made.id, JSON.stringify(wish), tokenId, memberId, toDatabaseTime(createdAt), log, JSON.stringify(secrets)],
    ...['active', position, null, 0, 0, 0, 0, 0, '', 0],
  ]);
}

/** What a change of a webhook may give anew. */
type WebhookChange = Partial<Pick<KeptWebhook, 'wish' | 'log' | 'secrets'> & WebhookStand>;

const columnOf = {
  wish: 'wish',
  log: 'log_name',
  secrets: 'secrets',
  state: 'state',
  position: 'position',
  standsAt: 'stands_at',
  attempts: 'attempts',
  failingSince: 'failing_since',
  dueAt: 'due_at',
} as const satisfies Record<keyof WebhookChange, string>;

function assignments(change: WebhookChange): { readonly sets: readonly string[]; readonly bound: readonly Bound[] } {
  const given = Object.entries(columnOf).flatMap(([key, name]): [string, Bound][] => {
    const value = change[key as keyof WebhookChange];
    if (value === undefined) return [];
    return [[`${name} = ?`, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]];
  });
  return { sets: given.map(([set]) => set), bound: given.map(([, value]) => value) };
}

/** Changes a webhook; who is sending it learns of it by the revision. */
export async function changeWebhook(session: Writing, webhookId: string, change: WebhookChange): Promise<void> {
  const { sets, bound } = assignments(change);
  const sql = `update ${webhookTable.name} set ${[...sets, 'revision = revision + 1'].join(', ')} where id = ?`;
  await session.run(sql, [...bound, webhookId]);
}

/** Webhooks go on with a group under its new name; without one, they no longer wait for it, whatever comes under its name later. */
export async function renameWebhookGroup(
  session: Reading & Writing,
  from: string,
  to: string | undefined,
): Promise<void> {
  for (const { id: own, wish } of await readWebhooks(session)) {
    if (wish.groups?.includes(from) !== true) continue;
    const groups = wish.groups.flatMap((group) => (group === from ? (to ?? []) : group));
    await changeWebhook(session, own, { wish: { ...wish, groups } });
  }
}

export async function deleteWebhook(session: Writing, webhookId: string): Promise<void> {
  await session.run(`delete from ${webhookTable.name} where id = ?`, [webhookId]);
  for (const { name } of [tryTable, parkedTable])
    await session.run(`delete from ${name} where webhook_id = ?`, [webhookId]);
}

/** Takes the lease from who had it. @param seen What is known of it. @returns whether it was so still */
export async function takeWebhook(session: Writing, seen: KeptWebhook, holder: string): Promise<boolean> {
  const sql = `update ${webhookTable.name} set holder = ?, beat = beat + 1 where id = ? and holder = ? and beat = ?`;
  return (await session.run(sql, [holder, seen.id, seen.holder, seen.beat])) === 1;
}

/** Gives the lease back. */
export async function releaseWebhook(session: Writing, webhookId: string, holder: string): Promise<void> {
  const sql = `update ${webhookTable.name} set holder = '', beat = beat + 1 where id = ? and holder = ?`;
  await session.run(sql, [webhookId, holder]);
}

/**
 * Notes how far a webhook has come, and that its sender is alive.
 * @returns false where another process sends it now, or it was changed meanwhile: nothing is noted then
 */
export async function noteStand(
  session: Writing,
  { id: webhookId, holder, revision }: Pick<KeptWebhook, 'id' | 'holder' | 'revision'>,
  stand: Partial<WebhookStand> & { readonly tryCount?: number },
): Promise<boolean> {
  const { sets, bound } = assignments(stand);
  const counted = stand.tryCount === undefined ? [] : ['try_count = ?'];
  const sql = `update ${webhookTable.name} set ${[...sets, ...counted, 'beat = beat + 1'].join(', ')} where id = ? and holder = ? and revision = ?`;
  const count = stand.tryCount === undefined ? [] : [stand.tryCount];
  return (await session.run(sql, [...bound, ...count, webhookId, holder, revision])) === 1;
}

/** One try to send a message, and what came of it. */
export interface WebhookTry {
  /** Of the entry; null of a message that is none. */
  readonly position: string | null;
  readonly at: string;
  /** Which try of this entry it was, from 1. */
  readonly attempt: number;
  readonly outcome: 'taken' | 'refused' | 'failed';
  readonly status: number | null;
  readonly ms: number;
  /** The beginning of what was answered. */
  readonly answer: string | null;
  readonly error: string | null;
}

const triesKept = 20;

/** Keeps a try in the place of the oldest. @param of The webhook with the number of its tries, this one included. */
export async function keepTry(
  session: Writing,
  { id: webhookId, tryCount: nth }: Pick<KeptWebhook, 'id' | 'tryCount'>,
  told: WebhookTry,
): Promise<void> {
  const place = nth % triesKept;
  await session.run(`delete from ${tryTable.name} where webhook_id = ? and place = ?`, [webhookId, place]);
  const sql = `insert into ${tryTable.name} (webhook_id, place, nth, data) values (?, ?, ?, ?)`;
  await session.run(sql, [webhookId, place, nth, JSON.stringify(told)]);
}

/** The last tries as JSON, newest first. */
export const readTries = async (session: Reading, webhookId: string): Promise<readonly string[]> =>
  (await session.all(`select data from ${tryTable.name} where webhook_id = ? order by nth desc`, [webhookId])).map(
    ([data]) => String(data),
  );

/** A message that was put aside. */
export interface ParkedMessage {
  readonly position: number;
  readonly parkedAt: string;
  /** Its body, as it was sent. */
  readonly message: string;
}

export async function park(session: Writing, webhookId: string, parked: ParkedMessage): Promise<void> {
  const { position, parkedAt, message } = parked;
  const sql = `insert into ${parkedTable.name} (webhook_id, position, parked_at, message) values (?, ?, ?, ?)`;
  // It may have been put aside before, and sent once more from an earlier cursor.
  await unpark(session, webhookId, position);
  await session.run(sql, [webhookId, position, toDatabaseTime(parkedAt), message]);
}

/** Messages that were put aside, oldest first. */
export async function readParked(
  session: Reading,
  webhookId: string,
  { position, limit }: { readonly position?: number | undefined; readonly limit: number },
): Promise<readonly ParkedMessage[]> {
  const one = position === undefined ? '' : ' and position = ?';
  const sql = `select position, parked_at, message from ${parkedTable.name} where webhook_id = ?${one} order by position limit ${limit}`;
  const rows = await session.all(sql, position === undefined ? [webhookId] : [webhookId, position]);
  return rows.map(([place, at, message]) => ({
    position: Number(place),
    parkedAt: fromDatabaseTime(String(at)),
    message: String(message),
  }));
}

export const unpark = (session: Writing, webhookId: string, position: number): Promise<number> =>
  session.run(`delete from ${parkedTable.name} where webhook_id = ? and position = ?`, [webhookId, position]);
