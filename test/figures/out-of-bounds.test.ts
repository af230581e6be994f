// A figure is held to its bounds by what it is when the write is done: what it is in between, when one of those that it looks at
// has followed and another has not, refuses nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import type { Json } from '../support/service/praxis.ts';

const name = { type: 'string', maxLength: 20 };
const count = { type: 'integer', minimum: 0, maximum: 100 };
const nullableCount = { ...count, type: ['integer', 'null'] };
const kept = { compute: 'always', default: 0 };
const always = (formula: string): Json => ({ formula, compute: 'always' });
const groups: Groups = {
  plan: {
    properties: {
      name,
      total: { ...count, default: 0, formula: 'parts.filter(p, p.planId == id).sum(p, p.amount)' },
      extremes: {
        type: ['object', 'null'],
        properties: {
          least: { ...nullableCount, minimum: 1, formula: 'parts.filter(p, p.planId == id).min(p, p.amount)' },
          most: { ...nullableCount, maximum: 60, formula: 'parts.filter(p, p.planId == id).max(p, p.amount)' },
        },
      },
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
      mark: { type: 'string', maxLength: 4, compute: 'always', formula: "others > 50 && amount < 50 ? name : 'few'" },
    },
    required: ['name', 'plan', 'amount'],
  },
  form: {
    properties: {
      name,
      rows: {
        type: 'array',
        maxItems: 9,
        default: [],
        items: { type: 'object', properties: { name, amount: count }, required: ['name', 'amount'] },
      },
      code: {
        type: ['string', 'null'],
        maxLength: 20,
        pattern: '^[A-Z]+-[0-9]+$',
        examples: ['KEY-12'],
        ...always("name == 'none' ? '' : name"),
        when: "name != 'own'",
      },
      mail: { type: ['string', 'null'], format: 'email', ...always("name == 'none' ? '' : 'of@' + name") },
      names: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 4 }, ...always('rows.map(r, r.name)') },
      parts: {
        type: 'array',
        maxItems: 9,
        items: { type: 'object', properties: { amount: { ...count, maximum: 9 } } },
        ...always("rows.map(r, {'amount': r.amount})"),
      },
    },
    required: ['name'],
  },
};

describe.for(dialects)('%s', (dialect) => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.open(dialect);
    project.describe(groups);
  });
  afterAll(() => project.close());

  test('what is out of bounds on its way alone refuses nothing', async () => {
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
  });

  test('the least and the most of others are told by their places, when one of these leads them out of bounds', async () => {
    await project.serve(async (call) => {
      const { body: plan } = await call('POST', '/plans', { name: 'B', extremes: {} });
      const planId = (plan as { id: string }).id;
      const make = async (amount: number): Promise<unknown> => {
        const { status, body } = await call('POST', '/parts', { name: 'x', planId, amount });
        return status === 200 ? status : (body as Json)['errors'];
      };
      expect([await make(10), await make(20)]).toEqual([200, 200]);
      expect(await make(0)).toEqual(["'extremes.least' must be from 1 to 100"]);
      expect(await make(65)).toEqual(["'extremes.most' must be from 0 to 60"]);
      expect((await call('GET', `/plans/${planId}`)).body).toMatchObject({ extremes: { least: 10, most: 20 } });
    });
  });

  test('texts and lists that a formula gives are held to all that their fields say', async () => {
    await project.serve(async (call) => {
      const faults = async (body: Json): Promise<unknown> => {
        const { status, body: answer } = await call('POST', '/forms', body);
        return status === 200 ? answer : (answer as Json)['errors'];
      };
      const rows = [{ name: 'a', amount: 1 }];
      expect(await faults({ name: 'X-1', rows })).toMatchObject({
        ...{ code: 'X-1', mail: 'of@X-1', names: ['a'], parts: [{ amount: 1 }] },
      });
      expect(await faults({ name: 'x y' })).toEqual([
        "'code' must be like KEY-12 (^[A-Z]+-[0-9]+$)",
        "'mail' must be an e-mail address",
      ]);
      // What is empty has no form.
      expect(await faults({ name: 'none' })).toMatchObject({ code: null, mail: null });
      expect(await faults({ name: 'X-1', rows: [...rows, { name: 'long one', amount: 10 }, ...rows] })).toEqual([
        "'names' must have at most 2 items",
        "'names[1]' must be at most 4 characters",
        "'parts[1].amount' must be from 0 to 9",
      ]);
    });
  });
});
