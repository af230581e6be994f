// Daily work in the console, in a browser: choosing and changing rows, writing forms, finding things, reasons for what is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { chromiumPath } from '../support/browser/browser.ts';
import {
  addressOf,
  barriersOf,
  ConsolePages,
  excessOf,
  looks,
  openDemo,
  type ShownRecord,
} from '../support/browser/console.ts';

import { accessToken, folders } from '../support/service/praxis.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const executablePath = chromiumPath();
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

const rows = (page: Page): Locator => page.locator('.grid-body [role=row]');
const cell = (page: Page, row: number, label: string): Locator =>
  rows(page).nth(row).locator(`[role=gridcell][data-label="${label}"]`);
const box = (page: Page, row: number): Locator => rows(page).nth(row).locator('input.choose');
const named = (value: unknown): { readonly id: string; readonly name: string } =>
  value as { readonly id: string; readonly name: string };

describe.skipIf(executablePath === undefined)('daily work in the console', { timeout: 90_000 }, () => {
  let browser: Browser;
  let folder: string;
  let at: ConsolePages;
  openDemo('work', (demo) => {
    ({ at, browser, folder } = demo);
  });

  const first = async (list: string): Promise<ShownRecord> => {
    const { results } = await at.call('GET', list);
    if (results[0] === undefined) throw new Error(`there is none in ${list}`);
    return results[0];
  };

  describe('the grid', () => {
    it('begins with the columns that the descriptor says, and sorts by a click', async () => {
      const page = await at.open('/console/invoices');
      await rows(page).first().waitFor();
      const heads = await page.locator('[role=columnheader] .cell-text').allTextContents();
      expect(heads).toEqual(['Invoice', 'Status', 'Client', 'Issued on', 'Due on', 'Total', 'Amount due']);
      await page.locator('.grid-head').getByRole('button', { name: 'Due on' }).click();
      await soon(() => addressOf(page)).toBe('/console/invoices?sort=dueOn');
      const { results } = await at.call('GET', '/invoices?sort=dueOn&limit=40');
      await soon(() => cell(page, 0, 'Invoice').textContent()).toContain(String(results[0]?.['number']));
      await page.locator('.grid-head').getByRole('button', { name: 'Due on' }).click();
      await soon(() => addressOf(page)).toBe('/console/invoices?sort=-dueOn');
      // What cannot be sorted by does not look as if it could.
      expect(await page.locator('.grid-head').getByRole('button', { name: 'Amount due' }).count()).toBe(0);
      expect(await page.locator('[role=columnheader]', { hasText: 'Due on' }).getAttribute('aria-sort')).toBe(
        'descending',
      );
    });

    it('says its columns in the address, asks for no field that it does not show, and forty rows at a time', async () => {
      const page = await at.open('/console/time-entries?_columns=project,minutes');
      const asked = await page.waitForRequest((request) => request.url().includes('/api/time-entries?'));
      const query = new URL(asked.url()).searchParams;
      expect([query.get('limit'), query.get('fields')]).toEqual(['40', 'date,minutes,member,project']);
      await rows(page).first().waitFor();
      expect(await page.locator('[role=columnheader] .cell-text').allTextContents()).toEqual([
        'Time Entry',
        'Project',
        'Time',
      ]);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByLabel('Status', { exact: true }).check();
      await soon(() => addressOf(page)).toBe('/console/time-entries?_columns=project%2Cminutes%2CstatusId');
      const { results } = await at.call('GET', '/time-entries?limit=1');
      const minutes = Number(results[0]?.['minutes']);
      await soon(() => cell(page, 0, 'Time').textContent()).toContain(
        `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
      );
      // On a board as well.
      await page.goto(`${at.origin}/console/time-entries?_view=board`);
      await soon(() => page.locator('[data-card]').first().textContent()).toMatch(/\d:\d\d/);
    });

    it('chooses rows by a click, by a range and all that match, and tells what they come to', async () => {
      const page = await at.open('/console/invoices?currency=EUR');
      const { results } = await at.call('GET', '/invoices?currency=EUR&limit=100');
      await box(page, 0).click();
      await box(page, 2).click({ modifiers: ['Shift'] });
      const bar = page.getByRole('region', { name: 'Selected records' });
      await bar.getByText('3 selected').waitFor();
      const total = results.slice(0, 3).reduce((sum, record) => sum + Number(record['total']), 0);
      const text = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(total);
      await bar.getByText(text, { exact: true }).first().waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
      await bar.getByText(`${results.length} selected`).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('Escape');
      await soon(() => bar.count()).toBe(0);
      await page.goto(`${at.origin}/console/time-entries`);
      await box(page, 0).click();
      const all = Number((await at.call('GET', '/time-entries?limit=1&count=true'))['count']);
      await bar.getByRole('button', { name: all > 1000 ? 'The first 1,000' : `All ${all}` }).click();
      await bar.getByText(`${Math.min(all, 1000).toLocaleString('en')} selected`).waitFor();
    });

    it('changes a field of many at once, and says first which of them would be refused and why', async () => {
      const page = await at.open('/console/invoices?_columns=statusId,notes,amountPaid');
      const { results } = await at.call('GET', '/invoices?limit=40');
      const drafts = results.flatMap(({ statusId }, index) => (statusId === 'draft' ? [index] : [])).slice(0, 2);
      const paid = results.findIndex(({ statusId }) => statusId === 'paid');
      expect([drafts.length, paid >= 0]).toEqual([2, true]);
      for (const index of [...drafts, paid]) await box(page, index).click();
      await page.getByRole('button', { name: 'Change …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Field').selectOption({ label: 'Status' });
      await dialog.getByLabel('Status of all selected records').selectOption({ label: 'Issued' });
      await dialog.getByRole('button', { name: 'Check first' }).click();
      await dialog.getByText("1 of 3 can't be changed:").waitFor();
      await dialog.getByText('Status: Cannot change from “Paid” to “Issued”').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      // It was only tried.
      expect((await at.call('GET', `/invoices/${results[drafts[0] ?? 0]?.id}`))['statusId']).toBe('draft');
      await dialog.getByRole('button', { name: 'Change 2 invoices' }).click();
      await page.getByText('2 changed').waitFor();
      for (const index of drafts)
        expect((await at.call('GET', `/invoices/${results[index]?.id}`))['statusId']).toBe('issued');
      await soon(() => cell(page, drafts[0] ?? 0, 'Status').textContent()).toContain('Issued');
    });

    it('deletes many, and says first what holds the others', async () => {
      const client = named((await first('/invoices?limit=1'))['client']);
      await at.call('POST', '/clients', { name: `${client.name}, nobody knows it` });
      const page = await at.open(`/console/clients?nameContains=${encodeURIComponent(client.name)}`);
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
      await page.getByRole('button', { name: 'Delete …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText("1 of 2 can't be changed:").waitFor();
      await dialog.getByText(/The Client is in use and cannot be deleted\. Used by .*invoices?/).waitFor();
      await dialog.getByRole('button', { name: 'Delete 1 client' }).click();
      await page.getByText('1 deleted').waitFor();
      const { results } = await at.call('GET', `/clients?nameContains=${encodeURIComponent(client.name)}`);
      expect(results.map(({ id }) => id)).toEqual([client.id]);
    });

    it('edits a cell where it stands, says at it what is refused, and writes over nothing unseen', async () => {
      const { id } = await at.call('POST', '/client-tags', { name: 'In a cell' });
      await at.call('POST', '/client-tags', { name: 'Taken already' });
      const page = await at.open('/console/client-tags?_columns=name');
      const place = 1;
      await cell(page, place, 'Name').hover();
      await page.getByRole('button', { name: 'Edit Name of In a cell' }).click();
      await page.keyboard.type('Taken already');
      await page.keyboard.press('Enter');
      await page.getByText('A Client Tag with the same name already exists.').waitFor();
      at.expectStatus(409);
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Written in it');
      await page.keyboard.press('Enter');
      await soon(() => cell(page, place, 'Name').textContent()).toContain('Written in it');
      expect((await at.call('GET', `/client-tags/${id}`))['name']).toBe('Written in it');
      await page.getByRole('button', { name: 'Edit Name of Written in it' }).click({ force: true });
      await cell(page, place, 'Name').getByRole('textbox').waitFor();
      await at.call('PATCH', `/client-tags/${id}`, { name: 'By somebody else' });
      await page.keyboard.type('Mine');
      await page.keyboard.press('Enter');
      await page.getByText('Another user changed this value').waitFor();
    });

    it('shows what others write while one looks, and says that others have been added', async () => {
      const { id } = await at.call('POST', '/contact-tags', { name: 'Before' });
      const page = await at.open('/console/contact-tags');
      await rows(page).first().getByText('Before').waitFor();
      await at.call('PATCH', `/contact-tags/${id}`, { name: 'After' });
      // As whoever comes back to the window.
      const look = () => page.evaluate("dispatchEvent(new Event('focus'))");
      await look();
      await rows(page).first().getByText('After').waitFor();
      await at.call('POST', '/contact-tags', { name: 'One more' });
      await look();
      await page.getByRole('button', { name: 'New records. Refresh' }).click();
      await rows(page).first().getByText('One more').waitFor();
    });

    it('goes by keys from the start, and has the focus again on the way back', async () => {
      const page = await at.open('/console/invoices?statusId=issued');
      // Keys are taken as soon as the page is there, its rows or not.
      await page.locator('.group-page').waitFor();
      await page.keyboard.press('j');
      await rows(page).first().waitFor();
      await page.keyboard.press('ArrowDown');
      const { results } = await at.call('GET', '/invoices?statusId=issued&limit=3');
      await page.keyboard.press('Enter');
      await soon(() => addressOf(page)).toBe(`/console/invoices/${results[2]?.id}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
      await page.keyboard.press('e');
      await soon(() => page.evaluate('document.activeElement?.tagName')).toMatch(/INPUT|SELECT|TEXTAREA/);
      await page.keyboard.press('Escape');
      await soon(() => page.evaluate('document.activeElement?.textContent')).toBe('Edit');
      await page.goBack();
      await rows(page).first().waitFor();
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await soon(() => addressOf(page)).toBe(`/console/invoices/${results[1]?.id}`);
    });

    it('stands on paper, row by row', async () => {
      const page = await at.open('/console/clients');
      await rows(page).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      const boxes = await Promise.all([0, 1].map((nth) => rows(page).nth(nth).boundingBox()));
      expect(boxes[0]?.height).toBeGreaterThan(10);
      expect(boxes[1]?.y).toBeCloseTo((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0), 0);
      const height = (await page.locator('.grid').boundingBox())?.height;
      expect(height).toBeGreaterThan(10 * (boxes[0]?.height ?? 0));
      expect(await page.getByRole('button', { name: 'New client' }).isVisible()).toBe(false);
    });

    it('saves all of a list as values for programs', async () => {
      const page = await at.open('/console/invoices?statusId=paid');
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const lines = readFileSync(await download.path(), 'utf8')
        .replace('\ufeff', '')
        .split('\r\n');
      const { results } = await at.call('GET', '/invoices?statusId=paid&limit=100');
      expect(lines.filter((line) => line !== '')).toHaveLength(results.length + 1);
      // The oldest comes first.
      const invoice = results.at(-1);
      expect(lines[1]).toBe(
        [
          ...[invoice?.id, invoice?.['number'], 'paid', invoice?.['issuedOn'], invoice?.['dueOn']],
          ...[
            invoice?.['total'],
            invoice?.['amountDue'],
            named(invoice?.['client']).id,
            named(invoice?.['client']).name,
          ],
        ].join(','),
      );
    });

    it('saves all of a list as JSON, takes it in again as a table, and says what is refused before it is written', async () => {
      await at.call('POST', '/industries', { name: 'Basket weaving' });
      const page = await at.open('/console/industries');
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export JSON' }).click(),
      ]);
      const { results } = await at.call('GET', '/industries?limit=100');
      const records = JSON.parse(readFileSync(await saved.path(), 'utf8')) as ShownRecord[];
      expect(records.map(({ id }) => id)).toEqual(results.map(({ id }) => id).reverse());

      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const table = 'Name;In use;Remark\nGlass blowing;true;a\nHorn carving;perhaps;b\n';
      const file = { name: 'industries.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
      await dialog.getByLabel('Choose a CSV, JSON or NDJSON file.').setInputFiles(file);
      expect(await dialog.getByLabel('Name: import as').inputValue()).toBe('name');
      expect(await dialog.getByLabel('Remark: import as').inputValue()).toBe('');
      await dialog.getByLabel('In use: import as').selectOption('isActive');
      await dialog.getByRole('button', { name: 'Check first' }).click();
      await dialog.getByText('1 to create, 0 to change, 1 refused.').waitFor();
      await dialog.getByText("Line 3: 'isActive'").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect((await at.call('GET', '/industries?name=Glass%20blowing')).results).toEqual([]);
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await dialog.getByText('1 created, 0 changed, 1 refused.').waitFor();
      expect((await at.call('GET', '/industries?name=Glass%20blowing')).results).toMatchObject([{ isActive: true }]);
      const [refused] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Save the refused rows' }).click(),
      ]);
      expect(readFileSync(await refused.path(), 'utf8')).toMatch(
        /^\ufeffName;In use;Remark;line;errors\r\nHorn carving;/,
      );
      await page.keyboard.press('Escape');
      await rows(page).first().getByText('Glass blowing').waitFor();
    });

    it('keeps a view under a name, and forgets it', async () => {
      const page = await at.open('/console/invoices?statusId=issued&sort=dueOn');
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Save this view as').fill('To be paid');
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const address = addressOf(page);
      expect(address).toContain('statusId=issued&sort=dueOn&_columns=');
      await page.goto(`${at.origin}/console/invoices`);
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'To be paid', exact: true }).click();
      await soon(() => addressOf(page)).toBe(address);
      await page.getByRole('button', { name: 'To be paid', exact: true }).click();
      await page.getByRole('button', { name: 'Delete To be paid' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Views' }).waitFor();
    });

    it('asks for what is overdue', async () => {
      const page = await at.open('/console/invoices?statusId=issued');
      await page.getByRole('button', { name: '+ Filter' }).click();
      await page.locator('.menu').getByRole('button', { name: 'Due on' }).click();
      await page.getByRole('button', { name: 'Before today' }).click();
      await soon(() => addressOf(page)).toMatch(/statusId=issued&dueOnOnBefore=\d{4}-\d\d-\d\d$/);
    });
  });

  describe('a record', () => {
    it('takes and shows times as hours and minutes, ratios as percent, and names as people write them', async () => {
      const entry = await first('/time-entries?statusId=not_submitted&typeId=project_time&limit=1');
      const page = await at.open(`/console/time-entries/${entry.id}`);
      await page.getByRole('button', { name: 'Edit Time', exact: true }).click();
      await page.getByRole('textbox', { name: 'Time', exact: true }).fill('2:05');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      expect((await at.call('GET', `/time-entries/${entry.id}`))['minutes']).toBe(125);
      const invoice = await first('/invoices?statusId=draft&limit=1');
      await page.goto(`${at.origin}/console/invoices/${invoice.id}`);
      await page.getByRole('heading', { name: 'Money' }).waitFor();
      await page.getByText('PO number').waitFor();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Discount method').selectOption({ label: 'Percentage' });
      await page.getByLabel('Discount in percent', { exact: true }).fill('7.5');
      await page.getByText('Discount; required for “Percentage”').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('7.5 %').waitFor();
      expect((await at.call('GET', `/invoices/${invoice.id}`))['discountRatio']).toBe(0.075);
    });

    it('offers a state that cannot follow with the reason, and colours those that end by how they end', async () => {
      const paid = (await at.call('GET', '/invoices?statusId=issued&limit=100')).results.find(
        ({ amountPaid }) => Number(amountPaid) > 0,
      );
      const invoice = paid ?? (await withPayment());
      const page = await at.open(`/console/invoices/${invoice.id}`);
      const button = page.getByRole('button', { name: '→ Draft' });
      await soon(() => button.getAttribute('aria-disabled')).toBe('true');
      expect(await button.getAttribute('title')).toMatch(/^Only possible while Amount paid is 0/);
      expect(await barriersOf(page)).toEqual([]);
      await page.goto(`${at.origin}/console/invoices?statusId=void`);
      await page.locator('.state.tone-ended', { hasText: 'Void' }).first().waitFor();
      const project = await first('/projects?limit=1');
      await page.goto(`${at.origin}/console/projects/${project.id}`);
      await page.locator('.record-title .state').first().waitFor();
    });

    async function withPayment(): Promise<ShownRecord> {
      const invoice = await first('/invoices?statusId=issued&limit=1');
      const body = {
        clientId: named(invoice['client']).id,
        currency: invoice['currency'],
        amount: 1,
        invoices: [{ id: invoice.id, amount: 1 }],
      };
      await at.call('POST', '/payments', body);
      return invoice;
    }

    it('says of a refused delete what refers to the record, and leads there', async () => {
      const client = named((await first('/invoices?limit=1'))['client']);
      const page = await at.open(`/console/clients/${client.id}`);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Delete …' }).click();
      const dialog = page.getByRole('dialog');
      const link = dialog.getByRole('link', { name: /invoices?$/ });
      await link.waitFor();
      at.expectStatus(409);
      expect(await link.getAttribute('href')).toBe(`/console/invoices?clientId=${client.id}`);
    });

    it('tells where a figure comes from in its currency and in words', async () => {
      const invoice = (await at.call('GET', '/invoices?currency=EUR&limit=1')).results[0];
      const page = await at.open(`/console/invoices/${invoice?.id}`);
      await page.getByRole('button', { name: 'How Subtotal is computed' }).click();
      const panel = page.getByRole('dialog');
      await panel.getByText('the sum of the amounts of all lines').first().waitFor();
      await panel.getByText('Lines 1').waitFor();
      const lines = invoice?.['lines'] as { readonly amount: number }[];
      const text = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(lines[0]?.amount ?? 0);
      await panel.getByText(text).first().waitFor();
    });

    it('makes one payment of several invoices', async () => {
      const { results } = await at.call('GET', '/invoices?statusId=issued&limit=100');
      const byClient = Map.groupBy(results, ({ client, currency }) => `${named(client).id} ${currency}`);
      const [some = []] = [...byClient.values()].toSorted((a, b) => b.length - a.length);
      const page = await at.open(
        `/console/invoices?statusId=issued&clientId=${named(some[0]?.['client']).id}&currency=${some[0]?.['currency']}`,
      );
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
      await page.getByRole('link', { name: 'Create payment from these' }).click();
      await page.getByRole('button', { name: 'Create payment' }).click();
      await page.getByText('Payment saved').waitFor();
      for (const { id } of some) expect((await at.call('GET', `/invoices/${id}`))['statusId']).toBe('paid');
    });
  });

  it('finds a record by its number, and says where it finds nothing', async () => {
    const invoice = await first('/invoices?limit=1');
    const page = await at.open('/console');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).waitFor();
    await page.keyboard.type('no such thing at all');
    await page.getByText('No results for “no such thing at all”.').waitFor();
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill(String(invoice['number']));
    await page.getByRole('option', { name: String(invoice['number']) }).click();
    await soon(() => addressOf(page)).toBe(`/console/invoices/${invoice.id}`);
  });

  it('draws a year of time out of sums, and the workspace at a glance out of few requests', async () => {
    const page = await at.open('/console');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname));
    await page.goto(`${at.origin}/console/time-entries?_view=chart&_by=project`);
    await page.locator('.bars').first().waitFor();
    expect(asked.filter((path) => path.endsWith('/time-entries'))).toEqual(['/api/summary/time-entries']);
    asked.length = 0;
    await page.goto(`${at.origin}/console`);
    for (let top = 0; top < 6000; top += 600)
      await page.locator('.main').evaluate(`(main) => main.scrollTo(0, ${top})`);
    await page.waitForLoadState('networkidle');
    expect(asked.length).toBeLessThan(60);
  });

  it('moves an opportunity from stage to stage on a board', async () => {
    const opportunity = await first('/opportunities?limit=1');
    const stage = named(opportunity['opportunityStage']);
    const page = await at.open('/console/opportunities?_view=board');
    const card = page.locator(`[data-card="${opportunity.id}"]`);
    await card.waitFor();
    const titles = await page.locator('.board-column h2').allTextContents();
    expect(titles.length).toBeGreaterThan(3);
    await card.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await soon(
      async () => named((await at.call('GET', `/opportunities/${opportunity.id}`))['opportunityStage']).id,
    ).not.toBe(stage.id);
    expect(await barriersOf(page)).toEqual([]);
  });

  describe('a project of its own', () => {
    let own: RunningPraxis;
    let desk: ConsolePages;
    beforeAll(async () => {
      const environment = {
        ...{ PORT: '0', DATABASE_URL: 'sqlite::memory:', FILES: join(folder, 'files') },
        ...{ RESOURCES: folders.files, ACCESS_TOKEN: accessToken },
      };
      own = await startPraxis(readConfig(environment), pino({ level: 'silent' }));
      desk = new ConsolePages(browser, new URL(own.address).origin);
    }, 60_000);
    afterAll(() => own?.stop());
    afterEach(() => desk.end());

    it('shares a view where the project has a group for them', async () => {
      const page = await desk.open('/console/expenses?nameContains=lunch');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Save this view as').fill('Lunches');
      await page.getByLabel('for everyone').check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await soon(async () => (await desk.call('GET', '/desk-views')).results.length).toBe(1);
      // Somebody else, in another browser.
      const other = await desk.open('/console/expenses');
      await other.getByRole('button', { name: 'Views' }).click();
      await other.getByText('Shared with everyone').waitFor();
      expect(await barriersOf(other)).toEqual([]);
      await other.getByRole('button', { name: 'Lunches', exact: true }).click();
      await soon(() => addressOf(other)).toContain('/console/expenses?nameContains=lunch&_columns=');
      await other.getByRole('button', { name: 'Lunches', exact: true }).click();
      await other.getByRole('button', { name: 'Delete Lunches' }).click();
      await soon(async () => (await desk.call('GET', '/desk-views')).results.length).toBe(0);
    });

    it('calls a record by all parts of its name, those behind references too', async () => {
      const expense = await desk.call('POST', '/expenses', { name: 'Travel' });
      const response = await fetch(`${desk.origin}/api/files`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'text/plain' },
        body: 'Signed.',
      });
      const { id: documentId } = (await response.json()) as ShownRecord;
      const contract = await desk.call('POST', '/contracts', { title: 'Frame', documentId });
      const { id } = await desk.call('POST', '/proofs', { contractId: contract.id, expenseId: expense.id });
      const page = await desk.open('/console/proofs');
      await rows(page).first().getByText('Frame for Travel').waitFor();
      await page.goto(`${desk.origin}/console/proofs/${id}`);
      await page.getByRole('heading', { name: 'Frame for Travel' }).waitFor();
    });

    it('uploads the file of a field, alone and among others, and gives it back', async () => {
      const page = await desk.open('/console/expenses/new');
      await page.getByLabel('Name', { exact: true }).fill('Lunch');
      const receipt = { name: 'lunch.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') };
      await page.getByLabel('Receipt', { exact: true }).setInputFiles(receipt);
      await page.getByRole('button', { name: 'Remove the file' }).waitFor();
      for (const name of ['one.txt', 'two.txt']) {
        await page.getByLabel('Notes').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
        await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
      }
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create expense' }).click();
      await page.getByRole('heading', { name: 'Lunch' }).waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'lunch.pdf' }).click(),
      ]);
      expect([saved.suggestedFilename(), readFileSync(await saved.path()).equals(receipt.buffer)]).toEqual([
        'lunch.pdf',
        true,
      ]);
      await page.getByRole('button', { name: 'two.txt' }).waitFor();
      // What the field does not take is told at it.
      await page.getByRole('button', { name: 'Edit Receipt' }).click();
      await page.getByText('lunch.pdf').waitFor();
      await page
        .getByLabel('Receipt', { exact: true })
        .setInputFiles({ name: 'lunch.txt', mimeType: 'text/plain', buffer: Buffer.from('soup') });
      await page.getByText('lunch.txt').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Must be a PDF or an image').first().waitFor();
      desk.expectStatus(400);
    });
  });

  it.each(looks)('shows what is new without a barrier and within the screen ($look)', async ({ look, options }) => {
    const page = await at.open('/console/invoices', options);
    await rows(page).first().waitFor();
    for (const nth of [0, 1]) await box(page, nth).click();
    await page.getByRole('region', { name: 'Selected records' }).waitFor();
    const shot = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(artefacts, `work-${name}-${look}.png`) });
      expect(await excessOf(page), name).toBeLessThanOrEqual(0);
      expect(await barriersOf(page), name).toEqual([]);
    };
    await shot('chosen');
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByRole('button', { name: 'Check first' }).click();
    await page
      .getByRole('dialog')
      .getByText(/can't be changed/)
      .waitFor();
    await shot('change');
    await page.goto(`${at.origin}/console/opportunities?_view=board`);
    await page.locator('[data-card]').first().waitFor();
    await shot('stages');
    await page.goto(`${at.origin}/console/time-entries/new`);
    await page.getByRole('button', { name: 'Create time entry' }).click();
    await page.locator('.refused').waitFor();
    at.expectStatus(400);
    await shot('form');
  });
});
