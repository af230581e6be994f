// Records that name nothing together, in a project without settings of a workspace: what is kept of them, and what conditions say,
// holds among writers at once all the same.
import { describe, expect, test } from 'vitest';
import { planOf as planFor } from '../../src/app/explain-plan.ts';
import { planText } from '../../src/commands/explain/plan.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import { commonRowsOf } from '../../src/engine/plan/lock-kinds.ts';
import { lockRows } from '../../src/engine/transaction/common-row.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { type Answer, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

const timeout = 120_000;
const rounds = Array.from({ length: 25 }, (_value, round) => round);
const four = [0, 1, 2, 3];
const accepted = (answers: readonly Answer[]): number => answers.filter(({ status }) => status < 300).length;
const texts = (answers: readonly Answer[]): string => answers.map(({ text }) => text).join('\n');

onEveryDatabase(
  'without settings',
  (context) => {
    const counted = async (size: number): Promise<unknown[]> =>
      (await context.all('shelf')).filter((shelf) => shelf['size'] === size).map((shelf) => shelf['boxes']);

    test(
      'shelves and boxes that are made at once: each shelf has counted all boxes',
      async () => {
        for (const size of rounds) {
          const answers = await Promise.all(
            four.flatMap((n) => [
              context.call('POST', n % 2 === 0 ? '/shelves' : '/boxes', { size }),
              context.call('POST', '/boxes', { size }),
            ]),
          );
          expect(accepted(answers), texts(answers)).toBe(8);
          expect(await counted(size)).toEqual([6, 6]);
        }
      },
      timeout,
    );

    test(
      'shelves and boxes that come to a size at once: each shelf has counted all boxes',
      async () => {
        for (const round of rounds) {
          const size = 1000 + round;
          const shelf = await context.make('shelf', { size: 2001 });
          const boxes = [await context.make('box', { size: 2002 }), await context.make('box', { size: 2002 })];
          const answers = await Promise.all([
            context.call('PATCH', `/shelves/${shelf.id}`, { size }),
            ...boxes.map(({ id }) => context.call('PATCH', `/boxes/${id}`, { size })),
          ]);
          expect(accepted(answers), texts(answers)).toBe(3);
          expect(await counted(size)).toEqual([2]);
        }
      },
      timeout,
    );

    test(
      'of four labels of one code at once one comes in',
      async () => {
        for (const code of rounds) {
          const answers = await Promise.all(four.map(() => context.call('POST', '/labels', { code })));
          expect(accepted(answers), texts(answers)).toBe(1);
        }
      },
      timeout,
    );
  },
  'commonRow',
);

for (const { folder, group, statement } of [
  { folder: 'locks', group: 'settings', statement: 'select id from settings for update nowait' },
  {
    folder: 'commonRow',
    group: 'praxis_state',
    statement: "select name from praxis_state where name = 'records' for update nowait",
  },
] as const)
  onEveryDatabase(
    `the common row of ${folder}`,
    (context) => {
      test('is nobody else’s to change while it is held', async ({ skip }) => {
        skip(!context.isServer, 'one writer locks nothing');
        const database = await openDatabase(context.databaseUrl);
        try {
          const groups = new Groups(context.registry, rules, database.dialect);
          const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
          for (const lock of ['shared', 'own'] as const)
            await unit.transact(async (session) => {
              await lockRows(groups, session, { group, ids: [''], lock });
              await expect(database.all(statement, [])).rejects.toThrow();
            });
          expect(await database.all(statement, [])).toHaveLength(1);
        } finally {
          await database.close();
        }
      });
    },
    folder,
  );

describe('the row that stands for what records have in common', () => {
  const { workspace } = registryOf('locks');

  test('is that of the settings where set-up is sure to make it, and one of the service beside or without them', () => {
    if (workspace === undefined) throw new Error('the folder has settings');
    const rowsWith = (setup: typeof workspace.setup) => commonRowsOf({ workspace: { ...workspace, setup } });
    expect(commonRowsOf({ workspace })).toEqual(['settings']);
    expect(rowsWith([])).toEqual(['praxis_state', 'settings']);
    expect(rowsWith([{ $when: 'adminEmail', name: 'x' }])).toEqual(['praxis_state', 'settings']);
    expect(commonRowsOf({ workspace: undefined })).toEqual(['praxis_state']);
  });

  test('is named where the locks of a write are told', () => {
    const groups = new Groups(registryOf('commonRow'), rules, dialects.mysql);
    const planOf = (group: string, operation: 'create' | 'delete') =>
      planText(planFor(groups, group, { operation, sent: undefined }));
    expect(planOf('box', 'create')).toContain(
      '  praxis_state: counter incremented, by workspace (figures over other records)',
    );
    expect(planOf('shelf', 'create')).toContain(
      '  praxis_state: counter incremented, by workspace (figures over other records)',
    );
    expect(planOf('label', 'create')).toContain(
      '  praxis_state: counter incremented, by workspace (require looks for label)',
    );
    expect(planOf('label', 'delete')).toContain('  praxis_state: shared, by workspace (label may look for it)');
  });
});
