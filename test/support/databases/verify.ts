// What a service keeps, computed from scratch by another process on the same database.

import type { Difference } from '../../../src/engine/verify/difference.ts';
import { verifyGroup } from '../../../src/engine/verify/verify.ts';
import { type Context, type Folder, folders } from '../service/praxis.ts';
import { openQuietly } from './workspace.ts';

/** Every value that is always true and is kept otherwise. */
export const verified = (
  { databaseUrl }: Pick<Context, 'databaseUrl'>,
  folder: Folder,
  repair = false,
): Promise<readonly Difference[]> => verifiedBy({ databaseUrl, resources: folders[folder] }, repair);

/** The same by the descriptors of any folder. */
export async function verifiedBy(
  { databaseUrl, resources }: { readonly databaseUrl: string; readonly resources: string },
  repair = false,
): Promise<readonly Difference[]> {
  const workspace = await openQuietly({
    databaseUrl,
    resources,
  });
  const found: Difference[] = [];
  for (const name of workspace.registry.resources.keys())
    for await (const difference of verifyGroup(workspace.engine.verifyContext, name, { repair }))
      found.push(difference);
  await workspace.close();
  return found;
}
