// What reads ask of each database, word for word: records, lists of records, pages in every way that may lead to them, counts; for
// those who see everything, and for those who see a part. The texts are checked in: whoever changes a statement sees there which.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RightsBook } from '../../src/access/rights.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { type Endpoint, endpointsOf, type FilterParameter } from '../../src/endpoints/routes/endpoint.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import { CallerSight } from '../../src/engine/sight/caller-sight.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import type { Statement } from '../../src/storage/schema/compiler.ts';
import type { Start } from '../../src/storage/statements/filter-sql.ts';
import type { Queries } from '../../src/storage/statements/query.ts';
import { wayOf } from '../../src/storage/statements/slice-sql.ts';
import type { IndexRange } from '../../src/storage/statements/sorted-sql.ts';
import type { ListView } from '../../src/storage/statements/view.ts';
import { type Folder, folders, registryOf } from '../support/service/praxis.ts';

type Line = readonly [what: string, statement: Statement | undefined];

/** What leads to a page, one line each. */
const planText = (plan: object): string =>
  JSON.stringify(plan, (key, value: unknown) => {
    if (key === 'filters' || key === 'own' || key === 'others')
      return (value as readonly FilterParameter[]).map(({ name }) => name).join(' ');
    if (key === 'type') return undefined;
    return key === 'filter' ? (value as FilterParameter | undefined)?.name : value;
  });

function* listLines(queries: Queries, lists: readonly ListView[]): Generator<Line> {
  for (const list of lists) {
    yield [`list ${list.field.key}`, queries.list(list, 2, false)];
    yield [`some of list ${list.field.key}`, queries.list(list, 1, true)];
    yield* listLines(queries, list.lists);
  }
}

function* recordLines(queries: Queries): Generator<Line> {
  yield ['get', queries.get()];
  yield ['visible', queries.visible(2)];
  const [, name = 'id'] = queries.view.resource.fields.filter(({ shown }) => shown).map((field) => field.name);
  yield ['sources', queries.sources(1, [name])];
  yield* listLines(queries, queries.view.lists);
}

function* pageLines({ pages, counts }: Queries, filters: readonly FilterParameter[]): Generator<Line | string> {
  const plan = pages.plan(filters);
  yield planText(plan);
  const starts: readonly Start[] =
    filters.length === 0 ? ['first', 'last', 'afterLookup', 'before'] : ['first', 'before'];
  for (const start of starts) {
    if (plan.direct !== undefined) yield [`direct ${start}`, pages.direct(plan, plan.direct, start)];
    for (const walk of plan.walks) yield [`walk ${start}`, pages.walk(plan, walk, start)];
    for (const span of plan.spans) {
      yield [`collect ${start}`, pages.collect(plan, span, { start, goesOn: start === 'first' })];
      if (!span.ofDays) continue;
      yield [`heads ${start}`, pages.heads(plan, span, start)];
      yield [`days ${start}`, pages.days(plan, span, start)];
    }
  }
  if (plan.walks.length + plan.spans.length > 1) yield ['extent', pages.extent(plan)];
  yield ['rows', pages.rows(plan, 2)];
  yield ['cursor', pages.cursor(plan)];
  for (const isBehind of [false, true]) {
    yield [`count ${isBehind}`, counts.next(plan, wayOf(plan), isBehind)];
    yield [`count ends ${isBehind}`, counts.end(plan, wayOf(plan), isBehind)];
  }
}

function* sortedLines(
  { sorted }: Queries,
  filters: readonly FilterParameter[],
  { field, isDescending }: { field: FilterParameter['field']; isDescending: boolean },
): Generator<Line | string> {
  const plan = sorted.plan(filters, field);
  yield planText(plan);
  yield ['place', sorted.place(plan)];
  const parts: readonly IndexRange[] = [
    { of: 'all', isBehind: false },
    ...(['values', 'nulls'] as const).flatMap((of) => [false, true].map((isBehind) => ({ of, isBehind }))),
  ];
  for (const part of parts.filter(({ of }) => of !== 'nulls' || plan.isNullable)) {
    const name = `${part.of}${part.isBehind ? ' behind' : ''}`;
    yield [`direct ${name}`, sorted.direct(plan, part, { isDescending })];
    if (plan.others.length > 0 && part.isBehind) yield [`walk ${name}`, sorted.walk(plan, part, { isDescending })];
  }
  for (const way of [...plan.walks, ...plan.spans])
    for (const behind of ['nothing', 'null', 'value'] as const)
      yield [`collect ${behind}`, sorted.collect(plan, way, { behind, goesOn: behind === 'value', isDescending })];
}

/** Of each way to compare the first. */
const eachOnce = (filters: Iterable<FilterParameter>): readonly FilterParameter[] => [
  ...new Map(
    [...filters]
      .toReversed()
      .map((each) => [`${each.comparison} ${each.list?.key} ${each.field.kind === 'date'}`, each]),
  ).values(),
];

/** Lines of a group, as some sight shows it. */
function* groupLines(
  queries: Queries,
  { filters, sorts }: Pick<Endpoint, 'filters' | 'sorts'>,
  seen: readonly FilterParameter[],
): Generator<Line | string> {
  yield* recordLines(queries);
  const all = eachOnce(filters.values());
  const [one, other] = [all[0], all.findLast(({ field }) => field !== all[0]?.field)];
  const pair = one && other ? [one, other] : [];
  for (const set of [[], ...all.map((each) => [each]), pair]) {
    yield `pages by ${set.map(({ name }) => name).join(' and ') || 'nothing'}`;
    yield* pageLines(queries, [...set, ...seen]);
  }
  const orders = [...sorts.values()];
  for (const [place, order] of [orders[0], orders.at(-2)].entries()) {
    if (order === undefined) continue;
    const set = place === 0 ? [] : pair;
    yield `pages by ${set.map(({ name }) => name).join(' and ') || 'nothing'} in the order ${order.name}`;
    yield* sortedLines(queries, [...set, ...seen], order);
  }
}

/** Each statement once; of cells, joins, and blocks that are alike, what has been told is not told again. */
function textOf(lines: Iterable<Line | string>): readonly string[] {
  let known: readonly (readonly [string, string])[] = [];
  const told = new Set<string>();
  return [...lines].flatMap((line) => {
    if (typeof line === 'string') return [`\n  ${line}`];
    const [what, statement] = line;
    const sql = known.reduce((text, [part, name]) => text.replaceAll(part, name), statement?.sql ?? 'none');
    if (told.has(sql)) return [];
    told.add(sql);
    if (what === 'get') {
      const [, cells = '', joins = ''] =
        /^select (.*?), [`"]?t[`"]?\.[`"]?version[`"]? from .*? as t (.*?) ?where /s.exec(sql) ?? [];
      known = [[cells, '(cells)'] as const, [joins, '(joins)'] as const].filter(([part]) => part !== '');
    }
    return [`    ${what}: ${/^(?:heads|days)/.test(what) ? sql.slice(0, 400) : sql}`];
  });
}

test.each(Object.entries(dialects))('%s is asked what it was asked for ever', async (name, dialect) => {
  const endpointOf = (folder: Folder, group: string, only?: readonly string[]): Pick<Endpoint, 'filters' | 'sorts'> => {
    const endpoint = endpointsOf(registryOf(folder)).find(
      (each) => each.resource.name === group && each.operation === 'list',
    );
    if (endpoint === undefined) throw new Error(`${group} has no list`);
    const filters = [...endpoint.filters].filter(([key]) => only === undefined || only.includes(key));
    return { ...endpoint, filters: new Map(filters) };
  };
  const [ofBooks, ofEntries] = (['test', 'studio'] as const).map(
    (folder) => new Groups(registryOf(folder), rules, dialect),
  );
  if (ofBooks === undefined || ofEntries === undefined) throw new Error('there are no groups');
  const lines = [
    'Books',
    ...textOf(groupLines(ofBooks.get('book').queries, endpointOf('test', 'book'), [])),
    'Entries',
    ...textOf(
      groupLines(ofEntries.get('entry').queries, endpointOf('studio', 'entry', ['date', 'minutesAtLeast']), []),
    ),
  ];
  const book = new RightsBook(loadRoles(join(folders.studio, 'roles'), ofEntries.registry));
  for (const [roles, groups] of [
    [['worker'], ['entry', 'project', 'client', 'member']],
    [
      ['lead', 'worker'],
      ['entry', 'project'],
    ],
  ] as const) {
    const rights = book.of({ roles, others: undefined, cut: undefined });
    if (rights === undefined) throw new Error('there are no roles');
    const sight = new CallerSight(ofEntries, rights);
    for (const group of groups) {
      const { queries } = sight.group(group, 'list');
      const first = queries.pages.first();
      const endpoint = endpointsOf(ofEntries.registry).find((each) => each.resource.name === group);
      if (endpoint === undefined) throw new Error(`${group} has no endpoint`);
      const seen = sight
        .filtersOf({ endpoint, filters: [], order: undefined })
        .map(({ filter }) => (first === undefined ? filter : { ...filter, first: 2 }));
      const some = endpointOf('studio', group, ['statusId', 'dateOnAfter', 'clientId']);
      lines.push(`${group}, as ${roles.join(' and ')}`);
      lines.push(...textOf([['first', first], ...groupLines(queries, some, seen)]));
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`texts/${name}.txt`);
});
