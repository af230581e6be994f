// Descriptors that change under a running service.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Folder, type Started } from '../support/commands/command.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const folder = new Folder({
  PORT: '0',
  DATABASE_URL: 'sqlite:workspace.sqlite',
  ACCESS_TOKEN: 'token-of-the-workshop-0001',
  LOG_LEVEL: 'silent',
});
let service: Started;
let address: string;
/** What a change may take: a second, or where the machine is busy no longer than the start took. */
let soonMs = 1000;

const file = (name: string): string => join(folder.path, 'resources', name);

beforeAll(async () => {
  service = folder.start('dev');
  soonMs = Math.max(soonMs, await until(() => /http:\S+\/api\n/.test(service.output.stdout)));
  address = /http:\S+\/api/.exec(service.output.stdout)?.[0] ?? '';
});
afterAll(() => folder.remove());

async function call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Bearer token-of-the-workshop-0001', 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** What is wrong with an office of that name; it is never made, because there is no such field as `shoes`. */
const faultsOf = async (name: string): Promise<unknown> => (await call('/offices', { name, shoes: 2 })).body.errors;

/** Milliseconds until a condition holds. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > 20_000) throw new Error(`waited in vain; told: ${service.output.stderr}`);
    await delay(10);
  }
  return performance.now() - startedAt;
}

test('a new descriptor is served within a second', async () => {
  expect((await call('/offices')).status).toBe(404);
  await folder.print('new office');
  const tookMs = await until(async () => (await call('/offices')).status === 200);
  expect(tookMs).toBeLessThan(soonMs);
  expect((await call('/offices', { name: 'Harbour' })).status).toBe(200);
  await until(() => service.output.stderr.includes('office.json: '));
  expect(service.output.stderr).toMatch(/^office\.json: \d+ descriptors taken in, in \d+ ms\n$/);
});

test('a changed descriptor holds from the next request on, and records stay', async () => {
  const text = readFileSync(file('office.json'), 'utf8');
  writeFileSync(file('office.json'), text.replace('"maxLength": 255', '"maxLength": 10'));
  await until(async () => String(await faultsOf('A name of many letters')).includes('at most 10'));
  expect((await call('/offices')).body).toMatchObject({ results: [{ name: 'Harbour' }] });
});

test('a broken file is told with its line, and the service goes on as before', async () => {
  const text = readFileSync(file('office.json'), 'utf8');
  await until(() => service.output.stderr.split('\n').length === 3);
  const told = service.output.stderr.length;
  writeFileSync(file('office.json'), text.replace('"maxLength"', '"maxLenght"'));
  const tookMs = await until(() => service.output.stderr.length > told);
  expect(tookMs).toBeLessThan(soonMs);
  await until(() => service.output.stderr.endsWith('and save.\n'));
  expect(service.output.stderr.slice(told)).toMatch(
    /^resources\/office\.json:7:\d+ \/properties\/name\/maxLenght: unknown keyword "maxLenght"; did you mean "maxLength"\?\n {4}"name": .*\n +\^{11}\n1 fault in 1 file\nStill serving the previous descriptors\. Fix office\.json and save\.\n$/,
  );
  expect((await call('/offices')).status).toBe(200);

  writeFileSync(file('office.json'), text.replace('"maxLength": 10', '"maxLength": 30'));
  await until(async () => !String(await faultsOf('A name of many letters')).includes('at most'));
  expect((await call('/offices', { name: 'A name of many letters' })).status).toBe(200);
});

test('a file that is no descriptor is told, and what an editor leaves behind is not', async () => {
  const settled = async (): Promise<number> => {
    let length = -1;
    while (length !== service.output.stderr.length) {
      length = service.output.stderr.length;
      await delay(500);
    }
    return length;
  };
  const told = await settled();
  writeFileSync(file('.office.json.swp'), 'x');
  writeFileSync(file('depot.YAML'), 'title: Depot');
  await until(() => service.output.stderr.endsWith('and save.\n') && service.output.stderr.length > told);
  expect(service.output.stderr.slice(told)).toBe(
    'resources/depot.YAML:1:1 /: is not JSON; convert it to "depot.json"\n1 fault in 1 file\n' +
      'Still serving the previous descriptors. Fix depot.YAML and save.\n',
  );
  rmSync(file('depot.YAML'));
  await until(() => /depot\.YAML: \d+ descriptors taken in/.test(service.output.stderr));
  rmSync(file('.office.json.swp'));
});

test('roles are taken in as they are saved, and one that is wrong leaves those that were there', async () => {
  const write = (allow: readonly object[]): void =>
    writeFileSync(file('roles/reader.json'), JSON.stringify({ title: 'Reader', description: 'Reads.', allow }));
  const cell = async (): Promise<string | undefined> => {
    const page = await (await fetch(`${address.replace(/\/api$/, '')}/docs/access`)).text();
    return /<tr data-group="client">.*?<code>([^<]*)<\/code>/.exec(page)?.[1];
  };
  expect(await cell()).toBeUndefined();
  mkdirSync(file('roles'));
  write([{ on: ['client'], to: ['read'] }]);
  await until(async () => (await cell()) === '-R--L-');
  write([{ on: ['client'], to: ['read', 'create'] }]);
  await until(async () => (await cell()) === 'CR--L-');
  write([{ on: ['klient'], to: ['read'] }]);
  await until(() => service.output.stderr.includes('"klient" is not a group'));
  expect(await cell()).toBe('CR--L-');
  rmSync(file('roles'), { recursive: true });
  await until(async () => (await cell()) === undefined);
});

test('requests that run during a change are answered', async () => {
  const text = readFileSync(file('office.json'), 'utf8');
  const answers: Promise<number>[] = [];
  for (let round = 0; round < 40; round += 1) {
    if (round % 10 === 0) writeFileSync(file('office.json'), text.replace('"An office."', `"Office ${round}."`));
    answers.push(call('/clients', { name: `Client ${round}` }).then(({ status }) => status));
    await delay(20);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});

test('a descriptor that is taken away is served no more; SIGTERM ends the service', async () => {
  rmSync(file('office.json'));
  await until(async () => (await call('/offices')).status === 404);
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
