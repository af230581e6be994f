// Domains by hand, played by one writer and by eight against an evaluator that shares no code with the engine: a library, a ledger,
// a ward, a bill of materials, and what the language learnt last. In the quick run one of them has its turn, by the day.
import { describe, expect, test } from 'vitest';
import { playNumbered } from '../oracle/run.ts';
import { worlds } from '../oracle/worlds.ts';
import { databases } from '../support/databases/databases.ts';
import { isOfPart, turnOf } from '../support/run/part.ts';

const turn = turnOf(worlds.length);
const played = worlds.filter((_one, place) => isOfPart(place === turn));

describe.each(databases)('domains by hand on $name', (database) => {
  test.skipIf(!database.isThere).each(played.flatMap((one) => [1, 8].map((writers) => ({ ...one, writers }))))(
    '$name, by $writers at once: what was foretold, or what is true',
    async ({ domain, writers }) => {
      const found = await playNumbered(domain, database, { seed: 2, place: 0, operations: 60, writers });
      expect(found).not.toHaveProperty('faults');
      expect('differences' in found && found.differences).toEqual([]);
    },
  );
});
