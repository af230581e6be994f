// What a body with many faults costs: work is counted where it can be, and compared with reading the same bytes elsewhere.
import { expect, test } from 'vitest';
import { fieldFault } from '../../src/problems/field-fault.ts';
import { parseBody } from '../../src/request/body.ts';
import { FaultLog, mostFaults } from '../../src/request/faults.ts';
import { decimalFault } from '../../src/values/decimal.ts';
import { readJson, WideNumber } from '../../src/values/json.ts';
import { isObject, registryOf } from '../support/service/praxis.ts';

const invoice = () => {
  const found = registryOf('product').resources.get('invoice');
  if (found === undefined) throw new Error('there is no invoice');
  return found;
};

test('items behind the last fault that an answer shows are not looked at', () => {
  let looks = 0;
  const lines: unknown[] = Array.from({ length: 1000 }, () => ({ unknown: 1 }));
  Object.defineProperty(lines, 500, {
    enumerable: true,
    get: () => {
      looks += 1;
      return { unknown: 1 };
    },
  });
  const { wrong } = parseBody(invoice(), 'create', { lines });
  expect(wrong?.first).toHaveLength(mostFaults);
  // For faults of the list itself: once to count what its items hold, once to see whether two of them have one id.
  expect(looks).toBe(2);
});

test('no more faults are kept than are shown, and what they concern is known of all', () => {
  const { wrong, values } = parseBody(invoice(), 'create', {
    poNumber: 'P',
    ...Object.fromEntries(Array.from({ length: 500 }, (_value, index) => [`k${index}`, 1])),
    lines: Array.from({ length: 1000 }, () => ({ amount: 'x' })),
  });
  expect(wrong?.first.map(({ text }) => text)).toEqual(
    [
      "'clientId' is required",
      ...Array.from({ length: 60 }, (_value, index) => `'lines[${index}].amount' must be a number`),
    ].slice(0, mostFaults),
  );
  for (const key of ['clientId', 'lines']) expect(wrong?.keys.has(key), key).toBe(true);
  expect(wrong?.keys.size).toBeLessThan(2 * mostFaults);
  expect(wrong?.places.size).toBeLessThan(3 * mostFaults);
  expect(values).toMatchObject({ poNumber: 'P' });
});

test('faults are kept in the order of the record, whatever order they come in', () => {
  const faults = Array.from({ length: 300 }, (_value, n) => (n * 37) % 300).map((n) => ({
    ...{ key: 'lines', place: [4, n], at: `lines[${n}]`, ...fieldFault(`lines[${n}]`, 'is wrong', 'invalid-value') },
  }));
  const log = new FaultLog();
  for (const fault of [...faults, ...faults]) log.add(fault);
  expect(log.first.map(({ place }) => place[1])).toEqual(Array.from({ length: mostFaults }, (_value, n) => n));
  expect(log.isPast({ place: [4, mostFaults] })).toBe(true);
  expect(log.isPast({ place: [4, mostFaults - 2] })).toBe(false);
  expect(log.isDone('other', { place: [5] })).toBe(false);
});

const limit = 1_048_576;
const bodies = {
  'unknown keys of the record': `{${Array.from({ length: 90_000 }, (_value, n) => `"${n.toString(36)}x":1`).join()}}`,
  'unknown keys of items': `{"lines":[${Array.from({ length: 1000 }, () => `{${Array.from({ length: 100 }, (_value, n) => `"k${n}":1`).join()}}`).join()}]}`,
  'items without what they need': `{"lines":[${Array.from({ length: 1000 }, () => `{"sources":[${Array.from({ length: 300 }, () => '{}').join()}]}`).join()}]}`,
  'wrong items': `{"lines":[${Array.from({ length: 1000 }, () => `{"sources":[${Array.from({ length: 450 }, () => '1').join()}]}`).join()}]}`,
};

/** Processor time of the fastest of some runs, in milliseconds. */
function costOf(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

test.each(Object.entries(bodies))('cost a small multiple of what reading their bytes costs: %s', (_name, text) => {
  const bytes = Buffer.from(text);
  expect(bytes.length).toBeLessThan(limit);
  const json = readJson(bytes);
  if (!isObject(json)) throw new Error('the body is no object');
  // Before faults were bounded, a hundred times and more.
  expect(costOf(() => parseBody(invoice(), 'create', json))).toBeLessThan(20 * costOf(() => readJson(bytes)));
});

test('a number of a million digits is compared with bounds by the digits that count', () => {
  const limits = { precision: 18, scale: 4, minimum: 0, maximum: 5 };
  const nines = '9'.repeat(1_000_000);
  const zeros = '0'.repeat(1_000_000);
  expect(decimalFault(new WideNumber(`4.${nines}`), limits)).toBe('a number with at most 4 decimals');
  expect(decimalFault(new WideNumber(`5.${zeros}1`), limits)).toBe('from 0 to 5');
  expect(decimalFault(new WideNumber(`5.${zeros}`), limits)).toBeUndefined();
  expect(decimalFault(new WideNumber(`-0.${zeros}1`), limits)).toBe('from 0 to 5');
  expect(decimalFault(new WideNumber(nines), limits)).toBe('from 0 to 5');
  const bytes = Buffer.from(`{"a":${nines}}`);
  expect(costOf(() => decimalFault(new WideNumber(nines), limits))).toBeLessThan(20 * costOf(() => readJson(bytes)));
});
