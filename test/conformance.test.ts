// One table of laws, run for every group of every folder of descriptors on every database: a new descriptor is tested
// the day it appears.
import { describe, test } from 'vitest';
import { conflictLaws } from './laws/conflicts.ts';
import type { Law } from './laws/law.ts';
import { listLaws } from './laws/lists.ts';
import { pathLaws } from './laws/paths.ts';
import { refusalLaws } from './laws/refusals.ts';
import { writeLaws } from './laws/writes.ts';
import { type Folder, onEveryDatabase, registryOf } from './support/praxis.ts';

const laws: readonly Law[] = [...writeLaws, ...refusalLaws, ...conflictLaws, ...pathLaws, ...listLaws];

for (const folder of ['test', 'product'] as const satisfies readonly Folder[]) {
  onEveryDatabase(
    `every group of ${folder === 'test' ? 'test/resources' : 'resources'}`,
    (context) => {
      for (const resource of registryOf(folder).resources.values()) {
        describe(resource.title, () => {
          for (const { title, appliesTo, check } of laws) {
            if (appliesTo(resource)) test(title, () => check(context, resource), 30_000);
          }
        });
      }
    },
    folder,
  );
}
