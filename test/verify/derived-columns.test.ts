// `praxis verify` on derived columns: folded texts, hashes of unique keys, and the times of records in the rows of their lists.
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Cell } from '../../src/storage/schema/cells.ts';
import { tablesOf } from '../../src/storage/schema/tables.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

/** A derived column, with a wrong value as SQL. */
interface Copy {
  readonly table: string;
  readonly column: string;
  readonly wrong: string;
}

const copies = tablesOf(registryOf('test')).flatMap(({ name: table, list, columns }): readonly Copy[] => [
  ...columns.flatMap(({ name: column, madeFrom, type }) =>
    madeFrom === undefined ? [] : [{ table, column, wrong: type.kind === 'key' ? 'null' : "'wrong'" }],
  ),
  ...(list === undefined ? [] : [{ table, column: 'created_at', wrong: "'2001-02-03 04:05:06.789'" }]),
]);

const cellText = (cell: Cell): string =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : String(cell);

onEveryDatabase('praxis verify on derived columns', (context) => {
  let book: Json;

  beforeAll(async () => {
    for (const group of context.registry.resources.keys())
      if (context.resource(group).operations.has('create')) await context.make(group, {}, 'all');
    book = await context.make('book', { title: 'ÉCUME des jours', key: 'ecume' }, 'all');
  }, 60_000);

  const update = async (...statements: readonly string[]): Promise<void> => {
    const database = await openDatabase(context.databaseUrl);
    for (const sql of statements) expect(await database.run(sql, []), sql).toBeGreaterThan(0);
    await database.close();
  };
  /** Reads each derived column with the id of its record. */
  const readCopies = async (): Promise<readonly string[]> => {
    const database = await openDatabase(context.databaseUrl);
    const lines: string[] = [];
    for (const { table, column } of copies) {
      const id = column === 'created_at' ? 'owner_id' : 'id';
      for (const row of await database.all(`select ${id}, ${column} from ${table}`, []))
        lines.push([table, column, ...row.map(cellText)].join(' '));
    }
    await database.close();
    return lines.sort();
  };
  const listNames = async (repair = false): Promise<readonly string[]> =>
    (await verified(context, 'test', repair)).map(({ group, place, column }) => `${group}.${place} ${column}`);

  test('finds no difference in the rows that the service has stored', async () => {
    expect(await listNames()).toEqual([]);
  });

  test('names each derived column that differs, and restores all of them', async () => {
    const stored = await readCopies();
    await update(...copies.map(({ table, column, wrong }) => `update ${table} set ${column} = ${wrong}`));
    const names = await listNames();
    expect(new Set(names).size).toBe(copies.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'book.title title_folded',
        'book.key key_key',
        'book.markIds created_at',
        'book.chapters created_at',
        'book.chapters.pictures created_at',
      ]),
    );
    expect(await listNames(true)).toEqual(names);
    expect(await readCopies()).toEqual(stored);
    expect(await listNames()).toEqual([]);
  });

  test('lets filters and unique keys find a record again', async () => {
    const answers = async () => ({
      byTitle: (await context.all('book', '&titleContains=cume')).length,
      byKey: (await context.all('book', '&key=ecume')).length,
      again: (await context.call('POST', '/books', await context.bodyOf('book', { key: 'ecume' }))).status,
    });
    const right = { byTitle: 1, byKey: 1, again: 409 };
    expect(await answers()).toEqual(right);
    await update(`update book set title_folded = 'x', key_key = null where id = '${String(book['id'])}'`);
    expect(await context.all('book', '&titleContains=cume')).toEqual([]);
    expect(await context.all('book', '&key=ecume')).toEqual([]);
    await verified(context, 'test', true);
    expect(await answers()).toEqual(right);
  });

  test('keeps a hash that another record has by now, and says so', async () => {
    await update(`update book set key_key = null where id = '${String(book['id'])}'`);
    const other = await context.make('book', { key: 'ecume' });
    const differences = await verified(context, 'test', true);
    expect(differences).toMatchObject([
      {
        id: book['id'],
        place: 'key',
        column: 'key_key',
        stored: null,
        stays: 'another record has the same unique key',
      },
    ]);
    await context.call('DELETE', `/books/${other.id}`);
    expect(await listNames(true)).toEqual(['book.key key_key']);
    expect(await listNames()).toEqual([]);
  });
});
