// A role that everybody holds who works here, so that tests see who has signed in by what is answered.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Roles } from '../../src/access/model.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { registryOf } from '../support/service/praxis.ts';

/** Creates a folder of roles. @param heldBy Condition for holding the one role. @param may What it grants in addition to records. */
export function folderOfRoles(heldBy = 'me.isActive', may: readonly string[] = []): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'praxis-roles-')), 'roles');
  mkdirSync(folder);
  const everyone = {
    title: 'Everyone',
    description: 'Whoever works here.',
    heldBy,
    allow: [{ on: ['*'], to: ['*'] }],
    ...(may.length > 0 && { may }),
  };
  writeFileSync(join(folder, 'everyone.json'), JSON.stringify(everyone));
  return folder;
}

/** Reads that role for the groups of the product. @param may What it grants in addition to records */
export const everyone = (may: readonly string[] = []): Roles | undefined =>
  loadRoles(folderOfRoles(undefined, may), registryOf('product'));
