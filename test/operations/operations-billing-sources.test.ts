// What invoices bill: sources of lines, what they keep of it, and prepayments.
import { expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  recordOf,
  type Shown,
  unknownId,
} from '../support/service/answers.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const inUse = (title: string) => `The ${title} is in use and cannot be deleted.`;
const readOnly = (title: string) => `The ${title} is read-only.`;

onEveryDatabase(
  'sources of invoices',
  (context) => {
    const create = (body: unknown) => context.call('POST', '/invoices', body);
    const patch = (path: string, body: unknown) => context.call('PATCH', path, body);
    const read = async (path: string) => recordOf(await context.call('GET', path));
    const line = (projectId: string, amount: number, ...sources: readonly [type: string, id: string][]): Json => ({
      amount,
      taxable: false,
      projectId,
      sources: sources.map(([typeId, id]) => ({ typeId, id })),
    });
    const ground = async (more: Json = {}) => {
      const { id: clientId } = await context.make('client');
      const { id: projectId } = await context.make('project', {
        clientId,
        billingTypeId: 'tm',
        useRoles: false,
        ...more,
      });
      return { clientId, projectId };
    };
    const entry = async (projectId: string, more: Json = {}) => {
      const made = await context.make('time-entry', { projectId, statusId: 'approved', isBillable: true, ...more });
      return { ...made, path: `/time-entries/${made.id}` };
    };
    const linesOf = (invoice: Json) => invoice.lines as Json[];
    const stateOf = async (path: string) => {
      const { invoiced, invoice } = await read(path);
      return [invoiced, (invoice as Json | null)?.id ?? null];
    };

    test('shows sources as sent, and takes kind and invoice item from the first', async () => {
      const item = await context.make('invoice-item', { typeId: 'income' });
      const expense = await context.make('invoice-item', { typeId: 'expense' });
      const category = await context.make('expense-category', { invoiceItemId: expense.id });
      const type = await context.make('project-type', { invoiceItemId: item.id });
      const { clientId, projectId } = await ground({ projectTypeId: type.id });
      const time = await entry(projectId);
      const cost = await context.make('project-expense', {
        projectId,
        isBillable: true,
        expenseCategoryId: category.id,
      });
      const product = await context.make('project-product-item', { projectId, invoiceItemId: item.id });
      const other = await context.make('project-other-item', { projectId, invoiceItemId: item.id });
      const service = await context.make('project-service-item', { projectId, invoiceItemId: item.id });
      const lines = [
        line(projectId, 1, ['time_entry', time.id], ['project_other_item', other.id]),
        line(projectId, 2, ['project_expense', cost.id]),
        line(projectId, 3, ['project_product_item', product.id]),
        { ...line(projectId, 4, ['project_service_item', service.id]), kindId: 'products', invoiceItemId: expense.id },
        line(projectId, 5),
      ];
      const invoice = recordOf(await create({ clientId, lines }));
      expect(linesOf(invoice).map(({ sources }) => sources)).toEqual(lines.map(({ sources }) => sources));
      expect(JSON.stringify(linesOf(invoice)[0]?.sources)).toBe(JSON.stringify(lines[0]?.sources));
      const found = linesOf(invoice).map(({ kindId, invoiceItem }) => [kindId, (invoiceItem as Json).name]);
      expect(found).toEqual([
        ['services', item.name],
        ['expenses', expense.name],
        ['products', item.name],
        ['products', expense.name],
        ['services', 'Service'],
      ]);
      expect(await read(`/invoices/${invoice.id}`)).toEqual(invoice);
    });

    test('marks what issued and paid invoices bill, and frees it when they are taken back', async () => {
      const { clientId, projectId } = await ground();
      const [one, two] = [await entry(projectId), await entry(projectId)];
      const lines = [line(projectId, 50, ['time_entry', one.id]), line(projectId, 50, ['time_entry', two.id])];
      const invoice = recordOf(await create({ clientId, lines }));
      const path = `/invoices/${invoice.id}`;
      expect([await stateOf(one.path), await stateOf(two.path)]).toEqual([
        [false, null],
        [false, null],
      ]);
      recordOf(await patch(path, { statusId: 'issued' }));
      expect([await stateOf(one.path), await stateOf(two.path)]).toEqual([
        [true, invoice.id],
        [true, invoice.id],
      ]);
      const listed = await context.all('time-entry', `&invoiceId=${invoice.id}`);
      expect(listed.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
      // Read-only while it is invoiced, and so when it is paid.
      const payment = recordOf(
        await context.call('POST', '/payments', { clientId, amount: 100, invoices: [{ id: invoice.id, amount: 100 }] }),
      );
      expect((await read(path)).statusId).toBe('paid');
      expect(await stateOf(one.path)).toEqual([true, invoice.id]);
      expectProblem(await patch(one.path, { notes: 'x' }), 409, readOnly('Time Entry'));
      expectProblem(await patch(one.path, { statusId: 'not_submitted' }), 409, readOnly('Time Entry'));
      expectProblem(await context.call('DELETE', one.path), 409, readOnly('Time Entry'));
      expectGone(await context.call('DELETE', `/payments/${payment.id}`));
      recordOf(await patch(path, { statusId: 'draft' }));
      expect([await stateOf(one.path), await stateOf(two.path)]).toEqual([
        [false, null],
        [false, null],
      ]);
      // A draft without one of them.
      recordOf(await patch(path, { lines: [line(projectId, 50, ['time_entry', two.id])], statusId: 'issued' }));
      expect([await stateOf(one.path), await stateOf(two.path)]).toEqual([
        [false, null],
        [true, invoice.id],
      ]);
      recordOf(await patch(path, { statusId: 'void' }));
      expect(await stateOf(two.path)).toEqual([false, null]);
      recordOf(await create({ clientId, statusId: 'issued', lines: [line(projectId, 50, ['time_entry', two.id])] }));
      expect((await stateOf(two.path))[0]).toBe(true);
    });

    test('bills each record once', async () => {
      const { clientId, projectId } = await ground();
      const [one, two] = [await entry(projectId), await entry(projectId)];
      const wanted = { clientId, lines: [line(projectId, 1, ['time_entry', one.id])] };
      const first = recordOf(await create(wanted));
      expectProblem(await create(wanted), 409, inUse('Time Entry'));
      expectProblem(
        await create({
          clientId,
          lines: [line(projectId, 1, ['time_entry', two.id]), line(projectId, 1, ['time_entry', two.id])],
        }),
        409,
        inUse('Time Entry'),
      );
      expectFaults(
        await create({ clientId, lines: [line(projectId, 1, ['time_entry', two.id], ['time_entry', two.id])] }),
        "'lines[0].sources' must be without duplicates",
      );
      // What is wrong with a body goes before the conflict.
      expectFaults(
        await create({ ...wanted, taxRateId: unknownId }),
        "'taxRateId' does not refer to an existing Tax Rate",
      );
      const second = recordOf(await create({ clientId, lines: [line(projectId, 1, ['time_entry', two.id])] }));
      expectProblem(
        await patch(`/invoices/${second.id}`, wanted.lines && { lines: wanted.lines }),
        409,
        inUse('Time Entry'),
      );
      expect(linesOf(await read(`/invoices/${second.id}`))).toEqual(linesOf(second));
      expectGone(await context.call('DELETE', `/invoices/${first.id}`));
      recordOf(await patch(`/invoices/${second.id}`, { lines: wanted.lines }));
    });

    test('bills each record once, whoever comes at the same moment', async () => {
      const { clientId, projectId } = await ground();
      const drafts = await Promise.all(Array.from({ length: 8 }, () => context.make('invoice', { clientId })));
      for (let round = 0; round < 5; round += 1) {
        const item = await context.make('project-service-item', { projectId });
        const lines = [line(projectId, 1, ['project_service_item', item.id])];
        const answers = await Promise.all(drafts.map(({ id }) => patch(`/invoices/${id}`, { lines })));
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).toEqual([200, ...drafts.slice(1).map(() => 409)]);
      }
    });

    test('takes only what is there, billable, approved, and of the project of the line', async () => {
      const { clientId, projectId } = await ground();
      const { id: foreignId } = await context.make('project', { clientId, billingTypeId: 'tm', useRoles: false });
      const [open, free] = [
        await entry(projectId, { statusId: 'not_submitted' }),
        await entry(projectId, { isBillable: false }),
      ];
      const elsewhere = await entry(foreignId);
      const cost = await context.make('project-expense', { projectId, isBillable: false });
      const refused = async (sources: readonly [string, string][], ...errors: string[]) =>
        expectFaults(await create({ clientId, lines: [line(projectId, 1, ...sources)] }), ...errors);
      await refused(
        [
          ['time_entry', open.id],
          ['time_entry', free.id],
          ['time_entry', elsewhere.id],
          ['project_expense', cost.id],
        ],
        "'lines[0].sources[0].id' must be billable and approved",
        "'lines[0].sources[1].id' must be billable and approved",
        "'lines[0].sources[2].id' must be of the line's project",
        "'lines[0].sources[3].id' must be billable",
      );
      await refused([['expense_item', open.id]], "'lines[0].sources[0].id' does not refer to an existing Expense Item");
      await refused([['time_entry', 'x']], "'lines[0].sources[0].id' must be a UUID");
      expectFaults(
        await create({
          clientId,
          lines: [{ amount: 1, sources: [{ typeId: 'time_entry', id: elsewhere.id }, { typeId: 'nothing' }] }],
        }),
        "'lines[0].sources[1].typeId' must be one of time_entry, expense_item, project_expense, project_billing_schedule_item, project_service_item, project_product_item, project_other_item, project_prepayment",
        "'lines[0].sources[1].id' is required",
      );
      expectFaults(
        await create({ clientId, lines: [{ amount: 1, sources: [{ typeId: 'time_entry', id: elsewhere.id }] }] }),
        "'lines[0].sources[0].id' must be of the line's project",
      );
      // Looked at again when the invoice is issued.
      const entryNow = await entry(projectId);
      const invoice = recordOf(await create({ clientId, lines: [line(projectId, 1, ['time_entry', entryNow.id])] }));
      recordOf(await patch(entryNow.path, { statusId: 'not_submitted' }));
      recordOf(await patch(`/invoices/${invoice.id}`, { notes: 'Still a draft' }));
      expectFaults(
        await patch(`/invoices/${invoice.id}`, { statusId: 'issued' }),
        "'lines[0].sources[0].id' must be billable and approved",
      );
      expect((await read(entryNow.path)).invoiced).toBe(false);
    });

    test('a draft holds what it bills, and a void invoice lets it go', async () => {
      const { clientId, projectId } = await ground();
      const item = await context.make('project-service-item', { projectId });
      const path = `/project-service-items/${item.id}`;
      const invoice = recordOf(
        await create({ clientId, lines: [line(projectId, 1, ['project_service_item', item.id])] }),
      );
      expectProblem(await context.call('DELETE', path), 409, inUse('Project Service Item'));
      recordOf(await patch(path, { description: 'Changed' }));
      recordOf(await patch(`/invoices/${invoice.id}`, { statusId: 'issued' }));
      expectProblem(await context.call('DELETE', path), 409, readOnly('Project Service Item'));
      expectProblem(await patch(path, { description: 'x' }), 409, readOnly('Project Service Item'));
      const { modifiedAt } = recordOf(await patch(`/invoices/${invoice.id}`, { statusId: 'void' }));
      expectGone(await context.call('DELETE', path));
      const left = await read(`/invoices/${invoice.id}`);
      expect([linesOf(left).map(({ sources }) => sources), left.modifiedAt]).toEqual([[[]], modifiedAt]);
    });

    test('a prepayment is worth something once it is invoiced', async () => {
      const { clientId, projectId } = await ground();
      const made = await context.make('project-prepayment', { projectId, amount: 100 });
      const worth = async () => {
        const { invoiced, amountApplied, amountRemaining } = await read(`/project-prepayments/${made.id}`);
        return [invoiced, amountApplied, amountRemaining];
      };
      const uses = (amount: number): Json => ({ ...line(projectId, amount), projectPrepaymentId: made.id });
      const work = line(projectId, 200);
      expectFaults(await create({ clientId, lines: [work, uses(-1)] }), "'lines[1].amount' must be at least 0");
      const advance = recordOf(
        await create({ clientId, lines: [line(projectId, 100, ['project_prepayment', made.id])] }),
      );
      expect(await worth()).toEqual([false, 0, 0]);
      recordOf(await patch(`/invoices/${advance.id}`, { statusId: 'issued' }));
      expect(await worth()).toEqual([true, 0, 100]);
      expectFaults(await create({ clientId, lines: [work, uses(-100.5)] }), "'lines[1].amount' must be at least -100");
      const last = recordOf(await create({ clientId, statusId: 'issued', lines: [work, uses(-60)] }));
      expect([last.total, await worth()]).toEqual([140, [true, 60, 40]]);
      recordOf(await patch(`/invoices/${last.id}`, { statusId: 'void' }));
      expect(await worth()).toEqual([true, 0, 100]);
      recordOf(await patch(`/invoices/${advance.id}`, { statusId: 'void' }));
      expect(await worth()).toEqual([false, 0, 0]);
    });
  },
  'product',
);

onEveryDatabase(
  'time entries of timesheets',
  (context) => {
    const read = async (path: string) => recordOf(await context.call('GET', path));
    const make = async () => {
      const { id: memberId } = await context.make('member', { trackTimeByDuration: true });
      const entry = (date: string, minutes: number, more: Json = {}) =>
        context.make('time-entry', { memberId, date, minutes, ...more });
      return { memberId, entry };
    };
    const timesheetOf = async ({ id }: Shown) =>
      ((await read(`/time-entries/${id}`)).timesheet as Json | null)?.id ?? null;

    test('a timesheet shows the entries of its days by date, with their hours', async () => {
      const { memberId, entry } = await make();
      const [wednesday, monday, later] = [
        await entry('2026-02-04', 50),
        await entry('2026-02-02', 90),
        await entry('2026-02-02', 30),
      ];
      const outside = await entry('2026-02-09', 60);
      const foreign = await (await make()).entry('2026-02-03', 60);
      const sheet = recordOf(
        await context.call('POST', '/timesheets', { memberId, start: '2026-02-02', end: '2026-02-08' }),
      );
      const timeEntries = [
        { id: monday.id, minutes: 90 },
        { id: later.id, minutes: 30 },
        { id: wednesday.id, minutes: 50 },
      ];
      expect(sheet).toMatchObject({ hours: 2.83, timeEntries });
      expect((await context.all('timesheet', `&memberId=${memberId}`))[0]).toEqual(sheet);
      expect([await timesheetOf(monday), await timesheetOf(outside), await timesheetOf(foreign)]).toEqual([
        sheet.id,
        null,
        null,
      ]);
      const listed = await context.all('time-entry', `&timesheetId=${sheet.id}`);
      expect(listed.map(({ id }) => id)).toEqual([later.id, monday.id, wednesday.id]);
      expectFaults(
        await context.call('PATCH', `/timesheets/${sheet.id}`, { timeEntries: [] }),
        "'timeEntries' is not allowed",
      );
    });

    test('a timesheet needs an entry in its days', async () => {
      const { memberId, entry } = await make();
      const sheet = (start: string, end: string) => context.call('POST', '/timesheets', { memberId, start, end });
      const refusal = "'start' must be the start of a period with time entries";
      for (const date of ['2026-02-01', '2026-02-05']) await entry(date, 30);
      await (await make()).entry('2026-02-03', 60);
      expectFaults(await sheet('2026-02-02', '2026-02-04'), refusal);
      expectFaults(await sheet('2026-02-02', '2026-02-20'), "'end' must be in the same week as start");
      expect(recordOf(await sheet('2026-02-02', '2026-02-05')).hours).toBe(0.5);
    });

    test('takes no new entries, and follows those that it has', async () => {
      const { memberId, entry } = await make();
      const [one, two] = [await entry('2026-02-02', 60), await entry('2026-02-03', 60, { statusId: 'rejected' })];
      const sheet = recordOf(
        await context.call('POST', '/timesheets', { memberId, start: '2026-02-02', end: '2026-02-03' }),
      );
      const hours = async () => (await read(`/timesheets/${sheet.id}`)).hours;
      const body = await context.bodyOf('time-entry', { memberId, date: '2026-02-03' });
      expectFaults(
        await context.call('POST', '/time-entries', body),
        "'date' must be outside of the member's submitted timesheets",
      );
      // What is handed in waits for a decision; what is sent back can be changed.
      for (const { id } of [one, two])
        recordOf(await context.call('PATCH', `/time-entries/${id}`, { statusId: 'rejected' }));
      recordOf(await context.call('PATCH', `/time-entries/${two.id}`, { minutes: 30 }));
      expect(await hours()).toBe(1.5);
      recordOf(await context.call('PATCH', `/time-entries/${two.id}`, { date: '2026-02-04' }));
      expect([await hours(), await timesheetOf(two)]).toEqual([1, null]);
      expectFaults(
        await context.call('PATCH', `/time-entries/${two.id}`, { date: '2026-02-02' }),
        "'date' must be outside of the member's submitted timesheets",
      );
      expectGone(await context.call('DELETE', `/time-entries/${one.id}`));
      expect(await read(`/timesheets/${sheet.id}`)).toMatchObject({
        hours: 0,
        timeEntries: [],
      });
      expectGone(await context.call('DELETE', `/timesheets/${sheet.id}`));
      expect(await timesheetOf(two)).toBe(null);
    });
  },
  'product',
);
