// The sales pipeline: companies and the people there, deals from the first call to the order, and what was done for them.
import { addDays } from '../../values/date.ts';
import { prospects } from '../data/clients.ts';
import { firstNames, lastNames } from '../data/people.ts';
import { addMonths, later, workdayFrom } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import type { Account } from './clients.ts';
import { currencyFor, priceIn } from './house.ts';
import type { Staff } from './people.ts';
import type { Job } from './projects.ts';

interface Prospect {
  readonly record: Planned;
  readonly name: string;
  readonly contacts: readonly Planned[];
  readonly at: number;
  readonly currency: string;
}

type Outcome = 'won' | 'lost' | 'open';
const stagesTo: Readonly<Record<Outcome, readonly string[]>> = {
  won: ['Proposal', 'Negotiation', 'Won'],
  lost: ['Proposal', 'Lost'],
  open: ['Proposal', 'Negotiation'],
};

/** Who sells, to whom, and what came of it. */
interface Sales {
  readonly staff: readonly Staff[];
  readonly accounts: readonly Account[];
  readonly jobs: readonly Job[];
}

/** Plans the sales work of one firm. */
export function planPipeline(plan: Plan, { staff, accounts, jobs }: Sales, copy: number): void {
  const sellers = staff.filter(({ position, end }) => end === undefined && position.level === 'Partner');
  for (const account of accounts) {
    const company = planCompany(plan, account);
    for (const job of jobs.filter((one) => one.account === account)) {
      const agreed = workdayFrom(addDays(job.start, -15));
      if (agreed <= plan.span.first) continue;
      planDeal(plan, company, {
        name: job.row.name,
        amount: job.fee,
        owner: plan.random.pick(sellers),
        opened: workdayFrom(addDays(agreed, -plan.random.between(30, 90))),
        outcome: job.isTentative || agreed > plan.span.last ? 'open' : 'won',
        isNew: false,
        job,
      });
    }
  }
  for (const [place, [name, industry, deal]] of prospects.entries()) {
    const company = planProspect(plan, {
      name: copy === 0 ? name : `${name} ${copy + 1}`,
      industry,
      number: copy * prospects.length + place,
    });
    const opened = workdayFrom(addMonths(plan.span.last, -plan.random.between(1, 11)));
    planDeal(plan, company, {
      name: deal,
      amount: priceIn(plan, company.currency, plan.random.between(4, 40) * 5000),
      owner: plan.random.pick(sellers),
      opened: later(opened, plan.span.first),
      outcome: place % 3 === 0 ? 'lost' : 'open',
      isNew: true,
    });
  }
}

function planCompany(plan: Plan, { record, row, name, at, owner, currency }: Account): Prospect {
  const { timeline, random } = plan;
  const contacts = row.contacts.map(([full, title], place) =>
    planContact(plan, { full, title, domain: row.domain, at: at + 1000, owner, isFirst: place === 0 }),
  );
  const tier = random.pick(['Silver', 'Gold', 'Platinum']);
  const company = timeline.make(at + 5000, (praxis) =>
    praxis.companies.create({
      name,
      description: `${row.industry} company, founded in ${row.founded}`,
      websiteUrl: `https://www.${row.domain}`,
      billingAddress: row.address,
      currency,
      revenue: row.employees * 165_000,
      numberOfEmployees: row.employees,
      yearFounded: row.founded,
      ownershipClass: row.industry === 'Public sector' ? 'government' : row.employees > 2500 ? 'public' : 'private',
      companyTypeId: plan.id('companyTypes', 'Customer'),
      companySpendTierId: plan.id('companySpendTiers', tier),
      industryId: plan.id('industries', row.industry),
      ownerId: owner.record.id,
      clientId: record.id,
      contactIds: contacts.map(({ id }) => id),
    }),
  );
  return { record: company, name, contacts, at: at + 6000, currency };
}

function planProspect(
  plan: Plan,
  { name, industry, number }: { name: string; industry: string; number: number },
): Prospect {
  const { timeline, random } = plan;
  const at = plan.opening + 25_000_000 + number;
  const full = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  const domain = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example`;
  const contact = planContact(plan, {
    full,
    title: random.pick(['Chief Executive', 'Head of IT', 'Procurement Lead']),
    domain,
    at,
    owner: undefined,
    isFirst: true,
  });
  const employees = random.between(8, 400) * 10;
  const currency = currencyFor(plan, 'EUR');
  const record = timeline.make(at + 1, (praxis) =>
    praxis.companies.create({
      name,
      websiteUrl: `https://www.${domain}`,
      currency,
      numberOfEmployees: employees,
      companyTypeId: plan.id('companyTypes', 'Prospect'),
      industryId: plan.id('industries', industry),
      contactIds: [contact.id],
    }),
  );
  return { record, name, contacts: [contact], at: at + 2, currency };
}

interface ContactOptions {
  readonly full: string;
  readonly title: string;
  readonly domain: string;
  readonly at: number;
  readonly owner: Staff | undefined;
  readonly isFirst: boolean;
}

function planContact(plan: Plan, { full, title, domain, at, owner, isFirst }: ContactOptions): Planned {
  const words = full.replace(/^(?:Prof\. |Dr\. )+/, '').split(' ');
  const lastName = words.slice(1).join(' ');
  const mailbox = words
    .join('.')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z.]/g, '');
  const phone = `+49 30 555 ${plan.random.between(1000, 9999)}`;
  return plan.timeline.make(
    at,
    (praxis) =>
      praxis.contacts.create({
        firstName: words[0] ?? '',
        lastName,
        name: full,
        title,
        email: `${mailbox}@${domain}`,
        officePhone: phone,
        tagIds: [plan.id('contactTags', isFirst ? 'Decision maker' : 'Technical contact')],
        ownerId: owner?.record.id ?? null,
      }),
    owner?.record,
  );
}

interface Deal {
  readonly name: string;
  readonly amount: number;
  readonly owner: Staff;
  readonly opened: string;
  readonly outcome: Outcome;
  readonly isNew: boolean;
  readonly job?: Job;
}

const steps = [
  'Send the offer',
  'Meet the board',
  'Clarify the scope with IT',
  'Wait for the budget decision',
  'Agree on the frame contract',
];

function planDeal(plan: Plan, company: Prospect, deal: Deal): void {
  const { random, timeline, span } = plan;
  const { owner, outcome, job } = deal;
  const opened = later(deal.opened, span.first);
  if (opened > span.last) return;
  const at = Math.max(company.at + 1000, plan.during(opened));
  const source = random.pick(['Referral', 'Website', 'Event', 'Outbound']);
  const priorityId = random.pick(['high', 'medium', 'low'] as const);
  const tags = random.some(['competitive', 'partner deal'], random.between(0, 1));
  const nextSteps = random.pick(steps);
  const record = timeline.make(
    at,
    (praxis) =>
      praxis.opportunities.create({
        name: deal.name,
        description: `${deal.name} for ${company.name}`,
        nextSteps,
        companyId: company.record.id,
        opportunityStageId: plan.id('opportunityStages', 'Qualification'),
        opportunityTypeId: plan.id('opportunityTypes', deal.isNew ? 'New Business' : 'Existing Business'),
        opportunityLeadSourceId: plan.id('opportunityLeadSources', source),
        amount: deal.amount,
        currency: company.currency,
        priorityId,
        openDate: opened,
        closeDate: addDays(opened, 90),
        ownerId: owner.record.id,
        contactIds: company.contacts.map(({ id }) => id),
        tagIds: tags.map((tag) => plan.id('opportunityTags', tag)),
      }),
    owner.record,
  );
  planTalks(plan, company, { record, opened, owner, at });
  let date = opened;
  for (const stage of stagesTo[outcome].slice(0, outcome === 'open' ? random.between(0, 2) : 3)) {
    date = workdayFrom(addDays(date, random.between(6, 20)));
    if (date > span.last) return;
    const when = Math.max(at + 100_000, plan.during(date));
    timeline.add(
      when,
      (praxis) => praxis.opportunities.update(record.id, { opportunityStageId: plan.id('opportunityStages', stage) }),
      owner.record,
    );
    if (stage === 'Won' && job !== undefined)
      timeline.add(
        Math.max(when, job.at) + 100_000,
        (praxis) => praxis.opportunities.update(record.id, { projects: [{ id: job.record.id, amount: deal.amount }] }),
        owner.record,
      );
  }
}

const talks = [
  ['Call', 'First call', 'Spoke about aims and time frame.', 30],
  ['Meeting', 'Meeting on scope', 'Went through the process on site; three open questions.', 90],
  ['Email', 'Offer sent', 'Offer with two variants.', 15],
  ['Call', 'Follow-up', 'They compare with two others.', 20],
  ['Note', 'Internal note', 'Decision is expected after the holidays.', 5],
] as const;

function planTalks(
  plan: Plan,
  { contacts, record: company }: Prospect,
  deal: { record: Planned; opened: string; owner: Staff; at: number },
): void {
  const { random, timeline, span } = plan;
  let { opened: date } = deal;
  for (const [type, subject, content, duration] of talks.slice(0, random.between(2, talks.length))) {
    date = workdayFrom(addDays(date, random.between(1, 9)));
    if (date > span.last) return;
    const day = date;
    const contact = random.pick(contacts);
    timeline.make(
      Math.max(deal.at + 1000, plan.during(day)),
      (praxis) =>
        praxis.pipelineActivities.create({
          subject,
          content,
          date: day,
          duration,
          direction: type === 'Note' ? null : type === 'Email' ? 'outbound' : 'inbound',
          pipelineActivityTypeId: plan.id('pipelineActivityTypes', type),
          memberIds: [deal.owner.record.id],
          contactIds: [contact.id],
          companyIds: [company.id],
          opportunityIds: [deal.record.id],
        }),
      deal.owner.record,
    );
  }
}
