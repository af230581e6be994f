// Bytes of a file → rows: CSV, or a record a line; and refused rows → text.
import { RefusedJson } from '../../src/values/json/refused-json.ts';
import { jsonText } from '../../src/values/json-text.ts';
import { ImportFault, isObject, type RefusedRow, type SourceRow } from './model.ts';
import { type FreeNames, readJsonExactly } from './numbers.ts';

/** Bytes to text. @throws ImportFault with the line of a byte that is none of the encoding */
export async function* textOf(source: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let label = '';
  let line = 1;
  for await (const bytes of source) {
    if (decoder === undefined) {
      label = encodingOf(bytes, encoding);
      decoder = new TextDecoder(label, { fatal: true });
    }
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      const loose = new TextDecoder(label).decode(bytes);
      const before = loose.slice(0, loose.indexOf('\uFFFD'));
      throw new ImportFault(
        `line ${line + linesIn(before)}  is not ${label.toUpperCase()}; say the encoding in the mapping.`,
      );
    }
    line += linesIn(text);
    yield text;
  }
  try {
    yield decoder?.decode() ?? '';
  } catch {
    throw new ImportFault(`line ${line}  ends in the middle of a character.`);
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1;

function encodingOf([first, second]: Uint8Array, said: string | undefined): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (said === undefined || /^utf-?8$/i.test(said)) return 'utf-8';
  try {
    return new TextDecoder(said).encoding;
  } catch {
    throw new ImportFault(`'encoding' must be one that is known, such as utf-8 or latin1, not '${said}'.`);
  }
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly (string | null)[];
  readonly fault?: string;
}

/** Characters that a row may have: more are a quote that does not end. */
const longestRow = 16 * 1024 * 1024;

/** CSV (RFC 4180), a row at a time: quotes, doubled quotes, line ends within them, any line end. Empty lines are none. */
export async function* csvRows(
  texts: AsyncIterable<string>,
  delimiterOf: (header: string) => string,
): AsyncGenerator<CsvRow, void, undefined> {
  let rest = '';
  let line = 1;
  let delimiter: string | undefined;
  function* rowsIn(isEnd: boolean): Generator<CsvRow> {
    let at = 0;
    while (at < rest.length) {
      const found = rowAt(rest, at, { delimiter: delimiter ?? ',', isEnd });
      if (found === undefined) break;
      const { cells, end, lines, fault } = found;
      if (cells.length > 1 || cells[0] !== null) yield { line, cells, ...(fault !== undefined && { fault }) };
      line += lines;
      at = end;
    }
    rest = rest.slice(at);
    if (rest.length > longestRow) throw new ImportFault(`line ${line}  is too long: a quote may not end.`);
  }
  for await (const text of texts) {
    rest += text;
    if (delimiter === undefined) {
      if (!rest.includes('\n')) continue;
      const said = /^sep=(.)\r?\n/.exec(rest);
      if (said !== null) [rest, line] = [rest.slice(said[0].length), 2];
      if (said === null || rest.includes('\n')) delimiter = said?.[1] ?? delimiterOf(/^[^\n]*/.exec(rest)?.[0] ?? '');
      else delimiter = said[1];
    }
    yield* rowsIn(false);
  }
  delimiter ??= delimiterOf(rest);
  yield* rowsIn(true);
}

interface Found {
  readonly cells: readonly (string | null)[];
  /** Behind it. */
  readonly end: number;
  readonly lines: number;
  readonly fault?: string;
}

/** The row that begins at a place; undefined where its end has not come yet. */
function rowAt(
  text: string,
  from: number,
  { delimiter, isEnd }: { readonly delimiter: string; readonly isEnd: boolean },
): Found | undefined {
  const cells: (string | null)[] = [];
  let fault: string | undefined;
  let at = from;
  let lines = 0;
  for (;;) {
    let quoted: string | undefined;
    if (text[at] === '"') {
      const found = quotedAt(text, at, isEnd);
      if (found === undefined) return undefined;
      quoted = found.value;
      lines += linesIn(quoted);
      at = found.end;
      if (!found.isClosed) fault ??= 'has a quote that does not end';
    }
    const end = cellEnd(text, at, delimiter);
    if (end === text.length && !isEnd) return undefined;
    if (quoted !== undefined && end > at) fault ??= 'has text after a quote';
    const plain = text.slice(at, end);
    cells.push(quoted === undefined ? plain || null : quoted + plain);
    at = end;
    if (text[at] !== delimiter) break;
    at += 1;
  }
  if (text[at] === '\r') {
    if (at + 1 === text.length && !isEnd) return undefined;
    at += text[at + 1] === '\n' ? 2 : 1;
  } else if (text[at] === '\n') at += 1;
  return { cells, end: at, lines: lines + 1, ...(fault !== undefined && { fault }) };
}

function cellEnd(text: string, from: number, delimiter: string): number {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function quotedAt(
  text: string,
  at: number,
  isEnd: boolean,
): { readonly value: string; readonly end: number; readonly isClosed: boolean } | undefined {
  let value = '';
  for (let open = at + 1; ; ) {
    const quote = text.indexOf('"', open);
    // A quote at the very end may be the first of two.
    if (!isEnd && (quote < 0 || quote === text.length - 1)) return undefined;
    if (quote < 0) return { value: value + text.slice(open), end: text.length, isClosed: false };
    value += text.slice(open, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1, isClosed: true };
    value += '"';
    open = quote + 2;
  }
}

/** The names of the columns, as their header has them. */
export const namesIn = (header: readonly (string | null)[]): readonly string[] =>
  header.map((cell) => (cell ?? '').replace(/^\uFEFF/, '').trim());

/** The one that parts most cells of a header. */
export function guessDelimiter(header: string): string {
  const plain = header.replace(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t', '|'].map((each) => [each, plain.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** NDJSON: a record a line. Numbers that would lose digits are faults. The end of an export is no record. */
export async function* ndjsonRows(
  texts: AsyncIterable<string>,
  freeNames?: FreeNames,
): AsyncGenerator<SourceRow, void, undefined> {
  let rest = '';
  let line = 0;
  let count = 0;
  let isWhole = false;
  const rowOf = (text: string): SourceRow | undefined => {
    line += 1;
    if (text.trim() === '') return undefined;
    if (isWhole) throw new ImportFault(`line ${line}  is after the end of the file.`);
    try {
      const record = readJsonExactly(text, freeNames);
      if (!isObject(record)) return { line, fault: 'is not a record', raw: { text } };
      if (record['end'] === true && Object.keys(record).length === 2 && typeof record['count'] === 'number') {
        isWhole = true;
        if (record['count'] !== count)
          throw new ImportFault(`The file has ${count} records instead of ${record['count']}.`);
        return undefined;
      }
      count += 1;
      return { line, record, raw: record };
    } catch (error) {
      if (error instanceof ImportFault) throw error;
      count += 1;
      const isExplained = error instanceof RangeError || error instanceof RefusedJson;
      return { line, fault: isExplained ? error.message : 'is not valid JSON', raw: { text } };
    }
  };
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestRow) throw new ImportFault(`line ${line + lines.length + 1}  is too long.`);
    for (const each of lines) {
      const row = rowOf(each);
      if (row !== undefined) yield row;
    }
  }
  const row = rest === '' ? undefined : rowOf(rest);
  if (row !== undefined) yield row;
}

/** Columns that such a file has besides. */
export const ofRefused: readonly string[] = ['line', 'errors'];

/** Rows that were refused as text: as they were, with their line and what is wrong with them, to be mended and imported again. */
export class RefusedRows {
  #delimiter = ',';
  #places: readonly number[] = [];
  /** The line of names; empty where rows are records. */
  header = '';

  /** @param names Of the table's columns; those that such a file has by itself are left out. */
  begin(names: readonly string[], delimiter: string): void {
    this.#delimiter = delimiter;
    this.#places = names.flatMap((name, place) => (ofRefused.includes(name) ? [] : [place]));
    this.header = this.#rowOf([...this.#places.map((place) => names[place] ?? ''), ...ofRefused]);
  }

  lineOf({ line, errors, row }: RefusedRow): string {
    if (!Array.isArray(row)) return `${jsonText({ ...row, line, errors: errors.join('; ') })}\n`;
    const cells = row.length === 0 ? [] : this.#cellsOf(row);
    return this.#rowOf([...cells, String(line), errors.join('; ')]);
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
}
