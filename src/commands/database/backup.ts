// `praxis backup`: writes a copy of the database while it serves.
import type { Config } from '../../config.ts';
import { backUp } from '../../storage/database.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

const mebibyte = 1024 ** 2;

/** Writes what the database holds into a new file, while it serves. @throws ConfigurationFault */
export async function writeBackup(config: Config, file: string, flags: JsonFlag): Promise<void> {
  const bytes = await backUp(config.databaseUrl, file);
  tell(flags, { file, bytes }, `${file}: ${(bytes / mebibyte).toFixed(1)} MiB, checked`);
}
