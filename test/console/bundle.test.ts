// What the console begins with: little, and asked for at once.
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { loadBundle } from '../../src/console/bundle.ts';
import { createConsole } from '../../src/console/console.ts';
import { registryOf } from '../support/service/praxis.ts';

it('is one script beside that of the page, and no view of records among it', { timeout: 30_000 }, async () => {
  const { files, script, imports, style, early } = await loadBundle();
  expect(imports).toHaveLength(1);
  const first = files.filter(({ name }) => [script, style, ...imports].includes(name));
  expect(first).toHaveLength(3);
  const bytes = first.reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeLessThan(60_000);
  for (const view of ['board', 'timeline-view', 'calendar', 'chart-view', 'record-page', 'import-dialog', 'judge'])
    expect(
      files.filter(({ name }) => name.startsWith(`${view}-`) && !first.some((one) => one.name === name)),
    ).toHaveLength(1);
  expect(files.find(({ name }) => name === early)?.body.length).toBeLessThan(600);
  // What reads formulas is in no file that a panel begins with.
  const panel = files.find(({ name }) => name.startsWith('explain-panel-'));
  expect(gzipSync(panel?.body ?? '').length).toBeLessThan(6000);
  const page = await createConsole(registryOf('test'), { hasPages: false, hasLog: false, signIn: [] })('/console')?.();
  expect(page?.body.toString()).toContain(`<link rel="modulepreload" href="/console/files/${imports[0]}">`);
});
