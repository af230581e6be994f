// Starts the service for tests: on a database in memory, or on the empty one that TEST_DATABASE_URL names.
import { once } from 'node:events';
import { createPraxis, openDatabase, readConfig, registryOf } from 'praxis';
import project from '../praxis.config.ts';

const token = 'token-of-the-tests-of-the-project';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Service {
  /** Sends a request to the API: `call('POST', '/contacts', { name: 'Ada' })`. */
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** Creates a record, and fails if the service refuses it. @returns its id */
  create(path: string, body: object): Promise<string>;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const url = process.env['TEST_DATABASE_URL'] ?? 'sqlite::memory:';
  const config = readConfig({ DATABASE_URL: url, ACCESS_TOKEN: token }, project);
  const database = await openDatabase(config.databaseUrl);
  const praxis = await createPraxis({ ...config, registry: registryOf(config), database });
  const server = praxis.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : undefined;

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }

  return {
    call,
    async create(path, body) {
      const answer = await call('POST', path, body);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return String(answer.body['id']);
    },
    async close() {
      server.close();
      await praxis.close();
    },
  };
}
