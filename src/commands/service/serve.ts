// The service as a process: its log, what it says at the start, and how signals end it.
import { constants } from 'node:os';
import { rolesFolderOf } from '../../app/registry.ts';
import { type RunningPraxis, startPraxis } from '../../app/serve.ts';
import type { Config } from '../../config.ts';
import { writeDialect } from '../descriptors/project-dialect.ts';
import { createLogger } from '../output/log.ts';
import { watchCode, watchDescriptors } from './watch.ts';

/** npm passes Ctrl-C on to a process that the terminal has told already. */
const sameSignalMs = 500;
const lingerMs = 1000;

/**
 * Starts the service and returns when a signal has stopped it.
 * @param isDevelopment Take in descriptors as they change.
 * @throws what `startPraxis` throws
 */
export async function serve(config: Config, isDevelopment = false): Promise<void> {
  const { logger, droppedLines } = createLogger(config.logLevel, isDevelopment);
  const asked = askedToStop();
  const praxis = await startPraxis(config, logger, droppedLines);
  // Before the welcome: whoever reads it may change a file at once.
  if (isDevelopment) {
    watchDescriptors([config.resources, rolesFolderOf(config)], praxis);
    watchCode();
    writeDialect(config);
  }
  process.stdout.write(welcome(praxis, config));
  logger.info({ address: praxis.address }, 'started');
  const signal = await asked;
  logger.info({ signal }, 'stopping');
  await praxis.stop();
  logger.info('stopped');
  // The process ends by itself; a connection that hangs must not hold it.
  setTimeout(() => process.exit(0), lingerMs).unref();
}

/** Resolves with the first SIGTERM or SIGINT; the next one ends the process at once. */
function askedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (askedAt !== undefined && now - askedAt > sameSignalMs) process.exit(128 + constants.signals[signal]);
      askedAt ??= now;
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

function welcome({ address, token, registry }: RunningPraxis, { pages, console: hasConsole }: Config): string {
  const forPeople = pages === false ? '' : `Its pages, for people: ${new URL('/docs', address).href}\n`;
  const records =
    hasConsole === false ? '' : `Its console, to look at the records: ${new URL('/console', address).href}\n`;
  const listening = `Praxis listens at ${address}\n${records}${forPeople}`;
  if (token === undefined) return listening;
  // A path that a new workspace can answer: its settings, else any list.
  const lists = [...registry.resources.values()].filter(({ operations }) => operations.has('list'));
  const path = (registry.workspace ?? lists[0])?.path ?? '';
  return `${listening}
Access token, shown this once: ${token}

  curl -H 'Authorization: Bearer ${token}' ${address}${path}

`;
}
