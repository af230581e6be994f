// The feed is exact whoever writes and dies: each entry once, positions without a gap, each record in the order of its versions, and a
// copy built from lists and feed equals the lists. `PRAXIS_LOGGED=5000 npx vitest run test/changes/order.test.ts` writes more.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { endOf, entriesAfter, type ShownEntry } from '../support/data/changes.ts';
import { databases } from '../support/databases/databases.ts';
import { fewer } from '../support/run/part.ts';
import { accessToken } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const writes = Number(process.env.PRAXIS_LOGGED ?? fewer(150, 600));
const callers = 16;

interface Process {
  readonly child: ChildProcess;
  readonly address: string;
}

const startProcess = async (url: string): Promise<Process> => {
  const script = join(import.meta.dirname, '../support/service/logged-service.ts');
  const child = spawn(process.execPath, [script, url, accessToken], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address };
};

/** By what writes choose: the same for a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Kept = Map<string, Record<string, unknown>>;

/** Takes an entry into a copy of the records. */
function take(copy: Kept, { operation, group, id, changes }: ShownEntry): void {
  const name = `${group}/${id}`;
  if (operation === 'delete') copy.delete(name);
  else {
    const record = copy.get(name) ?? {};
    for (const [key, change] of Object.entries(changes)) {
      if ('to' in change) record[key] = change.to;
      else if (Array.isArray(change.removed))
        record[key] = ((record[key] ?? []) as string[]).filter((each) => !change.removed.includes(each));
      else if (change.removed !== undefined)
        record[key] = ((record[key] ?? []) as Record<string, unknown>[]).filter(
          (item) => item[change.removed.field] !== change.removed.id,
        );
    }
    copy.set(name, record);
  }
}

const groups = { author: '/authors', piece: '/pieces', tag: '/tags', note: '/notes' } as const;

/** A record of a list by the keys of bodies. */
function asKept(record: Record<string, unknown>): Record<string, unknown> {
  const named = (value: unknown): unknown => (value === null ? null : (value as { id: string }).id);
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (key === 'author' || key === 'piece' || key === 'tag') kept[`${key}Id`] = named(value);
    else if (key === 'tags') kept['tagIds'] = (value as unknown[]).map(named).toSorted();
    else if (key === 'lines') kept[key] = (value as Record<string, unknown>[]).map(asKept);
    else kept[key] = value;
  }
  return kept;
}

async function listsOf(address: string): Promise<Kept> {
  const lists: Kept = new Map();
  for (const [group, path] of Object.entries(groups))
    for (let after = ''; ; ) {
      const { body } = await send({ address }, `GET ${path}?limit=100${after}`);
      for (const { id, ...record } of body.results) lists.set(`${group}/${id}`, asKept(record));
      if (body.hasMore !== true) break;
      after = `&startingAfter=${body.results.at(-1).id}`;
    }
  return lists;
}

for (const database of databases)
  describe.skipIf(!database.isThere)(`a feed under writers that are killed (${database.name})`, () => {
    let url: string;
    let drop: () => Promise<void>;
    let processes: Process[];

    beforeAll(async () => {
      ({ url, drop } = await database.open());
      processes = [await startProcess(url)];
      processes.push(...(await Promise.all([startProcess(url), startProcess(url)])));
    }, 120_000);
    afterAll(async () => {
      for (const { child } of processes) child.kill('SIGKILL');
      await drop();
    }, 60_000);

    it('misses nothing, and a copy that follows it equals the lists', async () => {
      const [first] = processes;
      if (first === undefined) throw new Error('no process');
      const copy: Kept = new Map();
      const seen: ShownEntry[] = [];
      let cursor = await endOf(first);
      const start = Number(cursor.split('.')[1]);
      let isOver = false;
      const follow = async (): Promise<void> => {
        for (;;) {
          // What was written before this was read is in it.
          const isLast = isOver;
          const found = await entriesAfter(first, cursor);
          seen.push(...found.entries);
          cursor = found.cursor;
          if (isLast) return;
          await delay(20);
        }
      };
      const following = follow();
      let left = writes;
      await Promise.all(
        Array.from({ length: callers }, async (_each, number) => {
          const pick = chance(number + 1);
          const mine: string[][] = [[], [], [], []];
          const one = (kind: number): string | undefined => mine[kind]?.[pick(mine[kind]?.length ?? 1)];
          while (left > 0) {
            left -= 1;
            const turn = left;
            // The first one lives, for it is read from.
            const on = processes[pick(processes.length)] ?? first;
            const ask = (line: string, body?: object) =>
              send(on, line, body === undefined ? {} : { body }).catch(() => undefined);
            const made = async (kind: number, path: string, body: object): Promise<void> => {
              const id = (await ask(`POST ${path}`, body))?.body?.id;
              if (typeof id === 'string') mine[kind]?.push(id);
            };
            const [author, piece, tag] = [one(0), one(1), one(2)];
            const choice = pick(10);
            if (choice === 0 || author === undefined)
              await made(0, '/authors', { name: `${number} ${left} ${pick(1e9)}` });
            else if (choice === 1 || tag === undefined) await made(2, '/tags', { name: `t${left}` });
            else if (choice < 4 || piece === undefined)
              await made(1, '/pieces', {
                ...{ title: `p${left}`, authorId: author, price: pick(1000) / 4, tagIds: [tag] },
                lines: [{ label: 'l', amount: pick(100), tagId: tag }, { label: 'm' }],
              });
            else if (choice < 7) await ask(`PATCH /pieces/${piece}`, { price: pick(1000) / 4, title: `q${left}` });
            else if (choice === 7) await made(3, '/notes', { text: 'n', pieceId: piece });
            else if (choice === 8) await ask(`DELETE /tags/${tag}`);
            else await ask(pick(3) === 0 ? `DELETE /authors/${author}` : `DELETE /pieces/${piece}`);
            if (turn === Math.floor(writes / 2)) {
              processes[1]?.child.kill('SIGKILL');
              processes[1] = await startProcess(url);
            }
          }
        }),
      );
      // What a process was killed over may still be on its way to the database.
      await delay(1500);
      isOver = true;
      await following;
      expect(seen.length).toBeGreaterThan(writes / 2);
      expect(seen.map(({ position }) => Number(position))).toEqual(seen.map((_entry, index) => start + index + 1));
      const versions = new Map<string, number>();
      const parts = new Map<string, number>();
      for (const entry of seen) {
        const name = `${entry.group}/${entry.id}`;
        expect(entry.version, name).toBeGreaterThanOrEqual(versions.get(name) ?? 0);
        versions.set(name, entry.version);
        // A write is whole, and its entries follow each other.
        expect(entry.part).toBe((parts.get(entry.write) ?? 0) + 1);
        parts.set(entry.write, entry.part);
        take(copy, entry);
      }
      for (const { write, parts: count } of seen) expect(parts.get(write)).toBe(count);
      for (const record of copy.values())
        if (Array.isArray(record['tagIds'])) record['tagIds'] = record['tagIds'].toSorted();
      const hidden = new Set(['notes', 'pin']);
      const withoutHidden = (kept: Kept) =>
        Object.fromEntries(
          [...kept].map(([name, record]) => [
            name,
            Object.fromEntries(Object.entries(record).filter(([key]) => !hidden.has(key))),
          ]),
        );
      expect(withoutHidden(copy)).toEqual(withoutHidden(await listsOf(first.address)));
    }, 600_000);

    it('is not held up by a transaction that stays open, whose entries come after', async () => {
      const [first] = processes;
      if (first === undefined || !database.isServer) return;
      const opened = await openDatabase(url);
      const unit = createUnitOfWork(opened, { deadlineMs: 20_000 });
      const cursor = await endOf(first);
      const row = `insert into praxis_change (write_id, part, group_name, record_id, version, operation, cause, at, data)
        values (?, 1, 'note', ?, 0, 'create', 'caller', now(3), ?)`;
      const held = '01890a5d-ac96-774b-bcce-b302099a8057';
      const data = { changes: {}, cause: { kind: 'caller' }, name: null, by: null, request: null, trace: null };
      const release = Promise.withResolvers<void>();
      const isOpen = Promise.withResolvers<void>();
      const open = unit.transact(async (session) => {
        await session.run(row, [held, held, JSON.stringify({ ...data, changes: { text: { to: 'held' } } })]);
        isOpen.resolve();
        await release.promise;
      });
      await isOpen.promise;
      const { id } = (await send(first, 'POST /notes', { body: { text: 'quick' } })).body;
      const before = await entriesAfter(first, cursor);
      expect(before.entries.map((entry) => entry.id)).toEqual([id]);
      release.resolve();
      await open;
      const after = await entriesAfter(first, before.cursor);
      expect(after.entries.map((entry) => entry.id)).toEqual([held]);
      await opened.close();
    }, 60_000);
  });
