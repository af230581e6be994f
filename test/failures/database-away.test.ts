// The database goes away at the worst moment: nothing else comes to harm, and nobody is told that a write that may be
// done was not. Faults are those of a server that refuses connections, put between the engine and an embedded database.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { readConfig } from '../../src/config.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Operation } from '../../src/registry/model/model.ts';
import { parseBody } from '../../src/request/body.ts';
import type { Outcome } from '../../src/request/intent.ts';
import { parseAddress } from '../../src/request/parse.ts';
import { isObject, type Json } from '../support/service/praxis.ts';

let workspace: Workspace;
/** Whether a statement reaches the database. */
let reaches: (sql: string) => boolean;

beforeEach(() => {
  reaches = () => true;
});

beforeAll(async () => {
  workspace = await openWorkspace(readConfig({ DATABASE_URL: 'sqlite::memory:' }));
  const { all } = workspace.database;
  workspace.database.all = async (sql, values) => {
    if (!reaches(sql)) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    return all(sql, values);
  };
});

afterAll(() => workspace.close());

function execute(operation: Operation, group: string, id: string, json: Json = {}): Promise<Outcome> {
  const endpoint = endpointsOf(workspace.registry).find(
    (each) => each.resource.name === group && each.operation === operation,
  );
  if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
  const mode = operation === 'create' || operation === 'update' ? operation : undefined;
  return workspace.engine.execute({
    endpoint,
    caller: { tokenId: 'T', memberId: null },
    ...parseAddress(endpoint, id, ''),
    body: mode && parseBody(endpoint.resource, mode, json),
  });
}

async function made(group: string, json: Json): Promise<string> {
  const { body } = await execute('create', group, '', json);
  const record: unknown = JSON.parse(String(body));
  return isObject(record) ? String(record['id']) : '';
}

const away = { status: 503, message: 'The database is not available.' };
const unknown = {
  status: 503,
  message: 'The database went away while saving; the outcome of the request is unknown.',
};

// A promise that nobody waits for would end the process; vitest fails on it.
test('a record and its lists are answered once', async () => {
  const id = await made('client', { name: 'Away', tagIds: [] });
  reaches = () => false;
  await expect(execute('get', 'client', id)).rejects.toMatchObject(away);
  await expect(execute('list', 'client', '')).rejects.toMatchObject(away);
});

test('a create that is done and cannot be read is not told to be undone', async () => {
  const client = await made('client', { name: 'Owner of a group' });
  reaches = (sql) => !/from .project_group/.test(sql);
  await expect(execute('create', 'project-group', '', { name: 'Kept', clientId: client })).rejects.toMatchObject(
    unknown,
  );
  reaches = () => true;
  const { body } = await execute('list', 'project-group', '');
  expect(String(body)).toContain('"name":"Kept"');
});

test('an update that is done and cannot be read is not told to be undone', async () => {
  const id = await made('job-title', { name: 'Old' });
  reaches = (sql) => !/from .job_title/.test(sql);
  await expect(execute('update', 'job-title', id, { name: 'New' })).rejects.toMatchObject(unknown);
  reaches = () => true;
  expect(String((await execute('get', 'job-title', id)).body)).toContain('"name":"New"');
});

test('a change of the settings is answered, though they cannot be read again at once', async () => {
  reaches = (sql) => !/from .workspace_settings/.test(sql);
  const { status } = await execute('update', 'workspace-settings', '', { features: [] });
  expect(status).toBe(200);
});
