// `npm run bench -- --writes`: creates of everyday groups, with all that is judged and kept, beside a service that does the
// same by hand on the same tables, on each database.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { connections, type FireOptions, fire, NoAnswer, type Shot } from './load.ts';
import { type Cell, type Measured, printTable, ratioCells, shotCells } from './report.ts';
import { handwrittenWrites, praxis, type Running, start } from './services.ts';
import { prepareGround } from './write-data.ts';
import { compareWrites } from './write-probes.ts';
import { type WriteWork, writeWorks } from './write-works.ts';

interface WritesOptions {
  /** Where logs go. */
  readonly folder: string;
  /** Empty databases. */
  readonly urls: readonly string[];
  readonly rounds: number;
  /** Of one shot. */
  readonly seconds: number;
  readonly say: (text: string) => void;
}

/** The ratio that Praxis is to reach on MariaDB. */
const target = 0.8;
/** More than a caller makes in a second with either service: those of one shot are not sent in the next one. */
const sourcedASecond = 64;
/** The first shot of a work warms up, and takes so many times as long. */
const warmUp = 2;
const heads = ['', 'req/s', 'p99 ms', 'cpu ms', 'by hand: req/s', 'p99 ms', 'cpu ms', 'ratio', 'spread', 'target', ''];
const kindOf = (databaseUrl: string): string => (databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'MariaDB');

interface Contest {
  readonly praxis: Running;
  readonly byHand: Running;
}

/** Compares, measures and prints, one database after the other. @throws Error where the services do not do the same */
export async function reportWrites(options: WritesOptions): Promise<void> {
  for (const databaseUrl of options.urls) {
    const { folder, say, rounds, seconds } = options;
    const kind = kindOf(databaseUrl);
    const startService = (name: string, command: readonly string[]): Promise<Running> =>
      start({ name: `${name} on ${kind}`, command, databaseUrl, folder });
    const startedAt = performance.now();
    // Praxis makes the tables, so it is the first.
    const own = await startService('Praxis', praxis);
    const contest: Contest = { praxis: own, byHand: await startService('hand-written writes', handwrittenWrites) };
    const ground = await prepareGround({
      address: own.address,
      databaseUrl,
      lanes: connections + 2,
      sourced: Math.ceil(seconds * sourcedASecond),
    });
    const [praxisLane, handLane, ...lanes] = ground.lanes;
    if (praxisLane === undefined || handLane === undefined) throw new Error('there are too few lanes');
    say(`${kind} is filled after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    const probes = await compareWrites({ ...contest, ground, lanes: { praxis: praxisLane, byHand: handLane } });
    say(`both services answer and keep ${probes} writes alike`);

    const rows: Cell[][] = [];
    for (const work of writeWorks({ ...ground, lanes }, databaseUrl)) {
      const measured = await measure(work, contest, { rounds, seconds });
      const goal = kind === 'MariaDB' ? target : undefined;
      const ratio = ratioCells(measured.praxis, measured.byHand, goal);
      rows.push([work.name, ...shotCells(measured.praxis), ...shotCells(measured.byHand), ...ratio]);
      say(`measured ${work.name}`);
    }
    await contest.praxis.stop();
    await contest.byHand.stop();
    printTable(
      `Writes on ${kind}, ${connections} callers: Praxis and the hand-written service; medians of ${rounds} rounds`,
      heads,
      rows,
    );
    say(verify(databaseUrl));
  }
}

/** Both in every round, the first of them in turns. */
async function measure(
  work: WriteWork,
  contest: Contest,
  { rounds, seconds }: Pick<WritesOptions, 'rounds' | 'seconds'>,
): Promise<Record<keyof Contest, Measured[]>> {
  const found: Record<keyof Contest, Measured[]> = { praxis: [], byHand: [] };
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['praxis', 'byHand'] as const) : (['byHand', 'praxis'] as const);
    for (const key of order) {
      const service = contest[key];
      const before = service.cpuMs();
      const { address } = service;
      const shot = await shoot({
        address,
        work,
        round: { clients: 0, mark: `r${round}${key}` },
        seconds: round < 0 ? warmUp * seconds : seconds,
      });
      const after = service.cpuMs();
      const cpuMs = before === undefined || after === undefined ? undefined : (after - before) / shot.requests;
      if (round >= 0) found[key].push({ ...shot, cpuMs });
      await work.after?.();
      // What is still under way ends before the other one's turn.
      await delay(50);
    }
  }
  return found;
}

const mostTries = 3;

/** A shot, and where nothing is answered in its time, another one of twice that. */
async function shoot(options: FireOptions): Promise<Shot> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fire({ ...options, seconds: options.seconds * 2 ** (tries - 1) });
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries === mostTries) throw error;
    }
  }
}

/** Computes every figure of the database from scratch, whoever has kept it. @throws Error where one is another */
function verify(databaseUrl: string): string {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  try {
    return execFileSync(process.execPath, ['src/cli.ts', 'verify'], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout).slice(0, 2000) : String(error);
    throw new Error(`what is kept is not right:\n${output}`, { cause: error });
  }
}
