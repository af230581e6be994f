// Clients that generators of others make of the document compile, and do what they say against the real service.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { generate } from '../generators/generate.ts';
import { accessToken, folders } from '../support/service/praxis.ts';

const run = promisify(execFile);
const home = join(import.meta.dirname, '../generators');
const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

describe('a generated client', { timeout: 60_000 }, () => {
  let service: RunningPraxis;
  // Beside the packages that the programs import.
  let folder: string;

  beforeAll(async () => {
    const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', ACCESS_TOKEN: accessToken, RESOURCES: folders.product };
    service = await startPraxis(readConfig(env), pino({ level: 'silent' }));
    folder = mkdtempSync(join(home, '.generated-'));
    cpSync(join(home, 'programs'), folder, { recursive: true });
    const answer = await fetch(service.address.replace(/api$/, 'openapi.json'));
    await generate(await answer.text(), folder);
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('compiles, but for what the document does not have', async () => {
    const { stdout } = await run(process.execPath, [tsc, '--project', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test.each(['with-openapi-fetch.ts', 'with-hey-api.ts'])('works: %s', async (program) => {
    const env = { PATH: process.env['PATH'], ADDRESS: service.address, TOKEN: accessToken };
    const { stderr } = await run(process.execPath, [join(folder, program)], { env });
    expect(stderr).toBe('');
  });
});
