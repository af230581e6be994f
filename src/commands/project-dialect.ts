// The dialect of a project, which its descriptors name as their `$schema`: made from that of Praxis and the project's own
// rules whenever somebody works on them. It can be made again, and so is no part of what is kept of a project.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownRulesOf } from '../app/registry.ts';
import type { Config } from '../config.ts';
import { projectFile } from '../project.ts';
import { dialectWith } from '../registry/read/dialect-with.ts';

const shipped = fileURLToPath(new URL('../registry/dialect.json', import.meta.url));
const ownFile = join('.praxis', 'dialect.json');

/** What descriptors of a folder name as their `$schema`. */
export const schemaFrom = (folder: string): string =>
  relative(folder, projectFile('.') === undefined ? shipped : ownFile).replaceAll(sep, '/');

/**
 * Brings the dialect of the project up to date, where there is a project in this folder and in whatever of it can be written.
 * @param folder That of the project.
 */
export function writeDialect(config: Pick<Config, 'rules'>, folder = '.'): void {
  if (projectFile(folder) === undefined) return;
  const text = `${JSON.stringify(dialectWith(ownRulesOf(config)), null, 2)}\n`;
  const file = join(folder, ownFile);
  try {
    if (textOf(file) === text) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    // Editors go without it; whoever checks descriptors in a folder that cannot be written needs none.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
