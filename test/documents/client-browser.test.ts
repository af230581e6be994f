// The client in a page of another origin than the service's: what a browser keeps back is told as that.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';

vi.setConfig({ testTimeout: 60_000 });

const executable = chromiumPath();
const source = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, '../../codegen/client.ts'), 'utf8'));

test.skipIf(executable === undefined)('a browser that keeps an answer back is told, with whom to allow', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/client.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(source);
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title>');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = `http://127.0.0.1:${port}`;
  // The same server by another name is another origin, and says nothing of who may read it.
  const other = `http://localhost:${port}`;
  const browser = await startBrowser(executable ?? '');
  try {
    const page = await browser.newPage();
    await page.goto(`${own}/page`);
    const said = (base: string): Promise<string> =>
      page.evaluate(
        `import('/client.js')
          .then(({ connect }) => connect({ things: { path: '/things', operations: ['get'] } }, { baseUrl: '${base}', maxRetries: 0 }).things.get('x'))
          .then((record) => JSON.stringify(record), String)`,
      );
    expect(await said(own)).toBe('{}');
    expect(await said(other)).toBe(
      `PraxisConnectionError: things.get: there was no answer, or the browser has kept it back: if ${other} can be reached, its CORS_ORIGINS may not name ${own}, where this page is from.`,
    );
    await browser.close();
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
