// What formulas have given while it was found out what a write reads: given again as long as it would be the same.
import { describe, expect, test } from 'vitest';
import { type Judged, Results } from '../../src/facts/results.ts';
import { recordValue } from '../../src/formulas/evaluate/facts.ts';
import type { Noted } from '../../src/formulas/evaluate/memo.ts';
import type { Tree } from '../../src/formulas/language/tree.ts';
import { notKnown } from '../../src/formulas/language/value.ts';
import type { Values } from '../../src/registry/model/model.ts';

const literal = (value: string): Tree => ({
  op: 'literal',
  literal: { kind: 'text', value },
  type: { kind: 'text' },
  nullable: false,
  start: 0,
  end: 0,
});
const [sum, other] = [literal('sum'), literal('other')];
const found: Judged = { value: '12', throughNull: false, overlong: undefined, isPartial: false };

/** A write whose formula looks at `amount` and `lines`. */
function begun(values: Values, sketch: Values = structuredClone(values)) {
  const encounters = { unknown: 0, forgotten: 0 };
  const results = new Results(values, (tree) => (tree === sum ? ['amount', 'lines'] : []), encounters);
  results.begin(sketch);
  const given = (way: 'judging' | 'computing' = 'computing', tree = sum): Judged | undefined =>
    results.of(tree, recordValue(values), way);
  const put = (noted: Noted = found): void => results.put(sum, noted, 'computing');
  return { values, sketch, encounters, results, given, put };
}

const record = (): Values => ({ id: '1', amount: '10', lines: [{ net: '2' }], notes: null });

describe('what a formula has given', () => {
  test('is given again on the record of the write, to those alone that look at it in the same way', () => {
    const { given, put } = begun(record());
    expect(given()).toBeUndefined();
    put();
    expect(given()).toBe(found);
    expect(given('judging')).toBeUndefined();
    expect(given('computing', other)).toBeUndefined();
  });

  test('is not kept where it was not known, or looked at what was not', () => {
    const { given, put } = begun(record());
    put({ ...found, value: notKnown });
    expect(given()).toBeUndefined();
    put({ ...found, isPartial: true });
    expect(given()).toBeUndefined();
  });

  test('counts while the fields are as they were that it looks at, inside of lists too', () => {
    const { values, given, put } = begun(record());
    put();
    values['notes'] = 'Another';
    values['lines'] = [{ net: '2' }];
    expect(given()).toBe(found);
    values['lines'] = [{ net: '3' }];
    expect(given()).toBeUndefined();
    values['lines'] = [{ net: '2' }];
    expect(given()).toBe(found);
    values['amount'] = '11';
    expect(given()).toBeUndefined();
  });

  test('counts for what the sketch held that others have filled in since', () => {
    const { values, given, put } = begun({ ...record(), amount: undefined }, record());
    put();
    expect(given()).toBeUndefined();
    values['amount'] = '10';
    expect(given()).toBe(found);
  });

  test('is nothing to another record, or to an item of one', () => {
    const { values, results, put } = begun(record());
    put();
    expect(results.of(sum, recordValue({ ...values }), 'computing')).toBeUndefined();
    expect(results.of(sum, { ...recordValue(values), owner: recordValue(values) }, 'computing')).toBeUndefined();
  });

  test('is gone when anything is forgotten, when the sketch takes another value, and when it begins anew', () => {
    const { encounters, results, given, put } = begun(record());
    put();
    encounters.forgotten += 1;
    expect(given()).toBeUndefined();
    put();
    expect(given()).toBe(found);
    results.clear();
    expect(given()).toBeUndefined();
    put();
    results.begin(record());
    expect(given()).toBeUndefined();
  });
});
