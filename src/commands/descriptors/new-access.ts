// `praxis new access`: the roles to begin with. Those of the workspace where its groups are served, else two for any groups.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRoles, registryOf, rolesFolderOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { DescriptorFaults } from '../../registry/model/faults.ts';
import type { Registry } from '../../registry/model/model.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';
import { accessSchemaFrom, writeDialect } from './project-dialect.ts';
import { templateFolder } from './templates.ts';

/**
 * Writes the folder of roles, and prints what to do next.
 * @throws ConfigurationFault where there is one: nobody's roles are changed
 */
export function writeRoles(config: Config, flags: JsonFlag): void {
  const folder = rolesFolderOf(config);
  if (existsSync(folder)) throw new ConfigurationFault(`${folder} already exists; nothing was changed.`);
  const names = writeStarterRoles(config, folder);
  const next = `${folder}: ${names.join(', ')}

From the next start on, a token of a member has the rights of the roles that the member holds.
Tokens without a member and without --role keep all rights.

Next:
  1. read who holds what: npm run praxis -- access
  2. change it, and run: npm run praxis -- check
  3. npm start`;
  tell(flags, { folder, roles: names }, next);
}

/** Writes them where there is no such folder yet. @returns their names */
export function writeStarterRoles(config: Config, folder: string): readonly string[] {
  const schema = accessSchemaFrom(folder);
  const roles = starterRoles(registryOf(config));
  mkdirSync(folder, { recursive: true });
  for (const [name, role] of Object.entries(roles))
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ $schema: schema, ...role }, null, 2)}\n`);
  writeDialect(config);
  return Object.keys(roles);
}

function starterRoles(registry: Registry): Readonly<Record<string, object>> {
  const folder = templateFolder('new-access');
  try {
    loadRoles(folder, registry);
  } catch (error) {
    if (!(error instanceof DescriptorFaults)) throw error;
    return forAnyGroups;
  }
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, file), 'utf8')) as object]),
  );
}

/** Held by tokens alone: which member is what, no two projects say alike. */
const forAnyGroups = {
  editor: {
    title: 'Editor',
    description: 'Reads and writes everything. Say in "heldBy" which members do.',
    allow: [{ id: 'all', on: ['*'], to: ['*'] }],
  },
  reader: {
    title: 'Reader',
    description: 'Reads everything, and writes nothing.',
    allow: [{ id: 'read', on: ['*'], to: ['read'] }],
  },
};
