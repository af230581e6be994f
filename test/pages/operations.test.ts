// What guides give to those who run it: the unit, the proxies' files. Each is asked of the program that reads it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allBlocks } from '../support/browser/guides.ts';

const block = (wanted: string): string => allBlocks.find(({ kind }) => kind === wanted)?.text ?? '';

/** Servers stand where not everybody looks. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`], { env }).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'praxis-operations-'));
const run = (command: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  return `${status}\n${stdout}${stderr}`;
};

/** Says so where a program is missing, and fails with `CI=true`: what is not asked of it is not known to be right. */
const testWith = (command: string) => {
  const isThere = has(command);
  if (!isThere && process.env['CI'] === 'true') throw new Error(`${command} is not on this machine`);
  if (!isThere) console.warn(`${command} is not on this machine: what its guide says for it is not tried`);
  return test.skipIf(!isThere);
};

beforeAll(() => {
  const names = ['-subj', '/CN=api.example.com', '-keyout', 'key.pem', '-out', 'cert.pem'];
  if (has('openssl'))
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names], {
      cwd: folder,
      stdio: 'ignore',
    });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('each has its block, for the same two processes', () => {
  for (const kind of ['ini', 'nginx', 'caddyfile', 'dockerfile']) expect(block(kind), kind).not.toBe('');
  for (const kind of ['nginx', 'caddyfile']) expect(block(kind)).toMatch(/127\.0\.0\.1:3001[\s\S]*127\.0\.0\.1:3002/);
});

testWith('systemd-analyze')('the unit is one', () => {
  // The program that it starts is asked for, too.
  const unit = block('ini').replace('/usr/bin/node', process.execPath).replace('User=praxis', 'User=root');
  mkdirSync(join(folder, 'units'));
  writeFileSync(join(folder, 'units/praxis@.service'), unit);
  writeFileSync(join(folder, 'units/praxis@3001.service'), unit);
  expect(run('systemd-analyze', 'verify', './units/praxis@3001.service')).toBe('0\n');
});

testWith('nginx')('nginx takes its file', () => {
  const site = block('nginx')
    .replace(/listen 443/, 'listen 127.0.0.1:3943')
    .replaceAll(/\/etc\/ssl\/api\.example\.com\.(pem|key)/g, (_all, end: string) =>
      join(folder, end === 'key' ? 'key.pem' : 'cert.pem'),
    );
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${places}\n${site}}\n`,
  );
  expect(run('nginx', '-t', '-e', join(folder, 'error.log'), '-p', folder, '-c', join(folder, 'nginx.conf'))).toMatch(
    /test is successful/,
  );
});

testWith('caddy')('Caddy takes its file', () => {
  writeFileSync(join(folder, 'Caddyfile'), block('caddyfile'));
  expect(run('caddy', 'validate', '--config', 'Caddyfile', '--adapter', 'caddyfile')).toMatch(
    /^0\n[\s\S]*Valid configuration/,
  );
});
