import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createPraxis, openDatabase, readConfig, registryOf } from 'praxis';
import { ruleName } from '../rules/rule-name.ts';

/** A group of this test alone, which uses the rule. */
const sample = {
  title: 'Sample',
  description: 'A record that the rule looks at.',
  type: 'object',
  properties: { name: { type: 'string', maxLength: 100, description: 'Name' }, createdAt: true },
  required: ['name'],
  resource: {
    path: '/samples',
    shownAs: '{name}',
    operations: ['list', 'create'],
    rules: [{ use: 'ruleName', field: 'name' }],
  },
};

const token = 'token-of-the-tests-of-rules';
let close = async (): Promise<void> => {};
let address = '';

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rule-name-'));
  writeFileSync(join(folder, 'sample.json'), JSON.stringify(sample));
  const config = readConfig({ RESOURCES: folder, ACCESS_TOKEN: token }, { rules: { ruleName } });
  const database = await openDatabase('sqlite::memory:');
  const praxis = await createPraxis({ ...config, registry: registryOf(config), database });
  const server = praxis.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  address = typeof bound === 'object' ? `http://127.0.0.1:${bound?.port}/api` : '';
  close = async () => {
    server.close();
    await praxis.close();
    rmSync(folder, { recursive: true });
  };
});
after(() => close());

async function create(name: string): Promise<{ status: number; body: { errors?: string[] } }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${address}/samples`, { method: 'POST', headers, body: JSON.stringify({ name }) });
  return { status: answer.status, body: (await answer.json()) as { errors?: string[] } };
}

test('ruleName takes what is right', async () => {
  assert.equal((await create('Ada')).status, 200);
});

test('ruleName refuses what is not', async () => {
  const { status, body } = await create(' Ada');
  assert.equal(status, 400);
  assert.deepEqual(body.errors, ["'name' must neither begin nor end with a space"]);
});
