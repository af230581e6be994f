// The history of one record, newest first. It needs no positions: within a record the ids of entries are in order, so that a write
// is in it as soon as it is answered.
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { parseSwitch, readPairs } from '../../request/parse.ts';
import type { KeptEntry } from '../../storage/log/entry.ts';
import { readRecordEntries } from '../../storage/log/read-log.ts';
import { type LogGround, type LogReader, maxPageBytes, shownEntries } from '../page.ts';
import { readInteger } from '../parameters.ts';

/** The page of a history that a caller asks for. */
export interface HistoryRequest {
  readonly limit: number;
  readonly than: EntryCursor | undefined;
  readonly withFigures: boolean;
}

/** An entry from which a page begins, in one direction or the other. */
export interface EntryCursor {
  readonly id: number;
  readonly isNewer: boolean;
}

const historyNames = ['limit', 'startingAfter', 'endingBefore', 'figures'];

/** @throws Problem 400 */
export function readHistoryRequest(query: string): HistoryRequest {
  const { limit, startingAfter, endingBefore, figures } = Object.fromEntries(
    readPairs(query, { isAllowed: (name) => historyNames.includes(name), names: () => historyNames }),
  );
  return {
    limit: limit === undefined ? 10 : readInteger('limit', limit, { least: 1, most: 100 }),
    than: readEntryCursor({ startingAfter, endingBefore }),
    withFigures: figures !== undefined && parseSwitch('figures', figures),
  };
}

/** @throws Problem 400 */
export function readEntryCursor({
  startingAfter,
  endingBefore,
}: Readonly<Partial<Record<string, string>>>): EntryCursor | undefined {
  if (startingAfter !== undefined && endingBefore !== undefined) throw problems.cursorsExclusive();
  return entryIn('startingAfter', startingAfter) ?? entryIn('endingBefore', endingBefore);
}

function entryIn(name: string, text: string | undefined): EntryCursor | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw problems.parameterInvalid(name, "the 'entry' of a result");
  return { id: Number(text), isNewer: name === 'endingBefore' };
}

/** The record whose history a caller reads. */
interface HistorySubject {
  readonly resource: Resource;
  readonly id: string;
  /** As the caller wrote it, for the message. */
  readonly idAsSent: string;
  readonly reader: LogReader;
}

/**
 * Returns `{"results": […], "hasMore": false, "isComplete": true}`: complete if the log is older than the record. A page ends early
 * if its entries are long.
 * @throws Problem 404 if neither the record nor an entry of it exists
 */
export async function historyJson(
  ground: LogGround,
  subject: HistorySubject,
  request: HistoryRequest,
): Promise<string> {
  const { unit, dialect, names } = ground;
  const { resource, id, idAsSent, reader } = subject;
  const { limit, than } = request;
  const query = { groups: names.namesOf(resource), record: id, than, withFigures: request.withFigures };
  const storedEntries = await readRecordEntries(unit.direct, dialect, { ...query, limit: limit + 1 });
  const isNewer = than?.isNewer === true;
  const entries = entriesOnPage(storedEntries, { limit, isNewer });
  const hasMore = entries.length < storedEntries.length;
  const isInLog = storedEntries.length > 0 || than !== undefined || (await hasEntry(ground, query));
  const isKnown = isInLog || (await ground.isThere(resource.name, id));
  if (!isKnown || !(await reader.sees(resource, id))) throw problems.recordUnknown(idAsSent);
  const results = await shownEntries(ground, names.ofEntries(entries), { reader, placeWord: 'entry' });
  // With endingBefore, the caller has read the older entries already.
  const isEnd = !isNewer && !hasMore;
  const isComplete = isEnd && (entries.at(-1)?.operation === 'create' || (await hasCreateEntry(ground, query)));
  return `{"results":[${results.map(({ json }) => json).join(',')}],"hasMore":${hasMore},"isComplete":${isComplete}}`;
}

/** Returns the entries that fit on a page, the nearest to the cursor: as many as the limit, and at most 1 MiB after the first. */
function entriesOnPage(
  storedEntries: readonly KeptEntry[],
  { limit, isNewer }: { readonly limit: number; readonly isNewer: boolean },
): readonly KeptEntry[] {
  const nearest = isNewer ? storedEntries.toReversed() : storedEntries;
  let characters = 0;
  const end = nearest.findIndex(({ length }, index) => {
    characters += length;
    return index === limit || (index > 0 && characters > maxPageBytes);
  });
  if (end === -1) return storedEntries;
  return isNewer ? storedEntries.slice(storedEntries.length - end) : storedEntries.slice(0, end);
}

type RecordOfLog = Pick<Parameters<typeof readRecordEntries>[2], 'groups' | 'record'>;

async function hasEntry({ unit, dialect }: LogGround, query: RecordOfLog): Promise<boolean> {
  return (await readRecordEntries(unit.direct, dialect, { ...query, withFigures: true, limit: 1 })).length > 0;
}

/** Reports whether the log has the create of a record as its first entry. */
async function hasCreateEntry({ unit, dialect }: LogGround, query: RecordOfLog): Promise<boolean> {
  const than = { id: 0, isNewer: true };
  const [first] = await readRecordEntries(unit.direct, dialect, { ...query, withFigures: true, than, limit: 1 });
  return first?.operation === 'create';
}
