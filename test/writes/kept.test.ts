// What is kept by keys that callers choose has an end.
import { expect, test } from 'vitest';
import { endpointsOf, type FilterParameter } from '../../src/endpoints/routes/endpoint.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import type { Statement } from '../../src/storage/schema/compiler.ts';
import { LruCache } from '../../src/storage/schema/lru-cache.ts';
import { registryOf } from '../support/service/praxis.ts';

test('keeps what was asked for last, and makes it once', () => {
  const kept = new LruCache<string>(2);
  const made: string[] = [];
  const ask = (key: string): string =>
    kept.get(key, () => {
      made.push(key);
      return `made of ${key}`;
    });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(ask(key)).toBe(`made of ${key}`);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(kept.size).toBe(2);
});

/** A set of filters for each number: the bits say which. */
const chosen = (filters: readonly FilterParameter[], bits: number): FilterParameter[] =>
  filters.filter((_filter, place) => (bits >> place) % 2 === 1);

test.each(['sqlite', 'mysql'] as const)('keeps so many statements, whatever sets of filters come (%s)', (name) => {
  const groups = new Groups(registryOf('product'), rules, dialects[name]);
  const page = (group: string, filters: readonly FilterParameter[], start: 'first' | 'after'): Statement => {
    const { pages } = groups.get(group).queries;
    const plan = pages.plan(filters);
    if (plan.direct !== undefined) return pages.direct(plan, plan.direct, start);
    const [walk] = plan.walks;
    return walk === undefined ? pages.rows(plan, 1) : pages.walk(plan, walk, start);
  };
  const first = page('client', [], 'first');
  let asked = 0;
  for (const { resource, operation, filters } of endpointsOf(groups.registry)) {
    if (operation !== 'list') continue;
    for (let bits = 0; bits < Math.min(256, 2 ** filters.size); bits += 1) {
      page(resource.name, chosen([...filters.values()], bits), 'after');
      // One that is in use stays.
      expect(page('client', [], 'first')).toBe(first);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(2000);
  expect(groups.statements.size).toBe(2000);
});
