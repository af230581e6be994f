// A workspace in the process of a test, without a service around it.
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';

type Options = Parameters<typeof openWorkspace>[0];

/** Opens the workspace of a database, and makes it where there is none: with no files of migrations, and no log. */
export const openQuietly = (
  options: Pick<Options, 'databaseUrl' | 'resources'> & Partial<Options>,
): Promise<Workspace> =>
  openWorkspace({
    port: 0,
    host: '127.0.0.1',
    accessToken: undefined,
    migrations: 'no-migrations',
    applyAdditions: false,
    corsOrigins: [],
    logLevel: 'silent',
    setup: { workspaceName: 'My Company', workspaceCurrency: 'USD', adminName: undefined, adminEmail: undefined },
    ...options,
  });
