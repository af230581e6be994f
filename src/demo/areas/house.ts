// The set-up of the firm: settings, lists to choose from, holidays, exchange rates.
import type { Praxis } from '../../../codegen/generated/client.ts';
import { clients } from '../data/clients.ts';
import { certifications, people, skills } from '../data/people.ts';
import { kinds, taskTemplates } from '../data/work.ts';
import { addMonths, lastOfMonth, monthsFrom } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import { cents, theOne } from '../plan/plan.ts';

const statement = 'I confirm that this timesheet is complete and that the hours are those I have worked.';
export const taxRate = 'VAT 19 %';
/** Clients of other countries account for the tax themselves. */
export const taxedCountry = 'DE';

const lists = {
  practices: ['Strategy & Transformation', 'Digital Products', 'Data & AI', 'Delivery'],
  locations: ['Berlin', 'Lyon', 'Gothenburg', 'Toronto', 'Remote'],
  disciplines: ['Strategy', 'Engineering', 'Design', 'Data', 'Delivery', 'Operations'],
  industries: [...new Set(clients.map(({ industry }) => industry))],
  skills: skills,
  jobTitles: [...new Set(people.map(({ position }) => position.title))],
  memberCertifications: certifications,
  memberTags: ['Mentor', 'Part-time', 'First aider', 'On call'],
  clientTags: ['Key account', 'New in 2026', 'Reference', 'Public tender'],
  contactTags: ['Decision maker', 'Newsletter', 'Technical contact'],
  projectTags: [...Object.values(kinds).map(({ tag }) => tag), 'fixed scope'],
  taskTags: ['workshop', 'client input needed', 'blocked'],
  opportunityTags: ['renewal', 'competitive', 'partner deal'],
  projectTypes: ['Advisory', 'Product development', 'Analytics', 'Managed service'],
} satisfies Partial<Record<keyof Praxis, readonly string[]>>;

const levels = [
  ['Junior', 'Up to two years of experience'],
  ['Consultant', 'Works without supervision'],
  ['Senior', 'Leads parts of a project'],
  ['Principal', 'Leads projects and a field of work'],
  ['Partner', 'Owns the firm'],
] as const;

/** One unit in US dollars, at the start of the history. */
const dollars: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.0816,
  GBP: 1.2912,
  CHF: 1.1307,
  CAD: 0.695,
  SEK: 0.0998,
};

/** Currencies of clients; the workspace's alone where we know no rate for it. */
export const currencyFor = (plan: Plan, wanted: string): string =>
  dollars[plan.currency] === undefined ? plan.currency : wanted;

export function planHouse(plan: Plan): void {
  knowSetUp(plan);
  planSettings(plan);
  // The keys are those of the table above.
  for (const group of Object.keys(lists) as (keyof typeof lists)[])
    for (const item of lists[group]) plan.open(group, item, (praxis, name) => praxis[group].create({ name }));
  for (const [name, description] of levels)
    plan.open('memberLevels', name, (praxis, name) => praxis.memberLevels.create({ name, description }));
  if (plan.hasRoles) plan.open('securityRoles', 'Billing', (praxis, name) => praxis.securityRoles.create({ name }));
  planMoney(plan);
  planRoles(plan);
  planTasks(plan);
  planHolidays(plan);
  planExchangeRates(plan);
}

function knowSetUp(plan: Plan): void {
  plan.known('paymentTerms', 'Due on Receipt', 'Net 15', 'Net 30', 'Net 45', 'Net 60');
  plan.known('paymentMethods', 'Bank Transfer', 'Credit Card', 'Check');
  plan.known('securityRoles', 'Administrator', 'Manager', 'Member');
  plan.known('invoiceItems', 'Service', 'Expense', 'Product', 'Prepayment', 'Other');
  plan.known('expenseCategories', 'Airfare', 'Lodging', 'Meals', 'Ground Transportation', 'Mileage', 'Other');
  plan.known('timeOffTypes', 'Vacation', 'Sick Leave', 'Unpaid Leave');
  plan.known('taskCategories', 'Task', 'Phase');
  plan.open('clients', 'internal', async (praxis) =>
    theOne((await praxis.clients.list()).results, ({ key }) => key === 'internal'),
  );
  plan.known('holidays', "New Year's Day", 'Christmas Day');
  plan.known('holidaySchedules', 'Standard');
  plan.known('opportunityStages', 'Qualification', 'Proposal', 'Negotiation', 'Won', 'Lost');
  plan.known('opportunityTypes', 'New Business', 'Existing Business');
  plan.known('opportunityLeadSources', 'Referral', 'Website', 'Event', 'Outbound');
  plan.known('companyTypes', 'Prospect', 'Customer', 'Partner');
  plan.known('pipelineActivityTypes', 'Call', 'Email', 'Meeting', 'Note');
  plan.known('workspaceRoles', 'Project Manager', 'Senior Consultant', 'Consultant');
}

function planSettings(plan: Plan): void {
  const tax = plan.open('taxRates', taxRate, (praxis, name) => praxis.taxRates.create({ name, rate: 0.19 }));
  plan.open('taxRates', 'VAT 7 %', (praxis, name) => praxis.taxRates.create({ name, rate: 0.07 }));
  plan.open('taxRates', 'No tax', (praxis, name) => praxis.taxRates.create({ name, rate: 0 }));
  plan.timeline.add(plan.opening, (praxis) =>
    praxis.workspaceSettings.update({
      companyName: 'Lindqvist & Moreau Partners',
      streetAddress: 'Prinzessinnenstraße 19\n10969 Berlin\nGermany',
      timeZoneId: 'Europe/Berlin',
      currencies: Object.keys(dollars).includes(plan.currency)
        ? ['EUR', 'USD', 'GBP', 'CHF', plan.currency].filter(isFirst)
        : [plan.currency],
      timesheetAttestationStatement: statement,
      invoiceSubject: 'Invoice for our services',
      invoiceNotes: 'Thank you for working with us. Please give the invoice number with your payment.',
      invoiceEmailSubject: 'Your invoice from Lindqvist & Moreau Partners',
      invoiceEmailBody: 'Dear customer,\n\nplease find our invoice attached.\n\nKind regards\nAccounts',
      invoiceEmailFromName: 'Lindqvist & Moreau Accounts',
      invoiceEmailReplyTo: 'accounts@lindqvist-moreau.example',
      invoiceTaxableItems: ['services', 'expenses', 'products', 'other_items'],
      invoicePaymentTermId: plan.id('paymentTerms', 'Net 30'),
      invoiceTaxRateId: tax.id,
    }),
  );
  plan.open('businessUnits', 'Europe', (praxis, name) =>
    praxis.businessUnits.create({
      name,
      companyName: 'Lindqvist & Moreau Europe',
      streetAddress: '4 quai Saint-Antoine\n69002 Lyon\nFrance',
      invoiceSubject: 'Invoice',
      invoiceEmailSubject: 'Your invoice',
      invoiceEmailFromName: 'Lindqvist & Moreau Europe',
      invoiceEmailReplyTo: 'europe@lindqvist-moreau.example',
      invoicePaymentTermId: plan.id('paymentTerms', 'Net 30'),
    }),
  );
  plan.open('businessUnits', 'North America', (praxis, name) =>
    praxis.businessUnits.create({
      name,
      companyName: 'Lindqvist & Moreau North America Inc.',
      streetAddress: '200 Bay Street\nToronto ON M5J 2J5\nCanada',
      invoiceSubject: 'Invoice for professional services',
      invoiceEmailSubject: 'Invoice for professional services',
      invoiceEmailFromName: 'Lindqvist & Moreau North America',
      invoiceEmailReplyTo: 'northamerica@lindqvist-moreau.example',
      invoicePaymentTermId: plan.id('paymentTerms', 'Net 45'),
    }),
  );
}

const isFirst = (item: string, index: number, list: readonly string[]): boolean => list.indexOf(item) === index;

function planMoney(plan: Plan): void {
  for (const [name, amount] of [
    ['Bronze', 0],
    ['Silver', 50_000],
    ['Gold', 150_000],
    ['Platinum', 400_000],
  ] as const)
    plan.open('companySpendTiers', name, (praxis, name) => praxis.companySpendTiers.create({ name, amount }));
  plan.open('expenseCategories', 'Client Dinner', (praxis, name) =>
    praxis.expenseCategories.create({ name, requireAttendees: true, requireReceipt: true, code: 'DIN' }),
  );
  plan.open('expenseCategories', 'Software & Licences', (praxis, name) =>
    praxis.expenseCategories.create({ name, code: 'SW', requireNotes: true }),
  );
  plan.open('expenseCategories', 'Subcontractor', (praxis, name) =>
    praxis.expenseCategories.create({ name, code: 'SUB' }),
  );
}

function planRoles(plan: Plan): void {
  const roles = [
    ['Principal', 190, 'Engineering'],
    ['Designer', 140, 'Design'],
    ['Engineer', 140, 'Engineering'],
    ['Data Specialist', 155, 'Data'],
  ] as const;
  for (const [name, rate, discipline] of roles)
    plan.open('workspaceRoles', name, (praxis, name) =>
      praxis.workspaceRoles.create({ name, rate, disciplineId: plan.id('disciplines', discipline) }),
    );
  const placeholders = [
    ['Senior engineer (to be hired)', 145, 58, 'Engineering', 'TypeScript'],
    ['Data engineer (to be hired)', 140, 55, 'Data', 'Python'],
    ['Freelance designer', 130, 80, 'Design', 'Interaction design'],
  ] as const;
  for (const [name, rate, costPerHour, discipline, skill] of placeholders)
    plan.open('resourcePlaceholders', name, (praxis, name) =>
      praxis.resourcePlaceholders.create({
        name,
        rate,
        costPerHour,
        disciplineId: plan.id('disciplines', discipline),
        skillIds: [plan.id('skills', skill)],
      }),
    );
}

function planTasks(plan: Plan): void {
  plan.open('taskCategories', 'Meeting', (praxis, name) =>
    praxis.taskCategories.create({ name, type: 'standard', icon: 'users', color: 'teal' }),
  );
  plan.open('taskCategories', 'Workshop', (praxis, name) =>
    praxis.taskCategories.create({ name, type: 'standard', icon: 'lightbulb', color: 'orange' }),
  );
  for (const [name, budgetHours, notes] of taskTemplates)
    plan.open('taskTemplates', name, (praxis, name) =>
      praxis.taskTemplates.create({
        name,
        budgetHours,
        notes,
        tagIds: name.includes('workshop') ? [plan.id('taskTags', 'workshop')] : [],
      }),
    );
  for (const [name, description] of [['Partnerships', 'Deals that come through partners']] as const) {
    const pipeline = plan.open('opportunityPipelines', name, (praxis, name) =>
      praxis.opportunityPipelines.create({ name, description }),
    );
    for (const [stage, probability, statusId] of [
      ['Introduced', 0.2, 'open'],
      ['Joint offer', 0.5, 'open'],
      ['Signed', 1, 'won'],
      ['Declined', 0, 'lost'],
    ] as const)
      plan.open('opportunityStages', stage, (praxis, name) =>
        praxis.opportunityStages.create({ name, probability, statusId, opportunityPipelineId: pipeline.id }),
      );
  }
}

const holidays = [
  ['Labour Day', '05-01'],
  ['German Unity Day', '10-03'],
  ['Boxing Day', '12-26'],
] as const;
const setUpHolidays = [
  ["New Year's Day", '01-01'],
  ['Christmas Day', '12-25'],
] as const;

/** Days on which nobody works. */
export function holidayDates(plan: Plan): ReadonlySet<string> {
  return new Set([...holidays, ...setUpHolidays].flatMap(([, day]) => years(plan).map((year) => `${year}-${day}`)));
}

/** From the year before the history to two years after it. */
function years({ span }: Plan): number[] {
  const first = Number(span.first.slice(0, 4)) - 1;
  return Array.from({ length: Number(span.last.slice(0, 4)) + 3 - first }, (_year, index) => first + index);
}

function planHolidays(plan: Plan): void {
  const dates = (day: string) => ({ occurrences: years(plan).map((year) => `${year}-${day}`) });
  for (const [name, day] of setUpHolidays)
    plan.timeline.add(plan.opening, (praxis) => praxis.holidays.update(plan.id('holidays', name), dates(day)));
  for (const [name, day] of holidays)
    plan.open('holidays', name, (praxis) => praxis.holidays.create({ name, ...dates(day) }));
  plan.timeline.add(plan.opening, (praxis) =>
    praxis.holidaySchedules.update(plan.the('holidaySchedules', 'Standard').id, {
      holidayIds: [...setUpHolidays, ...holidays].map(([name]) => plan.id('holidays', name)),
    }),
  );
}

/** A rate for each month, that moves a little. */
function planExchangeRates(plan: Plan): void {
  const main = dollars[plan.currency];
  if (main === undefined) return;
  for (const currency of ['EUR', 'USD', 'GBP', 'CHF'].filter((other) => other !== plan.currency)) {
    let rate = (dollars[currency] ?? 1) / main;
    for (const start of monthsFrom(plan.span.first, addMonths(plan.span.last, 3))) {
      rate *= 1 + (plan.random.next() - 0.5) / 50;
      const at = Math.round(rate * 10_000) / 10_000;
      plan.timeline.add(plan.opening, (praxis) =>
        praxis.exchangeRatePeriods.create({
          fromCurrency: currency,
          toCurrency: plan.currency,
          start,
          end: lastOfMonth(start),
          rate: at,
        }),
      );
    }
  }
}

/** Converts what our price list says, roughly, and rounds to 5. */
export function priceIn(plan: Plan, currency: string, amount: number): number {
  const factor = (dollars[plan.currency] ?? 1) / (dollars[currency] ?? 1);
  return currency === plan.currency ? amount : cents(Math.round((amount * factor) / 5) * 5);
}
