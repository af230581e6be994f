// Ids are UUIDs of version 7 (RFC 9562). They increase, and createdAt is read out of them, so both give one order.
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { isUuid } from './format.ts';

const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Where a process takes time and ids from. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id of version 7, greater than each before it; its time is never after `now`. */
  newId(): string;
}

/** Chance, fetched for many ids at a time: one by one it costs more than all else of an id. */
const chance = new Uint8Array(16 * 256);
let chanceLeft = 0;
function takeChance(): Uint8Array {
  if (chanceLeft === 0) {
    randomFillSync(chance);
    chanceLeft = chance.length;
  }
  chanceLeft -= 16;
  return chance.subarray(chanceLeft, chanceLeft + 16);
}

/** What the last id was made of: its time, and a count that begins anywhere in the lower half with each millisecond. */
const last = { ms: 0, seq: 0 };
/**
 * How far ids may be ahead of a clock that was set back: until it has caught up, their time stands still, and with it that of
 * all that is written. Beyond that the clock was wrong before, and nobody wants to go by it for days.
 */
const mostAheadMs = 3_600_000;
let setBackMs = 0;

function newMachineId(): string {
  const random = takeChance();
  const ms = Date.now();
  const aheadMs = last.ms - ms;
  setBackMs = Math.max(setBackMs, aheadMs);
  if (aheadMs < 0 || aheadMs > mostAheadMs)
    Object.assign(last, { ms, seq: new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1 });
  else if (last.seq < 0xffff_ffff) last.seq += 1;
  // Four thousand million in a millisecond.
  else Object.assign(last, { ms: last.ms + 1, seq: 0 });
  return newIdAt(last.ms, last.seq, random);
}

const machine: TimeSource = { now: () => Date.now(), newId: newMachineId };
let source = machine;

/**
 * Has everything that this process writes dated by another source, or by the machine's clock again. One for a process,
 * as ids that rise are: for a command that writes a history, never for a service.
 */
export function takeTimeFrom(other: TimeSource = machine): void {
  source = other;
}

/** Whether this process writes a history. */
export const isHistory = (): boolean => source !== machine;

/** The most by which the clock was behind the ids of this process, in milliseconds; 0 where it was not set back. */
export function clockSetBackMs(): number {
  return setBackMs;
}

/**
 * A new id, greater than each before it in this process, even within a millisecond and when the clock is set back by an hour at
 * most.
 */
export function newId(): string {
  return source.newId();
}

/** The time now. */
export function now(): Date {
  return new Date(source.now());
}

/** The time now, as `timeOfId` gives it: never before that of an id made earlier, even when the clock is set back a little. */
export function risingTime(): string {
  return timeOfId(newId()) ?? now().toISOString();
}

/**
 * An id for a given time; `seq` (0 to 2^32 − 1) must rise within a millisecond for the ids to rise.
 * @param random 16 bytes that make it another one; chance where there are none.
 */
export function newIdAt(ms: number, seq: number, random?: Uint8Array): string {
  return v7({ msecs: ms, seq, ...(random && { random }) });
}

/**
 * The time of a version 7 id as `2026-02-28T10:11:12.345Z`, undefined for other texts. Version 7 reaches to the year
 * 10889, our dates do not: such times become the last millisecond of 9999.
 */
export function timeOfId(id: string): string | undefined {
  if (!isUuid(id) || id.charAt(14) !== '7' || !/[89ab]/i.test(id.charAt(19))) return undefined;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return new Date(Math.min(ms, lastMs)).toISOString();
}
