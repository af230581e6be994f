// What a service keeps, computed from scratch by another process on the same database.
import { openWorkspace } from '../../src/app/workspace.ts';
import type { Difference } from '../../src/engine/verify.ts';
import { type Context, type Folder, folders } from './praxis.ts';

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
  const workspace = await openWorkspace({
    port: 0,
    host: '127.0.0.1',
    databaseUrl,
    accessToken: undefined,
    resources,
    migrations: 'no-migrations',
    applyAdditions: false,
    corsOrigins: [],
    logLevel: 'silent',
    setup: { workspaceName: 'My Company', workspaceCurrency: 'USD', adminName: undefined, adminEmail: undefined },
  });
  const found: Difference[] = [];
  for (const name of workspace.registry.resources.keys())
    for await (const difference of workspace.engine.verify(name, repair)) found.push(difference);
  await workspace.close();
  return found;
}
