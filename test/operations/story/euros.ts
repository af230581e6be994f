// A client who pays in euros: rates of exchange, rates of members, a fixed fee that is billed by a schedule.
import { expect, test } from 'vitest';
import { recordOf } from '../../support/service/answers.ts';
import type { Context } from '../../support/service/praxis.ts';
import type { Teller } from './teller.ts';

export function workInEuros(context: Context, { make, know, change, see, list, the, at, refused, held }: Teller): void {
  test('rates of exchange are known both ways, and over the dollar', async () => {
    const rates = async (query: string): Promise<unknown> =>
      recordOf(await context.call('GET', `/exchange-rate?${query}`))['rates'];
    // 1 ÷ 1.1; 1 ÷ 1.25; 1 ÷ 1.5
    expect(await rates('date=2026-01-31')).toEqual([
      { currency: 'EUR', rate: 0.90909091 },
      { currency: 'USD', rate: 1 },
    ]);
    expect(await rates('date=2026-03-01')).toEqual([
      { currency: 'EUR', rate: 0.8 },
      { currency: 'GBP', rate: 0.66666667 },
      { currency: 'USD', rate: 1 },
    ]);
    // 1.25 ÷ 1.5; nobody knows of yen
    expect(await rates('date=2026-03-31&fromCurrency=EUR')).toEqual([
      { currency: 'EUR', rate: 1 },
      { currency: 'GBP', rate: 0.83333333 },
      { currency: 'USD', rate: 1.25 },
    ]);
  });

  test('a fixed fee is earned as it is billed, and costs in dollars are worth what they were on their day', async () => {
    await know('Net 15', '/payment-terms');
    await make('VAT', '/tax-rates', { name: 'VAT', rate: 0.2 });
    const unit = { companyName: 'Meridian Nordic', invoiceTaxableItems: ['services'] };
    await make('Nordic', '/business-units', {
      ...unit,
      name: 'Nordic',
      invoicePaymentTermId: the('Net 15'),
      invoiceTaxRateId: the('VAT'),
    });
    const inherited = { invoiceDetailsSource: 'business_unit', businessUnitId: the('Nordic') };
    await make(
      'the ferries',
      '/clients',
      { name: 'Baltic Ferries', currency: 'EUR', ...inherited },
      { key: 'baltic-ferries', invoicePaymentTerm: { name: 'Net 15' }, useWorkspaceInvoiceDetails: false },
    );
    await held(['DELETE', at('Nordic')], 'The Business Unit is in use and cannot be deleted.');
    await make(
      'timetable',
      '/projects',
      { name: 'Timetable', clientId: the('the ferries'), billingTypeId: 'fixed', fixedFee: 12000, useRoles: false },
      { currency: 'EUR', fixedFee: 12000, revenueRecognitionMethod: 'invoiced', budget: null },
    );
    await refused(
      ['POST', '/project-roles', { projectId: the('timetable'), name: 'Lead' }],
      "'projectId' must be a project that uses roles",
    );
    await refused(
      [
        'POST',
        '/project-budget-expenses',
        { projectId: the('timetable'), expenseCategoryId: the('Meals'), billableAmount: 1 },
      ],
      "'projectId' must be a project with a detailed or aggregated budget",
    );
    const seat = { projectId: the('timetable') };
    await make('Mara there', '/project-members', { ...seat, memberId: the('Mara'), rate: 160 }, { rate: 160 });
    await make('Zoe there', '/project-members', { ...seat, memberId: the('Zoe') }, { rate: null });
    await make(
      'Mara in euros',
      '/time-entries',
      { ...seat, memberId: the('Mara'), date: '2026-03-10', minutes: 600 },
      { rate: 160, rateCurrency: 'EUR', costPerHour: 77.5, costCurrency: 'USD', projectRole: null },
    );
    await make(
      'Zoe in euros',
      '/time-entries',
      { ...seat, memberId: the('Zoe'), date: '2026-03-11', minutes: 90 },
      {
        // Her 120 an hour are dollars; what she costs on the other project is no matter here.
        isBillable: true,
        rate: null,
        rateCurrency: null,
        costPerHour: 40,
        costCurrency: 'USD',
      },
    );
    const expense = {
      ...seat,
      expenseReportId: the('trip of Mara'),
      expenseCategoryId: the('Meals'),
      date: '2026-03-12',
    };
    await make('dinner', '/expense-items', { ...expense, amount: 100, currency: 'USD' }, { total: 100 });
    await make('sushi', '/expense-items', { ...expense, amount: 5000, currency: 'JPY' }, { total: 5000 });

    const item = { ...seat, date: '2026-03-31', name: 'First third', fee: 4000 };
    await make('first third', '/project-billing-schedule-items', item, {
      invoiced: false,
      invoiceItem: { name: 'Service' },
    });
    await refused(
      ['PATCH', at('first third'), { typeId: 'recurring' }],
      "'typeId' must be custom unless the project has a fee per month",
    );
    await make(
      'report in euros',
      '/project-health-reports',
      { ...seat, date: '2026-03-31' },
      {
        ...{ billableHours: 11.5, nonBillableHours: 0, servicesRevenue: 0, useBudget: false, budgetTotalRevenue: null },
        // 100 USD × 0.8; nobody knows what yen are worth
        ...{ expensesRevenue: 80, totalRevenue: 80, expensesCost: 80 },
        // (10 × 77.50 + 1.5 × 40) USD = 835 × 0.8
        servicesCost: 668,
        // 668 + 80; 80 − 748; ÷ 80
        ...{ totalCost: 748, totalGrossProfit: -668, totalGrossMargin: -8.35 },
      },
    );

    const sources = [{ typeId: 'project_billing_schedule_item', id: the('first third') }];
    const bill = { clientId: the('the ferries'), issuedOn: '2026-03-31', statusId: 'issued' };
    await make(
      'bill in euros',
      '/invoices',
      { ...bill, lines: [{ ...seat, amount: 4000, sources }] },
      {
        ...{ currency: 'EUR', companyName: 'Meridian Nordic', dueOn: '2026-04-15', taxRatio: 0.2 },
        // 4000 × 0.2
        ...{ totalTax: 800, total: 4800, amountDue: 4800 },
      },
    );
    await see('first third', { invoiced: true });
    const again = await change(
      'report in euros',
      { date: '2026-04-01' },
      {
        // 4000 + 80; 4080 − 748; ÷ 4080 = 0.81666…
        servicesRevenue: 4000,
        totalRevenue: 4080,
        totalCost: 748,
        totalGrossProfit: 3332,
        totalGrossMargin: 0.816667,
      },
    );
    expect(again['billableHours']).toBe(11.5);
  });

  test('it is paid in euros, by the client whose bill it is', async () => {
    const paid = [{ id: the('bill in euros'), amount: 4800 }];
    const payment = { clientId: the('the ferries'), amount: 4800, invoices: paid };
    const other = "'invoices[0].id' must be of the same client and currency";
    await refused(['POST', '/payments', { ...payment, currency: 'USD' }], other);
    await refused(['POST', '/payments', { ...payment, clientId: the('the client'), currency: 'EUR' }], other);
    await make('euros', '/payments', payment, { currency: 'EUR' });
    await see('bill in euros', { statusId: 'paid', amountPaid: 4800, amountDue: 0 });
    await list(`/payments?clientId=${the('the ferries')}`, [{ amount: 4800, currency: 'EUR' }]);
  });

  test('a client that is archived gets nothing new', async () => {
    await change('the ferries', { recordStatusId: 'archived' });
    await refused(
      ['POST', '/projects', { name: 'More', clientId: the('the ferries'), billingTypeId: 'tm' }],
      "'clientId' must be an active client",
    );
    await refused(['POST', '/invoices', { clientId: the('the ferries') }], "'clientId' must be an active client");
    await held(['DELETE', at('the ferries')], 'The Client is in use and cannot be deleted.');
  });
}
