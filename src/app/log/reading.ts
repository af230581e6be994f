// The log of changes for who has the database of a workspace: everything is shown to them.
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { beginFeed, feedJson, readFeed } from '../../past/feed.ts';
import { historyJson, readHistoryRequest } from '../../past/history/history.ts';
import { readFeedRequest } from '../../past/parameters.ts';
import { renewLog } from '../../past/renewal.ts';
import { Problem } from '../../problems.ts';
import { deleteWebhook, readWebhook, readWebhooks } from '../../storage/log/webhooks.ts';
import { readNewWebhook } from '../../webhooks/wish.ts';
import { openWorkspace } from '../workspace.ts';
import { groundOf } from './past.ts';
import { everythingReader } from './reader.ts';
import { makeWebhook, type ShownWebhook, shown } from './webhooks.ts';

const limitKey = 'command';

/** A log that is open. What is asked for has the form of the interface's queries. */
export interface OpenLog {
  /** A page of the feed, as JSON. @throws ConfigurationFault */
  feed(query: string): Promise<string>;
  /** The history of a record, as JSON. @throws ConfigurationFault */
  history(group: string, id: string, query: string): Promise<string>;
  /** Begins a new log: cursors of before are refused. */
  renew(): Promise<void>;
  /** Makes a webhook that sees everything; its secret is shown this once. @throws ConfigurationFault */
  makeWebhook(body: Readonly<Record<string, unknown>>): Promise<ShownWebhook & { readonly secret: string }>;
  webhooks(): Promise<readonly ShownWebhook[]>;
  /** @returns whether there was one */
  removeWebhook(id: string): Promise<boolean>;
}

/** Opens the log of a configuration for some work. @throws DescriptorFaults, ConfigurationFault */
export async function withLog<T>(config: Config, work: (log: OpenLog) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(config);
  try {
    const { log, registry, database } = workspace;
    if (log === undefined) throw new ConfigurationFault('There is no log of changes here: CHANGES=90d switches it on.');
    const ground = await groundOf(workspace, log);
    const reader = everythingReader;
    return await work({
      feed: (query) =>
        told(async () =>
          feedJson(
            await readFeed(ground, readFeedRequest(query, ground.names), {
              reader,
              readerNow: async () => reader,
              limitKey,
            }),
          ),
        ),
      history: (group, id, query) =>
        told(async () => {
          const resource = registry.resources.get(group);
          if (resource?.isLogged !== true) throw new ConfigurationFault(`No log is kept of the group "${group}".`);
          const asked = { resource, id: id.toLowerCase(), idAsSent: id, reader };
          return historyJson(ground, asked, readHistoryRequest(query));
        }),
      renew: () => renewLog(database),
      makeWebhook: (body) =>
        told(async () => {
          const wish = readNewWebhook(body, { registry, hosts: config.webhooks?.hosts ?? [] });
          const { position, state } = await beginFeed(ground, { after: 'now' });
          const made = { wish, tokenId: null, memberId: null, position, log: state.name, now: Date.now() };
          return database.transact((session) => makeWebhook(session, ground, made));
        }),
      webhooks: async () => (await readWebhooks(database)).map(shown),
      removeWebhook: async (id) => {
        if ((await readWebhook(database, id)) === undefined) return false;
        await database.transact((session) => deleteWebhook(session, id));
        return true;
      },
    });
  } finally {
    await workspace.close();
  }
}

/** What callers are refused is told to whoever runs a command in the same words. */
async function told<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Problem) throw new ConfigurationFault(error.errors?.join('\n') ?? error.message, error);
    throw error;
  }
}
