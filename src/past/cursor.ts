// Cursors of the log: `<log>.<position>`, opaque to callers. They lead behind an entry, and tell when they lead nowhere any more.
import { problems } from '../problems.ts';
import type { LogState } from '../storage/log/state.ts';

export const cursorOf = ({ name }: Pick<LogState, 'name'>, position: number): string => `${name}.${position}`;

/** Leads behind all that there is. */
export const headCursor = (state: Pick<LogState, 'name' | 'head'>): string => cursorOf(state, state.head);

const form = /^([0-9a-f]{12})\.(0|[1-9]\d{0,14})$/;

/** A cursor that has the form of one. */
export interface ReadCursor {
  readonly log: string;
  readonly position: number;
  /** Whether it comes from the header `Last-Event-ID`, which messages then name. */
  readonly isOfHeader?: boolean;
}

/** @throws Problem 400 */
export function readCursor(parameter: string, text: string): ReadCursor {
  const [, log, position] = form.exec(text) ?? [];
  if (log === undefined || position === undefined) throw problems.parameterInvalid(parameter, 'a cursor of this log');
  return { log, position: Number(position) };
}

/** Whether a cursor leads to what is not there: another node has told of it, or the database was restored. */
export const isBeyond = ({ name, head }: LogState, { log, position }: ReadCursor): boolean =>
  log === name && position > head;

/**
 * The position behind which to go on.
 * @throws Problem 410 for a cursor of another log, one behind which entries were forgotten, or one that is not there yet
 */
export function positionIn({ name, first, head }: LogState, parameter: string, cursor: ReadCursor): number {
  const { log, position, isOfHeader } = cursor;
  if (log === name && position >= first - 1 && position <= head) return position;
  throw isOfHeader === true ? problems.lastEventTooOld() : problems.cursorTooOld(parameter);
}
