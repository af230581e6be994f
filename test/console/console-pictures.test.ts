// Boards, timelines, calendars and charts of the console in a browser, on the demo workspace and on a library of books: what
// they show is what the API says, what they change is changed there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningPraxis } from '../../src/app/serve.ts';
import { createLibrary } from '../domains/library/service.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import {
  addressOf,
  barriersOf,
  ConsolePages,
  excessOf,
  looks,
  type ShownRecord,
  startDemo,
} from '../support/browser/console.ts';
import { accessToken } from '../support/service/praxis.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const executablePath = chromiumPath();

/** What becomes so within seconds, on a machine that has much to do. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

/** A number as pictures write it: an amount, a count, hours and minutes. */
const numberIn = (text: string): number => {
  const clock = /^([\d,]+):(\d\d)$/.exec(text.trim());
  if (clock !== null) return Number(clock[1]?.replaceAll(',', '')) + Number(clock[2]) / 60;
  return Number(text.replaceAll(/[^\d.−-]/g, '').replace('−', '-'));
};

const sumOf = (records: readonly ShownRecord[], field: string): number =>
  records.reduce((sum, record) => sum + Number(record[field]), 0);

const card = (page: Page, record: ShownRecord): Locator => page.locator(`[data-card="${record.id}"]`);
const column = (page: Page, state: string): Locator => page.locator(`[data-state="${state}"]`);

/** What is saved when this kind of image is chosen. */
async function saved(page: Page, kind: RegExp): Promise<Buffer> {
  await page.getByRole('button', { name: 'Save image' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: kind }).click(),
  ]);
  return readFileSync(await download.path());
}

/** With the mouse, in steps as a hand does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('nothing to drag');
  await page.mouse.move(start.x + 30, start.y + 30);
  await page.mouse.down();
  await page.mouse.move(start.x + 40, start.y + 36, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, end.y + 120, { steps: 6 });
  await page.mouse.up();
}

describe.skipIf(executablePath === undefined)('pictures of the console', { timeout: 60_000 }, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    mkdirSync(artefacts, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'praxis-pictures-'));
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

    const stateOf = async (list: string, { id }: ShownRecord) => (await at.call('GET', `${list}/${id}`))['statusId'];

    describe('a board', () => {
      it('changes a state by a card that is dragged with the mouse', async () => {
        const [draft] = await at.all('/invoices?statusId=draft');
        if (draft === undefined) throw new Error('there is no draft');
        const page = await at.open('/console/invoices?_view=board');
        await drag(page, card(page, draft), column(page, 'issued'));
        await column(page, 'issued').locator(`[data-card="${draft.id}"][aria-busy="false"]`).waitFor();
        await page.getByText(`${draft['number']}: Now issued`).waitFor();
        expect(await stateOf('/invoices', draft)).toBe('issued');
        // And back again, by keyboard.
        await card(page, draft).getByRole('button').focus();
        await page.keyboard.press('Enter');
        await page.getByText('Picked up').waitFor();
        await page.keyboard.press('Escape');
        expect(await card(page, draft).getByRole('button').getAttribute('aria-pressed')).toBe('false');
        await page.keyboard.press(' ');
        await column(page, 'draft').and(page.locator('.over')).waitFor();
        await page.keyboard.press('ArrowRight');
        await column(page, 'void').and(page.locator('.over')).waitFor();
        expect(await barriersOf(page)).toEqual([]);
        await page.screenshot({ path: join(artefacts, 'console-board-picked.png') });
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        await column(page, 'draft').locator(`[data-card="${draft.id}"][aria-busy="false"]`).waitFor();
        expect(await stateOf('/invoices', draft)).toBe('draft');
        expect(await page.evaluate<string>('document.activeElement?.getAttribute("aria-label")')).toBe(
          `Move ${draft['number']}`,
        );
      });

      it('takes a card only where its state may follow', async () => {
        const [draft] = await at.all('/invoices?statusId=draft');
        if (draft === undefined) throw new Error('there is no draft');
        const page = await at.open('/console/invoices?_view=board');
        await drag(page, card(page, draft), column(page, 'void'));
        await card(page, draft).getByText('Draft can change only to: Issued').waitFor();
        expect(await column(page, 'draft').locator(`[data-card="${draft.id}"]`).count()).toBe(1);
        expect(await stateOf('/invoices', draft)).toBe('draft');
      });

      it('puts a card back that the service refuses, with its reason', async () => {
        const [entry] = (await at.all('/time-entries?statusId=pending_approval')).filter(
          ({ timesheet }) => timesheet !== null,
        );
        if (entry === undefined) throw new Error('there is no time entry to be approved');
        const page = await at.open('/console/time-entries?_view=board');
        await drag(page, card(page, entry), column(page, 'not_submitted'));
        await card(page, entry).getByText('other than not submitted inside a timesheet').waitFor();
        at.expectStatus(400);
        expect(await column(page, 'pending_approval').locator(`[data-card="${entry.id}"]`).count()).toBe(1);
        expect(await stateOf('/time-entries', entry)).toBe('pending_approval');
        expect(await barriersOf(page)).toEqual([]);
        await page.screenshot({ path: join(artefacts, 'console-board-refused.png') });
      });

      it('moves nothing that somebody else has changed since it was seen', async () => {
        const [draft] = await at.all('/invoices?statusId=draft');
        if (draft === undefined) throw new Error('there is no draft');
        const page = await at.open('/console/invoices?_view=board');
        await card(page, draft).waitFor();
        await at.call('PATCH', `/invoices/${draft.id}`, { subject: 'Changed in between' });
        await drag(page, card(page, draft), column(page, 'issued'));
        await card(page, draft).getByText('Another user changed this record.').waitFor();
        expect(await stateOf('/invoices', draft)).toBe('draft');
        await drag(page, card(page, draft), column(page, 'issued'));
        await column(page, 'issued').locator(`[data-card="${draft.id}"][aria-busy="false"]`).waitFor();
        expect(await stateOf('/invoices', draft)).toBe('issued');
        await at.call('PATCH', `/invoices/${draft.id}`, { statusId: 'draft' });
      });

      it('shows what the filters leave', async () => {
        const page = await at.open('/console/invoices?statusId=issued&_view=board');
        const issued = await at.all('/invoices?statusId=issued');
        await soon(() => page.locator('[data-card]').count()).toBe(issued.length);
        expect(await column(page, 'paid').textContent()).toContain('Hidden by the filters');
      });
    });

    describe('a chart', () => {
      it('shows the sums of the API, each currency by itself, and leads to the records', async () => {
        const page = await at.open('/console/invoices?_view=chart&_by=client');
        const all = await at.all('/invoices?issuedOnOnAfter=2025-12-01');
        const currencies = [...new Set(all.map(({ currency }) => String(currency)))];
        expect(currencies.length).toBeGreaterThan(1);
        await page.getByText(`${all.length} invoices`, { exact: true }).waitFor();
        for (const currency of currencies) {
          const table = page.locator(`section.numbers[aria-label$=", ${currency}"]`);
          const own = all.filter((record) => record['currency'] === currency);
          const shown = await table.locator('tfoot .total').textContent();
          expect(numberIn(shown ?? '')).toBeCloseTo(sumOf(own, 'total'), 2);
          const august = own.filter(({ issuedOn }) => String(issuedOn).startsWith('2026-08'));
          const row = table.locator('tbody tr', { hasText: 'Aug 2026' });
          expect(numberIn((await row.locator('.total').textContent()) ?? '')).toBeCloseTo(sumOf(august, 'total'), 2);
          const heads = await table.locator('thead th').allTextContents();
          const cells = await row.locator('td').allTextContents();
          for (const [index, name] of heads.slice(1, -1).entries()) {
            const ofClient = august.filter((record) => (record['client'] as { name: string }).name === name);
            if (!name.endsWith('others'))
              expect(numberIn(cells[index] ?? ''), name).toBeCloseTo(sumOf(ofClient, 'total'), 2);
          }
        }
        expect(await page.locator('.panel').count()).toBe(currencies.length);
        await page.getByRole('button', { name: 'Earlier by a year' }).click();
        await page.getByText('No records in Dec 2024 – Nov 2025.').waitFor();
        await page.getByRole('button', { name: 'Today' }).click();
        await page.locator('tbody tr', { hasText: 'Aug 2026' }).first().locator('.total a').click();
        const august = all.filter(({ issuedOn }) => String(issuedOn).startsWith('2026-08'));
        await page.getByText(`${august.length} records`).waitFor();
        expect(addressOf(page)).toBe('/console/invoices?issuedOnOnAfter=2026-08-01&issuedOnOnBefore=2026-08-31');
      });

      it('adds up, shows what the filters say, and goes by keyboard', async () => {
        const page = await at.open('/console/time-entries?dateOnAfter=2026-08-01&dateOnBefore=2026-09-10&_view=chart');
        const all = await at.all('/time-entries?dateOnAfter=2026-08-01&dateOnBefore=2026-09-10');
        await page
          .getByText(`${new Intl.NumberFormat('en-GB').format(all.length)} time entries`, { exact: true })
          .waitFor();
        const total = async () => numberIn((await page.locator('.legend-total b.number').textContent()) ?? '');
        expect(await total()).toBeCloseTo(sumOf(all, 'minutes') / 60, 2);
        await page.getByLabel('Cumulative').check();
        const last = page.locator('tbody tr', { hasText: 'Sept 2026' }).locator('.total');
        expect(numberIn((await last.textContent()) ?? '')).toBeCloseTo(sumOf(all, 'minutes') / 60, 2);
        const months = page.locator('.bars a.column');
        expect(await months.count()).toBe(2);
        await months.first().focus();
        const august = all.filter(({ date }) => String(date).startsWith('2026-08'));
        await soon(total).toBeCloseTo(sumOf(august, 'minutes') / 60, 2);
        await page.getByLabel('Show', { exact: true }).selectOption('count');
        await soon(() => last.textContent()).toBe(new Intl.NumberFormat('en-GB').format(all.length));
      });

      it('reads records that the service cannot add up, says so where there are more than it reads, and reads on', async () => {
        const [payment] = await at.all('/payments?');
        const page = await at.open('/console');
        let count = 0;
        const refusal = { status: 400, message: "Parameter 'sum' must be kept numbers of the record." };
        await page.route('**/api/summary/payments?*', (route) => route.fulfill({ status: 400, json: refusal }));
        // A list without an end.
        await page.route('**/api/payments?*', (route) => {
          const results = Array.from({ length: 100 }, () => {
            count += 1;
            return { ...payment, id: String(count), receivedOn: '2026-09-01', amount: 1 };
          });
          return route.fulfill({ json: { results, hasMore: true } });
        });
        await page.goto(`${at.origin}/console/payments?_view=chart`);
        await page
          .getByText(/^The view shows 10,\d00 payments; there are more. The chart shows only the newest/)
          .waitFor();
        expect(count).toBeLessThan(10_500);
        const total = async () => numberIn((await page.locator('.legend-total b.number').textContent()) ?? '');
        expect(await total()).toBe(count);
        expect(await barriersOf(page)).toEqual([]);
        await page.getByRole('button', { name: 'Load 10,000 more' }).click();
        await page.getByText(/^The view shows 20,\d00 payments/).waitFor();
        expect(await total()).toBe(count);
        at.expectStatus(400);
      });

      it('is saved as an image', async () => {
        const page = await at.open('/console/payments?_view=chart&_by=client');
        const all = await at.all('/payments?');
        await page.getByText(`${all.length} payments`, { exact: true }).waitFor();
        const [name = ''] = await page.locator('.legend-entry').allTextContents();
        const drawing = (await saved(page, /SVG/)).toString();
        expect(drawing).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        expect(drawing).toContain('Payments: Amount');
        expect(drawing).toContain(name.trim().replaceAll('&', '&amp;'));
        expect(drawing).toMatch(/<rect[^>]* fill="rgb\(11, 122, 108\)"/);
        expect(drawing).not.toContain('var(');
        const image = await saved(page, /PNG/);
        expect(image.subarray(1, 4).toString()).toBe('PNG');
        expect(image.readUInt32BE(16)).toBeGreaterThan(1000);
      });
    });

    describe('a calendar', () => {
      it('is saved as an image', async () => {
        const page = await at.open('/console/time-entries?_view=calendar&_at=2026-09');
        const day = page.locator('[data-day="2026-09-04"] .day-sum');
        await day.waitFor();
        const drawing = (await saved(page, /SVG/)).toString();
        expect(drawing).toContain('September 2026');
        expect(drawing).toContain(`>${await day.textContent()}<`);
        expect(drawing).not.toMatch(/color\(|var\(/);
        const image = await saved(page, /PNG/);
        writeFileSync(join(artefacts, 'console-picture-calendar-saved.png'), image);
        expect(image.readUInt32BE(16)).toBeGreaterThan(1000);
      });

      it('shows what each day, week and month comes to, and leads to the day', async () => {
        const page = await at.open('/console/time-entries?_view=calendar&_at=2026-09');
        const month = await at.all('/time-entries?dateOnAfter=2026-09-01&dateOnBefore=2026-09-30');
        await page.getByText(`${month.length} time entries`, { exact: true }).waitFor();
        expect(numberIn((await page.locator('.calendar-total b').textContent()) ?? '')).toBeCloseTo(
          sumOf(month, 'minutes') / 60,
          2,
        );
        const on = (day: string) => month.filter(({ date }) => date === day);
        for (const day of ['2026-09-01', '2026-09-04', '2026-09-15']) {
          const shown = page.locator(`[data-day="${day}"]`);
          expect(numberIn((await shown.locator('.day-sum').textContent()) ?? ''), day).toBeCloseTo(
            sumOf(on(day), 'minutes') / 60,
            2,
          );
          expect(await shown.textContent()).toContain(`${on(day).length} time entries`);
        }
        // Monday the 7th to Sunday the 13th.
        const week = month.filter(({ date }) => String(date) >= '2026-09-07' && String(date) <= '2026-09-13');
        const second = page.locator('.month-table tbody tr').nth(1).locator('.week-sum');
        expect(numberIn((await second.textContent()) ?? '')).toBeCloseTo(sumOf(week, 'minutes') / 60, 2);
        await page.locator('[data-day="2026-09-01"]').focus();
        await page.keyboard.press('PageUp');
        const august = await at.all('/time-entries?dateOnAfter=2026-08-01&dateOnBefore=2026-08-31');
        await page.getByText(`${august.length} time entries`, { exact: true }).waitFor();
        expect(numberIn((await page.locator('.calendar-total b').textContent()) ?? '')).toBeCloseTo(
          sumOf(august, 'minutes') / 60,
          2,
        );
        await page.getByRole('button', { name: 'Later by a month' }).click();
        await page.getByText(`${month.length} time entries`, { exact: true }).waitFor();
        await page.locator('[data-day="2026-09-01"]').focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
        expect(await page.evaluate<string>('document.activeElement?.dataset.day')).toBe('2026-09-09');
        await page.keyboard.press('Enter');
        await expect
          .poll(() => addressOf(page))
          .toBe('/console/time-entries?dateOnAfter=2026-09-09&dateOnBefore=2026-09-09');
        await page.getByText(`${on('2026-09-09').length} records`).waitFor();
      });
    });

    describe('a timeline', () => {
      it('shows what lasts, in lanes and rows, and zooms and goes by keyboard', async () => {
        const page = await at.open('/console/allocations?_view=timeline&_from=2026-08-03&_zoom=quarter');
        const all = await at.all('/allocations?');
        const [from, to] = ['2026-08-03', '2026-11-01'];
        const within = all.filter(({ start, end }) => String(start) <= to && String(end) >= from);
        expect(within.length).toBeGreaterThan(10);
        await soon(() => page.locator('[data-bar]').count()).toBe(within.length);
        const nameOf = (record: ShownRecord) => (record['member'] as { name: string } | null)?.name ?? 'None';
        const names = [...new Set(within.map(nameOf))];
        expect((await page.locator('.lane-name').allTextContents()).toSorted()).toEqual(names.toSorted());
        // Bars that overlap stand in rows of their own.
        const boxes = await page.evaluate<{ x: number; y: number; right: number }[]>(
          `[...document.querySelectorAll('[data-bar] rect')].map((rect) => { const { x, y, right } = rect.getBoundingClientRect(); return { x, y, right } })`,
        );
        for (const [index, one] of boxes.entries())
          for (const other of boxes.slice(index + 1))
            expect(one.y === other.y && one.x < other.right - 1 && other.x < one.right - 1).toBe(false);
        await page.getByText('The timeline as a table').click();
        await soon(() => page.locator('.numbers tbody tr').count()).toBe(within.length);
        await page.locator('[data-bar][tabindex="0"]').focus();
        const focused = () => page.evaluate<string>('document.activeElement?.dataset.bar');
        const first = await focused();
        await page.keyboard.press('ArrowDown');
        await soon(focused).not.toBe(first);
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('+');
        await soon(() => addressOf(page)).toContain('_zoom=weeks');
        await page.keyboard.press('-');
        await page.keyboard.press('-');
        await soon(() => addressOf(page)).toContain('_zoom=half');
        await page.getByLabel('Lanes by').selectOption('project');
        const projects = new Set(all.map((record) => (record['project'] as { name: string } | null)?.name));
        await expect
          .poll(async () => projects.has((await page.locator('.lane-name').first().textContent()) ?? ''))
          .toBe(true);
        const bar = page.locator('[data-bar]').first();
        const id = await bar.getAttribute('data-bar');
        await bar.focus();
        await page.keyboard.press('Enter');
        await soon(() => addressOf(page)).toBe(`/console/allocations/${id}`);
      });

      it('narrows to what the filters say', async () => {
        const [allocation] = await at.all('/allocations?assignmentTypeId=project');
        const member = allocation?.['member'] as { id: string; name: string };
        const own = await at.all(`/allocations?memberId=${member.id}`);
        const page = await at.open(
          `/console/allocations?memberId=${member.id}&_view=timeline&_zoom=years&_from=2025-09-01`,
        );
        await soon(() => page.locator('[data-bar]').count()).toBe(own.length);
        expect(await page.locator('.lane-name').allTextContents()).toEqual([member.name]);
      });

      it('moves through time with the mouse', async () => {
        const page = await at.open('/console/allocations?_view=timeline&_from=2026-08-03&_zoom=quarter');
        const box = await page.locator('.timeline-lanes').boundingBox();
        if (box === null) throw new Error('there is no timeline');
        await page.mouse.move(box.x + 700, box.y + 40);
        await page.mouse.down();
        await page.mouse.move(box.x + 500, box.y + 44, { steps: 5 });
        await page.mouse.up();
        await soon(() => addressOf(page)).toMatch(/_from=2026-08-(1\d|2\d)/);
        expect(addressOf(page)).toContain('/console/allocations?');
      });
    });

    it('loads a picture when it is first shown, and the grid without any', async () => {
      const page = await at.open('/console/invoices');
      const scripts = () =>
        page.evaluate<string[]>(
          "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
        );
      await page.getByRole('grid').waitFor();
      const before = await scripts();
      const added: string[][] = [];
      for (const [name, seen] of [
        ['Board', '[data-card]'],
        ['Timeline', '[data-bar]'],
        ['Chart', '.bars'],
      ] as const) {
        const known = new Set(await scripts());
        await page.getByRole('button', { name, exact: true }).click();
        await page.locator(seen).first().waitFor();
        added.push((await scripts()).filter((script) => !known.has(script)));
      }
      for (const each of added) expect(each.length).toBeGreaterThan(0);
      expect(before.some((script) => /board|timeline|chart|calendar/.test(script))).toBe(false);
    });

    it('shows the workspace at a glance, in few requests', async () => {
      const page = await at.open('/console');
      const tile = page.locator('.tile', { has: page.locator('.mini') }).filter({ hasText: 'Invoices' });
      await tile.waitFor();
      await page.waitForLoadState('networkidle');
      const asked = await page.evaluate<number>(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')).length",
      );
      expect(asked).toBeLessThan(70);
      const shown = numberIn((await tile.locator('.tile-sum').textContent()) ?? '');
      const all = await at.all('/invoices?');
      const sums = [...new Set(all.map(({ currency }) => currency))].map((currency) =>
        sumOf(
          all.filter((record) => record['currency'] === currency),
          'total',
        ),
      );
      expect(shown).toBeCloseTo(Math.max(...sums), 2);
      const issued = await at.all('/invoices?statusId=issued');
      await page.getByRole('link', { name: `Issued ${issued.length}` }).click();
      await soon(() => addressOf(page)).toBe('/console/invoices?statusId=issued');
      await page.goBack();
      await tile.getByRole('link', { name: 'Invoices' }).click();
      await page.locator('.bars').first().waitFor();
    });

    it.each(looks)('shows each picture without a barrier and within the screen ($look)', async ({ look, options }) => {
      const places = {
        home: ['/console', '.tile .mini'],
        board: ['/console/invoices?_view=board', '[data-card]'],
        timeline: ['/console/allocations?_view=timeline&_from=2026-07-06', '[data-bar]'],
        projects: ['/console/projects?_view=timeline&_from=2026-03-02&_zoom=year', '[data-bar]'],
        calendar: ['/console/time-entries?_view=calendar&_at=2026-09', '.day-count'],
        chart: ['/console/invoices?_view=chart&_by=client', '.stack rect'],
        hours: ['/console/time-entries?_view=chart&_by=project', '.stack rect'],
      };
      const page = await at.open('/console', options);
      for (const [name, [path = '', seen = '']] of Object.entries(places)) {
        await page.goto(at.origin + path);
        await page.locator(seen).first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(artefacts, `console-picture-${name}-${look}.png`) });
        expect(await excessOf(page), name).toBeLessThanOrEqual(0);
        expect(await barriersOf(page), name).toEqual([]);
      }
    });
  });

  describe('on a library of books', () => {
    let at: ConsolePages;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      const library = await createLibrary(`sqlite:${join(folder, 'library.sqlite')}`, accessToken);
      const server = library.app.listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      at = new ConsolePages(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      stop = async () => {
        server.closeAllConnections();
        server.close();
        await library.close();
      };
    }, 60_000);
    afterAll(() => stop?.());
    afterEach(() => at.end());

    it('says what is to be made first, and draws what there is then', async () => {
      const page = await at.open('/console');
      await page.getByText('None yet.').first().waitFor();
      // Each group that is empty says so once.
      await page.waitForLoadState('networkidle');
      const titles = await page.locator('.tile h3').allTextContents();
      expect(titles.length).toBeGreaterThan(1);
      expect(titles).toEqual([...new Set(titles)]);
      await page.getByText(/To explore (?:one|a workspace) with data/).waitFor();
      const author = await at.call('POST', '/authors', { name: 'Ursula K. Le Guin' });
      const lent: ShownRecord[] = [];
      for (const [title, lentOn, returnedOn] of [
        ['The Dispossessed', '2026-03-02', '2026-03-20'],
        ['Lavinia', '2026-03-10', '2026-04-02'],
        ['Tehanu', '2026-04-01', null],
      ] as const) {
        const book = await at.call('POST', '/books', { title, authorId: author.id });
        const loan = await at.call('POST', '/loans', { reader: 'Ada', bookId: book.id, lentOn });
        lent.push(returnedOn === null ? loan : await at.call('PATCH', `/loans/${loan.id}`, { returnedOn }));
      }
      await page.goto(`${at.origin}/console/loans?_view=timeline&_from=2026-02-23&_zoom=quarter`);
      await soon(() => page.locator('[data-bar]').count()).toBe(3);
      expect(await page.locator('.lane-name').allTextContents()).toEqual(['Lavinia', 'Tehanu', 'The Dispossessed']);
      // What has no end goes on.
      expect(await page.locator('.bar .open').count()).toBe(1);
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
      await page.goto(`${at.origin}/console/loans?_view=chart&_to=2026-06&_by=book`);
      const row = (month: string) => page.locator('tbody tr', { hasText: month }).locator('.total');
      await soon(() => row('Mar 2026').textContent()).toBe('2');
      expect(await row('Apr 2026').textContent()).toBe('1');
      expect(await page.getByRole('button', { name: 'Board', exact: true }).count()).toBe(0);
    });
  });
});
