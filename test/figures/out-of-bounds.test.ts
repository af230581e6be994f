// A figure is held to its bounds by what it is when the write is done: what it is in between, when one of those that it looks at
// has followed and another has not, refuses nothing.
import { expect, test } from 'vitest';
import { dialects, type Groups, Project } from '../support/project.ts';

const name = { type: 'string', maxLength: 20 };
const count = { type: 'integer', minimum: 0, maximum: 100 };
const kept = { taken: 'always', default: 0 };
const groups: Groups = {
  plan: {
    properties: {
      name,
      total: { ...count, default: 0, formula: 'parts.filter(p, p.planId == id).sum(p, p.amount)' },
    },
    required: ['name'],
  },
  part: {
    properties: {
      name,
      plan: { reference: 'plan', onDelete: 'restrict' },
      amount: count,
      others: { ...count, ...kept, formula: 'plan.total - amount' },
      // Of a column that is too short for what it would be on its way.
      mark: { type: 'string', maxLength: 4, taken: 'always', formula: "others > 50 && amount < 50 ? name : 'few'" },
    },
    required: ['name', 'plan', 'amount'],
  },
};

test.for(dialects)('%s: what is out of bounds on its way alone refuses nothing', async (dialect) => {
  const project = await Project.open(dialect);
  try {
    project.describe(groups);
    await project.serve(async (call) => {
      const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;
      const planId = idOf(await call('POST', '/plans', { name: 'A' }));
      const others = async (): Promise<unknown> =>
        ((await call('GET', '/parts')).body as { results: { others: number }[] }).results
          .map((part) => part.others)
          .sort((a, b) => a - b);

      const first = await call('POST', '/parts', { name: 'rather long', planId, amount: 5 });
      expect(first).toMatchObject({ status: 200, body: { others: 0 } });
      expect(await call('POST', '/parts', { name: 'y', planId, amount: 7 })).toMatchObject({ body: { others: 5 } });
      // The other's figure follows the total, which follows the amount: -43 before it is 7 again.
      const path = `/parts/${idOf(first)}`;
      expect(await call('PATCH', path, { amount: 50 })).toMatchObject({ status: 200, body: { others: 7 } });
      expect(await others()).toEqual([7, 50]);

      // Here it is 56 on its way.
      expect(await call('PATCH', path, { amount: 1 })).toMatchObject({ status: 200, body: { others: 7, mark: 'few' } });
      expect(await others()).toEqual([1, 7]);

      // What is out of bounds in the end is refused, and nothing is left of it.
      const third = { name: 'as long as this', planId, amount: 1 };
      expect(await call('PATCH', path, { amount: 60 })).toMatchObject({ status: 200 });
      expect(await call('POST', '/parts', third)).toMatchObject({
        status: 400,
        body: { errors: ["'mark' must be at most 4 characters"] },
      });
      expect(await call('PATCH', path, { amount: 99 })).toMatchObject({
        status: 400,
        body: { errors: ["'total' must be from 0 to 100"] },
      });
      expect(await others()).toEqual([7, 60]);
    });
  } finally {
    await project.close();
  }
});
