// What can be null outside of the years 1000 to 9999 alone is never null: there the write is refused. A currency, or a number of
// digits, that is always there rounds for sure.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Groups, Project } from '../support/commands/project.ts';

let project: Project;
beforeEach(async () => {
  project = await Project.open('SQLite');
});
afterEach(() => project.close());

const day = { type: 'string', format: 'date' };
const amount = { type: 'number', format: 'money', signed: true };
const groups: Groups = {
  client: {
    properties: {
      name: { type: 'string', maxLength: 20 },
      currency: { type: 'string', format: 'currency', default: 'EUR' },
    },
  },
  bill: {
    properties: {
      name: { type: 'string', maxLength: 20 },
      client: { reference: 'client', onDelete: 'restrict' },
      on: day,
      days: { type: 'integer', default: 1 },
      price: { ...amount, default: 0 },
      next: { ...day, formula: 'on + days' },
      monday: { ...day, formula: 'startOfWeek(on)' },
      later: { ...day, formula: 'addMonths(on, days)' },
      rounded: { ...amount, formula: 'round(price, client.currency)', compute: 'onWrite' },
      short: { ...amount, formula: 'round(price, days)' },
      lines: {
        type: 'array',
        maxItems: 5,
        items: {
          type: 'object',
          properties: {
            each: { ...amount, currency: 'record.client.currency', formula: 'record.price / 3', default: 0 },
          },
        },
      },
    },
    required: ['name', 'client', 'on'],
  },
};

test('values that are null outside of the years 1000 to 9999 alone are refused there, and are no nulls', async () => {
  project.describe(groups);
  await project.serve(async (call) => {
    const { body: client } = await call('POST', '/clients', { name: 'A' });
    const { id: clientId } = client as { id: string };
    const bill = async (body: object) =>
      (await call('POST', '/bills', { name: 'B', clientId, on: '2026-03-05', ...body })).body;
    expect(await bill({ price: 1.2345, days: 3, lines: [{}] })).toMatchObject({
      ...{ next: '2026-03-08', monday: '2026-03-02', later: '2026-06-05', rounded: 1.23, short: 1.235 },
      lines: [{ each: 0.4115 }],
    });
    const years = 'must be a date of the years 1000 to 9999';
    expect(await bill({ on: '9999-12-31' })).toMatchObject({
      status: 400,
      errors: [`'next' ${years}`, `'later' ${years}`],
    });
    expect(await bill({ on: '1000-01-01' })).toMatchObject({ status: 400, errors: [`'monday' ${years}`] });
    expect(await bill({ days: 101 })).toMatchObject({ status: 400 });
  });
});
