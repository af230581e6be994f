// `npm run bench -- --writes`: creates of everyday groups, with all that is judged and kept, beside a service that does the
// same by hand on the same tables, on each database.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { connections, fire } from './load.ts';
import { type Cell, type Measured, median, printTable, ratioCells, shotCells } from './report.ts';
import { handwrittenWrites, kindOf, praxis, type Running, start } from './services.ts';
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
  /** Part of the names of the works that are wanted: '' for all. */
  readonly only: string;
  readonly say: (text: string) => void;
}

/** The ratio that Praxis is to reach on MariaDB. */
const target = 0.8;
/** More than a caller makes in a second with either service: those of one shot are freed before the next one. */
const sourcedASecond = 128;
/** A service is warm when its processor time a write has not fallen below the least by more than this part in so many shots. */
const stillFalling = 0.03;
const steadyShots = 6;
/** Where other work on the machine makes the times go up and down, it may never seem steady. */
const mostWarmUps = 40;
/** What each caller has asked last may still be done when nobody waits for it any more. */
const settlingMs = 500;
const heads = [
  ...['', 'req/s', 'p99 ms', 'cpu ms', 'by hand: req/s', 'p99 ms', 'cpu ms'],
  ...['cold', 'shots', 'ratio', 'spread', 'target', '', 'ratio of cpu'],
];

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
    const works = writeWorks({ ...ground, lanes }, databaseUrl).filter(({ name }) => name.includes(options.only));
    for (const work of works) {
      const { cold, shots } = await warmUp(work, contest, seconds);
      const measured = await measure(work, contest, { rounds, seconds });
      const goal = kind === 'MariaDB' ? target : undefined;
      const ratio = ratioCells(measured.praxis, measured.byHand, goal);
      const warm = [...shotCells(measured.praxis), ...shotCells(measured.byHand), cold.toFixed(2), shots, ...ratio];
      rows.push([work.name, ...warm, cpuRatio(measured)]);
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

const keys = ['praxis', 'byHand'] as const;

/**
 * Both do the work until neither becomes faster any more: Node compiles what is run often, while it runs.
 * @returns the ratio of the first shots, and how many shots of each it took
 */
async function warmUp(
  work: WriteWork,
  contest: Contest,
  seconds: number,
): Promise<{ readonly cold: number; readonly shots: number }> {
  let cold = Number.NaN;
  const least = { praxis: Number.POSITIVE_INFINITY, byHand: Number.POSITIVE_INFINITY };
  let shots = 0;
  for (let steady = 0; steady < steadyShots && shots < mostWarmUps; shots += 1) {
    const round = await shootBoth(work, contest, { round: -1 - shots, seconds });
    if (shots === 0) cold = round.praxis.perSecond / round.byHand.perSecond;
    steady += 1;
    for (const key of keys) {
      const { cpuMs = 0 } = round[key];
      if (cpuMs < least[key] * (1 - stillFalling)) steady = 0;
      least[key] = Math.min(least[key], cpuMs);
    }
  }
  return { cold, shots };
}

async function measure(
  work: WriteWork,
  contest: Contest,
  { rounds, seconds }: Pick<WritesOptions, 'rounds' | 'seconds'>,
): Promise<Record<keyof Contest, Measured[]>> {
  const found: Record<keyof Contest, Measured[]> = { praxis: [], byHand: [] };
  for (let round = 0; round < rounds; round += 1) {
    const both = await shootBoth(work, contest, { round, seconds });
    for (const key of keys) found[key].push(both[key]);
  }
  return found;
}

/** A shot of each, the first of them in turns. */
async function shootBoth(
  work: WriteWork,
  contest: Contest,
  { round, seconds }: { readonly round: number; readonly seconds: number },
): Promise<Record<keyof Contest, Measured>> {
  const shoot = async (key: keyof Contest): Promise<Measured> => {
    const { address, cpuMs } = contest[key];
    const before = cpuMs();
    const shot = await fire({ address, work, round: { clients: 0, mark: `r${round}${key}` }, seconds });
    const after = cpuMs();
    // What the service still does when nobody waits any more ends before what it made is undone, and before the other one's turn.
    await delay(settlingMs);
    await work.after?.();
    return {
      ...shot,
      cpuMs: before === undefined || after === undefined ? undefined : (after - before) / shot.requests,
    };
  };
  if (round % 2 === 0) return { praxis: await shoot('praxis'), byHand: await shoot('byHand') };
  const byHand = await shoot('byHand');
  return { praxis: await shoot('praxis'), byHand };
}

/** Of the processor time a write that either service takes: that by hand as a part of that of Praxis. */
function cpuRatio({ praxis: own, byHand }: Record<keyof Contest, Measured[]>): string {
  const [one, other] = [own, byHand].map((rounds) => median(rounds.flatMap(({ cpuMs }) => cpuMs ?? [])));
  return ((other ?? Number.NaN) / (one ?? Number.NaN)).toFixed(2);
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
