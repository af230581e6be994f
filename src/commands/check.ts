import { ruleSignatures } from '../behaviours/catalogue.ts';
import type { Config } from '../config.ts';
import { components } from '../endpoints/components.ts';
import { loadRegistry } from '../registry/registry.ts';

/** Prints how many descriptors there are. @throws DescriptorFaults */
export function check(config: Config): void {
  const registry = loadRegistry(config.resources, ruleSignatures);
  components(registry);
  const { size } = registry.resources;
  process.stdout.write(`${size} ${size === 1 ? 'descriptor' : 'descriptors'}, no faults\n`);
}
