// A service on a port: starts, reloads changed descriptors, stops.

import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { startServer } from '../http/server/server.ts';
import { ConnectionTally } from '../metrics/connections.ts';
import type { Registry } from '../registry/model/model.ts';
import { openDatabase } from '../storage/database.ts';
import { assemblePraxis, createPraxis } from './praxis.ts';
import { registryOf, rolesOf } from './registry.ts';

export interface RunningPraxis {
  readonly registry: Registry;
  /** Base address of the API: `http://127.0.0.1:3000/api`. */
  readonly address: string;
  /** The first token, which is shown once: made when there was none. */
  readonly token: string | undefined;
  /**
   * Reads the descriptors again, brings the database to them, and serves them from the next request on. Goes on as before
   * when that fails. @throws DescriptorFaults, ConfigurationFault
   */
  reload(): Promise<Registry>;
  /** Answers what was accepted, then closes everything. */
  stop(): Promise<void>;
}

/** A file of 25 MiB takes longer than any other body. */
const uploadTimeoutMs = 300_000;

/**
 * Starts the service.
 * @param droppedLogLines Number of log lines that could not be written, for the metrics
 * @throws DescriptorFaults, ConfigurationFault, and an Error with one line if it cannot listen
 */
export async function startPraxis(
  config: Config,
  logger: Logger,
  droppedLogLines?: () => number,
): Promise<RunningPraxis> {
  const load = () => {
    const registry = registryOf(config);
    const roles = rolesOf(config, registry);
    if (config.signIn !== undefined && roles === undefined)
      throw new ConfigurationFault(
        'SIGN_IN is set, but there are no roles, so members may do nothing; write them with "praxis new access".',
      );
    return { registry, roles };
  };
  const loaded = load();
  const { registry } = loaded;
  const database = await openDatabase(config.databaseUrl);
  const connections = new ConnectionTally();
  const options = { ...config, database, logger, connections, droppedLogLines };
  let praxis = await createPraxis({ ...options, ...loaded });
  let listener = praxis.app.callback();
  const server = await startServer({
    listener: (req, res) => listener(req, res),
    host: config.host,
    port: config.port,
    logger,
    tally: connections,
    limits: {
      ...(config.connectionsPerAddress !== undefined && { connectionsPerAddress: config.connectionsPerAddress }),
      ...(registry.files !== undefined && { requestTimeoutMs: uploadTimeoutMs }),
    },
  }).catch(async (error: unknown) => {
    await praxis.close();
    throw new ConfigurationFault(error instanceof Error ? error.message : String(error), error);
  });
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  return {
    registry,
    address: `http://${host}:${server.port}/api`,
    // Made last, because it is shown once: a start that fails must not use it up.
    token: await praxis.createFirstToken(),
    reload: async () => {
      const next = await assemblePraxis({ ...options, ...load(), isTrial: true });
      const before = praxis;
      praxis = next;
      listener = next.app.callback();
      // Requests under way end on the database that both use.
      await before.retire();
      return next.registry;
    },
    stop: async () => {
      // Who waits for the next change has an answer now, and holds up nobody.
      praxis.workspace.log?.watch.end();
      await server.stop();
      await praxis.close();
    },
  };
}
