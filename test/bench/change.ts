// Changes of a large table while a writer creates and updates records through a service of the version before: what each step
// takes, how long a write waits at most, and whether one that was acknowledged is lost. Each change is followed by a new service.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/storage/database.ts';
import { praxis as run } from '../support/commands/praxis-line.ts';
import type { Cell } from './report.ts';
import { praxis, start } from './services.ts';
import type { Written } from './writer.ts';

interface ChangeOptions {
  readonly databaseUrl: string;
  /** An empty folder. */
  readonly folder: string;
  readonly rows: number;
  readonly say: (text: string) => void;
}

export interface Changes {
  /** For each step: its words, seconds, writes meanwhile, and the longest of them in milliseconds. */
  readonly steps: readonly {
    readonly words: string;
    readonly seconds: number;
    readonly writes: number;
    readonly longestMs: number;
  }[];
  /** Writes that the older service refused, because a step was not additive. */
  readonly refused: number;
  /** Writes with any other answer than 200. */
  readonly failed: number;
  readonly acknowledged: number;
  /** Writes that were acknowledged and are not there. */
  readonly lost: number;
}

const text = (maxLength: number, more: object = {}): object => ({ type: 'string', maxLength, default: '', ...more });
const first = { name: text(100), number: { type: 'integer', default: 0 }, code: text(100), body: text(255) };
/** The field that each change is about, as it is then. */
const changes: readonly (readonly [name: string, fields: object])[] = [
  ['column', { mood: text(100, { default: 'calm' }) }],
  ['wider', { name: text(200) }],
  ['index', { code: text(100, { filter: 'exact' }) }],
  ['filter', { body: text(255, { filter: 'text' }) }],
];

/** Makes a table of so many rows, and changes it again and again under load. */
export async function measureChanges({ databaseUrl, folder, rows, say }: ChangeOptions): Promise<Changes> {
  const resources = join(folder, 'resources');
  const env = { RESOURCES: resources, MIGRATIONS: join(folder, 'migrations'), DATABASE_URL: databaseUrl };
  mkdirSync(resources);
  let fields: object = first;
  describeNote(resources, fields);
  await print('migrate generate', env);
  const startService = () => start({ name: 'changes', command: praxis, databaseUrl, folder, env });
  let service = await startService();
  const ids = await fillNotes(databaseUrl, rows);
  say(`${rows} rows are there`);
  const times: { words: string; from: number; to: number }[] = [];
  let written: Written = { created: [], updated: {}, writes: [] };
  /** Writes through the service that runs, while something else is done. */
  const write = async (work: () => Promise<void>): Promise<void> => {
    const writer = startWriter(service.address, ids);
    await work();
    const { created, updated, writes } = await writer.stop();
    written = {
      created: [...written.created, ...created],
      updated: { ...written.updated, ...updated },
      writes: [...written.writes, ...writes],
    };
  };
  await write(async () => {
    const restAt = Date.now();
    await delay(restMs);
    times.push({ words: 'nothing', from: restAt, to: Date.now() });
  });
  for (const [name, change] of changes) {
    fields = { ...fields, ...change };
    describeNote(resources, fields);
    await print(`migrate generate ${name}`, env);
    await write(async () => {
      await delay(beforeMs);
      times.push(...(await applySteps(env)));
    });
    say(`applied: ${name}`);
    await service.stop();
    service = await startService();
  }
  await service.stop();
  const steps = times.map(({ words, from, to }) => {
    // Those under way when it began have waited for it too.
    const meanwhile = written.writes.filter(([at, ms]) => at < to && at + ms > from).map(([, ms]) => ms);
    return { words, seconds: (to - from) / 1000, writes: meanwhile.length, longestMs: Math.max(0, ...meanwhile) };
  });
  const count = (isOne: (status: number) => boolean): number =>
    written.writes.filter(([, , status]) => isOne(status)).length;
  return {
    steps,
    refused: count((status) => status === 503),
    failed: count((status) => status !== 200 && status !== 503),
    acknowledged: count((status) => status === 200),
    lost: await lostOf(databaseUrl, written),
  };
}

const restMs = 3000;
/** Time of a writer before a change. */
const beforeMs = 1000;

export const changeHeads = ['step', 'seconds', 'writes', 'longest write ms'] as const;
export const changeRows = ({ steps }: Changes): Cell[][] =>
  steps.map(({ words, seconds, writes, longestMs }) => [words, seconds.toFixed(2), writes, longestMs]);

function describeNote(folder: string, fields: object): void {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, description: name }]),
  );
  const resource = {
    path: '/notes',
    area: 'Notes',
    shownAs: '{name}',
    operations: ['list', 'get', 'create', 'update'],
  };
  const descriptor = { title: 'Note', description: 'A note.', type: 'object', properties, resource };
  writeFileSync(join(folder, 'note.json'), JSON.stringify(descriptor));
}

async function print(line: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, stderr } = await run(line, env);
  if (code !== 0) throw new Error(`praxis ${line} ended with ${code}: ${stderr}`);
}

/** `migrate apply`, with the time of each step: it says what it does before it does it. */
async function applySteps(
  env: Readonly<Record<string, string>>,
): Promise<{ words: string; from: number; to: number }[]> {
  const child = spawn(process.execPath, ['src/cli.ts', 'migrate', 'apply'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const steps: { words: string; from: number; to: number }[] = [];
  for await (const chunk of child.stdout) {
    const now = Date.now();
    const last = steps.at(-1);
    if (last !== undefined && last.to === 0) last.to = now;
    for (const line of String(chunk)
      .split('\n')
      .filter((part) => part.startsWith('  ')))
      steps.push({ words: line.trim(), from: now, to: 0 });
  }
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`migrate apply ended with ${child.exitCode}`);
  return steps;
}

const rowsAStatement = 500;
const updatedRows = 200;
const oldestMs = Date.UTC(2024, 0, 1);

/** Puts rows straight into the table. @returns ids that are spread over it */
async function fillNotes(databaseUrl: string, rows: number): Promise<string[]> {
  const database = await openDatabase(databaseUrl);
  const isSqlite = database.dialect.name === 'sqlite';
  const ids: string[] = [];
  try {
    const every = Math.max(1, Math.floor(rows / updatedRows));
    for (let first = 0; first < rows; first += rowsAStatement) {
      const values = Array.from({ length: Math.min(rowsAStatement, rows - first) }, (_value, nth) => {
        const number = first + nth;
        const ms = oldestMs + number * 1000;
        const time = ms.toString(16).padStart(12, '0');
        const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
        if (number % every === 0) ids.push(id);
        const moment = new Date(ms).toISOString();
        const createdAt = isSqlite ? moment : moment.replace('T', ' ').replace('Z', '');
        return [id, createdAt, 0, 0, `Note ${number}`, 0, `C${number % 1000}`, `Straße ${number}, ${words}`];
      });
      const places = values.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
      const columns = 'id, created_at, version, guard, name, number, code, body';
      await database.run(`insert into note (${columns}) values ${places}`, values.flat());
    }
  } finally {
    await database.close();
  }
  return ids;
}

const words =
  'quarterly review agreed with finance about scope, staffing, rates, travel and the renewal of the contract';

function startWriter(address: string, ids: readonly string[]): { stop(): Promise<Written> } {
  const child = spawn(process.execPath, ['test/bench/writer.ts', address, ids.join(',')], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return JSON.parse(output) as Written; // printed by writer.ts
    },
  };
}

async function lostOf(databaseUrl: string, { created, updated }: Written): Promise<number> {
  const database = await openDatabase(databaseUrl);
  try {
    const rows = await database.all('select id, number from note where number > 0', []);
    const numbers = new Map(rows.map(([id, number]) => [String(id), Number(number)]));
    const lost = created.filter((id) => !numbers.has(id));
    const older = Object.entries(updated).filter(([id, number]) => (numbers.get(id) ?? 0) < number);
    return lost.length + older.length;
  } finally {
    await database.close();
  }
}
