// `praxis member` as administrators run it, and sessions among the tokens that are listed and revoked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { beginSession } from '../../src/storage/sessions.ts';
import { blocksOf } from '../support/browser/guides.ts';
import { Folder } from '../support/commands/command.ts';
import { startIssuer } from './issuer.ts';

const patience = { timeout: 60_000 };
const admin = { ADMIN_NAME: 'Ada', ADMIN_EMAIL: 'ada@example.com', LOG_LEVEL: 'silent' };

describe('what members sign in with', patience, () => {
  const folder = new Folder(admin);
  let database: Database;
  let ada = '';
  /** The commands of the guide, in its order. */
  const [invite = '', password = ''] = blocksOf('sign-in', 'Passwords')
    .flatMap(({ kind, text }) => (kind === 'sh' ? text.split('\n') : []))
    .map((line) => line.replace('npm run praxis -- ', '').replace(' < password.txt', ''));

  beforeAll(async () => {
    await folder.print('feature list');
    database = await openDatabase(`sqlite:${folder.path}/data/workspace.sqlite`);
    ada = String((await database.all('select id from member', []))[0]?.[0]);
  });
  afterAll(async () => {
    await database.close();
    await folder.remove();
  });

  const kindsOf = async () => (await database.all('select kind from praxis_credential order by kind', [])).flat();
  const runWith = async (line: string, input: string) => {
    const started = folder.start(line);
    started.child.stdin?.end(input);
    return started.ended;
  };

  it('is an invitation, whose link stands alone on standard output', async () => {
    const { code, stdout, stderr } = await folder.run(invite);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console#invite=[\w-]{43}\n$/);
    expect(stderr).toMatch(/^It works once, until \d{4}-\S+Z; an invitation of before does not any more\.\n$/);
    const told = JSON.parse((await folder.run(`${invite} --json`, { PUBLIC_URL: 'https://work.example.com' })).stdout);
    expect(told).toMatchObject({
      member: ada,
      link: expect.stringMatching(/^https:\/\/work\.example\.com\/console#invite=/),
      maySignIn: true,
    });
    expect(await kindsOf()).toEqual(['invite']);
  });

  it('is a password from standard input', async () => {
    expect(await runWith(password, 'correct horse battery\n')).toEqual({
      code: 0,
      stdout: `${ada} has a password.\n`,
      stderr: '',
    });
    expect(await kindsOf()).toEqual(['invite', 'password']);
  });

  it.each([
    [password, 'too short', 'A password must be 12 to 256 characters.'],
    ['member password nobody@example.com', 'x', "No Member has the id or sign-in name 'nobody@example.com'."],
    ['member invite 01890a5d-ac96-774b-bcce-b302099a8057', '', /No Member has the id/],
  ])('refuses "%s" of %j', async (line, input, message) => {
    const { code, stdout, stderr } = await runWith(line, input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(message);
  });

  it('is told where it would be of no use', async () => {
    const noConsole = await folder.run(invite, { CONSOLE: 'false' });
    expect(noConsole).toMatchObject({ code: 1, stderr: 'An invitation leads to the console, and CONSOLE is false.\n' });
    const memory = await folder.run(invite, { DATABASE_URL: 'sqlite::memory:' });
    expect(memory.stderr).toContain('ends with this command; set DATABASE_URL.');
    await database.run('update member set login_enabled = 0', []);
    expect((await folder.run(invite)).stderr).toContain('This member cannot sign in now');
  });

  it('is no link with an account elsewhere any more', async () => {
    expect(await folder.print('member unlink ada@example.com')).toBe(`${ada} is linked with no account elsewhere.\n`);
  });

  it('is told by the doctor, with the issuer', async () => {
    const found = async (env: Record<string, string>) => {
      const findings: Record<string, string>[] = JSON.parse((await folder.run('doctor --json', env)).stdout);
      return findings.flatMap(({ code, state, says }) => (code === 'sign-in' ? [[state, says]] : []));
    };
    expect(await found({})).toEqual([]);
    const count = ['fine', '1 member has a password, 0 an external account'];
    expect(await found({ SIGN_IN: 'password', PUBLIC_URL: 'http://work.example.com' })).toEqual([
      count,
      ['note', 'callers send passwords and tokens to http://work.example.com without TLS'],
    ]);
    const issuer = await startIssuer('https://work.example.com/sign-in/oidc/callback');
    const oidc = {
      SIGN_IN: 'oidc',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: 'praxis',
      OIDC_CLIENT_SECRET: 'a secret'.replace(' ', '-').repeat(2),
      PUBLIC_URL: 'https://work.example.com',
    };
    expect(await found(oidc)).toEqual([count, ['fine', `the issuer ${issuer.url} responds`]]);
    await issuer.stop();
    const [, [state, says] = []] = await found(oidc);
    expect([state, says]).toEqual(['act', expect.stringContaining('does not respond')]);
  });

  it('are sessions among the tokens', async () => {
    const now = Date.now();
    const times = { now, expiresAt: now + 3_600_000 };
    const { id, token } = await beginSession(database, { memberId: ada, ...times });
    await beginSession(database, { memberId: ada, now: now - 10, expiresAt: now - 1 });
    const listed = JSON.parse(await folder.print('token list --json'));
    expect(listed).toMatchObject([{ id, kind: 'session', memberId: ada, last4: token.slice(-4), state: 'active' }]);
    expect(await folder.print('token list')).toMatch(
      new RegExp(`${id} .* active .* ${ada} +the member's +none +session\\n`),
    );
    expect(await folder.print(`token revoke ${token.slice(-4)}`)).toBe(`${id}  ${token.slice(-4)}  revoked  session\n`);
    expect(JSON.parse(await folder.print('token list --json'))).toEqual([]);
  });
});
