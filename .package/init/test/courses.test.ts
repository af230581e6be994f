// The whole service, over HTTP, on a database in memory; or on an empty one that TEST_DATABASE_URL names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createPraxis, openDatabase, readConfig, registryOf } from 'praxis';
import project from '../praxis.config.ts';

const token = 'token-of-the-tests-of-courses';
let close = async (): Promise<void> => {};
let address = '';

before(async () => {
  const url = process.env['TEST_DATABASE_URL'] ?? 'sqlite::memory:';
  const config = readConfig({ DATABASE_URL: url, ACCESS_TOKEN: token }, project);
  const database = await openDatabase(config.databaseUrl);
  const praxis = await createPraxis({ ...config, registry: registryOf(config), database });
  const server = praxis.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  address = typeof bound === 'object' ? `http://127.0.0.1:${bound?.port}/api` : '';
  close = async () => {
    server.close();
    await praxis.close();
  };
});
after(() => close());

interface Answer {
  readonly id: string;
  readonly taken?: number;
  readonly isFull?: boolean;
  readonly errors?: readonly string[];
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await answer.json()) as Answer;
}

test('a course knows how many are enrolled, and takes no more than it has places', async () => {
  const { id } = await call('POST', '/courses', { name: `Pottery ${Date.now()}`, places: 1 });
  await call('POST', '/enrolments', { person: 'Ada', courseId: id });
  const { taken, isFull } = await call('GET', `/courses/${id}`);
  assert.deepEqual({ taken, isFull }, { taken: 1, isFull: true });
  const { errors } = await call('POST', '/enrolments', { person: 'Grace', courseId: id });
  assert.deepEqual(errors, ["'courseId' must be a course with a place left; it has 1"]);
});
