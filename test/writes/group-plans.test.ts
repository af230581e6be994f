// What is decided of each group before a request comes: what is computed, and in which order, what an update calls for, what is
// guarded, and what waits until others are written. The text is checked in: whoever changes a plan sees there whose it is.
import { expect, test } from 'vitest';
import { isPlainValue } from '../../src/engine/figures/deltas.ts';
import { type Group, Groups } from '../../src/engine/plan/groups.ts';
import type { ColumnPath, ReversePath } from '../../src/formulas/analyse/reverse-paths.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { type Folder, registryOf } from '../support/service/praxis.ts';

const told: readonly Folder[] = [
  'figures',
  'conditions',
  'plans',
  'locks',
  'commonRow',
  'garage',
  'books',
  'atRead',
  'rules',
  'choir',
  'shop',
  'test',
];

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

const spotText = ({ lists, key, up, when }: ColumnPath): string =>
  [...lists, key].join('.') +
  (up === 0 ? '' : ` (${up} up)`) +
  (when === undefined ? '' : ` where ${when.key} is ${when.value}`);
const linkText = ({ group, pairs }: ReversePath[number]): string =>
  `${group} (${pairs.map(({ from, to }) => `${spotText(to)} = ${spotText(from)}`).join(', ') || 'all'})`;

/** What an update of one field calls for. */
function concernedText({ concernedBy }: Group, key: string): string {
  const { parts, foundBy, guardSpots } = concernedBy(`${key},`);
  const steps = Object.entries(parts).flatMap(([step, uses]) =>
    uses.length === 0 ? [] : [`${step} ${uses.map(({ use }) => use.use).join(' ')}`],
  );
  const counts = { 'is found': foundBy.length, guards: guardSpots.length };
  return [...steps, ...Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [`${name} ${n}`]))].join(', ');
}

function* linesOf(groups: Groups, group: Group): Generator<readonly [what: string, is: string]> {
  const { defaultOrder, deferrals, figureGuards, foundBy, parts } = group;
  const { fixed, sourced, late, reaching, composite, sourcedInItems, inItems } = defaultOrder;
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
  yield ['leads nowhere', keysOf(group.resource.fields.filter(isPlainValue))];
  yield ['takes figures that are sent', flagsOf({ yes: group.acceptsFigures })];
  yield ['keeps rows of', keysOf(group.ownLists)];
  for (const { key } of group.resource.fields) yield [`update of ${key}`, concernedText(group, key)];
  for (const { group: owner, figure, watch } of groups.dependentsOf(group.resource.name))
    yield [
      'is looked at',
      `by ${owner}.${figure === undefined ? '(state)' : pathOf(figure)}, keys ${sorted(watch.keys)}${watch.isFound ? ', found' : ''}: ${watch.ways.map((way) => way.map(linkText).join(' > ')).join('; ')}`,
    ];
  yield ['told at once', group.toldFigures.map(pathOf).join(' ')];
  yield ['moved by others', sorted(group.movedKeys)];
  yield ['judged', sorted(group.judgedFigures)];
  yield ['states', keysOf(group.states) && `${keysOf(group.states)}${group.statesWait ? ', which wait' : ''}`];
  yield ['lists of states', group.stateLists.join(' ')];
  yield ['may lack', keysOf(group.lackable)];
  yield ['passes', keysOf(group.passingReferences)];
  for (const [name, fields] of Object.entries({ fixed, sourced, late, reaching, composite }))
    yield [`defaults ${name}`, keysOf(fields)];
  for (const [name, lists] of Object.entries({ sourcedInItems, inItems }))
    yield [`defaults ${name}`, [...lists].map(([key, inside]) => `${key}: ${keysOf(inside)}`).join('; ')];
  for (const [fields, inside] of group.insideOrders)
    yield [
      `inside ${keysOf(fields)}`,
      Object.entries(inside)
        .flatMap(([name, some]) => (some.length > 0 ? [`${name} ${keysOf(some)}`] : []))
        .join(', '),
    ];
  for (const { key, figure, becomes } of group.resource.fields)
    for (const { tree } of [...(figure === undefined ? [] : [figure]), ...becomes.map(({ when }) => when)])
      yield [`${key} looks at`, group.keysBehind(tree).join(' ')];
  for (const [operation, keys] of Object.entries(group.lockKeys)) yield [`locks of ${operation} by`, keys.join(' ')];
  for (const { on, trees } of group.effectBefores) yield ['effects ask of before', `${sorted(on)} ${trees.length}`];
  yield ['may lack in a plain create', group.plainCreation?.required.join(' ') ?? ''];
  const filled = group.plainCreation?.fields.flatMap(({ key, fixed, empty }) =>
    fixed === undefined && empty === undefined ? [] : [`${key} ${JSON.stringify(fixed ?? empty)}`],
  );
  yield ['fills in a plain create', filled?.join(', ') ?? ''];
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
      ...[...linesOf(groups, groups.get(name))].flatMap(([what, is]) =>
        is.trim() === '' ? [] : [`  ${what}: ${is.trim()}`],
      ),
    ]);
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('group-plans.txt');
});
