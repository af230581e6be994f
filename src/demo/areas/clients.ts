// The clients, and their contracts.
import { branches, type ClientRow, clients } from '../data/clients.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import { currencyFor, priceIn, taxedCountry } from './house.ts';
import type { Staff } from './people.ts';

export interface Account {
  readonly record: Planned;
  readonly row: ClientRow;
  readonly name: string;
  readonly currency: string;
  readonly isTaxed: boolean;
  readonly owner: Staff;
  readonly businessUnit: 'Europe' | 'North America';
  /** When it was made: nothing of it can be before. */
  readonly at: number;
}

/** Plans the clients of one firm. @param copy 0 for the clients of the list; others are branches of them. */
export function planClients(plan: Plan, staff: readonly Staff[], copy: number): readonly Account[] {
  return clients.map((row) => planClient(plan, row, { staff, copy }));
}

const isOverseas = (country: string): boolean => country === 'US' || country === 'CA';

interface Firm {
  readonly staff: readonly Staff[];
  readonly copy: number;
}

function planClient(plan: Plan, row: ClientRow, { staff, copy }: Firm): Account {
  const { random, timeline } = plan;
  const branch = copy === 0 ? '' : ` ${branches[(copy - 1) % branches.length]}`;
  const round = Math.floor((copy - 1) / branches.length);
  const name = `${row.name}${branch}${copy > 0 && round > 0 ? ` ${round + 1}` : ''}`;
  const owner = random.pick(staff.slice(0, 3));
  const seller = random.pick(staff.slice(0, 6));
  const currency = currencyFor(plan, row.currency);
  const businessUnit = isOverseas(row.country) ? 'North America' : 'Europe';
  const source = random.pick(['workspace', 'workspace', 'business_unit', 'custom'] as const);
  const tags = random.some(['Key account', 'Reference', 'Public tender'], random.between(0, 2));
  // At once with the members of the opening, but after them.
  const at = plan.opening + 5_000_000 + copy;
  const record = timeline.make(at, (praxis) =>
    praxis.clients.create({
      name,
      code: copy === 0 ? row.code : `${row.code}-${copy}`,
      currency,
      notes: `${row.industry}, ${row.employees} people. ${row.contacts[0]?.[0]} is our first contact.`,
      emails: [`accounts@${row.domain}`],
      streetAddress: row.address,
      invoiceDetailsSource: source,
      ...(source === 'custom'
        ? {
            invoiceSubject: `Services for ${name}`,
            invoiceNotes: 'Invoices by e-mail only. Please give our order number.',
            invoiceEmailSubject: `Invoice for ${name}`,
            invoicePaymentTermId: plan.id('paymentTerms', 'Net 45'),
          }
        : {}),
      ownerId: owner.record.id,
      salesRepresentativeId: seller.record.id,
      practiceId: plan.id('practices', 'Digital Products'),
      industryId: plan.id('industries', row.industry),
      locationId: plan.id('locations', isOverseas(row.country) ? 'Toronto' : 'Berlin'),
      businessUnitId: plan.id('businessUnits', businessUnit),
      tagIds: tags.map((tag) => plan.id('clientTags', tag)),
    }),
  );
  const account = {
    record,
    row,
    name,
    currency,
    isTaxed: row.country === taxedCountry,
    owner,
    businessUnit,
    at,
  } as const;
  planRoles(plan, account);
  return account;
}

function planRoles(plan: Plan, { record, currency, at }: Account): void {
  const { random, timeline } = plan;
  if (random.chance(0.5))
    timeline.make(at + 1000, (praxis) =>
      praxis.clientRoles.create({
        clientId: record.id,
        workspaceRoleId: plan.id('workspaceRoles', 'Senior Consultant'),
      }),
    );
  const rate = priceIn(plan, currency, random.pick([135, 150, 165]));
  timeline.make(at + 1000, (praxis) =>
    praxis.clientRoles.create({
      clientId: record.id,
      name: 'Consultant (frame contract)',
      rate,
      disciplineId: plan.id('disciplines', 'Strategy'),
    }),
  );
}
