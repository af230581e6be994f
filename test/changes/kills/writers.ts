// Processes with a log of changes that write at random and are killed at it, while copies of their records are kept from lists and feed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { accessToken } from '../../support/service/praxis.ts';
import { send } from '../../support/service/send.ts';
import { Copy, comparable, listsOf } from './copy.ts';

const callers = 16;

export interface Process {
  readonly child: ChildProcess;
  readonly address: string;
}

const startProcess = async (url: string): Promise<Process> => {
  const script = join(import.meta.dirname, '../../support/service/logged-service.ts');
  const child = spawn(process.execPath, [script, url, accessToken], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address };
};

/** One for each database address; the first makes the tables. */
export async function startProcesses([first = '', ...others]: readonly string[]): Promise<Process[]> {
  return [await startProcess(first), ...(await Promise.all(others.map(startProcess)))];
}

/** By what writes choose: the same for a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** How much is written. */
export interface Course {
  readonly writes: number;
  /** Writes go on for so long instead. */
  readonly minutes?: number | undefined;
  /** How often one of the processes is killed: after so many writes. */
  readonly killEvery: number;
}

interface Written {
  readonly asked: number;
  readonly refused: number;
  readonly entries: number;
  readonly kills: number;
  readonly records: number;
}

/**
 * Writes through processes, of which all but the first are killed in turn, and holds the feed against what is there in the end: no
 * entry is missed, torn, out of order or there twice, and copies equal the lists. @param urls Of the database of each process.
 */
export async function writeUnderKills(
  processes: Process[],
  urls: readonly string[],
  { writes, minutes, killEvery }: Course,
): Promise<Written> {
  const [first] = processes;
  if (first === undefined) throw new Error('no process');
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  const most = minutes === undefined ? writes : Number.POSITIVE_INFINITY;
  const state = { asked: 0, refused: 0, kills: 0, isOver: false, turn: 0 };
  const goesOn = () => state.asked < most && performance.now() < until;
  const whole = await Copy.begin(first.address);
  const start = whole.position;
  /** Any process that is not about to be killed. */
  const steady = processes.length > 2 ? [first, processes.at(-1) ?? first] : [first];
  const anywhere = (): string => {
    state.turn += 1;
    return steady[state.turn % steady.length]?.address ?? first.address;
  };
  const following = whole.follow(anywhere, () => state.isOver);
  // Ends the writers where it fails.
  following.catch(() => {
    state.isOver = true;
  });
  /** Begun in the midst of writes, from lists that change while they are read. */
  let late: Promise<Copy> | undefined;
  const beginLate = async (): Promise<Copy> => {
    const copy = await Copy.begin(anywhere());
    await copy.follow(anywhere, () => state.isOver);
    return copy;
  };
  const acknowledged = new Set<string>();
  let killing = Promise.resolve();
  const write = async (number: number): Promise<void> => {
    const pick = chance(number + 1);
    const mine: string[][] = [[], [], [], []];
    const one = (kind: number): string | undefined => mine[kind]?.[pick(mine[kind]?.length ?? 1)];
    const forget = (kind: number, id: string): void => {
      mine[kind] = (mine[kind] ?? []).filter((each) => each !== id);
    };
    while (goesOn() && !state.isOver) {
      state.asked += 1;
      const nth = state.asked;
      const on = processes[pick(processes.length)] ?? first;
      const ask = async (line: string, body?: object) => {
        const answer = await send(on, line, body === undefined ? {} : { body }).catch(() => undefined);
        if (answer === undefined || answer.status >= 500) state.refused += 1;
        return answer;
      };
      const made = async (kind: number, path: string, body: object): Promise<void> => {
        const id = (await ask(`POST ${path}`, body))?.body?.id;
        if (typeof id !== 'string') return;
        acknowledged.add(id);
        mine[kind]?.push(id);
      };
      const [author, piece, tag] = [one(0), one(1), one(2)];
      const choice = pick(11);
      const last = whole.recent.at(-1 - pick(20));
      if (choice === 0 || author === undefined) await made(0, '/authors', { name: `${number} ${nth} ${pick(1e9)}` });
      else if (choice === 1 || tag === undefined) await made(2, '/tags', { name: `t${nth}` });
      else if (choice < 4 || piece === undefined)
        await made(1, '/pieces', {
          ...{ title: `p${nth}`, authorId: author, price: pick(1000) / 4, tagIds: [tag] },
          lines: [{ label: 'l', amount: pick(100), tagId: tag }, { label: 'm' }],
        });
      else if (choice < 7) await ask(`PATCH /pieces/${piece}`, { price: pick(1000) / 4, title: `q${nth}` });
      else if (choice === 7) await made(3, '/notes', { text: 'n', pieceId: piece });
      else if (choice === 8) {
        await ask(`DELETE /tags/${tag}`);
        forget(2, tag);
      } else if (choice === 9) {
        const isAuthor = pick(3) === 0;
        await ask(isAuthor ? `DELETE /authors/${author}` : `DELETE /pieces/${piece}`);
        forget(isAuthor ? 0 : 1, isAuthor ? author : piece);
      } else if (last !== undefined) await ask(`POST /writes/${last}/undo`);
      if (nth % killEvery === 0) {
        late ??= beginLate();
        late.catch(() => {});
        state.kills += 1;
        // One after the other, so that each that was started is known.
        killing = killing.then(() => kill(processes, urls));
        await killing;
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, (_each, number) => write(number)));
  // What a process was killed over may still be on its way to the database.
  await delay(1500);
  state.isOver = true;
  await following;
  // Positions have no gap: as many entries as there are positions.
  expect(whole.count).toBe(whole.position - start);
  expect([...acknowledged].filter((id) => !whole.made.has(id))).toEqual([]);
  const lists = comparable(await listsOf(first.address));
  expect(comparable(whole.records)).toEqual(lists);
  expect(comparable((await late)?.records ?? whole.records)).toEqual(lists);
  const { asked, refused, kills } = state;
  return { asked, refused, kills, entries: whole.count, records: Object.keys(lists).length };
}

/** Kills the second process, and starts it again: the first and the last are read from. */
async function kill(processes: Process[], urls: readonly string[]): Promise<void> {
  processes[1]?.child.kill('SIGKILL');
  processes[1] = await startProcess(urls[1] ?? '');
}
