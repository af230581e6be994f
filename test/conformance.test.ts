// One table of laws, run for every group of every folder of descriptors on every database: a new descriptor is tested
// the day it appears.
import { describe, test } from 'vitest';
import type { Resource } from '../src/registry/model.ts';
import { conflictLaws } from './laws/conflicts.ts';
import { asSent, get, type Law } from './laws/law.ts';
import { listLaws } from './laws/lists.ts';
import { pathLaws } from './laws/paths.ts';
import { refusalLaws } from './laws/refusals.ts';
import { writeLaws } from './laws/writes.ts';
import { type Context, type Folder, type Json, onEveryDatabase, registryOf } from './support/praxis.ts';

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

for (const folder of ['test', 'fair', 'product'] as const satisfies readonly Folder[]) {
  onEveryDatabase(
    `every group of ${{ test: 'test/resources', fair: 'test/fair', product: 'resources' }[folder]}`,
    (context) => {
      for (const resource of registryOf(folder).resources.values()) {
        describe(resource.title, () => {
          for (const { title, appliesTo, check } of laws) {
            if (appliesTo(resource))
              test(title, () => keeping(context, resource, () => check(context, resource)), 30_000);
          }
        });
      }
    },
    folder,
  );
}
