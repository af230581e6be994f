// Which part of the tests runs: `quick` is `npm test`, `rest` what that leaves out, `all` both. The configuration of Vitest says it.
import { basename, dirname } from 'node:path';
import { expect } from 'vitest';
import { type Part, roomsInTurn } from './left-out.ts';

const asked = process.env.TEST_PART ?? 'all';
export const part: Part = asked === 'quick' || asked === 'rest' ? asked : 'all';

/** Whether a test runs now. @param isQuick whether `npm test` is to run it */
export const isOfPart = (isQuick: boolean): boolean => part === 'all' || isQuick === (part === 'quick');

/** When the tests began: some of them move the clock. */
const now = new Date();

/** Which of so many portions has its turn today, by the day of the year. TEST_DAY says another day. */
export function turnOf(portions: number): number {
  const day = (now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 1)) / 86_400_000;
  return Math.floor(Number(process.env.TEST_DAY ?? day)) % portions;
}

/** How many of what chance makes up are tried: the first of them in `npm test`. */
export const fewer = (quick: number, all: number): number => (part === 'quick' ? quick : all);

const portions = 6;

/** Whether the file that is being loaded runs on a database now. */
export function isTurnOf({ isServer }: { readonly isServer: boolean }): boolean {
  if (part === 'all') return true;
  const path = expect.getState().testPath ?? '';
  if (!roomsInTurn.includes(basename(dirname(path)))) return true;
  const number = [...basename(path)].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  return isOfPart(!isServer || number % portions === turnOf(portions));
}
