// Runs `praxis verify` in the process of the test.
import { vi } from 'vitest';
import { verify } from '../../../src/commands/database/verify.ts';
import { verifyStored } from '../../../src/commands/database/verify-conditions.ts';
import { readConfig } from '../../../src/config.ts';
import { ConfigurationFault } from '../../../src/configuration-fault.ts';
import { type Context, type Folder, folders } from '../service/praxis.ts';

interface VerifyResult {
  readonly code: number;
  readonly stdout: string;
  readonly fault?: string;
}

/** Runs the command on the database of a service. @param line Groups and options */
export async function runVerify(
  { databaseUrl }: Pick<Context, 'databaseUrl'>,
  folder: Folder,
  line = '',
): Promise<VerifyResult> {
  const words = line.split(' ').filter((word) => word !== '');
  const groups = words.filter((word) => !word.startsWith('--'));
  const config = readConfig({ RESOURCES: folders[folder], DATABASE_URL: databaseUrl });
  let stdout = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  try {
    const run = words.includes('--conditions') ? verifyStored : verify;
    const isRight = await run(config, groups, {
      repair: words.includes('--repair'),
      json: words.includes('--json'),
    });
    return { code: isRight ? 0 : 1, stdout };
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    return { code: 1, stdout, fault: error.message };
  } finally {
    write.mockRestore();
  }
}
