// What is told of formulas whose cost grows with the number of records: which, why, and what would mend it. The text of many domains
// is checked in: whoever changes what is found sees there whose it is. `test/figures/growth.test.ts` measures whether it is so.
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
    ...why.map(({ text, way }) => `  ${text}${way === undefined ? '' : `; ${way}`}`),
  ]);

test('what grows with the number of records is told, and nothing else', () => {
  const told = new Set(ofShapes.map(({ place }) => place.split('.')[0]));
  const growing = shapes.filter(({ grows }) => grows !== undefined);
  expect(told).toEqual(new Set(growing.map((shape) => (shape.on === 'box' ? boxOf(shape) : leafOf(shape)))));
});

test('one that is found by what is unique is not looked for among many', () => {
  const growing = (unique?: readonly string[]): number => {
    const formula = "{leaves}.filter(l, l.kind == 'rare').first(l, l.n).n";
    return growthIn({}, registryIn([{ name: 'rare', on: 'box', formula, ...(unique && { unique }) }])).length;
  };
  expect([growing(['kind']), growing(['kind', 'day']), growing()]).toEqual([0, 1, 1]);
});

test('of a figure that is nothing but a sum, what it adds up is to be a figure', () => {
  const told = (formula: string) =>
    growthIn({}, registryIn([{ name: 'days', on: 'box', formula }])).flatMap(({ why }) => why.map(({ way }) => way));
  const alone = 'a figure of leaf-days for what is added up ("hidden" or not), whose sum this one is,';
  expect(told('{leaves}.sum(l, l.day - l.day + 1)')).toEqual([`${alone} would let it move by the difference`]);
  expect(told('{leaves}.sum(l, l.n)')).toEqual([]);
});

test('it is told why, and what would mend it, as ever', async () => {
  const ofFolders = told.flatMap((name) => linesOf(name, growthIn({}, registryOf(name))));
  const lines = [...linesOf('shapes', ofShapes), ...ofFolders];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('growing.txt');
});
