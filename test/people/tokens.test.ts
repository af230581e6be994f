import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prepareState } from '../../src/storage/counters.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import {
  createFirstToken,
  createToken,
  listTokens,
  prepareTokens,
  revokeToken,
  TokenBook,
} from '../../src/storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { caught, type Ground, grounds } from '../support/databases/grounds.ts';

const member = '01890a5d-ac96-774b-bcce-b302099a8057';
const unlimited = { roles: null, limits: null };
const configured = 'canary-7f3a9c51e0b24d68';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(grounds)('tokens on %s', (_name, open) => {
  let ground: Ground;
  let unit: UnitOfWork;
  let database: Database;

  beforeAll(async () => {
    ground = await open();
    ({ unit, database } = ground);
    await prepareState(database);
    await prepareTokens(database);
  });
  afterAll(() => ground.close());
  beforeEach(() => unit.write('delete from praxis_token', []));

  const openBook = async (): Promise<TokenBook> => {
    const book = new TokenBook({ accessToken: configured });
    await book.refresh(unit);
    return book;
  };

  it('makes the tables once and keeps what is in them', async () => {
    await createToken(unit, { name: 'a' });
    await prepareState(database);
    await prepareTokens(database);
    expect(await listTokens(unit)).toHaveLength(1);
    await unit.write('delete from praxis_state', []);
    await prepareState(database);
    await createToken(unit, { name: 'b' });
    expect(await listTokens(unit)).toHaveLength(2);
  });

  it('adds a counter to those that are there, which stay as they are', async () => {
    await createToken(unit, { name: 'a' });
    const revisions = () => database.all('select name, revision from praxis_state order by name', []);
    const before = await revisions();
    await unit.write("delete from praxis_state where name = 'records'", []);
    await prepareState(database);
    expect((await revisions()).map(String)).toEqual(['records,0', ...before.slice(1).map(String)]);
  });

  it('keeps the hash of a token, never its text', async () => {
    const { id, token } = await createToken(unit, { name: 'Büro 🏗', memberId: member });
    expect(id).toMatch(uuid);
    expect(token).toMatch(/^praxis_[\w-]{43}$/);
    const [row = []] = await database.all('select * from praxis_token', []);
    const digest = row.find((cell) => cell instanceof Uint8Array);
    expect(Buffer.from(digest ?? []).toString('hex')).toBe(hash('sha256', token, 'hex'));
    expect(row.join(' ')).not.toContain(token.slice(7, 20));
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await listTokens(unit)).toEqual([
      {
        id,
        name: 'Büro 🏗',
        last4: token.slice(-4),
        memberId: member,
        createdAt,
        expiresAt: null,
        revokedAt: null,
        ...unlimited,
      },
    ]);
  });

  it('knows whose a token is, and refuses all but the exact text', async () => {
    const [own, members] = [
      await createToken(unit, { name: 'a' }),
      await createToken(unit, { name: 'b', memberId: member }),
    ];
    const book = await openBook();
    expect(book.authenticate(own.token, Date.now())).toEqual({ tokenId: own.id, memberId: null });
    expect(book.authenticate(members.token, Date.now())).toEqual({ tokenId: members.id, memberId: member });
    expect(book.authenticate(configured, Date.now())).toEqual({ tokenId: 'configured', memberId: null });
    const { token } = own;
    for (const wrong of ['', token.slice(0, -1), `${token} `, ` ${token}`, token.toUpperCase(), `${configured}x`]) {
      expect(book.authenticate(wrong, Date.now())).toBeUndefined();
    }
    expect(new TokenBook({ accessToken: undefined }).authenticate(configured, Date.now())).toBeUndefined();
  });

  it('refuses a token from the moment it expires', async () => {
    const expiresAt = '2030-01-02T03:04:05.678Z';
    const { token } = await createToken(unit, { name: 'a', expiresAt });
    const book = await openBook();
    const end = Date.parse(expiresAt);
    expect(book.authenticate(token, end - 1)).toBeDefined();
    expect(book.authenticate(token, end)).toBeUndefined();
    expect((await listTokens(unit))[0]?.expiresAt).toBe(expiresAt);
  });

  it('revokes by id in either case and by the last characters, once', async () => {
    const [one, two] = [await createToken(unit, { name: 'a' }), await createToken(unit, { name: 'b' })];
    const book = await openBook();
    expect(await revokeToken(unit, one.id.toUpperCase())).toMatchObject([{ id: one.id, revokedAt: null }]);
    expect(book.authenticate(one.token, Date.now())).toBeDefined();
    await book.refresh(unit);
    expect(book.authenticate(one.token, Date.now())).toBeUndefined();
    expect(book.authenticate(two.token, Date.now())).toBeDefined();

    const [first] = await listTokens(unit);
    expect(await revokeToken(unit, one.id)).toEqual([first]);
    expect(await revokeToken(unit, one.token.slice(-4))).toEqual([]);
    expect((await listTokens(unit))[0]).toEqual(first);

    expect(await revokeToken(unit, two.token.slice(-4))).toMatchObject([{ id: two.id }]);
    expect(await revokeToken(unit, 'ü')).toEqual([]);
    await book.refresh(unit);
    expect(book.authenticate(two.token, Date.now())).toBeUndefined();
  });

  it('revokes none of several with the same last characters', async () => {
    const [one, two] = [await createToken(unit, { name: 'a' }), await createToken(unit, { name: 'b' })];
    await unit.write("update praxis_token set last4 = 'abcd'", []);
    expect((await revokeToken(unit, 'abcd')).map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
    expect(await revokeToken(unit, 'ABCD')).toEqual([]);
    expect((await listTokens(unit)).map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
  });

  it('makes one first token, however many ask at once, and none after a revoked one', async () => {
    const units = Array.from({ length: 8 }, () => createUnitOfWork(database, { deadlineMs: 10_000 }));
    const made = await Promise.all(units.map((each) => createFirstToken(each, { name: 'first' })));
    const [first, ...others] = made.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(await listTokens(unit)).toMatchObject([{ id: first?.id }]);
    await revokeToken(unit, first?.id ?? '');
    expect(await createFirstToken(unit, { name: 'first' })).toBeUndefined();
  });

  it('follows changes of others by itself until it is stopped', async () => {
    const reader = await openBook();
    reader.start(unit, 20);
    const { id, token } = await createToken(unit, { name: 'a' });
    await expect.poll(() => reader.authenticate(token, Date.now())).toBeDefined();
    await revokeToken(unit, id);
    await expect.poll(() => reader.authenticate(token, Date.now())).toBeUndefined();
    await reader.stop();
    const late = await createToken(unit, { name: 'b' });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(reader.authenticate(late.token, Date.now())).toBeUndefined();
  });

  it('never goes back to an older state', async () => {
    const { id, token } = await createToken(unit, { name: 'a' });
    await revokeToken(unit, id);
    const book = await openBook();
    await unit.write('update praxis_token set revoked_at = null', []);
    await unit.write('update praxis_state set revision = revision - 1', []);
    await book.refresh(unit);
    expect(book.authenticate(token, Date.now())).toBeUndefined();
  });

  it('keeps the last known tokens while the database is away, and says so once', async () => {
    const other = await open();
    await prepareState(other.database);
    await prepareTokens(other.database);
    const { token } = await createToken(other.unit, { name: 'a' });
    const warnings: string[] = [];
    const book = new TokenBook({ accessToken: undefined, logger: { warn: (_details, text) => warnings.push(text) } });
    await book.refresh(other.unit);
    await other.close();
    expect(await caught(book.refresh(other.unit))).toBeInstanceOf(Error);
    book.start(other.unit, 10);
    await expect.poll(() => warnings.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await book.stop();
    expect(warnings).toEqual(['failed to read tokens; cached tokens stay valid']);
    expect(book.authenticate(token, Date.now())).toBeDefined();
  });
});
