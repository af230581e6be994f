// Finding and bringing in, in the console: what Ctrl-K leads to, what the bars of a chart lead to, imports that go on after a break.
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser/browser.ts';
import {
  addressOf,
  barriersOf,
  type ConsolePages,
  desktop,
  excessOf,
  looks,
  openDemo,
  type ShownRecord,
} from '../support/browser/console.ts';
import { accessToken } from '../support/service/praxis.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const executablePath = chromiumPath();
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });
const rows = (page: Page): Locator => page.locator('.grid-body [role=row]');
const hits = (page: Page): Locator => page.getByRole('listbox', { name: 'Results' }).getByRole('option');
const named = (records: readonly ShownRecord[], beginning: string) =>
  records.filter(({ name }) => String(name).startsWith(beginning));
const csv = (name: string, lines: readonly string[]) => ({
  ...{ name, mimeType: 'text/csv' },
  buffer: Buffer.from(`${lines.join('\n')}\n`),
});

describe.skipIf(executablePath === undefined)('finding in the console', { timeout: 90_000 }, () => {
  let at: ConsolePages;
  openDemo('find', (demo) => {
    at = demo.at;
  });

  const search = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill(text);
  };

  it('shows with Ctrl-K what was opened last, until one signs out', async () => {
    const { results } = await at.call('GET', '/clients?limit=2');
    const page = await at.open('/console');
    for (const { id, name } of results) {
      await page.goto(`${at.origin}/console/clients/${id}`);
      await page.getByRole('heading', { name: String(name) }).waitFor();
    }
    await search(page, '');
    const names = results.map(({ name }) => String(name)).toReversed();
    await soon(async () => (await hits(page).locator('.title').allTextContents()).slice(0, 2)).toEqual(names);
    expect(await barriersOf(page)).toEqual([]);
    // Also among what is typed, and not once more as a record that was found.
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill(names[1] ?? '');
    await soon(() => hits(page).locator('.kind').first().textContent()).toBe('Recent');
    await page.waitForLoadState('networkidle');
    expect(
      await hits(page)
        .filter({ hasText: `${names[1]}Client` })
        .count(),
    ).toBe(1);
    await page.keyboard.press('Enter');
    await soon(() => addressOf(page)).toBe(`/console/clients/${results[0]?.id}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect(await page.evaluate("localStorage.getItem('praxis.recent')")).toBeNull();
  });

  it('leads from words of states and of days to the lists that they narrow', async () => {
    const page = await at.open('/console');
    await page.getByRole('heading', { name: 'Workspace', exact: true }).first().waitFor();
    await search(page, 'overdue invoices');
    await soon(() => hits(page).locator('.title').first().textContent()).toBe('Invoices: overdue');
    await page.keyboard.press('Enter');
    await soon(() => addressOf(page)).toBe('/console/invoices?dueStatusId=overdue');
    await search(page, 'overdue');
    await soon(async () => (await hits(page).locator('.title').allTextContents()).slice(0, 2).toSorted()).toEqual([
      'Invoices: overdue',
      'Tasks: overdue',
    ]);
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill('time entries last month');
    await soon(() => hits(page).locator('.title').first().textContent()).toBe('Time Entries: last month');
    await page.keyboard.press('Enter');
    await soon(() => addressOf(page)).toMatch(
      /^\/console\/time-entries\?dateOnAfter=\d{4}-\d\d-01&dateOnBefore=\d{4}-\d\d-\d\d$/,
    );
    // The name of a group alone leads to the group, and not to each of its states.
    await search(page, 'invoices');
    await soon(() => hits(page).locator('.title').first().textContent()).toBe('Invoices');
    expect(await hits(page).locator('.title', { hasText: 'Invoices:' }).count()).toBe(0);
    // Where a list cannot be narrowed so, to the group at least.
    await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill('overdue payments');
    await soon(() => hits(page).locator('.title').first().textContent()).toMatch(/^Payment/);
  });

  it('tells units along the axis of a chart, and leads from a bar and its parts to what they count', async () => {
    const marks = (page: Page) => page.locator('.bars').first().locator('.rule text').allTextContents();
    const page = await at.open('/console/invoices?currency=EUR&_view=chart&_by=client&_to=2026-09');
    await page.locator('.bars .stack rect').first().waitFor();
    for (const mark of await marks(page)) expect(mark).toMatch(/^€[\d.]+[kKM]?$/);
    const all = await at.all('/invoices?currency=EUR&issuedOnOnAfter=2026-08-01&issuedOnOnBefore=2026-08-31');
    // A part of a bar is the month of one client.
    const part = page.locator('.bars a[aria-label^="Aug 2026"][tabindex="-1"]').first();
    const href = new URLSearchParams((await part.getAttribute('href'))?.split('?')[1]);
    const of = all.filter(({ client }) => (client as { id: string }).id === href.get('clientId'));
    expect(of.length).toBeGreaterThan(0);
    await part.click({ position: { x: 2, y: 0 }, force: true });
    await page.getByText(of.length === 1 ? '1 record' : `${of.length} records`, { exact: true }).waitFor();
    expect(addressOf(page)).toContain('issuedOnOnAfter=2026-08-01&issuedOnOnBefore=2026-08-31');
    await page.goBack();
    // The ground beside it is the whole month.
    const column = page.locator('.bars a.column[aria-label^="Aug 2026"] .reach');
    await column.click({ position: { x: 1, y: 4 } });
    await page.getByText(`${all.length} records`, { exact: true }).waitFor();
    await page.goto(`${at.origin}/console/time-entries?_view=chart&_to=2026-09`);
    await page.locator('.bars .stack rect').first().waitFor();
    for (const mark of await marks(page)) expect(mark).toMatch(/^[\d,]+:\d\d$/);
    await page.goto(`${at.origin}/console/time-entries?_view=chart&_to=2026-09&_of=count`);
    await page.locator('.bars .stack rect').first().waitFor();
    for (const mark of await marks(page)) expect(mark).toMatch(/^[\d.]+[kK]?$/);
  });

  it('goes on with an import where it was, after the page was closed and after the line was lost', async () => {
    const names = Array.from({ length: 1600 }, (_, nth) => `Trade ${nth}`);
    const page = await at.open('/console/industries');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Choose a CSV, JSON or NDJSON file.')
      .setInputFiles(csv('trades.csv', ['Name;In use', ...names.map((name) => `${name};yes`)]));
    await dialog.getByLabel('In use: import as').selectOption('');
    await dialog.getByRole('button', { name: 'Check first' }).click();
    await dialog.getByText('1,600 to create, 0 to change, 0 refused.').waitFor();
    // The second half is answered by nobody.
    let count = 0;
    await page.route('**/api/batch', async (route) => {
      count += 1;
      if (count <= 2) await route.continue();
    });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('1,000 rows …').waitFor();
    await page.reload();
    await page.unroute('**/api/batch');
    await page.getByRole('button', { name: 'Continue import (1,000 rows)' }).click();
    await dialog.getByText('The import of trades.csv stopped after 1,000 rows.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    // One that is stopped by hand goes on, too.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Continue import (1,000 rows)' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('1,600 created, 0 changed, 0 refused.').waitFor();
    const kept = named(await at.all('/industries?'), 'Trade ');
    expect(kept.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  });

  it('proposes to change the records of a saved table, names ignored columns, and reads labels', async () => {
    const page = await at.open('/console/opportunities');
    const answer = await fetch(`${at.origin}/api/export/opportunities?format=csv&safe=true`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    const saved = `\ufeff${await answer.text()}`;
    const count = (await at.all('/opportunities?')).length;
    const dialog = page.getByRole('dialog');
    const choose = async (name: string, lines: readonly string[]): Promise<void> => {
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await dialog.getByLabel('Choose a CSV, JSON or NDJSON file.').setInputFiles(csv(name, lines));
    };
    const becomes = (column: string): Promise<string> =>
      dialog.getByLabel(`${column}: import as`, { exact: true }).inputValue();
    await choose('opportunities.csv', [saved]);
    await dialog.getByText('Columns that are not imported:').waitFor();
    expect(await becomes('opportunityPipeline.id')).toBe('');
    expect(await becomes('opportunityStage.name')).toBe('');
    expect(await becomes('opportunityStage.id')).toBe('opportunityStageId');
    expect(await dialog.getByLabel('Existing records').inputValue()).toBe('id');
    await dialog.getByRole('button', { name: 'Check first' }).click();
    await dialog.getByText(`0 to create, 0 to change, ${count} unchanged, 0 refused.`).waitFor();
    await dialog
      .getByText(/Columns that are not imported: .*opportunityPipeline\.id, opportunityPipeline\.name/)
      .waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${at.origin}/console/clients`);
    const [member] = (await at.call('GET', '/members?limit=1')).results;
    await choose('labels.csv', ['Name;Owner;Record status;Shoe size', `Label Ltd;${member?.['name']};Archived;7`]);
    expect(await becomes('Owner')).toBe('owner.name');
    expect(await becomes('Record status')).toBe('recordStatusId');
    await dialog.getByText('Columns that are not imported: Shoe size.').waitFor();
    await dialog.getByRole('button', { name: 'Check first' }).click();
    await dialog.getByText('1 to create, 0 to change, 0 refused.').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('1 created, 0 changed, 0 refused.').waitFor();
    await dialog.getByText('Columns that are not imported: Shoe size.').waitFor();
    const [made] = (await at.call('GET', '/clients?name=Label%20Ltd&recordStatusId=archived')).results;
    expect(made).toMatchObject({ owner: { id: member?.id }, recordStatusId: 'archived' });
  });

  it('takes records in as it has saved them, a line each or in an array', async () => {
    const page = await at.open('/console/industries');
    const taken = async (name: string, text: string): Promise<void> => {
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
      await dialog.getByLabel('Choose a CSV, JSON or NDJSON file.').setInputFiles(file);
      await dialog.getByRole('button', { name: 'Check first' }).click();
      await dialog.getByText('2 to create, 0 to change, 1 refused.').waitFor();
      await dialog.getByText("Line 2: 'isActive'").waitFor();
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await dialog.getByText('2 created, 0 changed, 1 refused.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).first().click();
    };
    const records = (letter: string) => [
      { name: `Lines ${letter}, "1"`, isActive: false },
      { name: `Lines ${letter} 2`, isActive: 'perhaps' },
      { name: `Lines ${letter} [3]`, isActive: true },
    ];
    await taken(
      'lines.ndjson',
      records('n')
        .map((record) => JSON.stringify(record))
        .join('\n'),
    );
    await taken('array.json', JSON.stringify(records('a'), null, 2));
    const kept = named(await at.all('/industries?'), 'Lines ');
    expect(kept.map(({ name, isActive }) => [name, isActive])).toEqual([
      ['Lines a [3]', true],
      ['Lines a, "1"', false],
      ['Lines n [3]', true],
      ['Lines n, "1"', false],
    ]);
  });

  it('settles invoices of several clients at once, each client and currency by itself', async () => {
    const page = await at.open('/console/invoices?statusId=issued');
    await rows(page).first().waitFor();
    const open = (await at.call('GET', '/invoices?statusId=issued&limit=100')).results.slice(0, 10);
    const keyOf = ({ client, currency }: ShownRecord) => `${(client as { id: string }).id} ${currency}`;
    const payments = new Set(open.map(keyOf)).size;
    expect(payments).toBeGreaterThan(1);
    for (const nth of open.keys()) await rows(page).nth(nth).locator('input.choose').click();
    await page.getByRole('button', { name: 'Create payments from these …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `Create ${payments} payments` }).waitFor();
    await soon(() => dialog.getByRole('button', { name: `Create ${payments} payments` }).isEnabled()).toBe(true);
    expect(await dialog.locator('tbody tr').count()).toBe(payments);
    await page.screenshot({ path: join(artefacts, 'find-settle.png') });
    expect(await barriersOf(page)).toEqual([]);
    // So far it was only tried.
    expect((await at.call('GET', `/invoices/${open[0]?.id}`))['statusId']).toBe('issued');
    await dialog.getByRole('button', { name: `Create ${payments} payments` }).click();
    await page.getByText(`${payments} payments created`).waitFor();
    for (const { id } of open)
      expect(await at.call('GET', `/invoices/${id}`)).toMatchObject({ statusId: 'paid', amountDue: 0 });
  });

  it('keeps a picture under a name, by a button that one sees', async () => {
    const page = await at.open('/console/opportunities?_view=board');
    await page.locator('[data-card]').first().waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save this view as').fill('Pipeline');
    const keep = page.getByRole('button', { name: 'Save', exact: true });
    const [ground, text] = await page.evaluate<[string, string]>(
      "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('.view-form .primary')))",
    );
    expect(ground).not.toBe('rgba(0, 0, 0, 0)');
    expect(text).not.toBe(ground);
    await keep.click();
    await page.goto(`${at.origin}/console/opportunities`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Pipeline', exact: true }).click();
    await page.locator('[data-card]').first().waitFor();
    expect(addressOf(page)).toBe('/console/opportunities?_view=board');
  });

  it('is answered in few bytes', async () => {
    const page = await at.open('/console/invoices');
    await rows(page).first().waitFor();
    const sizes = await page.evaluate<[number, number][]>(
      "performance.getEntriesByType('resource').filter(({ name }) => /api.invoices|model.json|chunk-/.test(name)).map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize])",
    );
    expect(sizes.length).toBeGreaterThan(2);
    for (const [encoded, decoded] of sizes) expect(encoded).toBeLessThan(decoded / 2);
  });

  it.each([...looks, { look: 'desktop-light', options: { ...desktop, colorScheme: 'light' } as const }])(
    'imports, searches and charts without a barrier and within the screen ($look)',
    async ({ look, options }) => {
      const page = await at.open('/console/clients', options);
      const shot = async (name: string): Promise<void> => {
        await page.screenshot({ path: join(artefacts, `find-${name}-${look}.png`) });
        expect(await excessOf(page), name).toBeLessThanOrEqual(0);
        expect(await barriersOf(page), name).toEqual([]);
      };
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const lines = [
        'name,currency,Remark of whoever made this table',
        'Import Ltd,EUR,a rather long remark of somebody',
      ];
      await page
        .getByRole('dialog')
        .getByLabel('Choose a CSV, JSON or NDJSON file.')
        .setInputFiles(csv('clients.csv', lines));
      await page.getByRole('button', { name: 'Check first' }).click();
      await page.getByText('1 to create').waitFor();
      await shot('import');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('combobox', { name: 'Groups, records, actions' }).fill('overdue');
      await hits(page).first().waitFor();
      await shot('search');
      await page.goto(`${at.origin}/console/time-entries?_view=chart&_to=2026-09&_by=project`);
      await page.locator('.bars .stack rect').first().waitFor();
      await shot('chart');
    },
  );
});
