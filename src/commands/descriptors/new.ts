// `praxis new`: a first descriptor, short enough to read at a glance, complete enough to serve.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { collectionName } from '../../registry/model/naming.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';
import { schemaFrom, writeDialect } from './project-dialect.ts';

const longestName = 48;

interface NewOptions extends JsonFlag {
  readonly example?: boolean;
}

/**
 * Writes `<name>.json` and prints what to do next.
 * @param options `example` shows figures and conditions too, over records of the group itself: it needs no other group.
 * @throws ConfigurationFault for a wrong name or one that is taken.
 */
export function writeDescriptor(config: Config, name: string, options: NewOptions = {}): void {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > longestName) {
    throw new ConfigurationFault(
      `The name of a group is singular, lower-case words joined by "-", at most ${longestName} characters: 'client-tag', not '${name}'.`,
    );
  }
  const file = join(config.resources, `${name}.json`);
  const schema = schemaFrom(config.resources);
  try {
    const text = options.example === true ? exampleText(name, schema) : descriptorText(name, schema);
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new ConfigurationFault(`${file} already exists; nothing was changed.`, error);
  }
  writeDialect(config);
  const next = `${file}

Next:
  1. describe the group and add its fields;
  2. npm run praxis -- check
  3. npm start, and its records are at /api/${plural(name)}`;
  tell(options, { file, path: `/${plural(name)}` }, next);
}

/** In the layout that the formatter of this project keeps. */
const descriptorText = (name: string, schema: string): string => `{
${headText(name, schema)}
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

/** Days that are parts of longer ones: what a record can say of itself, of one that it refers to, and of all that refer to it. */
function exampleText(name: string, schema: string): string {
  const words = plural(name).split('-').join(' ');
  const collection = collectionName(plural(name));
  // The one group whose records have a field of that name, which would go first.
  const all = collection === 'days' ? 'all.days' : collection;
  return `{
${headText(name, schema)}
  "properties": {
    "name": { "type": "string", "maxLength": 255, "filter": "text", "description": "Name" },
    "start": {
      "type": "string",
      "format": "date",
      "defaultFrom": "today",
      "filter": "range",
      "must": [{ "that": "start >= partOf.start", "be": "on or after {partOf.start}" }],
      "description": "First day"
    },
    "end": {
      "type": "string",
      "format": "date",
      "must": [
        { "that": "end >= start", "be": "on or after {start}" },
        { "that": "end <= partOf.end", "be": "on or before {partOf.end}" }
      ],
      "description": "Last day"
    },
    "days": { "type": "integer", "formula": "end - start + 1", "description": "How many days it takes: a figure over its own fields" },
    "daysOfParts": {
      "type": "integer",
      "formula": "${all}.filter(part, part.partOfId == id).sum(part, part.days)",
      "description": "Days of its parts: a figure over other records, brought up to date whenever one of them is written"
    },
    "createdAt": true,
    "partOf": {
      "reference": "${name}",
      "nullable": true,
      "immutable": true,
      "onDelete": "cascade",
      "filter": "exact",
      "description": "The longer one that it is a part of"
    }
  },
  "required": ["name", "end"],
  "resource": {
    "path": "/${plural(name)}",
    "shownAs": "{name}",
    "operations": ["list", "get", "create", "update", "delete"],
    "rules": [
      {
        "use": "require",
        "that": [
          "partOfId == null",
          "|| ${all}.filter(other, other.partOfId == partOfId && other.id != id && other.start <= end && other.end >= start).count() == 0"
        ],
        "field": "start",
        "must": "outside of the other ${words} of {partOf.name}"
      }
    ]
  }
}
`;
}

function headText(name: string, schema: string): string {
  const words = name.split('-');
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  const article = /^[aeio]/.test(name) ? 'An' : 'A';
  return `  "$schema": ${JSON.stringify(schema)},
  "title": "${title}",
  "description": "${article} ${words.join(' ')}.",
  "type": "object",`;
}

/** English, as far as endings go: `category` → `categories`, `tax` → `taxes`. The path is there to be corrected. */
function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
