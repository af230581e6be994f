// What holds every other HTTP test against the document must itself find what the document does not say.
import { expect, test } from 'vitest';
import { apiInfo, openApiDocument } from '../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { Contract, type Exchange } from '../support/service/contract.ts';

const registry = loadRegistry('resources', ruleSignatures);
const contract = new Contract(registry);
const document = JSON.parse(JSON.stringify(openApiDocument(registry, endpointsOf(registry), apiInfo)));
const client = document.components.examples.Client.value;
const headers = { 'x-request-id': '01890a5d-ac96-774b-bcce-b302099a8057', 'content-type': 'application/json' };

const tagged = { ...headers, etag: '"3-9vVYwn3ZyM2Yx0bD"' };

const get: Exchange = {
  method: 'GET',
  path: `/clients/${client.id}`,
  sent: undefined,
  status: 200,
  headers: tagged,
  body: client,
};
const list: Exchange = {
  ...get,
  headers,
  path: '/clients?limit=5&recordStatusId=active',
  body: { results: [client], hasMore: false },
};
const create: Exchange = { ...get, method: 'POST', path: '/clients', sent: '{"name":"Acme","tagIds":null}' };
const gone: Exchange = { ...get, headers, method: 'DELETE', status: 204, body: undefined };
const problem = { status: 404, message: 'No.' };
const missing: Exchange = { ...get, headers, status: 404, body: problem };

test.each([get, list, create, gone, missing])('finds nothing wrong with $method $path $status', (exchange) => {
  expect(contract.faultsOf(exchange)).toEqual([]);
});

const { name: _name, ...nameless } = client;
test.each<[string, Exchange]>([
  ['has no status 201', { ...create, status: 201 }],
  ['has no status 409', { ...get, status: 409, body: problem }],
  ['is no operation', { ...get, path: '/clients/x/y' }],
  ["answer  must have required property 'name'", { ...get, body: nameless }],
  ['answer  must NOT have additional properties', { ...get, body: { ...client, more: 1 } }],
  ["answer /results/0 must have required property 'name'", { ...list, body: { results: [nameless], hasMore: false } }],
  [
    'answer /recordStatusId must be equal to one of the allowed values',
    { ...get, body: { ...client, recordStatusId: 'x' } },
  ],
  ['answer  must be object', { ...missing, body: undefined }],
  ['answer has a body', { ...gone, body: {} }],
  ['header X-Request-Id  must be string', { ...get, headers: {} }],
  ['header x-more is not declared', { ...get, headers: { ...headers, 'x-more': '1' } }],
  ['header WWW-Authenticate  must be string', { ...get, status: 401, body: problem }],
  ['parameter order is not declared', { ...list, path: '/clients?order=name' }],
  ['parameter limit  must be <= 100', { ...list, path: '/clients?limit=101' }],
  [
    'parameter recordStatusId  must be equal to one of the allowed values',
    { ...list, path: '/clients?recordStatusId=x' },
  ],
  ['parameter ownerId  must match format "uuid"', { ...list, path: '/clients?ownerId=x' }],
  ['body is required', { ...create, sent: undefined }],
  ["body  must have required property 'name'", { ...create, sent: '{}' }],
  ['body  must NOT have additional properties', { ...create, sent: '{"name":"Acme","more":1}' }],
  ['body /name must be string', { ...create, sent: '{"name":7}' }],
])('finds: %s', (fault, exchange) => {
  expect(contract.faultsOf(exchange)).toContain(fault);
});

test('leaves what is refused to the service', () => {
  const refused: Exchange = { ...create, headers, sent: '{', status: 400, body: { status: 400, message: 'No.' } };
  expect(contract.faultsOf(refused)).toEqual([]);
});
