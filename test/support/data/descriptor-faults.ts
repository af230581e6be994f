// What is wrong with a descriptor that stands alone, or with some beside it.

import { DescriptorFaults } from '../../../src/registry/model/faults.ts';
import { parseSource } from '../../../src/registry/read/source.ts';
import { buildRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';

/** @returns each fault as `<place>: <text>`; none where the descriptor is sound. @throws what is no fault of a descriptor */
export function descriptorFaults(
  name: string,
  descriptor: object,
  beside: Readonly<Record<string, object>> = {},
): string[] {
  const parsed = Object.entries({ [name]: descriptor, ...beside }).map(([group, one]) =>
    parseSource(`${group}.json`, group, JSON.stringify(one)),
  );
  const sources = parsed.flatMap(({ source }) => source ?? []);
  try {
    buildRegistry(
      sources,
      ruleSignatures,
      parsed.flatMap(({ faults }) => faults),
    );
    return [];
  } catch (error) {
    if (error instanceof DescriptorFaults) return error.faults.map(({ pointer, text }) => `${pointer}: ${text}`);
    throw error;
  }
}
