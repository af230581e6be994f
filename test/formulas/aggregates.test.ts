// What a database tells of many records: counts, sums, extremes, the first and the last, asked for many others at once in few
// statements.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { type Tally, tallyOf } from '../../src/formulas/analyse/tally.ts';
import type { TallyQuestion } from '../../src/formulas/evaluate/facts.ts';
import type { Tree } from '../../src/formulas/language/tree.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { isObject } from '../support/service/client.ts';

const name = { type: 'string', maxLength: 40 };
const amount = { type: ['number', 'null'], format: 'decimal', precision: 15, scale: 2, signed: true };
const day = { type: ['string', 'null'], format: 'date' };
const whole = { type: 'integer' };
const own = 'leafs.filter(l, l.boxId == id)';

const groups: Groups = {
  box: {
    properties: {
      name,
      least: { ...amount, default: 0 },
      total: { ...amount, formula: `${own}.sum(l, l.n)`, compute: 'onRead' },
      number: { ...whole, formula: `${own}.count()`, compute: 'onRead' },
      above: { ...whole, formula: `${own}.filter(l, l.n > least).count()`, compute: 'onRead' },
      over: { ...amount, formula: `${own}.filter(l, l.n > least).sum(l, l.n)`, compute: 'onRead' },
      lowest: { ...amount, formula: `${own}.min(l, l.n)`, compute: 'onRead' },
      latest: { ...day, formula: `${own}.max(l, l.on)`, compute: 'onRead' },
      first: { ...name, type: ['string', 'null'], formula: `${own}.first(l, l.on).name`, compute: 'onRead' },
      last: { ...name, type: ['string', 'null'], formula: `${own}.last(l, l.on).name`, compute: 'onRead' },
      newest: { ...name, type: ['string', 'null'], formula: `${own}.last().name`, compute: 'onRead' },
    },
  },
  leaf: {
    properties: { name, box: { reference: 'box', filter: 'exact' }, n: amount, on: { ...day, type: 'string' } },
  },
};

interface Leaf {
  readonly id: string;
  readonly name: string;
  readonly box: number;
  readonly n: number | null;
  readonly on: string;
}

const boxCount = 70;
/** As many leaves as the number of the box divided by four leaves over; every third has no number, and some share their day. */
const leavesOf = (box: number): Omit<Leaf, 'id'>[] =>
  Array.from({ length: box % 4 }, (_leaf, place) => ({
    ...{ name: `${box}.${place}`, box, on: `2026-01-0${place === 2 ? 1 : place + 1}` },
    n: (box + place) % 3 === 0 ? null : box - 2.25 * place,
  }));

describe.each(dialects)('what a database tells of many (%s)', (dialect) => {
  let project: Project;
  let workspace: Workspace;
  const boxes: string[] = [];
  const leaves: Leaf[] = [];

  beforeAll(async () => {
    project = await Project.open(dialect);
    project.describe(groups);
    await project.serve(async (call) => {
      const makeAll = async (path: string, bodies: readonly object[]): Promise<string[]> => {
        const operations = bodies.map((body) => ({ method: 'POST', path, body }));
        const { body, text } = await call('POST', '/batch', { operations });
        const results = isObject(body) ? (body['results'] as { body: { id: string } }[]) : [];
        expect(results, text).toHaveLength(bodies.length);
        return results.map((result) => result.body.id);
      };
      boxes.push(
        ...(await makeAll(
          '/boxs',
          Array.from({ length: boxCount }, (_box, n) => ({ name: `${n}` })),
        )),
      );
      const all = boxes.flatMap((_id, box) => leavesOf(box));
      const bodies = all.map(({ box, ...leaf }) => ({ ...leaf, boxId: boxes[box] }));
      const ids = await makeAll('/leafs', bodies);
      leaves.push(...all.map((leaf, place) => ({ ...leaf, id: ids[place] ?? '' })));
    });
    workspace = await openQuietly({ databaseUrl: project.url, resources: project.env['RESOURCES'] ?? '' });
  }, 120_000);
  afterAll(async () => {
    await workspace?.close();
    await project?.close();
  });

  const tallies = new Map<string, Tally>();
  /** What the figure of a box asks of its leaves. */
  const tally = (field: string): Tally => {
    const figure = workspace.registry.resources.get('box')?.byKey.get(field)?.figure;
    const macroIn = (tree: Tree | undefined): Tree | undefined => (tree?.op === 'field' ? macroIn(tree.of) : tree);
    const tree = macroIn(figure?.tree);
    const found = tallies.get(field) ?? (tree?.op === 'macro' ? tallyOf(tree)?.tally : undefined);
    if (found === undefined) throw new Error(`${field} asks nothing`);
    tallies.set(field, found);
    return found;
  };
  const question = (field: string, box: number, more: Partial<TallyQuestion> = {}): TallyQuestion => ({
    tally: tally(field),
    wanted: [{ key: 'boxId', up: 0, isAmong: false, value: boxes[box] ?? '' }],
    ...{ given: [], most: undefined, except: [], ...more },
  });
  /** The answers, and the statements that were asked for them. */
  const tell = async (questions: readonly TallyQuestion[]) => {
    const asked: string[] = [];
    const { database } = workspace;
    const told = await workspace.groups
      .get('leaf')
      .rows.tallier([])
      .tell(
        {
          all: (sql, values) => {
            asked.push(sql);
            return database.all(sql, values);
          },
          run: (sql, values) => database.run(sql, values),
        },
        questions,
      );
    const answers = told.map(({ value, records }) =>
      value === null ? records.map((record) => record['name']) : Number.isNaN(Number(value)) ? value : Number(value),
    );
    return { asked, answers };
  };
  const numbers = (box: number): number[] =>
    leaves.filter((leaf) => leaf.box === box).flatMap(({ n }) => (n === null ? [] : [n]));
  const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
  const all = Array.from({ length: boxCount }, (_box, n) => n);
  const filled = all.filter((box) => box % 4 > 0);

  test('where they differ in one id alone, all are one statement, which is the same for about as many', async () => {
    const total = await tell(all.map((box) => question('total', box)));
    expect(total.answers.map((one) => (Array.isArray(one) ? 0 : one))).toEqual(all.map((box) => sum(numbers(box))));
    const number = await tell(all.map((box) => question('number', box)));
    expect(number.answers.map((one) => (Array.isArray(one) ? 0 : one))).toEqual(all.map((box) => box % 4));
    const lowest = await tell(all.map((box) => question('lowest', box)));
    expect(lowest.answers).toEqual(all.map((box) => (numbers(box).length === 0 ? [] : Math.min(...numbers(box)))));
    const latest = await tell(all.map((box) => question('latest', box)));
    expect(latest.answers).toEqual(all.map((box) => [[], '2026-01-01', '2026-01-02', '2026-01-02'][box % 4]));
    for (const { asked } of [total, number, lowest, latest]) expect(asked).toHaveLength(1);
    const some = await tell(all.slice(0, 61).map((box) => question('total', box)));
    expect(some.asked).toEqual(total.asked);
    expect(some.answers).toEqual(total.answers.slice(0, 61));
  });

  test('else they stand below each other, fifty in a statement, and one alone by itself', async () => {
    const given = (box: number) => [String(box - 1)];
    const above = await tell(filled.map((box) => question('above', box, { given: given(box) })));
    expect(above.answers).toEqual(filled.map((box) => numbers(box).filter((n) => n > box - 1).length));
    expect(above.asked).toHaveLength(2);
    const over = await tell(filled.slice(0, 12).map((box) => question('over', box, { given: given(box) })));
    expect(over.answers.map((one) => (Array.isArray(one) ? 0 : one))).toEqual(
      filled.slice(0, 12).map((box) => sum(numbers(box).filter((n) => n > box - 1))),
    );
    expect(over.asked).toHaveLength(1);
    expect((await tell([question('above', 7, { given: ['-1000.125'] })])).answers).toEqual([numbers(7).length]);
    // Of one shape each: some with what they are given, some that cannot count further, and one that is alone.
    const mixed = await tell([
      question('number', 3, { most: 2 }),
      question('number', 7, { most: 4 }),
      question('above', 7, { given: ['-1000'] }),
      question('total', 5),
      question('above', 6, { given: ['5'] }),
    ]);
    expect(mixed.answers).toEqual([2, 3, numbers(7).length, sum(numbers(5)), numbers(6).filter((n) => n > 5).length]);
    expect(mixed.asked).toHaveLength(1);
    // Fifty of several shapes are one statement, and more are not.
    const both = (count: number) => [
      ...filled.slice(0, 20).map((box) => question('above', box, { given: given(box) })),
      ...filled.slice(0, count).map((box) => question('over', box, { given: given(box) })),
    ];
    expect((await tell(both(30))).asked).toHaveLength(1);
    expect((await tell(both(31))).asked).toHaveLength(2);
    expect((await tell([])).asked).toEqual([]);
  });

  test('the first and the last are records: by their key, and of those alike in the order of making', async () => {
    const first = await tell(filled.map((box) => question('first', box)));
    expect(first.answers).toEqual(filled.map((box) => [`${box}.0`]));
    expect(first.asked).toHaveLength(2);
    // A statement for twenty is asked for seventeen, and gives each once.
    const some = await tell(filled.slice(0, 17).map((box) => question('first', box)));
    expect(some.answers).toEqual(first.answers.slice(0, 17));
    const last = await tell(filled.map((box) => question('last', box)));
    expect(last.answers).toEqual(filled.map((box) => [`${box}.${box % 4 === 1 ? 0 : 1}`]));
    const newest = await tell(filled.map((box) => question('newest', box)));
    expect(newest.answers).toEqual(filled.map((box) => [`${box}.${(box % 4) - 1}`]));
    const several = await tell([question('first', 7, { most: 2 }), question('newest', 7, { most: 2 })]);
    expect(several.answers).toEqual([
      ['7.0', '7.2'],
      ['7.2', '7.1'],
    ]);
    // They have other columns than numbers, and stand in a statement of their own.
    const mixed = await tell([question('first', 7), question('number', 7), question('first', 4)]);
    expect(mixed.answers).toEqual([['7.0'], 3, []]);
    expect(mixed.asked).toHaveLength(2);
  });

  test('without those that do not count', async () => {
    const ids = leaves.filter(({ box }) => box === 7).map(({ id }) => id);
    const others = leaves.filter(({ box }) => box === 6).map(({ id }) => id);
    const except = ids.slice(0, 1);
    const rest = numbers(7).length - (leaves.find(({ id }) => id === ids[0])?.n === null ? 0 : 1);
    expect(
      (await tell([question('number', 7, { except }), question('number', 6, { except: others.slice(0, 1) })])).answers,
    ).toEqual([2, 1]);
    expect((await tell([question('number', 7, { except: ids })])).answers).toEqual([0]);
    expect((await tell([question('above', 7, { given: ['-99'], except })])).answers).toEqual([rest]);
    expect((await tell([question('first', 7, { except })])).answers).toEqual([['7.2']]);
    const same = await tell([3, 7].map((box) => question('number', box, { except })));
    expect(same.answers).toEqual([3, 2]);
    expect(same.asked).toHaveLength(1);
  });

  test('what no database takes as we do is not asked of it', () => {
    const { rows } = workspace.groups.get('leaf');
    const { given: _types, ...above } = tally('above');
    const ask = (kind: 'text' | 'number', value: string) =>
      rows.tallier([]).canTell({
        tally: { ...above, given: [{ kind }] as Tally['given'] },
        wanted: [],
        given: [value],
        most: undefined,
      });
    expect(ask('number', '1.5')).toBe(true);
    expect(ask('text', 'a\u0000b')).toBe(false);
    expect(ask('text', '\ud800')).toBe(false);
  });
});
