// `npm run mutants`: slips in the sources, each of which the tests should notice. A sample by chance, the same for a seed.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { numbersFrom } from '../descriptors/mutate.ts';
import { inLanes, tryCases } from './cases.ts';
import { TestFiles } from './files.ts';
import { type Mutant, makeSandbox, mutantsOf } from './sandbox.ts';

const usage = `npm run mutants -- [--seed 7] [--count 400] [--in src/behaviours]… [--only src/engine/read.ts:41:7:1]… [--budget 30]`;
const usualPlaces = ['src/behaviours', 'src/engine', 'src/storage', 'src/request'];
const leastShare = 0.85;

function sample(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const numbers = numbersFrom(seed);
  const ranked = all.map((mutant) => ({ mutant, rank: numbers() })).toSorted((a, b) => a.rank - b.rank);
  const chosen = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return all.filter((mutant) => chosen.has(mutant));
}

const startTime = Date.now();
const tell = (text: string): void =>
  console.log(`${String(Math.round((Date.now() - startTime) / 1000)).padStart(5)} s  ${text}`);

/** @returns what each dead mutant died of */
async function run(mutants: readonly Mutant[]): Promise<{ dead: Map<number, string>; unreached: Set<number> }> {
  const sandbox = makeSandbox(mutants);
  process.once('exit', sandbox.remove);
  const lanes = availableParallelism();
  const { dead, reached } = await tryCases(sandbox.folder, { count: mutants.length, lanes, tell });
  tell(`${dead.size} dead by cases; ${mutants.length - reached.size} that no case passes`);
  const files = new TestFiles(sandbox.folder);
  for (const name of await files.cover()) tell(`${name} fails without a mutant, and takes no part`);
  const left = [...mutants.keys()].filter((number) => !dead.has(number));
  tell(`the other tests cover what they pass; ${left.length} to try on them`);
  await inLanes(left, [...Array(lanes).keys()], async (number) => {
    const by = await files.tryOne(number, budgetMs);
    if (by !== undefined) dead.set(number, by);
    tell(`${dead.size} dead; ${by === undefined ? 'lives' : 'dies'}: ${mutants[number]?.id}`);
  });
  return { dead, unreached: new Set(left.filter((number) => !reached.has(number) && !files.isReached(number))) };
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    count: { type: 'string', default: '400' },
    in: { type: 'string', multiple: true, default: usualPlaces },
    only: { type: 'string', multiple: true },
    budget: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
/** How long a mutant is tried on test files. */
const budgetMs = 1000 * Number(values.budget);
const all = mutantsOf(values.in.map((place) => place.replace(/\/$/, '')));
const chosen = values.only === undefined ? sample(all, count, seed) : all.filter(({ id }) => values.only?.includes(id));
if (values.help || !Number.isInteger(seed) || !(count > 0) || !(budgetMs >= 0) || chosen.length === 0) {
  console.log(values.help ? usage : `Nothing to do.\n${usage}`);
  process.exit(values.help ? 0 : 1);
}
tell(`${chosen.length} of ${all.length} mutants${values.only === undefined ? `, seed ${seed}` : ''}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { dead, unreached } = await run(chosen);
if (values.only !== undefined) for (const [number, by] of dead) console.log(`dead      ${chosen[number]?.id}  ${by}`);
for (const [number, { id, before, text }] of chosen.entries())
  if (!dead.has(number))
    console.log(
      `${unreached.has(number) ? 'unreached' : 'survived '} ${id}  ${oneLine(before)} → ${oneLine(text) || '(nothing)'}`,
    );
const share = dead.size / chosen.length;
console.log(
  `\n${dead.size} of ${chosen.length} died, ${chosen.length - dead.size} survived: ${(100 * share).toFixed(1)} %.`,
);
process.exitCode = share < leastShare ? 1 : 0;
