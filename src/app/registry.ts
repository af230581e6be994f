// The registry of a configuration: its descriptors, with the catalogue's rules and those of the project.

import type { Config } from '../config.ts';
import type { Registry } from '../registry/model/model.ts';
import { loadRegistry } from '../registry/registry.ts';
import { rules as catalogue } from '../rules/catalogue.ts';
import type { Rule } from '../rules/support/rule.ts';

/** The rules that descriptors may use: the catalogue, with those of the project's own. */
export const rulesOf = ({ rules = catalogue }: Pick<Config, 'rules'>): Readonly<Record<string, Rule>> => rules;

/** Loads the descriptors of a configuration. @throws DescriptorFaults */
export const registryOf = (config: Pick<Config, 'resources' | 'rules'>): Registry =>
  loadRegistry(config.resources, rulesOf(config));

/** The project's own rules alone. */
export const ownRulesOf = (config: Pick<Config, 'rules'>): Readonly<Record<string, Rule>> =>
  Object.fromEntries(Object.entries(rulesOf(config)).filter(([name]) => !Object.hasOwn(catalogue, name)));
