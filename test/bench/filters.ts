// `npm run bench -- --filters`: whether every filter keeps its promise in a large database, which stays for later runs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures, rules } from '../../src/rules/catalogue.ts';
import { mariadbUrl } from '../support/databases/mariadb.ts';
import { excess, type Look, lookAtFilters, lookHeads, lookRows } from './filter-reads.ts';
import { fillGroups, sizesOf } from './filter-rows.ts';
import { printTable } from './report.ts';

const worstShown = 12;

/** What the rows are made of: other descriptors or another maker make other rows. */
function fingerprint(rows: number): string {
  const made = createHash('sha256').update(String(rows));
  made.update(readFileSync(join(import.meta.dirname, 'filter-rows.ts')));
  for (const file of readdirSync('resources').toSorted()) made.update(readFileSync(join('resources', file)));
  return made.digest('hex').slice(0, 12);
}

/** Looks at every filter, alone and with every other, on both databases. @returns whether all kept the promise. */
export async function reportFilters({
  rows,
  pairs,
  isFresh,
}: {
  rows: number;
  pairs: number;
  isFresh: boolean;
}): Promise<boolean> {
  const registry = loadRegistry('resources', ruleSignatures);
  const sizes = sizesOf(registry, rows);
  const name = `praxis_filters_${fingerprint(rows)}`;
  const fill = (url: string): Promise<void> => fillGroups(url, registry, sizes);
  const urls = [await fileOf(name, isFresh, fill)];
  const server = await mariadbUrl();
  if (server !== undefined) urls.push(await databaseOf(server, { name, isFresh, fill }));
  let isKept = true;
  for (const databaseUrl of urls) {
    const looks: Look[] = [];
    const startedAt = performance.now();
    await lookAtFilters({ databaseUrl, registry, rules, sizes, pairs, isChecked: false }, (look) => looks.push(look));
    const broken = looks.filter((look) => excess(look) > 1);
    const kind = databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'MariaDB';
    printTable(`The worst of ${looks.length} pages in ${rows} rows, ${kind}`, lookHeads, lookRows(looks, worstShown));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`${broken.length} of ${looks.length} pages read more than is promised (${seconds} s)`);
    isKept &&= broken.length === 0;
  }
  return isKept;
}

type Fill = (url: string) => Promise<void>;

async function fileOf(name: string, isFresh: boolean, fill: Fill): Promise<string> {
  const file = join(tmpdir(), `${name}.sqlite`);
  if (isFresh || !existsSync(file)) {
    const unfinished = `${file}.part`;
    rmSync(unfinished, { force: true });
    await timed('SQLite', () => fill(`sqlite:${unfinished}`));
    renameSync(unfinished, file);
  }
  return `sqlite:${file}`;
}

async function databaseOf(
  server: string,
  { name, isFresh, fill }: { name: string; isFresh: boolean; fill: Fill },
): Promise<string> {
  const connection = await createConnection({ uri: server });
  try {
    // Its last table tells that it is whole.
    const [done] = await connection.query<RowDataPacket[]>(
      "select 1 from information_schema.tables where table_schema = ? and table_name = 'filled'",
      [name],
    );
    if (isFresh || done.length === 0) {
      await connection.query(`drop database if exists ${name}`);
      await connection.query(`create database ${name} character set utf8mb4`);
      await timed('MariaDB', () => fill(`${server}/${name}`));
      await connection.query(`create table ${name}.filled (at datetime)`);
    }
    return `${server}/${name}`;
  } finally {
    await connection.end();
  }
}

async function timed(kind: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${kind} is filled after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}
