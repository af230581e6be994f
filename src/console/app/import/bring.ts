// Runs an import in the browser: the file is read here, and its rows are sent in batches, each under a key of its own.
import { callOf, documentOf } from '../../../../codegen/import/calls.ts';
import { type ImportResult, importRows } from '../../../../codegen/import/import-rows.ts';
import type { Mapping, RefusedRow } from '../../../../codegen/import/model.ts';
import { proposalOf } from '../../../../codegen/import/proposal.ts';
import { RefusedRows } from '../../../../codegen/import/rows.ts';
import type { GroupModel } from '../service/model.ts';
import { token } from '../service/session.ts';

export type Proposal = Awaited<ReturnType<typeof proposalOf>>;

export interface Asked {
  readonly group: GroupModel;
  readonly file: File;
  readonly mapping: Mapping;
  /** The unique key by which records that are there are changed; none: all are new. */
  readonly key: string | undefined;
  readonly isTrial: boolean;
  /** Told how many rows are judged. */
  readonly onProgress: (count: number) => void;
}

export interface Brought extends ImportResult {
  readonly isTrial: boolean;
  readonly refusedRows: readonly RefusedRow[];
  /** Those as a file, to be mended and imported again. */
  readonly table: string;
  readonly notices: readonly string[];
}

let document: Promise<unknown> | undefined;
/** What the service takes, read once. */
const known = (): Promise<unknown> => {
  document ??= documentOf({ url: location.origin });
  return document;
};

const partBytes = 1024 * 1024;

/** A file part by part, so that none needs to be held whole. */
async function* partsOf(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += partBytes)
    yield new Uint8Array(await file.slice(at, at + partBytes).arrayBuffer());
}

/** @throws ImportFault where it is no table */
export const lookInto = async (group: GroupModel, file: File): Promise<Proposal> =>
  proposalOf({ document: await known(), group: group.name, source: partsOf(file) });

/** So many refused rows end it: something else is wrong then. */
const mostRefused = 1000;

/** @throws ImportFault where it cannot be begun, or not go on: what was taken before stays */
export async function bring({ group, file, mapping, key, isTrial, onProgress }: Asked): Promise<Brought> {
  const refusedRows: RefusedRow[] = [];
  const notices: string[] = [];
  const rows = new RefusedRows();
  const result = await importRows({
    call: callOf({ url: location.origin, token: token.value }),
    document: await known(),
    group: group.name,
    format: 'csv',
    source: partsOf(file),
    // As this console saves tables, so it takes them.
    mapping: { ...mapping, safe: true },
    key,
    isTrial,
    mostRefused,
    onNotice: (text) => notices.push(text),
    onHeader: (names, delimiter) => rows.begin(names, delimiter),
    onRefused: (row) => void refusedRows.push(row),
    onState: ({ created, updated, unchanged, refused }) => onProgress(created + updated + unchanged + refused),
  });
  const table = `\ufeff${rows.header}${refusedRows.map((row) => rows.lineOf(row)).join('')}`;
  return { ...result, isTrial, refusedRows, table, notices };
}
