// The pages in a browser. What is asked of every page: no error, no request to another host, nothing against the policy,
// nothing wider than the screen, no barrier.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessTable } from '../../src/access/proof/table.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import { accessToken, folders, registryOf } from '../support/service/praxis.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const executablePath = chromiumPath();
const starterRoles = join(import.meta.dirname, '../../.package/new-access');

const desktop = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const paths = [
  '/docs',
  '/docs/guides',
  '/docs/guides/metrics',
  '/docs/guides/tutorial',
  '/docs/guides/performance',
  '/docs/access',
  '/docs/changes',
  '/docs/groups',
  '/docs/groups/project',
  '/docs/groups/invoice',
  '/docs/groups/client/create',
  '/docs/groups/time-entry/list',
  '/docs/groups/invoice/delete',
  '/docs/rules',
  '/docs/map',
  '/docs/writes',
];

/** What newcomers type, and the page that they look for. */
const asked = [
  ['pagination', 'guides/api#pagination'],
  ['auth', 'guides/api#authentication'],
  ['filter by date', 'guides/api#filters'],
  ['rate limit', 'guides/tokens#rate-limiting'],
  ['webhook signature', 'guides/webhooks#messages-and-signatures'],
  ['computed field', 'guides/computed-fields'],
  ['bulk update', 'guides/safe-writes#batches'],
  ['soft delete', 'guides/recipes#soft-delete'],
  ['timezone', 'guides/computed-fields#values-that-depend-on-today'],
  ['retry', 'guides/safe-writes#idempotency-keys'],
  ['idempotency', 'guides/safe-writes#idempotency-keys'],
  ['pagnation', 'guides/api#pagination'],
  ['authentification', 'guides/api#authentication'],
  ['webhok', 'guides/webhooks'],
  ['sort', 'guides/api#sorting'],
  ['errors', 'guides/errors'],
  ['422', 'guides/errors#by-status'],
  ['version conflict', 'guides/safe-writes'],
  ['cors', 'guides/configuration'],
  ['file upload', 'guides/files#upload'],
  ['rounding', 'guides/formulas'],
  ['export csv', 'guides/data#export'],
  ['backup', 'guides/backup'],
  ['permissions', 'guides/access'],
  ['roles', 'guides/access#a-role'],
  ['nested resources', 'guides/data#expand-references'],
  ['concurency', 'guides/safe-writes'],
  ['dry run', 'guides/safe-writes#dry-runs'],
  ['audit log', 'guides/history'],
  ['rename field', 'guides/migrations#rename-a-field-or-group'],
  ['deploy', 'guides/run'],
  ['docker', 'guides/container'],
  ['api key', 'guides/api#authentication'],
  ['sdk', 'guides/client'],
  ['validation', 'guides/conditions'],
  ['state machine', 'guides/effects#transitions'],
  ['count', 'guides/data#count-records'],
  ['log in', 'guides/sign-in'],
  ['partial update', 'guides/api#operations'],
  ['max page size', 'guides/api#pagination'],
  ['health', 'guides/metrics#health-checks'],
  ['logging', 'guides/metrics#logs'],
  ['getting started', 'guides/tutorial'],
  ['double booking', 'guides/descriptors#a-computed-field-and-a-condition'],
  ['updated at', 'guides/keywords'],
  ['timestamps', 'guides/keywords'],
  ['current user', 'guides/tokens#acting-members'],
  ['yearly report', 'guides/recipes#make-a-report-by-month'],
  ['composite unique', 'guides/keywords'],
  ['custom error message', 'guides/conditions#messages-and-problems'],
  ['custom route', 'guides/project#praxisconfigts'],
  ['negative numbers', 'guides/keywords'],
  ['hierarchy', 'guides/computed-fields#hierarchies'],
  ['tree', 'guides/computed-fields#hierarchies'],
  ['circular', 'guides/computed-fields#hierarchies'],
  ['backfill', 'guides/migrations#fill-values'],
  ['fixtures', 'guides/descriptors#seed-records'],
  ['seed data', 'guides/descriptors#seed-records'],
  ['own records only', 'guides/access#conditions'],
  ['dev mode', 'guides/commands#development'],
  ['reserved words', 'guides/descriptors#a-first-descriptor'],
  ['many to many', 'guides/recipes#many-to-many'],
  ['invioce', 'groups/invoice'],
  ['time entry', 'groups/time-entry'],
] as const;

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
      ROLES: starterRoles,
      ACCESS_TOKEN: accessToken,
      CHANGES: 'forever',
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
    return page;
  }

  /** Gives the tab a token, as people do. */
  async function giveToken(page: Page, token = accessToken): Promise<void> {
    await page.click('.top .token');
    await page.fill('dialog input', token);
    await page.click('dialog [data-act="keep"]');
  }

  /** Requests of a page that change something, from now on. */
  function writesOf(page: Page): { readonly method: string; readonly headers: Readonly<Record<string, string>> }[] {
    const writes: { method: string; headers: Record<string, string> }[] = [];
    page.on('request', (request) => {
      if (!['GET', 'HEAD'].includes(request.method()))
        writes.push({ method: request.method(), headers: request.headers() });
    });
    return writes;
  }

  /** Barriers that axe finds, of whatever weight. */
  async function barriers(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }

  /** Pixels by which a page is wider than the screen. */
  const excessOf = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  // Each screen and each theme once: what is wide hangs on the screen alone, and contrast on the theme.
  const looks = [
    { look: 'desktop-light', options: { ...desktop, colorScheme: 'light' } },
    { look: 'phone-dark', options: { ...phone, colorScheme: 'dark' } },
  ] as const;

  describe.each(looks)('$look', ({ look, options }) => {
    it.each(paths)('%s fits the screen and has no barrier', async (path) => {
      const page = await open(path, options);
      await page.screenshot({ path: join(artefacts, `${path.slice(1).replaceAll('/', '-')}-${look}.png`) });
      expect(await excessOf(page)).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('shows what has changed, newest first, as the form says', async () => {
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
    const write = async (method: string, path: string, body: object): Promise<string> => {
      const answer = await fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { id: string }).id;
    };
    const id = await write('POST', '/job-titles', { name: 'First <b>title</b>' });
    await write('PATCH', `/job-titles/${id}`, { name: 'Second title' });
    await write('POST', '/clients', { name: 'Of another group' });
    for (let nth = 0; nth < 30; nth += 1) await write('POST', '/job-titles', { name: `Many ${nth}` });
    const page = await open('/docs/changes', desktop);
    const rows = page.locator('.changes tbody tr');
    expect(await page.locator('.changes form').isHidden()).toBe(true);
    await giveToken(page);
    await expect.poll(() => rows.count()).toBe(25);
    expect(await rows.first().textContent()).toContain('Many 29');
    await page.getByRole('button', { name: 'Load older changes' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(32);
    const changed = rows.filter({ hasText: 'Second title' }).first();
    expect(await changed.textContent()).toContain('First <b>title</b> → Second title');
    expect(await changed.getByRole('link').getAttribute('href')).toBe(`/docs/groups/job-title/get#id=${id}`);
    await page.screenshot({ path: join(artefacts, 'docs-changes-filled.png') });
    expect(await barriers(page)).toEqual([]);
    await page.locator('.changes select[name=group]').selectOption('job-title');
    await page.getByLabel('Record').fill(id);
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect((await rows.allTextContents()).map((text) => /update|create/.exec(text)?.[0])).toEqual(['update', 'create']);
    await page.getByLabel('Record').fill('5');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => page.locator('.changes .said').textContent()).toBe("Parameter 'id' is not a valid UUID.");
    complaints.length = 0;
  });

  it('tells which role may do what with each group, and leads to what the group says of it', async () => {
    const product = registryOf('product');
    const roles = loadRoles(starterRoles, product);
    const page = await open('/docs/access');
    const table = page.locator('table.grants');
    const titles = [...(roles?.byName.values() ?? [])].map(({ title }) => title);
    expect(await table.locator('thead th').allTextContents()).toEqual(['Group', ...titles]);
    const told = await table
      .locator('tbody tr:not(.area)')
      .evaluateAll((rows) => rows.map(({ children }) => [...children].map(({ textContent }) => textContent)));
    const { rows } = accessTable(roles ?? { byName: new Map() }, product);
    const expected = rows.map(({ group, cells }) => [product.resources.get(group)?.title, ...cells]);
    const inOrder = (all: readonly unknown[][]) =>
      all.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    expect(inOrder(told)).toEqual(inOrder(expected));
    // The names of roles stay in view.
    await table.locator('tbody tr').last().scrollIntoViewIfNeeded();
    const [head, top] = await Promise.all([
      table.locator('thead th').nth(1).boundingBox(),
      page.locator('.top').boundingBox(),
    ]);
    expect(head?.y).toBeGreaterThanOrEqual((top?.y ?? 0) + (top?.height ?? 0) - 1);
    await table.getByRole('link', { name: 'Time Entry', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#access');
    expect(await page.locator('#access').isVisible()).toBe(true);
  });

  it('opens the rules behind a cell for a token that may read them', async () => {
    const page = await open('/docs/access');
    expect(await page.locator('button.opens').count()).toBe(0);
    await giveToken(page);
    await page.getByRole('button', { name: 'rules of Member on time-entry' }).click();
    const dialog = page.locator('dialog.rules');
    await expect.poll(() => dialog.locator('h2').textContent()).toBe('Member: time-entry');
    expect(await dialog.textContent()).toContain('If memberId is actor or member.managerId is actor.');
    expect(await dialog.locator('section h3').allTextContents()).toContain('member/not-own-time');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${origin}/docs/groups/cost-period`);
    await page.getByRole('button', { name: 'rules of Manager on cost-period' }).click();
    expect(await dialog.textContent()).toContain('Allows: list, get, history.');
  });

  it('fits a phone of 390 pixels, drawings and all', async () => {
    const page = await open('/docs/groups/expense-item', { ...phone, viewport: { width: 390, height: 800 } });
    for (const path of ['/docs/groups/expense-item', '/docs/map', '/docs/groups/invoice/update', '/nothing']) {
      await page.goto(origin + path);
      expect(await excessOf(page), path).toBeLessThanOrEqual(0);
    }
    // A page that there is not is told as such to the console.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  it('fits the pages of all groups on a phone', async () => {
    const page = await open('/docs/groups', phone);
    for (const name of praxis.registry.resources.keys()) {
      await page.goto(`${origin}/docs/groups/${name}`);
      expect(await excessOf(page), name).toBeLessThanOrEqual(0);
    }
  });

  it.each(['/docs', '/docs/groups/invoice/create'])('paints %s within a second', async (path) => {
    // The best of three: a machine that is busy with other things is no fault of a page.
    const paints: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const page = await open(path);
      // The browser tells of it a moment behind the painting.
      const paint = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      paints.push(Number(await paint.jsonValue()));
      await page.close();
    }
    expect(Math.min(...paints)).toBeLessThan(1000);
  });

  it('finds a group by keyboard alone, and follows a reference', async () => {
    const page = await open('/docs/groups');
    await page.keyboard.press('/');
    await page.keyboard.type('expense report');
    await page.waitForSelector('#hits [role=option]');
    expect(await page.textContent('#hits [aria-selected=true] .title')).toBe('Expense Report');
    expect(await barriers(page)).toEqual([]);
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
    ['operation', 'create job title', '/docs/groups/job-title/create'],
    ['named rule', 'on or after', '/docs/rules#rule-range'],
    ['function', 'startOfWeek', '/docs/rules#function-startOfWeek'],
    ['page', 'If-None-Match', '/docs/writes#versions'],
    ['guide', 'dry run', '/docs/guides/safe-writes#dry-runs'],
    ['guide', 'optimistic locking', '/docs/guides/safe-writes'],
    ['guide', 'monitoring', '/docs/guides/metrics'],
    ['guide', 'authentication', '/docs/guides/api#authentication'],
    ['guide', 'pagination', '/docs/guides/api#pagination'],
    ['guide', 'computed field', '/docs/guides/computed-fields'],
  ])('finds a %s', async (kind, text, address) => {
    const page = await open('/docs/map');
    await page.fill('#search', text);
    await page.locator(`#hits [data-kind="${kind}"] [role=option]`).first().click();
    await page.waitForURL(`**${address}`);
    expect(await page.locator(`[id="${address.split('#')[1] ?? 'content'}"]`).isVisible()).toBe(true);
  });

  it('answers what newcomers type among the first three, slips of letters included', async () => {
    const page = await open('/docs/map');
    await page.focus('#search');
    await page.fill('#search', 'pagination');
    await page.waitForSelector('#hits [role=option]');
    const firstThree = async (text: string): Promise<(string | undefined)[]> => {
      await page.fill('#search', text);
      // What was shown for the text before is gone once the list has been written anew.
      await page.evaluate('new Promise((done) => setTimeout(done))');
      return page.$$eval('#hits [role=option]', (items) => items.slice(0, 3).map((item) => item.dataset['address']));
    };
    const astray: string[] = [];
    for (const [text, place] of asked) {
      const found = await firstThree(text);
      if (!found.includes(`/docs/${place}`)) astray.push(`${text}: ${found.join(', ')} instead of ${place}`);
    }
    expect(astray).toEqual([]);
    await page.fill('#search', 'wombat pagination');
    await expect
      .poll(() => page.textContent('.hits .count'))
      .toMatch(/^No results for all words of “wombat pagination”. Closest results: \d+ results$/);
  });

  it('opens the search with Ctrl-K wherever one writes, and forgives a letter', async () => {
    const page = await open('/docs/groups/job-title/create');
    await page.focus('textarea');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('stattus');
    await expect
      .poll(() => page.textContent('.hits .count'))
      .toMatch(/^No results for “stattus”. Results for “status”: \d+ results$/);
    expect(await page.textContent('#hits [aria-selected=true]')).toMatch(/status/i);
    await page.fill('#search', 'invioce');
    await expect.poll(() => page.textContent('#hits [aria-selected=true] .title')).toBe('Invoice');
  });

  it('says so when the search finds nothing, and closes it on Escape', async () => {
    const page = await open('/docs/groups');
    await page.fill('#search', 'xyzzy <b>');
    await expect
      .poll(() => page.textContent('.hits .count'))
      .toBe('No results for “xyzzy <b>”. Try other words, or a single word such as “filter” or “error”.');
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

  it('switches areas of the map off, finds a group on it, and shows all of it on paper', async () => {
    const page = await open('/docs/map');
    const shown = () => page.locator('#map .node:visible').count();
    const all = await shown();
    await page.click('.switches summary');
    await page.uncheck('.switches input[value="Billing"]');
    expect(await shown()).toBeLessThan(all);
    expect(await page.locator('.node[data-name="invoice"]').isVisible()).toBe(false);
    expect(await page.locator('.edges path[data-to="invoice"]:visible').count()).toBe(0);
    await page.click('.switches [data-areas="all"]');
    expect(await shown()).toBe(all);
    await page.fill('.seek input', 'credit n');
    expect(await page.locator('.node.match').count()).toBe(1);
    await page.press('.seek input', 'Enter');
    expect(await page.evaluate('document.activeElement.dataset.name')).toBe('credit-note');
    const part = await page.getAttribute('#map', 'viewBox');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const whole = await page.getAttribute('#map', 'viewBox');
    expect(whole).not.toBe(part);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.getAttribute('#map', 'viewBox')).toBe(part);
  });

  it('reads the map on a phone: its letters are as large as those of the page', async () => {
    const page = await open('/docs/map', { ...phone, viewport: { width: 390, height: 800 } });
    const height = await page.evaluate<number>("document.querySelector('.node text').getBoundingClientRect().height");
    expect(height).toBeGreaterThan(12);
  });

  it('takes a token that is valid, keeps it for the tab, and forgets it when told to', async () => {
    const page = await open('/docs');
    const stores = () =>
      page.evaluate<string[]>('[JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie]');
    await giveToken(page, 'praxis_wrong');
    await expect.poll(() => page.textContent('dialog .warning')).toBe('The access token is not valid.');
    // The browser itself reports the answer 401 as an error.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    expect(await barriers(page)).toEqual([]);
    await page.fill('dialog input', accessToken);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.top .token.has');
    expect((await stores())[0]).toContain(accessToken);
    expect((await stores()).slice(1)).toEqual(['{}', '']);
    await page.goto(`${origin}/docs/groups/payment-term`);
    await page.waitForSelector('.records table');
    expect(await page.locator('.records tbody tr').count()).toBeGreaterThan(0);
    await page.click('.top .token');
    await page.click('dialog [data-act="forget"]');
    expect((await stores())[0]).toBe('{}');
    expect(await page.isVisible('.records table')).toBe(false);
  });

  it('tries a write until its switch is turned, does it once, and only tries again', async () => {
    const page = await open('/docs/groups/job-title');
    await page.click('.operations >> text=Create');
    const writes = writesOf(page);
    const answer = page.locator('.got');
    await page.fill('.send textarea', '{"name": "Gardener"}');
    // Without a token it asks for one, and sends nothing.
    await page.click('[data-act="send"]');
    await page.fill('dialog input', accessToken);
    await page.click('dialog [data-act="keep"]');
    await page.waitForSelector('.top .token.has');
    expect(writes).toEqual([]);
    await page.click('[data-act="send"]');
    await expect.poll(() => answer.textContent()).toContain('dry run, nothing saved');
    expect(await answer.textContent()).toContain('Gardener');
    expect(await page.textContent('[data-language="curl"] code')).toContain("-H 'Prefer: tx=rollback'");
    expect(await page.textContent('[data-language="ts"] code')).toContain('{ dryRun: true }');
    await page.uncheck('[name="trial"]');
    expect(await page.textContent('[data-act="send"]')).toBe('Send request');
    expect(await page.textContent('[data-language="curl"] code')).not.toContain('Prefer');
    expect(await barriers(page)).toEqual([]);
    await page.click('[data-act="send"]');
    await expect.poll(() => answer.textContent()).not.toContain('nothing saved');
    expect(await answer.locator('.status').textContent()).toBe('200');
    expect(await page.isChecked('[name="trial"]')).toBe(true);
    await page.screenshot({ path: join(artefacts, 'try-it-out.png') });
    await page.click('[data-act="send"]');
    await expect.poll(() => answer.textContent()).toContain('A Job Title with the same name already exists.');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    expect(writes.map(({ headers }) => headers['prefer'])).toEqual(['tx=rollback', undefined, 'tx=rollback']);
    // A page that comes back comes back as it was made.
    await page.uncheck('[name="trial"]');
    await page.reload();
    expect(await page.isChecked('[name="trial"]')).toBe(true);
  });

  it('fills in ids of the workspace, the tag of a record and a key; Enter sends no write', async () => {
    const page = await open('/docs/groups/payment-term/update');
    await giveToken(page);
    const writes = writesOf(page);
    const known = await page.waitForSelector('#ids option', { state: 'attached' });
    expect(await page.inputValue('[name="id"]')).toBe(await known.getAttribute('value'));
    await page.click('[data-act="record"]');
    await expect.poll(() => page.inputValue('.send textarea')).not.toContain('Example');
    expect(JSON.parse(await page.inputValue('.send textarea'))).toMatchObject({ name: expect.stringMatching(/\w/) });
    await page.click('.terms summary');
    await page.click('[data-act="tag"]');
    await expect.poll(() => page.inputValue('[name="ifMatch"]')).toMatch(/^"0-/);
    await page.click('[data-act="key"]');
    expect(await page.inputValue('[name="key"]')).toMatch(/^[0-9a-f]{32}$/);
    await page.press('[name="key"]', 'Enter');
    await page.fill('.send textarea', '{"name": "Later"}');
    await page.click('[data-act="send"]');
    await expect.poll(() => page.textContent('.got')).toContain('Later');
    expect(writes.length).toBe(1);
    expect(writes[0]?.headers).toMatchObject({ 'if-match': expect.stringMatching(/^"0-/), prefer: 'tx=rollback' });
    expect(writes[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    const script = (await page.textContent('[data-language="ts"] code')) ?? '';
    expect(script).toContain(`praxis.paymentTerms.update('${await known.getAttribute('value')}', {`);
    expect(script).toMatch(
      /name: "Later"\s*}, { ifMatch: '"0-[^']+"', idempotencyKey: '[0-9a-f]{32}', dryRun: true }\);/,
    );
  });

  it('lists with parameters, and tries a delete', async () => {
    const page = await open('/docs/groups/payment-term/list');
    await giveToken(page);
    await page.fill('[name="value"]', '1');
    await page.press('[name="value"]', 'Enter');
    await expect.poll(() => page.textContent('.got')).toContain('"hasMore": true');
    expect(await page.textContent('[data-language="ts"] code')).toContain('praxis.paymentTerms.list({ limit: 1 });');
    await page.click('.operations >> text=Delete');
    await page.waitForSelector('#ids option', { state: 'attached' });
    await page.click('[data-act="send"]');
    await expect.poll(() => page.textContent('.got')).toContain('"deletes"');
  });

  it('tries a batch', async () => {
    const page = await open('/docs/writes');
    await giveToken(page);
    const body = { operations: [{ method: 'POST', path: '/job-titles', body: { name: 'Baker' }, as: 'made' }] };
    await page.fill('textarea', JSON.stringify(body));
    await page.click('[data-act="send"]');
    await expect.poll(() => page.textContent('.got')).toContain('Baker');
    expect(await page.textContent('.got')).toContain('dry run, nothing saved');
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
