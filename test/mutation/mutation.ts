// `npm run mutants`: slips in the sources, each of which the tests should notice. A sample by chance, the same for a seed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { numbersFrom } from '../descriptors/mutate.ts';
import { inLanes, tryCases } from './cases.ts';
import type { Killer } from './cases-process.ts';
import { equivalentsAmong } from './equivalent.ts';
import { digestOf, isLeftOut, TestFiles } from './files.ts';
import { type Mutant, makeSandbox, mutantsOf } from './sandbox.ts';

const usage = `npm run mutants -- [--seed 7] [--count 400] [--in src/rules]… [--only src/engine/read/read.ts:41:7:1]… [--killers 2] [--budget 30] [--files writes]… [--no-cases] [--quick] [--lanes 2] [--known .artefacts/earlier.json] [--coverage .artefacts/coverage] [--table .artefacts/mutants.json]`;
const usualPlaces = ['src/facts', 'src/rules', 'src/engine', 'src/storage', 'src/request'];
/** Of those that `npm test` notices. */
const leastShare = 0.88;

/** By what they say, not by where they stand: a sample stays the same but for what has changed itself. */
function sample(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const alike = new Map<string, number>();
  const ranked = all.map((mutant) => {
    const slip = JSON.stringify([seed, mutant.file, mutant.before, mutant.text]);
    const nth = alike.get(slip) ?? 0;
    alike.set(slip, nth + 1);
    return { mutant, rank: digestOf(`${slip} ${nth}`) };
  });
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const chosen = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return all.filter((mutant) => chosen.has(mutant));
}

const startTime = Date.now();
const tell = (text: string): void =>
  console.log(`${String(Math.round((Date.now() - startTime) / 1000)).padStart(5)} s  ${text}`);

/** What is known of a mutant. */
interface Row {
  readonly mutant: string;
  /** What it died of, as far as it was looked for. */
  killers: readonly Killer[];
  /** Whether it was tried on the cases. */
  hasPassedCases: boolean;
}

interface Verdicts {
  readonly rows: readonly Row[];
  readonly unreached: ReadonlySet<number>;
}

async function run(mutants: readonly Mutant[]): Promise<Verdicts> {
  const sandbox = makeSandbox(mutants);
  process.once('exit', sandbox.remove);
  const rows = readTable(mutants, values.known);
  const missing = (number: number): number =>
    equivalent.has(rows[number]?.mutant ?? '') ? 0 : wanted - (rows[number]?.killers.length ?? 0);
  const found = (number: number, change: Partial<Row>): void => {
    Object.assign(rows[number] ?? {}, change);
    writeTable(rows);
  };
  const tellDead = (what: string): void => tell(`${rows.filter(isDead).length} dead; ${what}`);
  // Those that nothing has noticed yet come first, by chance: what is known of a run that is ended early is a sample, too.
  const numbers = numbersFrom(seed + 1);
  const ranks = mutants.map(() => numbers());
  const byChance = (some: readonly number[]): number[] =>
    some
      .filter((number) => missing(number) > 0)
      .sort((a, b) => missing(b) - missing(a) || (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const onCases = values.cases
    ? byChance([...mutants.keys()].filter((number) => rows[number]?.hasPassedCases === false))
    : [];
  const store = storeOf(mutants, caseFiles());
  const reached = await tryCases(sandbox.folder, { mutants: onCases, lanes, wanted, store }, (number, killers) => {
    found(number, { killers, hasPassedCases: true });
    tellDead(`${killers.map(({ test }) => test).join('; ') || 'not by cases'}: ${mutants[number]?.id}`);
  });
  const files = new TestFiles(sandbox.folder);
  if (budgetMs > 0)
    for (const name of await files.cover({
      ...{ words: values.files, isQuickOnly: values.quick, store: storeOf(mutants), lanes },
    }))
      tell(`${name} fails without a mutant, and takes no part`);
  const left = budgetMs > 0 ? byChance([...mutants.keys()]) : [];
  tell(`the other tests cover what they pass; ${left.length} to try on them`);
  await inLanes(left, [...Array(lanes).keys()], async (number) => {
    const folder = dirname(mutants[number]?.file ?? '');
    const by = await files.tryOne(number, { folder, budgetMs, wanted: missing(number) });
    found(number, { killers: [...(rows[number]?.killers ?? []), ...by] });
    tellDead(`${by.map(({ test }) => test).join('; ') || 'none'}: ${mutants[number]?.id}`);
  });
  const unreached = [...mutants.keys()].filter((number) => !reached.has(number) && !files.isReached(number));
  return { rows, unreached: new Set(unreached) };
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

/** What is known of them before. @param file Written by an earlier run on the same sources, where there is one. */
function readTable(mutants: readonly Mutant[], file: string | undefined): Row[] {
  const rows = file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as readonly Row[]);
  const known = new Map(rows.map((row) => [row.mutant, row]));
  return mutants.map(({ id }) => known.get(id) ?? { mutant: id, killers: [], hasPassedCases: false });
}

/** Which tests notice which mutant, and how long each takes: a row a mutant. It is written anew as soon as more is known. */
function writeTable(rows: readonly Row[]): void {
  mkdirSync(dirname(values.table), { recursive: true });
  writeFileSync(values.table, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
}

const isDead = ({ killers }: Row): boolean => killers.length > 0;

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
const equivalent = equivalentsAmong(all);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { rows, unreached } = await run(chosen);
for (const [number, { id, before, text }] of chosen.entries()) {
  const killers = rows[number]?.killers ?? [];
  if (equivalent.has(id)) console.log(`equivalent ${id}  ${equivalent.get(id)}`);
  else if (killers.length === 0)
    console.log(
      `${unreached.has(number) ? 'unreached' : 'survived '} ${id}  ${oneLine(before)} → ${oneLine(text) || '(nothing)'}`,
    );
  else if (values.only !== undefined) console.log(`dead      ${id}  ${killers.map(({ test }) => test).join('; ')}`);
}
const real = rows.filter(({ mutant }) => !equivalent.has(mutant));
const share = (number: number): string =>
  `${number} of ${real.length} died, ${real.length - number} survived: ${((100 * number) / Math.max(1, real.length)).toFixed(1)} %`;
const quick = real.map(({ killers }) => killers.filter(({ test }) => !isLeftOut(test)).length);
const noticed = quick.filter((killers) => killers > 0).length;
console.log(`\nall tests  ${share(real.filter(isDead).length)}`);
console.log(`npm test   ${share(noticed)}`);
if (real.length < rows.length) console.log(`${rows.length - real.length} are equivalent, and count neither way`);
if (wanted > 1)
  console.log(`${quick.filter((killers) => killers >= wanted).length} have ${wanted} killers in npm test`);
// A file of these is needed in `npm test`, or a test there of what it says.
for (const { mutant, killers } of rows) {
  const outside = killers.filter(({ test }) => isLeftOut(test));
  if (outside.length > 0 && killers.length - outside.length < 2)
    console.log(`needed    ${mutant}  ${outside.map(({ test }) => test).join('; ')}`);
}
process.exitCode = noticed / real.length < leastShare ? 1 : 0;
