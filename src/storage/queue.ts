// One job at a time, in the order they came: what makes a single connection safe to share.

import { QueueFullError } from './faults.ts';

/** Runs a job after all earlier ones, whether those succeeded or not. @throws QueueFullError when too many wait. */
export type Queue = <T>(job: () => T | Promise<T>) => Promise<T>;

/** @param limit how many jobs may wait or run; more are refused at once, so that a queue cannot grow without end. */
export const createQueue = (limit: number): Queue => {
  let tail: Promise<unknown> = Promise.resolve();
  let length = 0;
  const done = (): void => {
    length -= 1;
  };
  return (job) => {
    if (length >= limit) return Promise.reject(new QueueFullError());
    length += 1;
    const result = tail.then(job);
    tail = result.then(done, done);
    return result;
  };
};
