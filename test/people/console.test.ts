// Members sign in to the console and out of it, in a browser: by a password, an invitation, and an issuer on this machine.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startPraxis } from '../../src/app/serve.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { readConfig } from '../../src/config.ts';
import { Administration } from '../../src/people/people.ts';
import { chromiumPath, startBrowser } from '../support/browser/browser.ts';
import { barriersOf, ConsolePages, desktop, excessOf, looks } from '../support/browser/console.ts';
import { accessToken, folders } from '../support/service/praxis.ts';
import { folderOfRoles } from './everyone.ts';
import { client, type Issuer, startIssuer } from './issuer.ts';

const artefacts = join(import.meta.dirname, '../../.artefacts');
const executablePath = chromiumPath();
const password = 'correct horse battery';

/** Sees clients without their notes, and renames those that are one's own. */
const clerk = {
  title: 'Clerk',
  description: 'Keeps the names of clients.',
  heldBy: "me.email == 'bea@example.com'",
  allow: [
    { on: ['client'], to: ['read'], fields: { hide: ['notes'] } },
    { on: ['client'], to: ['update'], when: 'ownerId == actor', fields: { write: ['name'] } },
  ],
};

/** A port that nobody has: the issuer must know it before the service has it. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

describe.skipIf(executablePath === undefined)('sign-in to the console', { timeout: 60_000 }, () => {
  let browser: Browser;
  let at: ConsolePages;
  let administration: Administration;
  let issuer: Issuer;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    mkdirSync(artefacts, { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), 'praxis-people-'));
    const roles = folderOfRoles("me.email == 'ada@example.com'");
    writeFileSync(join(roles, 'clerk.json'), JSON.stringify(clerk));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    issuer = await startIssuer(`${origin}/sign-in/oidc/callback`);
    const config = readConfig({
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'work.sqlite')}`,
      RESOURCES: folders.product,
      ROLES: roles,
      ACCESS_TOKEN: accessToken,
      ADMIN_NAME: 'Ada Admin',
      ADMIN_EMAIL: 'ada@example.com',
      SIGN_IN: 'password,oidc',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      PUBLIC_URL: origin,
    });
    const praxis = await startPraxis(config, pino({ level: 'silent' }));
    const workspace = await openWorkspace(config);
    if (workspace.people === undefined) throw new Error('nobody signs in');
    administration = new Administration(workspace.people, workspace.unit);
    browser = await startBrowser(executablePath ?? '');
    at = new ConsolePages(browser, origin);
    closing.push(
      () => browser.close(),
      () => workspace.close(),
      praxis.stop,
      issuer.stop,
      () => rmSync(folder, { recursive: true, force: true }),
    );
  }, 120_000);
  afterAll(async () => {
    for (const each of closing) await each();
  });
  afterEach(() => at.end());

  const idOf = async (email: string): Promise<string> => (await administration.find(email))?.id ?? '';
  const grid = (page: Page) => page.getByRole('grid', { name: 'Clients' });
  const tokenIn = (page: Page): Promise<string> =>
    page.evaluate<string>("sessionStorage.getItem('praxis.token') ?? ''");
  const statusOf = async (token: string): Promise<number> =>
    (await fetch(`${at.origin}/api/clients?limit=1`, { headers: { Authorization: `Bearer ${token}` } })).status;

  it('takes a name and a password, tells what is wrong, and ends the session with the sign-out', async () => {
    await administration.givePassword([await idOf('ada@example.com')], password);
    const page = await at.open('/console/clients', desktop, null);
    await page.getByLabel('Email or name').fill('ada@example.com');
    await page.getByLabel('Password').fill('not the one at all');
    await page.keyboard.press('Enter');
    await page.getByText('The name or the password is wrong.').waitFor();
    at.expectStatus(401);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await grid(page).waitFor();
    const token = await tokenIn(page);
    expect(token).toMatch(/^praxis_s_/);
    expect(await page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')).toBe('{}');
    expect(await statusOf(token)).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email or name').waitFor();
    await expect.poll(() => statusOf(token)).toBe(401);
    expect(await tokenIn(page)).toBe('');
  });

  it('takes an access token where that is asked', async () => {
    const page = await at.open('/console/clients', desktop, null);
    await page.getByRole('button', { name: 'Use an access token instead' }).click();
    await page.getByLabel('Access token').fill(accessToken);
    await page.keyboard.press('Enter');
    await grid(page).waitFor();
  });

  it('lets one choose the password of an invitation, whose secret leaves the address', async () => {
    const { secret } = await administration.invite(await idOf('ada@example.com'));
    const page = await at.open(`/console#invite=${secret}`, desktop, null);
    await page.getByLabel('Password', { exact: true }).fill('chosen by myself');
    await page.getByLabel('Repeat the password').fill('chosen by another');
    await page.keyboard.press('Enter');
    await page.getByText('The two passwords are different.').waitFor();
    expect(page.url()).toBe(`${at.origin}/console`);
    await page.getByLabel('Repeat the password').fill('chosen by myself');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await tokenIn(page)).toMatch(/^praxis_s_/);
  });

  it('goes to the issuer and comes back, and says where that leads to nobody', async () => {
    issuer.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
    const context = await browser.newContext(desktop);
    const page = await context.newPage();
    await page.goto(`${at.origin}/console`);
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${at.origin}/console`);
    expect(await tokenIn(page)).toMatch(/^praxis_s_/);
    const other = await (await browser.newContext(desktop)).newPage();
    issuer.account = { sub: 'eve', email: 'eve@example.com', email_verified: true };
    await other.goto(`${at.origin}/console`);
    await other.getByRole('button', { name: 'Sign in with single sign-on' }).click();
    await other.getByText('No member with sign-in rights matches this account.').waitFor();
    expect(await tokenIn(other)).toBe('');
  });

  it('offers a member what is granted, of each record what is granted of it, and nothing else', async () => {
    const { id } = await at.call('POST', '/members', { name: 'Bea', email: 'bea@example.com', loginEnabled: true });
    await administration.givePassword([id], password);
    const own = await at.call('POST', '/clients', { name: 'Her own', notes: 'Not for her', ownerId: id });
    const other = await at.call('POST', '/clients', { name: 'Of others' });
    const page = await at.open('/console/clients', desktop, null);
    await page.getByLabel('Email or name').fill('bea@example.com');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await grid(page).waitFor();
    expect(await page.getByRole('navigation', { name: 'Groups' }).getByRole('link').allTextContents()).toEqual([
      'Clients',
    ]);
    expect(await page.getByRole('link', { name: 'New client' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Street address').waitFor();
    expect(await page.getByLabel('Notes', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.grid-body input.choose').first().click();
    const chosen = page.getByRole('region', { name: 'Selected records' });
    await chosen.getByRole('button', { name: 'Change …' }).click();
    expect(await page.getByLabel('Field').locator('option').allTextContents()).toEqual(['Name']);
    await page.keyboard.press('Escape');
    expect(await chosen.getByRole('button', { name: 'Delete …' }).count()).toBe(0);
    await page.goto(`${at.origin}/console/clients/${own.id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await page.locator('.written label').allTextContents()).toEqual(['Name']);
    await page.goto(`${at.origin}/console/clients/${other.id}`);
    const told = page.waitForResponse((response) => response.url().includes(`/access/clients/${other.id}`));
    await page.getByRole('heading', { name: 'Of others' }).waitFor();
    await told;
    await page.getByRole('button', { name: 'More' }).click();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    expect(await page.getByText('Not for her').count()).toBe(0);
    await page.goto(`${at.origin}/console/invoices`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it.each(looks)('has no barrier, and stays within the screen ($look)', async ({ look, options }) => {
    for (const [name, path] of [
      ['form', '/console'],
      ['invite', '/console#invite=x'],
      ['refused', '/console#refused'],
    ]) {
      const page = await at.open(path ?? '', options, null);
      await page.locator('.sign-in button').first().waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await excessOf(page)).toBe(0);
      await page.screenshot({ path: join(artefacts, `sign-in-${name}-${look}.png`) });
    }
  });
});
