// One table of laws, run for every group of every folder of descriptors on every database: a new descriptor is tested
// the day it appears. `npm test` holds them against as few groups as show every law all that groups may have; on servers a third of
// these has its turn, by the day, and a third of the other groups in all other runs.
import { describe, test } from 'vitest';
import type { Resource } from '../../src/registry/model/model.ts';
import { conflictLaws } from '../laws/conflicts.ts';
import { coveringGroups } from '../laws/cover.ts';
import { asSent, get, type Law } from '../laws/law.ts';
import { listLaws } from '../laws/lists.ts';
import { pathLaws } from '../laws/paths.ts';
import { refusalLaws } from '../laws/refusals.ts';
import { writeLaws } from '../laws/writes.ts';
import { isOfPart, turnOf } from '../support/run/part.ts';
import { type Context, type Folder, type Json, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

/** A single record is there for all tests: each leaves it as it was. */
async function keeping(context: Context, resource: Resource, check: () => Promise<void>): Promise<void> {
  if (!resource.singleton || !resource.operations.has('update')) return check();
  const before: Json = JSON.parse(await get(context, resource, ''));
  try {
    await check();
  } finally {
    const kept = resource.fields.filter(({ onUpdate, shown }) => onUpdate && shown);
    await context.call(
      'PATCH',
      resource.path,
      Object.fromEntries(kept.map((field) => [field.key, asSent(field, before[field.name])])),
    );
  }
}

const laws: readonly Law[] = [...writeLaws, ...refusalLaws, ...conflictLaws, ...pathLaws, ...listLaws];

const tested = ['test', 'fair', 'product'] as const satisfies readonly Folder[];
const covering = coveringGroups(
  tested.flatMap((folder) => [...registryOf(folder).resources.values()]),
  laws,
);

const portions = 3;
const turn = turnOf(portions);

for (const folder of tested) {
  onEveryDatabase(
    `every group of ${{ test: 'test/resources', fair: 'test/domains/fair', product: 'resources' }[folder]}`,
    (context) => {
      for (const [number, resource] of [...registryOf(folder).resources.values()].entries()) {
        describe(resource.title, () => {
          for (const law of laws.filter(({ appliesTo }) => appliesTo(resource))) {
            const place = [...(covering.get(law) ?? [])].indexOf(resource);
            const isTurn = !context.isServer || (place < 0 ? number : place) % portions === turn;
            const isNow = (place >= 0 || isTurn) && isOfPart(place >= 0 && isTurn);
            test.skipIf(!isNow)(
              law.title,
              () => keeping(context, resource, () => law.check(context, resource)),
              30_000,
            );
          }
        });
      }
    },
    folder,
  );
}
