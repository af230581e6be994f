// Copies of files, and whether they are what was uploaded: by their digests.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ConfigurationFault } from '../configuration-fault.ts';
import { digestsOfFiles } from '../storage/files/records.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { writeDraft } from './draft.ts';
import type { FileStore } from './store.ts';

type Reads = Pick<UnitOfWork, 'read'>;

/** Copies the bytes of all files that there are records of. @returns how many. @throws ConfigurationFault for one that is not whole */
export async function copyFiles(unit: Reads, from: FileStore, to: FileStore): Promise<number> {
  let count = 0;
  for await (const file of digestsOfFiles(unit)) {
    await copyFile(file, from, to);
    count += 1;
  }
  return count;
}

/** Copies the bytes of one file. @throws ConfigurationFault where they are not whole */
export async function copyFile(
  { sha256, size }: { readonly sha256: string; readonly size: number },
  from: FileStore,
  to: FileStore,
): Promise<void> {
  const draft = await writeDraft(to.drafts, from.read(sha256, { from: 0, to: size - 1 })).catch(lost);
  if (draft?.sha256 !== sha256) {
    if (draft !== undefined) await rm(draft.path);
    throw new ConfigurationFault(
      `The bytes of the file with SHA-256 ${sha256} are not there, or not what was uploaded.`,
    );
  }
  await to.keep(draft.path, sha256);
}

/** Digests of files whose bytes are not there, or are others. */
export async function* wrongFiles(unit: Reads, store: FileStore): AsyncGenerator<string, void, undefined> {
  for await (const { sha256, size } of digestsOfFiles(unit))
    if ((await digestOf(store.read(sha256, { from: 0, to: size - 1 })).catch(lost)) !== sha256) yield sha256;
}

async function digestOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** What cannot be read is lost. */
const lost = (): undefined => undefined;
