// Cost notes of `praxis check`: formulas whose cost grows with the number of records, with the reason and the remedy. The notes of
// many domains are checked in, so that a change of the analysis shows there. `test/figures/growth.test.ts` measures the costs.
import { expect, test } from 'vitest';
import { growthIn } from '../../src/app/growth.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { boxOf, descriptorsOf, leafOf, type Shape, shapes } from '../figures/growth/shapes.ts';
import { type Folder, registryOf } from '../support/service/praxis.ts';

function registryIn(some: readonly Shape[]): Registry {
  const sources = some
    .flatMap((shape) => Object.entries(descriptorsOf(shape)))
    .flatMap(([group, descriptor]) => parseSource(`${group}.json`, group, JSON.stringify(descriptor)).source ?? []);
  return buildRegistry(sources, ruleSignatures);
}
const ofShapes = growthIn({}, registryIn(shapes));

const told: readonly Folder[] = [
  ...([
    'rules',
    'figures',
    'books',
    'shop',
    'conditions',
    'garage',
    'atRead',
    'choir',
    'ledger',
    'reading-room',
  ] as const),
  ...(['materials', 'locks', 'badges', 'narrowing'] as const),
];

const linesOf = (name: string, growing: typeof ofShapes): string[] =>
  growing.flatMap(({ place, why }) => [
    `${name}: ${place}`,
    ...why.map(({ code, text, way }) => `  ${code}: ${text}${way === undefined ? '' : `; ${way}`}`),
  ]);

test('cost notes name every formula that grows, and no other', () => {
  const told = new Set(ofShapes.map(({ place }) => place.split('.')[0]));
  const growing = shapes.filter(({ grows }) => grows !== undefined);
  expect(told).toEqual(new Set(growing.map((shape) => (shape.on === 'box' ? boxOf(shape) : leafOf(shape)))));
});

test('a search by a unique key has no cost note', () => {
  const growing = (unique?: readonly string[]): number => {
    const formula = "{leaves}.filter(l, l.kind == 'rare').first(l, l.n).n";
    return growthIn({}, registryIn([{ name: 'rare', on: 'box', formula, ...(unique && { unique }) }])).length;
  };
  expect([growing(['kind']), growing(['kind', 'day']), growing()]).toEqual([0, 1, 1]);
});

test('the remedy for a sum of expressions is a computed field for each summand', () => {
  const told = (formula: string) =>
    growthIn({}, registryIn([{ name: 'days', on: 'box', formula }])).flatMap(({ why }) => why.map(({ way }) => way));
  expect(told('{leaves}.sum(l, l.day - l.day + 1)')).toEqual([
    'store each summand in a computed field of leaf-days ("hidden" or not) and add up that field',
  ]);
  expect(told('{leaves}.sum(l, l.n)')).toEqual([]);
});

test('cost notes have a code, a reason and a remedy', async () => {
  const ofFolders = told.flatMap((name) => linesOf(name, growthIn({}, registryOf(name))));
  const lines = [...linesOf('shapes', ofShapes), ...ofFolders];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('growing.txt');
});
