// The log of changes in the console, in a browser: histories, undo, what is new, and what others write while one looks.
import { pino } from 'pino';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import { addressOf, barriersOf, ConsolePages, excessOf, looks } from '../support/browser/console.ts';
import { accessToken, folders } from '../support/service/praxis.ts';

const executablePath = chromiumPath();
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });
const entries = (page: Page): Locator => page.locator('.past-list > .past-entry');

describe.skipIf(executablePath === undefined)('the log of changes in the console', { timeout: 90_000 }, () => {
  let browser: Browser;
  let praxis: RunningPraxis;
  let at: ConsolePages;
  const environment = { PORT: '0', RESOURCES: folders.product, ACCESS_TOKEN: accessToken, CHANGES: '90d' };
  beforeAll(async () => {
    browser = await startBrowser(executablePath ?? '');
    praxis = await startPraxis(
      readConfig({ ...environment, DATABASE_URL: 'sqlite::memory:' }),
      pino({ level: 'silent' }),
    );
    at = new ConsolePages(browser, new URL(praxis.address).origin);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await praxis?.stop();
  });
  afterEach(() => at.end());

  const client = async (name: string) => (await at.call('POST', '/clients', { name, currency: 'EUR' })).id;

  it('tells who changed what and when, and all that the write brought about', async () => {
    const id = await client('Acme');
    const invoice = await at.call('POST', '/invoices', {
      clientId: id,
      currency: 'EUR',
      lines: [{ description: 'Work', quantity: 2, rate: 50 }],
    });
    await at.call('PATCH', `/invoices/${invoice.id}`, { notes: 'Thank you', poNumber: 'PO-7' });
    const page = await at.open(`/console/invoices/${invoice.id}`);
    await page.getByRole('button', { name: 'History' }).click();
    await soon(() => addressOf(page)).toBe(`/console/invoices/${invoice.id}?_tab=history`);
    await soon(() => entries(page).count()).toBe(2);
    const newest = entries(page).first();
    expect(await newest.locator('.past-head').textContent()).toContain(
      'Token “ACCESS_TOKEN” changed PO number and notes',
    );
    expect(await newest.locator('tbody tr').allTextContents()).toEqual(['PO number–PO-7', 'Notes–Thank you']);
    const first = entries(page).nth(1);
    await first.locator('summary').click();
    await first.getByText('Quantity').waitFor();
    expect(await first.locator('tbody').textContent()).toContain('Rate €50.00');
    // The form is as it was left.
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await at.call('PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' });
    const payment = await at.call('POST', '/payments', {
      clientId: id,
      amount: 100,
      invoices: [{ id: invoice.id, amount: 100 }],
    });
    await page.goto(`${at.origin}/console/payments/${payment.id}?_tab=history`);
    await entries(page).first().getByRole('button', { name: 'Everything this changed' }).click();
    const others = page.locator('.past-inside .past-entry');
    await others.first().locator('tbody').waitFor();
    expect(await others.first().locator('.past-head').textContent()).toContain(`invoice ${invoice['number']}`);
    expect(await others.first().locator('tbody').textContent()).toContain('IssuedPaid');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('tells of what is in an object its fields', async () => {
    const clientId = await client('With a budget');
    const project = await at.call('POST', '/projects', {
      ...{ name: 'Budgeted', clientId, billingTypeId: 'tm', useBudget: true, budgetMode: 'summary' },
      budget: { servicesRevenue: 1000 },
    });
    await at.call('PATCH', `/projects/${project.id}`, { budget: { servicesRevenue: 1500 } });
    const page = await at.open(`/console/projects/${project.id}?_tab=history`);
    const changed = entries(page).first().locator('tbody tr');
    await changed.first().waitFor();
    expect(await changed.allTextContents()).toContain('Budget: services revenue€1,000.00€1,500.00');
  });

  it('takes back a write, which is tried first, and says what stands in the way', async () => {
    const id = await client('Before');
    await at.call('PATCH', `/clients/${id}`, { name: 'After' });
    const page = await at.open(`/console/clients/${id}?_tab=history`);
    await entries(page).first().getByRole('button', { name: 'Undo …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Calculated values update automatically. No conflicts found.').waitFor();
    expect((await at.call('GET', `/clients/${id}`))['name']).toBe('After');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await entries(page).first().getByText('undid a change of').waitFor();
    expect((await at.call('GET', `/clients/${id}`))['name']).toBe('Before');
    await page.getByRole('heading', { name: 'History of Before' }).waitFor();
    // It can be undone once.
    await entries(page).nth(1).getByRole('button', { name: 'Undo …' }).click();
    await dialog.getByText('The write has been undone.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    at.expectStatus(409);
  });

  it('shows what is new, and goes on as others write', async () => {
    const id = await client('First');
    const page = await at.open('/console');
    await page.getByRole('link', { name: 'Recent changes' }).click();
    await entries(page).first().getByText('created client').waitFor();
    await at.call('PATCH', `/clients/${id}`, { name: 'Second' });
    const newest = entries(page).first();
    await soon(() => newest.locator('tbody').textContent()).toBe('NameFirstSecond');
    await newest.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
  });

  it('misses nothing that is written while what is new is read', async () => {
    const id = await client('Before');
    const page = await at.open('/console');
    await page.route(/\/api\/changes\?before=now/, async (route) => {
      const response = await route.fetch();
      await at.call('PATCH', `/clients/${id}`, { name: 'Meanwhile' });
      await route.fulfill({ response });
    });
    await page.goto(`${at.origin}/console/changes`);
    await entries(page).first().getByRole('link', { name: 'Meanwhile' }).waitFor();
    await entries(page).nth(1).getByText('created client').waitFor();
    await page.unrouteAll();
  });

  it('shows in a grid and in an open record what others write, and compares it with what is typed', async () => {
    const id = await client('Looked at');
    const grid = await at.open('/console/clients');
    await grid.locator('.grid-body').getByText('Looked at').waitFor();
    const page = await at.open(`/console/clients/${id}`);
    await page.getByRole('heading', { name: 'Looked at' }).waitFor();
    const others = [grid, page].map((one) => one.waitForRequest((request) => request.url().includes('wait=')));
    await Promise.all(others);
    await at.call('PATCH', `/clients/${id}`, { name: 'Renamed' });
    await grid.locator('.grid-body').getByText('Renamed').waitFor();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
    await at.call('PATCH', `/clients/${id}`, { name: 'Theirs' });
    await page.getByText('Another user changed this record.').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Theirs').waitFor();
    await dialog.getByRole('button', { name: 'Use these values' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await at.call('GET', `/clients/${id}`))['name']).toBe('Mine');
    const gone = await client('Going');
    await page.goto(`${at.origin}/console/clients/${gone}`);
    await page.waitForRequest((request) => request.url().includes('wait='));
    await at.call('DELETE', `/clients/${gone}`);
    await page.getByText('Another user deleted this client.').waitFor();
  });

  it.each(looks)('is without a barrier and within the screen ($look)', async ({ look, options }) => {
    const id = await client('A client of many words');
    await at.call('PATCH', `/clients/${id}`, { name: 'A client of many more words', currency: 'USD' });
    for (const [name, path] of [
      ['history', `/console/clients/${id}?_tab=history`],
      ['news', '/console/changes'],
    ]) {
      const page = await at.open(path ?? '', options);
      await entries(page).first().locator('tbody').waitFor();
      await page.screenshot({ path: `.artefacts/console-${name}-${look}.png` });
      expect(await barriersOf(page)).toEqual([]);
      expect(await excessOf(page)).toBe(0);
    }
  });
});
