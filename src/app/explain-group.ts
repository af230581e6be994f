// Explains a group, a field, a rule or a function at the command line.
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { type DescribedField, type DescribedGroup, Descriptions } from '../pages/described.ts';
import { fieldNamed } from '../registry/guide/explanation.ts';
import type { FieldName } from '../registry/guide/graph.ts';
import { type GuideEntry, guideOf } from '../registry/guide/guide.ts';
import { getKeywords } from '../registry/guide/keywords.ts';
import { DescriptorFaults } from '../registry/model/faults.ts';
import type { Registry } from '../registry/model/model.ts';
import { didYouMean } from '../text/nearest.ts';
import { unreachable } from '../unreachable.ts';
import { registryOf, rulesOf } from './registry.ts';

/** What of the catalogue is looked for: a rule of descriptors, or anything that formulas call or know. */
const kindsOf = {
  rule: ['rule'],
  function: ['function', 'macro', 'operator', 'name'],
} as const satisfies Record<string, readonly GuideEntry['kind'][]>;

export type CatalogueKind = keyof typeof kindsOf;
export const catalogueKinds = Object.keys(kindsOf) as readonly CatalogueKind[];

/** No descriptors: who looks for a rule or a function while some have faults needs none of them. */
const noRegistry: Registry = {
  resources: new Map(),
  workspace: undefined,
  files: undefined,
  referrers: new Map(),
  actors: undefined,
  scopeOf: () => unreachable('there are no groups'),
};

/** All rules, or all that formulas call or know; without who uses them where descriptors have faults. */
export function catalogueOf(config: Config, kind: CatalogueKind): readonly GuideEntry[] {
  const known: readonly string[] = kindsOf[kind];
  const guide = (registry: Registry) =>
    guideOf(registry, rulesOf(config)).filter((entry) => known.includes(entry.kind));
  try {
    return guide(registryOf(config));
  } catch (error) {
    if (!(error instanceof DescriptorFaults)) throw error;
    return guide(noRegistry);
  }
}

/** Says that descriptors have faults, for people who are told less because of them; undefined where they have none. */
export function faultsOf(config: Config): string | undefined {
  try {
    registryOf(config);
    return undefined;
  } catch (error) {
    if (!(error instanceof DescriptorFaults)) throw error;
    const { length } = error.faults;
    return `The descriptors have ${length === 1 ? 'a fault' : `${length} faults`}, so uses are unknown; run "praxis check".`;
  }
}

/** The entries of a name: `-` is two operators. @throws ConfigurationFault for a name that there is not */
export function catalogueEntries(config: Config, kind: CatalogueKind, name: string): readonly GuideEntry[] {
  const entries = catalogueOf(config, kind);
  const found = entries.filter((entry) => entry.name === name);
  if (found.length > 0) return found;
  const names = entries.map((entry) => entry.name);
  throw new ConfigurationFault(
    `"${name}" is not a ${kind}${didYouMean(name, names)}; to list all: praxis explain ${kind}`,
  );
}

/** Describes a group. @throws ConfigurationFault for one that there is not */
export function describeGroup(config: Config, name: string): DescribedGroup {
  const registry = registryOf(config);
  const resource = registry.resources.get(name);
  if (resource === undefined)
    throw new ConfigurationFault(
      `"${name}" is not a group${didYouMean(name, registry.resources.keys()) || catalogueHint(config, name)}`,
    );
  return new Descriptions(registry, rulesOf(config)).group(resource);
}

/** Who names a rule alone means that. */
function catalogueHint(config: Config, name: string): string {
  if (getKeywords().has(name)) return `; it is a keyword: praxis explain keyword ${name}`;
  const kind = catalogueKinds.find((each) => catalogueOf(config, each).some((entry) => entry.name === name));
  return kind === undefined ? '' : `; it is a ${kind}: praxis explain ${kind} ${name}`;
}

/** Describes a field that there is; undefined for a named formula. */
export function describeField(
  config: Config,
  registry: Registry,
  { group, name }: FieldName,
): DescribedField | undefined {
  const resource = registry.resources.get(group);
  const field = resource && fieldNamed(resource, name);
  if (resource === undefined || field === undefined) return undefined;
  const above = name.slice(0, name.length - field.name.length);
  return new Descriptions(registry, rulesOf(config)).field(resource, field, above);
}
