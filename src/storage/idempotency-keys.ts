// Storage of idempotency keys. The response to a request with a key is stored in the transaction of its write, and replayed
// when the key comes again.
import type { PutOutcome, RequestKey } from '../request/intent.ts';
import { fromDatabaseTime, toDatabaseTime } from '../values/date.ts';
import { faultOf } from './errors.ts';
import type { ColumnType } from './schema/column-types.ts';
import type { Database, Session } from './schema/session.ts';
import type { Column, Table } from './schema/tables.ts';
import { createTables, hasTable } from './statements/ddl.ts';
import type { UnitOfWork } from './unit-of-work.ts';

const outcomes: readonly PutOutcome[] = ['created', 'updated', 'unchanged'];
const short = 'minimal';
const bodyOmitted = 'omitted';

/** The answer to a write that was done. */
export interface StoredResponse {
  readonly status: number;
  /** JSON; undefined where there was none. */
  readonly body: string | undefined;
  readonly etag?: string | undefined;
  /** What a write by a unique key has done. */
  readonly put?: PutOutcome | undefined;
  /** Whether it is short, as its caller wanted. */
  readonly isMinimal?: boolean | undefined;
  /** Whether the response had a body that is not stored. */
  readonly isBodyOmitted?: boolean | undefined;
}

/** The key has an answer already, or had it a moment ago. */
export class KeyTaken extends Error {}
/** Another process does something under the key. */
export class KeyRunning extends Error {}

const keptMs = 24 * 60 * 60 * 1000;
/** At a time, so that nobody waits for long: whoever keeps an answer meanwhile, not at all. */
const sweptAtOnce = 500;

const column = (name: string, type: ColumnType, nullable = false): Column => ({ name, type, nullable });
const word = (length: number): ColumnType => ({ kind: 'word', length });

const answerTable: Table = {
  name: 'praxis_answer',
  group: '',
  columns: [
    column('token_id', word(40)),
    column('request_key', word(255)),
    column('fingerprint', { kind: 'key' }),
    column('status', { kind: 'integer' }),
    column('etag', word(64), true),
    column('body', { kind: 'json' }, true),
    column('created_at', { kind: 'dateTime' }),
  ],
  primaryKey: ['token_id', 'request_key'],
  indexes: [{ name: 'praxis_answer_created', columns: ['created_at'], unique: false }],
  foreignKeys: [],
};

/** Makes the table unless it is there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareIdempotencyKeys(database: Database): Promise<void> {
  if (await hasTable(database, answerTable.name)) return;
  await database.script(createTables([answerTable], [], database.dialect));
}

const claimRow = `insert into praxis_answer (token_id, request_key, fingerprint, status, created_at) values (?, ?, ?, 0, ?)`;
const fillRow = 'update praxis_answer set status = ?, etag = ?, body = ? where token_id = ? and request_key = ?';
const readRow =
  'select fingerprint, status, etag, body, created_at from praxis_answer where token_id = ? and request_key = ?';
const releaseRow = 'delete from praxis_answer where token_id = ? and request_key = ?';
const removeRow = 'delete from praxis_answer where token_id = ? and request_key = ? and created_at = ?';
const oldRows = `select token_id, request_key, created_at from praxis_answer where created_at < ? order by created_at limit ${sweptAtOnce}`;

/**
 * Takes a key for the write of this transaction; others who want it wait until that ends.
 * @throws KeyTaken, KeyRunning
 */
export async function claimKey(session: Session, { tokenId, key, fingerprint }: RequestKey): Promise<void> {
  try {
    await session.run(claimRow, [tokenId, key, fingerprint, databaseNow()]);
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind === 'unique') throw new KeyTaken('The key has an answer.', { cause: error });
    if (fault.kind === 'retry' && fault.isWaiting === true)
      throw new KeyRunning('The key is waited for.', { cause: error });
    throw error;
  }
}

/** Releases a key that this transaction has claimed: nothing was done under it. */
export async function releaseKey(session: Session, { tokenId, key }: RequestKey): Promise<void> {
  await session.run(releaseRow, [tokenId, key]);
}

/** Keeps the answer of the write, with the write. */
export async function storeResponse(
  session: Session,
  { tokenId, key, omitsBody = false }: RequestKey,
  answer: StoredResponse,
): Promise<void> {
  const { status, etag = '', put, isMinimal = false, body } = answer;
  const isBodyOmitted = omitsBody && body !== undefined;
  // No tag contains a space: the words after it say how to replay the response.
  const words = [put, isMinimal ? short : undefined, isBodyOmitted ? bodyOmitted : undefined];
  const tag = [etag, ...words.filter((each) => each !== undefined)].join(' ');
  await session.run(fillRow, [
    status,
    tag === '' ? null : tag,
    isBodyOmitted ? null : (body ?? null),
    ...[tokenId, key],
  ]);
}

/** @returns undefined where there is none, or none any more; then the key is free. */
export async function findResponse(
  unit: UnitOfWork,
  { tokenId, key }: RequestKey,
): Promise<(StoredResponse & { readonly fingerprint: Uint8Array }) | undefined> {
  const [row] = await unit.read(readRow, [tokenId, key]);
  if (row === undefined) return undefined;
  const [fingerprint, status, etag, body, createdAt] = row;
  if (!(fingerprint instanceof Uint8Array) || typeof createdAt !== 'string')
    throw new Error('praxis_answer is damaged');
  if (Date.parse(fromDatabaseTime(createdAt)) < Date.now() - keptMs) {
    await unit.write(removeRow, [tokenId, key, createdAt]);
    return undefined;
  }
  const textOr = (cell: unknown): string | undefined => (typeof cell === 'string' ? cell : undefined);
  const [tag, ...words] = (textOr(etag) ?? '').split(' ');
  return {
    fingerprint,
    status: Number(status),
    etag: tag === '' ? undefined : tag,
    body: textOr(body),
    put: outcomes.find((outcome) => words.includes(outcome)),
    isMinimal: words.includes(short),
    isBodyOmitted: words.includes(bodyOmitted),
  };
}

/** Forgets the answers that have been kept for a day. */
export async function sweepIdempotencyKeys(unit: UnitOfWork): Promise<void> {
  for (;;) {
    const old = await unit.read(oldRows, [databaseTime(Date.now() - keptMs)]);
    // One by one: a statement over many would hold up those who keep others between them.
    for (const [tokenId, key, createdAt] of old)
      await unit.write(removeRow, [String(tokenId), String(key), String(createdAt)]);
    if (old.length < sweptAtOnce) return;
  }
}

const databaseTime = (ms: number): string => toDatabaseTime(new Date(ms).toISOString());
const databaseNow = (): string => databaseTime(Date.now());
