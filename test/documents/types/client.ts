// What does not compile with the generated types; `tsc` fails for an expected error that is none. Nothing here is run.
import { type Client, type ClientCreate, createClient, PraxisError } from '../../../codegen/generated/client.ts';

const praxis = createClient({ baseUrl: 'http://127.0.0.1:3000/api', token: async () => 'token' });
const memberId = '01890a5d-ac96-774b-bcce-b302099a8057';

export async function right(): Promise<unknown> {
  const body: ClientCreate = { name: 'Acme', currency: 'EUR', ownerId: null };
  const made: Client = await praxis.clients.create(body);
  const status: 'active' | 'archived' = made.recordStatusId;
  const owner: string | undefined = made.owner?.name;
  for await (const { key } of praxis.clients.all({ recordStatusId: status, limit: 100 })) key.toUpperCase();
  const { results, hasMore } = await praxis.costPeriods.list({ memberId }, { signal: AbortSignal.timeout(1000) });
  const rate: number | null | undefined = results[0]?.costPerHour;
  const { name } = await praxis.workspaceSettings.update({ name: 'My Company' });
  await praxis.clients.delete(made.id);
  return [owner, hasMore, rate, name, new Error('x') instanceof PraxisError];
}

export async function wrong(client: Client): Promise<void> {
  // @ts-expect-error a field that there is not
  await praxis.clients.create({ name: 'Acme', colour: 'red' });
  // @ts-expect-error a field that a create must bring
  await praxis.clients.create({ currency: 'EUR' });
  // @ts-expect-error a required field cannot be unset
  await praxis.clients.create({ name: null });
  // @ts-expect-error a value of another type
  await praxis.clients.create({ name: 5 });
  // @ts-expect-error no value of the enum
  await praxis.clients.update(client.id, { recordStatusId: 'deleted' });
  // @ts-expect-error a field that a create alone takes
  await praxis.costPeriods.update(client.id, { memberId });
  // @ts-expect-error a field that nobody can send
  await praxis.clients.update(client.id, { isInternal: true });
  // @ts-expect-error bodies name a reference by its id
  await praxis.clients.update(client.id, { owner: memberId });
  // @ts-expect-error no filter of this list
  await praxis.clients.list({ notes: 'x' });
  // @ts-expect-error no value of the filter's enum
  await praxis.clients.list({ recordStatusId: 'open' });
  // @ts-expect-error a walk has one direction
  praxis.clients.all({ endingBefore: client.id });
  // @ts-expect-error an item of a list with a field that there is not
  await praxis.invoices.create({ clientId: client.id, lines: [{ kindId: 'services', total: 5 }] });
  // @ts-expect-error an operation that the group does not offer
  await praxis.timesheetAttestations.update(client.id, {});
  // @ts-expect-error there is one record, which nobody deletes
  await praxis.workspaceSettings.delete(client.id);
  // @ts-expect-error a group that there is not
  praxis.clientz;
  // @ts-expect-error a field that records do not show
  client.ownerId;
  // @ts-expect-error null has no name
  client.owner.name;
  // @ts-expect-error no option of a client
  createClient({ baseUrl: 'http://127.0.0.1:3000/api', apiKey: 'x' });
  // @ts-expect-error an address is needed
  createClient({});
}
