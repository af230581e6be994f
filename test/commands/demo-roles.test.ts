// `praxis demo --roles` as its users run it: members hold roles, and sign in by the password that it prints.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blocksOf } from '../support/browser/guides.ts';
import { Folder } from '../support/commands/command.ts';
import { send } from '../support/service/send.ts';

const folder = new Folder({ DATABASE_URL: 'sqlite:roles.sqlite' });
afterAll(() => folder.remove());

interface Filled {
  readonly password: string;
  readonly roles: { readonly written: boolean };
  readonly members: readonly { readonly name: string; readonly roles: readonly string[] }[];
}

test('the demo has members of every role, who see what their roles let them', { timeout: 300_000 }, async () => {
  // As the guide has it, with less of a history.
  const [fill = '', serve = ''] = blocksOf('demo', 'With roles').flatMap(({ text }) => text.trim().split('\n'));
  const command = /npm run praxis -- (.*)$/.exec(fill)?.[1] ?? '';
  expect(serve).toMatch(/^SIGN_IN=password .*npm start$/);
  const filled = JSON.parse(await folder.print(`${command} --until 2026-09-30 --months 1 --json`)) as Filled;
  expect(filled.roles.written).toBe(true);
  expect(existsSync(join(folder.path, 'resources/roles/member.json'))).toBe(true);
  const held = new Set(filled.members.flatMap(({ roles }) => roles));
  expect([...held].toSorted()).toEqual(['administrator', 'billing', 'manager', 'member', 'project-lead']);
  expect(filled.members.filter(({ roles }) => roles.length === 0)).toEqual([]);

  const service = folder.start('serve', { SIGN_IN: 'password', PORT: '0' });
  await expect.poll(() => service.output.stdout, { timeout: 60_000 }).toContain('pages, for people');
  const [address = ''] = /http:\/\/[^\s]+(?=\/api)/.exec(service.output.stdout) ?? [];
  /** Rows of a list, as somebody of exactly these roles sees them. */
  const rowsOf = async (roles: string, path: string) => {
    const { name } = filled.members.find((member) => member.roles.join() === roles) ?? { name: roles };
    const body = { name, password: filled.password };
    const { token } = (await send({ address }, 'POST /sign-in', { body })).body;
    const headers = { Authorization: `Bearer ${token}` };
    const { status, body: page } = await send({ address: `${address}/api` }, `GET ${path}`, { headers });
    return status === 200 ? page.results : status;
  };
  const [first] = await rowsOf('administrator', '/cost-periods?limit=1');
  expect(first.costPerHour).toEqual(expect.any(Number));
  expect(await rowsOf('member', '/cost-periods?limit=1')).toBe(403);
  const [own] = await rowsOf('member', '/time-entries?limit=1');
  const [any] = await rowsOf('administrator', '/time-entries?limit=1');
  expect(any).toHaveProperty('costPerHour');
  expect(own).not.toHaveProperty('costPerHour');
  expect(await rowsOf('member', '/invoices?limit=1')).toBe(403);
  expect(await rowsOf('billing', '/invoices?limit=1')).toEqual(expect.any(Array));
  service.child.kill('SIGTERM');
  await service.ended;
});
