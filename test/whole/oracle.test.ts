// Every figure equals its formula and every condition holds, said by an evaluator that shares no code with the engine: over
// domains by chance, by one writer and by several. `npm run oracle` tries more of them.
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cases, days, formulas } from '../oracle/cases.ts';
import { closed } from '../oracle/circles.ts';
import { plain } from '../oracle/compare.ts';
import { evaluate } from '../oracle/evaluate.ts';
import { found } from '../oracle/found.ts';
import { generateDomain } from '../oracle/generate.ts';
import { modelOf } from '../oracle/model.ts';
import { races } from '../oracle/races.ts';
import { playFound, playNumbered, runRace } from '../oracle/run.ts';
import { faultsIn, writeDomain } from '../oracle/service.ts';
import type { Domain } from '../oracle/shape.ts';
import { parseFormula } from '../oracle/syntax.ts';
import { Day, type Row } from '../oracle/values.ts';
import { World } from '../oracle/world.ts';
import { group } from '../oracle/worlds.ts';
import { foretell } from '../oracle/write.ts';
import { databases } from '../support/databases/databases.ts';

describe('the oracle', () => {
  const world = new World(
    modelOf({ thing: group('/things', { day: { type: 'string', format: 'date', description: 'Day' } }) }),
    '2026-03-15',
  );
  const thing: Row = {
    group: 'thing',
    lists: [],
    id: '',
    owner: undefined,
    index: 0,
    values: { day: new Day('2026-03-15') },
  };

  test.each([...formulas, ...days])('%s is %s', (formula, gives) => {
    expect(plain(evaluate(parseFormula(formula), { world, self: thing }).value)).toBe(gives);
  });

  test.each(cases)('$name', ({ domain, steps }) => {
    let records = new World(modelOf(domain), '2026-03-15');
    const rows = (): readonly Row[] => [...records.records.keys()].flatMap((name) => records.rows(name));
    const idOf = (label: unknown): unknown => rows().find(({ values }) => values['label'] === label)?.id ?? label;
    for (const [tag, { ask, leaves = {}, refused }] of steps.entries()) {
      const [operation, name, label, given = {}] = ask;
      const body = Object.fromEntries(
        Object.entries(given).map(([key, value]) => [key, key.endsWith('Id') ? idOf(value) : value]),
      );
      const request = { tag, group: name, operation };
      const foretold = foretell(
        records,
        operation === 'create'
          ? { ...request, body: { label, ...body } }
          : { ...request, id: String(idOf(label)), ...(operation === 'update' && { body }) },
      );
      if (foretold.kind === 'done') records = foretold.world;
      const told = foretold.kind === 'done' ? undefined : foretold.any.flatMap(({ errors = [] }) => errors);
      expect(told, `${operation} ${label}`).toEqual(refused);
      for (const [each, values] of Object.entries(leaves)) {
        const row = rows().find((one) => one.values['label'] === each);
        for (const [key, value] of Object.entries(values)) {
          const shown = row && evaluate(parseFormula(key), { world: records, self: row }).value;
          expect(shown === undefined ? 'no record' : plain(shown), `${each}.${key} after ${operation} ${label}`).toBe(
            value,
          );
        }
      }
    }
  });
});

test('a circle of figures is refused when it is loaded, whatever it goes along', () => {
  const refusedBy = (domain: Domain): readonly string[] => {
    const folder = writeDomain(domain);
    try {
      return faultsIn(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const sound = Array.from({ length: 4 }, (_value, place) => generateDomain(2, place)).filter(
    (domain) => refusedBy(domain).length === 0,
  );
  const ways = sound.flatMap(closed);
  expect(ways.length).toBeGreaterThan(30);
  for (const [way, domain] of ways)
    expect(
      refusedBy(domain).some((fault) => /depends on itself/.test(fault)),
      `${way}: ${JSON.stringify(domain)}`,
    ).toBe(true);
});

describe.each(databases)('domains by chance on $name', (database) => {
  const check = async (seed: number, place: number, writers: number, operations: number): Promise<void> => {
    const domain = generateDomain(seed, place, new Set());
    const played = await playNumbered(domain, database, { seed, place, operations, writers });
    expect(played).not.toHaveProperty('faults');
    expect('differences' in played && played.differences, JSON.stringify(domain)).toEqual([]);
  };

  test.skipIf(!database.isThere).each([1, 2, 3])(
    'by one writer, number %i: each answer and each field is the one foretold',
    (place) => check(4, place, 1, 60),
  );

  test.skipIf(!database.isThere).each([4, 5])('by eight writers, number %i: what they leave behind is true', (place) =>
    check(4, place, 8, 80),
  );

  test.skipIf(!database.isThere).each(found)('found before: $name', async (one) => {
    const played = await playFound(one, database);
    expect(played).not.toHaveProperty('faults');
    expect(played).toMatchObject({ requests: one.requests, differences: [] });
  });

  test.skipIf(!database.isThere).each(races)('at once: $name', async (one) =>
    expect(await runRace(one, database)).toEqual([]),
  );
});
