// What is decided of each group before a request comes: what is computed, and in which order, what an update calls for, what is
// guarded, and what waits until others are written. The text is checked in: whoever changes a plan sees there whose it is.
import { expect, test } from 'vitest';
import { type Group, Groups } from '../../src/engine/plan/groups.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { type Folder, registryOf } from '../support/praxis.ts';

const told: readonly Folder[] = ['figures', 'conditions', 'plans', 'locks', 'commonRow', 'garage', 'books', 'atRead'];

const sorted = (names: Iterable<string>): string => [...names].toSorted().join(' ');
const keysOf = (fields: readonly { readonly key: string }[]): string => fields.map(({ key }) => key).join(' ');
const pathOf = ({ inside, field }: Group['figures'][number]): string => [...inside, field.key].join('.');
const flagsOf = (flags: Readonly<Record<string, boolean>>): string =>
  Object.entries(flags)
    .flatMap(([name, is]) => (is ? [name] : []))
    .join(' ');

type Part = Group['parts']['check']['create'][number];

const partText = ({ use, key, looksAt, ...flags }: Omit<Part, 'act'>): string => {
  const { isLocal, looksAtFigures, isDeferred, isDeferredInCascade, isDeferredInEffect } = flags;
  const said = flagsOf({ isLocal, looksAtFigures, isDeferred, isDeferredInCascade, isDeferredInEffect });
  return [use.use, key, looksAt === undefined ? '' : `(${looksAt.join(' ')})`, said].filter(Boolean).join(' ');
};

function* linesOf(group: Group): Generator<readonly [what: string, is: string]> {
  const { defaultOrder: defaults, deferrals, figureGuards, foundBy, parts } = group;
  yield [
    'an update of others is one statement',
    group.keysWithDependents && `but ${sorted(group.keysWithDependents)}`,
  ].map((text) => text ?? 'never') as [string, string];
  yield ['is', flagsOf({ 'self-contained': group.isSelfContained, plain: group.plainCreation !== undefined })];
  yield [
    'computes',
    group.derivations
      .map((each) => ('figure' in each ? pathOf(each.figure) : `${each.key} by ${each.use.use}`))
      .join(' '),
  ];
  for (const figure of group.figures)
    yield [
      `  ${pathOf(figure)}`,
      [
        ['lists', figure.lists],
        ['moved by', figure.movedBy],
        ['keys', figure.figure.keys],
        ['places of sums', figure.sums === undefined ? [] : [String(figure.sums.places.size)]],
        ['sums itself', figure.sumsItself ? ['yes'] : []],
      ]
        .flatMap(([name, keys]) => (keys?.length ? [`${String(name)} ${[keys].flat().join(' ')}`] : []))
        .join(', '),
    ];
  yield ['told at once', group.toldFigures.map(pathOf).join(' ')];
  yield ['moved by others', sorted(group.movedKeys)];
  yield ['judged', sorted(group.judgedFigures)];
  yield ['states', keysOf(group.states) && `${keysOf(group.states)}${group.statesWait ? ', which wait' : ''}`];
  yield ['lists of states', group.stateLists.join(' ')];
  yield ['may lack', keysOf(group.lackable)];
  yield ['passes', keysOf(group.passingReferences)];
  for (const [name, fields] of Object.entries(defaults))
    yield [
      `defaults ${name}`,
      Array.isArray(fields)
        ? keysOf(fields)
        : [...defaults.inItems].map(([key, inside]) => `${key}: ${keysOf(inside)}`).join('; '),
    ];
  for (const { spot, target, keys } of figureGuards.spots)
    yield [
      'guards',
      `${[...(spot?.lists ?? []), spot?.key ?? '(all)'].join('.')} of ${target ?? 'workspace'} by ${sorted(keys)}`,
    ];
  for (const each of foundBy)
    yield [
      'is found',
      `${each.kind} by ${sorted(each.by)}, keys ${sorted(each.keys)} ${flagsOf({ 'has others': each.hasOthers, any: each.isAny })} ${JSON.stringify(each.names)}`,
    ];
  yield ['compared by', sorted(group.comparedBy)];
  for (const [operation, deferral] of Object.entries(deferrals))
    yield [`deferred ${operation}`, flagsOf({ ...deferral })];
  for (const [step, byOperation] of Object.entries(parts))
    for (const [operation, uses] of Object.entries(byOperation))
      yield [`${step} ${operation}`, uses.map(partText).join('; ')];
}

test('plans are the same as ever', async () => {
  const lines = told.flatMap((folder) => {
    const registry = registryOf(folder);
    const groups = new Groups(registry, rules, dialects.mysql);
    return [...registry.resources.keys()].flatMap((name) => [
      `${folder}: ${name}`,
      ...[...linesOf(groups.get(name))].flatMap(([what, is]) => (is.trim() === '' ? [] : [`  ${what}: ${is.trim()}`])),
    ]);
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('group-plans.txt');
});
