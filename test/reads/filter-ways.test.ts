// The ways that lead to the pages of filters, on few records: each page is the one that a plain statement finds.
import { expect, test } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';
import { excess, type Look, lookAtFilters } from '../bench/filter-reads.ts';
import { fillGroups, sizesOf } from '../bench/filter-rows.ts';
import { sqlite } from '../support/databases/databases.ts';
import { registryOf } from '../support/service/praxis.ts';

const rows = 2000;
const everyPair = 43;

const subjects = [
  { title: 'spans, walks and days', folder: 'product', groups: ['time-entry'] },
  { title: 'spans of numbers and of moments', folder: 'fair', groups: ['talk'] },
] as const;

test.each(subjects)(
  '$title find the right page, in both directions and behind any place',
  async ({ folder, groups }) => {
    const { url, drop } = await sqlite.open('praxis_ways');
    try {
      const registry = registryOf(folder);
      const sizes = sizesOf(registry, rows, groups);
      await fillGroups(url, registry, sizes);
      const looks: Look[] = [];
      await lookAtFilters({ databaseUrl: url, registry, rules, sizes, pairs: everyPair, isChecked: true }, (look) =>
        looks.push(look),
      );
      // Several statements are several steps, of one way or of some that race.
      expect(looks.filter(({ shown, statements }) => shown > 0 && statements > 2).length).toBeGreaterThan(20);
      expect(looks.filter((look) => excess(look) > 1)).toEqual([]);
    } finally {
      await drop();
    }
  },
  60_000,
);
