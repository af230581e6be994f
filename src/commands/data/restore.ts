// `praxis import --all <folder> --keep-ids`: puts an empty workspace back as an export has it.
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { restoreWorkspace } from '../../app/data/restore.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { FolderStore } from '../../files/folder-store.ts';
import { isObject, type JsonObject, readJson } from '../../values/json.ts';
import { type JsonLimits, unlimited } from '../../values/json-limits.ts';
import { counted } from '../output/counted.ts';
import { progressOn } from '../output/progress.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';
import { filesFolder } from './groups.ts';

/** @throws ConfigurationFault */
export async function restore(config: Config, folder: string, flags: JsonFlag): Promise<void> {
  if (!existsSync(folder)) throw new ConfigurationFault(`The folder ${folder} does not exist.`);
  const groups = readdirSync(folder).flatMap((file) =>
    file.endsWith('.ndjson') ? [file.slice(0, -'.ndjson'.length)] : [],
  );
  if (groups.length === 0)
    throw new ConfigurationFault(`${folder} does not contain an export; write one with "praxis export --all".`);
  const progress = progressOn(process.stderr);
  const source = {
    groups,
    files: new FolderStore(join(folder, filesFolder)),
    recordsOf: (group: string) => (groups.includes(group) ? recordsIn(join(folder, `${group}.ndjson`)) : undefined),
  };
  const show = (group: string, count: number): void => progress.show(`${group}: ${counted(count, 'record')}`);
  const records = await restoreWorkspace(config, source, show).finally(progress.end);
  const words = `${counted(records, 'record')} of ${counted(groups.length, 'group')}; no differences`;
  tell(flags, { records, groups: groups.length }, words);
}

/** @throws ConfigurationFault for a line that is no record, and for a file that is not whole */
async function* recordsIn(file: string): AsyncGenerator<JsonObject, void, undefined> {
  let count = 0;
  let isWhole = false;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const record = recordOf(line);
    if (record === undefined || isWhole) throw new ConfigurationFault(`${file}:${count + 1} is not a record.`);
    if (record['end'] === true && typeof record['count'] === 'number') {
      if (record['count'] !== count)
        throw new ConfigurationFault(`${file} has ${count} records instead of ${record['count']}.`);
      isWhole = true;
    } else {
      count += 1;
      yield record;
    }
  }
  if (!isWhole) throw new ConfigurationFault(`${file} is incomplete: its last line is missing.`);
}

/** Keeps the text of every member: the group of the record, and so its fields with free JSON, are not known yet. */
const everyNameFree: JsonLimits = { ...unlimited, freeNames: { has: () => true } };

function recordOf(line: string): JsonObject | undefined {
  try {
    const value = readJson(Buffer.from(line), everyNameFree);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
