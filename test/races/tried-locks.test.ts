// After a deadlock a write begins by locking all that its last try has come to, in one order.
import { expect, test } from 'vitest';
import type { Change } from '../../src/engine/changes/change.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import { TriedLocks } from '../../src/engine/transaction/tried-locks.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import type { Session } from '../../src/storage/schema/session.ts';
import { registryOf } from '../support/service/praxis.ts';

const groups = new Groups(registryOf('test'), rules, dialects.mysql);

test('rows that it writes are locked, those that they refer to are held, and each but once', async () => {
  const asked: string[] = [];
  const session: Session = {
    all: async (sql, values) => {
      const table = /from `?(\w+)/.exec(sql)?.[1];
      asked.push(`${table} ${values.join(' ')} ${/for update|lock in share mode/.exec(sql)?.[0]}`);
      return [];
    },
    run: async () => 0,
  };
  const locks = new TriedLocks();
  await locks.takeAgain(session, groups);
  expect(asked).toEqual([]);
  locks.note('shelf', ['s2'], 'shared');
  const of = (kind: string, group: string, id: string, after?: object): Change =>
    ({ kind, group, id, before: {}, after, keys: [], cause: { kind: 'caller' } }) as unknown as Change;
  locks.begin(() => [
    of('create', 'book', 'b3', { genreId: 'g1', labelId: 'l1' }),
    of('update', 'book', 'b2', { genreId: 'g1' }),
    of('delete', 'book', 'b1'),
    of('update', 'shelf', 's2', { labelId: 'l2' }),
  ]);
  await locks.takeAgain(session, groups);
  expect(asked).toEqual([
    'book b1 b2 for update',
    'genre g1 lock in share mode',
    'label l1 l2 lock in share mode',
    // Held at first, and then written.
    'shelf s2 for update',
  ]);
});
