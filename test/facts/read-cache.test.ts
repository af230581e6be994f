// What a transaction has read, and what of it counts no more once something is written.
import { expect, test } from 'vitest';
import { ReadCache } from '../../src/facts/read-cache.ts';
import { recordValue } from '../../src/formulas/evaluate/facts.ts';

/** Knows two records of one group and one of another, and what was looked for among them. */
function filled(): ReadCache {
  const cache = new ReadCache();
  for (const [group, id] of [
    ['book', 'b1'],
    ['book', 'b2'],
    ['label', 'l1'],
  ] as const) {
    cache.records.put(group, id, { id });
    cache.facts.records.at(group, group).put(id, recordValue({ id }));
    for (const shelf of [cache.lists, cache.ids, cache.existences, cache.found, cache.inside])
      (shelf as typeof cache.ids).put(group, 'asked', [id]);
  }
  return cache;
}

const shelves = ['lists', 'ids', 'existences', 'found', 'inside'] as const;
/** `book: b1 facts b1, lists`: the records of a group that are known, and what was asked of it. */
const known = (cache: ReadCache): readonly string[] =>
  (['book', 'label'] as const).map((group) => {
    const ids = ['b1', 'b2', 'l1'].filter((id) => cache.records.has(group, id));
    const facts = ['b1', 'b2', 'l1'].filter((id) => cache.facts.records.at(group, group).answers.has(id));
    const asked = shelves.filter((name) => cache[name].has(group, 'asked'));
    return `${group}: ${ids.join()} / ${facts.join()} / ${asked.join()}`;
  });

const all = shelves.join();

test.each<readonly [string, (cache: ReadCache) => void, readonly string[]]>([
  ['nothing', () => {}, [`book: b1,b2 / b1,b2 / ${all}`, `label: l1 / l1 / ${all}`]],
  [
    'a record alone',
    (cache) => cache.forgetRecord('book', 'b1'),
    [`book: b2 / b2 / ${all}`, `label: l1 / l1 / ${all}`],
  ],
  ['what was found', (cache) => cache.forgetFound('book'), ['book: b1,b2 / b1,b2 / inside', `label: l1 / l1 / ${all}`]],
  ['a group', (cache) => cache.forget('book'), ['book:  /  / ', `label: l1 / l1 / ${all}`]],
  ['all', (cache) => cache.forget(), ['book:  /  / ', 'label:  /  / ']],
])('forgets %s', (_what, forget, left) => {
  const cache = filled();
  forget(cache);
  expect(known(cache)).toEqual(left);
});
