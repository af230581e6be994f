// The console in a browser, on the demo workspace and on a library of books, without a line for either. Of every view is asked:
// no error, no request to another host, nothing against the policy, no barrier, nothing wider than the screen, no token in an
// address.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { createLibrary } from '../domains/library/service.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import {
  addressOf,
  barriersOf,
  ConsolePages,
  desktop,
  excessOf,
  looks,
  type ShownRecord,
  startDemo,
} from '../support/browser/console.ts';
import { accessToken, folders } from '../support/service/praxis.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const executablePath = chromiumPath();

const rows = (page: Page) => page.locator('.grid-body [role=row]');

describe.skipIf(executablePath === undefined)('the console', { timeout: 60_000 }, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    mkdirSync(artefacts, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'praxis-console-'));
    browser = await startBrowser(executablePath ?? '');
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('on the demo workspace', () => {
    let praxis: RunningPraxis;
    let at: ConsolePages;
    beforeAll(async () => {
      praxis = await startDemo(folder);
      at = new ConsolePages(browser, new URL(praxis.address).origin);
    }, 240_000);
    afterAll(() => praxis?.stop());
    afterEach(() => at.end());

    const first = async (list: string): Promise<ShownRecord> => {
      const { results } = await at.call('GET', list);
      if (results[0] === undefined) throw new Error(`there is none in ${list}`);
      return results[0];
    };

    it('lets in who has a token, tells who has a wrong one, and signs out', async () => {
      const page = await at.open('/console/invoices', desktop, null);
      await page.getByLabel('Access token').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByLabel('Access token').fill('not-the-one-that-opens-it');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The access token is not valid.').waitFor();
      at.expectStatus(401);
      await page.getByLabel('Access token').fill(accessToken);
      await page.keyboard.press('Enter');
      await page.getByRole('grid', { name: 'Invoices' }).waitFor();
      expect(await page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')).toBe('{}');
      await page.reload();
      await page.getByRole('grid', { name: 'Invoices' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Access token').waitFor();
      await page.getByLabel('Stay signed in in this browser').check();
      await page.getByLabel('Access token').fill(accessToken);
      await page.keyboard.press('Enter');
      await page.getByRole('grid', { name: 'Invoices' }).waitFor();
      expect(await page.evaluate<string>("localStorage.getItem('praxis.token')")).toBe(accessToken);
    });

    it.each(looks)('shows each place without a barrier and within the screen ($look)', async ({ look, options }) => {
      const invoice = await first('/invoices?limit=1');
      const places = {
        home: '/console',
        grid: '/console/invoices',
        time: '/console/time-entries',
        record: `/console/invoices/${invoice.id}`,
        settings: '/console/workspace-settings',
        new: '/console/allocations/new',
        computed: '/console/exchange-rate',
      };
      const page = await at.open('/console', options);
      for (const [name, path] of Object.entries(places)) {
        await page.goto(at.origin + path);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(artefacts, `console-${name}-${look}.png`) });
        expect(await excessOf(page), name).toBeLessThanOrEqual(0);
        expect(await barriersOf(page), name).toEqual([]);
      }
      await page.goto(`${at.origin}/console/invoices/${invoice.id}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      expect(await barriersOf(page), 'edited').toEqual([]);
      await page.screenshot({ path: join(artefacts, `console-edit-${look}.png`) });
      expect(await excessOf(page), 'edited').toBeLessThanOrEqual(0);
    });

    it('filters by what the API declares, and says it in the address', async () => {
      const page = await at.open('/console/invoices');
      await page.getByRole('button', { name: '+ Filter' }).click();
      await page.locator('.menu').getByRole('button', { name: 'Status', exact: true }).click();
      await page.getByRole('button', { name: 'Issued', exact: true }).click();
      await expect.poll(() => addressOf(page)).toBe('/console/invoices?statusId=issued');
      const { results } = await at.call('GET', '/invoices?statusId=issued&limit=100');
      await page.getByText(`${results.length} records`).waitFor();
      const client = (results[0]?.['client'] ?? {}) as { id: string; name: string };
      await page.getByRole('button', { name: '+ Filter' }).click();
      await page.locator('.menu').getByRole('button', { name: 'Client' }).click();
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type(client.name.slice(0, 5).toUpperCase());
      await page.getByRole('option', { name: client.name }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => addressOf(page)).toBe(`/console/invoices?statusId=issued&clientId=${client.id}`);
      const narrowed = await at.call('GET', `/invoices?statusId=issued&clientId=${client.id}`);
      await page.getByText(narrowed.results.length === 1 ? '1 record' : `${narrowed.results.length} records`).waitFor();
      await page.getByRole('button', { name: '+ Filter' }).click();
      await page.locator('.menu').getByRole('button', { name: 'Issued on' }).click();
      await page.getByRole('button', { name: 'This year' }).click();
      const year = new Date().getFullYear();
      expect(addressOf(page)).toContain(`issuedOnOnAfter=${year}-01-01&issuedOnOnBefore=${year}-12-31`);
      // A view that is sent to somebody is the same there.
      const other = await at.open(addressOf(page));
      await other.getByText('Issued', { exact: true }).first().waitFor();
      const all = await at.call('GET', addressOf(page).replace('/console', ''));
      for (const each of [page, other]) await expect.poll(() => rows(each).count()).toBe(all.results.length);
      await other.getByRole('button', { name: 'Clear all' }).click();
      expect(addressOf(other)).toBe('/console/invoices');
    });

    it('copies a list as a call, as code and as a table', async () => {
      const page = await at.open('/console/invoices?statusId=issued');
      await rows(page).first().waitFor();
      const copied = async (what: string): Promise<string> => {
        await page.getByRole('button', { name: 'Copy', exact: true }).click();
        await page.getByRole('button', { name: what }).click();
        await page.getByText('copied').waitFor();
        return page.evaluate<string>('navigator.clipboard.readText()');
      };
      expect(await copied('As curl')).toBe(
        `curl -H "Authorization: Bearer $TOKEN" '${at.origin}/api/invoices?statusId=issued'`,
      );
      expect(await copied('As client code')).toBe(
        'const { results } = await praxis.invoices.list({ statusId: "issued" });',
      );
      const lines = (await copied('Copy loaded rows as CSV')).split('\r\n');
      expect(lines).toHaveLength((await rows(page).count()) + 1);
      expect(lines[0]).toBe('id,number,statusId,issuedOn,dueOn,total,amountDue,client.id,client.name');
      expect(lines[1]).toMatch(/^[0-9a-f-]{36},INV-\d+,issued,\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,[\d.]+,[\d.]+,/);
    });

    it('reads on as one scrolls, by keyboard too, and opens the row that is active', async () => {
      const page = await at.open('/console/time-entries');
      const grid = page.getByRole('grid');
      await rows(page).first().waitFor();
      const all = (await at.call('GET', '/time-entries?limit=1&count=true'))['count'];
      await page.getByText(`${Number(all).toLocaleString('en')} records`).waitFor();
      await grid.focus();
      for (const _ of [1, 2, 3, 4]) {
        await page.keyboard.press('End');
        await page.waitForTimeout(150);
      }
      const read = () => page.locator('.read-so-far').getAttribute('title');
      await expect.poll(read).toMatch(/^(?:1[2-9]\d|2\d\d) loaded/);
      expect(await rows(page).count()).toBeLessThan(80);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const { results } = await at.call('GET', '/time-entries?limit=2');
      await expect.poll(() => addressOf(page)).toBe(`/console/time-entries/${results[1]?.id}`);
      await page.goBack();
      await expect.poll(read).toMatch(/^(?:1[2-9]\d|2\d\d) loaded/);
    });

    it('tells where a figure comes from, down to the records', async () => {
      const invoice = await first('/invoices?statusId=issued&limit=1');
      const page = await at.open(`/console/invoices/${invoice.id}`);
      await page.getByRole('button', { name: 'How Amount due is computed' }).click();
      const panel = page.getByRole('dialog');
      await panel.getByText('Amount paid').first().waitFor();
      await panel.getByRole('button', { name: 'Total', exact: true }).click();
      await panel.getByRole('button', { name: 'Subtotal' }).click();
      await panel.getByText('the sum of the amounts of all lines').first().waitFor();
      await panel.locator('.sources .numeric').first().waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.screenshot({ path: join(artefacts, 'console-explain.png') });
      const lines = invoice['lines'] as readonly { amount: number }[];
      const amounts = await panel.locator('.sources .numeric').allTextContents();
      expect(amounts.map((text) => Number(text.replaceAll(/[^\d.]/g, '')))).toEqual(lines.map(({ amount }) => amount));
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    });

    it('changes a record in place, with the control of each kind', async () => {
      const made = await at.call('POST', '/clients', { name: 'Change Ltd' });
      const page = await at.open(`/console/clients/${made.id}`);
      await page.getByRole('button', { name: 'Edit Name' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Changed Ltd');
      await page.getByText('1 unsaved change').waitFor();
      page.once('dialog', (dialog) => void dialog.dismiss());
      await page.getByRole('link', { name: 'Clients', exact: true }).first().click();
      expect(addressOf(page)).toBe(`/console/clients/${made.id}`);
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { name: 'Changed Ltd' }).waitFor();
      expect(await at.call('GET', `/clients/${made.id}`)).toMatchObject({ name: 'Changed Ltd' });
    });

    it('shows and asks for fields as conditions say while one types, those behind references too', async () => {
      const { results } = await at.call('GET', '/projects?limit=100');
      const withRoles = results.find(({ useRoles }) => useRoles === true);
      const without = results.find(({ useRoles }) => useRoles === false);
      const page = await at.open('/console/allocations/new');
      const label = (text: string) => page.locator('.field .label', { hasText: text });
      await expect.poll(() => label('Member').count()).toBe(0);
      await page.getByLabel('Resource type').selectOption('member');
      await label('Member').waitFor();
      expect(await label('Member').textContent()).toContain('required');
      expect(await label('Resource placeholder').count()).toBe(0);
      await page.getByLabel('Unit').selectOption('week');
      await label('Hours per week').waitFor();
      await page.getByLabel('Unit').selectOption('day');
      await label('Hours per day').waitFor();
      expect(await label('Hours per week').count()).toBe(0);
      await page.getByLabel('Assignment type').selectOption('project');
      const choose = async (project: ShownRecord | undefined): Promise<void> => {
        await page.getByLabel('Project', { exact: true }).fill(String(project?.['name']));
        await page
          .getByRole('option', { name: String(project?.['name']), exact: true })
          .first()
          .click();
      };
      if (without !== undefined) {
        await choose(without);
        await expect.poll(() => label('Project role').count()).toBe(0);
      }
      expect(withRoles).toBeDefined();
      await choose(withRoles);
      await label('Project role').waitFor();
    });

    it('makes a record with a reference found by search, and puts refusals at their fields', async () => {
      const client = await at.call('POST', '/clients', { name: 'Quillfeather Ltd' });
      const page = await at.open('/console/companies/new');
      const make = page.getByRole('button', { name: 'Create company' });
      await page.getByLabel('Client', { exact: true }).pressSequentially('quillf');
      await page.getByRole('option', { name: 'Quillfeather Ltd' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByLabel('Number of employees').fill('many');
      await make.click();
      await page.getByText('Please fix 2 problems:').waitFor();
      at.expectStatus(400);
      const count = page.getByLabel('Number of employees');
      expect(await count.getAttribute('aria-invalid')).toBe('true');
      expect(await count.getAttribute('aria-describedby')).toContain('-fault');
      // At the field, and above the form.
      await expect.poll(() => page.getByText('Must be an integer').count()).toBe(2);
      await expect.poll(() => page.getByText('Is required').count()).toBe(2);
      expect(await barriersOf(page)).toEqual([]);
      await page.screenshot({ path: join(artefacts, 'console-refused.png') });
      await page.getByLabel('Name', { exact: true }).fill('Made Ltd');
      await count.fill('12');
      await make.click();
      await page.getByRole('heading', { name: 'Made Ltd' }).waitFor();
      const { results } = await at.call('GET', `/companies?clientId=${client.id}&name=Made%20Ltd`);
      expect(results).toMatchObject([{ name: 'Made Ltd', numberOfEmployees: 12, client: { id: client.id } }]);
    });

    it('changes a state by its button, and says why it is refused', async () => {
      const draft = await first('/invoices?statusId=draft&limit=1');
      const page = await at.open(`/console/invoices/${draft.id}`);
      await page.getByRole('button', { name: '→ Issued' }).click();
      await page.getByText('Saved').waitFor();
      expect(await at.call('GET', `/invoices/${draft.id}`)).toMatchObject({ statusId: 'issued' });
      await page.getByRole('button', { name: '→ Draft' }).click();
      await page.getByRole('button', { name: '→ Issued' }).waitFor();
    });

    it('tells of a change in between, side by side, and writes what is chosen', async () => {
      const made = await at.call('POST', '/clients', { name: 'Both Ltd', currency: 'EUR' });
      const page = await at.open(`/console/clients/${made.id}`);
      await page.getByRole('button', { name: 'Edit Name' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Mine Ltd');
      await at.call('PATCH', `/clients/${made.id}`, { name: 'Theirs Ltd', streetAddress: 'Their street 1' });
      await page.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog', { name: 'Another user changed this record' });
      await dialog.waitFor();
      at.expectStatus(412);
      expect(await dialog.textContent()).toMatch(/Theirs Ltd.*Mine Ltd/);
      expect(await dialog.textContent()).toContain('Their street 1');
      // Both sides stand in line, each with its small box before its text.
      const sides = await dialog.locator('tbody tr').first().locator('td input').all();
      const boxes = await Promise.all(sides.map((side) => side.boundingBox()));
      expect(boxes.map((box) => (box?.width ?? 99) < 30)).toEqual([true, true]);
      expect(boxes[0]?.y).toBeCloseTo(boxes[1]?.y ?? 0, 0);
      expect(await barriersOf(page)).toEqual([]);
      await page.screenshot({ path: join(artefacts, 'console-conflict.png') });
      await dialog.getByRole('button', { name: 'Use these values' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Mine Ltd' }).waitFor();
      expect(await at.call('GET', `/clients/${made.id}`)).toMatchObject({
        name: 'Mine Ltd',
        streetAddress: 'Their street 1',
      });
    });

    it('says what goes with a delete before it is done', async () => {
      const made = await at.call('POST', '/clients', { name: 'Going Ltd' });
      for (const name of ['One', 'Two']) await at.call('POST', '/project-groups', { name, clientId: made.id });
      await at.call('POST', '/companies', { name: 'Staying Ltd', clientId: made.id });
      const page = await at.open(`/console/clients/${made.id}`);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Delete …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('2 project groups').waitFor();
      await dialog.getByText('1 company').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.screenshot({ path: join(artefacts, 'console-delete.png') });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect((await at.call('GET', `/project-groups?clientId=${made.id}`)).results).toHaveLength(2);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Delete …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect.poll(() => addressOf(page)).toBe('/console/clients');
      expect((await at.call('GET', `/clients?name=Going%20Ltd`)).results).toEqual([]);
    });

    it('shows who refers to a record in grids of their own, and the record behind a link', async () => {
      const project = await first('/projects?limit=1');
      const page = await at.open(`/console/projects/${project.id}`);
      const related = page.getByRole('region', { name: 'Related' });
      await related.getByRole('grid').waitFor();
      await related.getByRole('button', { name: 'Tasks', exact: true }).click();
      const tasks = await at.call('GET', `/tasks?projectId=${project.id}&limit=100`);
      await related.getByText(`${tasks.results.length} records`).waitFor();
      const client = project['client'] as { readonly name: string };
      await page.getByRole('link', { name: client.name }).first().hover();
      await page.getByRole('tooltip').getByText(client.name).waitFor();
    });

    it('finds groups, records and actions with Ctrl-K, and tells its keys on ?', async () => {
      const client = await first('/clients?limit=1');
      const page = await at.open('/console');
      await page.getByRole('heading', { name: 'Workspace', exact: true }).first().waitFor();
      const box = page.getByRole('combobox', { name: 'Groups, records, actions' });
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.type(String(client['name']));
      await page
        .getByRole('option', { name: String(client['name']) })
        .first()
        .waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(() => addressOf(page)).toBe(`/console/clients/${client.id}`);
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.type('new tax rate');
      await page.keyboard.press('Enter');
      await expect.poll(() => addressOf(page)).toBe('/console/tax-rates/new');
      await page.getByRole('heading', { name: 'New tax rate' }).click();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await barriersOf(page)).toEqual([]);
    });

    it('chooses and keeps columns and their widths', async () => {
      const page = await at.open('/console/clients');
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByLabel('Street address').check();
      await page.getByRole('columnheader', { name: 'Street address' }).waitFor();
      await page.getByRole('separator', { name: 'Width of Street address' }).focus();
      await page.keyboard.press('ArrowRight');
      const width = () =>
        page
          .getByRole('columnheader', { name: 'Street address' })
          .evaluate((cell) => cell.getBoundingClientRect().width);
      const wide = await width();
      await page.reload();
      await page.getByRole('columnheader', { name: 'Street address' }).waitFor();
      expect(await width()).toBe(wide);
    });
  });

  describe('on a library of books', () => {
    let at: ConsolePages;
    let stop: () => Promise<void>;
    /** PRAXIS_BOOKS=100000 reads as many. */
    const count = Number(process.env['PRAXIS_BOOKS'] ?? 8000);
    const titleOf = (nth: number): string => `Book ${String(nth).padStart(5, '0')}`;
    beforeAll(async () => {
      const library = await createLibrary(`sqlite:${join(folder, 'library.sqlite')}`, accessToken);
      const server = library.app.listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      at = new ConsolePages(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      stop = async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await library.close();
      };
      const author = await at.call('POST', '/authors', { name: 'Ursula K. Le Guin' });
      for (let from = 0; from < count; from += 1000)
        await at.call('POST', '/batch', {
          operations: Array.from({ length: 1000 }, (_, index) => ({
            method: 'POST',
            path: '/books',
            body: { title: titleOf(from + index), authorId: author.id },
          })),
        });
    }, count * 12);
    afterAll(() => stop?.());
    afterEach(() => at.end());

    it('shows the first view of a large group by as few reads as that of a small one', async () => {
      const reads = async (group: string): Promise<readonly (string | null)[]> => {
        const page = await at.open(`/console/${group}`);
        await rows(page).first().waitFor();
        const asked = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
        const urls = asked.map((name) => new URL(name)).filter(({ pathname }) => pathname === `/api/${group}`);
        // How many there are is asked for beside.
        return urls.map(({ searchParams }) => searchParams.get('limit')).filter((limit) => limit !== '1');
      };
      const [ofFew, ofMany] = [await reads('authors'), await reads('books')];
      expect(ofFew.length).toBeGreaterThan(0);
      expect(ofMany).toEqual(ofFew);
    });

    it(
      'reads all of them by cursors, down and up again, and holds few',
      async () => {
        const page = await at.open('/console/books');
        const grid = page.getByRole('grid');
        await rows(page).first().waitFor();
        await grid.focus();
        const read = async (): Promise<number> =>
          Number((await page.locator('.read-so-far').getAttribute('title'))?.replace(/\D/g, '') ?? 0);
        const times: number[] = [];
        for (let before = 0; before < count; before = await read()) {
          const startedAt = performance.now();
          await page.keyboard.press('End');
          await expect.poll(read, { interval: 20, timeout: 10_000 }).toBeGreaterThan(before);
          times.push(performance.now() - startedAt);
        }
        // A page deep in the list comes as soon as one at its beginning.
        const quarter = Math.floor(times.length / 4);
        const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
        expect(middle(times.slice(-quarter))).toBeLessThan(2 * middle(times.slice(0, quarter)) + 50);
        await page.getByText(`${count.toLocaleString('en')} records`).waitFor();
        await page.keyboard.press('End');
        await page.getByText(titleOf(0)).waitFor();
        expect(await rows(page).count()).toBeLessThan(80);
        await page.keyboard.press('Home');
        await page.getByText(titleOf(count - 1)).waitFor();
        await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
        const half = count / 2;
        await page
          .getByText(titleOf(half - 1))
          .or(page.getByText(titleOf(half)))
          .first()
          .waitFor();
      },
      count * 6,
    );

    it('refuses at the field what only the service knows, and lends a book that is found by its title', async () => {
      const page = await at.open('/console/loans');
      await page.getByRole('heading', { name: 'No loans yet' }).waitFor();
      await page.getByText('A book that somebody has taken home.').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('link', { name: 'New loan' }).first().click();
      const lend = async (): Promise<void> => {
        await page.getByLabel('Reader', { exact: true }).fill('Ada');
        await page.getByLabel('Book', { exact: true }).pressSequentially('00042');
        await page.getByRole('option', { name: 'Book 00042' }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Create loan' }).click();
      };
      await lend();
      await page.getByRole('heading', { name: 'Ada' }).waitFor();
      await page.goto(`${at.origin}/console/loans/new`);
      await lend();
      await page.getByText('Must be on the shelf').first().waitFor();
      at.expectStatus(400);
      expect(await page.getByLabel('Book', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    });

    it('says before it is sent what a condition on the record behind a reference would refuse', async () => {
      const { results } = await at.call('GET', '/authors?limit=1');
      const body = { title: 'Only here', authorId: results[0]?.id, isForReadingRoom: true };
      await at.call('POST', '/books', body);
      const page = await at.open('/console/loans/new');
      await page.getByLabel('Book', { exact: true }).pressSequentially('Only');
      await page.getByRole('option', { name: 'Only here' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Must be a book that may leave the house').waitFor();
    });
  });

  it('is not there where it is off', async () => {
    const environment = {
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      RESOURCES: folders.books,
      ACCESS_TOKEN: accessToken,
      CONSOLE: 'false',
    };
    const praxis = await startPraxis(readConfig(environment), pino({ level: 'silent' }));
    const { origin } = new URL(praxis.address);
    for (const path of ['/console', '/console/model.json', '/console/accounts'])
      expect((await fetch(origin + path)).status, path).toBe(404);
    expect((await fetch(`${origin}/docs`)).status).toBe(200);
    await praxis.stop();
  });
});
