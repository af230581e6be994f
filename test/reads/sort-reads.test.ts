// How many rows the pages of sorted lists read, on both databases: flat however deep, and with filters a few times what the
// shortest way reads.
import { describe, expect, test } from 'vitest';
import { endpointsOf, type Order } from '../../src/endpoints/routes/endpoint.ts';
import { type Group, Groups } from '../../src/engine/plan/groups.ts';
import { readPage } from '../../src/engine/read/read.ts';
import { parseAddress } from '../../src/request/parse.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { fillGroups } from '../bench/filter-rows.ts';
import { databases } from '../support/databases/databases.ts';
import { openCounter } from '../support/databases/rows-read.ts';
import { isOfPart } from '../support/run/part.ts';
import { registryOf } from '../support/service/praxis.ts';

const rows = 20_000;
const limit = 10;
/** What a page reads where no other field is filtered: its records, those that they refer to, and where it begins. */
const rowsAlone = 60;
/** With other filters: so many, and so many for each record that passes them. */
const rowsAtLeast = 400;
const rowsEachMatch = 4;
/** Filters, and the same in SQL: by the field of the list, rare ones and such as nobody passes. */
const filters: readonly { readonly query: string; readonly condition?: string }[] = [
  { query: '' },
  {
    query: '&heldOnOnAfter=2024-03-01&heldOnBefore=2024-06-01',
    condition: "held_on >= '2024-03-01' and held_on < '2024-06-01'",
  },
  { query: '&placesAtLeast=1500', condition: 'places >= 1500' },
  { query: '&statusId=open&placesBelow=1', condition: "status_id = 'open' and places < 1" },
  { query: '&hallId=00000000-0000-7000-8000-00000000dead', condition: '1 = 0' },
  { query: '&placesAbove=100000', condition: '1 = 0' },
];

for (const { name, isServer, isThere, open } of databases) {
  describe.skipIf(!isThere || !isOfPart(!isServer))(`sorted pages (${name})`, () => {
    test('read few rows for each that they show, however deep, and statements are few', {
      timeout: 300_000,
    }, async () => {
      const { url, drop } = await open('praxis_sorts');
      const registry = registryOf('fair');
      await fillGroups(
        url,
        registry,
        new Map([
          ['talk', rows],
          ['hall', 100],
        ]),
      );
      const database = await openDatabase(url);
      const counter = await openCounter(url);
      try {
        const own = new Groups(registry, rules, database.dialect).get('talk');
        // Lists are read by the ids of the page, whatever it is sorted by.
        const group: Group = { ...own, lists: [], write: (row) => JSON.stringify(row[0]) };
        const endpoint = endpointsOf(registry).find(({ operationId }) => operationId === 'listTalks');
        if (endpoint === undefined) throw new Error('there are no talks');
        let longest = 0;
        const look = async (query: string, dialect = database.dialect) => {
          const asked: [string, readonly Bound[]][] = [];
          const session = {
            all: (text: string, values: readonly Bound[]) => {
              asked.push([text, values]);
              return database.all(text, values);
            },
          };
          const address = parseAddress(endpoint, '', `limit=${limit}&${query}`);
          const intent = { endpoint, caller: { tokenId: '', memberId: null }, ...address, body: undefined };
          const records = () => {
            throw new Error('nothing is taken when these records are read');
          };
          const noted: object[] = [];
          const noteLongWay = (_what: string, details: object): void => void noted.push(details);
          const dated = { today: () => '2026-01-01', records, noteLongWay };
          const reading = { session, group, dialect, ...dated };
          const { results } = JSON.parse((await readPage(reading, intent)).toString()) as { results: string[] };
          const many = { group: 'talk', statements: asked.length };
          expect(noted).toEqual(asked.length > 20 ? [expect.objectContaining(many)] : []);
          longest = Math.max(longest, asked.length);
          let read = 0;
          for (const [text, values] of asked) read += await counter.count(text, values);
          return { shown: results.length, read, statements: asked.length };
        };
        const idAt = async ({ field, isDescending }: Order, share: number): Promise<string> => {
          const column = field.kind === 'text' ? `${field.column}_folded` : field.column;
          const direction = isDescending ? 'desc' : 'asc';
          const text = `select id from talk order by ${column} ${direction}, created_at ${direction}, id ${direction} limit 1 offset ${Math.floor(rows * share)}`;
          return String((await database.all(text, []))[0]?.[0]);
        };
        for (const { query, condition } of filters) {
          const counted = await database.all(`select count(*) from talk where ${condition ?? '1 = 1'}`, []);
          const matches = Number(counted[0]?.[0]);
          for (const order of endpoint.sorts.values()) {
            const middle = await Promise.all([0.05, 0.5, 0.97].map((share) => idAt(order, share)));
            const places = ['', ...middle.flatMap((id) => [`&startingAfter=${id}`, `&endingBefore=${id}`])];
            for (const place of places) {
              const { shown, read, statements } = await look(`sort=${order.name}${query}${place}`);
              const isAlone = condition === undefined || query.startsWith(`&${order.field.name}`);
              const where = `sort=${order.name}${query}${place}: ${read} rows, ${statements} statements`;
              if (isAlone) expect(statements, where).toBeLessThanOrEqual(3);
              if (condition === undefined) expect(shown, where).toBe(limit);
              expect(read, where).toBeLessThanOrEqual(isAlone ? rowsAlone : rowsAtLeast + rowsEachMatch * matches);
              expect(read, where).toBeGreaterThanOrEqual(shown);
            }
          }
        }
        // So few entries at once that a page of few matches takes many statements.
        expect(longest).toBeLessThanOrEqual(20);
        const [rare] = filters.filter(({ condition }) => condition !== undefined);
        await look(`sort=${[...endpoint.sorts.keys()][0]}${rare?.query}`, { ...database.dialect, entriesAtOnce: 20 });
        expect(longest).toBeGreaterThan(20);
      } finally {
        await counter.close();
        await database.close();
        await drop();
      }
    });
  });
}
