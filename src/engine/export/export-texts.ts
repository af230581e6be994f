// The text of an export, as it goes out: portions of records, one behind the other.
import type { ExportIntent } from '../../request/long-reads/export.ts';
import { columnsOf } from './columns.ts';
import { csvHeader, csvRow } from './csv-rows.ts';

type Portions = AsyncGenerator<readonly string[], void, undefined>;

/** @param portions Records as JSON. */
export async function* exportTexts(intent: ExportIntent, portions: Portions): AsyncGenerator<string, void, undefined> {
  if (intent.format === 'ndjson') yield* asLines(portions);
  else yield* asTable(intent, portions);
}

/** A record a line; the last one tells that nothing is missing. */
async function* asLines(portions: Portions): AsyncGenerator<string, void, undefined> {
  let count = 0;
  for await (const texts of portions) {
    count += texts.length;
    if (texts.length > 0) yield `${texts.join('\n')}\n`;
  }
  yield `{"end":true,"count":${count}}\n`;
}

/** Byte order mark. Excel reads a file that begins with it as UTF-8, and any other in the code page of the computer. */
const mark = '\uFEFF';

async function* asTable(
  { list, paths, isSafe }: ExportIntent,
  portions: Portions,
): AsyncGenerator<string, void, undefined> {
  const columns = columnsOf(list, paths);
  let isBegun = false;
  for await (const texts of portions) {
    const rows = texts.map((text) => csvRow(columns, text, isSafe)).join('');
    yield isBegun ? rows : (isSafe ? mark : '') + csvHeader(columns) + rows;
    isBegun = true;
  }
}
