// `praxis summary`: prints what the records of a group come to, as a table.
import { summaryOf } from '../../app/data/summary.ts';
import { openWorkspace } from '../../app/workspace.ts';
import type { Config } from '../../config.ts';
import { parseWithDigits } from '../../values/json-text.ts';
import { columnLines } from '../output/table.ts';
import { type JsonFlag, paintOut, print, printJson } from '../output/terminal.ts';
import { groupNamed } from './groups.ts';
import { addFilters, readFrom } from './remote.ts';

const measures = ['sum', 'avg', 'min', 'max'] as const;

export interface SummaryOptions extends JsonFlag, Partial<Record<(typeof measures)[number], string>> {
  readonly by?: string;
  /** False leaves the counts out. */
  readonly count: boolean;
  readonly order?: string;
  readonly limit?: string;
  /** `name=value`, as in the address of a list. */
  readonly filter: readonly string[];
  readonly url?: string;
  readonly token?: string;
}

/** As the interface answers it; numbers keep their digits. */
interface Summary {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly hasMore: boolean;
  readonly rows: unknown;
}

/** @throws ConfigurationFault */
export async function summary(config: Config, name: string, options: SummaryOptions): Promise<void> {
  const query = queryOf(options);
  const found = parseWithDigits(await answerTo(config, name, { ...options, query })) as Summary;
  if (options.json === true) printJson(found);
  else printTable(found);
}

function queryOf({ count, filter, ...options }: SummaryOptions): string {
  const query = new URLSearchParams();
  for (const name of ['by', ...measures, 'order', 'limit'] as const) {
    const text = options[name];
    if (text !== undefined) query.set(name, text);
  }
  if (!count) query.set('count', 'false');
  addFilters(query, filter);
  return String(query);
}

async function answerTo(
  config: Config,
  group: string,
  { url, token, query }: Pick<SummaryOptions, 'url' | 'token'> & { readonly query: string },
): Promise<string> {
  if (url !== undefined) return (await readFrom({ url, token }, { what: 'summary', group, query })).text();
  const workspace = await openWorkspace(config);
  try {
    return await summaryOf(workspace)(groupNamed(workspace.registry, group).path.slice(1), query);
  } finally {
    await workspace.close();
  }
}

interface Column {
  readonly head: string;
  readonly isNumber: boolean;
  readonly cell: (result: Readonly<Record<string, unknown>>) => unknown;
}

function printTable({ results, hasMore, rows }: Summary): void {
  const columns = columnsOf(results[0] ?? {});
  const cells = results.map((result) => columns.map(({ cell }) => words(cell(result))));
  const table = columnLines([columns.map(({ head }) => head), ...cells], {
    isNumber: (column) => columns[column]?.isNumber === true,
  });
  for (const [place, line] of table.entries()) print(place === 0 ? paintOut('bold', line) : line);
  const more = hasMore ? ' --limit omits further groups.' : '';
  print(paintOut('dim', `${words(rows)} counted.${more}`));
}

/** What groups are told apart by, then what they come to: `sum.minutes`. */
function columnsOf(first: Readonly<Record<string, unknown>>): readonly Column[] {
  return Object.entries(first).flatMap(([kind, value]): readonly Column[] => {
    if (kind === 'count') return [{ head: kind, isNumber: true, cell: (result) => result[kind] }];
    return Object.keys(value as object).map((name) => ({
      head: kind === 'by' ? name : `${kind}.${name}`,
      isNumber: kind !== 'by',
      cell: (result) => (result[kind] as Readonly<Record<string, unknown>>)[name],
    }));
  });
}

/** A reference by its name; none as nothing. */
function words(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (JSON.isRawJSON(value)) return value.rawJSON;
  return typeof value === 'object' && 'name' in value ? String(value.name) : String(value);
}
