// `praxis demo` as its users run it, on both databases: what it makes is the same each time, fits the interface, and adds up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Ended, Folder } from '../support/commands/command.ts';
import { recordValidator } from '../support/data/schemas.ts';
import { databases } from '../support/databases/databases.ts';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Json, registryOf, startService } from '../support/service/praxis.ts';

const patience = 300_000;
const line = 'demo --until 2026-09-30 --months 4';
const registry = registryOf('product');
const folder = new Folder();
const closing: (() => Promise<void>)[] = [];

interface Filled {
  readonly name: string;
  readonly url: string;
  readonly ended: Ended;
  readonly service: Context;
  /** The text of every page of a group's list, by group. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
}
const filled: Filled[] = [];

beforeAll(async () => {
  const urls = ['one', 'two'].map((name) => [name, `sqlite:${join(folder.path, `${name}.sqlite`)}`] as const);
  const servers = databases.filter(({ isThere, isServer }) => isThere && isServer);
  const made = await Promise.all(servers.map(({ open }) => open('praxis_demo')));
  closing.push(...made.map(({ drop }) => drop));
  const all = await Promise.all(
    [...urls, ...made.map(({ url }, place) => [servers[place]?.name ?? '', url] as const)].map(async ([name, url]) => {
      const ended = await folder.run(line, { DATABASE_URL: url });
      expect(ended, name).toMatchObject({ code: 0 });
      const service = await startService('product', url);
      closing.unshift(() => service.stop());
      // Until then what hangs on the day is still brought up to it.
      const { origin } = new URL(service.address);
      const behind = async () =>
        ((await (await fetch(`${origin}/readyz`)).json()) as { day?: { behind?: number } }).day?.behind;
      await vi.waitUntil(async () => (await behind()) === 0, { timeout: 60_000 });
      return { name, url, ended, service, pages: await readPages(service) };
    }),
  );
  filled.push(...all);
}, patience);

afterAll(async () => {
  for (const close of closing) await close();
  folder.remove();
}, patience);

/** Reads every list to its end. */
async function readPages({ call }: Context): Promise<Map<string, string[]>> {
  const pages = new Map<string, string[]>();
  for (const { name, path, operations } of registry.resources.values()) {
    if (!operations.has('list')) continue;
    const texts: string[] = [];
    for (let after = ''; ; ) {
      const { status, text, body } = await call('GET', `${path}?limit=100${after}`);
      expect(status, text).toBe(200);
      texts.push(text);
      const { results, hasMore } = body as { results: { id: string }[]; hasMore: boolean };
      if (!hasMore) break;
      after = `&startingAfter=${results.at(-1)?.id}`;
    }
    pages.set(name, texts);
  }
  return pages;
}

/** The records of a group, as the first database shows them. */
const recordsOf = (group: string): readonly Json[] =>
  (filled[0]?.pages.get(group) ?? []).flatMap((text) => (JSON.parse(text) as { results: Json[] }).results);
const amount = (record: Json, field: string): number => Math.round(Number(record[field]) * 100);
const sumOf = (records: readonly Json[], field: string): number =>
  records.reduce((sum, record) => sum + amount(record, field), 0);
const itemsOf = (record: Json, field: string): readonly Json[] => record[field] as Json[];

/** The Monday of a date's week. */
function weekOf(date: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
}

describe('praxis demo', () => {
  test('makes the same bytes each time, on every database', () => {
    const [first, ...others] = filled;
    expect(others.length).toBeGreaterThan(0);
    for (const { name, pages } of others)
      for (const [group, texts] of pages) expect(texts, `${group} in ${name}`).toEqual(first?.pages.get(group));
  });

  test('fills every list, with records that fit the interface', () => {
    const empty: string[] = [];
    for (const group of filled[0]?.pages.keys() ?? []) {
      const resource = registry.resources.get(group);
      const records = recordsOf(group);
      if (records.length === 0) empty.push(group);
      if (resource === undefined) continue;
      const isValid = recordValidator(registry, resource);
      for (const record of records) expect(isValid(record), `${group} ${JSON.stringify(isValid.errors)}`).toBe(true);
    }
    // Rare things, which a firm of four months need not have.
    const rare = [
      'project-expense',
      'project-revenue-adjustment',
      'project-monthly-budget-other-item',
      'project-monthly-budget-product-item',
    ];
    expect(empty.filter((group) => !rare.includes(group))).toEqual([]);
  });

  test('dates records by the history, in the order in which they came', () => {
    for (const group of ['time-entry', 'invoice', 'opportunity']) {
      const times = recordsOf(group).map(({ createdAt }) => String(createdAt));
      expect(times, group).toEqual([...times].sort().reverse());
      expect(times.at(0)?.slice(0, 7), group).toBe('2026-09');
      expect(
        times.every((time) => time >= '2026-06-01' && time < '2026-10-01'),
        group,
      ).toBe(true);
    }
  });

  test('has invoices, deals, projects and hours in every state', () => {
    const states = (group: string, field = 'statusId') => new Set(recordsOf(group).map((record) => record[field]));
    expect(states('invoice')).toEqual(new Set(['draft', 'issued', 'paid', 'void']));
    expect(states('time-entry')).toEqual(new Set(['not_submitted', 'pending_approval', 'approved', 'rejected']));
    expect(states('expense-item')).toEqual(new Set(['not_submitted', 'pending_approval', 'approved', 'rejected']));
    expect(states('project')).toEqual(new Set(['tentative', 'not_started', 'in_progress']));
    const stages = recordsOf('opportunity').map((record) => (record['opportunityStage'] as Json)['name']);
    expect(new Set(stages)).toEqual(new Set(['Qualification', 'Proposal', 'Negotiation', 'Won', 'Lost']));
  });

  test('has invoices that add up, and payments that are theirs', () => {
    const invoices = recordsOf('invoice');
    const payments = recordsOf('payment');
    expect(payments.length).toBeGreaterThan(10);
    for (const invoice of invoices) {
      const label = String(invoice['number']);
      expect(amount(invoice, 'subtotal'), label).toBe(sumOf(itemsOf(invoice, 'lines'), 'amount'));
      const total = amount(invoice, 'subtotal') - amount(invoice, 'totalDiscount') + amount(invoice, 'totalTax');
      expect(amount(invoice, 'total'), label).toBe(total);
      const paid = payments.flatMap((payment) => itemsOf(payment, 'invoices')).filter(({ id }) => id === invoice['id']);
      expect(amount(invoice, 'amountPaid'), label).toBe(sumOf(paid, 'amount'));
      const due = total - sumOf(paid, 'amount') - amount(invoice, 'amountCredited');
      expect(amount(invoice, 'amountDue'), label).toBe(invoice['statusId'] === 'void' ? 0 : due);
    }
  });

  test('bills the hours of a client at the rates of their roles', () => {
    const hours = recordsOf('invoice')
      .flatMap((invoice) => itemsOf(invoice, 'lines'))
      .filter(({ quantity }) => quantity !== null);
    expect(hours.length).toBeGreaterThan(5);
    const cards = recordsOf('project-rate-card').flatMap((card) => [
      ...itemsOf(card, 'roleRates'),
      ...itemsOf(card, 'memberRates'),
    ]);
    const rates = new Set(
      [...recordsOf('project-role'), ...recordsOf('project-member'), ...cards].map(({ rate }) => rate),
    );
    for (const { rate } of hours) expect(rates.has(rate)).toBe(true);
  });

  test('bills records that are invoiced by then, and uses up advances', () => {
    const lines = recordsOf('invoice')
      .filter(({ statusId }) => statusId === 'issued' || statusId === 'paid')
      .flatMap((invoice) => itemsOf(invoice, 'lines'));
    const billed = new Set(lines.flatMap((line) => itemsOf(line, 'sources').map(({ id }) => id)));
    for (const group of ['time-entry', 'expense-item', 'project-prepayment']) {
      const records = recordsOf(group);
      expect(
        records.some(({ id }) => billed.has(id)),
        group,
      ).toBe(true);
      for (const { id, invoiced } of records) expect([group, id, invoiced]).toEqual([group, id, billed.has(id)]);
    }
    for (const advance of recordsOf('project-prepayment')) {
      const used = lines.filter((line) => (line['projectPrepayment'] as Json | null)?.['id'] === advance['id']);
      expect(amount(advance, 'amountApplied') + sumOf(used, 'amount')).toBe(0);
    }
    expect(sumOf(recordsOf('project-prepayment'), 'amountApplied')).toBeGreaterThan(0);
  });

  test('keeps what its formulas give', async () => {
    for (const { name, service } of filled) expect([name, await verified(service, 'product')]).toEqual([name, []]);
  });

  test('gathers time entries in timesheets', () => {
    const gathered = recordsOf('timesheet').flatMap((sheet) => itemsOf(sheet, 'timeEntries').map(({ id }) => id));
    expect(gathered.length).toBeGreaterThan(1000);
    expect(new Set(gathered).size).toBe(gathered.length);
  });

  test('submits time with its timesheet, and decides on both together', () => {
    const entries = new Map(recordsOf('time-entry').map((entry) => [entry['id'], entry]));
    const projects = new Map(recordsOf('project').map((project) => [project['id'], project]));
    const sheets = recordsOf('timesheet');
    expect(new Set(sheets.map(({ statusId }) => statusId))).toEqual(
      new Set(['pending_approval', 'approved', 'rejected']),
    );
    const confirmed = new Set(recordsOf('timesheet-attestation').map((one) => (one['timesheet'] as Json)['id']));
    for (const sheet of sheets) {
      const states = itemsOf(sheet, 'timeEntries').map(({ id }) => entries.get(id)?.['statusId']);
      expect(states).not.toContain('not_submitted');
      const isApproved = states.every((state) => state === 'approved');
      const state = states.includes('rejected') ? 'rejected' : isApproved ? 'approved' : 'pending_approval';
      expect([sheet['id'], sheet['statusId']]).toEqual([sheet['id'], state]);
      expect(confirmed.has(sheet['id'])).toBe(true);
    }
    for (const entry of entries.values()) {
      const project = projects.get((entry['project'] as Json | null)?.['id']);
      if (entry['timesheet'] === null) expect(entry['statusId']).toBe('not_submitted');
      else if (project?.['timeApprovalMode'] === 'auto') expect(entry['statusId']).toBe('approved');
    }
    expect([...entries.values()].some(({ notes }) => String(notes).endsWith(', as agreed by phone'))).toBe(true);
  });

  test('has projects with every budget, approval and cap, and keeps the caps', () => {
    const projects = recordsOf('project');
    const modes = (field: string) => new Set(projects.map((project) => project[field]));
    expect(modes('budgetMode')).toEqual(new Set([null, 'summary', 'detailed', 'aggregated']));
    expect(modes('timeApprovalMode')).toEqual(new Set(['auto', 'manual']));
    expect(modes('expenseApprovalMode')).toEqual(new Set(['auto', 'manual']));
    const entries = recordsOf('time-entry').filter(({ statusId, project }) => statusId !== 'rejected' && project);
    const idOf = (entry: Json, field: string): unknown => (entry[field] as Json | null)?.['id'];
    const hours = (wanted: readonly Json[]): number =>
      wanted.reduce((sum, each) => sum + Number(each['minutes']), 0) / 60;
    const capped = projects.filter(
      (project) => project['capMaxMemberHoursPerDay'] || project['capMaxMemberHoursPerWeek'],
    );
    expect(capped.length).toBeGreaterThan(1);
    for (const { id, maxMemberHoursPerDay, maxMemberHoursPerWeek } of capped) {
      const own = entries.filter((entry) => idOf(entry, 'project') === id);
      const byDay = Map.groupBy(own, (entry) => `${idOf(entry, 'member')} ${entry['date']}`);
      const byWeek = Map.groupBy(own, (entry) => `${idOf(entry, 'member')} ${weekOf(String(entry['date']))}`);
      for (const day of byDay.values()) expect(hours(day)).toBeLessThanOrEqual(Number(maxMemberHoursPerDay ?? 24));
      for (const week of byWeek.values()) expect(hours(week)).toBeLessThanOrEqual(Number(maxMemberHoursPerWeek ?? 168));
    }
    const tasks = recordsOf('task').filter(({ capHours }) => capHours);
    const spent = tasks.map((task) => hours(entries.filter((entry) => idOf(entry, 'task') === task['id'])));
    expect(Math.max(...spent)).toBeGreaterThan(0);
    for (const [index, task] of tasks.entries())
      expect(spent[index]).toBeLessThanOrEqual(Number(task['budgetedHours']));
  });

  test('raises rates with a rate card, from its day on', () => {
    const cards = recordsOf('project-rate-card').filter(({ start }) => start !== null && String(start) <= '2026-09-30');
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards) {
      const id = (card['project'] as Json)['id'];
      const start = String(card['start']);
      const entries = recordsOf('time-entry').filter(({ project }) => (project as Json | null)?.['id'] === id);
      const rates = (wanted: readonly Json[]) =>
        new Set(wanted.flatMap(({ rate }) => (rate === null ? [] : [Number(rate)])));
      const before = rates(entries.filter(({ date }) => String(date) < start));
      const after = rates(entries.filter(({ date }) => String(date) >= start));
      expect(after.size).toBeGreaterThan(0);
      for (const rate of after) expect([...before].some((old) => Math.abs(old * 1.03 - rate) < 0.01)).toBe(true);
    }
  });

  test('reports the health of projects by their hours, and what became of deals', () => {
    for (const report of recordsOf('project-health-report')) {
      const [id, date] = [(report['project'] as Json)['id'], String(report['date'])];
      const hours = recordsOf('time-entry')
        .filter((entry) => (entry['project'] as Json | null)?.['id'] === id && String(entry['date']) <= date)
        .reduce((sum, entry) => sum + Number(entry['minutes']) / 60, 0);
      expect(Number(report['totalHours'])).toBeGreaterThan(0);
      expect(Number(report['totalHours'])).toBeLessThanOrEqual(hours + 0.01);
      expect(Number(report['totalCost'])).toBeGreaterThan(0);
      expect(amount(report, 'totalGrossProfit')).toBe(amount(report, 'totalRevenue') - amount(report, 'totalCost'));
    }
    const logged = recordsOf('pipeline-activity').filter(({ readOnly }) => readOnly);
    expect(new Set(logged.map(({ subject }) => subject))).toContain('Stage Change');
  });

  test('lets nobody work at weekends, or more than a day has', () => {
    const days = new Map<string, number>();
    for (const entry of recordsOf('time-entry')) {
      const date = String(entry['date']);
      expect([0, 6], date).not.toContain(new Date(`${date}T12:00:00Z`).getUTCDay());
      const day = `${(entry['member'] as Json)['id']} ${date}`;
      days.set(day, (days.get(day) ?? 0) + Number(entry['minutes']));
    }
    expect(Math.max(...days.values())).toBeLessThanOrEqual(10 * 60);
  });

  test('says what it has made, and how far it is', () => {
    for (const { ended } of filled) {
      const [, total = ''] = /^([\d,]+) records in [\d.]+ seconds, [\d,]+ a second\.$/m.exec(ended.stdout) ?? [];
      expect(Number(total.replaceAll(',', ''))).toBeGreaterThan(3000);
      expect(ended.stdout).toContain(`time-entries ${recordsOf('time-entry').length.toLocaleString('en-US')}`);
      expect(ended.stdout).toContain('/api/time-entries?dateOnAfter=2026-09-01');
      // A log has no use for how far it is.
      expect(ended.stderr).toBe('');
    }
  });

  test('refuses a workspace that holds records, and changes nothing', { timeout: patience }, async () => {
    for (const { url, service } of filled.slice(1)) {
      const { code, stdout, stderr } = await folder.run(line, { DATABASE_URL: url });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^The workspace holds records already \(see \/[a-z-]+\), .* set DATABASE_URL to a new database.*\n$/,
      );
      const { text } = await service.call('GET', '/clients?limit=100');
      expect([text]).toEqual(filled[0]?.pages.get('client'));
    }
  });

  test.each([
    ['--months 0', "--months must be a whole number from 1 to 60, not '0'.\n"],
    ['--scale x', "--scale must be a whole number from 1 to 1000, not 'x'.\n"],
    [
      '--until 2026-02-30',
      "--until must be a day (2026-09-30) from 1990-01-01 to 2090-12-31, or 'today', not '2026-02-30'.\n",
    ],
  ])('refuses %s before it touches a database', { timeout: patience }, async (wrong, message) => {
    const file = join(folder.path, 'untouched.sqlite');
    expect(await folder.run(`demo ${wrong}`, { DATABASE_URL: `sqlite:${file}` })).toEqual({
      code: 1,
      stdout: '',
      stderr: message,
    });
    expect(existsSync(file)).toBe(false);
  });
});

test('says what it leaves where it is stopped', { timeout: patience }, async () => {
  const file = join(folder.path, 'stopped.sqlite');
  const { child, ended } = folder.start('demo --months 60', { DATABASE_URL: `sqlite:${file}` });
  // Something has been written.
  await vi.waitUntil(() => existsSync(`${file}-wal`), { timeout: 60_000 });
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(
      /^Stopped (?:with nothing written yet|at \d{4}-\d\d-\d\d, with about [\d,]+ records): what is in \S+ is right, and a part of the demo\. Remove it \(rm \S+\) before you begin again\.\n$/,
    ),
  ]);
});
