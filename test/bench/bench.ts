// Praxis beside a service written by hand, on the same data in the same minutes: `npm run bench`.
// Absolute figures say something of the machine; the ratios say something of Praxis.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { createDatabase, mariadbUrl } from '../support/databases/mariadb.ts';
import { reportAccess } from './access.ts';
import { reportAnatomy } from './anatomy.ts';
import { changeHeads, changeRows, measureChanges } from './change.ts';
import { reportDays } from './days.ts';
import { copyTo, demoDatabase, looksInto, measureDepth } from './deep.ts';
import { reportFilters } from './filters.ts';
import { reportFuzz } from './fuzz.ts';
import { groupHeads, measureGroups } from './groups.ts';
import { reportGrowth } from './growth.ts';
import { reportInAndOut } from './in-and-out.ts';
import { shownWorks, type WorkName, works } from './load.ts';
import { reportLog } from './log.ts';
import { measureOverload, overloadHeads } from './overload.ts';
import { type Cell, printTable } from './report.ts';
import { reportRequests } from './requests.ts';
import { kindOf, praxis, start, stopAll } from './services.ts';
import { soak, soakHeads } from './soak.ts';
import { measureStart } from './starts.ts';
import { reportWrites } from './writes.ts';

const { values: options } = parseArgs({
  options: {
    /** A tenth of the rows and few rounds: whether it works, not how well. */
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    /** Pages of a million time entries alone; making them takes minutes, once. */
    deep: { type: 'boolean', default: false },
    /** How many firms of `praxis demo` that is. */
    scale: { type: 'string', default: '75' },
    /** Rows that pages of filters read, in a million of them (`--rows`), and of every so many-th pair (`--pairs`). */
    filters: { type: 'boolean', default: false },
    pairs: { type: 'string', default: '1' },
    /** Makes them anew. */
    fresh: { type: 'boolean', default: false },
    /** Of all this, starts and numbers of groups alone. */
    groups: { type: 'boolean', default: false },
    /** Only this: creates of everyday groups, beside a service that does the same by hand on either database. */
    writes: { type: 'boolean', default: false },
    /** Only this: calls, promises, bytes, statements and round trips of one request of each kind, counted. */
    anatomy: { type: 'boolean', default: false },
    /** How many of the functions that each of these calls most often are told. */
    top: { type: 'string', default: '0' },
    /** Of these, of `--writes`, or of the shapes of `--growth`, those with this in their names. */
    only: { type: 'string', default: '' },
    /** Only this: four times as many callers as can be borne. */
    overload: { type: 'boolean', default: false },
    /** Only this: a table of a million rows (`--rows`) that is changed while it is written to. */
    migrate: { type: 'boolean', default: false },
    /** Only this: memory under a mixed load, minute by minute. */
    soak: { type: 'boolean', default: false },
    /** Only this: one write beside 10, 1,000 and 100,000 siblings, for each shape of a formula. */
    growth: { type: 'boolean', default: false },
    /** Only this: what roles cost a page and a record, in 20,000 of them (`--rows`). */
    access: { type: 'boolean', default: false },
    /** Only this: a day of a million records (`--rows`) of which 1,000 (`--count`) change. */
    days: { type: 'boolean', default: false },
    /** Of what is compared with the service by hand, only this: `expand`, `fields` and summaries. */
    shown: { type: 'boolean', default: false },
    /** Only this: what the log of changes costs a write and its readers, in rounds of so many writes (`--count`). */
    changes: { type: 'boolean', default: false },
    /** Only this: a million records (`--rows`) imported and exported. */
    data: { type: 'boolean', default: false },
    /** Only this: requests made up from the OpenAPI document, the same to both databases. */
    fuzz: { type: 'boolean', default: false },
    count: { type: 'string' },
    /** Another one makes other requests. */
    seed: { type: 'string', default: '1' },
    workspaces: { type: 'string', default: '2' },
    /** Of a soak; a fuzz ends then in any case. */
    minutes: { type: 'string' },
  },
});
const clients = Number(options.rows ?? (options.quick ? 10_000 : 100_000));
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 1.5));

const folder = mkdtempSync(join(tmpdir(), 'praxis-bench-'));
const databases: { drop(): Promise<void> }[] = [];

async function run(): Promise<void> {
  if (options.deep) return reportDepth();
  if (options.filters) {
    const rows = Number(options.rows ?? 1_000_000);
    const isKept = await reportFilters({ rows, pairs: Number(options.pairs), isFresh: options.fresh });
    if (!isKept) process.exitCode = 1;
    return;
  }
  const sqliteUrl = `sqlite:${join(folder, 'bench.sqlite')}`;
  const mariadb = await newMariadb();
  const urls = mariadb === undefined ? [sqliteUrl] : [mariadb, sqliteUrl];
  const asked = { folder, sqliteUrl, mariadb, clients, rounds, seconds, say };
  if (options.shown) return reportRequests({ ...asked, names: shownWorks });
  if (!options.groups) await reportRequests({ ...asked, names: Object.keys(works) as WorkName[] });
  await reportStarts(urls);
  const groups = await measureGroups({ folder, rounds, seconds: seconds / 3 });
  printTable(`Number of groups (SQLite, one connection); medians of ${rounds} rounds`, groupHeads, groups);
}

/** Starts of all groups of the product. */
async function reportStarts(urls: readonly string[]): Promise<void> {
  const starts: Cell[][] = [];
  for (const databaseUrl of urls) {
    const kind = kindOf(databaseUrl);
    const makeEmpty = async (): Promise<string> => (kind === 'SQLite' ? newFile() : ((await newMariadb()) ?? ''));
    starts.push([kind, ...(await measureStart({ folder, databaseUrl, makeEmpty }))]);
  }
  const { size } = loadRegistry('resources', ruleSignatures).resources;
  printTable(`Start with all ${size} groups`, ['on', 'empty: ready ms', 'set up: ready ms', 'RSS MiB'], starts);
}

/** An empty database, or undefined where there is no server. */
async function newMariadb(): Promise<string | undefined> {
  const server = await mariadbUrl();
  if (server === undefined) {
    say('No MariaDB: only Praxis on SQLite is measured, and compared with nothing.');
    return undefined;
  }
  const database = await createDatabase(server, 'praxis_bench');
  databases.push(database);
  return database.url;
}

let files = 0;
/** An empty database in a file that is not there yet. */
function newFile(): string {
  files += 1;
  return `sqlite:${join(folder, `empty-${files}.sqlite`)}`;
}

async function reportDepth(): Promise<void> {
  const sqliteUrl = demoDatabase({ scale: Number(options.scale), isFresh: options.fresh });
  const looks = await looksInto(sqliteUrl);
  const heads = ['list', 'behind row', 'ms', 'to first', 'target', ''];
  const report = async (databaseUrl: string): Promise<void> => {
    const rows = await measureDepth(databaseUrl, folder, looks);
    printTable(`A page of 100 in ${looks.rows} time entries, ${kindOf(databaseUrl)}`, heads, rows);
  };
  await report(sqliteUrl);
  const mariadb = await newMariadb();
  if (mariadb === undefined) return;
  const startedAt = performance.now();
  await (await start({ name: 'depth set-up', command: praxis, databaseUrl: mariadb, folder })).stop();
  await copyTo(sqliteUrl, mariadb);
  say(`MariaDB is filled after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  await report(mariadb);
}

async function reportChanges(): Promise<void> {
  const rows = Number(options.rows ?? 1_000_000);
  const databaseUrl = (await newMariadb()) ?? `sqlite:${join(folder, 'changes.sqlite')}`;
  const changes = await measureChanges({ databaseUrl, folder, rows, say });
  printTable(`Changes of a table of ${rows} rows under load, ${kindOf(databaseUrl)}`, changeHeads, changeRows(changes));
  const { acknowledged, refused, failed, lost } = changes;
  say(`${acknowledged} writes acknowledged, ${refused} refused, ${failed} failed, ${lost} lost`);
}

async function reportEverydayWrites(): Promise<void> {
  const mariadb = await newMariadb();
  await reportWrites({
    folder,
    urls: mariadb === undefined ? [newFile()] : [mariadb, newFile()],
    rounds: Number(options.rounds ?? (options.quick ? 2 : 5)),
    seconds: Number(options.seconds ?? (options.quick ? 0.5 : 1)),
    only: options.only,
    say,
  });
}

async function reportRequestsTakenApart(): Promise<void> {
  const mariadb = await newMariadb();
  await reportAnatomy({
    folder,
    urls: mariadb === undefined ? [newFile()] : [mariadb, newFile()],
    times: Number(options.count ?? (options.quick ? 20 : 100)),
    top: Number(options.top),
    only: options.only,
    say,
  });
}

async function reportSiblings(): Promise<void> {
  const mariadb = await newMariadb();
  const sizes = options.quick ? [10, 400] : [10, 1000, clients];
  for (const databaseUrl of mariadb === undefined ? [newFile()] : [newFile(), mariadb])
    await reportGrowth({ databaseUrl, label: kindOf(databaseUrl), sizes, only: options.only, say });
}

async function reportOverload(): Promise<void> {
  const sqliteUrl = `sqlite:${join(folder, 'overload.sqlite')}`;
  const mariadb = await newMariadb();
  for (const databaseUrl of mariadb === undefined ? [sqliteUrl] : [mariadb, sqliteUrl]) {
    fillWithDemo(databaseUrl);
    // All callers are of one address here.
    const env = { CONNECTIONS_PER_ADDRESS: '10000' };
    const name = `overload ${kindOf(databaseUrl)}`;
    const service = await start({ name, command: praxis, databaseUrl, folder, env });
    printTable(kindOf(databaseUrl), overloadHeads, await measureOverload(service, Number(options.seconds ?? 10)));
    await service.stop();
  }
}

/** A quarter of a year of one firm. */
function fillWithDemo(databaseUrl: string): void {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  execFileSync(process.execPath, ['src/cli.ts', 'demo', '--until', '2026-09-30', '--months', '3'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Both databases side by side, each with a process of its own. */
async function reportMemory(): Promise<void> {
  const mariadb = await newMariadb();
  const urls = [newFile(), ...(mariadb === undefined ? [] : [mariadb])];
  const minutes = Number(options.minutes ?? 30);
  const onSample = (row: readonly Cell[]): void => say(row.join('  '));
  say(soakHeads.join('  '));
  const soaked = await Promise.all(
    urls.map((databaseUrl) => soak({ name: kindOf(databaseUrl), databaseUrl, folder, minutes, onSample })),
  );
  for (const [nth, rows] of soaked.entries())
    printTable(`Memory under a mixed load, ${kindOf(urls[nth] ?? '')}`, soakHeads, rows);
}

async function reportRequestsMadeUp(): Promise<void> {
  const newUrls = async (): Promise<[string, string]> => {
    const mariadb = await newMariadb();
    if (mariadb === undefined) throw new Error('Two databases are compared: start a MariaDB, or set TEST_MARIADB_URL.');
    return [newFile(), mariadb];
  };
  const isFaultless = await reportFuzz({
    ...{ folder, newUrls, say },
    count: Number(options.count ?? (options.quick ? 20_000 : 1_000_000)),
    seed: Number(options.seed),
    workspaces: Number(options.workspaces),
    minutes: Number(options.minutes ?? Number.POSITIVE_INFINITY),
  });
  if (!isFaultless) process.exitCode = 1;
}

/** On both kinds of databases. */
async function reportRoles(): Promise<void> {
  const rows = Number(options.rows ?? (options.quick ? 2000 : 20_000));
  const mariadb = await newMariadb();
  for (const databaseUrl of mariadb === undefined ? [newFile()] : [newFile(), mariadb])
    await reportAccess({ databaseUrl, label: kindOf(databaseUrl), folder, rows, rounds, say });
}

/** On both kinds of databases. */
async function reportEachDay(): Promise<void> {
  const rows = Number(options.rows ?? (options.quick ? 20_000 : 1_000_000));
  const changed = Number(options.count ?? (options.quick ? 100 : 1000));
  const mariadb = await newMariadb();
  for (const databaseUrl of mariadb === undefined ? [newFile()] : [newFile(), mariadb])
    await reportDays({ databaseUrl, label: kindOf(databaseUrl), rows, changed, say });
}

/** On both kinds of databases, two of each. */
async function reportLogs(): Promise<void> {
  const count = Number(options.count ?? (options.quick ? 300 : 2000));
  const [without, beside] = [await newMariadb(), await newMariadb()];
  const servers = without === undefined || beside === undefined ? [] : [[without, beside] as const];
  for (const urls of [[newFile(), newFile()] as const, ...servers])
    await reportLog({ urls, label: kindOf(urls[0]), folder, rounds, count, say });
}

/** One database after the other. */
async function reportData(): Promise<void> {
  const rows = Number(options.rows ?? (options.quick ? 20_000 : 1_000_000));
  const mariadb = await newMariadb();
  for (const databaseUrl of mariadb === undefined ? [newFile()] : [newFile(), mariadb])
    await reportInAndOut({ databaseUrl, label: kindOf(databaseUrl), folder, rows, say });
}

const say = (text: string): void => console.log(text);

async function cleanUp(): Promise<void> {
  await stopAll();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
}

process.once('SIGINT', () => void cleanUp().finally(() => process.exit(130)));
try {
  await (options.soak
    ? reportMemory()
    : options.fuzz
      ? reportRequestsMadeUp()
      : options.overload
        ? reportOverload()
        : options.migrate
          ? reportChanges()
          : options.writes
            ? reportEverydayWrites()
            : options.anatomy
              ? reportRequestsTakenApart()
              : options.growth
                ? reportSiblings()
                : options.changes
                  ? reportLogs()
                  : options.access
                    ? reportRoles()
                    : options.days
                      ? reportEachDay()
                      : options.data
                        ? reportData()
                        : run());
} finally {
  await cleanUp();
}
