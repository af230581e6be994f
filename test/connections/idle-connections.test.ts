// Connections that nobody uses are given to whoever comes next, and closed when that takes too long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MysqlConnection } from '../../src/storage/mysql/connection.ts';
import { IdleConnections } from '../../src/storage/mysql/idle-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One that only tells whether it was closed. */
const connect = () => {
  const destroy = vi.fn();
  return { link: { connection: { destroy } } as unknown as MysqlConnection, destroy };
};

test('the last used one comes first, and one that was closed does not come', () => {
  const idle = new IdleConnections();
  const [one, two, three] = [connect(), connect(), connect()];
  for (const { link } of [one, two, three]) idle.put(link);
  idle.forget(two.link);
  expect(idle.next).toBe(three.link);
  expect([idle.take(), idle.take(), idle.take()]).toEqual([three.link, one.link, undefined]);
  idle.stop();
});

test('one that nobody has used for half a minute is closed, and does not come any more', () => {
  const idle = new IdleConnections();
  const [old, used] = [connect(), connect()];
  idle.put(old.link);
  idle.put(used.link);
  vi.advanceTimersByTime(29_000);
  idle.put(idle.take() ?? old.link);
  expect(old.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3000);
  expect(old.destroy).toHaveBeenCalledOnce();
  expect(used.destroy).not.toHaveBeenCalled();
  expect(idle.take()).toBe(used.link);
  expect(idle.next).toBeUndefined();
  idle.stop();
  expect(vi.getTimerCount()).toBe(0);
});
