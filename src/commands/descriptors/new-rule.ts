// `praxis new rule`: a first rule of the project, with a test that calls it over HTTP.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rulesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { projectFile } from '../../project.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';
import { rulesFolder, templateFolder } from './templates.ts';

const longestName = 40;

/**
 * Writes `rules/<name>.ts` and `test/<name>.test.ts`, and prints how the rule is registered.
 * @param name `check-digit` or `checkDigit`
 * @throws ConfigurationFault for a wrong name or one that is taken; then nothing is written
 */
export function writeRule(config: Config, name: string, flags: JsonFlag): void {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const rule = words.replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(words) || rule.length > longestName)
    throw new ConfigurationFault(
      `A rule is called by small words joined by "-", at most ${longestName} characters: 'check-digit', not '${name}'.`,
    );
  if (Object.hasOwn(rulesOf(config), rule))
    throw new ConfigurationFault(`There is a rule "${rule}" already; nothing was changed.`);
  const from = (file: string): string =>
    readFileSync(join(templateFolder('new-rule'), file), 'utf8')
      .replaceAll('ruleName', rule)
      .replaceAll('rule-name', words);
  const files = { [`${rulesFolder}/${words}.ts`]: from('rule.ts'), [`test/${words}.test.ts`]: from('test.ts') };
  const taken = Object.keys(files).filter((file) => existsSync(file));
  if (taken.length > 0) throw new ConfigurationFault(`${taken.join(', ')} already exists; nothing was changed.`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  }
  const next = `${Object.keys(files).join('\n')}

Next:
  1. register it in ${projectFile('.') ?? 'praxis.config.ts'}:

     import { ${rule} } from './${rulesFolder}/${words}.ts';
     export default defineConfig({ rules: { ${rule} } });

  2. say in it what it refuses, and in the test what it is to refuse: node --test test/${words}.test.ts
  3. use it in a descriptor: "rules": [{ "use": "${rule}", "field": "name" }]
  4. npx praxis check`;
  tell(flags, { files: Object.keys(files) }, next);
}
