// Records as rows of CSV (RFC 4180): numbers with all their digits, null as nothing, an empty text in quotes.
import { readJsonText } from '../../values/json.ts';
import { unlimited } from '../../values/json-limits.ts';
import { jsonText, parseWithDigits } from '../../values/json-text.ts';
import type { Column } from './columns.ts';

/** Texts that spreadsheets take for formulas, and those that begin with the mark by which they no longer do. */
const isRun = /^[=+\-@\t\r']/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** The names of the columns. */
export const csvHeader = (columns: readonly Column[]): string => rowText(columns.map(({ name }) => quoted(name)));

/** @param text The record as JSON. @param isSafe Whether texts that a spreadsheet would run are marked by `'`. */
export function csvRow(columns: readonly Column[], text: string, isSafe: boolean): string {
  const record = parseWithDigits(text);
  const freeNames = new Set(columns.flatMap(({ path, isFree }) => (isFree ? path.slice(-1) : [])));
  // Read free JSON with a reader that keeps its text.
  const freeRecord = freeNames.size === 0 ? undefined : readJsonText(text, { ...unlimited, freeNames });
  return rowText(
    columns.map((column) => {
      if (!column.isFree) return cellOf(column, record, isSafe);
      const value = valueAt(freeRecord, column.path);
      return value === null || value === undefined ? '' : quoted(jsonText(value));
    }),
  );
}

const rowText = (cells: readonly string[]): string => `${cells.join()}\r\n`;

function cellOf({ path, isJson }: Column, record: unknown, isSafe: boolean): string {
  const value = valueAt(record, path);
  if (value === null || value === undefined) return '';
  if (JSON.isRawJSON(value)) return value.rawJSON;
  if (isJson) return quoted(JSON.stringify(value));
  const text = Array.isArray(value) ? listText(value) : String(value);
  if (text === '') return Array.isArray(value) ? '' : '""';
  return quoted(isSafe && typeof value !== 'boolean' && isRun.test(text) ? `'${text}` : text);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  return valueAt((value as Readonly<Record<string, unknown>>)[first], rest);
}

/** Values one behind the other; as JSON where that would not tell them apart. */
function listText(values: readonly unknown[]): string {
  const isPlain = values.every(
    (value) =>
      JSON.isRawJSON(value) ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && value !== '' && !/^[[\s]|,|\s$/.test(value)),
  );
  if (!isPlain) return JSON.stringify(values);
  return values.map((value) => (JSON.isRawJSON(value) ? value.rawJSON : String(value))).join();
}

const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
