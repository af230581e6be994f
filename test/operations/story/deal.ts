// The firm, its people, and the deal that it wins.
import { expect, test } from 'vitest';
import type { Teller } from './teller.ts';

export function openTheFirm({ make, know, change, settle, the, at, refused, held }: Teller): void {
  test('the firm says how it works and bills', async () => {
    await make('Sales Tax', '/tax-rates', { name: 'Sales Tax', rate: 0.0825 });
    await make('End of month', '/payment-terms', { name: 'End of month + 10', type: 'end_of_month', days: 10 });
    await settle(
      {
        ...{
          companyName: 'Meridian Consulting',
          currencies: ['EUR', 'GBP', 'JPY'],
          invoiceTaxRateId: the('Sales Tax'),
        },
        ...{
          invoiceTaxableItems: ['services', 'products'],
          timesheetAttestationStatement: 'I have worked these hours.',
        },
      },
      {
        ...{ currency: 'USD', currencies: expect.arrayContaining(['USD', 'EUR', 'GBP', 'JPY']) },
        ...{ invoicePaymentTerm: { name: 'Net 30', days: 30 }, invoiceTaxRate: { name: 'Sales Tax', rate: 0.0825 } },
      },
    );
  });

  test('rates of exchange are kept month by month', async () => {
    const euro = { fromCurrency: 'EUR', toCurrency: 'USD' };
    for (const [month, end, rate] of [
      ['2026-01', '31', 1.1],
      ['2026-02', '28', 1.12],
      ['2026-03', '31', 1.25],
    ] as const)
      await make(`euro ${month}`, '/exchange-rate-periods', {
        ...euro,
        start: `${month}-01`,
        end: `${month}-${end}`,
        rate,
      });
    await make('pound', '/exchange-rate-periods', {
      fromCurrency: 'GBP',
      toCurrency: 'USD',
      start: '2026-03-01',
      end: '2026-03-31',
      rate: 1.5,
    });
    await held(
      ['POST', '/exchange-rate-periods', { ...euro, start: '2026-03-31', end: '2026-04-30', rate: 1.2 }],
      'An Exchange Rate Period with overlapping dates already exists.',
    );
  });

  test('people join, each with their hours, holidays and costs', async () => {
    await make('New Year', '/holidays', { name: 'First of January', occurrences: ['2026-01-01'] });
    await make('Founding', '/holidays', { name: 'Day of the founding', occurrences: ['2026-02-16'] });
    await make('Office', '/holiday-schedules', { name: 'Office', holidayIds: [the('New Year'), the('Founding')] });
    await know('Ada', '/members', 'name=Ada%20Admin');
    for (const name of ['Mara', 'Ben', 'Zoe'])
      await make(name, '/members', {
        ...{ name: `${name} Stone`, email: `${name}@meridian.example`, activeStartDate: '2025-01-01' },
        ...{ holidayScheduleId: the('Office'), trackTimeByTimeRange: name === 'Zoe' },
      });
    await change('Zoe', { defaultRate: 120 }, { defaultRate: 120, defaultRateCurrency: 'USD' });

    await know('cost of Mara', '/cost-periods', `memberId=${the('Mara')}`);
    // 60 + 12.50
    await change('cost of Mara', { costPerHour: 60, overheadCostPerHour: 12.5 }, { totalCostPerHour: 72.5, end: null });
    const raise = { memberId: the('Mara'), start: '2026-02-01' };
    // 65 + 12.50
    await make(
      'raise of Mara',
      '/cost-periods',
      { ...raise, costPerHour: 65, overheadCostPerHour: 12.5 },
      { totalCostPerHour: 77.5, isDefault: false, end: null },
    );
    await know('cost of Ben', '/cost-periods', `memberId=${the('Ben')}`);
    // 8400 + 840
    await change(
      'cost of Ben',
      { costMethodId: 'fixed_monthly', costPerMonth: 8400, overheadCostPerMonth: 840 },
      { totalCostPerMonth: 9240, costPerHour: null, totalCostPerHour: null },
    );
    await know('cost of Zoe', '/cost-periods', `memberId=${the('Zoe')}`);
    await change('cost of Zoe', { costPerHour: 40 }, { totalCostPerHour: 40 });
    await make('short weeks of Ben', '/availability-periods', {
      memberId: the('Ben'),
      start: '2026-03-01',
      hoursPerDay: [8, 8, 8, 8, 0, 0, 0],
    });

    await held(['POST', '/cost-periods', raise], 'A Cost Period with the same start already exists.');
    await refused(['PATCH', at('cost of Ben'), { costPerHour: 50 }], "'costPerHour' is not allowed");
    await refused(
      ['PATCH', at('Mara'), { managerId: the('Mara') }],
      "'managerId' must be another Member, and not lead back to this one",
    );
  });
}

export function winTheDeal({ make, know, change, remove, see, list, the, at, refused, held }: Teller): void {
  test('a company asks, and its deal starts with the odds of the first stage', async () => {
    for (const stage of ['Qualification', 'Proposal', 'Won']) await know(stage, '/opportunity-stages');
    for (const kind of ['Call', 'Meeting']) await know(kind, '/pipeline-activity-types');
    await make('Lena', '/contacts', { firstName: 'Lena', lastName: 'Vogt' }, { name: 'Lena Vogt', timeZoneId: 'UTC' });
    await make(
      'the company',
      '/companies',
      { name: 'Harbour Logistics', contactIds: [the('Lena')] },
      { currency: 'USD', client: null, contacts: [{ name: 'Lena Vogt' }] },
    );
    await make(
      'the deal',
      '/opportunities',
      {
        ...{ name: 'Yard management', companyId: the('the company'), opportunityStageId: the('Qualification') },
        ...{ amount: 50000, openDate: '2025-11-03', closeDate: '2025-12-19', contactIds: [the('Lena')] },
      },
      // 50 000 × 0.1
      { currency: 'USD', probability: 0.1, weightedAmount: 5000, closedOn: null, timeSpent: 0 },
    );
    await refused(['PATCH', at('the deal'), { closeDate: '2025-11-02' }], "'closeDate' must be on or after openDate");
  });

  test('each step is logged, and the time spent on it adds up', async () => {
    const about = { opportunityIds: [the('the deal')], contactIds: [the('Lena')], date: '2025-11-10' };
    await make('a call', '/pipeline-activities', {
      ...about,
      subject: 'First call',
      pipelineActivityTypeId: the('Call'),
      duration: 45,
    });
    await make('a meeting', '/pipeline-activities', {
      ...about,
      subject: 'Visit of the yard',
      pipelineActivityTypeId: the('Meeting'),
      duration: 90,
    });
    // 45 + 90
    await see('the deal', { timeSpent: 135 });
    await change(
      'the deal',
      { opportunityStageId: the('Proposal'), amount: 64000 },
      {
        // 64 000 × 0.4
        probability: 0.4,
        weightedAmount: 25600,
        opportunityStage: { name: 'Proposal', statusId: 'open' },
      },
    );
    const logged = `/pipeline-activities?opportunityId=${the('the deal')}`;
    await list(logged, [
      { subject: 'Probability Change', content: 'probability: 0.1 → 0.4', readOnly: true },
      { subject: 'Amount Change', content: 'amount: 50000 → 64000', readOnly: true },
      { subject: 'Stage Change', content: 'opportunityStage: Qualification → Proposal', readOnly: true },
      { subject: 'Visit of the yard', readOnly: false },
      { subject: 'First call', readOnly: false },
    ]);
    await know('what was logged', '/pipeline-activities', `opportunityId=${the('the deal')}&subject=Amount%20Change`);
    await held(['PATCH', at('what was logged'), { content: 'amount: 1' }], 'The Pipeline Activity is read-only.');
    await held(['DELETE', at('what was logged')], 'The Pipeline Activity is read-only.');
  });

  test('the deal is won, and the company becomes a client', async () => {
    const won = await change(
      'the deal',
      { opportunityStageId: the('Won') },
      { probability: 1, weightedAmount: 64000, opportunityStage: { name: 'Won', statusId: 'won' } },
    );
    // The workspace keeps the time of Greenwich, as moments are written.
    expect(won['closedOn']).toBe(String(won['modifiedAt']).slice(0, 10));
    await make(
      'the client',
      '/clients',
      { name: 'Harbour Logistics', streetAddress: '1 Quay Road', emails: ['bills@harbour.example'] },
      {
        key: 'harbour-logistics',
        currency: 'USD',
        useWorkspaceInvoiceDetails: true,
        invoicePaymentTerm: { name: 'Net 30' },
      },
    );
    await change('the company', { clientId: the('the client') }, { client: { name: 'Harbour Logistics' } });
    await list(`/pipeline-activities?companyId=${the('the company')}&limit=1`, [
      { subject: 'Client Assignment', content: 'client: – → Harbour Logistics' },
    ]);
    await see('the deal', { company: { name: 'Harbour Logistics', client: { id: the('the client') } } });
    await held(['DELETE', at('the company')], 'The Company is in use and cannot be deleted.');
    await change('Proposal', { isActive: false });
    await refused(
      ['PATCH', at('the deal'), { opportunityStageId: the('Proposal') }],
      "'opportunityStageId' must be an active stage",
    );
  });
  test('a deal that is lost closes too, and takes what was logged of it along', async () => {
    await know('Lost', '/opportunity-stages');
    const sequel = { name: 'Second yard', companyId: the('the company'), opportunityStageId: the('Qualification') };
    await make(
      'the sequel',
      '/opportunities',
      { ...sequel, amount: 999.99 },
      {
        // 999.99 × 0.1 = 99.999
        weightedAmount: 100,
        opportunityPipeline: { name: 'Sales' },
      },
    );
    await change('a call', { opportunityIds: [the('the deal'), the('the sequel')] }, { duration: 45 });
    await see('the sequel', { timeSpent: 45, closedOn: null });
    const lost = await change('the sequel', { opportunityStageId: the('Lost') }, { probability: 0, weightedAmount: 0 });
    expect(lost['closedOn']).toBe(String(lost['modifiedAt']).slice(0, 10));
    await list(`/opportunities?statusId=lost`, [{ id: the('the sequel') }]);
    const logged = `/pipeline-activities?opportunityId=${the('the sequel')}`;
    await list(logged, [{ subject: 'Probability Change' }, { subject: 'Stage Change' }, { subject: 'First call' }]);
    await change(
      'the sequel',
      { opportunityStageId: the('Qualification'), probability: 0.25 },
      {
        // 999.99 × 0.25 = 249.9975
        probability: 0.25,
        weightedAmount: 250,
        closedOn: null,
      },
    );
    await remove('the sequel');
    await list(logged, []);
    await list(`/pipeline-activities?companyId=${the('the company')}&subject=Stage%20Change`, [
      { content: 'opportunityStage: Proposal → Won' },
      { content: 'opportunityStage: Qualification → Proposal' },
    ]);
    await see('a call', { opportunities: [{ id: the('the deal') }] });
    await see('the deal', { timeSpent: 135 });
  });
}
