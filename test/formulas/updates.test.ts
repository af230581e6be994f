// At which updates conditions are judged: at those that change something that a condition looks at in the record, or that moves
// what it looks at elsewhere; and at all where it says so.
import { expect, test } from 'vitest';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import type { Json } from '../support/service/client.ts';

const name = { type: 'string', maxLength: 20 };
const note = { type: 'string', maxLength: 20, default: '' };
const count = { type: 'integer', minimum: 0, maximum: 1000 };
const groups: Groups = {
  plan: {
    properties: {
      name,
      most: { ...count, default: 100 },
      isLocked: { type: 'boolean', default: false },
      isOpen: { type: 'boolean', default: true },
      total: { ...count, default: 0, formula: 'parts.filter(p, p.planId == id).sum(p, p.amount)' },
    },
    required: ['name'],
  },
  part: {
    properties: {
      name,
      plan: {
        reference: 'plan',
        onDelete: 'restrict',
        must: [
          { that: 'plan.isOpen', be: 'an open plan' },
          { that: '!plan.isLocked', be: 'a plan that is not locked', always: true },
        ],
      },
      note,
      fee: {
        ...count,
        default: 0,
        must: [{ that: '!sent.fee || plan.isOpen', be: 'left out while the plan is closed' }],
      },
      amount: {
        ...count,
        must: [
          // Its figure is moved by the update itself.
          { that: 'plan.total <= plan.most', be: 'within the plan' },
          // The record is one of those that are looked through.
          { that: 'parts.filter(p, p.planId == planId).sum(p, p.amount) <= 90', be: 'at most 90 together' },
        ],
      },
      lines: {
        type: 'array',
        maxItems: 5,
        default: [],
        items: {
          type: 'object',
          properties: {
            size: { ...count, must: [{ that: 'size <= amount && record.plan.isOpen', be: 'at most amount' }] },
          },
          required: ['size'],
        },
      },
    },
    required: ['name', 'plan', 'amount'],
    unique: [['name']],
  },
};

test.for(dialects)('%s: an update is judged by what it changes', async (dialect) => {
  const project = await Project.open(dialect);
  try {
    project.describe(groups);
    await project.serve(async (call) => {
      const { id: planId } = (await call('POST', '/plans', { name: 'A' })).body as { id: string };
      const made = await call('POST', '/parts', { name: 'P', planId, amount: 50, lines: [{ size: 40 }] });
      expect(made).toMatchObject({ status: 200, body: { amount: 50 } });
      const plan = (body: Json) => call('PATCH', `/plans/${planId}`, body);
      const part = async (body: Json) => {
        const { status, body: answer } = await call('PATCH', `/parts/${(made.body as { id: string }).id}`, body);
        return status === 200 ? 'done' : (answer as { errors: readonly string[] }).errors;
      };

      await plan({ isOpen: false });
      expect(await part({ note: 'Later' })).toBe('done');
      // What is sent with its stored value does not change.
      const { lines } = (await call('GET', `/parts/${(made.body as { id: string }).id}`)).body as Json;
      expect(await part({ planId, amount: 50, lines, note: 'Sent again' })).toBe('done');
      const again = { planId, amount: 50, note: 'Put again' };
      expect(await call('PUT', '/parts?name=P', again)).toMatchObject({ status: 200, body: { note: 'Put again' } });
      const { id: partId } = made.body as { id: string };
      const operations = [{ method: 'PATCH', path: `/parts/${partId}`, body: { planId, note: 'In a batch' } }];
      for (const atomic of [true, false])
        expect(await call('POST', '/batch', { operations, atomic })).toMatchObject({
          body: { results: [{ status: 200, body: { note: 'In a batch' } }] },
        });
      expect(await part({ fee: 0 })).toEqual(["'fee' must be left out while the plan is closed"]);
      expect(await part({ lines: [{ size: 41 }] })).toEqual(["'lines[0].size' must be at most amount"]);
      const { id: closed } = (await call('POST', '/plans', { name: 'B', isOpen: false })).body as { id: string };
      expect(await part({ planId: closed })).toEqual([
        "'planId' must be an open plan",
        "'lines[0].size' must be at most amount",
      ]);
      await plan({ isOpen: true });
      expect(await part({ amount: 30 })).toEqual(["'lines[0].size' must be at most amount"]);

      // It is above the limit already, and what moves the total is judged by it again.
      await plan({ most: 20 });
      expect(await part({ note: 'Above' })).toBe('done');
      expect(await part({ amount: 50 })).toBe('done');
      expect(await part({ amount: 49 })).toEqual(["'amount' must be within the plan"]);
      await plan({ most: 1000 });
      expect(await part({ amount: 91 })).toEqual(["'amount' must be at most 90 together"]);

      await plan({ isLocked: true });
      expect(await part({ note: 'Locked' })).toEqual(["'planId' must be a plan that is not locked"]);
      expect(await part({ planId })).toEqual(["'planId' must be a plan that is not locked"]);
    });
  } finally {
    await project.close();
  }
});

test.for(dialects)('%s: settings see themselves as the workspace, as they are being written', async (dialect) => {
  const project = await Project.open(dialect);
  try {
    project.describe({
      settings: {
        properties: {
          name: { ...name, default: 'A' },
          sign: { ...name, default: '', formula: "workspace.name + '!'", compute: 'always' },
          least: { ...count, default: 2 },
          most: {
            ...count,
            default: 5,
            must: [{ that: 'most >= workspace.least', be: 'at least as much as the least' }],
          },
        },
        resource: { path: '/settings', operations: ['get', 'update'], singleton: true, workspace: true, setup: [{}] },
      },
    });
    await project.serve(async (call) => {
      expect((await call('GET', '/settings')).body).toMatchObject({ sign: 'A!', least: 2, most: 5 });
      expect((await call('PATCH', '/settings', { name: 'B', least: 8, most: 9 })).body).toMatchObject({
        sign: 'B!',
        most: 9,
      });
      expect((await call('PATCH', '/settings', { least: 4, most: 5 })).body).toMatchObject({ least: 4, most: 5 });
      expect((await call('PATCH', '/settings', { least: 7, most: 6 })).body).toMatchObject({
        errors: ["'most' must be at least as much as the least"],
      });
    });
  } finally {
    await project.close();
  }
});
