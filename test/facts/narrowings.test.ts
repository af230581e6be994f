// The table of what finds records: in memory, and in the SQL of each engine as records, as what a database counts of them, and as a
// figure that every write keeps.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { FormulaFault } from '../../src/formulas/language/fault.ts';
import { Shapes } from '../../src/registry/formulas/shapes.ts';
import type { RawDescriptor } from '../../src/registry/model/vocabulary.ts';
import { answer, recordOf, type World } from '../formulas/support/memory.ts';
import {
  boxes,
  boxFields,
  byKind,
  inForms,
  leafFields,
  leaves,
  type Narrowed,
  refused,
} from '../formulas/support/narrowing-cases.ts';
import { dialects, Project } from '../support/commands/project.ts';
import type { Call, Json } from '../support/service/client.ts';

const kinds = Object.entries(byKind);
const cases: readonly Narrowed[] = [...kinds.flatMap(([, one]) => ('list' in one ? [one] : [])), ...inForms];
const whole = { type: 'integer' };
const fee = { type: 'number', format: 'decimal', precision: 12, scale: 2, signed: true };
const day = { type: ['string', 'null'], format: 'date' };

/** What those that are found come to: their fees, and the last of their days. Items of leaves have neither. */
const sumsOf = ({ list }: Narrowed): boolean => !list.startsWith('leafs.parts');
const among = (names: string) => leaves.filter(({ name }) => names.includes(name));
const feesOf = (names: string): number =>
  among(names).reduce((sum, one) => sum + Math.round(Number(one['fee'] ?? 0) * 100), 0) / 100;
const lastDayOf = (names: string): string | null =>
  among(names)
    .flatMap(({ day: on }) => (typeof on === 'string' ? [on] : []))
    .toSorted()
    .at(-1) ?? null;

const group = (path: string, properties: object): RawDescriptor =>
  ({ title: path, description: '', properties, resource: { path, operations: [] } }) as unknown as RawDescriptor;
const scope = new Shapes(
  new Map([
    ['box', group('/boxs', boxFields)],
    ['leaf', group('/leafs', leafFields)],
  ]),
).scope('box');

/** As formulas see them: numbers as text, all that is not said null. */
const inMemory = (fields: object, values: Json): Json => ({
  ...Object.fromEntries(Object.keys(fields).map((field) => [field, null])),
  ...Object.fromEntries(
    Object.entries(values).map(([name, one]) => [name, typeof one === 'number' ? String(one) : one]),
  ),
});
const world: World = {
  rows: {
    box: boxes.map((box) => ({ ...inMemory(boxFields, box), id: box['name'] })),
    leaf: leaves.map(({ owner = null, boxes: among, parts, ...leaf }) => ({
      ...inMemory(leafFields, { ...leaf, id: leaf.name, ownerId: owner, boxIds: among }),
      parts: (parts as readonly string[]).map((id) => ({ name: leaf.name, what: 'box', whatId: id })),
    })),
  },
};

test.each(cases)('in memory: $list', ({ list, finds }) => {
  const found = (world.rows?.['box'] ?? []).map((box) => {
    const of = (formula: string): unknown => answer(compileFormula(formula, scope), recordOf(box), world).value;
    const sums = sumsOf({ list, finds }) ? [of(`${list}.sum(l, l.fee)`), of(`${list}.max(l, l.day)`)] : [];
    return [of(`${list}.map(l, l.name).join('')`), of(`${list}.count()`), of(`${list}.exists(l, true)`), ...sums];
  });
  const sums = (names: string) => (sumsOf({ list, finds }) ? [String(feesOf(names)), lastDayOf(names)] : []);
  expect(found).toEqual(finds.map((names) => [names, String(names.length), names.length > 0, ...sums(names)]));
});

test.each([...kinds.flatMap(([, one]) => ('refused' in one ? [one.refused] : [])), ...refused])(
  'is refused: %s',
  (that) => {
    expect(() => compileFormula(`leafs.filter(l, ${that}).count()`, scope)).toThrow(FormulaFault);
  },
);

describe.each(dialects)('on %s', (dialect) => {
  let project: Project;
  let found: readonly Json[] = [];
  /** The same once each leaf has been emptied, and has got its values again. */
  let foundAgain: readonly Json[] = [];

  beforeAll(async () => {
    project = await Project.open(dialect);
    const text = { type: 'string', maxLength: 20 };
    const figures = cases.flatMap(({ list, finds }, place) => [
      [`names${place}`, { ...text, formula: `${list}.map(l, l.name).join('')`, compute: 'onRead' }],
      [`kept${place}`, { ...whole, formula: `${list}.count()`, compute: 'always' }],
      ...(sumsOf({ list, finds })
        ? [
            [`fees${place}`, { ...fee, formula: `${list}.sum(l, l.fee)`, compute: 'always' }],
            [`last${place}`, { ...day, formula: `${list}.max(l, l.day)`, compute: 'onRead' }],
          ]
        : []),
    ]);
    project.describe({
      box: { required: ['name'], properties: { ...boxFields, ...Object.fromEntries(figures) } },
      leaf: { required: ['name'], properties: leafFields },
    });
    await project.serve(async (call) => {
      const ids = new Map<unknown, string>();
      const make = async (path: string, body: Json): Promise<string> => {
        const { status, body: made, text: told } = await call('POST', path, body);
        expect(status, told).toBe(200);
        return String((made as Json)['id']);
      };
      for (const box of boxes) ids.set(box['name'], await make('/boxs', box));
      const bodies = leaves.map(({ owner, boxes: among, parts, ...leaf }) => ({
        ...leaf,
        ...(owner !== undefined && { ownerId: ids.get(owner) }),
        boxIds: among.map((one) => ids.get(one)),
        parts: (parts as readonly string[]).map((one) => ({ name: leaf.name, what: 'box', whatId: ids.get(one) })),
      }));
      const made: string[] = [];
      for (const body of bodies) made.push(await make('/leafs', body));
      found = await boxesNow(call);
      const empty = Object.fromEntries(
        ['code', 'kind', 'key', 'day', 'at', 'weight', 'fee', 'isLost', 'ownerId'].map((key) => [key, null]),
      );
      for (const [place, body] of bodies.entries())
        for (const change of [{ ...empty, boxIds: [], parts: [] }, body])
          expect((await call('PATCH', `/leafs/${made[place]}`, change)).text).toContain(`"id":"${made[place]}"`);
      foundAgain = await boxesNow(call);
    });
  }, 240_000);
  afterAll(() => project?.close());

  const boxesNow = async (call: Call): Promise<readonly Json[]> =>
    ((await call('GET', '/boxs?limit=10')).body as { results: Json[] }).results.toReversed();

  test.each(cases.map((one, place) => [one.list, one.finds, place] as const))('%s finds %o', (list, finds, place) => {
    for (const those of [found, foundAgain])
      for (const [at, names] of finds.entries()) {
        const sums = { [`fees${place}`]: feesOf(names), [`last${place}`]: lastDayOf(names) };
        expect(those[at]).toMatchObject({
          ...{ [`names${place}`]: names, [`kept${place}`]: names.length },
          ...(sumsOf({ list, finds }) && sums),
        });
      }
  });
});
