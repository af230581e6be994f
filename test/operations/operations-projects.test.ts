// Operations 1 and 18 of the interface: project rate cards and monthly budget expenses of projects.
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import {
  expectFaults,
  expectGone,
  expectProblem,
  foreignId,
  pageOf,
  recordOf,
  unknownId,
  unknownRecord,
} from '../support/service/answers.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const cardFields = [
  'id',
  'notes',
  'start',
  'end',
  'isBudgetRateCard',
  'createdAt',
  'project',
  'memberRates',
  'roleRates',
];
const memberRateFields = ['memberId', 'rate', 'overrideCostRate', 'costCurrency', 'costPerHour', 'overheadCostPerHour'];
const named = ({ id, name }: Json) => ({ id, name });
const idOf = (value: unknown): string => String((value as Json).id);

onEveryDatabase(
  'projects',
  (context) => {
    const tokenFor = async (memberId: string): Promise<string> => {
      const database = await openDatabase(context.databaseUrl);
      try {
        const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
        return (await createToken(unit, { name: 'test', memberId })).token;
      } finally {
        await database.close();
      }
    };

    describe('project rate cards', () => {
      const create = (body: unknown) => context.call('POST', '/project-rate-cards', body);
      const patch = (id: string, body: unknown) => context.call('PATCH', `/project-rate-cards/${id}`, body);
      const remove = (id: string) => context.call('DELETE', `/project-rate-cards/${id}`);
      const makeProject = () => context.make('project', { billingTypeId: 'tm' });
      /** `[start, end, isBudgetRateCard]` of a project's cards, the earliest first. */
      const chainOf = async (projectId: string) => {
        const cards = await context.all('project-rate-card', `&projectId=${projectId}`);
        const rows = cards.map(({ start, end, isBudgetRateCard }) => [start, end, isBudgetRateCard]);
        return rows.sort((one, other) => (String(one[0] ?? '') < String(other[0] ?? '') ? -1 : 1));
      };

      test('shows every field, the project with its client', async () => {
        const client = await context.make('client');
        const project = await context.make('project', { billingTypeId: 'tm', clientId: client.id });
        const card = recordOf(await create({ projectId: project.id, notes: ' n ' }));
        expect(Object.keys(card)).toEqual(cardFields);
        expect(card).toEqual({
          ...{ id: card.id, createdAt: card.createdAt, notes: ' n ', start: null, end: null, isBudgetRateCard: true },
          ...{ project: { ...named(project), client: named(client) }, memberRates: [], roleRates: [] },
        });
        expect(pageOf(await context.call('GET', `/project-rate-cards?projectId=${project.id}`))).toEqual({
          results: [card],
          hasMore: false,
        });
        expect(pageOf(await context.call('GET', `/project-rate-cards?projectId=${unknownId}`)).results).toEqual([]);
        expectProblem(
          await context.call('GET', '/project-rate-cards?projectId=1'),
          400,
          "Parameter 'projectId' is not a valid UUID.",
        );
        expectProblem(
          await context.call('GET', '/project-rate-cards?startingAfter=1'),
          400,
          "Parameter 'startingAfter' is not a valid UUID.",
        );
      });

      test('keeps the cards of a project without gaps, the first of them without a start', async () => {
        const { id: projectId } = await makeProject();
        expectFaults(await create({ projectId, start: '2024-01-01' }), "'start' is not allowed");
        const first = recordOf(await create({ projectId, start: null }));
        expectFaults(await create({ projectId }), "'start' is required");
        const later = recordOf(await create({ projectId, start: '2025-01-01' }));
        const between = recordOf(await create({ projectId, start: '2024-01-01' }));
        expect(await chainOf(projectId)).toEqual([
          [null, '2023-12-31', true],
          ['2024-01-01', '2024-12-31', false],
          ['2025-01-01', null, false],
        ]);
        const taken = 'A Project Rate Card with the same start already exists.';
        expectProblem(await create({ projectId, start: '2024-01-01' }), 409, taken);
        expectProblem(await patch(later.id, { start: '2024-01-01' }), 409, taken);
        expectFaults(await patch(first.id, { start: '2020-01-01' }), "'start' is not allowed");
        expectFaults(await patch(later.id, { start: null }), "'start' is required");
        recordOf(await patch(first.id, { start: null, notes: 'x' }));
        recordOf(await patch(later.id, { start: '2023-01-01' }));
        expect(await chainOf(projectId)).toEqual([
          [null, '2022-12-31', true],
          ['2023-01-01', '2023-12-31', false],
          ['2024-01-01', null, false],
        ]);
        expectGone(await remove(first.id));
        expect(await chainOf(projectId)).toEqual([
          [null, '2023-12-31', true],
          ['2024-01-01', null, false],
        ]);
        expectGone(await remove(between.id));
        expectGone(await remove(later.id));
        expect(await chainOf(projectId)).toEqual([]);
        expect(recordOf(await create({ projectId })).start).toBeNull();
      });

      test('refuses the first day that there is as a start, since the card before would have no last day', async () => {
        const { id: projectId } = await makeProject();
        recordOf(await create({ projectId }));
        expectFaults(await create({ projectId, start: '1000-01-01' }), "'start' must be at least 1000-01-02");
        const { id } = recordOf(await create({ projectId, start: '1000-01-02' }));
        expectFaults(await patch(id, { start: '1000-01-01' }), "'start' must be at least 1000-01-02");
        expect(await chainOf(projectId)).toEqual([
          [null, '1000-01-01', true],
          ['1000-01-02', null, false],
        ]);
      });

      test('has one card for the budget, which another one can take over', async () => {
        const { id: projectId } = await makeProject();
        const held = "'isBudgetRateCard' must be true until another Project Rate Card takes it";
        expectFaults(await create({ projectId, isBudgetRateCard: false }), held);
        const first = recordOf(await create({ projectId, isBudgetRateCard: null }));
        expect(first.isBudgetRateCard).toBe(true);
        const second = recordOf(await create({ projectId, start: '2024-01-01', isBudgetRateCard: true }));
        expect((await chainOf(projectId)).map((row) => row[2])).toEqual([false, true]);
        expectFaults(await patch(second.id, { isBudgetRateCard: false }), held);
        recordOf(await patch(first.id, { isBudgetRateCard: false }));
        recordOf(await patch(first.id, { isBudgetRateCard: true }));
        expect((await chainOf(projectId)).map((row) => row[2])).toEqual([true, false]);
        recordOf(await patch(second.id, { isBudgetRateCard: true }));
        recordOf(await create({ projectId, start: '2025-01-01' }));
        expectGone(await remove(second.id));
        expect((await chainOf(projectId)).map((row) => row[2])).toEqual([true, false]);
      });

      test('rates members and roles of its project', async () => {
        const { id: projectId } = await makeProject();
        const member = await context.make('project-member', { projectId });
        const memberId = idOf(member.member);
        const role = await context.make('project-role', { projectId });
        const memberRates = [{ memberId, rate: 80.1234, overrideCostRate: true, costPerHour: 12.5 }];
        const card = recordOf(
          await create({ projectId, memberRates, roleRates: [{ projectRoleId: role.id, rate: 0 }] }),
        );
        const [shown] = card.memberRates as Json[];
        expect(Object.keys(shown ?? {})).toEqual(memberRateFields);
        expect(shown).toEqual({ ...memberRates[0], costCurrency: 'USD', overheadCostPerHour: 0 });
        expect(card.roleRates).toEqual([{ projectRoleId: role.id, rate: 0 }]);
        const plain = {
          memberId,
          rate: null,
          overrideCostRate: false,
          costCurrency: null,
          costPerHour: null,
          overheadCostPerHour: null,
        };
        expect(recordOf(await patch(card.id, { memberRates: [{ memberId }], roleRates: null }))).toMatchObject({
          memberRates: [plain],
          roleRates: [],
        });
        recordOf(await patch(card.id, { roleRates: [{ projectRoleId: role.id }] }));
        expectGone(await context.call('DELETE', `/project-members/${member.id}`));
        expectGone(await context.call('DELETE', `/project-roles/${role.id}`));
        expect(recordOf(await context.call('GET', `/project-rate-cards/${card.id}`))).toMatchObject({
          memberRates: [],
          roleRates: [],
        });
      });

      test('refuses rates of others, rates twice, and costs that are not overridden', async () => {
        const { id: projectId } = await makeProject();
        const memberId = idOf((await context.make('project-member', { projectId })).member);
        const stranger = await context.make('member');
        const role = await context.make('project-role', { projectId: (await makeProject()).id });
        const refused = async (body: Json, ...errors: string[]) =>
          expectFaults(await create({ projectId, ...body }), ...errors);
        await refused(
          { memberRates: [{ memberId }, { memberId: stranger.id }] },
          "'memberRates[1].memberId' must be of the same project",
        );
        await refused(
          { memberRates: [{ memberId: unknownId }] },
          "'memberRates[0].memberId' does not refer to an existing Member",
        );
        await refused(
          { roleRates: [{ projectRoleId: role.id }] },
          "'roleRates[0].projectRoleId' must be of the same project",
        );
        await refused(
          { memberRates: [{ memberId }, { memberId: memberId.toUpperCase() }] },
          "'memberRates' must be without duplicates",
        );
        await refused(
          { memberRates: [{ memberId, overrideCostRate: true }] },
          "'memberRates[0].costPerHour' is required",
        );
        const costs = { costCurrency: 'EUR', costPerHour: 1, overheadCostPerHour: 1 };
        const notAllowed = Object.keys(costs).map((field) => `'memberRates[0].${field}' is not allowed`);
        await refused({ memberRates: [{ memberId, ...costs }] }, ...notAllowed);
        await refused(
          { end: '2024-01-01', memberRates: [5, { rate: -1, x: 1 }, { memberId, costCurrency: 'XXX' }], roleRates: {} },
          "'end' is not allowed",
          "'memberRates[0]' must be an object",
          "'memberRates[1].memberId' is required",
          "'memberRates[1].rate' must be at least 0",
          "'memberRates[1].x' is not allowed",
          "'memberRates[2].costCurrency' must be an ISO 4217 currency code",
          "'roleRates' must be an array",
        );
        expectFaults(await create({}), "'projectId' is required");
      });

      test('goes with its project', async () => {
        const project = await makeProject();
        const card = recordOf(await create({ projectId: project.id }));
        expectGone(await context.call('DELETE', `/projects/${project.id}`));
        expectProblem(await context.call('GET', `/project-rate-cards/${card.id}`), 404, unknownRecord(card.id));
      });
    });

    test('makes the acting member, or who is named, an administrator of a new project', async () => {
      const { id: actor } = await context.make('member');
      const { id: other } = await context.make('member');
      const { id: clientId } = await context.make('client');
      const headers = { authorization: `Bearer ${await tokenFor(actor)}` };
      // A token that another process makes is known within 5 seconds.
      await expect
        .poll(async () => (await context.call('GET', '/projects', undefined, { headers })).status, { timeout: 10_000 })
        .toBe(200);
      const adminsOf = async (body: Json) => {
        const all = { name: 'Led', billingTypeId: 'tm', clientId, ...body };
        const { id } = recordOf(await context.call('POST', '/projects', all, { headers }));
        const members = await context.all('project-member', `&projectId=${id}`);
        return members.map(({ member, typeId }) => [idOf(member), typeId]);
      };
      expect(await adminsOf({})).toEqual([[actor, 'administrator']]);
      expect(await adminsOf({ projectAdminId: other })).toEqual([[other, 'administrator']]);
      expect(await adminsOf({ projectAdminId: null })).toEqual([]);
      const lost = { name: 'Lost', billingTypeId: 'tm', clientId, projectAdminId: unknownId };
      const refusal = "'projectAdminId' does not refer to an existing Member";
      expectFaults(await context.call('POST', '/projects', lost, { headers }), refusal);
    }, 20_000);

    describe('project roles', () => {
      const create = (body: unknown) => context.call('POST', '/project-roles', body);

      test('copies what is not sent from a role of the client, which must exist', async () => {
        const client = await context.make('client');
        const { id: projectId } = await context.make('project', { billingTypeId: 'tm', clientId: client.id });
        const role = await context.make('client-role', { clientId: client.id, rate: 11.5 });
        const made = recordOf(await create({ projectId, clientRoleId: role.id.toUpperCase() }));
        expect(made).toMatchObject({ name: role.name, isBillable: true, rate: 11.5 });
        expect(made).not.toHaveProperty('clientRoleId');
        const refusal = "'clientRoleId' does not refer to an existing Client Role";
        expectFaults(await create({ projectId, clientRoleId: unknownId }), refusal);
        expectFaults(await create({ projectId, clientRoleId: unknownId, name: 'Own' }), refusal);
        expectFaults(await create({ projectId, clientRoleId: unknownId, name: 5 }), "'name' must be a string", refusal);
      });
    });

    test('does not ask for what a record that does not exist would have given', async () => {
      const unknownProject = "'projectId' does not refer to an existing Project";
      const unknownClient = "'clientId' does not refer to an existing Client";
      const { id: memberId } = await context.make('member');
      const cases: [string, Json, ...string[]][] = [
        ['/projects', { name: 'x', billingTypeId: 'tm', clientId: unknownId }, unknownClient],
        ['/invoices', { clientId: unknownId }, unknownClient],
        ['/payments', { clientId: unknownId, amount: 1 }, unknownClient],
        ['/payments', { clientId: unknownId }, "'amount' is required", unknownClient],
        ['/project-roles', { name: 'x', projectId: unknownId }, unknownProject],
        ['/project-members', { memberId, projectId: unknownId }, unknownProject],
      ];
      for (const [path, body, ...texts] of cases) expectFaults(await context.call('POST', path, body), ...texts);
    });

    describe('budgets of projects', () => {
      const budget = { useBudget: true, budgetMode: 'summary', budget: { servicesRevenue: 5, billableHours: 2 } };

      test('take values in the mode summary only', async () => {
        const body = await context.bodyOf('project', { billingTypeId: 'tm' });
        const refusals = ["'budget.servicesRevenue' is not allowed", "'budget.billableHours' is not allowed"];
        for (const budgetMode of ['detailed', 'aggregated'])
          expectFaults(await context.call('POST', '/projects', { ...body, ...budget, budgetMode }), ...refusals);
        const monthly = { useMonthlyBudget: true, monthlyBudgetMode: 'detailed', monthlyBudget: { otherRevenue: 1 } };
        expectFaults(
          await context.call('POST', '/projects', { ...body, ...monthly }),
          "'monthlyBudget.otherRevenue' is not allowed",
        );
        expectFaults(
          await context.call('POST', '/projects', { ...body, ...budget, budgetMode: null }),
          "'budgetMode' is required",
        );
        const { id } = recordOf(await context.call('POST', '/projects', { ...body, ...budget }));
        const patch = (values: Json) => context.call('PATCH', `/projects/${id}`, values);
        expectFaults(
          await patch({ budgetMode: 'detailed', budget: { servicesRevenue: 6, productsRevenue: 0 } }),
          "'budget.servicesRevenue' is not allowed",
        );
        const changed = recordOf(await patch({ budget: { productsRevenue: 1.5 } }));
        expect(changed.budget).toMatchObject({
          revenue: 6.5,
          servicesRevenue: 5,
          productsRevenue: 1.5,
          billableHours: 2,
        });
      });

      test('lose the values that were sent when the mode changes', async () => {
        const { id } = await context.make('project', { billingTypeId: 'tm', ...budget });
        const detailed = recordOf(await context.call('PATCH', `/projects/${id}`, { budgetMode: 'detailed' }));
        expect(new Set(Object.values(detailed.budget as Json))).toEqual(new Set([0]));
        // A record may be sent back as it is shown.
        recordOf(await context.call('PATCH', `/projects/${id}`, { budget: { servicesRevenue: 0, billableHours: 0 } }));
      });
    });

    describe('monthly budget expenses', () => {
      const detailed = { billingTypeId: 'tm', useMonthlyBudget: true, monthlyBudgetMode: 'detailed' };
      const path = '/project-monthly-budget-expenses';

      test('deletes one once', async () => {
        const { id } = await context.make('project-monthly-budget-expense');
        expectProblem(await context.call('DELETE', `${path}/${id}?limit=1`), 400, "Parameter 'limit' is not allowed.");
        expectGone(await context.call('DELETE', `${path}/${id}`));
        expectProblem(await context.call('DELETE', `${path}/${id}`), 404, unknownRecord(id));
        expectProblem(await context.call('DELETE', `${path}/${foreignId}`), 404, unknownRecord(foreignId));
        for (const wrong of ['x', `${id}0`, `{${id}}`, id.replaceAll('-', '')]) {
          expectProblem(await context.call('DELETE', `${path}/${wrong}`), 400, "Parameter 'id' is not a valid UUID.");
        }
        expectProblem(await context.call('DELETE', path), 405, 'Method not allowed.');
      });

      test('exists only on projects with a detailed monthly budget', async () => {
        const category = await context.make('expense-category');
        const create = (projectId: string, amounts: Json) =>
          context.call('POST', path, { projectId, expenseCategoryId: category.id, ...amounts });
        const refusal = "'projectId' must be a project with a detailed monthly budget";
        for (const budget of [{}, { useMonthlyBudget: true, monthlyBudgetMode: 'summary' }]) {
          const { id } = await context.make('project', { billingTypeId: 'tm', ...budget });
          expectFaults(await create(id, { billableAmount: 1 }), refusal);
        }
        const project = await context.make('project', detailed);
        const made = recordOf(await create(project.id, { billableAmount: 1.5, nonBillableAmount: 2 }));
        expect(made).toMatchObject({
          billableAmount: 1.5,
          nonBillableAmount: 2,
          notes: null,
          expenseCategory: named(category),
        });
        const taken = 'A Project Monthly Budget Expense with the same expenseCategory already exists.';
        expectProblem(await create(project.id, { billableAmount: 1 }), 409, taken);
        expectProblem(
          await context.call('DELETE', `/expense-categories/${category.id}`),
          409,
          'The Expense Category is in use and cannot be deleted.',
        );
        const unbilled = await context.make('project', { ...detailed, billingTypeId: 'non_billable' });
        expectFaults(await create(unbilled.id, { billableAmount: 1 }), "'billableAmount' is not allowed");
        recordOf(await create(unbilled.id, { nonBillableAmount: 1 }));
        recordOf(await context.call('PATCH', `/projects/${project.id}`, { useMonthlyBudget: false }));
        // The project has changed, not what is looked at in this record.
        recordOf(await context.call('PATCH', `${path}/${made.id}`, { notes: 'x' }));
        expectGone(await context.call('DELETE', `${path}/${made.id}`));
      });
    });
  },
  'product',
);
