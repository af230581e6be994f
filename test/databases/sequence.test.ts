// Numbers that are given out once, a sequence each.
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Session } from '../../src/storage/schema/session.ts';
import { sequenceTable } from '../../src/storage/schema/tables.ts';
import { nextNumber } from '../../src/storage/sequence.ts';
import { databases } from '../support/databases/databases.ts';

test.for(databases.filter(({ isThere }) => isThere))(
  '$name: they rise from 1, and one that was not used is given again',
  async ({ open }) => {
    const { url, drop } = await open();
    const database = await openDatabase(url);
    try {
      const { dialect } = database;
      await database.run(`create table ${sequenceTable} (name varchar(40) primary key, value bigint not null)`, []);
      const next = (name: string) => (session: Session) => nextNumber(session, dialect, name);
      const numbers: number[] = [];
      for (const name of ['bill', 'bill', 'order', 'bill']) numbers.push(await database.transact(next(name)));
      expect(numbers).toEqual([1, 2, 1, 3]);
      const undone = database.transact(async (session) => {
        numbers.push(await next('bill')(session));
        throw new Error('Not used.');
      });
      await expect(undone).rejects.toThrow('Not used.');
      expect([numbers.at(-1), await database.transact(next('bill'))]).toEqual([4, 4]);
    } finally {
      await database.close();
      await drop();
    }
  },
);
