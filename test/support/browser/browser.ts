// Chromium for tests of the pages: as people see them, by keyboard and pointer.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Where the browser is: CHROMIUM, or Debian's place. Undefined, with a loud warning, when there is none.
 * @throws Error then when CI=true.
 */
export function chromiumPath(): string | undefined {
  const given = process.env['CHROMIUM'];
  const path = given === undefined || given === '' ? '/usr/bin/chromium' : given;
  if (existsSync(path)) return path;
  const text = 'NO CHROMIUM FOUND: every test of the pages in a browser is skipped. Install chromium or set CHROMIUM.';
  if (process.env['CI'] === 'true') throw new Error(text);
  console.warn(`\n${'!'.repeat(text.length)}\n${text}\n${'!'.repeat(text.length)}\n`);
  return undefined;
}

/** Starts a browser of its own, which calls nobody by itself. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
