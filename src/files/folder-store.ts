// Files in a folder, by their digests, two levels deep, for the owner of the process alone.
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FolderHindrance, findHindrance } from './folder-hindrance.ts';
import type { ByteRange, FileStore } from './store.ts';

const isDigest = /^[0-9a-f]{64}$/;

/** `ab/cd/abcd…` */
const pathOfDigest = (sha256: string): string => join(sha256.slice(0, 2), sha256.slice(2, 4), sha256);

export class FolderStore implements FileStore {
  readonly #folder: string;
  readonly drafts: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.drafts = join(folder, 'drafts');
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, pathOfDigest(sha256));
  }

  hindrance(): Promise<FolderHindrance | undefined> {
    return findHindrance(this.drafts);
  }

  async keep(draft: string, sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await settle(draft);
    // Also over a file that is there: this one is young, and no sweep takes it away.
    await rename(draft, path);
    await settle(dirname(path));
  }

  /** The file is opened when the first bytes are asked for: nobody would hear before that that it is not there. */
  async *read(sha256: string, { from, to }: ByteRange): AsyncGenerator<Uint8Array, void, undefined> {
    yield* createReadStream(this.#pathOf(sha256), { start: from, end: to }) as AsyncIterable<Uint8Array>;
  }

  async sweep(before: Date, isNamed: (sha256: string) => Promise<boolean>): Promise<void> {
    for (const name of await namesIn(this.drafts)) await this.#removeOld(join(this.drafts, name), before);
    for (const outer of await namesIn(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(outer)) continue;
      for (const inner of await namesIn(join(this.#folder, outer)))
        for (const name of await namesIn(join(this.#folder, outer, inner)))
          if (isDigest.test(name) && (await isOlder(this.#pathOf(name), before)) && !(await isNamed(name)))
            await this.#take(name, before, isNamed);
    }
  }

  /** Takes bytes aside before it looks once more: what was uploaded anew in between is put back, and later uploads bring their own. */
  async #take(sha256: string, before: Date, isNamed: (sha256: string) => Promise<boolean>): Promise<void> {
    const path = this.#pathOf(sha256);
    const aside = join(this.drafts, `${sha256}.gone`);
    await mkdir(this.drafts, { recursive: true, mode: 0o700 });
    await rename(path, aside);
    if (!(await isOlder(aside, before)) || (await isNamed(sha256))) await link(aside, path).catch(unlessCode('EEXIST'));
    await unlink(aside);
  }

  async #removeOld(path: string, before: Date): Promise<void> {
    if (await isOlder(path, before)) await rm(path, { force: true });
  }
}

/** Brings a file, or the names in a folder, to the disk. */
async function settle(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => unlessCode('ENOENT', 'ENOTDIR')(error) ?? []);

async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(unlessCode('ENOENT'));
  return found !== undefined && found.mtime < before;
}

/** Passes over what another process was quicker with. */
const unlessCode =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
