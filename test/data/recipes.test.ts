// The guide with recipes for data: every command of it is run, on the demo, as it stands there.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import { Shapes } from '../../codegen/import/document.ts';
import { importRows } from '../../codegen/import/import-rows.ts';
import { praxis, start, stopAll, token } from '../bench/services.ts';
import { blocksIn } from '../support/browser/guides.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'praxis-recipes-'));
const url = `sqlite:${join(folder, 'demo.sqlite')}`;
/** The commands of this checkout, in a folder of their own. */
const npm = `npm() { shift 3; "$NODE" "$ROOT/src/cli.ts" "$@"; }\n`;

let address = '';

async function run(text: string): Promise<string> {
  const script = `set -euo pipefail\n${npm}${text.replaceAll('http://127.0.0.1:3000', address)}`;
  const env = { ...process.env, ROOT: root, NODE: process.execPath, TOKEN: token, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    ...{ cwd: folder, env, encoding: 'utf8' },
  });
  return stdout;
}

beforeAll(async () => {
  symlinkSync(join(root, 'resources'), join(folder, 'resources'));
  await run('npm run praxis -- demo --months 2');
  const service = await start({ name: 'recipes', command: praxis, databaseUrl: url, folder });
  address = service.address;
}, 240_000);
afterAll(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

test('its commands do what it says', async () => {
  const printed = new Map<string, string[]>();
  for (const { part, kind, text } of blocksIn('data-recipes'))
    if (kind === 'sh') printed.set(part, [...(printed.get(part) ?? []), await run(text)]);
  const of = (part: string): string[] => printed.get(part) ?? [];

  const [table = '', hours = ''] = of('Hours by client and month');
  expect(table).toMatch(/^project.client +date.month +count +sum.minutes\n/);
  const { results, rows } = JSON.parse(hours);
  expect(results.length).toBeGreaterThan(2);
  expect(rows).toBe(results.reduce((sum: number, { count }: { count: number }) => sum + count, 0));

  const [due = ''] = of('Open amounts by currency');
  expect(JSON.parse(due).results[0]).toMatchObject({ by: { client: {}, currency: expect.any(String) } });

  const [page = ''] = of('A page with all its data in one request');
  const shown = JSON.parse(page);
  expect(shown.count).toBeGreaterThan(0);
  expect(Object.keys(shown.results[0].client).toSorted()).toEqual(['id', 'key', 'name']);

  const ignored = 'Ignored columns: Rating.';
  const [, , imports = ''] = of('Move from another tool');
  expect(imports.split('\n').filter((line) => line !== '')).toEqual([
    ...['0 of 2 rows would be refused; 2 created, 0 updated. Nothing was written.', ignored],
    ...['2 created, 0 updated, 0 refused.', ignored],
    ...['0 created, 0 updated, 2 unchanged, 0 refused.', ignored],
  ]);

  const [one = '', many = ''] = of('Sync with another system');
  expect(one).toMatch(/Praxis-Outcome: updated/i);
  expect(JSON.parse(many).results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
  ]);

  const [, proof = ''] = of('Export every night');
  expect(proof).toContain('; no differences');
  const table2 = readdirSync(folder).find((name) => name.startsWith('hours-'));
  expect(readFileSync(join(folder, String(table2)), 'utf8')).toMatch(
    /^\uFEFFdate,member\.email,project\.client\.name,minutes\r\n\d{4}-/,
  );
}, 300_000);

test('an export of any group says nothing new when it is imported again', async () => {
  const service = { url: address, token };
  const document = await documentOf(service);
  const shapes = new Shapes(document);
  const told: string[] = [];
  let groups = 0;
  for (const name of shapes.names) {
    const group = shapes.find(name);
    if (group === undefined || !group.operations.has('list')) continue;
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/export${group.path}`, { headers });
    // Of a feature that is off.
    if (response.status !== 200) continue;
    const text = await response.text();
    if (text.startsWith('{"end"')) continue;
    groups += 1;
    const keys = [...(group.operations.has('update') ? ['id'] : []), ...group.keys.slice(0, 1).map(String)];
    for (const key of keys) {
      const { created, updated } = await importRows({
        ...{ call: callOf(service), document, group: name, key, format: 'ndjson', mostRefused: 1e6 },
        source: new Blob([text]).stream(),
        onRefused: ({ errors }) => {
          // A PUT refuses what is closed as a whole, and knows no record by a key that it has not.
          const isKnown = errors.every((error) => /is read-only|is required: records are known by it/.test(error));
          if (key === 'id' || !isKnown) told.push(`${name} by ${key}: ${errors.join('; ')}`);
        },
      });
      if (created + updated > 0) told.push(`${name} by ${key}: ${created} created, ${updated} updated`);
    }
  }
  expect(told).toEqual([]);
  expect(groups).toBeGreaterThan(60);
}, 240_000);
