// What an import would take of a file, before anything is said of it: for people who choose where each column goes.
import { Columns } from './columns.ts';
import { Shapes } from './document.ts';
import { toTarget } from './fields.ts';
import { ImportFault } from './model.ts';
import { csvRows, guessDelimiter, namesIn, ndjsonRows, textOf } from './rows.ts';

interface ProposedColumn {
  readonly name: string;
  /** Where it goes by its name; undefined if it would not be taken. */
  readonly to: string | undefined;
  /** Of the first rows. */
  readonly samples: readonly string[];
}

interface Proposal {
  readonly columns: readonly ProposedColumn[];
  /** Where columns can go: fields, and references by what tells their records apart. */
  readonly targets: readonly string[];
  /** Keys by which existing records are changed: `id`, and unique keys, whose fields are parted by commas. */
  readonly keys: readonly string[];
}

const looked = 3;

/** @throws ImportFault where the file is no table, or the service has no such group */
export async function proposalOf(of: {
  /** The OpenAPI document of the service, parsed. */
  readonly document: unknown;
  readonly group: string;
  /** A table where it is not said. */
  readonly format?: 'csv' | 'ndjson';
  readonly source: AsyncIterable<Uint8Array>;
}): Promise<Proposal> {
  const shapes = new Shapes(of.document);
  const group = shapes.find(of.group);
  if (group === undefined) throw new ImportFault(`There is no group '${of.group}'.`);
  const columns = new Columns(shapes, group, {});
  const isOfRecords = of.format === 'ndjson';
  const { names, rows } = await (isOfRecords ? firstRecords : firstRows)(of.source);
  const proposed = isOfRecords ? names.map((name) => columns.fields.find([name])) : columns.propose(names);
  return {
    columns: names.map((name, place) => ({
      name,
      to: proposed[place] && toTarget(proposed[place]),
      samples: rows.flatMap((row) => row[place] ?? []),
    })),
    targets: columns.fields.all,
    keys: [
      ...(group.operations.has('update') ? ['id'] : []),
      ...(group.operations.has('put') ? group.keys.map((key) => key.join(',')) : []),
    ],
  };
}

interface First {
  readonly names: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

async function firstRows(source: AsyncIterable<Uint8Array>): Promise<First> {
  const first: (readonly (string | null)[])[] = [];
  for await (const { cells } of csvRows(textOf(source, undefined), guessDelimiter)) {
    first.push(cells);
    if (first.length > looked) break;
  }
  const [names, ...rows] = first;
  if (names === undefined) throw new ImportFault('The file is empty.');
  return { names: namesIn(names), rows };
}

async function firstRecords(source: AsyncIterable<Uint8Array>): Promise<First> {
  const first: Readonly<Record<string, unknown>>[] = [];
  for await (const { line, record, fault } of ndjsonRows(textOf(source, undefined))) {
    if (record === undefined) throw new ImportFault(`line ${line}  ${fault ?? 'is not a record'}`);
    first.push(record);
    if (first.length >= looked) break;
  }
  if (first.length === 0) throw new ImportFault('The file is empty.');
  const names = [...new Set(first.flatMap((record) => Object.keys(record)))];
  return { names, rows: first.map((record) => names.map((name) => sampleOf(record[name]))) };
}

/** A value in few letters: a reference by its name. */
function sampleOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}
