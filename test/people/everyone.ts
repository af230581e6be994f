// A role that everybody holds who works here, so that tests see who has signed in by what is answered.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Roles } from '../../src/access/model.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { registryOf } from '../support/service/praxis.ts';

/** Makes a folder of roles. @param heldBy Who holds that of everybody. */
export function folderOfRoles(heldBy = 'me.isActive'): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'praxis-roles-')), 'roles');
  mkdirSync(folder);
  const everyone = {
    title: 'Everyone',
    description: 'Whoever works here.',
    heldBy,
    allow: [{ on: ['*'], to: ['*'] }],
  };
  writeFileSync(join(folder, 'everyone.json'), JSON.stringify(everyone));
  return folder;
}

/** That role, for the groups of the product. */
export const everyone = (): Roles | undefined => loadRoles(folderOfRoles(), registryOf('product'));
