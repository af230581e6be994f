// npm run oracle -- --domains 200 --operations 300 --seed 1 [--writers 8] [--databases sqlite,mariadb,mysql] [--from 17] [--few 3]
// Plays domains by chance to the service and to an evaluator that shares no code with it. Ends with status 1 where they differ.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestDatabase } from '../support/databases/databases.ts';
import { setFew } from './few.ts';
import { generateDomain } from './generate.ts';
import { omittable } from './made.ts';
import type { Found } from './run.ts';

const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '20' },
    operations: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    writers: { type: 'string', default: '1' },
    databases: { type: 'string', default: 'sqlite' },
    /** The first domain, to see one again. */
    from: { type: 'string', default: '0' },
    /** A folder that was written before: its history is played once more. */
    again: { type: 'string' },
    /** Shapes that are left out, with commas between them. */
    without: { type: 'string', default: '' },
    /** How many siblings are read at once instead of being told of by the database: fewer than usual, so that small histories go beyond. */
    few: { type: 'string' },
  },
});

const [domains, operations, seed, writers, from] = [
  values.domains,
  values.operations,
  values.seed,
  values.writers,
  values.from,
].map(Number) as [number, number, number, number, number];
const omitted = new Set(omittable.filter((shape) => values.without.split(',').includes(shape)));

if (values.few !== undefined) setFew(Number(values.few));

// What tests run on is read when it is imported.
process.env['TEST_DATABASES'] = values.databases;
const { databases } = await import('../support/databases/databases.ts');
const { races } = await import('./races.ts');
const { runRace, least, playFound, playNumbered, readFound, writeFound } = await import('./run.ts');

async function report(found: Found, database: TestDatabase, place: number): Promise<void> {
  const [difference] = found.differences;
  console.log(`  ${difference?.at}: expected ${difference?.expected}, got ${difference?.got}`);
  const small = writers === 1 ? await least(found, database) : found;
  const folder = join(tmpdir(), `oracle-${seed}-${place}-${database.name}-${writers}`);
  writeFound(folder, small);
  const [first] = small.differences;
  if (small !== found) console.log(`  at least: ${first?.at}: expected ${first?.expected}, got ${first?.got}`);
  if (writers === 1) for (const request of small.requests) console.log(`    ${JSON.stringify(request)}`);
  console.log(`  ${folder}`);
}

if (values.again !== undefined) {
  const [database] = databases;
  const played = database && (await playFound(readFound(values.again), database));
  console.log(played);
  process.exit(played !== undefined && 'differences' in played && played.differences.length === 0 ? 0 : 1);
}

const counts = { domains: 0, refused: 0, operations: 0, different: 0, broken: 0 };
const statuses: Record<string, number> = {};
for (const database of databases) {
  if (!database.isThere) throw new Error(`There is no ${database.name}.`);
  for (const one of writers === 1 ? [] : races) {
    const broken = await runRace(one, database);
    const what = 'faults' in broken ? broken.faults : broken;
    if (what.length > 0) counts.broken += 1;
    console.log(`race on ${database.name}: ${one.name}: ${what.length === 0 ? 'right' : what[0]}`);
  }
  for (let place = from; place < from + domains; place += 1) {
    const domain = generateDomain(seed, place, omitted);
    const played = await playNumbered(domain, database, { seed, place, operations, writers });
    if ('faults' in played) {
      counts.refused += 1;
      console.log(`domain ${place} is refused: ${played.faults[0]}`);
      continue;
    }
    counts.domains += 1;
    counts.operations += played.requests.length;
    for (const [status, count] of Object.entries(played.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    if (played.differences.length === 0) continue;
    counts.different += 1;
    console.log(`domain ${place} on ${database.name} differs:`);
    await report({ domain, ...played }, database, place);
  }
}
const answered = Object.entries(statuses).map(([status, count]) => `${status} ${count} times`);
console.log(
  `${counts.domains} domains, ${counts.refused} more refused when loaded, ${counts.operations} operations: ${answered.join(', ')}`,
);
console.log(counts.different === 0 ? 'No difference.' : `${counts.different} domains differ.`);
process.exitCode = counts.different + counts.broken === 0 ? 0 : 1;
