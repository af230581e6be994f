// A program on the client of @hey-api/openapi-ts. What must not compile says so, and is refused by the service as well.
import assert from 'node:assert/strict';
import { client as api } from './client/client.gen.ts';
import {
  type ClientCreate,
  createClient,
  deleteClient,
  type Error as Fault,
  getClient,
  listClients,
  type MemberReference,
  updateClient,
} from './client/index.ts';

const { ADDRESS = '', TOKEN = '' } = process.env;
api.setConfig({ baseUrl: ADDRESS, auth: TOKEN });

const body: ClientCreate = { name: 'Hey Works', currency: 'EUR' };
const { data: client } = await createClient({ body });
assert(client);
const status: 'active' | 'archived' = client.recordStatusId;
const owner: MemberReference | null = client.owner;
assert.deepEqual([client.name, status, owner], ['Hey Works', 'active', null]);

const { data: page } = await listClients({ query: { nameContains: 'hey', recordStatusId: 'active', limit: 5 } });
assert.deepEqual(page, { results: [client], hasMore: false });

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const missing = await getClient({ path: { id } });
const problem: Fault | undefined = missing.error;
assert.deepEqual(problem, { status: 404, message: `Object with id '${id}' not found.` });

const { data: changed } = await updateClient({
  path: { id: client.id },
  body: { notes: 'Seen', recordStatusId: 'archived' },
});
assert.deepEqual([changed?.notes, changed?.recordStatusId, changed?.name], ['Seen', 'archived', 'Hey Works']);

// @ts-expect-error A field that there is not.
const wrongField = await createClient({ body: { name: 'Wrong', nmae: 'Wrong' } });
assert.deepEqual(wrongField.error?.errors, ["'nmae' is not allowed; did you mean 'name'?"]);
// @ts-expect-error What is required.
const missingField = await createClient({ body: { notes: 'Wrong' } });
assert.deepEqual(missingField.error?.errors, ["'name' is required"]);
// @ts-expect-error A value that the enum does not have.
const wrongValue = await listClients({ query: { recordStatusId: 'asleep' } });
assert.equal(wrongValue.error?.message, "Parameter 'recordStatusId' must be one of active, archived.");
// @ts-expect-error A filter that there is not.
const wrongFilter = await listClients({ query: { order: 'name' } });
assert.equal(wrongFilter.error?.message, "Parameter 'order' is not allowed; did you mean 'sort'?");

const gone = await deleteClient({ path: { id: client.id } });
assert.equal(gone.response?.status, 204);
