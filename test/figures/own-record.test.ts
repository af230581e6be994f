// What a write finds in the record that it makes: each item of a long list may ask for others of it.
import { describe, expect, test } from 'vitest';
import { OwnRecord } from '../../src/facts/own-record.ts';
import type { Wanted } from '../../src/formulas/evaluate/facts.ts';
import type { Resource, Values } from '../../src/registry/model/model.ts';

const lineCount = 10;

/** An invoice of ten lines whose sources count how often somebody looks at their ids. */
function invoiceOf(count: number) {
  let looks = 0;
  const source = (place: number): Values =>
    Object.defineProperty({}, 'id', {
      get: () => {
        looks += 1;
        return `s${place}`;
      },
    });
  const lines = Array.from({ length: lineCount }, (_none, line) => ({
    number: `${line}`,
    tagIds: [`t${line % 2}`, 'all'],
    sources: Array.from({ length: count / lineCount }, (_same, place) => source(line * (count / lineCount) + place)),
  }));
  const values = { id: 'i', lines } as unknown as Values;
  const resource = { name: 'invoice' } as Resource;
  return { own: new OwnRecord({ values, resource, operation: 'create' }), lines, looks: () => looks };
}

const by = (key: string, value: string, { up = 0, isAmong = false } = {}): Wanted =>
  ({ key, up, isAmong, value, group: undefined }) as Wanted;
const inSources = { group: 'invoice', lists: ['lines', 'sources'] };
const inLines = { group: 'invoice', lists: ['lines'] };

describe('the record that is written', () => {
  test('is gone through once, however many of its items ask for one of them', () => {
    const costOf = (count: number): number => {
      const { own, looks } = invoiceOf(count);
      for (let place = 0; place < count; place += 1)
        expect(own.itemsIn(inSources, [by('id', `s${place}`)])).toHaveLength(1);
      return looks();
    };
    expect(costOf(4000)).toBe(4 * costOf(1000));
  });

  test('gives items by values of theirs, of what is around them, and of lists, in their order', () => {
    const { own, lines } = invoiceOf(100);
    const found = own.itemsIn(inSources, [by('number', '3', { up: 1 })]);
    expect(found.map(({ values }) => values['id'])).toEqual(lines[3]?.sources.map(({ id }) => id));
    expect(own.itemsIn(inSources, [by('number', '3', { up: 1 }), by('id', 's35')])).toHaveLength(1);
    expect(own.itemsIn(inSources, [by('number', '3', { up: 1 }), by('id', 's45')])).toEqual([]);
    expect(own.itemsIn(inLines, [by('tagIds', 't1', { isAmong: true })]).map(({ place }) => place)).toEqual([
      1, 3, 5, 7, 9,
    ]);
    expect(own.itemsIn(inLines, [by('number', 'null')])).toEqual([]);
    expect(own.itemsIn(inLines, [])).toHaveLength(lineCount);
    expect(own.itemsIn({ group: 'payment', lists: ['lines'] }, [])).toEqual([]);
  });

  test('is looked through again when it has changed', () => {
    const { own, lines } = invoiceOf(100);
    const places = (number: string) => own.itemsIn(inLines, [by('number', number)]).map(({ place }) => place);
    expect([places('3'), places('new')]).toEqual([[3], []]);
    Object.assign(lines[3] ?? {}, { number: 'new' });
    own.forget('number');
    expect([places('3'), places('new')]).toEqual([[], [3]]);
  });
});
