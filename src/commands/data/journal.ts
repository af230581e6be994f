// The journal of an import: where it stands, on disk before each next chunk, so that whoever begins again goes on.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ImportState } from '../../../codegen/import/import-rows.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';

interface Kept {
  readonly of: string;
  readonly state: ImportState;
  /** Length of the file of refused rows then. */
  readonly refusedBytes: number;
}

export class Journal {
  readonly #file: string;
  readonly #of: string;
  readonly #kept: Kept | undefined;

  private constructor(file: string, of: string, kept: Kept | undefined) {
    this.#file = file;
    this.#of = of;
    this.#kept = kept;
  }

  /** @param of What is imported. @throws ConfigurationFault where the journal is of something else */
  static open(file: string, of: string): Journal {
    if (!existsSync(file)) return new Journal(file, of, undefined);
    let kept: Kept;
    try {
      kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    } catch (error) {
      throw new ConfigurationFault(`The journal ${file} cannot be read; remove it.`, error);
    }
    if (kept.of !== of)
      throw new ConfigurationFault(
        'The journal belongs to another file or to other options; remove it, or choose another with --journal.',
      );
    return new Journal(file, of, kept);
  }

  get state(): ImportState | undefined {
    return this.#kept?.state;
  }

  get refusedBytes(): number {
    return this.#kept?.refusedBytes ?? 0;
  }

  /** On disk when it returns. */
  note(state: ImportState, refusedBytes: number): void {
    const unfinished = `${this.#file}.part`;
    const handle = openSync(unfinished, 'w', 0o600);
    try {
      writeSync(handle, JSON.stringify({ of: this.#of, state, refusedBytes } satisfies Kept));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, this.#file);
  }

  /** All rows are judged: the same file again is another import. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
