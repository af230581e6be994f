import { expect, test } from 'vitest';
import { Attempts } from '../../src/people/attempts.ts';

const minuteMs = 60_000;

/** Limits by a clock that tests move. */
function createAttempts() {
  const clock = { ms: 1_000_000_000_000 };
  const attempts = new Attempts(() => clock.ms);
  const fail = (name: string, address: string): void => attempts.begin(name, address).fail();
  const succeed = (name: string, address: string): void => attempts.begin(name, address).succeed();
  const refusal = (name: string, address: string): unknown => {
    try {
      attempts.begin(name, address).cancel();
      return undefined;
    } catch (error) {
      return error;
    }
  };
  return { attempts, clock, fail, succeed, refusal };
}

const tooMany = expect.objectContaining({ status: 429 });

test('the limit of the process stops callers without a success, for the rest of the minute', () => {
  const { clock, fail, succeed, refusal } = createAttempts();
  succeed('ada', '10.0.0.1');
  for (let index = 0; index < 120; index += 1) fail(`no-one-${index}`, `192.0.2.${index}`);
  expect(refusal('grace', '10.0.0.9')).toEqual(tooMany);
  expect(refusal('ada', '10.0.0.1')).toBeUndefined();
  expect(refusal('ada', '10.0.0.9')).toBeUndefined();
  expect(refusal('grace', '10.0.0.1')).toBeUndefined();
  clock.ms += minuteMs;
  expect(refusal('grace', '10.0.0.9')).toBeUndefined();
});

test('a failure elsewhere does not end the trust in a name at its usual address', () => {
  const { fail, succeed, refusal } = createAttempts();
  succeed('ada', '10.0.0.1');
  fail('ada', '192.0.2.200');
  for (let index = 0; index < 119; index += 1) fail(`no-one-${index}`, `192.0.2.${index}`);
  expect(refusal('ada', '10.0.0.1')).toBeUndefined();
  expect(refusal('ada', '10.0.0.9')).toEqual(tooMany);
});

test('fifty failures of a name from many addresses stop it everywhere', () => {
  const { clock, fail, refusal } = createAttempts();
  for (let index = 0; index < 50; index += 1) fail('ada', `192.0.2.${index}`);
  expect(refusal('ada', '10.0.0.1')).toEqual(tooMany);
  expect(refusal('grace', '10.0.0.1')).toBeUndefined();
  clock.ms += 15 * minuteMs;
  expect(refusal('ada', '10.0.0.1')).toBeUndefined();
});

test('undecided attempts are bounded, and count no more once they are decided', () => {
  const { attempts, refusal } = createAttempts();
  const open = Array.from({ length: 64 }, (_each, index) => attempts.begin(`no-one-${index}`, `192.0.2.${index}`));
  expect(refusal('grace', '10.0.0.9')).toEqual(tooMany);
  for (const attempt of open) {
    attempt.cancel();
    attempt.fail();
  }
  expect(refusal('grace', '10.0.0.9')).toBeUndefined();
  // A decided attempt stays decided: none of those above has become a failure.
  for (let index = 0; index < 119; index += 1) attempts.begin(`other-${index}`, `198.51.100.${index}`).fail();
  expect(refusal('grace', '10.0.0.9')).toBeUndefined();
});
