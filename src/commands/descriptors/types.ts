// `praxis types`: generates the types and the client.
import { basename, relative } from 'node:path';
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
  /** Whether the importer goes along. */
  readonly import?: boolean;
}

/** Writes the types and the client of the descriptors; fields that a role hides are optional. @throws ConfigurationFault for files that a check finds to be others; DescriptorFaults */
export async function types(config: Config, { out, check, json, import: hasImport }: Options): Promise<void> {
  const registry = registryOf(config);
  const roles = rolesOf(config, registry);
  const files = await generatedFiles(registry, { folder: out, shownToAll: roles && shownToAll(roles), hasImport });
  const old = outdated(files);
  // What lies in folders of its own goes along untold.
  const isTold = ({ path }: (typeof files)[number]): boolean => relative(out, path) === basename(path);
  const paths = (all: typeof files): string =>
    all
      .filter(isTold)
      .map(({ path }) => path)
      .join(' and ');
  if (check && old.length > 0)
    throw new ConfigurationFault(`${paths(old)}: not current; run "praxis types" with the same folder.`);
  if (!check) writeFiles(old);
  const state = check || old.length === 0 ? 'current' : 'written';
  tell({ json }, { files: files.map(({ path }) => path), state }, `${paths(files)}: ${state}`);
}
