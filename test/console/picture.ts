// Makes the picture of the README: `node test/console/picture.ts`. An invoice of the demo workspace, and where its amount comes from.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import { praxis as runPraxis } from '../support/commands/praxis-line.ts';

const accessToken = 'token-of-the-picture-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'praxis-picture-'));
const DATABASE_URL = `sqlite:${join(folder, 'demo.sqlite')}`;
const made = await runPraxis('demo --months 2 --until 2026-09-15', { DATABASE_URL });
if (made.code !== 0) throw new Error(made.stderr);
const environment = {
  PORT: '0',
  DATABASE_URL,
  RESOURCES: join(import.meta.dirname, '../../resources'),
  ACCESS_TOKEN: accessToken,
};
const service = await startPraxis(readConfig(environment), pino({ level: 'silent' }));
const browser = await startBrowser(chromiumPath() ?? '');

const headers = { Authorization: `Bearer ${accessToken}` };
const answer = await fetch(`${service.address}/invoices?statusId=issued&limit=1`, { headers });
const { results } = (await answer.json()) as { results: readonly { id: string }[] };
const context = await browser.newContext({
  viewport: { width: 1280, height: 720 },
  locale: 'en-GB',
  colorScheme: 'light',
});
const page = await context.newPage();
await page.addInitScript(`sessionStorage.setItem('praxis.token', '${accessToken}')`);
await page.goto(`${new URL(service.address).origin}/console/invoices/${results[0]?.id}`);
await page.getByRole('button', { name: 'How Amount due is computed' }).click();
const panel = page.getByRole('dialog');
await panel.getByRole('button', { name: 'Total', exact: true }).click();
await panel.getByRole('button', { name: 'Subtotal' }).click();
await panel.getByText('Lines 1').waitFor();
mkdirSync(join(import.meta.dirname, 'pictures'), { recursive: true });
await page.mouse.move(0, 0);
await page.screenshot({ path: join(import.meta.dirname, 'pictures/console.png') });

await browser.close();
await service.stop();
rmSync(folder, { recursive: true, force: true });
