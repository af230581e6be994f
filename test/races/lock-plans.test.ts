// What the writes of every group may lock, and in which order, as `praxis explain plan` tells it. The text is checked in: a lock
// that is new, or that comes in another place, is seen there.
import { describe, expect, test } from 'vitest';
import { planOf } from '../../src/app/explain-plan.ts';
import { planText, writeText } from '../../src/commands/explain/plan.ts';
import { lockPlanOf } from '../../src/engine/explain/lock-plan.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { type Folder, folders, registryOf } from '../support/service/praxis.ts';

const writes = ['create', 'update', 'delete'] as const;

function plansOf(folder: Folder, print = planText): string[] {
  const registry = registryOf(folder);
  const groups = new Groups(registry, rules, dialects.mysql);
  return [...registry.resources.values()].flatMap(({ name, operations }) =>
    writes
      .filter((operation) => operations.has(operation))
      .map((operation) => print(planOf(groups, name, { operation, sent: undefined }))),
  );
}

describe('what writes lock', () => {
  test('is the same as ever in every group of the product', async () => {
    await expect(`${plansOf('product').join('\n\n')}\n`).toMatchFileSnapshot('lock-plans.txt');
  });

  test('stands beside what is read, computed and judged between', async () => {
    await expect(`${plansOf('product', writeText).join('\n\n')}\n`).toMatchFileSnapshot('write-plans.txt');
  });

  test('is the same as ever in domains that have what the product has not', async () => {
    const told: readonly Folder[] = [
      'figures',
      'conditions',
      'locks',
      'plans',
      'commonRow',
      'ledger',
      'rules',
      'choir',
    ];
    const plans = told.flatMap((folder) => [
      `# ${folder}`,
      ...plansOf(folder, (plan) => `${planText(plan)}\n\n${writeText(plan)}`),
    ]);
    const registry = registryOf('conditions');
    const groups = new Groups(registry, rules, dialects.mysql);
    const updates = [...registry.resources.values()].flatMap(({ name, fields }) =>
      fields
        .filter(({ onUpdate }) => onUpdate)
        .map(({ key }) => writeText(planOf(groups, name, { operation: 'update', sent: [key] }))),
    );
    await expect(`${[...plans, ...updates].join('\n\n')}\n`).toMatchFileSnapshot('domain-plans.txt');
  });

  test('of an update hangs on the fields that are sent', async () => {
    const groups = new Groups(registryOf('product'), rules, dialects.mysql);
    const updates = {
      'time-entry': ['notes', 'minutes'],
      invoice: ['notes', 'lines'],
      project: ['name', 'end'],
      contact: ['name'],
    };
    const plans = Object.entries(updates).flatMap(([group, fields]) =>
      fields.map((field) => writeText(planOf(groups, group, { operation: 'update', sent: [field] }))),
    );
    await expect(`${plans.join('\n\n')}\n`).toMatchFileSnapshot('update-plans.txt');
  });

  test('can be told of all groups', () => {
    for (const folder of Object.keys(folders) as Folder[])
      for (const plan of plansOf(folder)) expect(plan).toMatch(/^(?:create|update|delete) of [\w-]+ on a server/);
  });

  test('comes in one order, the rows of the workspace among them', () => {
    for (const folder of Object.keys(folders) as Folder[]) {
      const registry = registryOf(folder);
      const groups = new Groups(registry, rules, dialects.mysql);
      for (const { name, operations } of registry.resources.values())
        for (const operation of writes.filter((each) => operations.has(each))) {
          const first = lockPlanOf(groups, name, operation).filter(({ at }) => at === 'first');
          expect(first.map(({ group }) => group)).toEqual(first.map(({ group }) => group).toSorted());
        }
    }
  });
});
