// `npm run mutants`: slips in the sources, each of which the tests should notice. A sample by chance, the same for a seed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { numbersFrom } from '../descriptors/mutate.ts';
import { inLanes, tryCases } from './cases.ts';
import type { Killer } from './cases-process.ts';
import { digestOf, isLeftOut, TestFiles } from './files.ts';
import { type Mutant, makeSandbox, mutantsOf } from './sandbox.ts';

const usage = `npm run mutants -- [--seed 7] [--count 400] [--in src/rules]… [--only src/engine/read/read.ts:41:7:1]… [--killers 2] [--budget 30] [--files writes]… [--no-cases] [--quick] [--lanes 2] [--known .artefacts/earlier.json] [--coverage .artefacts/coverage] [--table .artefacts/mutants.json]`;
const usualPlaces = ['src/facts', 'src/rules', 'src/engine', 'src/storage', 'src/request'];
/** Of those that `npm test` notices. */
const leastShare = 0.88;

function sample(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const numbers = numbersFrom(seed);
  const ranked = all.map((mutant) => ({ mutant, rank: numbers() })).toSorted((a, b) => a.rank - b.rank);
  const chosen = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return all.filter((mutant) => chosen.has(mutant));
}

const startTime = Date.now();
const tell = (text: string): void =>
  console.log(`${String(Math.round((Date.now() - startTime) / 1000)).padStart(5)} s  ${text}`);

interface Verdicts {
  /** What each dead mutant died of, as far as it was looked for. */
  readonly dead: ReadonlyMap<number, readonly Killer[]>;
  readonly unreached: ReadonlySet<number>;
}

async function run(mutants: readonly Mutant[]): Promise<Verdicts> {
  const sandbox = makeSandbox(mutants);
  process.once('exit', sandbox.remove);
  const before = values.known === undefined ? new Map<number, readonly Killer[]>() : readTable(mutants, values.known);
  const { dead, reached } =
    values.cases && values.known === undefined
      ? await tryCases(sandbox.folder, {
          ...{ count: mutants.length, lanes, wanted, tell, store: storeOf(mutants, caseFiles()) },
        })
      : { dead: before, reached: new Set<number>() };
  tell(`${dead.size} dead by cases; ${reached.size} that cases pass`);
  writeTable(mutants, dead);
  const files = new TestFiles(sandbox.folder);
  if (budgetMs > 0)
    for (const name of await files.cover({
      ...{ words: values.files, isQuickOnly: values.quick, store: storeOf(mutants), lanes },
    }))
      tell(`${name} fails without a mutant, and takes no part`);
  const isLeft = (number: number): boolean => budgetMs > 0 && (dead.get(number)?.length ?? 0) < wanted;
  const left = [...mutants.keys()].filter(isLeft);
  // Those that nothing has noticed yet come first, by chance: what is known of a run that is ended early is a sample, too.
  const numbers = numbersFrom(seed + 1);
  const ranks = new Map(left.map((number) => [number, numbers()]));
  left.sort((a, b) => Number(dead.has(a)) - Number(dead.has(b)) || (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  tell(`the other tests cover what they pass; ${left.length} to try on them`);
  await inLanes(left, [...Array(lanes).keys()], async (number) => {
    const known = dead.get(number) ?? [];
    const folder = dirname(mutants[number]?.file ?? '');
    const by = [...known, ...(await files.tryOne(number, { folder, budgetMs, wanted: wanted - known.length }))];
    if (by.length > 0) dead.set(number, by);
    writeTable(mutants, dead);
    tell(`${dead.size} dead; ${by.map(({ test }) => test).join('; ') || 'none'}: ${mutants[number]?.id}`);
  });
  const unreached = [...mutants.keys()].filter((number) => !reached.has(number) && !files.isReached(number));
  return { dead, unreached: new Set(unreached) };
}

/** The cases of the specification. */
const caseFiles = (): string[] =>
  readdirSync('test/cases', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join('test/cases', name));

/** Where it is kept what tests pass of these mutants in these sources, when that is wanted. @param more Files that it hangs on, too. */
function storeOf(mutants: readonly Mutant[], more: readonly string[] = []): string | undefined {
  if (values.coverage === undefined) return undefined;
  const sources = [...new Set(mutants.map(({ file }) => file)), ...more].map((file) => readFileSync(file, 'utf8'));
  mkdirSync(values.coverage, { recursive: true });
  return join(values.coverage, `${digestOf([...mutants.map(({ id }) => id), ...sources].join())}.json`);
}

interface Row {
  readonly mutant: string;
  readonly killers: readonly Killer[];
}

/** What an earlier run on the same sources has found. */
function readTable(mutants: readonly Mutant[], file: string): Map<number, readonly Killer[]> {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Row[];
  const killers = new Map(rows.map((row) => [row.mutant, row.killers]));
  return new Map(
    [...mutants.entries()].flatMap(([number, { id }]) => {
      const known = killers.get(id) ?? [];
      return known.length === 0 ? [] : [[number, known] as const];
    }),
  );
}

/** Which tests notice which mutant, and how long each takes: a row a mutant. It is written anew as soon as more is known. */
function writeTable(mutants: readonly Mutant[], dead: Verdicts['dead']): void {
  const rows = mutants.map(({ id }, number) =>
    JSON.stringify({ mutant: id, killers: dead.get(number) ?? [] } satisfies Row),
  );
  mkdirSync(dirname(values.table), { recursive: true });
  writeFileSync(values.table, `[\n${rows.join(',\n')}\n]\n`);
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
};

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: '7' },
    count: { type: 'string', default: '400' },
    in: { type: 'string', multiple: true, default: usualPlaces },
    only: { type: 'string', multiple: true },
    budget: { type: 'string', default: '30' },
    files: { type: 'string', multiple: true, default: [''] },
    killers: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    cases: { type: 'boolean', default: true },
    known: { type: 'string' },
    coverage: { type: 'string' },
    lanes: { type: 'string', default: String(availableParallelism()) },
    table: { type: 'string', default: '.artefacts/mutants.json' },
    help: { type: 'boolean', default: false },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
/** How long a mutant is tried on test files; 0: on the cases alone. */
const budgetMs = 1000 * Number(values.budget);
/** So many tests that notice a mutant are looked for. */
const wanted = Number(values.killers);
const lanes = Number(values.lanes);
const all = mutantsOf(values.in.map((place) => place.replace(/\/$/, '')));
const chosen = values.only === undefined ? sample(all, count, seed) : all.filter(({ id }) => values.only?.includes(id));
if (
  values.help ||
  !Number.isInteger(seed) ||
  !(count > 0) ||
  !(wanted > 0) ||
  !(lanes > 0) ||
  !(budgetMs >= 0) ||
  chosen.length === 0
) {
  console.log(values.help ? usage : `Nothing to do.\n${usage}`);
  process.exit(values.help ? 0 : 1);
}
tell(`${chosen.length} of ${all.length} mutants${values.only === undefined ? `, seed ${seed}` : ''}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { dead, unreached } = await run(chosen);
if (values.only !== undefined)
  for (const [number, by] of dead)
    console.log(`dead      ${chosen[number]?.id}  ${by.map(({ test }) => test).join('; ')}`);
for (const [number, { id, before, text }] of chosen.entries())
  if (!dead.has(number))
    console.log(
      `${unreached.has(number) ? 'unreached' : 'survived '} ${id}  ${oneLine(before)} → ${oneLine(text) || '(nothing)'}`,
    );
const share = (number: number): string =>
  `${number} of ${chosen.length} died, ${chosen.length - number} survived: ${((100 * number) / chosen.length).toFixed(1)} %`;
const quick = [...dead.values()].map((killers) => killers.filter(({ test }) => !isLeftOut(test)).length);
const noticed = quick.filter((killers) => killers > 0).length;
console.log(`\nall tests  ${share(dead.size)}`);
console.log(`npm test   ${share(noticed)}`);
if (wanted > 1)
  console.log(`${quick.filter((killers) => killers >= wanted).length} have ${wanted} killers in npm test`);
// A file of these is needed in `npm test`, or a test there of what it says.
for (const [number, killers] of dead) {
  const outside = killers.filter(({ test }) => isLeftOut(test));
  if (outside.length > 0 && killers.length - outside.length < 2)
    console.log(`needed    ${chosen[number]?.id}  ${outside.map(({ test }) => test).join('; ')}`);
}
process.exitCode = noticed / chosen.length < leastShare ? 1 : 0;
