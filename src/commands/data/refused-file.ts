// Rows that were refused, as they were, with their line and what is wrong with them: mended, the file is imported as it is.
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { RefusedRow } from '../../../codegen/import/model.ts';
import { RefusedRows } from '../../../codegen/import/rows.ts';

interface Refused {
  /** A trial writes none. */
  readonly isTrial: boolean;
  /** What an earlier run has written, and noted. */
  readonly bytes: number;
}

export class RefusedFile {
  readonly #file: string;
  readonly #refused: Refused;
  #handle: number | undefined;
  #bytes: number;
  #waiting = '';
  readonly rows = new RefusedRows();

  constructor(file: string, refused: Refused) {
    this.#file = file;
    this.#refused = refused;
    this.#bytes = refused.bytes;
  }

  /** Its name, where it has any rows. */
  get name(): string | undefined {
    return this.#bytes > 0 ? this.#file : undefined;
  }

  add(refused: RefusedRow): void {
    if (this.#refused.isTrial) return;
    const isFirst = this.#bytes === 0 && this.#waiting === '';
    this.#waiting += (isFirst ? this.rows.header : '') + this.rows.lineOf(refused);
  }

  /** Writes what was added. @returns how long the file is then */
  flush(): number {
    if (this.#waiting === '') return this.#bytes;
    if (this.#handle === undefined) {
      this.#handle = openSync(this.#file, this.#bytes > 0 ? 'r+' : 'w', 0o600);
      // What was written behind the last note is told again.
      ftruncateSync(this.#handle, this.#bytes);
    }
    const bytes = Buffer.from(this.#waiting);
    writeSync(this.#handle, bytes, 0, bytes.length, this.#bytes);
    fsyncSync(this.#handle);
    this.#bytes += bytes.length;
    this.#waiting = '';
    return this.#bytes;
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}
