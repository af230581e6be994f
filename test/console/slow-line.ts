// How soon the first rows of a group are there on a slow line: `node test/console/slow-line.ts` (400 kbit/s both ways, 400 ms, as
// "Slow 3G" is in WebPageTest), with a browser that has seen nothing of the console before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import { startDemo } from '../support/browser/console.ts';
import { accessToken } from '../support/service/praxis.ts';

const bytesPerSecond = 400_000 / 8;
const line = { offline: false, latency: 400, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };

const folder = mkdtempSync(join(tmpdir(), 'praxis-slow-line-'));
const service = await startDemo(folder);
const browser = await startBrowser(chromiumPath() ?? '');
const { origin } = new URL(service.address);
const [first, ...paths] = ['/console/clients', '/console/invoices', '/console/time-entries', '/console/clients'];
// What the service makes once is made before it is measured.
await (await browser.newPage()).goto(origin + first, { waitUntil: 'networkidle' });
for (const path of paths) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('praxis.token', '${accessToken}')`);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await page.goto(origin + path, { waitUntil: 'commit' });
  await page.locator('.grid-body [role=gridcell]').first().waitFor();
  const ms = await page.evaluate<number>('performance.now()');
  console.log(`${path}: ${(ms / 1000).toFixed(1)} s`);
  await context.close();
}
await browser.close();
await service.stop();
rmSync(folder, { recursive: true, force: true });
