// The pages in a browser. What is asked of every page: no error, no request to another host, nothing against the policy,
// nothing wider than the screen, no serious barrier.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPraxis, startPraxis } from '../src/app/serve.ts';
import { readConfig } from '../src/config.ts';
import { chromiumPath, startBrowser } from './support/browser.ts';
import { accessToken, folders } from './support/praxis.ts';

const artefacts = join(import.meta.dirname, '../.artefacts');
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const executablePath = chromiumPath();

const desktop = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const paths = ['/docs', '/docs/groups', '/docs/groups/project', '/docs/groups/invoice', '/docs/map'];

describe.skipIf(executablePath === undefined)('pages in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  let praxis: RunningPraxis;
  let origin: string;
  /** A server of another origin, whose pages may call. */
  const foreign = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end('<title>Foreign</title>'));
  let foreignOrigin: string;
  /** The same server under a name that may not call. */
  let unknownOrigin: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(artefacts, { recursive: true });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    unknownOrigin = foreignOrigin.replace('127.0.0.1', 'localhost');
    const environment = {
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      RESOURCES: folders.product,
      ACCESS_TOKEN: accessToken,
      CORS_ORIGINS: foreignOrigin,
    };
    praxis = await startPraxis(readConfig(environment), pino({ level: 'silent' }));
    origin = new URL(praxis.address).origin;
    browser = await startBrowser(executablePath ?? '');
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await praxis?.stop();
    foreign.close();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  /** Opens a page; what goes wrong on it from now on is a complaint, and fails the test. */
  async function open(path: string, options: BrowserContextOptions = desktop): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    // Scripts for the browser are texts: the types of its world are not those of this one.
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
    );
    page.on('console', (message) => message.type() === 'error' && complaints.push(`${path}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && ![origin, foreignOrigin, unknownOrigin].includes(url.origin))
        complaints.push(`${path} asks ${request.url()}`);
    });
    await page.goto(path.startsWith('http') ? path : origin + path);
    if (path.startsWith('/docs') && !path.startsWith('/docs/')) await isWhole(page);
    return page;
  }

  /** The API reference has loaded its heavy part. */
  const isWhole = (page: Page) => page.waitForSelector('#reference .opblock-tag', { timeout: 30_000 });

  /** Serious barriers that axe finds. */
  async function barriers(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }

  /** Pixels by which a page is wider than the screen. */
  const excessOf = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  const looks = [
    { look: 'desktop-light', options: { ...desktop, colorScheme: 'light' } },
    { look: 'desktop-dark', options: { ...desktop, colorScheme: 'dark' } },
    { look: 'phone-light', options: { ...phone, colorScheme: 'light' } },
    { look: 'phone-dark', options: { ...phone, colorScheme: 'dark' } },
  ] as const;

  describe.each(looks)('$look', ({ look, options }) => {
    it.each(paths)('%s fits the screen and has no serious barrier', async (path) => {
      const page = await open(path, options);
      await page.screenshot({ path: join(artefacts, `${path.slice(1).replaceAll('/', '-')}-${look}.png`) });
      expect(await excessOf(page)).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it.each([looks[0], looks[3]])('an operation fits the screen and has no serious barrier ($look)', async (given) => {
    const page = await open('/docs#createClient', given.options);
    await page.waitForSelector('.opblock-body .responses-table');
    await page.screenshot({ path: join(artefacts, `docs-operation-${given.look}.png`) });
    expect(await excessOf(page)).toBeLessThanOrEqual(0);
    // The library puts buttons into the button that opens an operation; all of them are reached by keyboard.
    expect((await barriers(page)).filter((barrier) => !barrier.startsWith('nested-interactive'))).toEqual([]);
  });

  it('fits the pages of all groups on a phone', async () => {
    const page = await open('/docs/groups', phone);
    for (const name of praxis.registry.resources.keys()) {
      await page.goto(`${origin}/docs/groups/${name}`);
      expect(await excessOf(page), name).toBeLessThanOrEqual(0);
    }
  });

  it('paints /docs within a second, before its heavy part is there', async () => {
    const page = await open('/docs');
    const times = await page.evaluate(() => {
      const heavy = performance.getEntriesByType('resource').filter(({ name }) => name.includes('swagger'));
      return {
        paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        heavy: Math.min(...heavy.map(({ startTime }) => startTime)),
      };
    });
    expect(times.paint).toBeLessThan(1000);
    expect(times.heavy).toBeGreaterThanOrEqual(times.paint ?? Number.POSITIVE_INFINITY);
  });

  it('finds a group by keyboard alone, and follows a reference', async () => {
    const page = await open('/docs/groups');
    await page.keyboard.press('/');
    await page.keyboard.type('expense report');
    await page.waitForSelector('#hits [role=option]');
    expect(await page.textContent('#hits [aria-selected=true] .title')).toBe('Expense Report');
    await page.screenshot({ path: join(artefacts, 'search.png') });
    await page.keyboard.press('ArrowDown');
    expect(await page.textContent('#hits [aria-selected=true] .title')).not.toBe('Expense Report');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/groups/expense-report');
    await page.click('#refers-to >> text=Member');
    await page.waitForURL('**/docs/groups/member');
    expect(await page.textContent('h1')).toBe('Member');
  });

  it.each([
    ['field', 'invoiceDetailsSource', '/docs/groups/client#field-invoiceDetailsSource'],
    ['filter', 'dateOnAfter expense item', '/docs/groups/expense-item#filters'],
    ['rule', 'not be 0', '/docs/groups/project-revenue-adjustment#rules'],
  ])('finds a %s', async (kind, text, address) => {
    const page = await open('/docs/map');
    await page.fill('#search', text);
    const hit = page.locator('#hits li', { has: page.locator(`.kind:text-is("${kind}")`) }).first();
    await hit.click();
    await page.waitForURL(`**${address}`);
    expect(await page.locator(`[id="${address.split('#')[1]}"]`).isVisible()).toBe(true);
  });

  it('says so when the search finds nothing, and closes it on Escape', async () => {
    const page = await open('/docs/groups');
    await page.fill('#search', 'xyzzy <b>');
    await expect.poll(() => page.textContent('.hits .count')).toBe('Nothing has “xyzzy <b>”.');
    await page.keyboard.press('Escape');
    expect(await page.isVisible('.hits')).toBe(false);
  });

  it('lights the neighbours of a group on the map, zooms, pans and leads on, by keyboard as well', async () => {
    const page = await open('/docs/map');
    const nearOf = () =>
      page.$$eval('#map .near', (nodes) => nodes.map((node) => node.getAttribute('data-name')).sort());
    const viewBox = () => page.getAttribute('#map', 'viewBox');
    const expected = ['client', 'member', 'payment', 'payment-method'];
    await page.hover('.node[data-name="payment"]');
    expect(await nearOf()).toEqual(expect.arrayContaining(['client', 'invoice', 'payment', 'payment-method']));
    await page.mouse.move(5, 5);
    expect(await nearOf()).toEqual([]);
    const whole = await viewBox();
    await page.click('[data-zoom="in"]');
    const near = await viewBox();
    expect(near).not.toBe(whole);
    await page.focus('.node[data-name="payment"]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await nearOf()).toEqual(expect.arrayContaining(expected.filter((name) => name !== 'member')));
    await page.keyboard.press('ArrowRight');
    expect(await viewBox()).not.toBe(near);
    await page.keyboard.press('0');
    expect(await viewBox()).toBe(whole);
    await page.mouse.move(640, 500);
    await page.mouse.down();
    await page.mouse.move(700, 540, { steps: 4 });
    await page.mouse.up();
    expect(await viewBox()).not.toBe(whole);
    await page.focus('.node[data-name="payment"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/groups/payment');
  });

  it('sends a request from the API reference with the token that is typed in, and keeps it for the tab', async () => {
    const page = await open('/docs/groups/job-title');
    await page.click('.operations >> text=Create');
    await isWhole(page);
    const operation = page.locator('.opblock', { hasText: 'POST' }).first();
    await page.click('.btn.authorize');
    await page.fill('.dialog-ux input', accessToken);
    await page.click('.dialog-ux .btn.authorize');
    await page.click('.dialog-ux .btn-done');
    await operation.locator('.try-out__btn').click();
    await operation.locator('textarea.body-param__text').fill('{"name": "Gardener"}');
    await operation.locator('.btn.execute').click();
    const answer = operation.locator('.live-responses-table .response').first();
    await expect.poll(() => answer.textContent()).toContain('Gardener');
    expect(await answer.locator('.response-col_status').textContent()).toContain('200');
    await answer.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(artefacts, 'try-it-out.png') });
    const stores = await page.evaluate<string[]>(
      '[JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie]',
    );
    expect(stores[0]).toContain(accessToken);
    expect(stores.slice(1)).toEqual(['{}', '']);
    await page.reload();
    await isWhole(page);
    await page.waitForSelector('.btn.authorize.locked');
    await page.click('.opblock.is-open .try-out__btn');
    await page.locator('.opblock.is-open textarea.body-param__text').fill('{"name": "Gardener"}');
    await page.click('.opblock.is-open .btn.execute');
    await expect
      .poll(() => page.locator('.live-responses-table .response').first().textContent())
      .toContain('A Job Title with the same name already exists.');
    // The browser itself reports the answer 409 as an error.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  it('filters the operations of the API reference by their words, and opens what it finds', async () => {
    const page = await open('/docs');
    await page.fill('.operation-filter-input', 'delete job');
    await page.waitForSelector('.opblock');
    const found = await page.$$eval('.opblock .opblock-summary-path', (all) =>
      all.map((element) => element.getAttribute('data-path')),
    );
    expect(found).toEqual(['/job-titles/{id}']);
  });

  it('lets pages of the origins in CORS_ORIGINS call the API, after a preflight, and no others', async () => {
    const page = await open(foreignOrigin);
    const call = () =>
      page.evaluate(
        async ({ address, token }) => {
          const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
          const answer = await fetch(`${address}/skills`, { method: 'POST', headers, body: '{"name": "Chess"}' });
          const body = (await answer.json()) as { readonly name: string };
          return { status: answer.status, name: body.name, requestId: answer.headers.get('X-Request-Id') };
        },
        { address: praxis.address, token: accessToken },
      );
    expect(await call()).toEqual({ status: 200, name: 'Chess', requestId: expect.stringMatching(/^[\w-]{36}$/) });
    await page.goto(unknownOrigin);
    await expect(call()).rejects.toThrow('Failed to fetch');
    // The browser says why, and what it did not load.
    const reasons = complaints.splice(0).map((text) => /blocked by CORS policy|ERR_FAILED/.exec(text)?.[0]);
    expect(reasons.sort()).toEqual(['ERR_FAILED', 'blocked by CORS policy']);
  });
});
