// The registry of a configuration: its descriptors, with the catalogue's rules and those of the project.

import { join } from 'node:path';
import { compileRoles } from '../access/load.ts';
import type { Roles } from '../access/model.ts';
import type { Finding } from '../access/proof/finding.ts';
import { listFindings } from '../access/proof/findings.ts';
import type { Config } from '../config.ts';
import type { Registry } from '../registry/model/model.ts';
import { rolesFolder } from '../registry/read/folder.ts';
import { loadRegistry } from '../registry/registry.ts';
import { rules as catalogue } from '../rules/catalogue.ts';
import type { Rule } from '../rules/support/rule.ts';
import { dialects } from '../storage/dialects.ts';
import { unsaidIn } from '../storage/sight/unsaid.ts';
import { createUnservedSearch } from '../storage/sight/unserved.ts';

/** The rules that descriptors may use: the catalogue, with those of the project's own. */
export const rulesOf = ({ rules = catalogue }: Pick<Config, 'rules'>): Readonly<Record<string, Rule>> => rules;

/** Loads the descriptors of a configuration. @throws DescriptorFaults */
export const registryOf = (config: Pick<Config, 'resources' | 'rules'>): Registry =>
  loadRegistry(config.resources, rulesOf(config));

/** Where the roles of a configuration stand, if there are any. */
export const rolesFolderOf = (config: Pick<Config, 'resources' | 'rolesFolder'>): string =>
  config.rolesFolder ?? join(config.resources, rolesFolder);

/**
 * Loads the roles of a folder.
 * @returns undefined where there is no such folder: then everything is as without roles
 * @throws DescriptorFaults with every fault of every file; ConfigurationFault for an empty folder
 */
export const loadRoles = (folder: string, registry: Registry): Roles | undefined =>
  compileRoles(folder, registry, unsaidIn(registry, Object.values(dialects)));

/** Loads the roles of a configuration; undefined where it has none, and everything is as without them. @throws DescriptorFaults */
export const rolesOf = (config: Pick<Config, 'resources' | 'rolesFolder'>, registry: Registry): Roles | undefined =>
  loadRoles(rolesFolderOf(config), registry);

/** Lists findings: roles that are valid but probably not as intended. */
export function listRoleFindings(roles: Roles, registry: Registry): readonly Finding[] {
  return listFindings(roles, registry, createUnservedSearch(registry, Object.values(dialects)));
}

/** The project's own rules alone. */
export const ownRulesOf = (config: Pick<Config, 'rules'>): Readonly<Record<string, Rule>> =>
  Object.fromEntries(Object.entries(rulesOf(config)).filter(([name]) => !Object.hasOwn(catalogue, name)));
