// What the log of changes costs a write, and its readers, side by side with the same service without one: `npm run bench -- --changes`.
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/database.ts';
import { type Cell, median, printTable } from './report.ts';
import { praxis, type Running, start, token } from './services.ts';

interface LogOptions {
  /** Two empty databases of one kind. */
  readonly urls: readonly [without: string, beside: string];
  readonly label: string;
  readonly folder: string;
  readonly rounds: number;
  /** Writes of a round. */
  readonly count: number;
  readonly say: (text: string) => void;
}

const callers = 16;
const authors = 64;

/** A service with what is written to. */
interface Ground {
  readonly service: Running;
  readonly authors: readonly string[];
  notes: string[];
  pieces: string[];
}

/** Bodies of one kind of write, by its number. */
interface Work {
  readonly words: string;
  /** How much more of the processor's time of the service it may take: the ratio of the budget. */
  readonly budget: (isServer: boolean) => number;
  readonly send: (ground: Ground, nth: number) => Promise<unknown>;
}

const ofTransactions = (): number => 1.1;
/** A second statement, where there was one. */
const ofRows = (isServer: boolean): number => (isServer ? 1.35 : 1.1);

const works: readonly Work[] = [
  {
    words: 'create, one row',
    budget: ofRows,
    send: async (on, nth) => void on.notes.push((await ask(on, 'POST', '/notes', { text: `note ${nth}` })).id),
  },
  {
    words: 'update, one row',
    budget: ofRows,
    send: (on, nth) =>
      ask(on, 'PATCH', `/notes/${on.notes[nth % on.notes.length]}`, { text: `changed ${nth} ${Math.random()}` }),
  },
  {
    words: 'create, with figures of another',
    budget: ofTransactions,
    send: async (on, nth) => {
      const body = {
        title: `piece ${nth}`,
        authorId: on.authors[nth % authors],
        price: 2.5,
        lines: [{ label: 'a', amount: 1 }],
      };
      on.pieces.push((await ask(on, 'POST', '/pieces', body)).id);
    },
  },
  {
    words: 'update, with figures of another',
    budget: ofTransactions,
    send: (on, nth) =>
      ask(on, 'PATCH', `/pieces/${on.pieces[nth % on.pieces.length]}`, {
        price: Number(((nth % 500) + Math.random()).toFixed(2)),
      }),
  },
];

async function ask(on: Pick<Ground, 'service'>, method: string, path: string, body?: unknown) {
  const response = await fetch(`${on.service.address}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Prints what a write takes without and with a log, and what reading it takes. */
export async function reportLog({ urls, label, folder, rounds, count, say }: LogOptions): Promise<void> {
  const isServer = !urls[0].startsWith('sqlite:');
  const begin = async (databaseUrl: string, changes: string): Promise<Ground> => {
    const env = {
      RESOURCES: join(import.meta.dirname, '../domains/log'),
      MIGRATIONS: join(folder, 'none'),
      CHANGES: changes,
    };
    const service = await start({ name: `log ${label} ${changes}`, command: praxis, databaseUrl, folder, env });
    const made: string[] = [];
    for (let nth = 0; nth < authors; nth += 1)
      made.push((await ask({ service }, 'POST', '/authors', { name: `A${nth}` })).id);
    return { service, authors: made, notes: [], pieces: [] };
  };
  const without = await begin(urls[0], 'off');
  const beside = await begin(urls[1], 'forever');
  try {
    const rows: Cell[][] = [];
    for (const work of works) {
      rows.push(await measure(work, { without, beside, rounds, count, isServer }));
      say(`${label}: measured ${work.words}`);
    }
    const heads = ['write', 'CPU ms without', 'with', 'ratio', 'spread', 'budget', 'verdict', 'ms without', 'with'];
    printTable(
      `Writes without and with the log of changes, ${label}, ${rounds} rounds of ${count}, ${callers} callers`,
      heads,
      rows,
    );
    printTable(
      `Reading the log of changes, ${label}`,
      ['what', 'found', 'budget', 'verdict'],
      await reading(beside, urls[1]),
    );
  } finally {
    for (const { service } of [without, beside]) await service.stop();
  }
}

interface Measuring {
  readonly without: Ground;
  readonly beside: Ground;
  readonly rounds: number;
  readonly count: number;
  readonly isServer: boolean;
}

async function measure(work: Work, { without, beside, rounds, count, isServer }: Measuring): Promise<Cell[]> {
  const found = { without: [] as Took[], beside: [] as Took[] };
  for (let round = -1; round < rounds; round += 1) {
    const turn = [
      ['without', without],
      ['beside', beside],
    ] as const;
    for (const [key, ground] of round % 2 === 0 ? turn : turn.toReversed()) {
      const took = await once(work, ground, count);
      // The round before the first warms up.
      if (round >= 0) found[key].push(took);
    }
  }
  const ratios = found.beside.map(({ cpuMs }, round) => cpuMs / (found.without[round]?.cpuMs ?? Number.NaN));
  const of = (key: keyof typeof found, what: keyof Took): string =>
    median(found[key].map((each) => each[what])).toFixed(3);
  const [ratio, budget] = [median(ratios), work.budget(isServer)];
  return [
    ...[work.words, of('without', 'cpuMs'), of('beside', 'cpuMs'), ratio.toFixed(2)],
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    ...[budget.toFixed(2), ratio <= budget ? 'met' : 'MISSED', of('without', 'wallMs'), of('beside', 'wallMs')],
  ];
}

/** For one write. */
interface Took {
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function once({ send }: Work, ground: Ground, count: number): Promise<Took> {
  const before = ground.service.cpuMs() ?? Number.NaN;
  const begun = performance.now();
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < count) await send(ground, next++);
  };
  await Promise.all(Array.from({ length: callers }, call));
  const wallMs = (performance.now() - begun) / count;
  return { wallMs, cpuMs: ((ground.service.cpuMs() ?? Number.NaN) - before) / count };
}

const verdict = (found: number, budget: number): string => (found <= budget ? 'met' : 'MISSED');

async function reading(on: Ground, url: string): Promise<Cell[][]> {
  const [page, soon] = [await pageMs(on), await streamMs(on)];
  const { entries, bytes } = await sizeOf(url, on);
  const kib = bytes / entries / 1024;
  return [
    ['a page of 100 entries, ms', page.toFixed(2), '5', verdict(page, 5)],
    ['from the answer of a write to the stream of its process, ms', soon.toFixed(1), '100', verdict(soon, 100)],
    [`disk of an entry with its indexes, KiB, of ${entries}`, kib.toFixed(2), '1.5', verdict(kib, 1.5)],
  ];
}

/** In the median. */
async function pageMs(on: Ground): Promise<number> {
  const times: number[] = [];
  let after = '';
  for (let nth = 0; nth < 50; nth += 1) {
    const begun = performance.now();
    const { cursor, hasMore } = await ask(on, 'GET', `/changes?limit=100${after}`);
    times.push(performance.now() - begun);
    after = hasMore === true ? `&after=${cursor}` : '';
  }
  return median(times);
}

async function streamMs(on: Ground): Promise<number> {
  const left = new AbortController();
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  const address = `${on.service.address}/api/changes?after=now&group=tag`;
  const response = await fetch(address, { headers, signal: left.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const told = async (): Promise<void> => {
    for (;;) if ((await reader?.read())?.value?.includes('event: change') === true) return;
  };
  const times: number[] = [];
  for (let nth = 0; nth < 30; nth += 1) {
    const event = told();
    await ask(on, 'POST', '/tags', { name: `tag ${nth}` });
    const answered = performance.now();
    await event;
    times.push(performance.now() - answered);
  }
  left.abort();
  return median(times);
}

/** What the table of the log takes, with its indexes. */
async function sizeOf(url: string, on: Ground): Promise<{ readonly entries: number; readonly bytes: number }> {
  const { cursor } = await ask(on, 'GET', '/changes?after=now');
  const entries = Number(String(cursor).split('.')[1]);
  const database = await openDatabase(url);
  try {
    const sql = database.dialect.isEmbedded
      ? `select sum(pgsize) from dbstat where name like 'praxis_change%'`
      : "select data_length + index_length from information_schema.tables where table_schema = database() and table_name = 'praxis_change'";
    if (!database.dialect.isEmbedded) await database.all('analyze table praxis_change', []);
    const [[bytes] = []] = await database.all(sql, []);
    return { entries, bytes: Number(bytes) };
  } finally {
    await database.close();
  }
}
