// `praxis upgrade descriptors`: rewrites descriptors and roles that were written for an earlier version.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { isPassedOver, rolesFolder } from '../../registry/read/folder.ts';
import { rewriteKeywords } from '../../registry/upgrade/rewrite.ts';
import { counted } from '../output/counted.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

export interface UpgradeOptions extends JsonFlag {
  /** Write nothing; exit status 1 if a file would change. */
  readonly check?: boolean;
}

interface UpgradedFile {
  readonly file: string;
  readonly renames: number;
  readonly text: string;
}

/**
 * Rewrites the descriptors of a folder, and the roles in it or in the other folder, and prints the number of renames in each file.
 * @returns whether no file had old keywords
 * @throws ConfigurationFault if the folder does not exist
 */
export function upgradeDescriptors(
  { resources, roles }: { readonly resources: string; readonly roles?: string | undefined },
  { check = false, json }: UpgradeOptions,
): boolean {
  const paths = [...new Set([...listJson(resources), ...listJson(roles ?? join(resources, rolesFolder), true)])];
  const files = paths.flatMap((file): UpgradedFile[] => {
    const upgraded = rewriteKeywords(readFileSync(file, 'utf8'));
    return upgraded === undefined || upgraded.renames === 0 ? [] : [{ file, ...upgraded }];
  });
  if (!check) for (const { file, text } of files) writeFileSync(file, text);
  const sum = files.reduce((total, { renames }) => total + renames, 0);
  const summary =
    files.length === 0
      ? `${resources}: all keywords are current`
      : `${check ? 'Would rename' : 'Renamed'} ${counted(sum, 'keyword')} in ${counted(files.length, 'file')}.`;
  const lines = files.map(({ file, renames }) => `${file}: ${counted(renames, 'rename')}`);
  tell(
    { json },
    { files: files.map(({ file, renames }) => ({ file, renames })), written: !check },
    [...lines, summary].join('\n'),
  );
  return files.length === 0;
}

function listJson(folder: string, mayBeMissing = false): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    if (mayBeMissing) return [];
    throw new ConfigurationFault(`'${folder}' is not a folder; name the folder of descriptors.`);
  }
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json') && !isPassedOver(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}
