// What a reader of the log asks for: from where on, how much, and of which entries.

import { rowOf } from '../endpoints/values/kinds.ts';
import { entryCauses, entryOperations } from '../endpoints/values/log-words.ts';
import { enumWords } from '../endpoints/values/words.ts';
import { Problem, problems } from '../problems.ts';
import type { Resource } from '../registry/model/model.ts';
import { readPairs } from '../request/parse.ts';
import type { CauseKind, EntryOperation } from '../storage/log/entry.ts';
import { maxWordsInMessage, nearestThree } from '../text/nearest.ts';
import { isUuid } from '../values/format.ts';
import { type ReadCursor, readCursor } from './cursor.ts';
import type { NamesOfToday } from './names.ts';

/** Between two entries; `now`: behind all of them. */
type Place = ReadCursor | 'now';

type FeedOperation = EntryOperation | 'gone';

/** Which entries somebody follows. */
export interface Following {
  readonly groups?: readonly Resource[] | undefined;
  readonly record?: string | undefined;
  readonly operations?: readonly FeedOperation[] | undefined;
  readonly causes?: readonly CauseKind[] | undefined;
  readonly member?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** One page of the feed. */
export interface FeedRequest extends Following {
  /** Undefined: from the oldest entry that is kept. */
  readonly after: Place | undefined;
  /** Where a reader begins that goes back, to the newest entry before it first. */
  readonly before?: Place | undefined;
  readonly limit: number;
  /** How long to wait for an entry where there is none. */
  readonly waitMs: number;
}

const feedNames = ['after', 'before', 'limit', 'group', 'id', 'operation', 'cause', 'member', 'since', 'until', 'wait'];

/**
 * @param lastEventId What a reader of events has seen last: it goes before `after`, which stays in the address of the stream.
 * @throws Problem 400
 */
export function readFeedRequest(query: string, names: NamesOfToday, lastEventId?: string): FeedRequest {
  const given = readPairs(query, {
    isAllowed: (name) => feedNames.includes(name),
    names: () => feedNames,
    lists: ['group', 'operation', 'cause'],
  });
  const { after, before, limit, wait } = Object.fromEntries(given);
  if (before !== undefined && (after ?? wait) !== undefined)
    throw problems.parameterInvalid('before', "given without 'after' and 'wait'");
  const following = readFollowing(given, names);
  return {
    ...following,
    after: lastEventId ? seenLast(lastEventId) : placeIn('after', after),
    before: placeIn('before', before),
    limit: limit === undefined ? 100 : readInteger('limit', limit, { least: 1, most: 1000 }),
    waitMs: wait === undefined ? 0 : readInteger('wait', wait, { least: 0, most: 60 }) * 1000,
  };
}

const placeIn = (name: string, text: string | undefined): Place | undefined =>
  text === undefined || text === 'now' ? text : readCursor(name, text);

/** @throws Problem 400 */
function seenLast(id: string): ReadCursor {
  try {
    return { ...readCursor('after', id), isOfHeader: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw problems.headerInvalid('Last-Event-ID', 'a cursor of this log');
  }
}

function readFollowing(given: ReadonlyMap<string, string>, names: NamesOfToday): Following {
  const group = given.get('group');
  const id = given.get('id');
  const member = given.get('member');
  const groups = group === undefined ? undefined : group.split(',').map((name) => groupOf(name, names));
  if (id !== undefined && groups?.length !== 1) throw problems.parameterInvalid('id', "given with one 'group'");
  for (const [name, value] of [
    ['id', id],
    ['member', member],
  ] as const)
    if (value !== undefined && !isUuid(value)) throw problems.uuidMalformed(name);
  return {
    groups,
    record: id?.toLowerCase(),
    member: member?.toLowerCase(),
    operations: readWords('operation', given.get('operation'), entryOperations),
    causes: readWords('cause', given.get('cause'), entryCauses),
    since: readMoment('since', given.get('since')),
    until: readMoment('until', given.get('until')),
  };
}

/** Finds a group that keeps a log by its name. @throws Problem 400 with all names, or the nearest three if there are many */
function groupOf(name: string, { registry }: NamesOfToday): Resource {
  const found = registry.resources.get(name);
  if (found?.isLogged === true) return found;
  const known = [...registry.resources.values()].filter(({ isLogged }) => isLogged).map((resource) => resource.name);
  if (known.length <= maxWordsInMessage) throw problems.parameterInvalid('group', enumWords(known));
  const none = `'${name.slice(0, 255)}' is none; ${nearestThree(name, known)}`;
  throw problems.parameterWrong('group', 'groups that keep a log', none);
}

/** @throws Problem 400 */
export function readInteger(
  name: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = /^(?:0|[1-9]\d{0,5})$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) throw problems.parameterInvalid(name, `an integer from ${least} to ${most}`);
  return value;
}

/** Words with commas between them. @throws Problem 400 */
function readWords<W extends string>(
  name: string,
  text: string | undefined,
  known: readonly W[],
): readonly W[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((word) => {
    const found = known.find((each) => each === word);
    if (found === undefined) throw problems.parameterInvalid(name, enumWords(known));
    return found;
  });
}

const moment = { kind: 'dateTime' } as const;

function readMoment(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const row = rowOf(moment);
  const value = row.fromText(moment, text, true);
  if (typeof value !== 'string') throw problems.parameterInvalid(name, row.textWords(moment));
  return value;
}
