// A first descriptor, small enough to be read at a glance and complete enough to be served.
import { writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';

const dialect = fileURLToPath(new URL('../registry/dialect.json', import.meta.url));
const longestName = 48;

/** Writes `<name>.json` and prints what to do next. @throws ConfigurationFault for a wrong name or one that is taken. */
export function writeDescriptor(config: Config, name: string): void {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > longestName) {
    throw new ConfigurationFault(
      `The name of a group is singular, lower-case words joined by "-", at most ${longestName} characters: 'client-tag', not '${name}'.`,
    );
  }
  const file = join(config.resources, `${name}.json`);
  const schema = relative(config.resources, dialect).replaceAll(sep, '/');
  try {
    writeFileSync(file, descriptorText(name, schema), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new ConfigurationFault(`${file} is there already; nothing was changed.`, error);
  }
  process.stdout.write(`${file}

Next:
  1. say in it what a record is, and add its fields;
  2. npm run praxis -- check
  3. npm start, and its records are at /api/${plural(name)}
`);
}

/** In the layout that the formatter of this project keeps. */
function descriptorText(name: string, schema: string): string {
  const words = name.split('-');
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  const article = /^[aeio]/.test(name) ? 'An' : 'A';
  return `{
  "$schema": ${JSON.stringify(schema)},
  "title": "${title}",
  "description": "${article} ${words.join(' ')}.",
  "type": "object",
  "properties": {
    "name": { "type": "string", "maxLength": 255, "filter": "exact", "description": "Name" },
    "isActive": { "type": "boolean", "default": true, "description": "Active flag" },
    "createdAt": true
  },
  "required": ["name"],
  "resource": {
    "path": "/${plural(name)}",
    "shownAs": "{name}",
    "operations": ["list", "get", "create", "update", "delete"],
    "unique": [["name"]]
  }
}
`;
}

/** English, as far as endings go: `category` → `categories`, `tax` → `taxes`. The path is there to be corrected. */
function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
