// `praxis export`: writes the records of a group, or of all of them, into files or to standard output.
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportOf, exportWorkspace } from '../../app/data/export.ts';
import { openWorkspace, type Workspace } from '../../app/workspace.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { copyFiles } from '../../files/copy.ts';
import { FolderStore } from '../../files/folder-store.ts';
import { counted } from '../output/counted.ts';
import { fileFault } from '../output/file-fault.ts';
import { progressOn } from '../output/progress.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';
import { filesFolder, groupNamed } from './groups.ts';
import { addFilters, readFrom } from './remote.ts';

export interface ExportOptions extends JsonFlag {
  readonly out?: string;
  readonly format?: string;
  readonly fields?: string;
  readonly sort?: string;
  readonly safe?: boolean;
  /** `name=value`, as in the address of a list. */
  readonly filter: readonly string[];
  readonly all?: string;
  readonly url?: string;
  readonly token?: string;
}

/** @throws ConfigurationFault */
export async function exportRecords(config: Config, name: string | undefined, options: ExportOptions): Promise<void> {
  if ((name === undefined) === (options.all === undefined))
    throw new ConfigurationFault('The export needs one group, or --all <folder> for all groups.');
  if (options.all !== undefined) return exportAll(config, options.all, options);
  const query = queryOf(options);
  if (options.url !== undefined) return exportFrom(options.url, String(name), { ...options, query });
  const workspace = await openWorkspace(config);
  try {
    const { path } = groupNamed(workspace.registry, String(name));
    await exportOf(workspace)(path.slice(1), query).send((parts) => write(parts, options));
  } finally {
    await workspace.close();
  }
}

/** `?format=csv&fields=name&…` without its mark; what a file is called tells its format where nothing else does. */
function queryOf({ out, format, fields, sort, safe, filter }: ExportOptions): string {
  const query = new URLSearchParams();
  const kind = format ?? (out?.endsWith('.csv') === true ? 'csv' : undefined);
  if (kind !== undefined) query.set('format', kind);
  if (fields !== undefined) query.set('fields', fields);
  if (sort !== undefined) query.set('sort', sort);
  if (safe === true) query.set('safe', 'true');
  addFilters(query, filter);
  return String(query);
}

/** Whole files alone have their name: what is broken off leaves none. */
async function write(parts: AsyncIterable<string | Uint8Array>, { out, json }: ExportOptions): Promise<void> {
  if (out === undefined) {
    for await (const part of parts) if (!process.stdout.write(part)) await once(process.stdout, 'drain');
    return;
  }
  if (existsSync(out))
    throw new ConfigurationFault(`The file ${out} already exists and is not overwritten; choose another name.`);
  const bytes = await writeFile(parts, out);
  tell({ json }, { file: out, bytes }, `${out}: ${(bytes / 1024).toFixed(0)} KiB`);
}

/** @returns its length in bytes */
async function writeFile(parts: AsyncIterable<string | Uint8Array>, file: string): Promise<number> {
  const unfinished = `${file}.part`;
  // Whoever reads the file reads the records.
  const stream = createWriteStream(unfinished, { mode: 0o600 });
  try {
    await pipeline(Readable.from(parts, { objectMode: true }), stream);
    await rename(unfinished, file);
    return stream.bytesWritten;
  } catch (error) {
    // Where it could not be begun, nothing is left of it.
    await rm(unfinished, { force: true }).catch(() => {});
    throw fileFault(error, file) ?? error;
  }
}

/** From a service, over HTTP. */
async function exportFrom(
  url: string,
  group: string,
  options: ExportOptions & { readonly query: string },
): Promise<void> {
  const { token, query } = options;
  const { body } = await readFrom({ url, token }, { what: 'export', group, query });
  if (body === null) throw new ConfigurationFault(`${url} sent no data.`);
  await write(body, options).catch((error: unknown) => {
    if (error instanceof ConfigurationFault) throw error;
    throw new ConfigurationFault('The export was interrupted, so its file was removed; run it again.', error);
  });
}

/** All groups of one moment, a file each. */
async function exportAll(config: Config, folder: string, options: ExportOptions): Promise<void> {
  if (options.url !== undefined) throw new ConfigurationFault('--all reads the configured database; remove --url.');
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new ConfigurationFault(`${folder} already contains files, which are not overwritten; choose another folder.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const workspace: Workspace = await openWorkspace(config);
  const progress = progressOn(process.stderr);
  let bytes = 0;
  try {
    const groups = await exportWorkspace(workspace, async ({ name, texts }) => {
      progress.show(name);
      bytes += await writeFile(texts, join(folder, `${name}.ndjson`));
    });
    if (workspace.files !== undefined) {
      const store = new FolderStore(join(folder, filesFolder));
      await copyFiles(workspace.unit, workspace.files, store);
      await rm(store.drafts, { recursive: true, force: true });
    }
    progress.end();
    const size = `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
    tell(options, { folder, groups, bytes }, `${folder}: ${counted(groups, 'group')}, ${size}, from one snapshot`);
  } finally {
    progress.end();
    await workspace.close();
  }
}
