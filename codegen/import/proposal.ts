// What an import of a table would take, before anything is said of it: for people who choose where each column goes.
import { Columns } from './columns.ts';
import { Shapes } from './document.ts';
import { ImportFault } from './model.ts';
import { csvRows, guessDelimiter, textOf } from './rows.ts';

interface ProposedColumn {
  readonly name: string;
  /** Where it goes by its name; undefined where that is nothing known. */
  readonly to: string | undefined;
  /** Of the first rows. */
  readonly samples: readonly string[];
}

interface Proposal {
  readonly columns: readonly ProposedColumn[];
  /** Where columns can go: fields, and references by what tells their records apart. */
  readonly targets: readonly string[];
  /** Unique keys by which records that are there are changed, their fields parted by commas. */
  readonly keys: readonly string[];
}

const looked = 3;

/** @throws ImportFault where the file is no table, or the service has no such group */
export async function proposalOf(of: {
  /** The OpenAPI document of the service, parsed. */
  readonly document: unknown;
  readonly group: string;
  readonly source: AsyncIterable<Uint8Array>;
}): Promise<Proposal> {
  const shapes = new Shapes(of.document);
  const group = shapes.find(of.group);
  if (group === undefined) throw new ImportFault(`There is no group '${of.group}'.`);
  const columns = new Columns(shapes, group, {});
  const first: (readonly (string | null)[])[] = [];
  for await (const { cells } of csvRows(textOf(of.source, undefined), guessDelimiter)) {
    first.push(cells);
    if (first.length > looked) break;
  }
  const [names, ...rows] = first;
  if (names === undefined) throw new ImportFault('The file is empty.');
  return {
    columns: names.map((cell, place) => {
      const name = (cell ?? '').replace(/^\uFEFF/, '').trim();
      return { name, to: columns.guess(name), samples: rows.flatMap((row) => row[place] ?? []) };
    }),
    targets: columns.known(),
    keys: group.operations.has('put') ? group.keys.map((key) => key.join(',')) : [],
  };
}
