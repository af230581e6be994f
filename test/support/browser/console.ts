// The console in a browser, on a service that runs: signed in, and watched for what must not happen on any of its pages.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../../src/app/serve.ts';
import { readConfig } from '../../../src/config.ts';
import { praxis as runPraxis } from '../commands/praxis-line.ts';
import { accessToken, folders } from '../service/praxis.ts';
import { chromiumPath, startBrowser } from './browser.ts';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export const desktop = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Each screen and each theme once: what is wide hangs on the screen alone, and contrast on the theme. */
export const looks = [
  { look: 'desktop-dark', options: { ...desktop, colorScheme: 'dark' } },
  { look: 'phone-light', options: { ...phone, colorScheme: 'light' } },
] as const;

export type ShownRecord = Readonly<Record<string, unknown>> & { readonly id: string };

export class ConsolePages {
  readonly origin: string;
  readonly #browser: Browser;
  readonly #complaints: string[] = [];

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.origin = origin;
  }

  /** A page, signed in unless the token is null; what goes wrong on it from now on is a complaint. */
  async open(
    path: string,
    options: BrowserContextOptions = desktop,
    token: string | null = accessToken,
  ): Promise<Page> {
    const context = await this.#browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
    );
    if (token !== null) await page.addInitScript(`sessionStorage.setItem('praxis.token', '${token}')`);
    page.on('console', (message) => message.type() === 'error' && this.#complaints.push(`${path}: ${message.text()}`));
    page.on('pageerror', (error) => this.#complaints.push(`${path}: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isOurs = url.origin === this.origin || url.protocol === 'data:' || url.protocol === 'blob:';
      if (!isOurs) this.#complaints.push(`${path} asks ${request.url()}`);
      if (isOurs && url.href.includes('token')) this.#complaints.push(`${path}: a token stands in ${url.href}`);
    });
    await page.goto(this.origin + path);
    return page;
  }

  /** What the browser itself reports of an answer that a test has asked for. */
  expectStatus(status: number): void {
    expect(this.#complaints.splice(0)).toEqual([expect.stringContaining(`status of ${status}`)]);
  }

  async call(method: string, path: string, body?: object): Promise<ShownRecord & { readonly results: ShownRecord[] }> {
    const answer = await fetch(`${this.origin}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return JSON.parse(text === '' ? '{}' : text);
  }

  /** All records of a list. @param path With a query, or `?`. */
  async all(path: string): Promise<readonly ShownRecord[]> {
    const records: ShownRecord[] = [];
    for (;;) {
      const last = records.at(-1);
      const cursor = last === undefined ? '' : `&startingAfter=${last.id}`;
      const { results, hasMore } = await this.call('GET', `${path}&limit=100${cursor}`);
      records.push(...results);
      if (hasMore !== true) return records;
    }
  }

  /** Closes all pages. @throws Error with all complaints */
  async end(): Promise<void> {
    for (const context of this.#browser.contexts()) await context.close();
    expect(this.#complaints.splice(0)).toEqual([]);
  }
}

/** All barriers that axe finds, whatever their weight. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 4).map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Pixels by which a page is wider than the screen. */
export const excessOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** What the address bar says, without the host. */
export const addressOf = (page: Page): string => page.url().replace(/^https?:\/\/[^/]+/, '');

/** Serves two months of the demo workspace out of a file in a folder. */
export async function startDemo(folder: string): Promise<RunningPraxis> {
  const DATABASE_URL = `sqlite:${join(folder, 'demo.sqlite')}`;
  expect(await runPraxis('demo --months 2 --until 2026-09-15', { DATABASE_URL })).toMatchObject({ code: 0 });
  const environment = { PORT: '0', DATABASE_URL, RESOURCES: folders.product, ACCESS_TOKEN: accessToken };
  return startPraxis(readConfig(environment), pino({ level: 'silent' }));
}

interface Demo {
  readonly at: ConsolePages;
  readonly browser: Browser;
  readonly folder: string;
}

/**
 * Opens the demo in a browser for the tests of a describe, and closes both behind them.
 * @param name Of the folder of its files. @param take Is handed it before the first test.
 */
export function openDemo(name: string, take: (demo: Demo) => void): void {
  const closing: (() => Promise<void> | void)[] = [];
  let at: ConsolePages;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), `praxis-${name}-`));
    closing.unshift(() => rmSync(folder, { recursive: true, force: true }));
    const browser = await startBrowser(chromiumPath() ?? '');
    closing.unshift(() => browser.close());
    const praxis = await startDemo(folder);
    closing.unshift(() => praxis.stop());
    at = new ConsolePages(browser, new URL(praxis.address).origin);
    take({ at, browser, folder });
  }, 240_000);
  afterAll(async () => {
    for (const close of closing) await close();
  });
  afterEach(() => at.end());
}
