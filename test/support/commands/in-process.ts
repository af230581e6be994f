// Commands that run in the process of the tests: a folder for what they write, and what they print.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { type Config, readConfig } from '../../../src/config.ts';
import { folders } from '../service/praxis.ts';

/** @param name Of the folder, which goes when the tests of the file have ended. @returns it, and what is printed meanwhile */
export function commandsInProcess(name: string): { readonly folder: string; readonly printed: string[] } {
  const folder = mkdtempSync(join(tmpdir(), `praxis-${name}-`));
  const printed: string[] = [];
  beforeAll(() => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  return { folder, printed };
}

/** A configuration of the groups for tests on a database. */
export const configOf = (url: string): Config => readConfig({ DATABASE_URL: url, RESOURCES: folders.test });

/** What `praxis import` is given where nothing is said. */
export const usual = { maxRefused: '100', chunk: '500', callers: '2' };
