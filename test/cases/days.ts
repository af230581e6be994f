// Days for cases: calendar arithmetic, and a today that no midnight can change while a case runs.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import type { World } from './case.ts';

const dayMs = 86_400_000;

/** The day `count` days after `date` (before it where that is below 0), both `YYYY-MM-DD`. */
export function dayAfter(date: string, count: number): string {
  return new Date(Date.parse(date) + count * dayMs).toISOString().slice(0, 10);
}

const zone = (world: World, timeZoneId: string) => world.send('PATCH', '/workspace-settings', { timeZoneId });

/** Moves the workspace to where it is noon, so that midnight is far away. @returns today's date there. */
export async function todayOf(world: World): Promise<string> {
  const now = new Date();
  // Etc/GMT-5 is five hours ahead of UTC.
  const ahead = 12 - now.getUTCHours();
  await zone(world, `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`);
  return now.toISOString().slice(0, 10);
}

/** Moves the workspace to where the date is another one than that of `todayOf`. */
export const toAnotherDay = (world: World): Promise<unknown> =>
  // Fourteen hours ahead it is tomorrow from 10 o'clock on, twelve hours behind it is yesterday until noon.
  zone(world, new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Etc/GMT-14');

/** Does something where the date is another one than that of `todayOf`, and comes back. */
export async function onAnotherDay<Result>(world: World, act: () => Promise<Result>): Promise<Result> {
  await toAnotherDay(world);
  const result = await act();
  await todayOf(world);
  return result;
}

/** What was written a moment ago, once the clock has gone on: what is written next has a later time. */
export async function aMomentAgo<T>(written: Promise<T>): Promise<T> {
  const made = await written;
  const now = Date.now();
  while (Date.now() === now) await setImmediate();
  return made;
}

/** Matches a time after this one. */
export const laterThan = (time: unknown): unknown =>
  expect.toSatisfy((value: unknown) => typeof value === 'string' && value > String(time));
