// How many rows the pages of filters read, on both databases: every filter of some groups, alone and in pairs.
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';
import { excess, type Look, lookAtFilters } from '../bench/filter-reads.ts';
import { fillGroups, sizesOf } from '../bench/filter-rows.ts';
import { databases } from '../support/databases/databases.ts';
import { isOfPart } from '../support/run/part.ts';
import { registryOf } from '../support/service/praxis.ts';

const rows = 20_000;
/** Groups with filters of all sorts: states, references, lists of links and of items, days, texts, values shown elsewhere. */
const groups = ['time-entry', 'invoice', 'contact', 'project-member', 'client-role'];
/** `npm run bench -- --filters` looks at all pairs, in a million rows. */
const everyPair = 29;

for (const { name, isServer, isThere, open } of databases) {
  describe.skipIf(!isThere || !isOfPart(!isServer))(`filters (${name})`, () => {
    test('find the right page and read few rows for each that it shows, alone and in pairs', {
      timeout: 600_000,
    }, async () => {
      const { url, drop } = await open('praxis_filters');
      try {
        const registry = registryOf('product');
        const sizes = sizesOf(registry, rows, groups);
        await fillGroups(url, registry, sizes);
        const looks: Look[] = [];
        await lookAtFilters({ databaseUrl: url, registry, rules, sizes, pairs: everyPair, isChecked: true }, (look) =>
          looks.push(look),
        );
        const promised = looks.filter(({ allowed }) => allowed !== undefined);
        // Neither the data nor the count is empty.
        for (const commonness of ['common', 'rare', 'old', 'none'] as const)
          expect(promised.some((look) => look.commonness.includes(commonness))).toBe(true);
        expect(promised.length).toBeGreaterThan(300);
        for (const { shown, read, query } of promised) expect(read, query).toBeGreaterThanOrEqual(shown);
        expect(promised.filter(({ shown }) => shown > 0).length).toBeGreaterThan(promised.length / 4);
        expect(promised.filter((look) => excess(look) > 1)).toEqual([]);
      } finally {
        await drop();
      }
    });
  });
}
