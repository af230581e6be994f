// What one write asks of the database does not hang on how many siblings its record has; and whatever moves by a difference is
// what its formula gives.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askedText } from '../support/databases/noted.ts';
import { openCounter, type RowCounter } from '../support/databases/rows-read.ts';
import { grounds } from '../support/service/praxis.ts';
import { type Boxes, Ground, type Measured, operations } from './growth/ground.ts';
import { boxOf, descriptorsOf, leafOf, referenceOf, shapes } from './growth/shapes.ts';
import { floors, towers, tree } from './growth/towers.ts';

const seed = Number(process.env['PRAXIS_SEED'] ?? 7);
const [few, many, veryMany] = [10, 400, 10_000];

// Where there is nothing to run it on now, that is said.
for (const { name, open } of grounds)
  describe.skipIf(open === undefined)(`on ${name}`, () => {
    let ground: Ground;
    let url = '';
    let close: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      const opened = await open?.();
      if (opened === undefined) throw new Error('there is no database');
      ({ url, close } = opened);
      const all = [...shapes.map(descriptorsOf), ...towers.map(({ descriptors }) => descriptors)];
      ground = await Ground.open(opened.url, all, veryMany);
    }, 120_000);
    afterAll(async () => {
      await ground?.close();
      await close?.();
    }, 60_000);

    test.each(shapes.filter(({ grows }) => grows !== 'here'))(
      'the shape $name asks beside many as it does beside few',
      async (shape) => {
        const boxes = await ground.fill(shape, [few, many]);
        // Figures that are taken when the box is written are, by the first ones.
        for (const size of [few, many]) await ground.measure(boxes, size);
        const [one, other] = [await ground.measure(boxes, few), await ground.measure(boxes, many)];
        const counter = await openCounter(url);
        try {
          const taken: number[] = [];
          for (const deed of operations) {
            const asked = [one, other].map((measured) => countsOf(measured.get(deed)));
            expect(asked[1], deed).toEqual(asked[0]);
            taken.push(await takenUp(counter, other.get(deed)));
          }
          // What `check` does not tell takes up no more rows inside of the database either.
          if (shape.grows === undefined) expect(Math.max(...taken)).toBeLessThan(many / 4);
          if (shape.grows === 'inside') expect(Math.max(...taken)).toBeGreaterThanOrEqual(many);
        } finally {
          await counter.close();
        }
      },
      60_000,
    );

    test('what is kept for a figure alone moves it by the difference, and nobody sees it', async () => {
      const shape = shapes.find(({ name }) => name === 'average-of-kept');
      if (shape === undefined) throw new Error('there is no such shape');
      const boxes = await ground.fill(shape, [few]);
      const body = { name: 'New', [referenceOf(shape)]: boxes.boxes.get(few) ?? '', n: 4, day: '2026-02-03' };
      const shown = async () => (await ground.execute('get', boxOf(shape), { id: boxes.boxes.get(few) ?? '' })).body;
      const before = await shown();
      expect(Object.keys(before)).toEqual(['id', 'name', 'out', 'createdAt']);
      const made = await ground.execute('create', leafOf(shape), { body });
      expect(await ground.differences(shape)).toEqual([]);
      expect((await shown())['out']).not.toBe(before['out']);
      await ground.execute('delete', leafOf(shape), { id: String(made.body['id']) });
      expect(await shown()).toEqual(before);
    }, 60_000);

    test('sums of sums five groups deep ask beside many as they do beside few', async () => {
      const sites = [await floors.build(ground, few), await floors.build(ground, many)];
      const counts: unknown[] = [];
      for (const site of sites) {
        await ground.measureAt(site);
        counts.push([...(await ground.measureAt(site))].map(([deed, measured]) => [deed, countsOf(measured)]));
      }
      expect(counts[1]).toEqual(counts[0]);
      expect(await ground.wrongIn(Object.keys(floors.descriptors))).toEqual([]);
    }, 60_000);

    test('sums of sums up a tree ask by its depth alone', async () => {
      const asked: ReadonlyMap<string, ReturnType<typeof countsOf>>[] = [];
      for (const depth of [5, 10, 20]) {
        const site = await tree.build(ground, depth);
        await ground.measureAt(site);
        asked.push(new Map([...(await ground.measureAt(site))].map(([deed, measured]) => [deed, countsOf(measured)])));
      }
      for (const deed of operations)
        for (const key of ['statements', 'rows'] as const) {
          const [five = 0, ten = 0, twenty = 0] = asked.map((counts) => counts.get(deed)?.[key]);
          expect(twenty - ten, `${key} of ${deed}: ${five}, ${ten}, ${twenty}`).toBeLessThanOrEqual(2 * (ten - five));
        }
      expect(await ground.wrongIn(Object.keys(tree.descriptors))).toEqual([]);
    }, 60_000);

    test.skipIf(name !== 'SQLite')(
      'each shape asks for what it has asked for ever',
      async () => {
        const lines: string[] = [];
        for (const shape of shapes.filter(({ compute: taken }) => taken !== 'onRead')) {
          const boxes = await ground.fill(shape, [few]);
          await ground.measure(boxes, few);
          for (const [deed, { statements }] of await ground.measure(boxes, few))
            lines.push(`${shape.name}: ${deed}: ${statements.map(({ sql }) => askedText(sql)).join(', ')}`);
        }
        await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('growth/asked.txt');
      },
      60_000,
    );

    /** Where several things are asked about the same records, it is looked first whether they are few. */
    const fewLooked = 51;
    test.each(['sum', 'count', 'max', 'first', 'average', 'exists'])(
      'of many records behind the shape %s the first hundred are read',
      async (name) => {
        const shape = shapes.find((each) => each.name === name);
        if (shape === undefined) throw new Error(`there is no shape ${name}`);
        const { boxes } = await ground.fill(shape, [many]);
        const { statements, body } = await ground.explain(shape, boxes.get(many) ?? '');
        const text = JSON.stringify(body);
        const parts = text.split(`"more":${many - 100}`).length - 1;
        expect(parts, text.slice(0, 2000)).toBe(name === 'average' ? 2 : 1);
        expect(statements.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(parts * 100 + fewLooked + 5);
      },
    );

    test('an index leads to the next greatest when the greatest leaves', async () => {
      const shape = shapes.find(({ name }) => name === 'latest');
      if (shape === undefined) throw new Error('there is no such shape');
      const boxes = await ground.fill(shape, [many]);
      const counter = await openCounter(url);
      try {
        const { statements = [] } = (await ground.measure(boxes, many)).get('delete') ?? {};
        const told = statements.filter(({ sql }) => sql.startsWith('select') && sql.includes('max('));
        const read: number[] = [];
        for (const { sql, values } of told) read.push(await counter.count(sql, values));
        expect(read).toEqual([expect.any(Number)]);
        expect(read[0]).toBeLessThanOrEqual(2);
      } finally {
        await counter.close();
      }
    });

    test.each(['plain ', 'plaïn', 'PLAIN', '🦊', 'rare'])('a kind is %o only where it is just that', async (name) => {
      const shape = shapes.find((each) => each.name === 'named-kind');
      if (shape === undefined) throw new Error('there is no such shape');
      const { boxes } = await ground.fill(shape, [few]);
      const create = (text: string) =>
        ground.execute('create', leafOf(shape), {
          body: { name: text, [referenceOf(shape)]: boxes.get(few) ?? '', n: 1, day: '2026-01-01' },
        });
      expect((await create(name)).body['name']).toBe(name);
      await expect(create('plain')).rejects.toThrow('There was a problem');
    });

    test('what more than a thousand records must be read for is not computed, and the answer says so', async () => {
      const shape = shapes.find(({ name }) => name === 'distinct');
      if (shape === undefined) throw new Error('there is no such shape');
      const { boxes } = await ground.fill(shape, [few, 1001]);
      const told = await ground.explain(shape, boxes.get(1001) ?? '');
      expect(told.statements.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(1001 + 100 + 5);
      const { numbers } = told.body['record'] as { numbers: readonly [{ parts: readonly unknown[] }] };
      expect(numbers).toMatchObject([{ kept: '1', value: null, unread: true }]);
      const collection = 'all.leafDistincts.filter(l, l.boxDistinctId == id)';
      expect(JSON.stringify(numbers)).toContain(`"words":"${collection}.map(l, l.kind)","value":null,"unread":true`);
      expect(JSON.stringify(numbers).split('"more":901')).toHaveLength(2);
      const small = await ground.explain(shape, boxes.get(few) ?? '');
      expect(small.body['record']).toMatchObject({ numbers: [{ kept: '1', value: '1' }] });
      expect(JSON.stringify(small.body)).not.toContain('unread');
    }, 60_000);

    test('others go on while very many records that a figure looks at are read', async () => {
      const shape = shapes.find(({ name }) => name === 'distinct');
      if (shape === undefined) throw new Error('there is no such shape');
      const { boxes } = await ground.fill(shape, [veryMany]);
      let turns = 0;
      const count = (): void => {
        turns += 1;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      const body = { name: 'New', [referenceOf(shape)]: boxes.get(veryMany) ?? '', n: 1, day: '2026-01-01' };
      const { statements } = await ground.execute('create', leafOf(shape), { body });
      clearImmediate(counting);
      expect(statements.some(({ rows }) => rows >= veryMany)).toBe(true);
      expect(turns).toBeGreaterThan(1);
    }, 60_000);

    test('after any writes all shapes are what they are from scratch', async () => {
      for (const shape of shapes.filter(
        ({ on, compute: taken, unique }) => on === 'box' && taken === undefined && unique === undefined,
      )) {
        const boxes = await ground.fill(shape, [2, 3]);
        const sampled = fc.sample(fc.array(deeds, { minLength: 25, maxLength: 25 }), { seed, numRuns: 1 });
        await write(ground, boxes, sampled.flat());
      }
    }, 240_000);
  });

/** Rows that the selects of a deed take up. */
async function takenUp(counter: RowCounter, measured: Measured | undefined): Promise<number> {
  let sum = 0;
  for (const { sql, values, rows } of measured?.statements ?? [])
    if (sql.startsWith('select'))
      sum += / where `?id`? (?:= \?|in \(\?\)) /.test(sql) ? rows : await counter.count(sql, values);
  return sum;
}

const countsOf = (measured: { readonly statements: readonly { readonly rows: number }[] } | undefined) => ({
  statements: measured?.statements.length,
  rows: measured?.statements.reduce((sum, { rows }) => sum + rows, 0),
});

/** Values that are alike often, on either side of 0, with and without a half behind the last digit that is kept. */
const numbers = fc.constantFrom(-600, -0.3, -0.05, 0, 0.01, 0.04, 0.05, 0.3, 0.6, 30, 500, 500.01, 600);
const deeds = fc.record({
  what: fc.constantFrom('create', 'create', 'update', 'update', 'delete'),
  n: numbers,
  day: fc.constantFrom('2026-01-01', '2026-02-03', '2026-03-05'),
  box: fc.nat(1),
  leaf: fc.nat(20),
} as const);

async function write(
  ground: Ground,
  { shape, boxes }: Boxes,
  all: readonly { what: string; n: number; day: string; box: number; leaf: number }[],
): Promise<void> {
  const ids = [...boxes.values()];
  const leaves: string[] = [];
  const done: string[] = [];
  for (const { what, n, day, box, leaf } of all) {
    const body = { n, day, [referenceOf(shape)]: ids[box] ?? '' };
    const id = leaves[leaf % Math.max(1, leaves.length)];
    done.push(`${what} ${n} ${day} in ${box}`);
    if (what === 'create' || id === undefined)
      leaves.push(String((await ground.execute('create', leafOf(shape), { body: { name: 'L', ...body } })).body['id']));
    else if (what === 'update') await ground.execute('update', leafOf(shape), { id, body });
    else {
      await ground.execute('delete', leafOf(shape), { id });
      leaves.splice(leaves.indexOf(id), 1);
    }
    // Each step by itself: a fault is not to be mended by the next one.
    expect(await ground.differences(shape), `${shape.name} after ${done.join(', ')}`).toEqual([]);
  }
}
