// `praxis backup`: writes a copy of the database while it serves.
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Config } from '../../config.ts';
import { inDatabase } from '../../files/open-store.ts';
import { backUp } from '../../storage/database.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

const mebibyte = 1024 ** 2;

/** Writes what the database holds into a new file, while it serves. @throws ConfigurationFault */
export async function writeBackup(config: Config, file: string, flags: JsonFlag): Promise<void> {
  const bytes = await backUp(config.databaseUrl, file);
  const folder = config.files === undefined || config.files === inDatabase ? '' : config.files;
  // After the database: what that names is there, and goes a day later at the soonest.
  const files = existsSync(folder) ? `${file}.files` : undefined;
  if (files !== undefined) await cp(folder, files, { recursive: true, filter: (path) => basename(path) !== 'drafts' });
  const words = `${file}: ${(bytes / mebibyte).toFixed(1)} MiB, checked`;
  tell(flags, { file, bytes, files }, files === undefined ? words : `${words}; its files are in ${files}`);
}
