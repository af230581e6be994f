// The form of the console in a browser: what is asked first, what is marked, what follows by default, what is said of what is wrong.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser/browser.ts';
import { addressOf, barriersOf, type ConsolePages, openDemo, type ShownRecord } from '../support/browser/console.ts';

const executablePath = chromiumPath();
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

describe.skipIf(executablePath === undefined)('the form of a new record', { timeout: 90_000 }, () => {
  let at: ConsolePages;
  openDemo('form', (demo) => {
    at = demo.at;
  });

  const firstOf = async (list: string): Promise<ShownRecord> => {
    const { results } = await at.call('GET', list);
    if (results[0] === undefined) throw new Error(`there is none in ${list}`);
    return results[0];
  };
  const begin = (page: Page): Locator => page.locator('.fields').first();
  const labels = (section: Locator): Promise<string[]> => section.locator('label').allTextContents();
  const choose = async (page: Page, label: string, name: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill(name);
    await page.getByRole('option', { name }).first().click();
  };

  it('asks first what is needed to begin, and marks it beside its label', async () => {
    const page = await at.open('/console/time-entries');
    const conditions = Promise.withResolvers<void>();
    await page.route('**/console/conditions/time-entry.json', async (route) => {
      await conditions.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'New time entry' }).click();
    // No field moves under a hand: there is none until it is known which come first.
    await page.getByText('Loading …').waitFor();
    expect(await page.locator('.fields-form label').count()).toBe(0);
    conditions.resolve();
    await page.getByRole('heading', { name: 'Basics' }).waitFor();
    // The project is asked before the type, which follows from it.
    expect(await labels(begin(page))).toEqual(['Date', 'Time', 'Member', 'Project', 'Time off type', 'Type']);
    const marked = (): Promise<string[]> => begin(page).locator('.field:has(.needed) label').allTextContents();
    expect(await marked()).toEqual(['Date', 'Time', 'Member', 'Type']);
    // Labels stay as they are; what is marked for the eyes is said by the control itself.
    for (const label of ['Date', 'Time', 'Member', 'Type', 'Project']) {
      const isMarked = (await marked()).includes(label);
      const control = begin(page).getByLabel(label, { exact: true });
      expect(await control.getAttribute('aria-required'), label).toBe(isMarked ? 'true' : null);
    }
    expect(await barriersOf(page)).toEqual([]);
  });

  it('says what would hold by default, and leaves no field that another one rules out', async () => {
    const project = await firstOf('/projects?statusId=in_progress&limit=1');
    const page = await at.open('/console/time-entries/new');
    await choose(page, 'Project', String(project['name']));
    const type = page.getByLabel('Type', { exact: true });
    await soon(() => type.locator('option').first().textContent()).toBe('Project time, by default');
    expect(await labels(begin(page))).toEqual(['Date', 'Time', 'Member', 'Project', 'Type']);
    await page.getByLabel('Start time').fill('09:00');
    await page.getByLabel('End time').fill('10:45');
    const time = begin(page).getByLabel('Time', { exact: true });
    await soon(() => time.getAttribute('placeholder')).toBe('1:45, by default');
    expect(await time.getAttribute('aria-required')).toBeNull();
    // Hints are for people: no word of the API, and none that says the label again.
    const hints = await page.locator('.fields .hint').allTextContents();
    expect(hints.filter((hint) => /null|Minutes|typeId|\bsent\b|^Day$/.test(hint))).toEqual([]);
    // The default of a choice before it was made is taken as it is, so that two fields are enough.
    await page.goto(`${at.origin}/console/projects/new`);
    await page.getByLabel('Client', { exact: true }).waitFor();
    expect(await page.getByLabel('Currency').getAttribute('placeholder')).toBe('by default');
    const client = project['client'] as { readonly id: string; readonly name: string };
    await choose(page, 'Client', client.name);
    const { currency } = await at.call('GET', `/clients/${client.id}`);
    await soon(() => page.getByLabel('Currency').getAttribute('placeholder')).toBe(`${currency}, by default`);
  });

  it('follows defaults from one to the next, and says none that what is still to be said may change', async () => {
    const page = await at.open('/console/invoices/new');
    const hint = page.locator('#field-dueOn-hint');
    await hint.waitFor();
    // It hangs on the payment term, and that on the client: today is only a part of it.
    expect(await hint.textContent()).toBe('Due date, by default from issued on and the payment term');
    expect(await page.locator('#field-issuedOn-hint').textContent()).toMatch(
      /^Day of issue; by default \d+ \w+ \d{4}$/,
    );
    // What the invoice is added up of stands before the rest.
    expect((await page.locator('.fields h2').allTextContents()).slice(0, 3)).toEqual(['Basics', 'Lines', 'Addresses']);
    const stage = (await firstOf('/opportunities?limit=1'))['opportunityStage'] as {
      readonly id: string;
      name: string;
    };
    const { probability } = await at.call('GET', `/opportunity-stages/${stage.id}`);
    await page.goto(`${at.origin}/console/opportunities/new`);
    const chance = page.getByLabel('Probability', { exact: true });
    await soon(() => chance.getAttribute('placeholder')).toBe('by default');
    await choose(page, 'Opportunity stage', stage.name);
    await soon(() => chance.getAttribute('placeholder')).toBe(`${Number(probability) * 100} %, by default`);
  });

  it('puts switches behind what is filled in, each with what hangs on it', async () => {
    const page = await at.open('/console/projects/new');
    await page.getByRole('heading', { name: 'Basics' }).waitFor();
    expect(await labels(begin(page))).toEqual(['Name', 'Billing type', 'Client']);
    const titles = await page.locator('.fields h2').allTextContents();
    expect(titles.slice(-2)).toEqual(['Time and expenses', 'Budget']);
    const budget = page.locator('.fields', { has: page.getByRole('heading', { name: 'Budget', exact: true }) }).first();
    await budget.getByLabel('Use budget').check();
    // What a switch brings along stands beside it.
    await soon(() => labels(budget)).toEqual(['Use budget', 'Budget mode', 'Use monthly budget']);
    expect(await budget.getByLabel('Budget mode').getAttribute('aria-required')).toBe('true');
    const time = page.locator('.fields', { has: page.getByRole('heading', { name: 'Time and expenses' }) });
    expect((await labels(time)).slice(0, 3)).toEqual(['Time approval mode', 'Expense approval mode', 'Use roles']);
  });

  it('offers the states that a create may send, also for a copy of a record in another state', async () => {
    const page = await at.open('/console/invoices/new');
    const status = page.getByLabel('Status', { exact: true });
    await status.waitFor();
    expect(await status.locator('option').allTextContents()).toEqual(['Draft', 'Issued']);
    const paid = await firstOf('/invoices?statusId=paid&limit=1');
    await page.goto(`${at.origin}/console/invoices/new?_like=${paid.id}`);
    await status.waitFor();
    expect(await status.inputValue()).toBe('draft');
  });

  it('shows the settings of the workspace that a new record takes over', async () => {
    const { timesheetAttestationStatement } = await at.call('GET', '/workspace-settings');
    const page = await at.open('/console/timesheet-attestations/new');
    const first = begin(page);
    await first.getByText(String(timesheetAttestationStatement)).waitFor();
    expect(await first.locator('.label').allTextContents()).toEqual([
      ...['Statement', 'Confirmed required', 'Timesheet required'],
    ]);
  });

  it('offers the tasks of the project that is chosen', async () => {
    const task = await firstOf('/tasks?limit=1');
    const project = task['project'] as { readonly id: string; readonly name: string };
    const page = await at.open('/console/time-entries/new');
    await choose(page, 'Project', project.name);
    await page.getByLabel('Task', { exact: true }).click();
    const offered = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await offered.first().waitFor();
    const own = await at.all(`/tasks?projectId=${project.id}`);
    await soon(async () => (await offered.allTextContents()).toSorted()).toEqual(
      own.map(({ name }) => String(name)).toSorted(),
    );
  });

  it('says of all that is wrong where it stands, until it is put right', async () => {
    const page = await at.open('/console/time-entries/new');
    await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Project time' });
    await page.getByRole('button', { name: 'Create time entry' }).click();
    const summary = page.locator('.refused');
    await summary.getByText('Please fix 4 problems:').waitFor();
    at.expectStatus(400);
    expect(await summary.locator('li').allTextContents()).toEqual([
      'Date: Is required',
      'Time: Is required',
      'Member: Is required',
      'Project: Is required',
    ]);
    // What has been filled in since is not said to be missing.
    await summary.getByRole('button', { name: 'Time:' }).click();
    await page.keyboard.type('1:45');
    await summary.getByText('Please fix 3 problems:').waitFor();
    const bar = await page.locator('.save-bar').boundingBox();
    await summary.getByRole('button', { name: 'Member:' }).click();
    const field = await page.getByLabel('Member', { exact: true }).boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('makes one after the other with what they share', async () => {
    const page = await at.open('/console/client-tags/new');
    const name = page.getByLabel('Name', { exact: true });
    for (const text of ['One of a row', 'Two of a row']) {
      await name.fill(text);
      await page.getByRole('button', { name: 'Save and add another' }).click();
      await soon(async () => (await at.call('GET', `/client-tags?limit=1`)).results[0]?.['name']).toBe(text);
      await soon(() => page.evaluate('document.activeElement?.id')).toBe('field-name');
    }
    expect(addressOf(page)).toBe('/console/client-tags/new');
    expect(await name.inputValue()).toBe('Two of a row');
  });
});
