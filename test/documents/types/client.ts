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
  const { groups } = await praxis.access();
  const extent: 'all' | 'some' | 'no' | undefined = groups['time-entry'].update;
  for await (const { results: entries, cursor } of praxis.changes.follow({ group: ['client', 'invoice'], wait: 5 }))
    for (const { group } of entries) if (group === 'client') return [cursor, extent];
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
  // @ts-expect-error a group is called by its name here
  await praxis.can('clients', client.id);
  // @ts-expect-error what is done with a record is one of these
  praxis.changes.pages({ operation: ['read'] });
  // @ts-expect-error no option of a client
  createClient({ baseUrl: 'http://127.0.0.1:3000/api', apiKey: 'x' });
  // @ts-expect-error an address is needed
  createClient({});
}

/** Records in place of references, and fields alone: the type follows from literal names. */
export async function shown(id: string, names: string[]): Promise<unknown> {
  const invoice = await praxis.invoices.get(id, { expand: ['client', 'lines.project'] });
  const currency: string = invoice.client.currency;
  const { results, count } = await praxis.invoices.list({
    limit: 5,
    count: true,
    expand: ['client'],
    fields: ['client', 'number'],
  });
  const key: string | undefined = results[0]?.client.key;
  const total: number | undefined = count;
  const few = await praxis.clients.get(id, { fields: ['name', 'tags'] });
  const tag: string | undefined = few.tags[0]?.name;
  // @ts-expect-error a field that was not asked for
  few.code;
  // @ts-expect-error a reference shows no fields of its record
  (await praxis.invoices.get(id)).client.key;
  const { client } = await praxis.invoices.get(id, { expand: names });
  for await (const { owner } of praxis.clients.all({ expand: ['owner'] })) owner?.email.trim();
  // @ts-expect-error what is shown is said in a list of names
  await praxis.clients.get(id, { expand: 'owner' });
  // @ts-expect-error no reference of an invoice
  await praxis.invoices.get(id, { expand: ['clint'] });
  // @ts-expect-error a field that is no reference
  await praxis.invoices.list({ expand: ['number'] });
  // @ts-expect-error one of two
  praxis.invoices.all({ expand: ['client', 'lines.projekt'] });
  // @ts-expect-error no reference of a client
  await praxis.invoices.get(id, { expand: ['lines.project.client.ownr'] });
  // @ts-expect-error no field of an invoice
  await praxis.invoices.list({ fields: ['numbr'] });
  // @ts-expect-error no field of its lines
  await praxis.invoices.get(id, { fields: ['number', 'lines.amont'] });
  // @ts-expect-error no field of a client
  await praxis.invoices.get(id, { expand: ['client'], fields: ['client.kee'] });
  // @ts-expect-error a text has no fields
  await praxis.invoices.get(id, { fields: ['number.length'] });
  // @ts-expect-error the group refers to no other
  await praxis.locations.get(id, { expand: ['client'] });
  await praxis.invoices.list({
    expand: ['client.owner', 'lines.project.client'],
    fields: ['client.owner.name', 'lines.amount', 'lines.project.client.key', 'lines'],
  });
  await praxis.locations.all({ fields: ['name'] }).next();
  return [currency, key, total, tag, client.name, few.id];
}

/** Records by a unique key, and short answers. */
export async function put(id: string): Promise<unknown> {
  const client = await praxis.clients.put({ key: 'acme' }, { name: 'Acme' });
  const { id: same } = await praxis.clients.put(
    { key: 'other' },
    { currency: 'EUR' },
    { minimal: true, onlyNew: true },
  );
  const few = await praxis.clients.update(id, { name: 'x' }, { minimal: true });
  // @ts-expect-error the answer is the id alone
  few.name;
  // @ts-expect-error no unique key
  await praxis.clients.put({ currency: 'EUR' }, {});
  // @ts-expect-error a field that there is not
  await praxis.clients.put({ key: 'acme' }, { colour: 'red' });
  return [client.name, same];
}

/** Summaries: groups and sums by literal names. */
export async function summarised(projectId: string): Promise<unknown> {
  const { results, rows } = await praxis.timeEntries.summary({
    projectId,
    by: ['project', 'date.month'],
    sum: ['minutes'],
  });
  const minutes: number | undefined = results[0]?.sum.minutes;
  const name: string | undefined = results[0]?.by.project?.name;
  const last = await praxis.timeEntries.summary({ max: ['date'] });
  const date: string | null | undefined = last.results[0]?.max.date;
  // @ts-expect-error nothing that was added up
  results[0]?.sum.hours;
  // @ts-expect-error no filter of this list
  await praxis.timeEntries.summary({ colour: 'red' });
  return [minutes, name, date, rows];
}
