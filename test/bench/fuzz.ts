// `npm run bench -- --fuzz`: requests made from the OpenAPI document and its mutations, to Praxis on both databases at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { digestOf } from '../support/databases/digest.ts';
import { Findings } from '../whole/fuzz/findings.ts';
import { Pair, type Side, Tally } from '../whole/fuzz/run.ts';
import { type Cell, printTable } from './report.ts';
import { praxis, type Running, start, token } from './services.ts';

interface FuzzOptions {
  readonly folder: string;
  /** Of all workspaces together. */
  readonly count: number;
  readonly seed: number;
  /** How many pairs of services, each with a workspace of its own on either database; requests to one follow each other. */
  readonly workspaces: number;
  /** Stops before the count is reached. */
  readonly minutes: number;
  /** An empty database of each kind. */
  newUrls(): Promise<readonly [sqlite: string, mariadb: string]>;
  readonly say: (text: string) => void;
}

interface Twin {
  readonly pair: Pair;
  readonly urls: readonly [string, string];
  readonly services: readonly Running[];
}

const timeoutMs = 40_000;
const tellEveryMs = 30_000;

/** @returns whether all was answered, alike, and left the same records */
export async function reportFuzz(options: FuzzOptions): Promise<boolean> {
  const { count, seed, workspaces, minutes, say } = options;
  const findings = new Findings((kind, details) => say(`\n${kind}\n${details}\n`));
  const tally = new Tally();
  say(`${count.toLocaleString('en')} requests, seed ${seed}, ${workspaces} workspaces on each database`);
  const twins = await Promise.all(
    Array.from({ length: workspaces }, (_each, place) => openTwin(options, place, { findings, tally })),
  );
  say('the workspaces are filled');
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  let isBroken = false;
  const isOver = (): boolean => isBroken || seconds() > minutes * 60;
  const run = ({ pair }: Twin): Promise<void> =>
    pair.run(Math.ceil(count / workspaces), isOver).catch((error: unknown) => {
      isBroken = true;
      throw error;
    });
  const timer = setInterval(() => say(progress(tally, seconds(), findings)), tellEveryMs);
  try {
    const runs = await Promise.allSettled(twins.map(run));
    for (const each of runs) if (each.status === 'rejected') throw each.reason;
  } finally {
    clearInterval(timer);
  }
  const [took, made] = [seconds(), tally.count];
  let records = 0;
  for (const { pair } of twins) records += await pair.compareRecords();
  for (const { pair, services } of twins) {
    pair.close();
    await Promise.all(services.map((service) => service.stop()));
  }
  let isSame = true;
  for (const { urls } of twins) isSame = (await isLeftAlike(urls, say)) && isSame;
  report(tally, made, took, say);
  const { unsent, undone } = tally.missing(twins[0]?.pair.document.operations ?? []);
  say(`${records.toLocaleString('en')} records were left and compared one by one`);
  say(unsent.length === 0 ? 'every operation of the document was asked for' : `never asked for: ${unsent.join(', ')}`);
  say(undone.length === 0 ? 'every operation has succeeded' : `never succeeded: ${undone.join(', ')}`);
  const kinds = findings.counts;
  if (kinds.length > 0) printTable('Findings', ['kind', 'times'], kinds);
  else say('no 5xx, no difference, no request without an answer');
  say(`to repeat: npm run bench -- --fuzz --count ${count} --seed ${seed} --workspaces ${workspaces}`);
  return kinds.length === 0 && isSame && unsent.length === 0;
}

/** Two services with the records of the same firm. */
async function openTwin(
  { folder, seed, newUrls }: FuzzOptions,
  place: number,
  shared: { readonly findings: Findings; readonly tally: Tally },
): Promise<Twin> {
  const urls = await newUrls();
  await Promise.all(urls.map(fillWithDemo));
  const names = [`SQLite ${place + 1}`, `MariaDB ${place + 1}`] as const;
  const services = await Promise.all(
    urls.map((databaseUrl, side) =>
      start({ name: names[side] ?? '', command: praxis, databaseUrl, folder, env: { LOG_LEVEL: 'warn' } }),
    ),
  );
  // The demo ends in the past: what the days since then change is done before anything is compared.
  await Promise.all(services.map(dayReached));
  const sides = services.map(
    (service): Side => ({
      name: service.name,
      address: service.address,
      token,
      log: (id) => logOf(folder, service.name, id),
    }),
  );
  const [first, second] = sides;
  if (first === undefined || second === undefined) throw new Error('there are two databases');
  const pair = await Pair.open({ sides: [first, second], seed: seed + place, timeoutMs, ...shared });
  return { pair, urls, services };
}

async function fillWithDemo(databaseUrl: string): Promise<void> {
  const child = spawn(process.execPath, ['src/cli.ts', 'demo', '--until', '2026-09-30', '--months', '2'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${databaseUrl} could not be filled`);
}

/** Waits until a service has brought the workspace up to its day. */
async function dayReached({ address }: Running): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const isBehind = async () =>
    !/^praxis_day_behind 0$/m.test(await (await fetch(`${address}/metrics`, { headers })).text());
  while (await isBehind()) await delay(100);
}

/** What a service has logged of a request. */
async function logOf(folder: string, name: string, requestId: string): Promise<string> {
  // Answers go out before the log is written.
  await delay(500);
  const log = readFileSync(join(folder, `${name.replaceAll(/\W+/g, '-')}.log`), 'utf8');
  return log.split('\n').find((line) => requestId !== '' && line.includes(requestId)) ?? 'nothing is logged of it';
}

/** Whether the tables of both hold as many rows, written as often, and `verify` finds nothing in them. */
async function isLeftAlike(urls: readonly string[], say: (text: string) => void): Promise<boolean> {
  const registry = loadRegistry('resources', ruleSignatures);
  const digests = await Promise.all(
    urls.map(async (url) => {
      const database = await openDatabase(url);
      const digest = await digestOf(database, registry)();
      await database.close();
      return digest;
    }),
  );
  const [first = [], second = []] = digests;
  const differing = first.flatMap((line, place) =>
    line === second[place] ? [] : [`${line} on one, ${second[place]} on the other`],
  );
  for (const line of differing) say(`the tables differ: ${line}`);
  const verified = await Promise.all(urls.map((url) => verify(url)));
  for (const { text } of verified) say(text.trim());
  return differing.length === 0 && verified.every(({ isRight }) => isRight);
}

async function verify(databaseUrl: string): Promise<{ readonly isRight: boolean; readonly text: string }> {
  const child = spawn(process.execPath, ['src/cli.ts', 'verify'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const [code] = await once(child, 'close');
  return { isRight: code === 0, text: `verify: ${Buffer.concat(parts).toString().slice(-4000)}` };
}

const progress = ({ count }: Tally, seconds: number, findings: Findings): string =>
  `${count.toLocaleString('en')} requests after ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} a second; ${findings.counts.length} kinds of findings`;

function report(tally: Tally, made: number, seconds: number, say: (text: string) => void): void {
  const rows = [...tally.statuses].toSorted(([one], [other]) => one - other);
  const share = (count: number): string => `${((count / tally.count) * 100).toFixed(2)} %`;
  printTable(
    'Answers',
    ['status', 'times', ''],
    rows.map(([status, count]): Cell[] => [status, count, share(count)]),
  );
  say(
    `\n${made.toLocaleString('en')} requests to each database in ${seconds.toFixed(0)} s, ${(made / seconds).toFixed(0)} a second; ${share(tally.withSlips)} with a slip`,
  );
}
