// One write: its entries in pages, and all of them, to be undone.
import { type Problem, problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { readPairs } from '../../request/parse.ts';
import type { KeptEntry } from '../../storage/log/entry.ts';
import { countAtOnce, findPart, firstTime, isUndone, readWholeWrite, readWrite } from '../../storage/log/read-log.ts';
import { readState } from '../../storage/log/state.ts';
import type { Session } from '../../storage/schema/session.ts';
import { timeOfId } from '../../values/id.ts';
import { type LogGround, type LogReader, maxPageBytes, type ShownEntry, shownEntries } from '../page.ts';
import { readInteger } from '../parameters.ts';
import { type EntryCursor, readEntryCursor } from './history.ts';

/** The page of a write that a caller asks for. */
export interface WriteRequest {
  readonly limit: number;
  readonly than: EntryCursor | undefined;
}

const writeNames = ['limit', 'startingAfter', 'endingBefore'];

/** @throws Problem 400 */
export function readWriteRequest(query: string): WriteRequest {
  const parameters = Object.fromEntries(
    readPairs(query, { isAllowed: (name) => writeNames.includes(name), names: () => writeNames }),
  );
  const { limit } = parameters;
  return {
    limit: limit === undefined ? 100 : readInteger('limit', limit, { least: 1, most: 1000 }),
    than: readEntryCursor(parameters),
  };
}

/**
 * Returns `{"results": […], "hasMore": false}`: entries of a write, in order. A page ends early if its entries are long.
 * @throws Problem 404; 410 for a write that is older than the log
 */
export async function writeJson(
  ground: LogGround,
  write: string,
  { request, reader }: { readonly request: WriteRequest; readonly reader: LogReader },
): Promise<string> {
  const { limit, than } = request;
  const isBack = than?.isNewer === true;
  const page: ShownEntry[] = [];
  let bytes = 0;
  // One entry more than the page holds shows that there are more.
  for await (const entries of readShown(ground, write, { reader, than }))
    for (const one of entries) {
      bytes += Buffer.byteLength(one.json);
      const isPast = page.length === limit || (bytes > maxPageBytes && page.length > 0);
      if (isPast) return pageJson(page, { isBack, hasMore: true });
      page.push(one);
    }
  if (page.length === 0) await checkSeen(ground, write, reader);
  return pageJson(page, { isBack, hasMore: false });
}

function pageJson(
  page: readonly ShownEntry[],
  { isBack, hasMore }: { readonly isBack: boolean; readonly hasMore: boolean },
): string {
  const results = (isBack ? page.toReversed() : page).map(({ json }) => json);
  return `{"results":[${results.join(',')}],"hasMore":${hasMore}}`;
}

/** @throws Problem 404 for a write of which the reader sees nothing; 410 for one that is older than the log */
async function checkSeen(ground: LogGround, write: string, reader: LogReader): Promise<void> {
  for await (const entries of readShown(ground, write, { reader, than: undefined })) if (entries.length > 0) return;
  const [first] = await readWrite(ground.unit.direct, ground.dialect, { write, limit: 1 });
  throw first === undefined ? await problemOfMissing(ground, write) : problems.writeUnknown(write);
}

/** Reads the ids of entries of a write that a reader is shown. @throws Problem as `writeJson` */
export async function entriesSeen(ground: LogGround, write: string, reader: LogReader): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for await (const entries of readShown(ground, write, { reader, than: undefined }))
    for (const { entry } of entries) ids.add(entry.id);
  if (ids.size === 0) await checkSeen(ground, write, reader);
  return ids;
}

interface PartOfWrite {
  readonly reader: LogReader;
  readonly than: EntryCursor | undefined;
}

/** Reads entries of a write as they are shown, in chunks, from a cursor on or back. @throws Problem 400 for a cursor of another write */
async function* readShown(
  ground: LogGround,
  write: string,
  { reader, than }: PartOfWrite,
): AsyncGenerator<readonly ShownEntry[], void, undefined> {
  const { unit, dialect, names } = ground;
  const isBack = than?.isNewer === true;
  let place = than && (await findPart(unit.direct, write, than.id));
  if (than !== undefined && place === undefined)
    throw problems.parameterInvalid(isBack ? 'endingBefore' : 'startingAfter', "the 'entry' of a result");
  for (let limit = countAtOnce(undefined); ; ) {
    const storedEntries = await readWrite(unit.direct, dialect, { write, place, isBack, limit });
    yield await shownEntries(ground, names.ofEntries(storedEntries), { reader, placeWord: 'entry' });
    if (storedEntries.length < limit) return;
    place = storedEntries.at(-1)?.part;
    limit = countAtOnce(storedEntries);
  }
}

/** The write that a caller wants to undo. */
interface UndoRequest {
  readonly write: string;
  /** Called with each group whose records were changed. @throws Problem if the caller may not change them back */
  readonly allow: (resource: Resource, entry: KeptEntry) => void;
}

/**
 * Reads the entries of a write, within the transaction that undoes it.
 * @returns the entries, and whether the log has all entries that the write had
 * @throws Problem 404; 410 for a write that is older than the log; 409 if it was undone already
 */
export async function readUndone(
  session: Session,
  ground: Pick<LogGround, 'unit' | 'dialect' | 'names'>,
  { write, allow }: UndoRequest,
): Promise<{ readonly entries: readonly KeptEntry[]; readonly isWhole: boolean }> {
  const entries: KeptEntry[] = [];
  let storedCount = 0;
  let firstPart: number | undefined;
  for await (const storedEntries of readWholeWrite(session, ground.dialect, write)) {
    firstPart ??= storedEntries[0]?.part;
    storedCount += storedEntries.length;
    for (const entry of ground.names.ofEntries(storedEntries)) {
      const resource = ground.names.registry.resources.get(entry.group);
      if (resource !== undefined) allow(resource, entry);
      entries.push(entry);
    }
  }
  if (firstPart === undefined) throw await problemOfMissing(ground, write);
  if (await isUndone(session, write)) throw problems.writeUndone();
  const isWhole = firstPart === 1 && entries.every(({ operation }) => operation !== 'reset');
  return { entries, isWhole: isWhole && entries.length === storedCount };
}

/** Returns the problem of a write that is not in the log. */
async function problemOfMissing(
  { unit, dialect }: Pick<LogGround, 'unit' | 'dialect'>,
  write: string,
): Promise<Problem> {
  const time = timeOfId(write);
  const { first } = await readState(unit.direct, dialect);
  const oldest = first === 1 ? undefined : await firstTime(unit.direct, dialect);
  const isOlder = time !== undefined && first > 1 && (oldest === undefined || time < oldest);
  return isOlder ? problems.writeForgotten() : problems.writeUnknown(write);
}
