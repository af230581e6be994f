// Laws of lists: order, pages, filters, parameters.
import { expect } from 'vitest';
import { endpointsOf, type FilterParameter, sortsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Resource } from '../../src/registry/model/model.ts';
import { passes, shownValues, sorted } from '../support/data/model.ts';
import { type Context, isObject, type Json } from '../support/service/praxis.ts';
import { idsOf, type Law, offers, unknownId } from './law.ts';

type Row = Json & { readonly id: string };
const fewest = 5;

/** The rows of a group, at least five where callers can make some; several of the same millisecond. */
async function rowsOf(context: Context, resource: Resource): Promise<Row[]> {
  if (resource.operations.has('create')) {
    const bodies = await Promise.all(
      Array.from({ length: fewest }, (_value, place) =>
        context.bodyOf(resource.name, {}, place % 2 === 0 ? 'all' : 'required'),
      ),
    );
    await Promise.all(bodies.map((body) => context.call('POST', resource.path, body)));
  }
  return context.all(resource.name);
}

interface Page {
  readonly results: Row[];
  readonly hasMore: boolean;
}

async function pageOf(context: Context, resource: Resource, query: string): Promise<Page> {
  const { status, body, text } = await context.call('GET', `${resource.path}?${query}`);
  expect(status, text).toBe(200);
  if (!isObject(body)) throw new Error(text);
  return body as unknown as Page;
}

interface Walk {
  readonly limit: number;
  /** Filters, as `&name=x`. */
  readonly filters?: string;
  /** Walks backwards from the row with this id; else forwards from the first. */
  readonly before?: string;
  /** Rows that there are on the way. */
  readonly total: number;
}

/** All rows page by page, in the order of the list. */
async function walk(
  context: Context,
  resource: Resource,
  { limit, filters = '', before, total }: Walk,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = before === undefined ? '' : `&endingBefore=${before}`;
  for (;;) {
    const page = await pageOf(context, resource, `limit=${limit}${filters}${cursor}`);
    expect(page.results.length).toBeLessThanOrEqual(limit);
    if (before === undefined) rows.push(...page.results);
    else rows.unshift(...page.results);
    expect(page.hasMore, `hasMore after ${rows.length} of ${total}, ${limit} at a time`).toBe(rows.length < total);
    if (!page.hasMore) return rows;
    expect(page.results).toHaveLength(limit);
    cursor =
      before === undefined ? `&startingAfter=${page.results.at(-1)?.id}` : `&endingBefore=${page.results[0]?.id}`;
  }
}

const filtersOf = (context: Context, resource: Resource): FilterParameter[] => {
  const endpoint = endpointsOf(context.registry).find(
    (each) => each.resource === resource && each.operation === 'list',
  );
  return [...(endpoint?.filters.values() ?? [])];
};

const idList = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

/** Values to look for: those that rows show, parts of them where parts count, and some that no row has. */
function wantedValues(rows: readonly Row[], filter: FilterParameter): string[] {
  const shown = [
    ...new Set(
      rows
        .flatMap((row) => shownValues(row, filter))
        .filter((value) => value !== null && value !== undefined && value !== '')
        .map(String),
    ),
  ];
  const some = [...new Set([shown[0], shown[1], shown.at(-1)].filter((value) => value !== undefined))];
  const { accepts, comparison } = filter;
  if (comparison.startsWith('folded'))
    return [
      ...some,
      ...some.flatMap((text) => [text.toUpperCase(), text.slice(0, 3), text.slice(2, 5), text.slice(-3)]),
      'no row has this',
      '%',
      '_',
    ];
  switch (accepts.kind) {
    case 'uuid':
      return [...some, ...some.slice(0, 1).map((id) => id.toUpperCase()), unknownId];
    case 'enum':
      return [...accepts.values];
    case 'boolean':
      return ['true', 'false'];
    case 'integer':
      return [...some, String(accepts.maximum)];
    case 'decimal':
      return [...some, '0.01'];
    case 'date':
      return [...some, '1000-01-01', '9999-12-31'];
    case 'dateTime':
      return [...some, '1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
    default:
      return [
        ...some,
        ...some
          .slice(0, 1)
          .flatMap((text) =>
            accepts.kind === 'text' && accepts.format === 'currency' ? [] : [text.toLowerCase(), `${text} `],
          ),
        '',
      ].filter(
        (text) =>
          accepts.kind !== 'text' || (accepts.format !== 'currency' && accepts.format !== 'time') || text !== '',
      );
  }
}

export const listLaws: readonly Law[] = [
  {
    title: 'lists newest first, the greater id first of equal times',
    appliesTo: offers('list'),
    check: async (context, resource) => {
      const rows = await rowsOf(context, resource);
      const key = (row: Row): string => `${String(row['createdAt'])} ${row.id}`;
      expect(rows.map(key)).toEqual(rows.map(key).toSorted().toReversed());
      expect(new Set(idList(rows)).size).toBe(rows.length);
    },
  },
  {
    title: 'shows each row once, page by page, forwards and backwards, at any page size',
    appliesTo: offers('list'),
    check: async (context, resource) => {
      const rows = await rowsOf(context, resource);
      const count = rows.length;
      const sizes = new Set(
        [count <= 12 ? 1 : 11, 3, count - 1, count, count + 1].filter(
          (size) => size > 0 && size <= 100 && count / size < 30,
        ),
      );
      for (const limit of sizes) {
        expect(idList(await walk(context, resource, { limit, total: count }))).toEqual(idList(rows));
        const last = rows.at(-1);
        if (last === undefined) continue;
        const before = await walk(context, resource, { limit, before: last.id, total: count - 1 });
        expect(idList(before)).toEqual(idList(rows.slice(0, -1)));
      }
      const usual = await pageOf(context, resource, '');
      expect(idList(usual.results)).toEqual(idList(rows.slice(0, 10)));
    },
  },
  {
    title: 'filters as a plain filter over the rows does',
    appliesTo: (resource) =>
      offers('list')(resource) &&
      resource.fields.some(
        (field) =>
          field.filter !== undefined ||
          (field.kind === 'objects' && field.fields.some(({ filter }) => filter !== undefined)),
      ),
    check: async (context, resource) => {
      const rows = await rowsOf(context, resource);
      for (const filter of filtersOf(context, resource)) {
        if (!filter.field.shown) {
          if (filter.field.onCreate) await checkHidden(context, resource, filter);
          continue;
        }
        for (const wanted of wantedValues(rows, filter)) {
          const found = await context.all(resource.name, `&${filter.name}=${encodeURIComponent(wanted)}`);
          expect(idList(found), `${filter.name}=${wanted}`).toEqual(
            idList(rows.filter((row) => passes(row, filter, wanted))),
          );
        }
      }
    },
  },
  {
    title: 'joins several filters with and, and pages through what they leave',
    appliesTo: (resource) =>
      offers('list')(resource) &&
      resource.fields.filter(({ filter, shown }) => filter !== undefined && shown).length > 1,
    check: async (context, resource) => {
      const rows = await rowsOf(context, resource);
      const row = rows.at(Math.floor(rows.length / 2));
      const filters = filtersOf(context, resource).filter(
        (filter) =>
          row &&
          filter.field.shown &&
          filter.comparison !== 'after' &&
          filter.comparison !== 'before' &&
          shownValues(row, filter).some((value) => value !== null && value !== undefined && value !== ''),
      );
      for (const pair of filters
        .slice(0, -1)
        .map((filter, place) => [filter, ...filters.slice(place + 1, place + 2)])) {
        const wanted = pair.map(
          (filter) =>
            [
              filter,
              String(
                shownValues(row ?? {}, filter).find((value) => value !== null && value !== undefined && value !== ''),
              ),
            ] as const,
        );
        const query = wanted.map(([{ name }, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
        const expected = idList(rows.filter((each) => wanted.every(([filter, value]) => passes(each, filter, value))));
        const found = await walk(context, resource, {
          limit: expected.length > 20 ? 19 : 2,
          filters: query,
          total: expected.length,
        });
        expect(idList(found), query).toEqual(expected);
        const after = await pageOf(context, resource, `limit=2${query}&startingAfter=${expected[0]}`);
        expect(idList(after.results), query).toEqual(expected.slice(1, 3));
        const before = await pageOf(context, resource, `limit=2${query}&endingBefore=${expected.at(-1)}`);
        expect(idList(before.results), query).toEqual(expected.slice(0, -1).slice(-2));
      }
    },
  },
  {
    title: 'sorts as a plain sort of the rows does, page by page, forwards and backwards',
    appliesTo: (resource) => offers('list')(resource) && sortsOf(resource).length > 0,
    check: async (context, resource) => {
      const rows = await rowsOf(context, resource);
      const total = rows.length;
      for (const order of sortsOf(resource)) {
        const expected = idList(sorted(rows, order));
        const filters = `&sort=${order.name}`;
        const limit = Math.max(2, Math.ceil(total / 20));
        expect(idList(await walk(context, resource, { limit, filters, total })), order.name).toEqual(expected);
        const before = expected.at(-1) ?? '';
        expect(idList(await walk(context, resource, { limit, filters, before, total: total - 1 })), order.name).toEqual(
          expected.slice(0, -1),
        );
      }
    },
  },
  {
    title: 'refuses parameters that are unknown, given twice, or not what they must be',
    appliesTo: offers('list'),
    check: async (context, resource) => {
      const refuses = async (query: string, message: string): Promise<void> => {
        const { status, body } = await context.call('GET', `${resource.path}?${query}`);
        expect(body, query).toEqual({ status: 400, message });
        expect(status).toBe(400);
      };
      const sorts = sortsOf(resource).map(({ name }) => name);
      await refuses(
        'sort=noField',
        sorts.length === 0
          ? "Parameter 'sort' is not allowed."
          : `Parameter 'sort' must be one of ${sorts.join(', ')}.`,
      );
      await refuses('limit=5&limit=5', "Parameter 'limit' is given twice.");
      for (const limit of ['0', '101', '1.5', '1e2', '%2B5', '0x10', '%205', '', '9'.repeat(30), '-1'])
        await refuses(`limit=${limit}`, "Parameter 'limit' must be an integer from 1 to 100.");
      for (const name of ['startingAfter', 'endingBefore']) {
        await refuses(`${name}=x`, `Parameter '${name}' is not a valid UUID.`);
        await refuses(`${name}=${unknownId}`, `Parameter '${name}' does not refer to a known record.`);
      }
      await refuses(
        `startingAfter=${unknownId}&endingBefore=${unknownId}`,
        "Parameters 'startingAfter' and 'endingBefore' are mutually exclusive.",
      );
      for (const { name, accepts } of filtersOf(context, resource)) {
        if (accepts.kind === 'uuid') await refuses(`${name}=x`, `Parameter '${name}' is not a valid UUID.`);
        if (accepts.kind === 'enum')
          await refuses(`${name}=x`, `Parameter '${name}' must be one of ${accepts.values.join(', ')}.`);
        if (accepts.kind === 'date')
          await refuses(`${name}=2023-02-29`, `Parameter '${name}' must be a date (YYYY-MM-DD).`);
        if (accepts.kind === 'decimal')
          for (const text of ['', 'x', '1e3', '0x1', '+1', '1.23456789', '1'.repeat(19), 'NaN', '.5', '1,5']) {
            const { status } = await context.call('GET', `${resource.path}?${name}=${encodeURIComponent(text)}`);
            expect(status, `${name}=${text}`).toBe(400);
          }
        if (accepts.kind === 'dateTime')
          for (const text of ['2023-02-28', '2023-02-29T00:00:00Z', '2023-02-28T00:00:00', '2023-02-28T00:00:00+01:00'])
            await refuses(
              `${name}=${encodeURIComponent(text)}`,
              `Parameter '${name}' must be a date-time in UTC (YYYY-MM-DDTHH:mm:ss.sssZ).`,
            );
        if (accepts.kind === 'integer')
          await refuses(
            `${name}=1.5`,
            `Parameter '${name}' must be an integer from ${accepts.minimum} to ${accepts.maximum}.`,
          );
      }
    },
  },
];

/** A filter on a field that records do not show: it finds what was made with the value. */
async function checkHidden(context: Context, resource: Resource, { field, name }: FilterParameter): Promise<void> {
  if (field.kind !== 'reference') throw new Error(`${resource.name}.${name}: no law for hidden fields of this kind`);
  const { id } = await context.make(field.target);
  const along = idList(await context.all(resource.name, `&${name}=${id}`));
  const made = [
    await context.make(resource.name, { [field.key]: id }),
    await context.make(resource.name, { [field.key]: id }),
  ];
  expect(idsOf(await context.all(resource.name, `&${name}=${id}`))).toEqual([...idList(made).toReversed(), ...along]);
  expect(await context.all(resource.name, `&${name}=${unknownId}`)).toEqual([]);
}
