// Processes that are killed in the middle of a write, at every point of writes that reach far: before each statement, before
// the commit, while it runs, after it, and before the answer. What is there then is all of the write or nothing of it, and
// every figure is right.
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSetup } from '../../src/config.ts';
import { verifyGroup } from '../../src/engine/verify/verify.ts';
import { readLive } from '../../src/migration/editors/live.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import type { Row } from '../../src/storage/schema/cells.ts';
import type { Task } from '../support/commands/dying-writes.ts';
import { runNode } from '../support/commands/praxis-line.ts';
import { commit, openWriter, type Write, type Writer } from '../support/commands/watched-writes.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { copyRows, copyTables, untilLeft } from '../support/databases/mariadb.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import type { Json } from '../support/service/client.ts';
import { folders } from '../support/service/praxis.ts';

const create = (group: string, body: Json): Write => ({ operation: 'create', group, body });
const update = (group: string, id: string, body: Json): Write => ({ operation: 'update', group, id, body });
const remove = (group: string, id: string): Write => ({ operation: 'delete', group, id });

/** The records of both domains before the first of the writes that are killed. */
async function prepare(does: (write: Write) => Promise<Json>) {
  const make = async (group: string, body: Json): Promise<string> => String((await does(create(group, body)))['id']);
  const assets = await make('account', { name: 'Assets' });
  const abroad = await make('account', { name: 'Abroad' });
  const cash = await make('account', { name: 'Cash', parentId: assets });
  const sales = await make('account', { name: 'Sales' });
  const year = await make('period', { start: '2026-01-01', end: '2026-12-31' });
  const moved = (amount: number): Json => ({
    periodId: year,
    date: '2026-03-01',
    lines: [
      { accountId: cash, debit: amount },
      { accountId: sales, credit: amount },
    ],
  });
  const sale = await make('journal', { ...moved(12.5), statusId: 'posted' });
  await make('journal', moved(3));
  const shelf = await make('shelf', { name: 'Left' });
  const tea = await make('product', { name: 'Tea', price: 2.5, shelfId: shelf });
  const cup = await make('product', { name: 'Cup', price: 4, shelfId: shelf });
  await make('wish', { name: 'Both', productIds: [tea, cup] });
  const ann = await make('customer', { name: 'Ann' });
  const bob = await make('customer', { name: 'Bob' });
  const order = (customerId: string, quantity: number): Json => ({
    customerId,
    day: '2026-01-05',
    lines: [
      { productId: tea, quantity, parcels: [{ count: 2 }, { count: 1 }] },
      { productId: cup, quantity: 1 },
    ],
  });
  await make('order', order(ann, 3));
  await make('order', order(ann, 4));
  await make('order', order(bob, 5));
  return { abroad, cash, sales, year, moved, sale, tea, ann, bob, shelf, order };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Done one after the other, each on what the one before has left. */
const writes: readonly (readonly [title: string, write: (records: Prepared) => Write])[] = [
  [
    'a create with items, which moves sums up a tree and states',
    ({ moved }) => create('journal', { ...moved(20), statusId: 'posted' }),
  ],
  [
    'an update that moves items to another record',
    ({ sale, abroad, sales }) =>
      update('journal', sale, {
        lines: [
          { accountId: abroad, debit: 4 },
          { accountId: sales, credit: 4 },
        ],
      }),
  ],
  [
    'an update with effects on others and a record that it makes',
    ({ year }) => update('period', year, { isClosed: true }),
  ],
  ['a create with items of items', ({ bob, order }) => create('order', order(bob, 2))],
  ['an update that many figures look at', ({ tea }) => update('product', tea, { price: 30 })],
  ['a delete that takes others along, and their figures with them', ({ ann }) => remove('customer', ann)],
];

type Content = Readonly<Record<string, readonly Row[]>>;

/** A database with records, and as many copies of it as are asked for. */
interface Ground {
  readonly base: string;
  /** For how many copies at once it is made: so many transactions one process takes with it when it dies. */
  readonly atOnce: number;
  /** @returns databases that hold what `base` holds */
  copies(count: number): Promise<readonly string[]>;
  /** Waits until no process uses any of these. */
  untilLeft(urls: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

function onFiles(folder: string): Ground {
  const base = join(folder, 'base.sqlite');
  const copy = (nth: number): string => {
    const file = join(folder, `copy-${nth}.sqlite`);
    for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });
    copyFileSync(base, file);
    return `sqlite:${file}`;
  };
  return {
    base: `sqlite:${base}`,
    atOnce: 64,
    copies: async (count) => Array.from({ length: count }, (_value, nth) => copy(nth)),
    untilLeft: async () => {},
    close: async () => {},
  };
}

async function onServer({ open }: TestDatabase): Promise<Ground> {
  const base = await open('praxis_write_kill');
  const made: (typeof base)[] = [];
  return {
    base: base.url,
    atOnce: 15,
    copies: async (count) => {
      for (const { url } of made.slice(0, count)) await copyRows(base.url, url);
      while (made.length < count) {
        const copy = await open('praxis_write_kill');
        made.push(copy);
        await copyTables(base.url, copy.url);
      }
      return made.slice(0, count).map(({ url }) => url);
    },
    untilLeft,
    close: async () => {
      for (const { drop } of [base, ...made]) await drop();
    },
  };
}

const atMs = Date.UTC(2026, 5, 1);
const hourMs = 3_600_000;
const program = join(import.meta.dirname, '../support/commands/dying-writes.ts');

for (const database of databases) {
  describe.skipIf(!database.isThere)(`a write that is killed (${database.name})`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-write-kill-'));
    const resources = join(folder, 'resources');
    let ground: Ground;
    let registry: Registry;
    let records: Prepared;
    let tables: readonly string[] = [];
    let done = 0;
    /** The hour of the clock at the write that comes next. */
    const hour = (): number => atMs + done * hourMs;

    beforeAll(async () => {
      for (const domain of [folders.books, folders.shop]) cpSync(domain, resources, { recursive: true });
      registry = loadRegistry(resources, ruleSignatures);
      ground = database.isServer ? await onServer(database) : onFiles(folder);
      await setUp(ground.base, resources);
      await using writer = await opened(ground.base);
      records = await prepare(async (write) => {
        done += 1;
        return writer.perform(write, hour());
      });
      const live = await readLive(writer.database, writer.database.dialect);
      tables = [...live].map(([table, { columns }]) => {
        const list = [...columns.keys()]
          .sort()
          .map((column) => `\`${column}\``)
          .join(', ');
        return `select ${list} from \`${table}\` order by ${list}`;
      });
    }, 120_000);
    afterAll(async () => {
      await ground.close();
      rmSync(folder, { recursive: true });
    }, 60_000);

    const opened = async (url: string): Promise<Writer & AsyncDisposable> => {
      const writer = await openWriter(registry, url);
      return { ...writer, [Symbol.asyncDispose]: () => writer.database.close() };
    };
    const contentOf = async ({ database }: Writer): Promise<Content> => {
      const content: Record<string, readonly Row[]> = {};
      for (const sql of tables) content[sql] = await database.all(sql, []);
      return content;
    };
    const differences = async ({ engine }: Writer): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for (const group of registry.resources.keys())
        for await (const difference of verifyGroup(engine.verifyContext, group, { repair: false }))
          found.push(difference);
      return found;
    };

    test.each(writes)('%s is whole or not there at all', { timeout: 120_000 }, async (_title, writeOf) => {
      done += 1;
      const write = writeOf(records);
      const { points, before, after } = await undisturbed(write);
      const toCommit = points.indexOf(commit) + 1;
      expect(points.filter((point) => point === commit)).toHaveLength(1);
      // Otherwise there would be nothing to tear apart.
      expect(points.filter((point) => /^(insert|update|delete)/.test(point)).length).toBeGreaterThan(1);
      expect(after).not.toEqual(before);

      for (let first = 1; first <= points.length; first += ground.atOnce) {
        const count = Math.min(ground.atOnce, points.length + 1 - first);
        const [inCommit = '', ...copies] = await ground.copies(count + 1);
        const stands = copies.map((url, nth) => ({ url, point: first + nth }));
        const hasCommit = stands.some(({ point }) => point === toCommit);
        const sentOn = hasCommit ? { url: inCommit, point: toCommit } : undefined;
        await killed({ resources, write, atMs: hour(), stands, sentOn });
        for (const { url, point } of stands) {
          const where = `killed at ${point} of ${points.length}: ${points[point - 1]}`;
          await using writer = await opened(url);
          expect(await contentOf(writer), where).toEqual(point > toCommit ? after : before);
          expect(await differences(writer), where).toEqual([]);
          if (point !== toCommit) continue;
          // What was taken back can be done again.
          await writer.perform(write, hour());
          expect(await contentOf(writer), where).toEqual(after);
        }
        if (!hasCommit) continue;
        await using writer = await opened(inCommit);
        expect([before, after]).toContainEqual(await contentOf(writer));
        expect(await differences(writer)).toEqual([]);
      }

      await using kept = await opened(ground.base);
      await kept.perform(write, hour());
      expect(await contentOf(kept)).toEqual(after);
    });

    /** The write where nobody dies: the points that it passes, and what there is before and after. */
    async function undisturbed(write: Write) {
      const [url = ''] = await ground.copies(1);
      const points: string[] = [];
      await using writer = await opened(url);
      const before = await contentOf(writer);
      await writer.perform(write, hour(), async (point) => void points.push(point));
      expect(await differences(writer)).toEqual([]);
      return { points, before, after: await contentOf(writer) };
    }

    async function killed(task: Task): Promise<void> {
      const ended = await runNode([program, JSON.stringify(task)], { NODE_COMPILE_CACHE: join(folder, 'compiled') });
      expect(ended).toEqual({ code: null, stdout: '', stderr: '' });
      await ground.untilLeft([...task.stands, task.sentOn].flatMap((each) => each?.url ?? []));
    }
  });
}

/** Makes the tables and the first records, at times and with ids by chance. */
async function setUp(databaseUrl: string, resources: string): Promise<void> {
  const workspace = await openQuietly({
    databaseUrl,
    resources,
    setup: { ...defaultSetup },
  });
  await workspace.close();
}
