// `praxis import`: brings the records of a file into a workspace, as a client of its API.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { callOf } from '../../../codegen/import/calls.ts';
import {
  type ImportMode,
  type ImportOptions,
  type ImportResult,
  importModes,
  importRows,
} from '../../../codegen/import/import-rows.ts';
import { checkMapping, type ImportCall, ImportFault, type Mapping } from '../../../codegen/import/model.ts';
import { batchesOf, documentOf } from '../../app/data/in-process.ts';
import { openWorkspace } from '../../app/workspace.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { counted } from '../output/counted.ts';
import { progressOn } from '../output/progress.ts';
import { type JsonFlag, print, printJson } from '../output/terminal.ts';
import { Journal } from './journal.ts';
import { RefusedFile } from './refused-file.ts';
import { groupsOf } from './remote.ts';
import { restore } from './restore.ts';
import { bringBack } from './restore-part.ts';

export interface ImportArguments extends JsonFlag {
  readonly group?: string;
  readonly format?: string;
  readonly map?: string;
  readonly key?: string;
  readonly mode?: string;
  readonly try?: boolean;
  readonly stop?: boolean;
  readonly maxRefused: string;
  readonly chunk: string;
  readonly callers: string;
  readonly ignoreColumns?: boolean;
  readonly journal?: string;
  readonly all?: string;
  readonly keepIds?: boolean;
  readonly fromBackup?: string;
  /** Of records that are brought back. */
  readonly id?: readonly string[];
  readonly url?: string;
  readonly token?: string;
}

/** Refused rows that are shown; the others are in the file. */
const mostShown = 20;

/** @returns the status of the command: 1 where rows were refused. @throws ConfigurationFault where nothing can be begun */
export async function importRecords(
  config: Config,
  file: string | undefined,
  options: ImportArguments,
): Promise<0 | 1> {
  const { fromBackup, all, group, id = [], json } = options;
  if ([file, all, fromBackup].filter((source) => source !== undefined).length !== 1)
    throw new ConfigurationFault(
      'The import needs one file, --all <folder> with --keep-ids for an export of all groups, or --from-backup <file>.',
    );
  if (fromBackup !== undefined) {
    if (options.url !== undefined)
      throw new ConfigurationFault('--from-backup writes to the configured database; remove --url.');
    return bringBack(config, { fromBackup, group, id, isTrial: options.try === true, json });
  }
  if (id.length > 0) throw new ConfigurationFault('--id requires --from-backup.');
  if (file !== undefined) {
    if (options.keepIds === true && options.url !== undefined)
      throw new ConfigurationFault(
        '--keep-ids writes to the configured database, because a service generates its own ids; remove --url.',
      );
    return importFile(config, file, options);
  }
  if (options.keepIds !== true || options.url !== undefined)
    throw new ConfigurationFault(
      '--all restores into an empty workspace of the configured database; add --keep-ids and remove --url.',
    );
  await restore(config, String(all), options);
  return 0;
}

async function importFile(config: Config, file: string, options: ImportArguments): Promise<0 | 1> {
  if (!existsSync(file)) throw new ConfigurationFault(`The file ${file} does not exist.`);
  const mapping = options.map === undefined ? undefined : readMapping(options.map);
  const group = options.group ?? mapping?.group;
  if (group === undefined) throw new ConfigurationFault('The import needs the group of the records: --group <name>.');
  const format = formatOf(file, options.format);
  const shared = {
    group,
    format,
    mapping,
    key: options.key,
    mode: modeOf(options.mode),
    isTrial: options.try,
    stops: options.stop,
    mostRefused:
      options.maxRefused === 'all' ? Number.POSITIVE_INFINITY : wholeOf('--max-refused', options.maxRefused, [0, 1e9]),
    chunk: wholeOf('--chunk', options.chunk, [1, 1000]),
    callers: wholeOf('--callers', options.callers, [1, 8]),
    keepsIds: options.keepIds,
    ignoresColumns: options.ignoreColumns,
  };
  const place = await placeOf(config, options);
  try {
    return await carryOut({ ...place, ...shared }, file, options);
  } catch (error) {
    throw error instanceof ImportFault ? new ConfigurationFault(error.message, error) : error;
  } finally {
    await place.close();
  }
}

type Shared = Omit<ImportOptions, 'source'>;

async function carryOut(shared: Shared, file: string, options: ImportArguments): Promise<0 | 1> {
  const { isTrial = false } = shared;
  const identity = isTrial ? '' : await digestOf(file, shared);
  const journal = isTrial ? undefined : Journal.open(options.journal ?? `${file}.praxis-import`, identity);
  const refused = new RefusedFile(refusedName(file, shared.format), {
    isTrial,
    bytes: journal?.refusedBytes ?? 0,
  });
  const progress = progressOn(process.stderr);
  const tellLine = (text: string): void => {
    progress.clear();
    if (options.json !== true) print(text);
  };
  let shown = 0;
  const notices: string[] = [];
  try {
    const result = await importRows({
      ...shared,
      source: createReadStream(file),
      state: journal?.state,
      onNotice: (text) => {
        notices.push(text);
        tellLine(text);
      },
      onHeader: (names, delimiter) => refused.rows.begin(names, delimiter),
      onRefused: (row) => {
        shown += 1;
        if (shown <= mostShown) tellLine(`line ${row.line}  ${row.errors.join('; ')}`);
        else if (shown === mostShown + 1) tellLine('…');
        refused.add(row);
      },
      onState: (state) => {
        const all = state.created + state.updated + state.unchanged + state.refused;
        progress.show(counted(all, 'record'));
        journal?.note(state, refused.flush());
      },
    });
    progress.end();
    refused.flush();
    if (result.stopped === undefined) journal?.remove();
    const name = refused.name;
    if (options.json === true) printJson({ ...result, notices, refusedFile: name });
    else print(summary(result, { isTrial, name }));
    return result.refused === 0 ? 0 : 1;
  } finally {
    progress.end();
    refused.close();
  }
}

function summary(
  result: ImportResult,
  { isTrial, name }: { readonly isTrial: boolean; readonly name: string | undefined },
): string {
  const { rows, created, updated, unchanged, refused, unjudged, ignored, leftOut, stopped } = result;
  const taken = [
    `${grouped(created)} created`,
    `${grouped(updated)} updated`,
    ...(unchanged > 0 ? [`${grouped(unchanged)} unchanged`] : []),
  ];
  const end = [
    ...(ignored.length > 0 ? [`\nIgnored columns: ${ignored.join(', ')}.`] : []),
    ...(leftOut.length > 0
      ? [`\nOmitted if computed, inherited, not applicable or set by the service: ${leftOut.join(', ')}.`]
      : []),
    ...(stopped === undefined ? [] : [`\nStopped: ${stopped}.`]),
  ].join('');
  if (isTrial) {
    const more = unjudged > 0 ? `; ${grouped(unjudged)} not checked` : '';
    return `${grouped(refused)} of ${counted(rows, 'row')} would be refused; ${taken.join(', ')}${more}. Nothing was written.${end}`;
  }
  return `${taken.join(', ')}${refused > 0 ? `, ${grouped(refused)} refused: ${name}` : ', 0 refused'}.${end}`;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

/** What is asked, and what it offers. */
async function placeOf(
  config: Config,
  { url, token, keepIds }: ImportArguments,
): Promise<{ call: ImportCall; document: unknown; close(): Promise<void> }> {
  if (url !== undefined) {
    return { call: callOf({ url, token }), document: await groupsOf(url), close: async () => {} };
  }
  const workspace = await openWorkspace(config);
  const answer = batchesOf(workspace, keepIds);
  const call: ImportCall = (_method, _path, request) => answer(request ?? { body: {} });
  return { call, document: documentOf(workspace), close: () => workspace.close() };
}

function readMapping(file: string): Mapping {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationFault(`The mapping ${file} cannot be read.`, error);
  }
  try {
    return checkMapping(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationFault(`The mapping ${file}: ${reason}`, error);
  }
}

function formatOf(file: string, said: string | undefined): 'csv' | 'ndjson' {
  if (said === 'csv' || said === 'ndjson') return said;
  if (said !== undefined) throw new ConfigurationFault(`--format must be csv or ndjson, not '${said}'.`);
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  if (/\.(csv|tsv|txt)$/i.test(file)) return 'csv';
  throw new ConfigurationFault(`The name of ${file} has no known extension; add --format csv or --format ndjson.`);
}

function modeOf(said: string | undefined): ImportMode | undefined {
  const mode = importModes.find((each) => each === said);
  if (said !== undefined && mode === undefined)
    throw new ConfigurationFault(`--mode must be upsert, create or update, not '${said}'.`);
  return mode;
}

function wholeOf(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigurationFault(`${name} must be a whole number from ${least} to ${most}, not '${text}'.`);
}

const refusedName = (file: string, format: 'csv' | 'ndjson'): string =>
  `${file.replace(/\.(csv|tsv|txt|ndjson|jsonl)$/i, '')}.refused.${format}`;

/** Of the file and of all by which it is read and cut into chunks: another one is another import. */
async function digestOf(file: string, { call: _call, document: _document, ...rest }: Shared): Promise<string> {
  const hash: Hash = createHash('sha256').update(JSON.stringify([rest, statSync(file).size]));
  for await (const bytes of createReadStream(file)) hash.update(bytes as Uint8Array);
  return hash.digest('hex');
}
