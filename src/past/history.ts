// History: what became of one record, newest first, and all that one write did, to be read or undone. Neither needs positions: within a record the ids
// of entries are in order, so that a write is in it as soon as it is answered.
import { problems } from '../problems.ts';
import type { Resource } from '../registry/model/model.ts';
import { parseSwitch, readPairs } from '../request/parse.ts';
import type { KeptEntry } from '../storage/log/entry.ts';
import { firstTime, isUndone, readRecordEntries, readWrite } from '../storage/log/read-log.ts';
import { readState } from '../storage/log/state.ts';
import type { Session } from '../storage/schema/session.ts';
import { timeOfId } from '../values/id.ts';
import { type LogGround, type LogReader, type ShownEntry, shownEntries } from './page.ts';
import { readInteger } from './parameters.ts';

/** Which part of a history is wanted. */
export interface HistoryRequest {
  readonly limit: number;
  readonly than: { readonly id: number; readonly isNewer: boolean } | undefined;
  readonly withFigures: boolean;
}

const historyNames = ['limit', 'startingAfter', 'endingBefore', 'figures'];

/** @throws Problem 400 */
export function readHistoryRequest(query: string): HistoryRequest {
  const { limit, startingAfter, endingBefore, figures } = Object.fromEntries(
    readPairs(query, { isAllowed: (name) => historyNames.includes(name), names: () => historyNames }),
  );
  if (startingAfter !== undefined && endingBefore !== undefined) throw problems.cursorsExclusive();
  return {
    limit: limit === undefined ? 10 : readInteger('limit', limit, { least: 1, most: 100 }),
    than: entryIn('startingAfter', startingAfter) ?? entryIn('endingBefore', endingBefore),
    withFigures: figures !== undefined && parseSwitch('figures', figures),
  };
}

function entryIn(name: string, text: string | undefined): HistoryRequest['than'] {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw problems.parameterInvalid(name, "the 'entry' of a result");
  return { id: Number(text), isNewer: name === 'endingBefore' };
}

/** A record whose history is wanted. */
interface Asked {
  readonly resource: Resource;
  readonly id: string;
  /** As the caller wrote it, for the message. */
  readonly idAsSent: string;
  readonly reader: LogReader;
}

/**
 * `{"results": […], "hasMore": false, "isComplete": true}`: complete where the log was there before the record.
 * @throws Problem 404 where there is neither record nor entry
 */
export async function historyJson(ground: LogGround, asked: Asked, request: HistoryRequest): Promise<string> {
  const { unit, dialect, names } = ground;
  const { resource, id, idAsSent, reader } = asked;
  const { limit, than, withFigures } = request;
  const of = { groups: names.namesOf(resource), record: id, than, withFigures };
  const found = await readRecordEntries(unit.direct, dialect, { ...of, limit: limit + 1 });
  const isNewer = than?.isNewer === true;
  const hasMore = found.length > limit;
  const entries = !hasMore ? found : isNewer ? found.slice(1) : found.slice(0, limit);
  const isInLog = found.length > 0 || than !== undefined || (await hasAny(ground, of));
  const isKnown = isInLog || (await ground.isThere(resource.name, id));
  if (!isKnown || !(await reader.sees(resource, id))) throw problems.recordUnknown(idAsSent);
  const shown = await shownEntries(ground, names.ofEntries(entries), { reader, placeWord: 'entry' });
  // Everything older than the newest of a page before is told.
  const isEnd = !isNewer && !hasMore;
  const isComplete = isEnd && (entries.at(-1)?.operation === 'create' || (await isWhole(ground, of)));
  return `{"results":[${shown.map(({ json }) => json).join(',')}],"hasMore":${hasMore},"isComplete":${isComplete}}`;
}

type Of = Pick<Parameters<typeof readRecordEntries>[2], 'groups' | 'record'>;

async function hasAny({ unit, dialect }: LogGround, of: Of): Promise<boolean> {
  return (await readRecordEntries(unit.direct, dialect, { ...of, withFigures: true, limit: 1 })).length > 0;
}

/** Whether the first entry of a record is that of its making. */
async function isWhole({ unit, dialect }: LogGround, of: Of): Promise<boolean> {
  const than = { id: 0, isNewer: true };
  const [first] = await readRecordEntries(unit.direct, dialect, { ...of, withFigures: true, than, limit: 1 });
  return first?.operation === 'create';
}

/**
 * `{"results": […]}`: all entries of a write, in order.
 * @throws Problem 404; 410 for one that is older than the log
 */
export async function writeJson(ground: LogGround, write: string, reader: LogReader): Promise<string> {
  const shown = await shownOf(ground, write, reader);
  return `{"results":[${shown.map(({ json }) => json).join(',')}]}`;
}

/** Entries of a write that a reader is shown, by their ids. @throws Problem as `writeJson` */
export async function entriesSeen(ground: LogGround, write: string, reader: LogReader): Promise<ReadonlySet<number>> {
  return new Set((await shownOf(ground, write, reader)).map(({ entry }) => entry.id));
}

async function shownOf(ground: LogGround, write: string, reader: LogReader): Promise<readonly ShownEntry[]> {
  const entries = ground.names.ofEntries(await readWrite(ground.unit.direct, ground.dialect, write));
  if (entries.length === 0) throw await missingWrite(ground, write);
  const shown = await shownEntries(ground, entries, { reader, placeWord: 'entry' });
  if (shown.length === 0) throw problems.writeUnknown(write);
  return shown;
}

/** A write that somebody wants undone. */
interface Undone {
  readonly write: string;
  /** Told each group of which records were changed. @throws Problem where the caller may not */
  readonly allow: (resource: Resource, entry: KeptEntry) => void;
}

/**
 * Reads the entries of a write that somebody wants undone, within the transaction that is to undo it.
 * @returns whether they are all that it had, besides
 * @throws Problem 404; 410 for a write that is older than the log; 409 where it was undone already
 */
export async function readUndone(
  session: Session,
  ground: Pick<LogGround, 'unit' | 'dialect' | 'names'>,
  { write, allow }: Undone,
): Promise<{ readonly entries: readonly KeptEntry[]; readonly isWhole: boolean }> {
  const found = await readWrite(session, ground.dialect, write);
  const entries = ground.names.ofEntries(found);
  const [first] = found;
  if (first === undefined) throw await missingWrite(ground, write);
  for (const entry of entries) {
    const resource = ground.names.registry.resources.get(entry.group);
    if (resource !== undefined) allow(resource, entry);
  }
  if (await isUndone(session, write)) throw problems.writeUndone();
  const isWhole = first.part === 1 && entries.every(({ operation }) => operation !== 'reset');
  return { entries, isWhole: isWhole && entries.length === found.length };
}

/** Why a write is not in the log. */
async function missingWrite({ unit, dialect }: Pick<LogGround, 'unit' | 'dialect'>, write: string): Promise<Error> {
  const time = timeOfId(write);
  const { first } = await readState(unit.direct, dialect);
  const oldest = first === 1 ? undefined : await firstTime(unit.direct, dialect);
  const isForgotten = time !== undefined && first > 1 && (oldest === undefined || time < oldest);
  return isForgotten ? problems.writeForgotten() : problems.writeUnknown(write);
}
