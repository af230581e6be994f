// Runs an import in the browser: the file is read here, and its rows are sent in batches, each under a key of its own.
import { callOf, documentOf } from '../../../../codegen/import/calls.ts';
import { type ImportResult, type ImportState, importRows } from '../../../../codegen/import/import-rows.ts';
import { ImportFault, type Mapping, type RefusedRow } from '../../../../codegen/import/model.ts';
import { proposalOf } from '../../../../codegen/import/proposal.ts';
import { RefusedRows } from '../../../../codegen/import/rows.ts';
import { importMessages } from '../messages/importing.ts';
import type { GroupModel } from '../service/model.ts';
import { token } from '../service/session.ts';
import { forgetJournal, type Journal, writeJournal } from './journal.ts';
import { recordLines } from './records-text.ts';

export type Proposal = Awaited<ReturnType<typeof proposalOf>>;

export interface Asked {
  readonly group: GroupModel;
  readonly file: File;
  readonly mapping: Mapping;
  /** The unique key by which records that are there are changed; none: all are new. */
  readonly key: string | undefined;
  readonly isTrial: boolean;
  /** Where it goes on. */
  readonly journal?: Journal | undefined;
  /** Ends it after the batch that is under way. */
  readonly ends: AbortSignal;
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

/** A file part by part, so that none needs to be held whole; of records in an array the lines. */
async function* partsOf(file: File): AsyncGenerator<Uint8Array> {
  if (/\.json$/i.test(file.name)) {
    yield new TextEncoder().encode(recordLines(await file.text()));
    return;
  }
  for (let at = 0; at < file.size; at += partBytes)
    yield new Uint8Array(await file.slice(at, at + partBytes).arrayBuffer());
}

/** By its name: a table, or records. */
export const formatOf = ({ name }: File): 'csv' | 'ndjson' =>
  /\.(?:ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv';

/** @throws ImportFault where it is no table, and no records */
export const lookInto = async (group: GroupModel, file: File): Promise<Proposal> =>
  proposalOf({ document: await known(), group: group.name, format: formatOf(file), source: partsOf(file) });

/** So many refused rows end it: something else is wrong then. */
const mostRefused = 1000;

/** @throws ImportFault where it cannot be begun, or not go on: what was taken before stays, and the journal is there to go on by */
export async function bring({
  group,
  file,
  key,
  isTrial,
  journal,
  ends,
  onProgress,
  ...asked
}: Asked): Promise<Brought> {
  const refusedRows: RefusedRow[] = [...(journal?.refusedRows ?? [])];
  const notices: string[] = [];
  const rows = new RefusedRows();
  const format = formatOf(file);
  // As this console saves tables, so it takes them.
  const mapping = { ...asked.mapping, safe: true };
  const note = async (state: ImportState): Promise<void> => {
    await writeJournal({ group: group.name, file, format, mapping: asked.mapping, key, state, refusedRows });
    if (ends.aborted) throw new ImportFault(importMessages.stopped);
  };
  const result = await importRows({
    call: callOf({ url: location.origin, token: token.value }),
    document: await known(),
    group: group.name,
    format,
    source: partsOf(file),
    mapping,
    key,
    isTrial,
    mostRefused,
    state: journal?.state,
    onNotice: (text) => notices.push(text),
    onHeader: (names, delimiter) => rows.begin(names, delimiter),
    onRefused: (row) => void refusedRows.push(row),
    onState: async (state) => {
      onProgress(state.created + state.updated + state.unchanged + state.refused);
      if (!isTrial) await note(state);
    },
  });
  if (!isTrial) await forgetJournal(group.name);
  const table = `${format === 'csv' ? '\ufeff' : ''}${rows.header}${refusedRows.map((row) => rows.lineOf(row)).join('')}`;
  return { ...result, isTrial, refusedRows, table, notices };
}
