// Who waits for changes: so many of one token, and so many of one process.
import { expect, it } from 'vitest';
import { Listeners } from '../../src/past/listeners.ts';

it('lets in twenty of a token and five hundred of a process, and others when these leave', () => {
  const listeners = new Listeners();
  const leave = Array.from({ length: 500 }, (_each, nth) => listeners.enter(`token ${nth % 25}`));
  expect(listeners.count).toBe(500);
  expect(() => listeners.enter('token 0')).toThrow(expect.objectContaining({ status: 429 }));
  expect(() => listeners.enter('another')).toThrow(expect.objectContaining({ status: 503 }));
  leave[0]?.();
  const another = listeners.enter('another');
  expect(() => listeners.enter('token 0')).toThrow(expect.objectContaining({ status: 503 }));
  another();
  listeners.enter('token 0');
  expect(listeners.count).toBe(500);
});
