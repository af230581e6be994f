// Who signs in to a workspace, and which roles each of them holds.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Workspace } from '../workspace.ts';

/** Somebody who may sign in. */
export interface Holder {
  readonly id: string;
  /** What they sign in with. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** So many are looked at. */
const most = 100_000;

/** All who may sign in, oldest first. @throws ConfigurationFault where no group says who may, or there are no roles */
export async function whoHolds({ registry, engine, holders }: Workspace): Promise<readonly Holder[]> {
  const resource = registry.actors === undefined ? undefined : registry.resources.get(registry.actors);
  const signIn = resource?.signIn;
  if (resource === undefined || signIn === undefined || holders === undefined)
    throw new ConfigurationFault('No group has "signIn", or there are no roles.');
  const records = await engine.together((batch) => batch.list(resource.name, {}, most));
  const found: Holder[] = [];
  for (const record of records.toReversed()) {
    if (signIn.when?.test(record) === false) continue;
    const id = String(record['id']);
    found.push({ id, name: String(record[signIn.name.key]), roles: await holders.of(id) });
  }
  return found;
}
