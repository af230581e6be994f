// February: the bill for January, how it is paid, another bill that is taken back, and the work of the month.
import { expect, test } from 'vitest';
import type { Teller } from './teller.ts';

const source = (typeId: string, id: string) => ({ typeId, id });

export function billJanuary({ make, change, see, list, the, at, refused, held }: Teller): void {
  const time = (...names: readonly string[]) => names.map((name) => source('time_entry', the(name)));

  test('only what is billable and approved is billed', async () => {
    const line = { amount: 99, projectId: the('the project') };
    const bill = (kind: string, name: string): [method: 'POST', path: string, body: Record<string, unknown>] => [
      'POST',
      '/invoices',
      { clientId: the('the client'), lines: [{ ...line, sources: [source(kind, the(name))] }] },
    ];
    await refused(bill('expense_item', 'taxi'), "'lines[0].sources[0].id' must be billable and approved");
    await refused(bill('expense_item', 'lunch'), "'lines[0].sources[0].id' must be billable and approved");
    await refused(bill('time_entry', 'Ben 08'), "'lines[0].sources[0].id' must be billable and approved");
    await refused(bill('time_entry', 'day off'), "'lines[0].sources[0].id' must be of the line's project");
  });

  test('the draft bills time, expenses and extras, and is due by its term', async () => {
    const on = { projectId: the('the project') };
    const lines = [
      {
        ...on,
        description: 'Lead',
        quantity: 24,
        rate: 190,
        sources: time('Mara 05', 'Mara 06', 'Mara 07', 'Mara 08'),
      },
      { ...on, description: 'Consultant', quantity: 19.5, rate: 140, sources: time('Ben 05', 'Ben 06', 'Ben 07') },
      { ...on, description: 'Consultant', quantity: 7.4167, rate: 140, sources: time('Zoe 09') },
      {
        ...{ ...on, description: 'Travel', amount: 847.29 },
        sources: ['flight', 'drive', 'hotel'].map((name) => source('expense_item', the(name))),
      },
      { ...on, description: 'Crane', amount: 950, sources: [source('project_expense', the('crane'))] },
      { ...on, description: 'Workshop', amount: 1500, sources: [source('project_service_item', the('workshop'))] },
      { ...on, description: 'Licences', amount: 400, sources: [source('project_product_item', the('licences'))] },
    ];
    const services = { kindId: 'services', taxable: true, invoiceItem: { name: 'Service' } };
    const expenses = { kindId: 'expenses', taxable: false, invoiceItem: { name: 'Expense' } };
    await make(
      'the bill',
      '/invoices',
      { clientId: the('the client'), issuedOn: '2026-02-02', lines },
      {
        // What was refused has used no number.
        ...{ number: 'INV-0001', statusId: 'draft', currency: 'USD', companyName: 'Meridian Consulting' },
        ...{ billTo: 'Harbour Logistics\n1 Quay Road', emails: ['bills@harbour.example'], poNumber: 'PO-77' },
        ...{ projects: [{ name: 'Yard Management' }], paymentTerm: { name: 'Net 30' }, taxRate: { name: 'Sales Tax' } },
        // 2 February + 30 days
        dueOn: '2026-03-04',
        lines: [
          // 24 × 190; 19.5 × 140; 7.4167 × 140 = 1038.338
          { ...services, lineNumber: 1, amount: 4560 },
          { ...services, lineNumber: 2, amount: 2730 },
          { ...services, lineNumber: 3, amount: 1038.34 },
          // 453.64 + 36.15 + 325 EUR × 1.1 = 357.50
          { ...expenses, lineNumber: 4, amount: 847.29 },
          { ...expenses, lineNumber: 5, amount: 950 },
          { ...services, lineNumber: 6, amount: 1500 },
          { kindId: 'products', taxable: true, invoiceItem: { name: 'Product' }, lineNumber: 7, amount: 400 },
        ],
        // 4560 + 2730 + 1038.34 + 847.29 + 950 + 1500 + 400
        ...{ subtotal: 12025.63, totalDiscount: 0, taxRatio: 0.0825 },
        // (4560 + 2730 + 1038.34 + 1500 + 400) × 0.0825 = 10 228.34 × 0.0825 = 843.83805; + 12 025.63
        ...{ totalTax: 843.84, total: 12869.47, amountPaid: 0, amountCredited: 0, amountDue: 12869.47 },
      },
    );
    // 2 February + 10 days, the end of that month
    await change('the bill', { paymentTermId: the('End of month') }, { dueOn: '2026-02-28' });
    await change(
      'the bill',
      { discountMethod: 'percentage', discountRatio: 0.05 },
      {
        // 12 025.63 × 0.05 = 601.2815
        totalDiscount: 601.28,
        // 843.83805 × (12 025.63 − 601.28) ÷ 12 025.63 = 801.64625…
        totalTax: 801.65,
        // 12 025.63 − 601.28 + 801.65
        ...{ total: 12226, amountDue: 12226 },
      },
    );

    await refused(
      ['PATCH', at('the bill'), { discountMethod: 'amount', discountRatio: null, discountAmount: 12025.64 }],
      "'discountAmount' must be at most 12025.63",
    );
    await refused(['PATCH', at('the bill'), { dueOn: '2026-02-01' }], "'dueOn' must be on or after issuedOn");
    await refused(['PATCH', at('the bill'), { statusId: 'void' }], "'statusId' cannot change from 'draft' to 'void'");
    await held(
      ['POST', '/invoices', { clientId: the('the client'), lines: [{ ...on, amount: 1, sources: time('Mara 05') }] }],
      'The Time Entry is in use and cannot be deleted.',
    );
    await held(['DELETE', at('licences')], 'The Project Product Item is in use and cannot be deleted.');
  });

  test('once it is issued, it and all that it bills is held', async () => {
    await change('the bill', { statusId: 'issued' }, { statusId: 'issued', total: 12226, amountDue: 12226 });
    for (const name of ['Mara 05', 'Ben 07', 'Zoe 09'])
      await see(name, { invoiced: true, invoice: { id: the('the bill'), number: 'INV-0001' } });
    await list(
      `/time-entries?invoiceId=${the('the bill')}`,
      [445, 270, 450, 450, 240, 240, 480, 480].map((minutes) => ({ minutes })),
    );
    await see('Ben 08', { invoiced: false, invoice: null });
    for (const name of ['flight', 'crane', 'workshop', 'licences']) await see(name, { invoiced: true });
    await see('lunch', { invoiced: false });

    await held(['PATCH', at('the bill'), { discountRatio: 0.1 }], 'The Invoice is read-only.');
    await held(['DELETE', at('the bill')], 'The Invoice is read-only.');
    await held(['PATCH', at('Ben 07'), { statusId: 'not_submitted' }], 'The Time Entry is read-only.');
    await held(['PATCH', at('licences'), { quantity: 13 }], 'The Project Product Item is read-only.');
    await held(['DELETE', at('crane')], 'The Project Expense is read-only.');
    await held(['DELETE', at('week of Ben')], 'The Timesheet is in use and cannot be deleted.');
    await held(['PATCH', at('the project'), { currency: 'EUR' }], 'The Project is read-only.');
    await held(['DELETE', at('Sales Tax')], 'The Tax Rate is in use and cannot be deleted.');
    // Its tax stays as it was issued.
    await change('Sales Tax', { rate: 0.1 });
    await change('the bill', { sentOn: '2026-02-02' }, { taxRatio: 0.0825, totalTax: 801.65, total: 12226 });
    await change('Sales Tax', { rate: 0.0825 });
  });
}

export function getPaid({ make, know, change, remove, see, the, at, refused, held }: Teller): void {
  const pay = (invoice: string, amount: number) => ({ id: the(invoice), amount });

  test('a first payment, a credit and the rest settle the bill', async () => {
    await know('Bank Transfer', '/payment-methods');
    const payment = { clientId: the('the client'), paymentMethodId: the('Bank Transfer') };
    const first = { ...payment, receivedOn: '2026-02-20', amount: 7000, referenceNumber: 'T-1' };
    await make(
      'first payment',
      '/payments',
      { ...first, invoices: [pay('the bill', 7000)] },
      { currency: 'USD', invoices: [{ number: 'INV-0001', amount: 7000 }] },
    );
    // 12 226 − 7000
    await see('the bill', { statusId: 'issued', amountPaid: 7000, amountDue: 5226, payments: [{ amount: 7000 }] });

    const credited = { clientId: the('the client'), issuedOn: '2026-02-23', statusId: 'issued' };
    const lines = [{ description: 'Late start', amount: 500, taxable: true, projectId: the('the project') }];
    await make(
      'credit',
      '/credit-notes',
      { ...credited, lines },
      {
        // 500 × 0.0825 = 41.25
        ...{ number: 'CN-0001', statusId: 'issued', subtotal: 500, totalTax: 41.25, total: 541.25 },
        ...{ amountApplied: 0, amountRemaining: 541.25 },
      },
    );
    await refused(
      ['PATCH', at('credit'), { invoices: [pay('the bill', 541.26)] }],
      "'invoices' must add up to at most 541.25",
    );
    await change(
      'credit',
      { invoices: [pay('the bill', 541.25)] },
      { statusId: 'applied', amountApplied: 541.25, amountRemaining: 0 },
    );
    // 12 226 − 7000 − 541.25
    await see('the bill', { amountCredited: 541.25, amountDue: 4684.75, creditNotes: [{ number: 'CN-0001' }] });
    await refused(
      ['PATCH', at('the bill'), { statusId: 'draft' }],
      "'statusId' cannot change from 'issued' to 'draft'",
    );
    await held(['PATCH', at('credit'), { lines }], 'The Credit Note is read-only.');

    const rest = { ...payment, receivedOn: '2026-02-27', amount: 5000 };
    await refused(
      ['POST', '/payments', { ...rest, invoices: [pay('the bill', 4684.76)] }],
      "'invoices[0].amount' must be at most 4684.75",
    );
    // 315.25 stays on account.
    await make('rest', '/payments', { ...rest, invoices: [pay('the bill', 4684.75)] });
    // 7000 + 4684.75; 12 226 − 11 684.75 − 541.25
    await see('the bill', { statusId: 'paid', amountPaid: 11684.75, amountCredited: 541.25, amountDue: 0 });
    await see('Mara 05', { invoiced: true });
    await refused(['PATCH', at('the bill'), { statusId: 'void' }], "'statusId' cannot change from 'paid' to 'void'");
    await refused(
      ['PATCH', at('rest'), { currency: 'EUR' }],
      "'currency' cannot change from 'USD' to 'EUR'",
      "'invoices[0].id' must be of the same client and currency",
    );
    await held(['DELETE', at('Bank Transfer')], 'The Payment Method is in use and cannot be deleted.');
    await held(['DELETE', at('the client')], 'The Client is in use and cannot be deleted.');
  });

  test('a payment that is taken off the bill opens it again', async () => {
    await change('rest', { invoices: [] });
    await see('the bill', { statusId: 'issued', amountPaid: 7000, amountDue: 4684.75 });
    await change('rest', { invoices: [pay('the bill', 4684.75)] }, { amount: 5000 });
    await see('the bill', { statusId: 'paid', amountPaid: 11684.75, amountDue: 0 });
  });

  test('a bill that is void frees what it billed', async () => {
    const on = { projectId: the('the project') };
    await make('scanner', '/project-product-items', {
      ...on,
      date: '2026-02-24',
      description: 'Scanner',
      fee: 250,
      invoiceItemId: the('Product item'),
    });
    const lines = [{ ...on, amount: 250, sources: [source('project_product_item', the('scanner'))] }];
    const bill = { clientId: the('the client'), issuedOn: '2026-02-24', statusId: 'issued', lines };
    await make('wrong bill', '/invoices', bill, {
      // 250 × 0.0825 = 20.625
      number: 'INV-0002',
      totalTax: 20.63,
      total: 270.63,
      amountDue: 270.63,
    });
    await see('scanner', { invoiced: true });
    await change('wrong bill', { statusId: 'void' }, { statusId: 'void', total: 270.63, amountDue: 0 });
    await see('scanner', { invoiced: false, fee: 250 });
    await held(['PATCH', at('wrong bill'), { notes: 'Sorry' }], 'The Invoice is read-only.');
    await held(['DELETE', at('wrong bill')], 'The Invoice is read-only.');
    await refused(
      ['PATCH', at('first payment'), { invoices: [pay('wrong bill', 1)] }],
      "'invoices[0].id' must be an issued or paid invoice",
    );
    await make('right bill', '/invoices', { ...bill, statusId: 'draft' }, { number: 'INV-0003', amountDue: 270.63 });
    await see('scanner', { invoiced: false });
    await remove('right bill');
  });
}

export function workInFebruary({ make, change, see, the, at, refused }: Teller): void {
  const on = (name: string, date: string) => ({ memberId: the(name), projectId: the('the project'), date });

  test('a raise, a holiday and hours from one time to another', async () => {
    // 65 + 12.50 from February on
    await make(
      'Mara in February',
      '/time-entries',
      { ...on('Mara', '2026-02-10'), minutes: 360 },
      { rate: 190, costPerHour: 77.5 },
    );
    const consultant = { projectRoleId: the('Consultant') };
    await make(
      'Ben in February',
      '/time-entries',
      { ...on('Ben', '2026-02-10'), minutes: 400, ...consultant },
      {
        // 9240 ÷ (19 working days × 8) = 60.78947…, for the 16th is a holiday
        rate: 140,
        costPerHour: 60.7895,
      },
    );
    const morning = { startTime: '09:15', endTime: '12:45' };
    await make(
      'Zoe in February',
      '/time-entries',
      { ...on('Zoe', '2026-02-11'), ...morning },
      {
        // from a quarter past nine to a quarter to one
        minutes: 210,
        rate: 140,
        costPerHour: 35,
      },
    );
    await refused(['PATCH', at('Zoe in February'), { endTime: '09:15' }], "'endTime' must be after startTime");
    await refused(['PATCH', at('Zoe in February'), { endTime: null }], "'endTime' is required");
    // 360, 400 and 210 ÷ 60
    for (const [name, hours] of [
      ['Mara', 6],
      ['Ben', 6.67],
      ['Zoe', 3.5],
    ] as const) {
      const week = { memberId: the(name), start: '2026-02-09', end: '2026-02-15' };
      await make(`February of ${name}`, '/timesheets', week, { hours, statusId: 'pending_approval' });
      const word = { timesheetId: the(`February of ${name}`) };
      await make(`word of ${name}`, '/timesheet-attestations', { ...word, isConfirmed: true });
      await change(`February of ${name}`, { statusId: 'approved' });
    }
  });

  test('a project that approves by itself needs nobody', async () => {
    await change('the project', { expenseApprovalMode: 'auto' });
    await make('bus', '/expense-items', {
      ...{ expenseReportId: the('trip of Ben'), expenseCategoryId: the('Ground Transportation') },
      ...{ projectId: the('the project'), date: '2026-02-10', amount: 64.25 },
    });
    await change('bus', { statusId: 'pending_approval' }, { statusId: 'approved', total: 64.25 });
  });

  test('the two months have come to this', async () => {
    await make(
      'report of February',
      '/project-health-reports',
      { projectId: the('the project'), date: '2026-02-28' },
      {
        // 3055 + 360 + 400 + 210 = 4025, ÷ 60; + 1.5
        ...{ billableHours: 67.08, nonBillableHours: 1.5, totalHours: 68.58, score: null },
        // (24 + 6) × 190 + (1170 + 445 + 400 + 210) ÷ 60 × 140 = 5700 + 5191.666… = 10 891.67; + 1500 − 128.33
        servicesRevenue: 12263.34,
        // 1797.29 + 64.25
        expensesRevenue: 1861.54,
        // 12 263.34 + 1861.54 + licences 400 + scanner 250
        totalRevenue: 14774.88,
        // 3154.5833… + 6 × 77.50 + 400 ÷ 60 × 60.7895 + 3.5 × 35 = 3154.5833… + 465 + 405.2633… + 122.50
        servicesCost: 4147.35,
        // 1747.92 + 64.25
        expensesCost: 1812.17,
        // 4147.35 + 1812.17; 14 774.88 − 5959.52; ÷ 14 774.88 = 0.5966451…
        ...{ totalCost: 5959.52, totalGrossProfit: 8815.36, totalGrossMargin: 0.596645 },
      },
    );
    // What was reported stays.
    const { billableHours } = await see('report of January', { totalRevenue: 11897.29, totalCost: 4902.5 });
    expect(billableHours).toBe(50.92);
  });
}
