// The tables that a service makes for itself, as a text that is checked in: whoever changes one sees that databases that are there must
// follow.
import { expect, test } from 'vitest';
import { createPraxis } from '../../src/app/praxis.ts';
import { preparePeople } from '../../src/people/people.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { databases } from '../support/databases/databases.ts';
import { accessToken, registryOf } from '../support/service/praxis.ts';

/** The same database, whose scripts are noted. */
const noting = (database: Database, noted: string[]): Database =>
  new Proxy(database, {
    get: (target, key) =>
      key === 'script'
        ? (statements: readonly string[]) => {
            noted.push(...statements);
            return target.script(statements);
          }
        : Reflect.get(target, key, target),
  });

test.for(databases.filter(({ isThere }) => isThere))('$name: a new one has all of them', async ({ name, open }) => {
  const noted: string[] = [];
  // With files and a log, and with figures of the day.
  for (const folder of ['files', 'lending'] as const) {
    const { url, drop } = await open();
    const database = noting(await openDatabase(url), noted);
    const praxis = await createPraxis({ registry: registryOf(folder), database, accessToken, changes: 90 });
    await preparePeople(database);
    await praxis.close();
    await drop();
  }
  const own = noted.filter((sql) => /^create .*[`"](?:praxis_\w+|file)[`"]/.test(sql));
  await expect(`${[...new Set(own)].join(';\n')};\n`).toMatchFileSnapshot(`own-tables/${name}.sql`);
});
