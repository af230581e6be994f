// The ways that lead to the pages of filters, on few records: each page is the one that a plain statement finds.
import { expect, test } from 'vitest';
import { ListFront } from '../../src/engine/read/ordered-scan.ts';
import type { Course } from '../../src/engine/read/race-way.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { excess, type Look, lookAtFilters } from '../bench/filter-reads.ts';
import { fillGroups, sizesOf } from '../bench/filter-rows.ts';
import { dialects, Project } from '../support/commands/project.ts';
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

test('what a walk has yet to pass is told by how much of the list has filled how much of the page', () => {
  const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
  const [from, to] = [Date.parse(at(0)), Date.parse(at(40))];
  const leftMs = (start: Course['start'], passed: readonly number[], found: number): number => {
    const values = passed.length > 1 ? { cursorTime: at(passed[0] ?? 0), cursorId: '' } : {};
    const front = new ListFront({ start, values, limit: 4 } as unknown as Course);
    front.moveTo('', at(passed.at(-1) ?? 0), 1);
    for (let place = 0; place < found; place += 1) front.found.set(String(place), []);
    return front.leftMs([from, to]) / 1000;
  };
  // From the newest back to the oldest: nothing is found yet; half of the page; more than there is.
  expect([0, 2, 1].map((found) => leftMs('first', [30], found))).toEqual([30, 10, 30]);
  expect([0, 2].map((found) => leftMs('after', [36, 30], found))).toEqual([30, 6]);
  // And from the oldest on.
  expect([0, 2].map((found) => leftMs('last', [10], found))).toEqual([30, 10]);
  expect([0, 2].map((found) => leftMs('before', [4, 10], found))).toEqual([30, 6]);
});

test.for(dialects)(
  '%s: a filter by a unique text finds the record that inherits it, not the one whose own is not shown',
  async (dialect) => {
    const project = await Project.open(dialect);
    try {
      const text = { type: 'string', maxLength: 20 };
      project.describe({
        area: { properties: { name: text } },
        place: {
          properties: {
            name: text,
            area: { reference: 'area', onDelete: 'restrict' },
            isShared: { type: 'boolean', default: false },
            code: {
              ...text,
              default: '',
              filter: 'exact',
              inherits: [{ when: 'isShared == true', from: 'area.name' }],
            },
          },
          unique: [['code']],
        },
      });
      await project.serve(async (call) => {
        const { id: areaId } = (await call('POST', '/areas', { name: 'common' })).body as { id: string };
        for (const [name, isShared] of [
          ['first', false],
          ['second', true],
        ] as const)
          await call('POST', '/places', { name, areaId, isShared, code: `of ${name}` });
        const found = async (code: string): Promise<readonly string[]> => {
          const { body } = await call('GET', `/places?code=${encodeURIComponent(code)}`);
          return (body as { results: { name: string }[] }).results.map(({ name }) => name);
        };
        expect(await found('of first')).toEqual(['first']);
        expect(await found('common')).toEqual(['second']);
        expect(await found('of second')).toEqual([]);
      });
    } finally {
      await project.close();
    }
  },
);
