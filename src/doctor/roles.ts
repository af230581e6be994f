// Checks of roles: valid role files, roles without a holder, and tokens with roles that no longer exist.
import type { Role, Roles } from '../access/model.ts';
import { rolesOf } from '../app/registry.ts';
import { openAsItIs } from '../app/workspace.ts';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { Holders } from '../engine/access/holders.ts';
import { DescriptorFaults } from '../registry/model/faults.ts';
import type { Registry } from '../registry/model/model.ts';
import { listTokens } from '../storage/tokens.ts';
import { act, type Finding, fine, note } from './finding.ts';

/** Maximum number of members whose roles are evaluated. */
const mostMembers = 1000;

/** Checks the role files and their holders. @returns an empty list if there are no roles */
export async function roles(config: Config, registry: Registry): Promise<readonly Finding[]> {
  try {
    const found = rolesOf(config, registry);
    if (found === undefined) return [];
    const read = fine('roles', `${found.byName.size} roles, no faults`);
    return [read, ...(await held(config, registry, found))];
  } catch (error) {
    if (!(error instanceof ConfigurationFault || error instanceof DescriptorFaults)) throw error;
    return [act('roles', error.message.split('\n')[0] ?? '', 'run "praxis check" for all faults')];
  }
}

/** Checks the holders of roles. @returns an empty list if there is no database yet */
async function held(config: Config, registry: Registry, found: Roles): Promise<readonly Finding[]> {
  const holding = await holdingIn(config, registry, found);
  if (holding === undefined) return [];
  return [
    ...holding.unheld.map(({ name, file, heldBy }) =>
      note(
        'role-unheld',
        `no member and no token has the role "${name}"`,
        heldBy === undefined ? `run "praxis token create --role ${name}"` : `check "heldBy" in ${file}`,
      ),
    ),
    ...holding.gone.map((name) =>
      act('role-gone', `a token has the role "${name}", which no file defines`, 'run "praxis token revoke"'),
    ),
  ];
}

interface Holding {
  /** Roles that neither a member nor a token holds. */
  readonly unheld: readonly Role[];
  /** Roles of tokens that no file defines. */
  readonly gone: readonly string[];
}

/** Evaluates the holders of roles, from records and tokens. @returns undefined if there is no database yet */
export async function holdingIn(config: Config, registry: Registry, found: Roles): Promise<Holding | undefined> {
  const workspace = await openAsItIs(config).catch((error: unknown) => {
    // The checks of the database report this fault.
    if (error instanceof ConfigurationFault) return undefined;
    throw error;
  });
  if (workspace === undefined) return undefined;
  try {
    const { engine, unit, database } = workspace;
    const tokens = (await listTokens(unit)).filter(({ revokedAt }) => revokedAt === null);
    const named = new Set(tokens.flatMap((token) => token.roles ?? []));
    const holders = new Holders({
      ...{ registry, roles: [...found.byName.values()], today: workspace.today },
      ...{ session: unit.direct, dialect: database.dialect },
    });
    const { actors } = registry;
    const members =
      actors === undefined
        ? []
        : await engine.inspect(({ records }) => records.list(actors, {}, { limit: mostMembers }));
    for (const { id } of members) for (const name of await holders.of(String(id))) named.add(name);
    const unheld = [...found.byName.values()].filter(({ name }) => !named.has(name));
    return { unheld, gone: [...named].filter((name) => !found.byName.has(name)) };
  } finally {
    await workspace.close();
  }
}
