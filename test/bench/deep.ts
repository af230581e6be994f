// What a page costs deep in a table of a million time entries: those of `praxis demo`, on both databases the same.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { decode, encode, isReadAsText } from '../../src/storage/schema/columns.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { type Table, tablesOf } from '../../src/storage/schema/tables.ts';
import { type Cell, median } from './report.ts';
import { praxis, type Running, start, token } from './services.ts';

const looksEach = 31;
const rowsAStatement = 500;
const agent = new Agent({ keepAlive: true });

/**
 * A SQLite database with the records of so many firms, each of some 13,000 time entries. It stays in the system's
 * temporary folder for later runs, until what it is made of changes.
 * @returns its URL.
 */
export function demoDatabase({ scale, isFresh }: { scale: number; isFresh: boolean }): string {
  const made = createHash('sha256');
  for (const folder of ['resources', 'src/demo'])
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) made.update(readFileSync(join(file.parentPath, file.name)));
  const file = join(tmpdir(), `praxis-demo-${scale}-${made.digest('hex').slice(0, 12)}.sqlite`);
  if (isFresh || !existsSync(file)) {
    const unfinished = `${file}.part`;
    rmSync(unfinished, { force: true });
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${unfinished}` };
    execFileSync(process.execPath, ['src/cli.ts', 'demo', '--until', '2026-09-30', '--scale', String(scale)], {
      env,
      stdio: 'inherit',
    });
    renameSync(unfinished, file);
  }
  return `sqlite:${file}`;
}

/** Copies what a page of time entries shows into a database in which Praxis has made its tables. */
export async function copyTo(fromUrl: string, toUrl: string): Promise<void> {
  const from = await openDatabase(fromUrl);
  const to = await openDatabase(toUrl);
  try {
    const tables = shownWith('time_entry', tablesOf(loadRegistry('resources', ruleSignatures)));
    await to.restructure(async (session) => {
      for (const table of tables) await copyTable(from, session, to, table);
    });
    await to.script([`analyze table ${tables.map(({ name }) => name).join(', ')}`]);
  } finally {
    await from.close();
    await to.close();
  }
}

/** A table and all that its rows refer to, near and far. */
function shownWith(name: string, tables: readonly Table[]): readonly Table[] {
  const found = new Set<Table>();
  const visit = (wanted: string): void => {
    const table = tables.find((one) => one.name === wanted);
    if (table === undefined || found.has(table)) return;
    found.add(table);
    for (const { target } of table.foreignKeys) visit(target);
  };
  visit(name);
  return [...found];
}

async function copyTable(from: Database, session: Session, to: Database, { name, columns }: Table): Promise<void> {
  const names = columns.map((column) => `\`${column.name}\``).join(', ');
  const cells = columns.map(({ name: column, type }) =>
    isReadAsText(type, from.dialect) ? `cast("${column}" as text)` : `"${column}"`,
  );
  const places = `(${columns.map(() => '?').join(', ')})`;
  await session.run(`delete from \`${name}\``, []);
  for (let last = 0; ; ) {
    const sql = `select rowid, ${cells.join(', ')} from "${name}" where rowid > ? order by rowid limit ${rowsAStatement}`;
    const rows = await from.all(sql, [last]);
    if (rows.length === 0) return;
    const values = rows.flatMap(([, ...row]) =>
      columns.map(({ type }, place): Bound => {
        const cell = row[place] ?? null;
        // Hashes of unique keys are the same bytes everywhere.
        return type.kind === 'key' ? cell : encode(decode(cell, type, from.dialect), type, to.dialect);
      }),
    );
    await session.run(`insert into \`${name}\` (${names}) values ${rows.map(() => places).join(', ')}`, values);
    last = Number(rows.at(-1)?.[0]);
  }
}

/** The places that are looked at, as paths. */
export interface Looks {
  readonly rows: number;
  readonly filters: readonly { readonly name: string; readonly places: readonly number[]; readonly paths: string[] }[];
}

/** Chooses pages of 100 of all time entries and of those of one kind of time off, at several depths of the whole table. */
export async function looksInto(url: string): Promise<Looks> {
  const database = await openDatabase(url);
  const one = async (sql: string, values: readonly Bound[]) => (await database.all(sql, values))[0]?.[0];
  try {
    const rows = Number(await one('select count(*) from time_entry', []));
    const places = [1, 10_000, Math.min(900_000, Math.floor(rows * 0.9))];
    const cursors: string[] = [];
    for (const place of places)
      cursors.push(
        `&startingAfter=${await one('select id from time_entry order by created_at desc, id desc limit 1 offset ?', [place - 1])}`,
      );
    const kind = await one(
      'select time_off_type_id from time_entry where time_off_type_id is not null group by 1 order by count(*) desc limit 1',
      [],
    );
    const filters = [
      { name: 'all', text: '' },
      { name: 'of one kind of time off', text: `&timeOffTypeId=${kind}` },
    ].map(({ name, text }) => {
      const path = `/api/time-entries?limit=100${text}`;
      return { name, places, paths: cursors.map((cursor, index) => (index === 0 ? path : path + cursor)) };
    });
    return { rows, filters };
  } finally {
    await database.close();
  }
}

/** Time of a page at several depths, without and with a filter. Ratios are to the first page. */
export async function measureDepth(databaseUrl: string, folder: string, { filters }: Looks): Promise<Cell[][]> {
  const service = await start({ name: 'depth', command: praxis, databaseUrl, folder });
  const table: Cell[][] = [];
  for (const { name, places, paths } of filters) {
    const times = await lookInTurns(service, paths);
    for (const [index, ms] of times.entries()) {
      const ratio = ms / (times[0] ?? Number.NaN);
      table.push([name, places[index], ms.toFixed(2), ratio.toFixed(2), '1.30', ratio <= 1.3 ? 'met' : 'MISSED']);
    }
  }
  await service.stop();
  return table;
}

/** Median time of each path, one request at a time; the paths take turns, so that noise meets all of them. */
async function lookInTurns({ address }: Running, paths: readonly string[]): Promise<number[]> {
  const times = paths.map((): number[] => []);
  for (let turn = -5; turn < looksEach; turn += 1) {
    for (const [index, path] of paths.entries()) {
      const ms = await look(`${address}${path}`);
      if (turn >= 0) times[index]?.push(ms);
    }
  }
  return times.map(median);
}

function look(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedAt));
    });
    request.once('error', reject);
  });
}
