// What one request may cost: deletes that take many records along, and changes that many kept figures look at, with others
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openWorkspace } from '../../src/app/workspace.ts';
import { copyRecord } from '../support/databases/many.ts';
import { createDatabase, mariadbUrl } from '../support/databases/mariadb.ts';
import { type Cell, printTable } from './report.ts';
import { ask, praxis, type Running, start, stopAll, token } from './services.ts';

const resources = 'test/domains/large';

const heads = ['write', 'records', 'answer', 'seconds', 'CPU s', 'RSS MiB', 'probes p99, max ms'];

interface LargeOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly counts: readonly number[];
  readonly only: string;
}

/** A record of which many others hang, made anew for each measurement. */
interface Ground {
  readonly says: string;
  readonly make: (service: Running, copy: Copy) => Promise<Request>;
}

type Copy = (group: string, id: string, amounts?: boolean) => Promise<void>;
interface Request {
  readonly method: 'DELETE' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

const made = async (service: Running, path: string, body: object): Promise<string> => {
  const answer = await ask(service.address, path, { method: 'POST', body: JSON.stringify(body) });
  return String((answer.body as { id: unknown }).id);
};

const grounds: readonly Ground[] = [
  {
    says: 'delete of a box of leaves',
    make: async (service, copy) => {
      const boxId = await made(service, '/boxes', { name: 'B' });
      await copy('leaf', await made(service, '/leaves', { name: 'L', boxId }));
      return { method: 'DELETE', path: `/boxes/${boxId}` };
    },
  },
  {
    says: 'delete of a folder whose papers are summed up, by it and by a drawer',
    make: async (service, copy) => {
      const folderId = await made(service, '/folders', { name: 'F' });
      const drawerId = await made(service, '/drawers', { name: 'D' });
      await copy('paper', await made(service, '/papers', { name: 'P', amount: 1, folderId, drawerId }));
      return { method: 'DELETE', path: `/folders/${folderId}` };
    },
  },
  {
    says: 'delete of a box with pins, which stay',
    make: async (service, copy) => {
      const boxId = await made(service, '/boxes', { name: 'B' });
      await copy('pin', await made(service, '/pins', { name: 'P', boxId }));
      return { method: 'DELETE', path: `/boxes/${boxId}` };
    },
  },
  {
    says: 'change of a rate at which papers are kept',
    make: async (service, copy) => {
      const folderId = await made(service, '/folders', { name: 'F' });
      const rateId = await made(service, '/rates', { name: 'R', factor: 2 });
      await copy('paper', await made(service, '/papers', { name: 'P', amount: 1, folderId, rateId }), true);
      return { method: 'PATCH', path: `/rates/${rateId}`, body: { factor: 3 } };
    },
  },
];

/** Rows of a table, one for each kind of write and number of records. */
async function measureAll({ databaseUrl, folder, counts, only }: LargeOptions): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const count of counts)
    for (const ground of grounds.filter(({ says }) => says.includes(only))) {
      const name = `large ${count} ${ground.says.replaceAll(/\W+/g, ' ')}`;
      const service = await start({ name, command: praxis, databaseUrl, folder, env: { RESOURCES: resources } });
      try {
        rows.push([ground.says, count, ...(await measure(service, ground, { databaseUrl, count }))]);
      } finally {
        await service.stop();
      }
    }
  return rows;
}

async function measure(
  service: Running,
  ground: Ground,
  { databaseUrl, count }: { readonly databaseUrl: string; readonly count: number },
): Promise<Cell[]> {
  const { method, path, body } = await ground.make(service, (group, id, amounts = false) =>
    copyInto(databaseUrl, { group, id, count: count - 1 }, amounts),
  );
  const probe = new Worker(new URL('./probe.ts', import.meta.url), {
    workerData: { address: service.address, paths: ['/healthz', '/readyz'] },
  });
  const cpuBefore = service.cpuMs() ?? Number.NaN;
  const startedAt = performance.now();
  const answer = await fetch(`${service.address}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).then(
    async (response) =>
      response.ok ? String(response.status) : `${response.status} ${(await response.text()).slice(0, 90)}`,
    (error: unknown) => String(error),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = ((service.cpuMs() ?? Number.NaN) - cpuBefore) / 1000;
  probe.postMessage('over');
  const [waits] = (await once(probe, 'message')) as [number[]];
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
  return [
    answer,
    seconds.toFixed(2),
    cpu.toFixed(2),
    Math.round(service.residentMib() ?? Number.NaN),
    `${at(0.99)}, ${at(1)}`,
  ];
}

async function copyInto(
  databaseUrl: string,
  what: { readonly group: string; readonly id: string; readonly count: number },
  hasAmounts: boolean,
): Promise<void> {
  const workspace = await openWorkspace({
    port: 0,
    host: '127.0.0.1',
    databaseUrl,
    accessToken: undefined,
    resources,
    migrations: join(resources, 'none'),
    applyAdditions: false,
    corsOrigins: [],
    logLevel: 'silent',
    setup: { workspaceName: 'Large', workspaceCurrency: 'EUR', adminName: undefined, adminEmail: undefined },
  });
  try {
    await copyRecord(workspace, what, (place) =>
      hasAmounts ? { amount: amountOf(place, workspace.database.dialect.name) } : {},
    );
  } finally {
    await workspace.close();
  }
}

/** Each another one, so that no two figures are alike. */
const amountOf = (place: number, dialect: string): string | number =>
  dialect === 'sqlite' ? place * 10_000 : String(place);

const { values: options } = parseArgs({
  options: { counts: { type: 'string', default: '12000,42000,100000' }, only: { type: 'string', default: '' } },
});
const folder = mkdtempSync(join(tmpdir(), 'praxis-large-'));
const serverUrl = await mariadbUrl();
const server = serverUrl === undefined ? undefined : await createDatabase(serverUrl, 'praxis_large');
try {
  const counts = options.counts.split(',').map(Number);
  for (const databaseUrl of [`sqlite:${join(folder, 'large.sqlite')}`, ...(server === undefined ? [] : [server.url])])
    printTable(
      databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'MariaDB',
      heads,
      await measureAll({ databaseUrl, folder, counts, only: options.only }),
    );
} finally {
  await stopAll();
  await server?.drop();
  rmSync(folder, { recursive: true, force: true });
}
