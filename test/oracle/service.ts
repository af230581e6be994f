// The real app over the descriptors of a domain, on a database of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startPraxis } from '../../src/app/serve.ts';
import { DescriptorFaults } from '../../src/registry/model/faults.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import type { TestDatabase } from '../support/databases/databases.ts';
import type { Domain } from './shape.ts';

const accessToken = 'token-of-the-oracle-0123456789';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Service {
  /** The folder with the descriptors. */
  readonly folder: string;
  readonly databaseUrl: string;
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  stop(): Promise<void>;
}

/** Writes the descriptors of a domain into a new folder. */
export function writeDomain(domain: Domain): string {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-oracle-'));
  const resources = join(folder, 'resources');
  mkdirSync(resources);
  for (const [name, descriptor] of Object.entries(domain))
    writeFileSync(join(resources, `${name}.json`), JSON.stringify(descriptor, null, 2));
  return folder;
}

/** What the loader says is wrong with the descriptors of a folder. */
export function faultsIn(folder: string): readonly string[] {
  try {
    loadRegistry(join(folder, 'resources'), ruleSignatures);
    return [];
  } catch (error) {
    if (error instanceof DescriptorFaults)
      return error.faults.map(({ file, pointer, text }) => `${file} ${pointer}: ${text}`);
    throw error;
  }
}

/** @param folder Of `writeDomain`; it goes when the service stops. */
export async function startDomain(folder: string, database: TestDatabase): Promise<Service> {
  const { url: databaseUrl, drop } = await database.open('praxis_oracle');
  const running = await startPraxis(
    {
      ...{ port: 0, host: '127.0.0.1', databaseUrl, accessToken, resources: join(folder, 'resources') },
      ...{ migrations: 'no-migrations', applyAdditions: false, corsOrigins: [], logLevel: 'silent' },
      setup: {
        ...{ workspaceName: 'My Company', workspaceCurrency: 'USD' },
        ...{ adminName: 'Ada Admin', adminEmail: 'ada@example.com' },
      },
    },
    pino({ level: 'silent' }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    folder,
    databaseUrl,
    ask: (method, path, body) => send({ agent, url: running.address + path, method, body }),
    stop: async () => {
      agent.destroy();
      await running.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Sent {
  readonly agent: Agent;
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
}

function send({ agent, url, method, body }: Sent): Promise<Reply> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    ...(payload !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) }),
      );
    });
    asked.on('error', reject);
    asked.end(payload);
  });
}
