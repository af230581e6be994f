import type { Config } from '../config.ts';
import { backUp } from '../storage/database.ts';

const mebibyte = 1024 ** 2;

/** Writes what the database holds into a new file, while it serves. @throws ConfigurationFault */
export async function writeBackup(config: Config, file: string): Promise<void> {
  const bytes = await backUp(config.databaseUrl, file);
  process.stdout.write(`${file}: ${(bytes / mebibyte).toFixed(1)} MiB, checked\n`);
}
