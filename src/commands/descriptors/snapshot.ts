// `praxis snapshot`: writes what callers depend on to a file, to compare later descriptors with.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { grantFactsOf, grantTexts } from '../../access/proof/grants.ts';
import { registryOf, rolesOf } from '../../app/registry.ts';
import { factsOf, snapshotText } from '../../changes/facts.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

interface SnapshotOptions extends JsonFlag {
  readonly out: string;
  /** Compare instead of writing. */
  readonly check?: boolean;
}

/**
 * Writes what callers can notice of the descriptors into a file, one line a field.
 * @throws DescriptorFaults; ConfigurationFault when `check` finds another text in the file
 */
export function snapshot(config: Config, { out, check, json }: SnapshotOptions): void {
  const registry = registryOf(config);
  const roles = rolesOf(config, registry);
  const text = snapshotText(factsOf(registry), roles && grantTexts(grantFactsOf(roles)));
  if (check !== true) {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, text);
    tell({ json }, { file: out, state: 'written' }, out);
    return;
  }
  if (readText(out) !== text)
    throw new ConfigurationFault(`${out} is not current; run: npm run praxis -- snapshot --out ${out}`);
  tell({ json }, { file: out, state: 'current' }, `${out} is current`);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
