// A MySQL for tests: the one that is given, or a private one of the programs that `test/support/mysql/get.sh` has fetched;
// and MySQL's Router.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReachable, type PrivateServer, runPrivate, warnLoudly } from './private-server.ts';

const scripts = join(import.meta.dirname, '../mysql');
/** Where `program.sh` looks for the programs. */
const mysqlRoot =
  process.env.MYSQL_ROOT ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'praxis/mysql');

/**
 * Starts a server that ends with this process.
 * @param options of `mysqld`
 * @returns undefined where its programs have not been fetched, or it does not start
 */
export const startMysql = async (options: readonly string[] = []): Promise<PrivateServer | undefined> => {
  if (!existsSync(join(mysqlRoot, 'usr/sbin/mysqld'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mysql-'));
  const script = join(scripts, 'server.sh');
  execFileSync(script, ['make', folder], { stdio: 'ignore' });
  // Nothing that tests look at outlives the machine.
  const quick = ['--skip-log-bin', '--innodb-flush-log-at-trx-commit=2', '--innodb-doublewrite=OFF'];
  const room = ['--innodb-buffer-pool-size=256M', '--max-prepared-stmt-count=1048576'];
  return runPrivate(folder, (port) => [script, 'serve', folder, String(port), ...quick, ...room, ...options]);
};

/**
 * Starts MySQL Router before a server; it ends with this process.
 * @returns undefined where it has not been fetched, or does not start
 */
export const startRouter = async (server: URL): Promise<PrivateServer | undefined> => {
  if (!existsSync(join(mysqlRoot, 'usr/bin/mysqlrouter'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'router-'));
  const destination = `${server.hostname}:${server.port || 3306}`;
  return runPrivate(folder, (port) => [join(scripts, 'router.sh'), 'serve', folder, String(port), destination]);
};

const find = async (): Promise<string | undefined> => {
  const given = process.env.TEST_MYSQL_URL;
  if (given !== undefined && given !== '') {
    if (await isReachable(given)) return given.replace(/\/$/, '');
    throw new Error('No MySQL answers at TEST_MYSQL_URL.');
  }
  const started = await startMysql();
  if (started === undefined)
    warnLoudly('NO MYSQL FOUND: every test on MySQL is skipped. Run test/support/mysql/get.sh or set TEST_MYSQL_URL.');
  return started?.url;
};

let found: Promise<string | undefined> | undefined;

/** The address of a server, without a database; undefined, with a loud warning, where there is none. */
export const mysqlUrl = (): Promise<string | undefined> => {
  found ??= find();
  return found;
};
