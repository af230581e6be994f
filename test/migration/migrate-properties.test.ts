// Laws of migrations, over descriptors, records and edits of all sorts. PRAXIS_EVOLUTIONS=500 runs more of them,
// PRAXIS_SEED=… others.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ConfigurationFault } from '../../src/configuration-fault.ts';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { schemaOf } from '../../src/migration/plan/schema.ts';
import { DescriptorFaults } from '../../src/registry/model/faults.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { numbersFrom } from '../descriptors/mutate.ts';
import { type Dialect, dialects, type Groups, Project } from '../support/commands/project.ts';
import { fewer } from '../support/run/part.ts';
import type { Json } from '../support/service/client.ts';
import { contentsOf, strayForms } from './evolution/contents.ts';
import { descriptorsOf, type Evolution, edited, evolutions } from './evolution/edits.ts';
import { expected } from './evolution/oracle.ts';
import { makeRecords, readRecords, type Shown } from './evolution/rows.ts';

const runs = Number(process.env['PRAXIS_EVOLUTIONS'] ?? fewer(8, 15));
const seed = Number(process.env['PRAXIS_SEED'] ?? 20);

const tally = { tried: 0, unsound: 0, refused: 0, done: 0, records: 0 };
afterAll(() => console.log(`Evolutions of seed ${seed}:`, JSON.stringify(tally)));

/** The registry of descriptors; undefined where the checks refuse them. */
function soundRegistry(project: Project, groups: Groups): Registry | undefined {
  project.describe(groups);
  try {
    return loadRegistry(project.config().resources, ruleSignatures);
  } catch (error) {
    if (!(error instanceof DescriptorFaults)) throw error;
    if (process.env['PRAXIS_FAULTS'] !== undefined) console.log(error.message.replaceAll(/^.*\//gm, ''));
    return undefined;
  }
}

/** What a change has come to on one database, free of what differs between two of them. */
interface Outcome {
  readonly steps: string;
  readonly refusal: string | undefined;
  readonly shown: Shown;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Writes the migration, with the values that it asks for. */
function generate(project: Project, groups: Groups): void {
  const fill: string[] = [];
  try {
    project.generate('edits', { allowDrop: true });
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    for (const [, field = ''] of error.message.matchAll(/--fill (\S+)=…/g))
      fill.push(`${field}=${fillFor(field, groups)}`);
    project.generate('edits', { allowDrop: true, fill });
  }
}

function fillFor(field: string, groups: Groups): string {
  const json = field
    .split('.')
    .slice(1)
    .reduce<Json>((at, name) => properties(at)[name] as Json, groups[field.split('.')[0] ?? ''] ?? {});
  const { type, format, minimum } = json;
  if (json['enum'] !== undefined) return `'${(json['enum'] as unknown[])[0]}'`;
  if (type === 'integer' || type === 'number') return String(Math.max(Number(minimum ?? 3), 3));
  return `'${{ date: '2024-02-29', email: 'a@b.co', url: 'http://a.b' }[String(format)] ?? 'dflt'}'`;
}

const properties = (json: Json): Record<string, unknown> =>
  ((json['items'] as Json | undefined)?.['properties'] ?? json['properties'] ?? {}) as Record<string, unknown>;

async function evolve(dialect: Dialect, evolution: Evolution): Promise<Outcome | undefined> {
  const [before, after] = [evolution.groups, edited(evolution)];
  const project = await Project.open(dialect);
  try {
    const sound = soundRegistry(project, descriptorsOf(after));
    const first = soundRegistry(project, descriptorsOf(before));
    if (sound === undefined || first === undefined) return undefined;
    project.generate();
    const { ids, was } = await project.serve(async (call) => {
      const made = await makeRecords(call, first, numbersFrom(evolution.seed));
      return { ids: made, was: await readRecords(call, first, made) };
    });
    const labelled = (text: string): string => {
      const labels = new Map([...ids].map(([label, id]) => [id, label]));
      return text.replaceAll(uuid, (id) => {
        expect(labels.has(id), `a refusal names ${id}, which is no record`).toBe(true);
        return labels.get(id) ?? id;
      });
    };
    tally.records += ids.size;

    const wanted = expected(before, after, was);
    const groups = descriptorsOf(after);
    project.describe(groups);
    generate(project, groups);
    const last = readMigrations(project.migrations).at(-1);
    const steps = readFileSync(last?.file ?? '', 'utf8');
    const contents = await project.withDatabase(contentsOf);
    const tables = await project.tables();
    let refusal: string | undefined;
    try {
      await project.apply({ allowDrop: true, allowRebuild: true, allowLoss: true });
    } catch (error) {
      if (!(error instanceof ConfigurationFault)) throw error;
      refusal = error.message;
    }
    if (refusal !== undefined) {
      expect(wanted.inTheWay.length, `it refused without a reason: ${refusal}\n${steps}`).toBeGreaterThan(0);
      expect(await project.tables()).toEqual(tables);
      expect(await project.withDatabase(contentsOf)).toEqual(contents);
      project.describe(descriptorsOf(before));
      const still = await project.serve((call) => readRecords(call, first, ids));
      expect(still).toEqual(was);
      return { steps, refusal: labelled(refusal), shown: still };
    }
    expect(wanted.inTheWay, `it was done all the same\n${steps}`).toEqual([]);
    expect(project.generate()).toContain('no migration is needed');
    expect(await project.status()).toMatchObject({ state: 'current', drift: [], unwritten: [] });
    expect(await project.withDatabase((database) => strayForms(database, schemaOf(sound)))).toEqual([]);
    const shown = await project.serve(async (call) => {
      const records = await readRecords(call, sound, ids);
      for (const [label, id] of ids) {
        const group = after.find(({ uid }) =>
          before.find(({ uid: old, name }) => old === uid && label.startsWith(`${name}#`)),
        );
        const path = sound.resources.get(group?.name ?? '')?.path;
        if (path === undefined) continue;
        const patched = await call('PATCH', `${path}/${id}`, { name: `${label}!` });
        expect(patched.status, patched.text).toBe(200);
      }
      return records;
    });
    expect(shown, steps).toEqual(wanted.shown);

    const fresh = await Project.open(dialect);
    try {
      fresh.describe(groups);
      await fresh.serve(async () => {});
      expect(await project.tables()).toEqual(await fresh.tables());
    } finally {
      await fresh.close();
    }
    return { steps, refusal: undefined, shown };
  } finally {
    await project.close();
  }
}

test('what the edits leave alone keeps its values, on every database alike; rows in the way are named, and nothing has changed then', {
  timeout: 20_000 + runs * 20_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(evolutions, async (evolution) => {
      tally.tried += 1;
      const outcomes: Outcome[] = [];
      for (const dialect of dialects) {
        const outcome = await evolve(dialect, evolution);
        if (outcome === undefined) {
          tally.unsound += 1;
          return;
        }
        outcomes.push(outcome);
      }
      const [first, ...others] = outcomes;
      if (first?.refusal === undefined) tally.done += 1;
      else tally.refused += 1;
      for (const other of others) expect(other).toEqual(first);
    }),
    { numRuns: runs, seed, endOnFailure: process.env['PRAXIS_SHRINK'] === undefined },
  );
  // Most of what is made up must be good for something.
  expect(tally.unsound).toBeLessThan(Math.max(4, tally.tried / 5));
  expect(tally.done).toBeGreaterThan(tally.tried / 3);
});
