// The commands around roles, as their users run them: write them, check them, ask who may do what, and why.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Folder } from '../support/commands/command.ts';

test('the commands write roles, tell who may do what, and why', { timeout: 240_000 }, async () => {
  const folder = new Folder({
    DATABASE_URL: 'sqlite:records.sqlite',
    ADMIN_NAME: 'Ada',
    ADMIN_EMAIL: 'ada@example.com',
  });
  try {
    expect(await folder.run('access')).toMatchObject({ code: 1, stderr: expect.stringContaining('praxis new access') });
    // Nobody is locked out by a slip.
    const empty = join(folder.path, 'resources/roles');
    mkdirSync(empty);
    expect(await folder.run('serve')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]*resources\/roles holds no role; remove the folder, or add one\n$/),
    });
    rmdirSync(empty);
    const made = await folder.run('new access');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('administrator, agent, billing, manager') });
    expect((await folder.run('new access')).stderr).toContain('already exists; nothing was changed.');
    expect(JSON.parse(readFileSync(join(folder.path, 'resources/roles/member.json'), 'utf8'))).toMatchObject({
      title: 'Member',
    });
    expect((await folder.run('access')).stdout).toMatch(/^invoice +CRUDLH +cRu-L- +CRUDL- +-R--LH +------ +------$/m);
    const checked = await folder.run('check');
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('82 descriptors, 6 roles, no faults') });
    expect(await folder.run('check --strict')).toMatchObject({ code: 1 });
    const started = folder.start('serve', { PORT: '0' });
    for (let wait = 0; wait < 300 && !started.output.stdout.includes('pages, for people'); wait += 1) await delay(100);
    started.child.kill('SIGTERM');
    await started.ended;
    expect(await folder.run('token create --role billing')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^praxis_/),
    });
    expect((await folder.run('token create --role biling')).stderr).toContain(
      '"biling" is not a role; did you mean "billing"?',
    );
    expect(await folder.run('can ada@example.com update workspace-settings')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^yes: administrator\/allow\[0\] allows it \(resources\/roles\/administrator.json:\d+\)/,
      ),
    });
    expect(await folder.run('can role:billing delete client')).toMatchObject({
      code: 1,
      stdout: 'no: no rule allows it\n',
    });
    expect(await folder.run('can nobody delete client')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'nobody' is not a member"),
    });
    expect((await folder.run('doctor')).stdout).toContain('no member and no token has the role "manager"');
    expect((await folder.run('check --database')).stdout).toContain(
      'role-unheld: no member and no token has the role "manager"',
    );
    expect((await folder.run('check')).stdout).not.toContain('role-unheld');
    const wrong = { title: 'X', description: 'X', allow: [], examples: [{ to: 'get', on: 'client', is: 'allowed' }] };
    writeFileSync(join(folder.path, 'resources/roles/x.json'), JSON.stringify(wrong));
    expect(await folder.run('check')).toMatchObject({ code: 1, stderr: expect.stringContaining('/examples/0') });
  } finally {
    folder.remove();
  }
});

test('what no list can be narrowed by is told at its place, and neither a check nor a start goes on', {
  timeout: 240_000,
}, async () => {
  const folder = new Folder({ DATABASE_URL: 'sqlite:records.sqlite' });
  try {
    mkdirSync(join(folder.path, 'resources/roles'));
    const when = 'timeEntries.filter(t, t.memberId == id).sum(t, t.minutes) > 5';
    const role = { title: 'X', description: 'X', allow: [{ on: ['member'], to: ['read'], when }] };
    writeFileSync(join(folder.path, 'resources/roles/x.json'), JSON.stringify(role, null, 2));
    for (const command of ['check', 'serve'])
      expect(await folder.run(command)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /resources\/roles\/x\.json:12:15 \/allow\/0\/when: the database cannot filter a list by "sum"; put it in a computed field/,
        ),
      });
  } finally {
    folder.remove();
  }
});

test('a change of role files is told, against a commit and a snapshot', { timeout: 240_000 }, async () => {
  const folder = new Folder();
  try {
    expect((await folder.run('new access')).code).toBe(0);
    execFileSync('git', ['init', '-q'], { cwd: folder.path });
    execFileSync('git', ['add', 'resources'], { cwd: folder.path });
    const commit = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'roles'];
    execFileSync('git', commit, { cwd: folder.path });
    expect((await folder.run('snapshot --out kept.json')).code).toBe(0);
    const billing = join(folder.path, 'resources/roles/billing.json');
    const text = readFileSync(billing, 'utf8');
    const role = JSON.parse(text) as { allow: { on: string[]; to: string[] }[] };
    role.allow.push({ on: ['invoice'], to: ['history'] });
    writeFileSync(billing, JSON.stringify(role));
    for (const against of ['HEAD', 'kept.json'])
      expect(await folder.run(`check --against ${against}`)).toEqual({
        code: 1,
        stdout: '✗ billing: history of invoice widened (readers)\n',
        stderr: 'This change breaks programs that read. To allow it: --allow readers\n',
      });
    writeFileSync(billing, text);
    expect(await folder.run('check --against kept.json')).toMatchObject({
      code: 0,
      stdout: 'no differences from kept.json\n',
    });
  } finally {
    folder.remove();
  }
});
