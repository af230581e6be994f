// Files in the database, in slices of 1 MiB: every process has them, and a copy of the database holds them.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { keepFileLonger, keepFileParts, readFilePart, sweepFileParts } from '../storage/files/parts.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { type FolderHindrance, findHindrance } from './folder-hindrance.ts';
import type { ByteRange, FileStore } from './store.ts';

const sliceBytes = 1024 * 1024;

export class DatabaseStore implements FileStore {
  readonly drafts = tmpdir();
  readonly #unit: UnitOfWork;
  /** Words of the dialect for an insert that passes over a row that is there. */
  readonly #ignore: string;

  constructor(unit: UnitOfWork, ignore: string) {
    this.#unit = unit;
    this.#ignore = ignore;
  }

  hindrance(): Promise<FolderHindrance | undefined> {
    return findHindrance(this.drafts);
  }

  async keep(draft: string, sha256: string): Promise<void> {
    const now = new Date();
    if (!(await keepFileLonger(this.#unit, sha256, now))) {
      const parts = (): AsyncIterable<Uint8Array> => createReadStream(draft, { highWaterMark: sliceBytes });
      await keepFileParts(this.#unit, sha256, { parts, now, ignore: this.#ignore });
    }
    await rm(draft, { force: true });
  }

  async *read(sha256: string, { from, to }: ByteRange): AsyncGenerator<Uint8Array, void, undefined> {
    for (let part = Math.floor(from / sliceBytes); part * sliceBytes <= to; part += 1) {
      const begin = part * sliceBytes;
      const bytes = await readFilePart(this.#unit, sha256, part);
      if (bytes === undefined) throw new Error(`part ${part} of the file ${sha256} is not in the database`);
      yield bytes.subarray(Math.max(0, from - begin), to - begin + 1);
    }
  }

  async sweep(before: Date): Promise<void> {
    await sweepFileParts(this.#unit, before);
  }
}
