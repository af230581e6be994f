// The calls of the guide on data are answered as it says.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exportRecords } from '../../src/commands/data/export.ts';
import { importRecords } from '../../src/commands/data/import.ts';
import { summary } from '../../src/commands/data/summary.ts';
import { readConfig } from '../../src/config.ts';
import { blocksIn } from '../support/browser/guides.ts';
import { sqlite } from '../support/databases/databases.ts';
import { accessToken, onEveryDatabase, registryOf } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

/** Each command with what the guide says that it prints. */
const calls = blocksIn('data')
  .filter(({ kind, text }) => kind === 'sh' && text.includes('curl'))
  .map(({ text }) => {
    const path = /http:\/\/127\.0\.0\.1:3000\/api([^"]*)"/.exec(text)?.[1] ?? '';
    const method = /-X (\w+)/.exec(text)?.[1] ?? 'GET';
    const body = /-d '([^']*)'/.exec(text)?.[1];
    return { path, method, body, printed: /^# ([\w-]+): (.*)$/m.exec(text) };
  });

onEveryDatabase(
  'the guide on data',
  (context) => {
    const exported = async (path: string): Promise<string> =>
      (await fetch(context.address + path, { headers: { Authorization: `Bearer ${accessToken}` } })).text();

    test('shows calls that are answered', async () => {
      const client = await context.make('client', { key: 'rebuild', name: 'Rebuild' });
      await context.make('project', { clientId: client.id, name: 'Rebuild' });
      expect(calls).toHaveLength(5);
      for (const { path, method, body, printed } of calls) {
        if (path.startsWith('/export/')) {
          expect(await exported(path)).toBe('date,member.email,minutes\r\n');
          continue;
        }
        const { status, headers, text } = await send(context, `${method} ${path}`, {
          ...(body !== undefined && { body }),
        });
        expect(status, `${path}: ${text}`).toBe(200);
        if (printed !== null) expect(headers.get(printed[1] ?? '')).toBe(printed[2]);
      }
      const { body } = await send(context, 'GET /projects?expand=client,client.owner');
      expect(body.results[0].client.key).toBe('rebuild');
    });
  },
  'product',
);

test('its summary is a table at the terminal, and an answer with all digits for programs', async () => {
  const { url, drop } = await sqlite.open();
  const printed: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const [line = ''] = blocksIn('data').flatMap(({ text }) => text.match(/praxis -- summary .*/g) ?? []);
    const config = readConfig({ DATABASE_URL: url });
    const folder = mkdtempSync(join(tmpdir(), 'praxis-summary-'));
    const file = join(folder, 'clients.csv');
    writeFileSync(file, 'key,name,currency\na,A,EUR\nb,B,EUR\nc,C,USD\n');
    await importRecords(config, file, { maxRefused: '100', chunk: '500', callers: '2', group: 'client' });
    rmSync(folder, { recursive: true });
    printed.length = 0;
    const asked = { count: true, filter: ['recordStatusId=active'], by: 'currency,recordStatusId', max: 'createdAt' };
    await summary(config, 'client', asked);
    expect(printed.join('').replaceAll(/\d{4}-\S+Z/g, 'NOW')).toBe(
      'currency  recordStatusId  count             max.createdAt\nEUR       active              2  NOW\nUSD       active              2  NOW\n4 counted.\n',
    );
    printed.length = 0;
    await summary(config, '/clients', { ...asked, json: true, limit: '1', order: '-count' });
    expect(JSON.parse(printed.join(''))).toMatchObject({
      results: [{ by: { currency: 'EUR' }, count: 2 }],
      hasMore: true,
    });
    await expect(summary(config, 'client', { ...asked, sum: 'name' })).rejects.toThrow("'name' is none");
    await expect(summary(config, 'client', { ...asked, filter: ['x'] })).rejects.toThrow('--filter must be a filter');
    const words = line.replace('praxis -- summary ', '').split(' ');
    const option = (name: string): string => words[words.indexOf(name) + 1] ?? '';
    printed.length = 0;
    const [group = ''] = words;
    await summary(config, group, {
      ...{ count: true, filter: [option('--filter')], by: option('--by'), sum: option('--sum') },
    });
    expect(printed.join('')).toContain('0 counted.');
  } finally {
    spy.mockRestore();
    await drop();
  }
}, 60_000);

test('its commands write files, each of them whole', async () => {
  const { url, drop } = await sqlite.open();
  const folder = mkdtempSync(join(tmpdir(), 'praxis-export-'));
  try {
    const config = readConfig({ DATABASE_URL: url });
    const lines = blocksIn('data').flatMap(({ text }) => text.match(/praxis -- export .*/g) ?? []);
    expect(lines).toEqual([
      'praxis -- export time-entry --out hours.csv --fields date,member.email,minutes',
      'praxis -- export --all monday',
    ]);
    const out = join(folder, 'hours.csv');
    await exportRecords(config, 'time-entry', { out, fields: 'date,member.email,minutes', filter: [] });
    expect(readFileSync(out, 'utf8')).toBe('date,member.email,minutes\r\n');
    const refused = exportRecords(config, 'time-entry', { out, filter: [] });
    await expect(refused).rejects.toThrow(
      `The file ${out} already exists and is not overwritten; choose another name.`,
    );
    await exportRecords(config, undefined, { all: join(folder, 'monday'), filter: [] });
    const files = readdirSync(join(folder, 'monday'));
    const kept = [...registryOf('product').resources.values()].filter(({ computed }) => computed === undefined);
    expect(files.toSorted()).toEqual(kept.map(({ name }) => `${name}.ndjson`).toSorted());
    expect(readFileSync(join(folder, 'monday/workspace-settings.ndjson'), 'utf8')).toMatch(
      /^\{.*\}\n\{"end":true,"count":1\}\n$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
    await drop();
  }
}, 60_000);

test('its import prints what the guide says, and its mapping fits', async () => {
  const { url, drop } = await sqlite.open();
  const folder = mkdtempSync(join(tmpdir(), 'praxis-import-'));
  const printed: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const config = readConfig({ DATABASE_URL: url });
    const usual = { maxRefused: '100', chunk: '500', callers: '2' };
    const file = join(folder, 'clients.csv');
    writeFileSync(
      file,
      'key;name;currency;owner.email\nacme;Acme;EUR;\nbad;Bad;EURO;\ngone;Gone;EUR;nobody@example.com\n',
    );
    for (const isTrial of [true, false])
      expect(await importRecords(config, file, { ...usual, group: 'client', key: 'key', try: isTrial })).toBe(1);
    const [shown] = blocksIn('data').filter(({ kind, text }) => kind === 'console' && text.includes('praxis import'));
    const lines = shown?.text.split('\n').filter((line) => !line.startsWith('$') && line !== '');
    expect(printed.join('').trimEnd().replaceAll(`${folder}/`, '').split('\n')).toEqual(lines);
    const mapping = blocksIn('data').find(({ kind, text }) => kind === 'json' && text.includes('"columns"'));
    writeFileSync(join(folder, 'map.json'), mapping?.text ?? '');
    const hours = join(folder, 'hours.csv');
    writeFileSync(
      hours,
      'Employee;Customer;Project;Day;Hours;Status;Remark\nada@example.com;acme;P;03.02.2026;1,5;ok;x\n',
    );
    printed.length = 0;
    expect(await importRecords(config, hours, { ...usual, map: join(folder, 'map.json'), try: true })).toBe(1);
    expect(printed.join('')).toContain("'projectId' does not refer to an existing Project (project.code is P)");
  } finally {
    spy.mockRestore();
    rmSync(folder, { recursive: true });
    await drop();
  }
}, 60_000);
