// Query parameters as clients of other APIs spell them: repeated lists are read, all else is refused with the right name.
import { describe, expect, test } from 'vitest';
import { suggestParameter } from '../../src/request/foreign-names.ts';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const bearer = { Authorization: `Bearer ${accessToken}` };
const names = [
  ...['limit', 'startingAfter', 'endingBefore', 'count', 'sort', 'expand', 'fields', 'clientId', 'pages', 'statusId'],
  ...['amount', 'amountAbove', 'amountAtLeast', 'amountBelow', 'amountAtMost'],
  ...['name', 'nameContains', 'nameStartsWith', 'nameEndsWith'],
  ...['dueDate', 'dueDateAfter', 'dueDateOnAfter', 'dueDateBefore', 'dueDateOnBefore'],
];

describe('an unknown parameter', () => {
  test.each([
    ['dueDate[gte]', 'dueDateOnAfter'],
    ['dueDate_gte', 'dueDateOnAfter'],
    ['due_date__lt', 'dueDateBefore'],
    ['filter[dueDate][lte]', 'dueDateOnBefore'],
    ['dueDate>', 'dueDateOnAfter'],
    ['dueDate<2026-01-01', 'dueDateBefore'],
    ['min_due_date', undefined],
    ['amount[gte]', 'amountAtLeast'],
    ['amount_gt', 'amountAbove'],
    ['amount__lte', 'amountAtMost'],
    ['amount<5', 'amountBelow'],
    ['pages[gte]', 'pages'],
    ['name__icontains', 'nameContains'],
    ['name[like]', 'nameContains'],
    ['name_starts_with', 'nameStartsWith'],
    ['filter[name]', 'name'],
    ['statusId[in]', 'statusId'],
    ['status', 'statusId'],
    ['client', 'clientId'],
    ['client_id', 'clientId'],
    ['client.id', 'clientId'],
    ['per_page', 'limit'],
    ['$top', 'limit'],
    ['page', 'startingAfter'],
    ['orderBy', 'sort'],
    ['$orderby', 'sort'],
    ['include', 'expand'],
    ['$select', 'fields'],
    ['limti', 'limit'],
    ['colour', undefined],
    ['__proto__', undefined],
    ['name[constructor]', undefined],
    ['constructor', undefined],
    ['x'.repeat(5000), undefined],
  ])('of another API means the one here: %s is %s', (name, meant) => {
    expect(suggestParameter(name, names)).toBe(meant);
  });

  test('means nothing that the list does not have', () => {
    expect(suggestParameter('orderBy', ['limit'])).toBeUndefined();
    expect(suggestParameter('name[like]', ['name'])).toBe('name');
  });
});

onEveryDatabase('lists of parameters', (on) => {
  const read = (query: string, path = '/books') => send(on, `GET ${path}?${query}`);

  test('are read alike with commas, repeated, and with brackets', async () => {
    await on.make('book', { title: 'Emma' });
    const { body: wanted } = await read('fields=title,genre&expand=genre');
    expect(Object.keys(wanted.results[0])).toEqual(expect.arrayContaining(['id', 'title', 'genre']));
    for (const fields of ['fields=title&fields=genre', 'fields[]=title&fields[]=genre', 'fields%5B%5D=title,genre'])
      expect((await read(`${fields}&expand[]=genre`)).body, fields).toEqual(wanted);
    const sums = await read('by=statusId&by=source&sum[]=pages&sum[]=copies', '/summary/books');
    expect(sums.body).toEqual((await read('by=statusId,source&sum=pages,copies', '/summary/books')).body);
    const exported = async (query: string) =>
      (await fetch(`${on.address}/export/books?format=csv&${query}`, { headers: bearer })).text();
    expect(await exported('fields[]=title&fields[]=statusId')).toBe(await exported('fields=title,statusId'));
    expect((await read('fields=title&fields=title')).body.message).toContain("'title' is given twice");
  });

  test('refuse repeats of a parameter with one value', async () => {
    expect((await read('limit=1&limit=2')).body.message).toBe("Parameter 'limit' is given twice.");
    expect((await read('limit[]=1')).body.message).toBe("Parameter 'limit[]' is not allowed; did you mean 'limit'?");
    expect((await read('title=a&title=b')).body.message).toBe("Parameter 'title' is given twice.");
  });

  test('have a hint to the path of one record', async () => {
    const message = "Parameter 'id' is not allowed; did you mean '/books/{id}'?";
    expect((await read('id=01890a5d-ac96-774b-bcce-b302099a8057')).body).toEqual({ status: 400, message });
    expect((await read('publishedOn[gte]=2026-01-01')).body.message).toBe(
      "Parameter 'publishedOn[gte]' is not allowed; did you mean 'publishedOnOnAfter'?",
    );
  });
});
