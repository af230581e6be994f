// `praxis types`: generates the types and the client.
import { generatedFiles, outdated, writeFiles } from '../../../codegen/files.ts';
import { shownToAll } from '../../access/shown-to-all.ts';
import { registryOf, rolesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

interface Options extends JsonFlag {
  /** Folder of the generated files. */
  readonly out: string;
  /** Write nothing, and say whether they are current. */
  readonly check?: boolean;
}

/** Writes the types and the client of the descriptors; fields that a role hides are optional. @throws ConfigurationFault for files that a check finds to be others; DescriptorFaults */
export async function types(config: Config, { out, check, json }: Options): Promise<void> {
  const registry = registryOf(config);
  const roles = rolesOf(config, registry);
  const files = await generatedFiles(registry, out, roles && shownToAll(roles));
  const old = outdated(files);
  const paths = (all: typeof files): string => all.map(({ path }) => path).join(' and ');
  if (check && old.length > 0)
    throw new ConfigurationFault(
      `${paths(old)}: not what the descriptors say; run \`praxis types\` with the same folder.`,
    );
  if (!check) writeFiles(old);
  const state = check || old.length === 0 ? 'current' : 'written';
  tell({ json }, { files: files.map(({ path }) => path), state }, `${paths(files)}: ${state}`);
}
