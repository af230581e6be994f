// What is told of formulas whose cost grows with the number of records: which, why, and what would mend it. The text of many domains
// is checked in: whoever changes what is found sees there whose it is. `test/figures/growth.test.ts` measures whether it is so.
import { expect, test } from 'vitest';
import { growthIn } from '../../src/app/growth.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { boxOf, descriptorsOf, leafOf, shapes } from '../figures/growth/shapes.ts';
import { type Folder, registryOf } from '../support/service/praxis.ts';

const sources = shapes
  .flatMap((shape) => Object.entries(descriptorsOf(shape)))
  .flatMap(([group, descriptor]) => parseSource(`${group}.json`, group, JSON.stringify(descriptor)).source ?? []);
const ofShapes = growthIn({}, buildRegistry(sources, ruleSignatures));

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

test('it is told why, and what would mend it, as ever', async () => {
  const ofFolders = told.flatMap((name) => linesOf(name, growthIn({}, registryOf(name))));
  const lines = [...linesOf('shapes', ofShapes), ...ofFolders];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('growing.txt');
});
