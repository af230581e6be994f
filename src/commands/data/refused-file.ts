// Rows that were refused, as they were, with their line and what is wrong with them: mended, the file is imported as it is.
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { RefusedRow } from '../../../codegen/import/model.ts';

interface Refused {
  /** A trial writes none. */
  readonly isTrial: boolean;
  /** What an earlier run has written, and noted. */
  readonly bytes: number;
}

export class RefusedFile {
  readonly #file: string;
  readonly #format: 'csv' | 'ndjson';
  readonly #refused: Refused;
  #handle: number | undefined;
  #bytes: number;
  #waiting = '';
  #header = '';
  #delimiter = ',';
  #places: readonly number[] = [];

  constructor(file: string, { format }: { readonly format: 'csv' | 'ndjson' }, refused: Refused) {
    this.#file = file;
    this.#format = format;
    this.#refused = refused;
    this.#bytes = refused.bytes;
  }

  /** Its name, where it has any rows. */
  get name(): string | undefined {
    return this.#bytes > 0 ? this.#file : undefined;
  }

  /** @param names Of the table's columns; those that such a file has by itself are left out. */
  begin(names: readonly string[], delimiter: string): void {
    this.#delimiter = delimiter;
    this.#places = names.flatMap((name, place) => (name === 'line' || name === 'errors' ? [] : [place]));
    this.#header = this.#rowOf([...this.#places.map((place) => names[place] ?? ''), 'line', 'errors']);
  }

  add({ line, errors, row }: RefusedRow): void {
    if (this.#refused.isTrial) return;
    if (this.#format === 'ndjson' || !Array.isArray(row)) {
      this.#waiting += `${JSON.stringify({ ...row, line, errors: errors.join('; ') })}\n`;
      return;
    }
    const cells = row.length === 0 ? [] : this.#cellsOf(row);
    const isFirst = this.#bytes === 0 && this.#waiting === '';
    this.#waiting += (isFirst ? this.#header : '') + this.#rowOf([...cells, String(line), errors.join('; ')]);
  }

  /** Cells beyond those of the header stay, so that nothing is lost. */
  #cellsOf(row: readonly (string | null)[]): readonly (string | null)[] {
    const most = Math.max(-1, ...this.#places);
    return [...this.#places.map((place) => row[place] ?? null), ...row.slice(most + 1)];
  }

  #rowOf(cells: readonly (string | null)[]): string {
    const texts = cells.map((cell) => {
      if (cell === null) return '';
      return cell === '' || cell.includes(this.#delimiter) || /["\r\n]|^\s|\s$/.test(cell)
        ? `"${cell.replaceAll('"', '""')}"`
        : cell;
    });
    return `${texts.join(this.#delimiter)}\r\n`;
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
