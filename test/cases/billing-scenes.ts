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
  const found = (await all('client')).find(({ isInternal }) => isInternal === true);
  return found?.id ?? '';
}

/** The number that comes so many steps after that of `last`. */
export const numberBehind = (prefix: string, { number }: Made, steps: number): string =>
  prefix + String(Number(/\d+$/.exec(String(number))?.[0]) + steps).padStart(4, '0');
