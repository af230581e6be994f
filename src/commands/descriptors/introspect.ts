// `praxis introspect`: draft descriptors from the tables of another database.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type Draft, draftDescriptors } from '../../introspection/draft.ts';
import { readTables } from '../../introspection/read.ts';
import { DescriptorFaults } from '../../registry/model/faults.ts';
import { loadRegistry } from '../../registry/registry.ts';
import { ruleSignatures } from '../../rules/catalogue.ts';
import { faultsText } from '../output/faults.ts';
import { spaced } from '../output/json-text.ts';
import { type JsonFlag, paintOut, tell } from '../output/terminal.ts';
import { schemaFrom } from './project-dialect.ts';

interface IntrospectOptions extends JsonFlag {
  /** Folder for the descriptors. */
  readonly out: string;
  /** Tables to look at; all of them when there is none. */
  readonly table?: readonly string[];
}

/**
 * Drafts a descriptor for each table of a database, which is only read.
 * @throws ConfigurationFault when there is nothing to draft, or a file is there already; then nothing is written
 */
export async function introspect(url: string, { out, table = [], json }: IntrospectOptions): Promise<void> {
  const found = await readTables(url);
  const missing = table.filter((name) => !found.some((known) => known.name === name));
  if (missing.length > 0) throw new ConfigurationFault(`There is no table ${missing.join(', ')}.`);
  const drafts = draftDescriptors(found.filter(({ name }) => table.length === 0 || table.includes(name)));
  if (drafts.length === 0) throw new ConfigurationFault('The database has no tables.');
  const files = new Map(drafts.map((draft) => [join(out, `${draft.name}.json`), draft]));
  const taken = [...files.keys()].filter((file) => existsSync(file));
  if (taken.length > 0) throw new ConfigurationFault(`${taken.join(', ')} already exists; nothing was written.`);
  mkdirSync(out, { recursive: true });
  const schema = schemaFrom(out);
  for (const [file, draft] of files) writeFileSync(file, descriptorText(draft, schema), { flag: 'wx' });
  const lines = [...files].flatMap(([file, { table: name, notes }]) => [
    `${file}  from ${name}`,
    ...notes.map((note) => `  look at ${note}`),
  ]);
  const data = [...files].map(([file, { table: name, notes }]) => ({ file, table: name, notes }));
  tell({ json }, { files: data }, `${lines.join('\n')}\n\n${outlook(out)}`);
}

/** What the drafts lack. */
function outlook(folder: string): string {
  try {
    const { size } = loadRegistry(folder, ruleSignatures).resources;
    return `${size} descriptors, no faults. Review them, and add what tables do not contain: filters, defaults and rules.`;
  } catch (error) {
    if (error instanceof DescriptorFaults)
      return `Correct these faults before you serve them:\n${faultsText(error.faults, paintOut)}`;
    throw error;
  }
}

/** In the layout that the formatter of this project keeps: a field a line. */
function descriptorText(
  { descriptor: { title, description, properties, required = [], resource } }: Draft,
  schema: string,
): string {
  const lines = Object.entries(properties).map(([name, field]) => `    ${JSON.stringify(name)}: ${spaced(field)}`);
  const parts = Object.entries(resource).map(([name, value]) => `    ${JSON.stringify(name)}: ${spaced(value)}`);
  return `{
  "$schema": ${JSON.stringify(schema)},
  "title": ${JSON.stringify(title)},
  "description": ${JSON.stringify(description)},
  "type": "object",
  "properties": {
${lines.join(',\n')}
  },${required.length === 0 ? '' : `\n  "required": ${spaced(required)},`}
  "resource": {
${parts.join(',\n')}
  }
}
`;
}
