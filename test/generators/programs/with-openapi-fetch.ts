// A program on the types of openapi-typescript. What must not compile says so, and is refused by the service as well.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const { ADDRESS, TOKEN } = process.env;
// Errors are plain JSON, because nothing asks for problem documents.
const api = createClient<paths, 'application/json'>({
  baseUrl: ADDRESS,
  headers: { Authorization: `Bearer ${TOKEN}` },
});

const body: components['schemas']['ClientCreate'] = { name: 'Fetch Works', currency: 'EUR' };
const { data: client } = await api.POST('/clients', { body });
assert(client);
const status: 'active' | 'archived' = client.recordStatusId;
const owner: components['schemas']['MemberReference'] | null = client.owner;
assert.deepEqual([client.name, status, owner], ['Fetch Works', 'active', null]);

const query = { nameContains: 'fetch', recordStatusId: 'active', limit: 5 } as const;
const { data: page } = await api.GET('/clients', { params: { query } });
assert.deepEqual(page, { results: [client], hasMore: false });

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const missing = await api.GET('/clients/{id}', { params: { path: { id } } });
const problem: components['schemas']['Error'] | undefined = missing.error;
assert.deepEqual(problem, { status: 404, message: `Object with id '${id}' not found.` });

const { data: changed } = await api.PATCH('/clients/{id}', {
  params: { path: { id: client.id } },
  body: { notes: 'Seen', recordStatusId: 'archived' },
});
assert.deepEqual([changed?.notes, changed?.recordStatusId, changed?.name], ['Seen', 'archived', 'Fetch Works']);

// Only what has the type of the body is held to it: openapi-fetch lets more pass.
// @ts-expect-error A field that there is not.
const wrongBody: components['schemas']['ClientCreate'] = { name: 'Wrong', nmae: 'Wrong' };
const wrongField = await api.POST('/clients', { body: wrongBody });
assert.deepEqual(wrongField.error?.errors, ["'nmae' is not allowed; did you mean 'name'?"]);
// @ts-expect-error What is required.
const missingField = await api.POST('/clients', { body: { notes: 'Wrong' } });
assert.deepEqual(missingField.error?.errors, ["'name' is required"]);
// @ts-expect-error A value that the enum does not have.
const wrongValue = await api.GET('/clients', { params: { query: { recordStatusId: 'asleep' } } });
assert.equal(wrongValue.error?.message, "Parameter 'recordStatusId' must be one of active, archived.");
// @ts-expect-error A filter that there is not.
const wrongFilter = await api.GET('/clients', { params: { query: { order: 'name' } } });
assert.equal(wrongFilter.error?.message, "Parameter 'order' is not allowed; did you mean 'sort'?");

const gone = await api.DELETE('/clients/{id}', { params: { path: { id: client.id } } });
assert.equal(gone.response.status, 204);
