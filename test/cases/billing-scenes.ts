// Scenes that the cases of billing share.
import type { Made, World } from './case.ts';

/** A client and a project of it that is billed by time spent. */
export async function engagement({ make }: World, more: object = {}): Promise<{ clientId: string; projectId: string }> {
  const { id: clientId } = await make('client', { currency: 'USD' });
  const { id: projectId } = await make('project', { clientId, billingTypeId: 'tm', useRoles: false, ...more });
  return { clientId, projectId };
}

/** A line over an amount, without tax. */
export const line = (amount: number, more: object = {}): object => ({ amount, taxable: false, ...more });

/** A draft over 100 dollars without tax; `more` changes what it says. */
export const draftFor = ({ make }: World, clientId: string, more: object = {}): Promise<Made> =>
  make('invoice', { clientId, currency: 'USD', taxRateId: null, lines: [line(100)], ...more });

/** The same, issued. */
export const issuedFor = (world: World, clientId: string, more: object = {}): Promise<Made> =>
  draftFor(world, clientId, { statusId: 'issued', ...more });

/** The client under which the firm keeps its own projects. */
export async function internalClient({ all }: World): Promise<string> {
  const [client] = await all('client', '&key=internal');
  return client?.id ?? '';
}

/** The number that comes so many steps after that of `last`. */
export const numberBehind = (prefix: string, { number }: Made, steps: number): string =>
  prefix + String(Number(/\d+$/.exec(String(number))?.[0]) + steps).padStart(4, '0');

/** What a line can bill, and the group of it. */
export const sourceGroups = {
  time_entry: 'time-entry',
  expense_item: 'expense-item',
  project_expense: 'project-expense',
  project_billing_schedule_item: 'project-billing-schedule-item',
  project_service_item: 'project-service-item',
  project_product_item: 'project-product-item',
  project_other_item: 'project-other-item',
  project_prepayment: 'project-prepayment',
} as const;
export type SourceType = keyof typeof sourceGroups;

/** A record of a project that may be billed. */
export function billable({ make }: World, type: SourceType, body: { projectId: string }): Promise<Made> {
  const asked = {
    time_entry: { statusId: 'approved', isBillable: true },
    expense_item: { statusId: 'approved', isBillable: true },
    project_expense: { isBillable: true },
  };
  const more = Object.entries(asked).find(([key]) => key === type)?.[1];
  return make(sourceGroups[type], { ...more, ...body });
}

/** A line over an amount that bills these records of a project. */
export const billing = (
  projectId: string,
  amount: number,
  ...sources: readonly (readonly [type: SourceType, record: Made])[]
): object => line(amount, { projectId, sources: sources.map(([typeId, { id }]) => ({ typeId, id })) });
