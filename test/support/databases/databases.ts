// The databases that tests run on: those that TEST_DATABASES names, SQLite and MariaDB where it names none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { createDatabase, mariadbUrl } from './mariadb.ts';
import { mysqlUrl } from './mysql.ts';

export type Engine = 'SQLite' | 'MariaDB' | 'MySQL';

/** A kind of database that is to be tested on. */
export interface TestDatabase {
  readonly name: Engine;
  readonly isServer: boolean;
  /** Whether there is one here. */
  readonly isThere: boolean;
  /** Address of a server, without a database. */
  readonly serverUrl: string | undefined;
  /** Makes an empty one; `drop` removes it again. */
  open(prefix?: string): Promise<{ readonly url: string; drop(): Promise<void> }>;
}

export const sqlite: TestDatabase = {
  name: 'SQLite',
  isServer: false,
  isThere: true,
  serverUrl: undefined,
  open: async (prefix = 'praxis_test') => {
    const folder = mkdtempSync(join(tmpdir(), `${prefix}-`));
    const drop = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
    return { url: `sqlite:${join(folder, 'workspace.sqlite')}`, drop };
  },
};

const serverAt = (name: Engine, serverUrl: string | undefined): TestDatabase => ({
  name,
  isServer: true,
  isThere: serverUrl !== undefined,
  serverUrl,
  open: (prefix) => {
    if (serverUrl === undefined) throw new Error(`there is no ${name}`);
    return createDatabase(serverUrl, prefix);
  },
});

const makers: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  sqlite: async () => sqlite,
  mariadb: async () => serverAt('MariaDB', await mariadbUrl()),
  mysql: async () => serverAt('MySQL', await mysqlUrl()),
};

const asked = process.env.TEST_DATABASES || 'sqlite,mariadb';
export const databases: readonly TestDatabase[] = await Promise.all(
  asked.split(',').map((name) => {
    const make = makers[name.trim()];
    if (make === undefined) throw new Error(`TEST_DATABASES names '${name}'; known are sqlite, mariadb and mysql.`);
    return make();
  }),
);

const askedServers = databases.filter(({ isServer }) => isServer);
/** At least one, so that a file of tests on servers alone says what it has skipped. */
export const servers = askedServers.length > 0 ? askedServers : [serverAt('MariaDB', undefined)];

/** Describes behaviour of servers once for each of them. */
export function describeOnServers(title: string, body: (server: TestDatabase) => void): void {
  for (const server of servers) describe.skipIf(!server.isThere)(`${title} (${server.name})`, () => body(server));
}
