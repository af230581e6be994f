// What is wrong with a descriptor that stands alone.

import { DescriptorFaults } from '../../../src/registry/model/faults.ts';
import { parseSource } from '../../../src/registry/read/source.ts';
import { buildRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';

/** @returns each fault as `<place>: <text>`; none where the descriptor is sound. @throws what is no fault of a descriptor */
export function descriptorFaults(name: string, descriptor: object): string[] {
  const { source, faults } = parseSource(`${name}.json`, name, JSON.stringify(descriptor));
  try {
    buildRegistry(source === undefined ? [] : [source], ruleSignatures, faults);
    return [];
  } catch (error) {
    if (error instanceof DescriptorFaults) return error.faults.map(({ pointer, text }) => `${pointer}: ${text}`);
    throw error;
  }
}
